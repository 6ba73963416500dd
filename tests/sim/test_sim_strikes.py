"""Who takes part in an impact, and who does not: the kernels that strike, on one world."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pitch_judge import params_of

from tikitaka import sim
from tikitaka.sim.kernels.gaps import pair_gap
from tikitaka.sim.kernels.impacts import first_meeting
from tikitaka.sim.kernels.pairs import list_pairs, may_touch
from tikitaka.sim.kernels.paths import body_now
from tikitaka.sim.kernels.strikes import strike
from tikitaka.sim.kernels.tables import COS, SIN, SKIN, UNTIL, World
from tikitaka.sim.kernels.touching import gather
from tikitaka.types import Floats

FREELY = False  # nobody has to lean
SIDE = 0.075  # [m] of a robot
BALL = (0.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)  # far from everybody

Motion = tuple[float, float, float]


def world_of(poses: list[Motion], velocities: list[Motion], ball: tuple[float, ...]) -> World:
    pose, velocity = np.array([poses]), np.array([velocities])
    return pose, velocity, np.zeros((1, len(poses), 2)), np.array([ball])


def struck(
    poses: list[Motion], velocities: list[Motion], left: float = 1e-4, ball: tuple[float, ...] = BALL
) -> tuple[Floats, Floats]:
    """Return the robots' velocities after the impact that happens at once, and how long what is foreseen holds."""
    params = params_of("mirosot-5v5")
    params = replace(params, robots=len(poses))
    world, fixed = world_of(poses, velocities, ball), params.fixed
    room: Any = fixed[:6]
    robot: Any = fixed[6:8]
    scratch: Any = tuple(np.zeros_like(one) for one in params.scratch)
    ahead, pairs = scratch[0], scratch[4]
    for i, (x, y, theta) in enumerate(poses):
        ahead[0, i, COS], ahead[0, i, SIN] = np.cos(theta), np.sin(theta)
        ahead[0, i, UNTIL] = left
        ahead[0, i, :3], ahead[0, i, 3:6] = np.array((x, y, theta)) + np.array(velocities[i]) * left, velocities[i]
    ahead[0, -1, :8] = ball
    count = list_pairs(0, 0, world, room, pairs, left)
    gather(0, 0, count, left, FREELY, world, room, robot, scratch)
    assert first_meeting(0, 0, count, left, world, room, scratch) == 0.0
    assert strike(0, 0, count, world, room, robot, scratch) > 0
    return world[1][0], ahead[0, : len(poses), UNTIL]


def test_who_rests_within_two_skins_of_a_struck_robot_takes_part_however_little_time_is_left() -> None:
    """Nobody could get from there to here in that time; the impact does."""
    gap, left = 1.8 * SKIN, 1e-4
    row = [(0.0, 0.0, 0.0), (SIDE, 0.0, 0.0), (2.0 * SIDE + gap, 0.0, 0.0)]
    velocity, _ = struck(row, [(1.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)], left)
    assert velocity[2, 0] > 0.1
    assert velocity[1, 0] == pytest.approx(velocity[2, 0])


def test_who_is_more_than_two_skins_away_does_not() -> None:
    gap, left = 2.2 * SKIN, 1e-4
    row = [(0.0, 0.0, 0.0), (SIDE, 0.0, 0.0), (2.0 * SIDE + gap, 0.0, 0.0)]
    velocity, _ = struck(row, [(1.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)], left)
    assert velocity[2, 0] == 0.0
    assert velocity[1, 0] > 0.1


def test_who_hangs_together_with_those_who_meet_takes_part_and_nobody_else() -> None:
    """The fifth meets the fourth, with the others in a row behind it; two more lean on each other elsewhere."""
    row = [(k * (SIDE + 0.5 * SKIN), 0.0, 0.0) for k in range(4)]
    hitter, leaning = (4.0 * SIDE + 1.5 * SKIN, 0.0, 0.0), [(0.0, 0.3, 0.3), (0.1, 0.3, 0.3)]
    leaning[1] = (SIDE * np.cos(0.3) + 0.5 * SKIN, 0.3 + SIDE * np.sin(0.3), 0.3)
    rest, gentle = (0.0, 0.0, 0.0), [(0.0123, 0.001, 0.2), (-0.0017, 0.0003, -0.1)]
    velocities = [rest, rest, rest, rest, (-1.0, 0.0, 0.0), *gentle]
    velocity, until = struck([*row, hitter, *leaning], velocities)
    assert (velocity[:5, 0] < -0.05).all()
    assert (velocity[5:] == gentle).all()
    assert (until[:5] == 0.0).all()
    assert (until[5:] == 1e-4).all()


def test_who_is_about_to_hit_but_not_there_yet_keeps_its_way() -> None:
    """Two meet; a third closes in on the second at 0.5 m/s, a fifth of a skin away."""
    row = [(0.0, 0.0, 0.0), (SIDE, 0.0, 0.0), (2.0 * SIDE + 0.2 * SKIN, 0.0, 0.0)]
    velocity, until = struck(row, [(0.1, 0.0, 0.0), (0.0, 0.0, 0.0), (-0.5, 0.0, 0.0)])
    assert velocity[1, 0] > 0.01
    assert velocity[2].tolist() == [-0.5, 0.0, 0.0]
    assert until.tolist() == [0.0, 0.0, 1e-4]


place = st.tuples(st.floats(-1.2, 1.2), st.floats(-0.7, 0.7), st.floats(-3.2, 3.2))


@settings(deadline=None, max_examples=200)
@given(
    league=st.sampled_from(["mirosot-5v5", "ssl-b"]),
    there=place,
    way=st.tuples(st.floats(0.0, 6.3), st.floats(0.02, 0.3), st.floats(-3.2, 3.2)),
    on_wall=st.booleans(),
)
def test_whose_circles_do_not_touch_are_farther_apart_than_any_skin(
    league: str, there: Motion, way: Motion, on_wall: bool
) -> None:
    params = params_of(league)
    room: Any = params.fixed[:6]
    n = params.robots
    state, ahead = sim.start(params), params.scratch[0].copy()
    pose = state.pose.copy()
    x, y, theta = there
    if on_wall:
        y = params.field.half_width + params.field.margin_y - way[1]
    pose[0], pose[1] = (x, y, theta), (x + way[1] * np.cos(way[0]), y + way[1] * np.sin(way[0]), way[2])
    ahead[0, :n, COS], ahead[0, :n, SIN] = np.cos(pose[:, 2]), np.sin(pose[:, 2])
    ball = np.array([[*pose[1, :2], 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]])
    world = (pose[None], state.velocity[None], state.spin[None], ball)
    for a, b in [(0, 1), (0, n), *((-1 - w, b) for w in range(len(room[0])) for b in (0, 1, n))]:
        xa, ya, ca, sa, *_ = body_now(0, 0, a, world, ahead)
        xb, yb, cb, sb, *_ = body_now(0, 0, b, world, ahead)
        gap = pair_gap(a, b, n, xa, ya, ca, sa, xb, yb, cb, sb, room)[0]
        assert may_touch(0, a, b, world, room) or gap > 2.0 * SKIN
