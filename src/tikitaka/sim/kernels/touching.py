"""Lasting contacts: which pairs are in one, and their contacts as rows for `leaning`.

cut     how long the contacts stay as they are
far     how far apart the centres of two robots may be that can meet; far_ball: of a robot and the ball
"""

from tikitaka.geom.jit import kernel
from tikitaka.sim.kernels.contacts import add_rows, hull_points
from tikitaka.sim.kernels.duos import floor_of, meet_of
from tikitaka.sim.kernels.gaps import is_top, pair_gap
from tikitaka.sim.kernels.impacts import FAR, MET, NEVER, parting
from tikitaka.sim.kernels.islands import bounced, clear, is_duo, mark_duo, tie
from tikitaka.sim.kernels.pairs import close_by, reaches
from tikitaka.sim.kernels.paths import body_now
from tikitaka.sim.kernels.tables import (
    CLOSING,
    FLOOR,
    FREE,
    GAP,
    LEANS,
    MARK,
    MEET,
    NUDGED,
    REST_SPEED,
    SKIN,
    TIES,
    WITH,
    Floats,
    Robot,
    Room,
    Scratch,
    World,
)  # fmt: skip

PARTING = -1.0  # [m] stands for the gap of those that touch and part: they have just met
APART, LASTS, PARTS = range(3)
TURN, LEAST = 0.05, 1.0 / 1440.0  # [rad], [s] chosen: who leans goes straight until it has turned so far, or so long
SHORT = 1.0 / 180.0  # [s] a crowd goes straight for so long at most


@kernel
def mark(s: int, a: int, b: int, n: int, ahead: Floats) -> None:
    """Note who leans: who pushes a ball that is free to go is only nudged by it."""
    if b == n:
        ahead[s, n, MARK] = LEANS
        if a >= 0 and ahead[s, a, MARK] == FREE:
            ahead[s, a, MARK] = NUDGED if ahead[s, n, TIES] < 2.0 else LEANS
        return
    ahead[s, b, MARK] = LEANS
    if a >= 0:
        ahead[s, a, MARK] = LEANS


@kernel
def next_corner(
    e: int, s: int, a: int, b: int, found: int, left: float, world: World, ahead: Floats, manifold: Floats
) -> float:
    """Return when the first of a leaning pair's other corners is hit, or one has turned by TURN: LEAST to ``left``."""
    xa, ya, _, _, vxa, vya, wa = body_now(e, s, a, world, ahead)
    xb, yb, _, _, vxb, vyb, wb = body_now(e, s, b, world, ahead)
    fast = max(abs(wa), abs(wb))
    cut = left if fast * left <= TURN else TURN / fast
    for q in range(found):
        qx, qy, nx, ny = manifold[s, q, 1], manifold[s, q, 2], manifold[s, q, 3], manifold[s, q, 4]
        part = parting(qx, qy, nx, ny, xa, ya, vxa, vya, wa, xb, yb, vxb, vyb, wb)
        if part < -REST_SPEED:
            cut = min(cut, manifold[s, q, 0] / -part)
    return max(cut, min(left, LEAST))


@kernel
def touch(
    e: int, s: int, k: int, left: float, far: float, far_ball: float, all_lean: bool, world: World, room: Room,
    scratch: Scratch,
) -> int:  # fmt: skip
    """Return LASTS, PARTS or APART, and note a pair's gap for `first_meeting`: NEVER if it lasts, FAR if far apart."""
    ahead, pairs, n = scratch[0], scratch[4], world[0].shape[1]
    a, b = int(pairs[s, k, 0]), int(pairs[s, k, 1])
    xa, ya, ca, sa, vxa, vya, wa = body_now(e, s, a, world, ahead)
    xb, yb, cb, sb, vxb, vyb, wb = body_now(e, s, b, world, ahead)
    if a >= 0 and not all_lean and not close_by(xa, ya, xb, yb, far if b < n else far_ball):
        pairs[s, k, 2] = FAR
        return APART
    gap, nx, ny, qx, qy = pair_gap(a, b, n, xa, ya, ca, sa, xb, yb, cb, sb, room)
    pairs[s, k, 2] = gap
    if (gap > 1.5 * SKIN + 2.0 * REST_SPEED * min(left, SHORT) and not all_lean) or (b == n and is_top(nx, ny)):
        return APART
    part = parting(qx, qy, nx, ny, xa, ya, vxa, vya, wa, xb, yb, vxb, vyb, wb)
    if abs(part) > REST_SPEED and not all_lean:
        if part <= 0.0 or gap > MET:
            return APART
        pairs[s, k, 2] = PARTING
        return PARTS
    pairs[s, k, 2] = NEVER
    return LASTS


@kernel
def next_of(s: int, k: int, count: int, kind: float, pairs: Floats) -> int:
    """Return the first pair from k on whose gap is noted as ``kind``; ``count`` where there is none."""
    while k < count and pairs[s, k, 2] != kind:
        k += 1
    return k


