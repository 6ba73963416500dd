"""Duos: robots that lean on nobody else are worked out alone, as exactly as all together are."""

from typing import cast

import numpy as np
import pytest
from cuda_twin import leaning as leaning_poses
from pitch_judge import params_of

from tikitaka import sim
from tikitaka.sim import arrays, scenes
from tikitaka.sim.kernels import duos, leaning, leaning_duos, touching
from tikitaka.sim.kernels.impacts import NEVER
from tikitaka.sim.kernels.pairs import list_pairs
from tikitaka.sim.kernels.tables import (
    BEGAN,
    COS,
    DUO,
    FLOOR,
    GAP,
    LEANER,
    MEET,
    PARTED,
    SIN,
    SPEED,
    TIES,
    WITH,
    Scratch,
)
from tikitaka.sim.kernels.touching import LEAST
from tikitaka.sim.kernels.treads import ROUNDS
from tikitaka.sim.params import MAX_SUBSTEP
from tikitaka.types import Commands, Floats

PARAMS = params_of("mirosot-5v5")
FIELD, N = PARAMS.field, PARAMS.robots
HALF = 0.0375  # [m] of a robot
LEFT = MAX_SUBSTEP
FREELY = False  # not the last round of a substep, in which all lean
NEAR = 4e-5  # [m] gap: within the skin


class Desk:
    """The kernels' arrays for one moment of the pitch."""

    def __init__(
        self, pose: Floats, velocity: Floats, wheels: Floats, spin: Floats, params: sim.Params = PARAMS
    ) -> None:
        state, self.n = scenes.line_up(params), params.robots
        self.world = (pose[None], velocity[None], spin[None], state.ball[None].copy())
        boards, edges, hull, rim, bins, play, chassis, axles, _ = params.fixed
        self.room, self.robot = (boards, edges, hull, rim, bins, play), (chassis, axles)
        self.scratch, self.aim = cast(Scratch, arrays.made(arrays.scratch(params, 1))), wheels[None]
        self.ahead = self.scratch[0]
        self.ahead[0, : self.n, COS], self.ahead[0, : self.n, SIN] = np.cos(pose[:, 2]), np.sin(pose[:, 2])
        self.count = list_pairs(0, 0, self.world, self.room, self.scratch[4], LEFT)

    def gather(self) -> tuple[bool, int, float]:
        return touching.gather(0, 0, self.count, LEFT, FREELY, self.world, self.room, self.robot, self.scratch)

    def duos(self) -> list[int]:
        """Return who are in duos."""
        self.gather()
        return np.flatnonzero(self.ahead[0, : self.n, DUO]).tolist()


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


def desk(pose: Floats, name: str = "mirosot-5v5") -> Desk:
    params = params_of(name)
    still = np.zeros((params.robots, len(params.robot.drive.wheels)))
    return Desk(pose, np.zeros((params.robots, 3)), still, still, params)


def test_a_robot_at_a_wall_and_two_at_each_other_are_duos() -> None:
    assert desk(parked()).duos() == []
    assert desk(at_wall()).duos() == [0]
    assert desk(face_to_face()).duos() == [0, 1]


def test_who_touches_two_or_the_ball_is_no_duo() -> None:
    chain, corner, beside = face_to_face(), at_wall(), desk(at_wall())
    chain[2] = (-2.0 * HALF - NEAR, 0.6, 0.0)
    assert desk(chain).duos() == []
    corner[1] = (corner[0, 0] + 2.0 * HALF + NEAR, corner[0, 1], 0.0)
    assert desk(corner).duos() == []
    beside.world[3][0, :2] = (-0.4 - HALF - PARAMS.ball.radius - NEAR, FIELD.half_width - HALF - NEAR)
    beside.count = list_pairs(0, 0, beside.world, beside.room, beside.scratch[4], LEFT)
    assert beside.duos() == []


