"""Duos: robots that lean on nobody else are worked out alone, as exactly as all together are."""

from typing import cast

import numpy as np
from pitch_judge import params_of

from tikitaka import sim
from tikitaka.sim import arrays, scenes
from tikitaka.sim.kernels import duos, islands, leaning, touching
from tikitaka.sim.kernels.pairs import list_pairs
from tikitaka.sim.kernels.tables import COS, DUO, LEANER, MEET, PARTED, SIN, SPEED, TIES, Scratch
from tikitaka.types import Commands, Floats

PARAMS = params_of("mirosot-5v5")
FIELD, N = PARAMS.field, PARAMS.robots
HALF = 0.0375  # [m] of a robot
LEFT = 1.0 / 180.0  # [s] a substep
FREELY = False  # not the last round of a substep, in which all lean
NEAR = 4e-5  # [m] gap: within the skin


class Desk:
    """The kernels' arrays for one moment of the pitch."""

    def __init__(self, pose: Floats, velocity: Floats, wheels: Floats, spin: Floats) -> None:
        state = scenes.line_up(PARAMS)
        self.world = (pose[None], velocity[None], spin[None], state.ball[None].copy())
        boards, edges, hull, rim, bins, play, chassis, axles, _ = PARAMS.fixed
        self.room, self.robot = (boards, edges, hull, rim, bins, play), (chassis, axles)
        self.scratch, self.aim = cast(Scratch, arrays.made(arrays.scratch(PARAMS, 1))), wheels[None]
        self.ahead = self.scratch[0]
        self.ahead[0, :N, COS], self.ahead[0, :N, SIN] = np.cos(pose[:, 2]), np.sin(pose[:, 2])
        self.count = list_pairs(0, 0, self.world, self.room, self.scratch[4], LEFT)

    def gather(self) -> tuple[bool, int, float]:
        return touching.gather(0, 0, self.count, LEFT, FREELY, self.world, self.room, self.robot, self.scratch)

    def duos(self) -> list[int]:
        """Return who are in duos."""
        self.gather()
        return np.flatnonzero(self.ahead[0, :N, DUO]).tolist()


