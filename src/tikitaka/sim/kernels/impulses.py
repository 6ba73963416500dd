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

Speeds = tuple[float, float, float]

ALIKE = 1e-6  # chosen, above the rounding of float32: if others leave less of what a contact yields, they leave nothing


@kernel
def mass_centre_speed(
    vx: float, vy: float, omega: float, c: float, sn: float, offset: float
) -> tuple[float, float, float]:
    """Return the velocity of the mass centre from that of the geometric centre."""
    return vx - omega * offset * sn, vy + omega * offset * c, omega


@kernel
def from_mass_centre(
    vx: float, vy: float, omega: float, c: float, sn: float, offset: float
) -> tuple[float, float, float]:
    """Return the velocity of the geometric centre from that of the mass centre."""
    return vx + omega * offset * sn, vy - omega * offset * c, omega


@kernel
def take(e: int, s: int, i: int, velocity: Floats, offset: float, ahead: Floats) -> None:
    """Set a robot's mass-centre velocity from that of its geometric centre."""
    vx, vy, omega = velocity[e, i, 0], velocity[e, i, 1], velocity[e, i, 2]
    found = mass_centre_speed(vx, vy, omega, ahead[s, i, COS], ahead[s, i, SIN], offset)
    ahead[s, i, SPEED], ahead[s, i, SPEED + 1], ahead[s, i, SPEED + 2] = found


@kernel
def give_back(s: int, i: int, offset: float, ahead: Floats) -> tuple[float, float, float]:
    """Return the velocity of a robot's geometric centre."""
    vx, vy, omega = ahead[s, i, SPEED], ahead[s, i, SPEED + 1], ahead[s, i, SPEED + 2]
    return from_mass_centre(vx, vy, omega, ahead[s, i, COS], ahead[s, i, SIN], offset)


@kernel
def speeds_of(s: int, who: int, ahead: Floats) -> Speeds:
    """Return the velocity of a body's mass centre; the pitch has none."""
    if who < 0:
        return 0.0, 0.0, 0.0
    return float(ahead[s, who, SPEED]), float(ahead[s, who, SPEED + 1]), float(ahead[s, who, SPEED + 2])


@kernel
def put_speeds(s: int, who: int, v: Speeds, ahead: Floats) -> None:
    """Give a body's mass centre a velocity."""
    ahead[s, who, SPEED], ahead[s, who, SPEED + 1], ahead[s, who, SPEED + 2] = v


@kernel
def ease_of(who: int, ball: int, chassis: Floats, inv_ball: float) -> tuple[float, float]:
    """Return a body's inverse mass and inverse inertia."""
    if who < 0:
        return 0.0, 0.0
    if who == ball:
        return inv_ball, 0.0
    return float(chassis[INV_MASS]), float(chassis[INV_INERTIA])


@kernel
def along(v: Speeds, nx: float, ny: float, lever: float) -> float:
    """Return the speed of a body's contact point along a direction."""
    return v[0] * nx + v[1] * ny + v[2] * lever


@kernel
def pushed(v: Speeds, impulse: float, ease: tuple[float, float], nx: float, ny: float, lever: float) -> Speeds:
    """Return a velocity after an impulse along a direction [Klancar, Eq. 27]."""
    m, inv_i = ease
    return v[0] + impulse * m * nx, v[1] + impulse * m * ny, v[2] + impulse * inv_i * lever


@kernel
def push(
    s: int, who: int, impulse: float, nx: float, ny: float, lever: float, ahead: Floats, chassis: Floats,
    inv_ball: float,
) -> None:  # fmt: skip
    """Apply an impulse to a body, if it is one."""
    if who >= 0:
        ease = ease_of(who, ahead.shape[1] - 1, chassis, inv_ball)
        put_speeds(s, who, pushed(speeds_of(s, who, ahead), impulse, ease, nx, ny, lever), ahead)