def test_who_has_just_bounced_off_somebody_is_no_duo() -> None:
    """Robot 0 is at the wall, robot 1 leaves it at 5 cm/s."""
    pose, parting = at_wall(), np.zeros((N, 3))
    pose[1] = (pose[0, 0] + 2.0 * HALF + 5e-7, pose[0, 1] - 0.02, 0.0)
    parting[1, 0] = 0.05
    one = Desk(pose, parting, np.zeros((N, 2)), np.zeros((N, 2)))
    assert one.duos() == []
    assert one.ahead[0, 0, PARTED] == one.ahead[0, 1, PARTED] == 1.0
    pose[1, 0] += 1e-5
    assert Desk(pose, parting, np.zeros((N, 2)), np.zeros((N, 2))).duos() == [0]


@pytest.mark.parametrize(("omega", "cut"), [(2.0, LEFT), (10.0, 0.005), (30.0, 0.05 / 30.0), (100.0, LEAST)])
def test_robots_that_turn_as_one_are_looked_at_again_after_a_twentieth_of_a_radian(omega: float, cut: float) -> None:
    pose, velocity = face_to_face(), np.zeros((N, 3))
    middle = 0.5 * (pose[0, :2] + pose[1, :2])
    velocity[:2, 0], velocity[:2, 1] = omega * (middle[1] - pose[:2, 1]), omega * (pose[:2, 0] - middle[0])
    velocity[:2, 2] = omega
    lasting, _, found = Desk(pose, velocity, np.zeros((N, 2)), np.zeros((N, 2))).gather()
    assert lasting
    assert found == pytest.approx(cut)


def test_robots_without_tyres_have_no_duos() -> None:
    params = params_of("ssl-b")
    pose = np.stack((np.linspace(-3.0, 3.0, params.robots), np.zeros(params.robots), np.zeros(params.robots)), axis=1)
    f = params.field
    pose[0, 1] = f.half_width + f.margin_y - params.robot.outline.radius - NEAR
    one = desk(pose, "ssl-b")
    assert one.duos() == []
    assert one.ahead[0, 0, TIES] == 1.0


def test_what_a_card_is_compared_with_has_duos_of_each_kind_and_a_crowd() -> None:
    kinds, crowded = set[tuple[bool, bool]](), 0
    for pose in leaning_poses():
        one = desk(pose, "vsss-3v3")
        _, crowd, _ = one.gather()
        crowded += crowd > 0
        lasts = [i for i in range(one.n) if one.ahead[0, i, DUO] > 0.0]
        kinds |= {(bool(one.ahead[0, i, WITH] >= 0.0), bool(one.ahead[0, i, MEET + 3] < NEVER)) for i in lasts}
    assert len(kinds) == 4
    assert crowded == 1


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
    mate = last - 1  # the other robot, or the pitch
    case = leaning_duos.case_here(
        0, 0, last, mate, left, desk.aim, desk.world, desk.robot, desk.room[5], desk.ahead
    )  # fmt: skip
    found, _ = duos.settle(duos.set_out(0, last, mate, case, desk.world[1]), ROUNDS, case)
    return np.array(found[:2] if last else found[1:2])


def together(desk: Desk, left: float) -> Floats:
    """Return the same as of a crowd, swept until nothing changes."""
    desk.ahead[0, :, TIES] = 2.0
    found, cut = touching.collect(0, 0, desk.count, LEFT, FREELY, desk.world, desk.room, desk.robot, desk.scratch)
    assert cut == min(left, touching.SHORT)
    for row in desk.scratch[2][0, :found]:
        row[FLOOR] = duos.floor_of(row[GAP], left)
    desk.ahead[0, :, DUO] = 0.0
    leaning.begin(0, 0, left, desk.aim, desk.world, desk.robot, desk.scratch)
    for _ in range(400):
        before = desk.ahead[0, :, SPEED : SPEED + 3].copy()
        leaning.settle(0, found, desk.ahead, desk.scratch[2], desk.room, desk.robot)
    assert np.abs(desk.ahead[0, :, SPEED : SPEED + 3] - before).max() < 1e-4
    leaning.finish(0, 0, left, desk.world, desk.robot, desk.scratch)
    return desk.ahead[0, : int(desk.ahead[0, N, LEANER]), SPEED : SPEED + 3].copy()


