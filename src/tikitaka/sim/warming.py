"""Compiling parts of the pitch's kernels ahead, so that two processes can share the work."""

from tikitaka.sim.kernels import impacts, motion, overlaps
from tikitaka.sim.kernels.tables import Robot, Room, Scratch, World
from tikitaka.sim.params import Params
from tikitaka.sim.pitch import start


def compile_wheels(params: Params) -> None:
    """Compile what moves robots and ball while they meet nothing."""
    world, room, robot, scratch = _arrays(params)
    motion.foresee(0, 0, params.dt, world[2].copy(), world, robot, scratch, room[5])


def compile_contacts(params: Params) -> None:
    """Compile what happens when they meet."""
    impacts.strike(0, 0, 0, *_arrays(params))
    overlaps.push_apart(0, 0, 0, *_arrays(params))


def _arrays(params: Params) -> tuple[World, Room, Robot, Scratch]:
    """Return an empty pitch as the kernels share it out."""
    state = start(params)
    world = (state.pose[None], state.velocity[None], state.spin[None], state.ball[None])
    boards, edges, hull, rim, bins, play, chassis, axles, _ = params.fixed
    ahead, after, rows, manifold, pairs = params.scratch
    return world, (boards, edges, hull, rim, bins, play), (chassis, axles), (ahead, after, rows, manifold, pairs)
