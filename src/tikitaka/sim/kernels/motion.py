"""A tick of the pitch: commands taken, then substeps, each cut at its impacts.

left    what remains of a substep
marks   see `noting`
"""

import math

from tikitaka.geom.angles import wrap
from tikitaka.geom.jit import kernel
from tikitaka.sim.kernels.chassis import KINEMATIC, cos_sin
from tikitaka.sim.kernels.cruising import Seen, cruise, seen
from tikitaka.sim.kernels.going import go
from tikitaka.sim.kernels.impacts import first_meeting
from tikitaka.sim.kernels.kicking import MAX_SPEED, PULL, dribble, kick
from tikitaka.sim.kernels.leaning import lean
from tikitaka.sim.kernels.noting import Flags, Marks, note
from tikitaka.sim.kernels.overlaps import lift_out, part
from tikitaka.sim.kernels.pairs import list_pairs
from tikitaka.sim.kernels.paths import ball_at
from tikitaka.sim.kernels.strikes import strike
from tikitaka.sim.kernels.tables import (
    BEFORE,
    COS,
    FREE,
    LEANS,
    MARK,
    SIN,
    UNTIL,
    Bins,
    Floats,
    Ints,
    Robot,
    Room,
    Scratch,
    World,
)  # fmt: skip
from tikitaka.sim.kernels.touching import LEAST, gather
from tikitaka.sim.kernels.wheels import creep

Orders = tuple[Floats, Floats, Floats, Flags]  # wheels, kicks, lifts, dribbles

IMPACTS = 60  # rounds of a substep, chosen; in those after them everybody leans, without bouncing
PIECES = 24  # of these, each of LEAST, the last one of what is left


@kernel
def mend(value: float, low: float, high: float) -> tuple[float, int]:
    """Return a command that can be followed, and whether it was another: clamped, or zero where it is no number."""
    if low <= value <= high:
        return value, 0
    if not math.isfinite(value):
        return 0.0, 1
    return (low if value < low else high), 1


@kernel
def set_off(e: int, s: int, i: int, pose: Floats, velocity: Floats, ahead: Floats) -> None:
    """Give a robot on perfect wheels its new velocity at once: the one at the end of its arc, turned back."""
    c, sn = cos_sin(pose[e, i, 2] - ahead[s, i, 2])
    vx, vy = ahead[s, i, 3], ahead[s, i, 4]
    velocity[e, i, 0], velocity[e, i, 1], velocity[e, i, 2] = c * vx - sn * vy, sn * vx + c * vy, ahead[s, i, 5]


@kernel
def foresee(
    e: int, s: int, left: float, anew: bool, aim: Floats, world: World, robot: Robot, scratch: Scratch, play: Floats
) -> None:
    """Write where everybody will be if nobody meets anybody; anew: nothing has been foreseen in this substep."""
    for i in range(world[0].shape[1]):
        if is_known(s, i, left, scratch[0], anew):
            continue
        now, c, sn = seen(e, i, world[0], world[1], world[2], aim), scratch[0][s, i, COS], scratch[0][s, i, SIN]
        if not foresee_cruise(s, i, c, sn, left, now, robot, scratch):
            foresee_rest(e, s, i, left, aim, world, robot, scratch)
    foresee_ball(e, s, left, world[3], scratch[0], play)


@kernel
def is_known(s: int, i: int, left: float, ahead: Floats, anew: bool) -> bool:
    """Say whether it is known where a robot will be: it leans, or nothing has happened to it since it was foreseen."""
    return bool(ahead[s, i, MARK] == LEANS or (not anew and ahead[s, i, UNTIL] == left))


@kernel
def foresee_cruise(s: int, i: int, c: float, sn: float, left: float, now: Seen, robot: Robot, scratch: Scratch) -> bool:
    """Say whether a robot drives as most do, and where it will be is written; c, sn: of its heading."""
    scratch[0][s, i, UNTIL] = left
    return cruise(i, c, sn, now, s, scratch[0], scratch[1], robot[0], robot[1], left)


@kernel
def foresee_rest(
    e: int, s: int, i: int, left: float, aim: Floats, world: World, robot: Robot, scratch: Scratch
) -> None:
    """Write where a robot will be that slips, whose motors change, or whose wheels are perfect."""
    pose, velocity, spin, _ = world
    ahead, after = scratch[0], scratch[1]
    c, sn = ahead[s, i, COS], ahead[s, i, SIN]
    creep(e, i, c, sn, pose, velocity, spin, aim, s, ahead, after, robot[0], robot[1], left)
    if robot[0][KINEMATIC] > 0.0:
        set_off(e, s, i, pose, velocity, ahead)


@kernel
def foresee_ball(e: int, s: int, left: float, ball: Floats, ahead: Floats, play: Floats) -> None:
    """Write where the ball will be if it meets nobody."""
    n = ahead.shape[1] - 1
    leans, ahead[s, n, MARK] = ahead[s, n, MARK], FREE
    gone = ball_at(e, s, left, left, ball, ahead, play)
    ahead[s, n, MARK] = leans
    ahead[s, n, 0], ahead[s, n, 1], ahead[s, n, 2], ahead[s, n, 3] = gone[0], gone[1], gone[2], gone[3]
    ahead[s, n, 4], ahead[s, n, 5], ahead[s, n, 6], ahead[s, n, 7] = gone[4], gone[5], gone[6], gone[7]


@kernel
def remember(e: int, s: int, i: int, world: World, ahead: Floats) -> None:
    """Keep where a body is when a substep begins."""
    pose, ball = world[0], world[3]
    if i < pose.shape[1]:
        x, y, theta = pose[e, i, 0], pose[e, i, 1], pose[e, i, 2]
        ahead[s, i, BEFORE], ahead[s, i, BEFORE + 1], ahead[s, i, BEFORE + 2] = x, y, theta
    else:
        ahead[s, i, BEFORE], ahead[s, i, BEFORE + 1] = ball[e, 0], ball[e, 1]