def test_a_duo_settles_where_all_together_do() -> None:
    missed: tuple[list[float], list[float]] = ([], [])
    for seed in range(200):
        one = pushed(seed)
        lasting, crowd, left = one.gather()
        if lasting and crowd == 0:
            found, wanted = alone(one, left), together(one, left)
            missed[seed % 2].append(np.abs((found - wanted) * (1.0, 1.0, HALF)).max())
    for walls_or_pairs in missed:
        assert len(walls_or_pairs) > 40
        assert np.median(walls_or_pairs) < 4e-5
        assert max(walls_or_pairs) < 1e-3


def test_a_duo_is_left_with_the_path_and_the_wheels_that_all_together_have() -> None:
    differs = []
    for seed in range(60):
        one, other = pushed(seed), pushed(seed)
        lasting, crowd, left = one.gather()
        other.gather()
        if lasting and crowd == 0:
            touched = np.zeros((1, N, N), np.uint8)
            leaning_duos.lean_duos(0, 0, left, one.aim, touched, one.world, one.robot, one.room[5], one.scratch)
            together(other, left)
            assert touched[0, 0, 1] == (seed % 2 and one.ahead[0, 1, DUO] > 0.0 and touched[0, 1, 0])
            assert (one.ahead[0, :2, BEGAN : BEGAN + 3] == other.ahead[0, :2, BEGAN : BEGAN + 3]).all()
            for mine, theirs, scale in (
                (one.world[1], other.world[1], 1.0),
                (one.ahead[:, :2, :6], other.ahead[:, :2, :6], 1.0),
                (one.scratch[1], other.scratch[1], PARAMS.robot.drive.wheel_radius),
            ):
                differs.append(scale * np.abs(mine - theirs).max())
    assert len(differs) > 60
    assert np.median(differs) < 1e-3
    assert max(differs) < 0.02


def test_a_duo_that_settles_in_two_parts_ends_where_it_does_in_one_to_the_last_bit() -> None:
    """As on a card, whose second wave takes those that the first one leaves."""
    quick, slow = 0, 0
    for seed in range(120):
        one, other = pushed(seed), pushed(seed)
        for desk in (one, other):
            lasting, crowd, left = desk.gather()
            if not lasting or crowd > 0:
                continue
            last = int(np.flatnonzero(desk.ahead[0, :N, DUO] > 0.0)[0])
            given = (
                0, 0, last, last - 1, left, desk.aim, np.zeros((1, N, N), np.uint8), desk.world, desk.robot,
                desk.room[5], desk.scratch,
            )  # fmt: skip
            if desk is one:
                leaning_duos.lean_duo(*given)
            elif leaning_duos.try_duo(*given):
                quick += 1
            else:
                slow += 1
                leaning_duos.finish_duo(*given)
        assert (one.world[1] == other.world[1]).all()
        assert (one.scratch[1] == other.scratch[1]).all()
        assert (one.ahead[:, :2, :12] == other.ahead[:, :2, :12]).all()
    assert quick > 30
    assert slow > 15


def test_a_duo_moves_the_same_to_the_last_bit_whichever_other_duos_lean() -> None:
    """All were swept until the last had settled, so that those at one end changed who leaned at the other.

    A crowd cuts everybody's substep, see docs/decisions/0011.
    """
    pose, wheels = face_to_face(), np.zeros((N, 2))
    wheels[0], wheels[1] = (30.0, 20.0), (-25.0, -30.0)
    lone = sim.place(scenes.line_up(PARAMS), pose, np.array((0.5, -0.5)))
    for k in range(2):
        pose[2 + k] = (0.6 + (2.0 * HALF + NEAR) * (k - 1), -0.7, 0.0)
        wheels[2 + k] = 10.0 - 30.0 * k
    crowded = sim.place(scenes.line_up(PARAMS), pose, np.array((0.5, -0.5)))
    commands, touched = Commands(wheels, np.zeros(N), np.zeros(N, np.bool_)), False
    for _ in range(15):
        lone, crowded = sim.step(PARAMS, lone, commands), sim.step(PARAMS, crowded, commands)
        touched = touched or bool(crowded.touched[2, 3])
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
