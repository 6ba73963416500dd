"""The guard at the end of a substep or a piece of it: what overlap is left is pushed out, or the motion taken back."""

from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import norm
from tikitaka.sim.kernels.chassis import INV_MASS, cos_sin
from tikitaka.sim.kernels.contacts import add_rows
from tikitaka.sim.kernels.gaps import pair_gap, rim_gap
from tikitaka.sim.kernels.impacts import FAR
from tikitaka.sim.kernels.kicking import HEIGHT, INV_BALL, RADIUS, ROOF_COS, top_gap
from tikitaka.sim.kernels.pairs import MARGIN, bit, list_pairs, list_within, may_touch
from tikitaka.sim.kernels.paths import body_now
from tikitaka.sim.kernels.tables import (
    BEFORE,
    COS,
    GAP,
    LEANS,
    MARK,
    NX,
    NY,
    REACH,
    SIN,
    TOUCHING,
    A,
    B,
    Bins,
    Floats,
    Robot,
    Room,
    Scratch,
    World,
)

PUSH_ROUNDS = 8
ROOM = 1e-6  # [m] chosen of five: between those pushed apart; with more robots in a pile shake to and fro
BALL_ROUNDS = 3  # chosen: for so long a ball between robots gives way, as the lightest
NOBODY, EVERYBODY = 0, -1  # moved: a bit for each body


@kernel
def find_overlaps(
    e: int, s: int, count: int, moved: int, world: World, room: Room, robot: Robot, scratch: Scratch
) -> int:
    """Return how many contacts overlap: of pairs in which somebody is ``moved``; if nobody is, of those not FAR."""
    pairs, found, near = scratch[4], min(count, 0), -room[5][TOUCHING]
    k = next_asked(e, s, found, count, moved, world, room, pairs)
    while k < count:
        a, b = int(pairs[s, k, 0]), int(pairs[s, k, 1])
        found = add_rows(e, s, found, a, b, near, world, room, robot, scratch)
        k = next_asked(e, s, k + 1, count, moved, world, room, pairs)
    return found


@kernel
def next_asked(e: int, s: int, k: int, count: int, moved: int, world: World, room: Room, pairs: Floats) -> int:
    """Return the first pair from k on that may overlap, ``count`` where there is none; see `strikes.next_near`."""
    while k < count:
        a, b = int(pairs[s, k, 0]), int(pairs[s, k, 1])
        asked = (moved == NOBODY and pairs[s, k, 2] != FAR) or moved & (bit(a) | bit(b)) != 0
        if asked and may_touch(e, a, b, world, room):
            return k
        k += 1
    return k


@kernel
def may_overlap(e: int, s: int, k: int, world: World, room: Room, scratch: Scratch) -> bool:
    """Say whether `find_overlaps` may find a pair: no contact of two bodies has a smaller gap than they."""
    ahead, pairs, n = scratch[0], scratch[4], world[0].shape[1]
    if pairs[s, k, 2] == FAR:
        return False
    a, b = int(pairs[s, k, 0]), int(pairs[s, k, 1])
    xa, ya, ca, sa, _, _, _ = body_now(e, s, a, world, ahead)
    xb, yb, cb, sb, _, _, _ = body_now(e, s, b, world, ahead)
    return pair_gap(a, b, n, xa, ya, ca, sa, xb, yb, cb, sb, room)[0] < 0.0


@kernel
def part(
    e: int, s: int, count: int, h: float, world: World, room: Room, robot: Robot, scratch: Scratch
) -> tuple[int, bool]:
    """Return how many pairs are listed, and whether these are others now, after an overlap was made to end.

    After a time h bodies are pushed apart, or their turn is taken back, or all their motion.
    """
    free, jammed, others = False, False, False
    for turn in range(2):
        free, jammed = push_apart(e, s, count, world, room, robot, scratch)
        if free or turn > 0:
            break
        count, others = list_back(e, s, world, room, scratch), True
        if not turn_back(e, s, count, world, room, robot, scratch):
            break
    jammed = jammed or others
    if not free:
        undo(e, s, count, world, room, robot, scratch)
    if jammed:
        slow_down(e, s, h, world, scratch[0])
    return count, others


