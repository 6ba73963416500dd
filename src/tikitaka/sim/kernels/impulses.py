"""Contacts, answered: impulses that let nobody through, that rub, and that bounce what hits.

Velocities are those of the mass centres, in the columns SPEED of ``ahead``, because that is where impulses act
[Klancar, Eq. 27]; the mass centre lies ``offset`` ahead of the geometric centre.
"""

from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import clamp
from tikitaka.sim.kernels.chassis import INV_INERTIA, INV_MASS
from tikitaka.sim.kernels.tables import (
    BOUNCE,
    COS,
    DRAG,
    FLOOR,
    GIVE,
    LEVER_A,
    LEVER_B,
    NX,
    NY,
    PUSH,
    RUB,
    SIN,
    SLIDE,
    SPEED,
    STICK,
    STOP,
    TURN_A,
    TURN_B,
    A,
    B,
    Floats,
)  # fmt: skip


@kernel
def take(e: int, s: int, i: int, velocity: Floats, offset: float, ahead: Floats) -> None:
    """Set a robot's mass-centre velocity from that of its geometric centre."""
    omega = velocity[e, i, 2]
    ahead[s, i, SPEED] = velocity[e, i, 0] - omega * offset * ahead[s, i, SIN]
    ahead[s, i, SPEED + 1] = velocity[e, i, 1] + omega * offset * ahead[s, i, COS]
    ahead[s, i, SPEED + 2] = omega


@kernel
def give_back(s: int, i: int, offset: float, ahead: Floats) -> tuple[float, float, float]:
    """Return the velocity of a robot's geometric centre."""
    omega = ahead[s, i, SPEED + 2]
    vx = ahead[s, i, SPEED] + omega * offset * ahead[s, i, SIN]
    return vx, ahead[s, i, SPEED + 1] - omega * offset * ahead[s, i, COS], omega


@kernel
def speed_along(s: int, who: int, nx: float, ny: float, lever: float, ahead: Floats) -> float:
    """Return the speed of a body's contact point along a direction."""
    if who < 0:
        return 0.0
    return float(ahead[s, who, SPEED] * nx + ahead[s, who, SPEED + 1] * ny + ahead[s, who, SPEED + 2] * lever)


@kernel
def push(
    s: int,
    who: int,
    impulse: float,
    nx: float,
    ny: float,
    lever: float,
    ahead: Floats,
    chassis: Floats,
    inv_ball: float,
) -> None:
    """Apply an impulse along a direction [Klancar, Eq. 27]."""
    if who < 0:
        return
    if who == ahead.shape[1] - 1:
        ahead[s, who, SPEED] += impulse * inv_ball * nx
        ahead[s, who, SPEED + 1] += impulse * inv_ball * ny
        return
    ahead[s, who, SPEED] += impulse * chassis[INV_MASS] * nx
    ahead[s, who, SPEED + 1] += impulse * chassis[INV_MASS] * ny
    ahead[s, who, SPEED + 2] += impulse * chassis[INV_INERTIA] * lever


@kernel
def opening(s: int, k: int, rows: Floats, ahead: Floats) -> float:
    """Return how fast a contact opens; negative: it closes."""
    nx, ny = rows[s, k, NX], rows[s, k, NY]
    there = speed_along(s, int(rows[s, k, B]), nx, ny, rows[s, k, LEVER_B], ahead)
    return there - speed_along(s, int(rows[s, k, A]), nx, ny, rows[s, k, LEVER_A], ahead)


@kernel
def press(s: int, k: int, impulse: float, rows: Floats, ahead: Floats, chassis: Floats, inv_ball: float) -> None:
    """Apply an impulse along a contact's normal to both of its bodies."""
    nx, ny = rows[s, k, NX], rows[s, k, NY]
    push(s, int(rows[s, k, A]), -impulse, nx, ny, rows[s, k, LEVER_A], ahead, chassis, inv_ball)
    push(s, int(rows[s, k, B]), impulse, nx, ny, rows[s, k, LEVER_B], ahead, chassis, inv_ball)


@kernel
def rub(s: int, k: int, rows: Floats, ahead: Floats, chassis: Floats, inv_ball: float) -> float:
    """Return the change of sliding speed after applying friction, at most RUB times the normal impulse."""
    a, b, tx, ty = int(rows[s, k, A]), int(rows[s, k, B]), -rows[s, k, NY], rows[s, k, NX]
    slide = speed_along(s, b, tx, ty, rows[s, k, TURN_B], ahead) - speed_along(s, a, tx, ty, rows[s, k, TURN_A], ahead)
    most = rows[s, k, RUB] * rows[s, k, PUSH]
    drag = clamp(rows[s, k, DRAG] - slide * rows[s, k, STICK], -most, most)
    change = drag - rows[s, k, DRAG]
    rows[s, k, DRAG] = drag
    push(s, a, -change, tx, ty, rows[s, k, TURN_A], ahead, chassis, inv_ball)
    push(s, b, change, tx, ty, rows[s, k, TURN_B], ahead, chassis, inv_ball)
    return float(abs(change * rows[s, k, SLIDE]))


@kernel
def sweep(s: int, count: int, rows: Floats, ahead: Floats, chassis: Floats, inv_ball: float) -> float:
    """Return the largest change of speed in one round over all contacts, none of them pulling."""
    worst = 0.0
    for k in range(count):
        give = rows[s, k, GIVE]
        impulse = max(0.0, rows[s, k, PUSH] + (rows[s, k, FLOOR] - opening(s, k, rows, ahead)) * rows[s, k, STOP])
        change = impulse - rows[s, k, PUSH]
        if change != 0.0:
            worst = max(worst, abs(change * give))
            rows[s, k, PUSH] = impulse
            press(s, k, change, rows, ahead, chassis, inv_ball)
        if (rows[s, k, RUB] > 0.0 and impulse > 0.0) or rows[s, k, DRAG] != 0.0:
            worst = max(worst, rub(s, k, rows, ahead, chassis, inv_ball))
    return worst


@kernel
def solve(
    s: int, count: int, rows: Floats, ahead: Floats, chassis: Floats, inv_ball: float, rounds: int, settled: float
) -> None:
    """Sweep until no contact changes by more than ``settled`` [m/s], or for so many rounds."""
    for _ in range(rounds):
        if sweep(s, count, rows, ahead, chassis, inv_ball) < settled:
            return


@kernel
def rebound(s: int, count: int, rows: Floats, ahead: Floats, chassis: Floats, inv_ball: float) -> bool:
    """Say whether anything bounced: a part of the stopping impulse is given back (Poisson), which makes no energy."""
    any_hit = False
    for k in range(count):
        impulse = rows[s, k, BOUNCE] * rows[s, k, PUSH]
        if impulse > 0.0:
            any_hit = True
            press(s, k, impulse, rows, ahead, chassis, inv_ball)
        rows[s, k, PUSH], rows[s, k, DRAG] = 0.0, 0.0
    return any_hit