@kernel
def opening(s: int, k: int, rows: Floats, ahead: Floats) -> float:
    """Return how fast a contact opens; negative: it closes."""
    nx, ny = rows[s, k, NX], rows[s, k, NY]
    there = along(speeds_of(s, int(rows[s, k, B]), ahead), nx, ny, rows[s, k, LEVER_B])
    return there - along(speeds_of(s, int(rows[s, k, A]), ahead), nx, ny, rows[s, k, LEVER_A])


@kernel
def press(s: int, k: int, impulse: float, rows: Floats, ahead: Floats, chassis: Floats, inv_ball: float) -> None:
    """Apply an impulse along a contact's normal to both of its bodies."""
    nx, ny = rows[s, k, NX], rows[s, k, NY]
    push(s, int(rows[s, k, A]), -impulse, nx, ny, rows[s, k, LEVER_A], ahead, chassis, inv_ball)
    push(s, int(rows[s, k, B]), impulse, nx, ny, rows[s, k, LEVER_B], ahead, chassis, inv_ball)


@kernel
def answer(s: int, k: int, over: float, rows: Floats, ahead: Floats, chassis: Floats, inv_ball: float) -> float:
    """Return the change of speed after a contact has pushed, and rubbed by at most RUB times what it pushes.

    It pushes ``over`` times what would settle it alone: above 1, and below 2, many settle sooner together.
    Both bodies' velocities are fetched once and written once: on a card every way through memory is waited for.
    """
    a, b, nx, ny, ball = int(rows[s, k, A]), int(rows[s, k, B]), rows[s, k, NX], rows[s, k, NY], ahead.shape[1] - 1
    va, ma = speeds_of(s, a, ahead), ease_of(a, ball, chassis, inv_ball)
    vb, mb = speeds_of(s, b, ahead), ease_of(b, ball, chassis, inv_ball)
    lever_a, lever_b, before, drag = rows[s, k, LEVER_A], rows[s, k, LEVER_B], rows[s, k, PUSH], rows[s, k, DRAG]
    worst = 0.0
    opens = along(vb, nx, ny, lever_b) - along(va, nx, ny, lever_a)
    impulse = max(0.0, before + over * (rows[s, k, FLOOR] - opens) * rows[s, k, STOP])
    change = impulse - before
    if change != 0.0:
        worst, rows[s, k, PUSH] = abs(change * rows[s, k, GIVE]), impulse
        va, vb = pushed(va, -change, ma, nx, ny, lever_a), pushed(vb, change, mb, nx, ny, lever_b)
    if (rows[s, k, RUB] > 0.0 and impulse > 0.0) or drag != 0.0:
        turn_a, turn_b, most = rows[s, k, TURN_A], rows[s, k, TURN_B], rows[s, k, RUB] * impulse
        slides = along(vb, -ny, nx, turn_b) - along(va, -ny, nx, turn_a)
        new = clamp(drag - slides * rows[s, k, STICK], -most, most)
        change, rows[s, k, DRAG] = new - drag, new
        va, vb = pushed(va, -change, ma, -ny, nx, turn_a), pushed(vb, change, mb, -ny, nx, turn_b)
        worst = max(worst, abs(change * rows[s, k, SLIDE]))
    if a >= 0:
        put_speeds(s, a, va, ahead)
    put_speeds(s, b, vb, ahead)
    return float(worst)


@kernel
def sweep(s: int, count: int, over: float, rows: Floats, ahead: Floats, chassis: Floats, inv_ball: float) -> float:
    """Return the largest change of speed in one round over all contacts, none of them pulling."""
    worst = 0.0
    for k in range(count):
        worst = max(worst, answer(s, k, over, rows, ahead, chassis, inv_ball))
    return worst


@kernel
def coupling(s: int, j: int, k: int, rows: Floats, chassis: Floats, inv_ball: float) -> float:
    """Return how fast contact j of the ball opens for a unit impulse at its contact k."""
    along, a = rows[s, j, NX] * rows[s, k, NX] + rows[s, j, NY] * rows[s, k, NY], rows[s, j, A]
    if a < 0.0 or a != rows[s, k, A]:
        return float(inv_ball * along)
    turn = chassis[INV_INERTIA] * rows[s, j, LEVER_A] * rows[s, k, LEVER_A]
    return float((inv_ball + chassis[INV_MASS]) * along + turn)