@kernel
def list_back(e: int, s: int, world: World, room: Room, scratch: Scratch) -> int:
    """Return how many pairs there are of bodies that may overlap where any of them was when the substep began."""
    pose, ball, ahead, play, n = world[0], world[3], scratch[0], room[5], world[0].shape[1]
    most = norm(ball[e, 0] - ahead[s, n, BEFORE], ball[e, 1] - ahead[s, n, BEFORE + 1])
    for i in range(n):
        most = max(most, norm(pose[e, i, 0] - ahead[s, i, BEFORE], pose[e, i, 1] - ahead[s, i, BEFORE + 1]))
    far = play[REACH] + 2.0 * most + MARGIN
    count = list_within(e, s, world, room, scratch[4], far + play[REACH], far + play[RADIUS], 0.0)
    for k in range(count):
        scratch[4][s, k, 2] = 0.0  # none is FAR
    return count


@kernel
def slow_down(e: int, s: int, h: float, world: World, ahead: Floats) -> None:
    """Take from the velocity of robots that lean the way that was taken from them, if that makes them slower.

    Else a wedged robot would keep a speed that takes it nowhere.
    """
    pose, velocity = world[0], world[1]
    for i in range(pose.shape[1]):
        if ahead[s, i, MARK] != LEANS:
            continue
        vx, vy = velocity[e, i, 0], velocity[e, i, 1]
        ux, uy = vx + (pose[e, i, 0] - ahead[s, i, 0]) / h, vy + (pose[e, i, 1] - ahead[s, i, 1]) / h
        if ux * ux + uy * uy < vx * vx + vy * vy:
            velocity[e, i, 0], velocity[e, i, 1] = ux, uy


@kernel
def shift(e: int, who: int, dx: float, dy: float, pose: Floats, ball: Floats) -> None:
    """Move a body."""
    if who == pose.shape[1]:
        ball[e, 0] += dx
        ball[e, 1] += dy
    elif who >= 0:
        pose[e, who, 0] += dx
        pose[e, who, 1] += dy


@kernel
def push_apart(
    e: int, s: int, count: int, world: World, room: Room, robot: Robot, scratch: Scratch
) -> tuple[bool, bool]:
    """Say whether no overlap is left after moving bodies apart, and whether they are jammed.

    They are jammed where a wall pushed any of them. Light bodies move further. But a ball that a wall has pushed, or
    that robots push to and fro, gives way to no robot any more: they hardly move for a light ball, so that no room
    would be found, and they would be taken back for ever.
    """
    pose, ball, rows, n, held, jammed = world[0], world[3], scratch[2], world[0].shape[1], False, False
    moved = min(count, NOBODY)
    for turn in range(PUSH_ROUNDS):
        found = find_overlaps(e, s, count, moved, world, room, robot, scratch)
        if found == 0:
            return True, jammed
        for k in range(found):
            a, b, nx, ny = int(rows[s, k, A]), int(rows[s, k, B]), rows[s, k, NX], rows[s, k, NY]
            moved |= bit(a) | bit(b)
            jammed = jammed or a < 0
            held = held or turn >= BALL_ROUNDS or (a < 0 and b == n)
            wa = 0.0 if a < 0 else robot[0][INV_MASS]
            wb = robot[0][INV_MASS] if b < n else 0.0 if held and a >= 0 else room[5][INV_BALL]
            step = (ROOM - rows[s, k, GAP]) / (wa + wb)
            shift(e, a, -step * wa * nx, -step * wa * ny, pose, ball)
            shift(e, b, step * wb * nx, step * wb * ny, pose, ball)
    return False, jammed


@kernel
def lift_out(e: int, s: int, count: int, world: World, room: Room, scratch: Scratch) -> None:
    """Raise a ball that has sunk into the top of a robot."""
    pose, ball, ahead, pairs, n = world[0], world[3], scratch[0], scratch[4], world[0].shape[1]
    for k in range(count):
        i = int(pairs[s, k, 0])
        if pairs[s, k, 1] < n or i < 0 or ball[e, 4] <= 0.0:
            continue
        c, sn = ahead[s, i, COS], ahead[s, i, SIN]
        gap = rim_gap(pose[e, i, 0], pose[e, i, 1], c, sn, ball[e, 0], ball[e, 1], room)[0]
        gap, over = top_gap(gap, ball[e, 4], room[5][HEIGHT])
        if over and gap < 0.0:
            ball[e, 4] -= gap / ROOF_COS


