"""The exact time of the next impact: who meets first; what happens then is in `strikes`.

The time is a zero crossing of the gap along the paths [Klancar, sec. 4.2], found by Newton's method held on a leash: a
step is never longer than LEASH times the one that the fastest closing speed allows, nor goes a quarter of WAY beyond
it, so that nobody thin is jumped over. Those that part are looked at again soon, so that no corner is (a test; with 4
and half of the time left some at 20 rad/s were). Once an overlap has been seen, the search stays between it and the
last gap (low, high), by bisection where Newton leaves.

part    how fast two bodies part at their contact point; negative: they close in
bound   no two points of the bodies close in faster
"""

from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import norm
from tikitaka.sim.kernels.gaps import is_top, pair_gap
from tikitaka.sim.kernels.kicking import ROOF_COS
from tikitaka.sim.kernels.paths import body_at
from tikitaka.sim.kernels.tables import REACH, SKIN, TOUCHING, Floats, Room, Scratch, World

NEVER = 1e9  # [s]
FAR = 2e9  # [s] and at no time of this round closer than two skins: nothing needs to be looked at
MET = 1e-6  # [m] gap of those that meet at the same time
SEARCH_ROUNDS = 80
LEASH = 1.5
STRIDE = 1.0 / 16.0  # of the time left, and of a look: no step is shorter, but by WAY; else there would be no end
WAY = 0.02  # [m] about the ball's radius: nothing goes farther between two looks where it is near
LOOK = 0.25  # of the time left: where bodies that part are looked at again


@kernel
def parting(
    qx: float, qy: float, nx: float, ny: float, xa: float, ya: float, vxa: float, vya: float, wa: float,
    xb: float, yb: float, vxb: float, vyb: float, wb: float,
) -> float:  # fmt: skip
    """Return how fast two bodies part at a contact point."""
    vx = vxb - wb * (qy - yb) - vxa + wa * (qy - ya)
    vy = vyb + wb * (qx - xb) - vya - wa * (qx - xa)
    return vx * nx + vy * ny


@kernel
def closing_bound(e: int, s: int, a: int, b: int, world: World, ahead: Floats, reach: float) -> float:
    """Return a speed that no two points of a pair's bodies close in faster than, now or at the end."""
    n, velocity, ball = world[0].shape[1], world[1], world[3]
    x0, y0, x1, y1, turn, sign = 0.0, 0.0, 0.0, 0.0, 0.0, -1.0
    for q in range(2):
        who = a if q == 0 else b
        if who == n:
            x0, y0, x1, y1 = x0 + ball[e, 2], y0 + ball[e, 3], x1 + ahead[s, n, 2], y1 + ahead[s, n, 3]
            turn += abs(ball[e, 5])
        elif who >= 0:
            x0, y0 = x0 + sign * velocity[e, who, 0], y0 + sign * velocity[e, who, 1]
            x1, y1 = x1 + sign * ahead[s, who, 3], y1 + sign * ahead[s, who, 4]
            turn += reach * max(abs(velocity[e, who, 2]), abs(ahead[s, who, 5]))
        sign = 1.0
    return 1.1 * (max(norm(x0, y0), norm(x1, y1)) + turn) + 1e-9


@kernel
def chance(e: int, s: int, k: int, left: float, world: World, room: Room, scratch: Scratch) -> float:
    """Return the bound of a pair's closing speed if it may meet within ``left``, else 0; mark it if it stays FAR."""
    pairs = scratch[4]
    if pairs[s, k, 2] >= NEVER:
        return 0.0
    bound = closing_bound(e, s, int(pairs[s, k, 0]), int(pairs[s, k, 1]), world, scratch[0], room[5][REACH])
    if pairs[s, k, 2] > bound * left:
        if pairs[s, k, 2] > bound * left + 2.0 * SKIN:  # it will not rest there, either: see `strikes`
            pairs[s, k, 2] = FAR
        return 0.0
    return bound


@kernel
def meeting(e: int, s: int, k: int, bound: float, left: float, world: World, room: Room, scratch: Scratch) -> float:
    """Return when the bodies of a pair touch and close in, at most at ``bound``; NEVER when they do not in ``left``."""
    ahead, pairs, play, n = scratch[0], scratch[4], room[5], world[0].shape[1]
    a, b, gap = int(pairs[s, k, 0]), int(pairs[s, k, 1]), pairs[s, k, 2]
    t, low, high, touching, clear = 0.0, 0.0, NEVER, play[TOUCHING], False
    for _ in range(SEARCH_ROUNDS):
        xa, ya, ca, sa, vxa, vya, wa = body_at(e, s, a, t, left, world, ahead, play)
        xb, yb, cb, sb, vxb, vyb, wb = body_at(e, s, b, t, left, world, ahead, play)
        gap, nx, ny, qx, qy = pair_gap(a, b, n, xa, ya, ca, sa, xb, yb, cb, sb, room)
        part = parting(qx, qy, nx, ny, xa, ya, vxa, vya, wa, xb, yb, vxb, vyb, wb)
        if b == n and is_top(nx, ny):
            part += ROOF_COS * sb
        if gap <= touching and part < 0.0 and (not clear or gap >= -touching):
            return t
        if gap >= 0.0 or (t == 0.0 and gap >= -touching):
            low, clear = t, True
        elif clear:  # else they overlap from the beginning, and part: they have met before
            high = t
        if part >= 0.0:
            look, turning = min(LOOK * left, WAY / bound), bound * (abs(wa) + abs(wb))
            if look * turning > part:  # who turns may close in again before
                look = max(part / turning, STRIDE * look)
            step = max(gap / bound, look)
        else:
            leash = max(min(LEASH * gap, gap + 0.25 * WAY) / bound, min(STRIDE * left, 0.25 * WAY / bound))
            step = gap / -part if gap < 0.0 else min(gap / -part, leash)
        if t >= left and step >= 0.0 and high == NEVER:
            return NEVER
        t = min(t + step, left)
        if high < NEVER and not low < t < high:
            t = 0.5 * (low + high)
    return low if high < NEVER or abs(gap) <= MET else NEVER


@kernel
def first_meeting(e: int, s: int, count: int, left: float, world: World, room: Room, scratch: Scratch) -> float:
    """Return the time of the first impact; ``left`` when there is none before it."""
    first = left
    for k in range(count):
        bound = chance(e, s, k, left, world, room, scratch)
        if bound > 0.0:
            first = min(first, meeting(e, s, k, bound, left, world, room, scratch))
    return first