@kernel
def reach(turn: int, left: float) -> float:
    """Return how far a round may go: a piece of what is left where everybody leans, who would go too far astray."""
    return min(left, LEAST) if IMPACTS <= turn < IMPACTS + PIECES - 1 else left


@kernel
def substep(
    e: int, s: int, count: int, now: float, h: float, aim: Floats, marks: Marks, world: World, room: Room, robot: Robot,
    scratch: Scratch,
) -> bool:  # fmt: skip
    """Move one world by h, cut at every impact; say whether pairs are to be listed anew, as after an impact."""
    n, left, begun, any_struck = world[0].shape[1], h, h, False
    for i in range(n + 1):
        remember(e, s, i, world, scratch[0])
    for turn in range(IMPACTS + PIECES):
        all_lean = turn >= IMPACTS
        lasting, found, cut = gather(e, s, count, reach(turn, left), all_lean, world, room, robot, scratch)
        foresee(e, s, cut, turn == 0, aim, world, robot, scratch, room[5])
        if lasting:
            lean(e, s, found, cut, aim, marks, world, room, robot, scratch)
        t = cut if all_lean else first_meeting(e, s, count, cut, world, room, scratch)
        go(e, s, t, cut, world, scratch, room[5])
        left -= t
        over, anew = left <= 0.0, False
        if over or t == cut:  # the end, or a piece of those that lean
            if count > 0:
                count, anew = part(e, s, count, begun - left, world, room, robot, scratch)
            any_struck = any_struck or anew
            if over:
                break
            begun = left
            for i in range(n + 1):
                remember(e, s, i, world, scratch[0])
        else:
            any_struck = anew = True
            struck = strike(e, s, count, world, room, robot, scratch)
            note(e, s, struck, now + h - left, n, scratch[2], marks)
        if anew:
            count = list_pairs(e, s, world, room, scratch[4], left)
    if world[3][e, 4] > 0.0:
        lift_out(e, s, count, world, room, scratch)
    return any_struck


@kernel
def take_commands(e: int, i: int, wheels: Floats, kicks: Floats, lifts: Floats, limits: Floats) -> int:
    """Return how many commands of a robot had to be mended, in place."""
    kick, bad = mend(kicks[e, i], 0.0, limits[3])
    lift, worse = mend(lifts[e, i], 0.0, limits[4])
    mended = bad + worse
    for k in range(wheels.shape[2]):
        rate, bad = mend(wheels[e, i, k], -limits[2], limits[2])
        mended += bad
        if bad > 0:
            wheels[e, i, k] = rate
    if mended > 0:
        kicks[e, i], lifts[e, i] = kick, lift
    return mended


@kernel
def forget_touches(e: int, i: int, touched: Flags) -> None:
    """Note that a robot has touched nobody yet."""
    for j in range(touched.shape[1]):
        touched[e, i, j] = 0


@kernel
def handle(
    e: int, h: float, kicks: Floats, lifts: Floats, dribbles: Flags, charge: Floats, world: World, gear: Floats,
    counts: Ints,
) -> bool:  # fmt: skip
    """Say whether the ball was kicked, after kickers kicked and dribblers pulled; who did has touched it last."""
    pose, velocity, _, ball = world
    kicked = False
    if gear[MAX_SPEED] == 0.0 and gear[PULL] == 0.0:
        return kicked
    for i in range(pose.shape[1]):
        if dribbles[e, i] and dribble(e, i, pose, velocity, ball, gear, h):
            counts[e, 1] = i
        if kick(e, i, pose, velocity, ball, charge, kicks[e, i], lifts[e, i], gear, h):
            counts[e, 1], kicked = i, True
    return kicked


@kernel
def step(
    e: int, s: int,
    pose: Floats, velocity: Floats, spin: Floats, ball: Floats, charge: Floats,
    touched: Flags, hits: Floats, counts: Ints,
    wheels: Floats, kicks: Floats, lifts: Floats, dribbles: Flags,
    boards: Floats, edges: Floats, hull: Floats, rim: Floats, bins: Bins, play: Floats, chassis: Floats, axles: Floats,
    limits: Floats, ahead: Floats, after: Floats, rows: Floats, manifold: Floats, pairs: Floats,
) -> None:  # fmt: skip
    """Move world e on by one tick; ``limits`` are its length, number of substeps, and largest commands."""
    world = (pose, velocity, spin, ball)
    room = (boards, edges, hull, rim, bins, play)
    robot = (chassis, axles)
    scratch, marks = (ahead, after, rows, manifold, pairs), (charge, touched, hits, counts)
    h = limits[0] / limits[1]
    counts[e, 0] = 0
    for i in range(pose.shape[1]):
        counts[e, 2] += take_commands(e, i, wheels, kicks, lifts, limits)
        ahead[s, i, COS], ahead[s, i, SIN] = cos_sin(pose[e, i, 2])
        forget_touches(e, i, touched)
    count, now, anew = 0, 0.0, True
    for _ in range(int(limits[1])):
        kicked = handle(e, h, kicks, lifts, dribbles, charge, world, play, counts)
        if anew or kicked:  # who may meet whom for the rest of the tick, unless somebody is sent another way
            count = list_pairs(e, s, world, room, pairs, limits[0] - now)
        anew = substep(e, s, count, now, h, wheels, marks, world, room, robot, scratch)
        now += h
    for i in range(pose.shape[1]):
        pose[e, i, 2] = wrap(pose[e, i, 2])