@kernel
def restore(e: int, s: int, who: int, world: World, ahead: Floats) -> None:
    """Put a body back where the substep found it, at rest."""
    pose, velocity, ball = world[0], world[1], world[3]
    if who == pose.shape[1]:
        ball[e, 0], ball[e, 1], ball[e, 2], ball[e, 3] = ahead[s, who, BEFORE], ahead[s, who, BEFORE + 1], 0.0, 0.0
        ball[e, 6], ball[e, 7] = 0.0, 0.0
    elif who >= 0:
        x, y, theta = ahead[s, who, BEFORE], ahead[s, who, BEFORE + 1], ahead[s, who, BEFORE + 2]
        pose[e, who, 0], pose[e, who, 1], pose[e, who, 2] = x, y, theta
        velocity[e, who, 0], velocity[e, who, 1], velocity[e, who, 2] = 0.0, 0.0, 0.0
        ahead[s, who, COS], ahead[s, who, SIN] = cos_sin(pose[e, who, 2])


@kernel
def turn_back(e: int, s: int, count: int, world: World, room: Room, robot: Robot, scratch: Scratch) -> bool:
    """Say whether any robot that still overlaps has turned; if so give it its first heading back, and no turn."""
    pose, velocity, rows, ahead, turned = world[0], world[1], scratch[2], scratch[0], False
    for k in range(find_overlaps(e, s, count, EVERYBODY, world, room, robot, scratch)):
        for q in range(2):
            who = int(rows[s, k, A + q])
            if 0 <= who < pose.shape[1] and pose[e, who, 2] != ahead[s, who, BEFORE + 2]:
                pose[e, who, 2] = ahead[s, who, BEFORE + 2]
                velocity[e, who, 0], velocity[e, who, 1], velocity[e, who, 2] = 0.0, 0.0, 0.0
                ahead[s, who, COS], ahead[s, who, SIN] = cos_sin(pose[e, who, 2])
                turned = True
    return turned


@kernel
def undo(e: int, s: int, count: int, world: World, room: Room, robot: Robot, scratch: Scratch) -> None:
    """Take back the motion of bodies that still overlap, and of those that then do.

    The places at the start had no overlap, so this ends with none: at the worst with nobody moved.
    """
    rows = scratch[2]
    for _ in range(world[0].shape[1] + 2):
        found = find_overlaps(e, s, count, EVERYBODY, world, room, robot, scratch)
        if found == 0:
            return
        for k in range(found):
            restore(e, s, int(rows[s, k, A]), world, scratch[0])
            restore(e, s, int(rows[s, k, B]), world, scratch[0])


@kernel
def closest(
    e: int, s: int, pose: Floats, velocity: Floats, spin: Floats, ball: Floats, boards: Floats, edges: Floats,
    hull: Floats, rim: Floats, bins: Bins, play: Floats, ahead: Floats, pairs: Floats,
) -> tuple[int, int, float]:  # fmt: skip
    """Return the two bodies with the smallest gap, and the gap; who is far from everything has none."""
    world, room, n = (pose, velocity, spin, ball), (boards, edges, hull, rim, bins, play), pose.shape[1]
    for i in range(n):
        ahead[s, i, COS], ahead[s, i, SIN] = cos_sin(pose[e, i, 2])
    first, second, least = 0, 0, FAR
    for k in range(list_pairs(e, s, world, room, pairs, 0.0)):
        a, b = int(pairs[s, k, 0]), int(pairs[s, k, 1])
        xa, ya, ca, sa, _, _, _ = body_now(e, s, a, world, ahead)
        xb, yb, cb, sb, _, _, _ = body_now(e, s, b, world, ahead)
        gap = pair_gap(a, b, n, xa, ya, ca, sa, xb, yb, cb, sb, room)[0]
        if gap < least:
            first, second, least = a, b, gap
    return first, second, least
