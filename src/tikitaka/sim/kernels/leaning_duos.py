"""Duos, let lean: what `duos` asks for is fetched from the arrays, and what it finds goes back there.

A card does this in two waves, so that the 32 threads of a warp wait less for the slowest of their duos: what has not
settled after SOME rounds goes on in the next wave, among its like. What comes out is the same to the last bit.
"""

from tikitaka.geom.jit import kernel
from tikitaka.sim.kernels.chassis import RADIUS
from tikitaka.sim.kernels.duos import Car, Case, Pulls, Rubber, Speeds, Stand, case_of, set_out, settle
from tikitaka.sim.kernels.impulses import from_mass_centre
from tikitaka.sim.kernels.noting import Flags, note_touch
from tikitaka.sim.kernels.paths import go_straight
from tikitaka.sim.kernels.tables import DUO, KEPT, MEET, SHOVES, WITH, Floats, Robot, Scratch, World
from tikitaka.sim.kernels.treads import ROUNDS, rolls_at

SOME = 8  # of ROUNDS, chosen: six in seven duos at a wall and two in three pairs have settled by then


@kernel
def lean_duo(
    e: int, s: int, i: int, mate: int, left: float, aim: Floats, touched: Flags, world: World, robot: Robot,
    play: Floats, scratch: Scratch,
) -> None:  # fmt: skip
    """Find the velocities of robot i and of the one that it leans on, for the rest of a substep; mate -1: the pitch."""
    case = case_here(e, s, i, mate, left, aim, world, robot, play, scratch[0])
    stand, _ = settle(set_out(e, i, mate, case, world[1]), ROUNDS, case)
    give(e, s, i, mate, left, stand, case, touched, world, robot, scratch)


@kernel
def try_duo(
    e: int, s: int, i: int, mate: int, left: float, aim: Floats, touched: Flags, world: World, robot: Robot,
    play: Floats, scratch: Scratch,
) -> bool:  # fmt: skip
    """Say whether SOME rounds are enough for a duo; if not, `finish_duo` goes on."""
    case = case_here(e, s, i, mate, left, aim, world, robot, play, scratch[0])
    stand, settled = settle(set_out(e, i, mate, case, world[1]), SOME, case)
    if settled:
        give(e, s, i, mate, left, stand, case, touched, world, robot, scratch)
    else:
        keep(s, i, mate, stand, scratch[0])
    return settled


@kernel
def finish_duo(
    e: int, s: int, i: int, mate: int, left: float, aim: Floats, touched: Flags, world: World, robot: Robot,
    play: Floats, scratch: Scratch,
) -> None:  # fmt: skip
    """Find the velocities of a duo that `try_duo` has begun with."""
    case = case_here(e, s, i, mate, left, aim, world, robot, play, scratch[0])
    stand, _ = settle(kept(s, i, mate, scratch[0]), ROUNDS - SOME, case)
    give(e, s, i, mate, left, stand, case, touched, world, robot, scratch)


@kernel
def lean_duos(
    e: int, s: int, left: float, aim: Floats, touched: Flags, world: World, robot: Robot, play: Floats, scratch: Scratch
) -> None:
    """Find the velocities of all duos."""
    for i in range(world[0].shape[1]):
        if scratch[0][s, i, DUO] > 0.0:
            lean_duo(e, s, i, int(scratch[0][s, i, WITH]), left, aim, touched, world, robot, play, scratch)


@kernel
def case_here(
    e: int, s: int, i: int, mate: int, left: float, aim: Floats, world: World, robot: Robot, play: Floats,
    ahead: Floats,
) -> Case:  # fmt: skip
    """Return what is given for robot i and the one that it leans on."""
    meet = (
        ahead[s, i, MEET], ahead[s, i, MEET + 1], ahead[s, i, MEET + 2], ahead[s, i, MEET + 3],
        ahead[s, i, MEET + 4], ahead[s, i, MEET + 5], ahead[s, i, MEET + 6], ahead[s, i, MEET + 7],
    )  # fmt: skip
    return case_of(e, s, i, mate, meet, left, aim, world, robot, play, ahead)


@kernel
def give(
    e: int, s: int, i: int, mate: int, left: float, stand: Stand, case: Case, touched: Flags, world: World,
    robot: Robot, scratch: Scratch,
) -> None:  # fmt: skip
    """Give a duo what was found for it."""
    va, vb, pulls_a, pulls_b, shoves = stand
    give_one(e, s, i, left, vb, pulls_b, case[1], case[7], world, robot[1][1, RADIUS], scratch)
    if mate >= 0:
        give_one(e, s, mate, left, va, pulls_a, case[0], case[7], world, robot[1][1, RADIUS], scratch)
        if shoves[0] + shoves[2] > 0.0:
            note_touch(e, mate, i, touched)


@kernel
def give_one(
    e: int, s: int, i: int, left: float, v: Speeds, pulls: Pulls, one: Car, tyre: Rubber,
    world: World, radius: float, scratch: Scratch,
) -> None:  # fmt: skip
    """Give one of a duo its velocity, path and wheel rates."""
    after, (arm, offset, _, _, soft, most_l, most_r), c, sn = scratch[1], tyre, one[2], one[3]
    vx, vy, omega = from_mass_centre(v[0], v[1], v[2], c, sn, offset)
    go_straight(e, s, i, left, vx, vy, omega, world, scratch)
    u = vx * c + vy * sn
    after[s, i, 0] = rolls_at(u - omega * arm, pulls[0], pulls[1], one[4], soft, most_l) / radius
    after[s, i, 1] = rolls_at(u + omega * arm, pulls[2], pulls[3], one[7], soft, most_r) / radius


@kernel
def keep(s: int, i: int, mate: int, stand: Stand, ahead: Floats) -> None:
    """Keep how a duo stand."""
    va, vb, pulls_a, pulls_b, shoves = stand
    keep_one(s, i, vb, pulls_b, ahead)
    ahead[s, i, SHOVES], ahead[s, i, SHOVES + 1], ahead[s, i, SHOVES + 2], ahead[s, i, SHOVES + 3] = shoves
    if mate >= 0:
        keep_one(s, mate, va, pulls_a, ahead)


@kernel
def keep_one(s: int, i: int, v: Speeds, pulls: Pulls, ahead: Floats) -> None:
    """Keep the velocity of one of a duo, and what its tyres pull."""
    ahead[s, i, KEPT], ahead[s, i, KEPT + 1], ahead[s, i, KEPT + 2] = v
    ahead[s, i, KEPT + 3], ahead[s, i, KEPT + 4], ahead[s, i, KEPT + 5], ahead[s, i, KEPT + 6] = pulls


@kernel
def kept(s: int, i: int, mate: int, ahead: Floats) -> Stand:
    """Return how a duo stood."""
    vb, pulls_b = kept_one(s, i, ahead)
    va, pulls_a = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0)
    if mate >= 0:
        va, pulls_a = kept_one(s, mate, ahead)
    shoves = ahead[s, i, SHOVES], ahead[s, i, SHOVES + 1], ahead[s, i, SHOVES + 2], ahead[s, i, SHOVES + 3]
    return va, vb, pulls_a, pulls_b, shoves


@kernel
def kept_one(s: int, i: int, ahead: Floats) -> tuple[Speeds, Pulls]:
    """Return the velocity and the pulls that were kept."""
    v = ahead[s, i, KEPT], ahead[s, i, KEPT + 1], ahead[s, i, KEPT + 2]
    return v, (ahead[s, i, KEPT + 3], ahead[s, i, KEPT + 4], ahead[s, i, KEPT + 5], ahead[s, i, KEPT + 6])