def parked() -> Floats:
    """Return poses of all robots, far from one another and from all walls."""
    x, y = np.meshgrid(np.linspace(-0.8, 0.8, N // 2), (-0.3, 0.3))
    return np.stack((x.ravel(), y.ravel(), np.zeros(N)), axis=1)


def at_wall(angle: float = 0.0) -> Floats:
    """Return the same with robot 0 at the upper wall."""
    pose, reach = parked(), HALF * (abs(np.cos(angle)) + abs(np.sin(angle)))
    pose[0] = (-0.4, FIELD.half_width - reach - NEAR, angle)
    return pose


def face_to_face() -> Floats:
    """Return the same with robots 0 and 1 at each other."""
    pose = parked()
    pose[0], pose[1] = (0.0, 0.6, 0.0), (2.0 * HALF + NEAR, 0.61, 0.0)
    return pose


def desk(pose: Floats) -> Desk:
    return Desk(pose, np.zeros((N, 3)), np.zeros((N, 2)), np.zeros((N, 2)))


def test_a_robot_at_a_wall_and_two_at_each_other_are_duos() -> None:
    assert desk(parked()).duos() == []
    assert desk(at_wall()).duos() == [0]
    assert desk(face_to_face()).duos() == [0, 1]


def test_who_touches_two_or_the_ball_or_has_just_bounced_is_no_duo() -> None:
    chain, corner, beside, bounced = face_to_face(), at_wall(), desk(at_wall()), desk(at_wall())
    chain[2] = (-2.0 * HALF - NEAR, 0.6, 0.0)
    assert desk(chain).duos() == []
    corner[0, 1] = FIELD.half_width - HALF - NEAR
    corner[1] = (corner[0, 0] + 2.0 * HALF + NEAR, corner[0, 1], 0.0)
    assert desk(corner).duos() == []
    beside.world[3][0, :2] = (-0.4 - HALF - PARAMS.ball.radius - NEAR, FIELD.half_width - HALF - NEAR)
    beside.count = list_pairs(0, 0, beside.world, beside.room, beside.scratch[4], LEFT)
    assert beside.duos() == []
    assert bounced.duos() == [0]
    wall = int(bounced.scratch[4][0, 0, 0])
    bounced.ahead[0, 0, PARTED] = 1.0
    assert not islands.is_duo(0, wall, 0, bounced.ahead, bounced.robot[0])


def pushed(seed: int) -> Desk:
    """Return robots that touch, with speeds and commands at random; every other time two of them, else one."""
    random = np.random.default_rng(seed)
    pose = face_to_face() if seed % 2 else at_wall(random.choice((0.0, 0.01, 0.7, np.pi / 2)))
    velocity = np.zeros((N, 3))
    velocity[:2] = random.uniform(-0.015, 0.015, (2, 3)) * (1.0, 1.0, 10.0)
    spin = velocity[:, :1] / PARAMS.robot.drive.wheel_radius * np.ones((N, 2))
    return Desk(pose, velocity, random.uniform(-60.0, 60.0, (N, 2)), spin)


def alone(desk: Desk, left: float) -> Floats:
    """Return the mass centres' velocities of robot 0, or of 0 and 1, as a duo."""
    last = int(np.flatnonzero(desk.ahead[0, :N, DUO] > 0.0)[0])
    meet = tuple(desk.ahead[0, last, MEET : MEET + 8].tolist())
    found = duos.work_out(
        0, 0, last, last - 1, meet, left, desk.aim, desk.world, desk.robot, desk.room[5], desk.ahead
    )  # fmt: skip
    return np.array(found[:2] if last else found[1:2])


def together(desk: Desk, left: float) -> Floats:
    """Return the same as of a crowd, swept until nothing changes."""
    desk.ahead[0, :, TIES] = 2.0
    found, cut = touching.collect(0, 0, desk.count, LEFT, FREELY, desk.world, desk.room, desk.robot, desk.scratch)
    assert cut == left
    desk.ahead[0, :, DUO] = 0.0
    leaning.begin(0, 0, left, desk.aim, desk.world, desk.robot, desk.scratch)
    for _ in range(40):
        leaning.settle(0, found, desk.ahead, desk.scratch[2], desk.room, desk.robot)
    return desk.ahead[0, : int(desk.ahead[0, N, LEANER]), SPEED : SPEED + 3].copy()


def test_a_duo_settles_where_all_together_do() -> None:
    missed = []
    for seed in range(200):
        one = pushed(seed)
        lasting, crowd, left = one.gather()
        if lasting and crowd == 0:
            found, wanted = alone(one, left), together(one, left)
            missed.append(np.abs((found - wanted) * (1.0, 1.0, HALF)).max())
    assert len(missed) > 100
    assert np.median(missed) < 3e-5
    assert max(missed) < 3e-3


def test_a_duo_moves_the_same_to_the_last_bit_whatever_others_do() -> None:
    """All were swept until the last had settled, so that a pile at one end changed who leaned at the other."""
    pose, wheels = face_to_face(), np.zeros((N, 2))
    wheels[0], wheels[1] = (30.0, 20.0), (-25.0, -30.0)
    lone = sim.place(scenes.line_up(PARAMS), pose, np.array((0.5, -0.5)))
    for k in range(3):
        pose[2 + k] = (0.6 + (2.0 * HALF + NEAR) * (k - 1), -0.7, 0.0)
        wheels[2 + k] = 10.0 - 10.0 * k
    crowded = sim.place(scenes.line_up(PARAMS), pose, np.array((0.5, -0.5)))
    commands, touched = Commands(wheels, np.zeros(N), np.zeros(N, np.bool_)), False
    for _ in range(15):
        lone, crowded = sim.step(PARAMS, lone, commands), sim.step(PARAMS, crowded, commands)
        touched = touched or bool(crowded.touched[2, 3] and crowded.touched[3, 4])
        assert len(crowded.hits) == 0  # that would cut the substep of all
        assert (lone.pose[:2] == crowded.pose[:2]).all()
        assert (lone.velocity[:2] == crowded.velocity[:2]).all()
    assert touched
    assert lone.touched[0, 1]


def test_motors_cannot_move_a_robot_that_its_tyres_and_a_wall_hold() -> None:
    """In a minute; it crept by 0.3 mm when a round was judged by what each tyre and contact changed."""
    pose, wheels = at_wall(np.pi / 2), np.zeros((N, 2))
    wheels[0] = 20.0
    state = sim.place(scenes.line_up(PARAMS), pose, np.array((0.5, -0.5)))
    commands = Commands(wheels, np.zeros(N), np.zeros(N, np.bool_))
    for _ in range(30):
        state = sim.step(PARAMS, state, commands)
    before = state.pose[0].copy()
    for _ in range(1800):
        state = sim.step(PARAMS, state, commands)
    assert np.abs(state.pose[0] - before)[:2].max() < 1e-4
    assert abs(state.pose[0, 2] - before[2]) < 1e-3