@kernel
def pushing(s: int, k: int, count: int, ball: int, rows: Floats) -> int:
    """Return the first contact from k on that pushes the ball; ``count`` where there is none."""
    while k < count and (rows[s, k, B] != ball or rows[s, k, PUSH] <= 0.0):
        k += 1
    return k


@kernel
def three(
    gi: float, gj: float, gk: float, cij: float, cik: float, cjk: float, wi: float, wj: float, wk: float
) -> tuple[float, float, float]:
    """Return what solves a symmetric system, g on its diagonal and c beside it; zeros where nothing does."""
    least_j, least_k = ALIKE * gj, ALIKE * gk
    gj, cjk, wj = gj - cij * cij / gi, cjk - cij * cik / gi, wj - cij * wi / gi
    if gj <= least_j:
        return 0.0, 0.0, 0.0
    gk, wk = gk - cik * cik / gi - cjk * cjk / gj, wk - cik * wi / gi - cjk * wj / gj
    if gk <= least_k:
        return 0.0, 0.0, 0.0
    k = wk / gk
    j = (wj - cjk * k) / gj
    return (wi - cij * j - cik * k) / gi, j, k


@kernel
def pinch(s: int, count: int, rows: Floats, ahead: Floats, chassis: Floats, inv_ball: float) -> None:
    """Settle two or three contacts that push the ball together: in turns, a light body among heavy ones takes long.

    Where one of them would have to pull, all are left to the sweeps; so is a fourth.
    """
    ball = ahead.shape[1] - 1
    i = pushing(s, 0, count, ball, rows)
    j = pushing(s, i + 1, count, ball, rows)
    if j >= count:
        return
    k, gk, cik, cjk, wk = pushing(s, j + 1, count, ball, rows), 1.0, 0.0, 0.0, 0.0
    if k < count:
        gk, wk = rows[s, k, GIVE], rows[s, k, FLOOR] - opening(s, k, rows, ahead)
        cik, cjk = coupling(s, i, k, rows, chassis, inv_ball), coupling(s, j, k, rows, chassis, inv_ball)
    wi, wj = rows[s, i, FLOOR] - opening(s, i, rows, ahead), rows[s, j, FLOOR] - opening(s, j, rows, ahead)
    cij = coupling(s, i, j, rows, chassis, inv_ball)
    di, dj, dk = three(rows[s, i, GIVE], rows[s, j, GIVE], gk, cij, cik, cjk, wi, wj, wk)
    if rows[s, i, PUSH] + di < 0.0 or rows[s, j, PUSH] + dj < 0.0 or (k < count and rows[s, k, PUSH] + dk < 0.0):
        return
    add_push(s, i, di, rows, ahead, chassis, inv_ball)
    add_push(s, j, dj, rows, ahead, chassis, inv_ball)
    if k < count:
        add_push(s, k, dk, rows, ahead, chassis, inv_ball)


@kernel
def add_push(s: int, k: int, impulse: float, rows: Floats, ahead: Floats, chassis: Floats, inv_ball: float) -> None:
    """Add to the impulse of a contact so far."""
    rows[s, k, PUSH] += impulse
    press(s, k, impulse, rows, ahead, chassis, inv_ball)


@kernel
def solve(
    s: int, count: int, rows: Floats, ahead: Floats, chassis: Floats, inv_ball: float, rounds: int, settled: float
) -> None:
    """Sweep until no contact changes by more than ``settled`` [m/s], or for so many rounds."""
    for _ in range(rounds):
        if sweep(s, count, 1.0, rows, ahead, chassis, inv_ball) < settled:
            return
        pinch(s, count, rows, ahead, chassis, inv_ball)


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