@kernel
def join(
    e: int, s: int, k: int, found: int, left: float, all_lean: bool, world: World, room: Room, robot: Robot,
    scratch: Scratch,
) -> tuple[int, float]:  # fmt: skip
    """Return how many contacts there are with those of pair k, and how long they stay as they are; note who leans."""
    ahead, manifold, pairs, n = scratch[0], scratch[3], scratch[4], world[0].shape[1]
    a, b, first, cut = int(pairs[s, k, 0]), int(pairs[s, k, 1]), found, left
    found = add_rows(e, s, found, a, b, NEVER, world, room, robot, scratch)
    if b < n and not all_lean:
        cut = next_corner(e, s, a, b, found - first, left, world, ahead, manifold)
    mark(s, a, b, n, ahead)
    pairs[s, k, 2] = NEVER
    return found, cut


@kernel
def pair_up(
    e: int, s: int, a: int, b: int, left: float, all_lean: bool, world: World, room: Room, scratch: Scratch
) -> float:
    """Return how long the contact of a duo stays as it is; where they touch goes to MEET."""
    ahead, manifold = scratch[0], scratch[3]
    found = hull_points(e, s, a, b, world, room, ahead, manifold)
    mark_duo(s, a, b, ahead)
    ahead[s, b, WITH] = a
    gap, x, y, gap_2, x_2, y_2, nx, ny = meet_of(s, found, manifold)
    ahead[s, b, MEET], ahead[s, b, MEET + 1], ahead[s, b, MEET + 2], ahead[s, b, MEET + 3] = gap, x, y, gap_2
    ahead[s, b, MEET + 4], ahead[s, b, MEET + 5], ahead[s, b, MEET + 6], ahead[s, b, MEET + 7] = x_2, y_2, nx, ny
    return left if all_lean else next_corner(e, s, a, b, found, left, world, ahead, manifold)


@kernel
def collect(
    e: int, s: int, count: int, left: float, all_lean: bool, world: World, room: Room, robot: Robot, scratch: Scratch
) -> tuple[int, float]:
    """Return how many contacts the crowd has, and how long all lasting contacts stay as they are.

    Who has just bounced off one that leans leans on it, too: else what pushes from behind would make them meet again
    and again, in no time.
    """
    ahead, rows, pairs, found, cut = scratch[0], scratch[2], scratch[4], min(count, 0), left
    k = next_of(s, found, count, NEVER, pairs)
    while k < count:
        a, b = int(pairs[s, k, 0]), int(pairs[s, k, 1])
        if is_duo(s, a, b, ahead, robot[0]):
            lasts = pair_up(e, s, a, b, left, all_lean, world, room, scratch)
        else:
            found, lasts = join(e, s, k, found, left, all_lean, world, room, robot, scratch)
        cut = min(cut, lasts)
        k = next_of(s, k + 1, count, NEVER, pairs)
    if found > 0 and not all_lean:
        cut = min(cut, SHORT)  # a crowd that goes straight for longer turns too far: docs/decisions/0011
    before = min(count, 0)
    while before < found:
        before, k = found, next_of(s, min(count, 0), count, PARTING, pairs)
        while k < count:
            a, b = int(pairs[s, k, 0]), int(pairs[s, k, 1])
            if ahead[s, b, MARK] != FREE or (a >= 0 and ahead[s, a, MARK] != FREE):
                found, lasts = join(e, s, k, found, left, all_lean, world, room, robot, scratch)
                cut = min(cut, lasts)
            k = next_of(s, k + 1, count, PARTING, pairs)
    for q in range(found):
        rows[s, q, FLOOR], rows[s, q, CLOSING] = floor_of(rows[s, q, GAP], cut), 0.0
    return found, cut


@kernel
def gather(
    e: int, s: int, count: int, left: float, all_lean: bool, world: World, room: Room, robot: Robot, scratch: Scratch
) -> tuple[bool, int, float]:
    """Say whether there are lasting contacts, how many the crowd has, and how long they stay, at most ``left``.

    The gaps of all other pairs are noted for `first_meeting`.
    """
    ahead, pairs = scratch[0], scratch[4]
    far, far_ball = reaches(e, world, room[5], left)
    clear(s, ahead)
    lasting = False
    for k in range(count):
        what = touch(e, s, k, left, far, far_ball, all_lean, world, room, scratch)
        if what == LASTS:
            lasting = True
            tie(s, int(pairs[s, k, 0]), int(pairs[s, k, 1]), ahead)
        elif what == PARTS:
            bounced(s, int(pairs[s, k, 0]), int(pairs[s, k, 1]), ahead)
    if not lasting:
        return False, min(count, 0), left
    found, cut = collect(e, s, count, left, all_lean, world, room, robot, scratch)
    return True, found, cut
