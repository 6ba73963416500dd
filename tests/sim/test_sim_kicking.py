"""Kicker, dribbler and the robot's top, each alone with one robot and the ball."""

import inspect
import itertools
import math
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import tikitaka
from tikitaka.sim.kernels import kicking, rolling
from tikitaka.sim.kernels.kicking import INV_INERTIA, INV_MASS, LEAST_HOP, MAX_LIFT, MAX_SPEED, OFFSET
from tikitaka.sim.kernels.rolling import RX, RY, VX, VY, VZ, X, Y, Z
from tikitaka.types import Commands

Floats = NDArray[np.float64]
SCRIPT = Path(__file__).with_name("ball_hash.py")
BALL, ROBOT, INERTIA, R, FRONT, HULL, TALL = 0.046, 2.8, 0.0113, 0.0215, 0.0794, 0.09, 0.147
G, DT = 9.81, 1.0 / 240.0
SOLID = 0.4  # J / (m r^2) of the ball

angles = st.floats(-math.pi, math.pi)
small = st.floats(-2.0, 2.0)


def gear(**changed: float) -> Floats:
    """Return the SSL robot's tools."""
    numbers = {
        **{"FRONT": FRONT, "RADIUS": R, "INV_BALL": 1.0 / BALL, "WIDTH": 0.07, "REACH": 0.01},
        **{"MAX_SPEED": 6.5, "MAX_LIFT": 4.6, "RECHARGE": 0.1},
        **{"PULL": 0.3, "PULL_WIDTH": 0.07, "PULL_REACH": 0.01},
        **{"INV_MASS": 1.0 / ROBOT, "INV_INERTIA": 1.0 / INERTIA, "OFFSET": 0.0, "HEIGHT": TALL},
        **changed,
    }
    result = np.zeros(kicking.HEIGHT + 1)  # the ground's five are not read here
    for name, value in numbers.items():
        result[getattr(kicking, name)] = value
    return result


def moved(ball: Floats, t: float, ground: Floats) -> Floats:
    """Return the free ball after t."""
    x, y, vx, vy, z, vz, rx, ry = (float(number) for number in ball)
    return np.array(rolling.glide(x, y, vx, vy, z, vz, rx, ry, t, ground), np.float64)


class Scene:
    """One robot and the ball at (ahead, aside) of the place where it touches the middle of the mouth."""

    def __init__(self, theta: float = 0.0, ahead: float = 0.001, aside: float = 0.0) -> None:
        self.c, self.s = math.cos(theta), math.sin(theta)
        self.pose, self.velocity = np.array([[[0.3, -0.2, theta]]]), np.zeros((1, 1, 3))
        self.ball, self.charge = np.zeros((1, 8)), np.zeros((1, 1))
        self.ball[0, :2] = self.field(FRONT + R + ahead, aside) + self.pose[0, 0, :2]

    def field(self, x: float, y: float) -> Floats:
        return np.array((self.c * x - self.s * y, self.s * x + self.c * y))

    def body(self, x: float, y: float) -> Floats:
        return np.array((self.c * x + self.s * y, self.c * y - self.s * x))

    def kick(self, speed: float, lift: float = 0.0, dt: float = DT, **changed: float) -> bool:
        return kicking.kick(0, 0, self.pose, self.velocity, self.ball, self.charge, speed, lift, gear(**changed), dt)

    def momentum(self, tools: Floats) -> Floats:
        """Return the horizontal momentum, and the angular momentum about the origin without the ball's spin."""
        (vx, vy, w), b = self.velocity[0, 0], self.ball[0]
        d = self.field(tools[OFFSET], 0.0)
        cm, v = self.pose[0, 0, :2] + d, np.array((vx - w * d[1], vy + w * d[0]))
        m, inertia = 1.0 / tools[INV_MASS], 1.0 / tools[INV_INERTIA]
        angular = m * (cm[0] * v[1] - cm[1] * v[0]) + inertia * w + BALL * (b[X] * b[VY] - b[Y] * b[VX])
        return np.array((*(m * v + BALL * b[VX : VY + 1]), angular))

    def energy(self, tools: Floats) -> float:
        (vx, vy, w), b = self.velocity[0, 0], self.ball[0]
        d = self.field(tools[OFFSET], 0.0)
        robot = ((vx - w * d[1]) ** 2 + (vy + w * d[0]) ** 2) / tools[INV_MASS] + w * w / tools[INV_INERTIA]
        ball = b[VX] ** 2 + b[VY] ** 2 + b[VZ] ** 2 + SOLID * (b[RX] ** 2 + b[RY] ** 2) + 2.0 * G * b[Z]
        return float(0.5 * robot + 0.5 * BALL * ball)


@given(theta=angles, speed=st.floats(0.1, 20.0), aside=st.floats(-0.034, 0.034))
@settings(deadline=None)
def test_a_straight_kick_leaves_along_the_heading_at_the_speed_asked_up_to_the_limit(
    theta: float, speed: float, aside: float
) -> None:
    scene = Scene(theta, aside=aside)
    assert scene.kick(speed)
    assert scene.body(*scene.ball[0, VX : VY + 1]) == pytest.approx((min(speed, 6.5), 0.0), abs=1e-12)
    assert (scene.ball[0, Z:] == 0.0).all()


@given(theta=angles, v=st.tuples(small, small, st.floats(-5.0, 5.0)), w=st.tuples(small, small), d=st.floats(0.0, 0.02))
@settings(deadline=None)
def test_a_kick_adds_the_robots_speed_leaves_the_sideways_one_and_keeps_momentum(
    theta: float, v: tuple[float, float, float], w: tuple[float, float], d: float
) -> None:
    scene = Scene(theta, aside=0.02)
    scene.velocity[0, 0], scene.ball[0, VX : VY + 1], scene.ball[0, RX:] = v, w, w
    tools = gear(OFFSET=d)
    before, side = scene.momentum(tools), scene.body(*w)[1]
    forward = scene.body(*v[:2])[0] - v[2] * 0.02
    if not scene.kick(3.0, OFFSET=d):
        assert scene.body(*w)[0] >= forward + 3.0
        return
    after = scene.body(*scene.ball[0, VX : VY + 1])
    most = math.sqrt(6.5**2 - side**2)
    assert after == pytest.approx((min(forward + 3.0, most), side), abs=1e-9)
    assert tuple(scene.ball[0, RX:]) == w
    assert scene.momentum(tools) == pytest.approx(before, abs=1e-12)


@given(v=st.floats(-3.5, 3.5), side=st.floats(-6.0, 6.0), speed=st.floats(0.1, 9.0), lift=st.floats(0.0, 9.0))
@settings(deadline=None)
def test_no_kick_is_faster_than_the_leagues_limit_and_chips_keep_their_angle(
    v: float, side: float, speed: float, lift: float
) -> None:
    scene, tools = Scene(), gear()
    scene.velocity[0, 0, 0], scene.ball[0, VY] = v, side
    if scene.kick(speed, lift):
        vx, vy, vz = scene.ball[0, [VX, VY, VZ]]
        assert math.sqrt(vx * vx + vy * vy + vz * vz) <= tools[MAX_SPEED] * (1.0 + 1e-12)
        asked = min(lift, tools[MAX_LIFT]) / min(speed, tools[MAX_SPEED])
        assert vz == pytest.approx(asked * (vx - v), abs=1e-9)


@pytest.mark.parametrize(("speed", "lift"), [(math.nan, 0.0), (0.0, 3.0), (-1.0, 0.0), (-math.inf, 0.0)])
def test_no_speed_is_no_kick(speed: float, lift: float) -> None:
    scene = Scene()
    assert not scene.kick(speed, lift)
    assert (scene.ball[0, VX:] == 0.0).all()
    assert (scene.velocity == 0.0).all()


@pytest.mark.parametrize("lift", [math.nan, -1.0, 0.0])
def test_a_kick_without_a_lift_is_flat(lift: float) -> None:
    scene = Scene()
    assert scene.kick(math.inf, lift)
    assert tuple(scene.ball[0, VX : VZ + 1]) == (6.5, 0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("ahead", "aside", "z"), [(0.0101, 0.0, 0.0), (0.0, 0.0351, 0.0), (0.0, 0.0, 0.022), (-0.3, 0.0, 0.0)]
)
def test_a_ball_out_of_the_zone_is_not_kicked(ahead: float, aside: float, z: float) -> None:
    scene = Scene(0.7, ahead, aside)
    scene.ball[0, Z] = z
    assert not scene.kick(5.0)
    assert (scene.ball[0, VX:Z] == 0.0).all()


def test_a_kicker_does_not_reach_a_ball_that_leaves_faster() -> None:
    scene = Scene()
    scene.ball[0, VX] = 3.1
    assert not scene.kick(3.0)
    assert scene.ball[0, VX] == 3.1
    assert scene.charge[0, 0] == 0.0


def test_a_kicker_kicks_again_only_when_it_is_charged() -> None:
    kicks = []
    scene = Scene()
    for k in range(50):
        scene.ball[0, VX:] = 0.0
        scene.velocity[:] = 0.0
        if scene.kick(2.0, dt=0.01, RECHARGE=0.1):
            kicks.append(k)
    assert kicks in ([0, 10, 20, 30, 40], [0, 11, 22, 33, 44])  # 0.1 s less ten times 0.01 s need not be 0


def test_a_chip_flies_over_a_robot_that_a_flat_kick_meets() -> None:
    ground = np.array((0.4, 0.35, 0.0, G, 0.566))
    chip, flat = Scene(), Scene()
    assert chip.kick(4.0, 3.0)
    assert flat.kick(4.0)
    over, under = (moved(scene.ball[0], 0.25, ground)[Z] for scene in (chip, flat))
    assert kicking.top_gap(-0.05, over, TALL)[0] > 0.0
    assert kicking.top_gap(-0.05, under, TALL) == (-0.05, False)


def carried(scene: Scene, acceleration: float, turning: float, seconds: float, **changed: float) -> bool:
    """Return whether the ball is still at the mouth of a robot that is heavy, accelerates evenly and turns evenly."""
    tools, ground = gear(INV_MASS=1e-9, INV_INERTIA=1e-9, **changed), np.array((0.4, 0.35, 0.0, G, 0.566))
    kept = True
    for _ in range(round(seconds / DT)):
        theta = scene.pose[0, 0, 2]
        scene.c, scene.s = math.cos(theta), math.sin(theta)
        scene.velocity[0, 0, :2] += scene.field(acceleration * DT, 0.0)
        scene.velocity[0, 0, 2] = turning
        kept = kicking.dribble(0, 0, scene.pose, scene.velocity, scene.ball, tools, DT)
        against_the_mouth(scene)
        scene.ball[0] = moved(scene.ball[0], DT, ground)
        scene.pose[0, 0] += scene.velocity[0, 0] * DT
    return kept


def against_the_mouth(scene: Scene) -> None:
    """Take the speed at which the ball would enter the robot's front."""
    q = scene.body(*(scene.ball[0, :2] - scene.pose[0, 0, :2]))
    w = scene.body(*(scene.ball[0, VX : VY + 1] - scene.velocity[0, 0, :2])) + scene.velocity[0, 0, 2] * q[::-1] * (
        1,
        -1,
    )
    least = (FRONT + R - q[0]) / DT
    if w[0] < least:
        scene.ball[0, VX : VY + 1] += scene.field(least - w[0], 0.0)


@pytest.mark.parametrize("theta", [0.0, 2.0])
@pytest.mark.parametrize(
    ("acceleration", "held"), [(3.0, True), (-1.0, True), (-4.0, True), (-5.5, False), (-9.0, False)]
)
def test_braking_loses_the_ball_beyond_the_force_over_seven_fifths_of_its_mass(
    acceleration: float, held: bool, theta: float
) -> None:
    assert 4.0 < 0.3 / (1.4 * BALL) < 5.5
    assert carried(Scene(theta), acceleration, 0.0, 0.4) is held


@pytest.mark.parametrize(("turning", "held"), [(2.0, True), (5.0, True), (10.0, False), (-5.0, True), (-10.0, False)])
def test_turning_loses_the_ball_beyond_the_force_too(turning: float, held: bool) -> None:
    scene = Scene()
    scene.ball[0, VY] = scene.ball[0, RY] = turning * (FRONT + R)
    assert carried(scene, 0.0, turning, 1.0) is held


def test_a_stronger_dribbler_holds_what_a_weaker_one_loses() -> None:
    assert carried(Scene(), -9.0, 0.0, 0.4, PULL=1.0)


def test_a_ball_at_rest_before_the_mouth_is_pulled_against_it_without_a_bounce() -> None:
    scene = Scene(1.0, ahead=0.009)
    gaps = []
    for _ in range(60):
        assert carried(scene, 0.0, 0.0, DT)
        gaps.append(float(scene.body(*(scene.ball[0, :2] - scene.pose[0, 0, :2]))[0]) - FRONT - R)
    reached = next(k for k, gap in enumerate(gaps) if gap < 1e-4)
    steps = [(early, early - late) for early, late in itertools.pairwise(gaps[:reached])]
    assert all(0.0 < step < early / kicking.SETTLE * DT * 1.05 for early, step in steps)
    assert max(map(abs, gaps[reached:])) < 1e-4


@given(
    theta=angles, ahead=st.floats(-0.005, 0.0099), aside=st.floats(-0.03, 0.03), w=st.tuples(small, small),
    v=st.tuples(small, small, st.floats(-5.0, 5.0)), d=st.floats(0.0, 0.02), pull=st.floats(0.0, 50.0),
)  # fmt: skip
@settings(deadline=None)
def test_the_dribblers_force_is_bounded_and_keeps_momentum(
    theta: float,
    ahead: float,
    aside: float,
    w: tuple[float, float],
    v: tuple[float, float, float],
    d: float,
    pull: float,
) -> None:
    scene, tools = Scene(theta, ahead, aside), gear(OFFSET=d, PULL=pull)
    scene.velocity[0, 0], scene.ball[0, VX : VY + 1] = v, w
    momentum, energy = scene.momentum(tools), scene.energy(tools)
    assert kicking.dribble(0, 0, scene.pose, scene.velocity, scene.ball, tools, DT)
    assert BALL * np.linalg.norm(scene.ball[0, VX : VY + 1] - w) <= pull * DT + 1e-15
    assert scene.momentum(tools) == pytest.approx(momentum, abs=1e-12)
    if ahead <= 0.0:  # it pulls nothing in: then it only damps
        assert scene.energy(tools) <= energy + 1e-12


@given(theta=angles, ahead=st.floats(-0.005, 0.0099), aside=st.floats(-0.03, 0.03), w=st.tuples(small, small))
@settings(deadline=None)
def test_a_strong_dribbler_gives_the_ball_the_mouths_velocity_and_closes_the_gap(
    theta: float, ahead: float, aside: float, w: tuple[float, float]
) -> None:
    scene, tools = Scene(theta, ahead, aside), gear(PULL=1e6, INV_MASS=0.0, INV_INERTIA=0.0)
    scene.velocity[0, 0], scene.ball[0, VX : VY + 1] = (0.3, -0.4, 3.0), w
    assert kicking.dribble(0, 0, scene.pose, scene.velocity, scene.ball, tools, DT)
    q = scene.ball[0, :2] - scene.pose[0, 0, :2]
    against = scene.body(*(scene.ball[0, VX : VY + 1] - (0.3 - 3.0 * q[1], -0.4 + 3.0 * q[0])))
    assert against == pytest.approx((-max(0.0, ahead) / kicking.SETTLE, 0.0), abs=1e-12)


@pytest.mark.parametrize(("ahead", "aside", "z"), [(0.0101, 0.0, 0.0), (0.0, 0.0351, 0.0), (0.0, 0.0, 0.022)])
def test_a_ball_out_of_the_zone_is_not_dribbled(ahead: float, aside: float, z: float) -> None:
    scene = Scene(0.7, ahead, aside)
    scene.ball[0, [VX, Z]] = 0.3, z
    assert not kicking.dribble(0, 0, scene.pose, scene.velocity, scene.ball, gear(), DT)
    assert scene.ball[0, VX] == 0.3


@given(gap=st.floats(-0.11, 0.05), z=st.floats(0.0, 0.4), dg=st.floats(-1e-3, 1e-3), dz=st.floats(-1e-3, 1e-3))
@settings(deadline=None)
def test_the_gap_in_space_is_continuous_and_no_larger_than_the_way_to_the_robot(
    gap: float, z: float, dg: float, dz: float
) -> None:
    here, there = (kicking.top_gap(g, h, TALL)[0] for g, h in ((gap, z), (gap + dg, z + dz)))
    assert abs(here - there) <= math.hypot(dg, dz) * (1.0 + 1e-9) + 1e-15
    if z < TALL:
        assert here <= max(gap, 0.0) or gap > 0.0
    if gap > 0.0 or z > TALL + 0.14 * math.tan(kicking.SLOPE):
        assert here > 0.0


@given(
    theta=angles, side=angles, depth=st.floats(0.0, 0.05), v=st.tuples(small, small, st.floats(-5.0, 5.0)),
    w=st.tuples(small, small, st.floats(-6.0, 3.0)), d=st.floats(0.0, 0.02), e=st.floats(0.0, 1.0),
)  # fmt: skip
@settings(deadline=None, max_examples=200)
def test_a_bounce_off_the_top_keeps_horizontal_momentum_and_never_gains_energy(
    theta: float,
    side: float,
    depth: float,
    v: tuple[float, float, float],
    w: tuple[float, float, float],
    d: float,
    e: float,
) -> None:
    scene, tools, ground = Scene(theta), gear(OFFSET=d), np.array((0.4, 0.35, 0.0, G, e))
    n = np.array((math.cos(side), math.sin(side)))
    scene.ball[0, :2] = scene.pose[0, 0, :2] + (HULL - depth) * n
    scene.velocity[0, 0], scene.ball[0, [VX, VY, VZ]], scene.ball[0, Z] = v, w, 0.15
    momentum, energy, hit = scene.momentum(tools), scene.energy(tools), -normal_speed(scene, n)
    place, gap = scene.ball[0, :2].copy(), kicking.top_gap(-depth - R, 0.15, TALL)[0]
    touched = kicking.roof(0, 0, scene.pose, scene.velocity, scene.ball, n[0], n[1], tools, ground)
    assert touched == (hit > 0.0) or abs(hit) < 1e-12
    assert scene.energy(tools) <= energy * (1.0 + 1e-12)
    assert kicking.top_gap(beyond(scene, n) - R, scene.ball[0, Z], TALL)[0] == pytest.approx(gap, abs=1e-12)
    scene.ball[0, :2] = place
    assert scene.momentum(tools) == pytest.approx(momentum, abs=1e-12)
    if touched:
        assert normal_speed(scene, n) == pytest.approx(max(e * hit, LEAST_HOP), abs=1e-12)
    if touched and e == 1.0 and hit > LEAST_HOP:
        assert scene.energy(tools) == pytest.approx(energy, rel=1e-12)


def beyond(scene: Scene, n: Floats) -> float:
    """Return how far outside of the rim the ball's centre is."""
    return float((scene.ball[0, :2] - scene.pose[0, 0, :2]) @ n) - HULL


def normal_speed(scene: Scene, n: Floats) -> float:
    """Return the speed at which the ball leaves the roof."""
    q, (vx, vy, turn) = scene.ball[0, :2] - scene.pose[0, 0, :2], scene.velocity[0, 0]
    w = scene.ball[0, VX : VY + 1] - (vx - turn * q[1], vy + turn * q[0])
    return float((w @ n) * math.sin(kicking.SLOPE) + scene.ball[0, VZ] * math.cos(kicking.SLOPE))


def round_gap(ball: Floats) -> tuple[float, float, float]:
    """Return the gap to a round robot at the origin and its normal."""
    d = math.hypot(ball[X], ball[Y])
    return (d - HULL - R, ball[X] / d, ball[Y] / d) if d > 0.0 else (-HULL - R, 1.0, 0.0)


def fall_off(ball: Floats, tools: Floats, e: float, seconds: float) -> tuple[float, float, float]:
    """Return when a ball over a round robot at the origin is beside it, its deepest place, and the energy gained."""
    pose, velocity, ground = np.zeros((1, 1, 3)), np.zeros((1, 1, 3)), np.array((0.4, 0.35, 0.0, G, e))
    state, deepest, gained, t = ball[None].copy(), 1.0, 0.0, 0.0
    while t < seconds and round_gap(state[0])[0] < 0.0:
        before, low, high = state[0].copy(), 0.0, DT
        after = moved(before, DT, ground)
        if kicking.top_gap(round_gap(after)[0], after[Z], TALL)[0] < 0.0:
            for _ in range(50):  # the last moment outside
                middle = 0.5 * (low + high)
                after = moved(before, middle, ground)
                outside = kicking.top_gap(round_gap(after)[0], after[Z], TALL)[0] >= 0.0
                low, high = (middle, high) if outside else (low, middle)
            after = moved(before, low, ground)
            t += low
        else:
            t += DT
        state[0] = after
        _, nx, ny = round_gap(after)
        if low > 0.0 or high < DT:
            kicking.roof(0, 0, pose, velocity, state, nx, ny, tools, ground)
        deepest = min(deepest, kicking.top_gap(round_gap(state[0])[0], state[0, Z], TALL)[0])
        gained = max(gained, ball_energy(state[0]) - ball_energy(before))
    return t, deepest, gained


def ball_energy(b: Floats) -> float:
    return float(0.5 * (b[VX] ** 2 + b[VY] ** 2 + b[VZ] ** 2 + SOLID * (b[RX] ** 2 + b[RY] ** 2)) + G * b[Z])


@given(x=st.floats(-0.09, 0.09), y=st.floats(-0.05, 0.05), drop=st.floats(0.0, 0.5), e=st.sampled_from([0.0, 0.5, 0.9]))
@settings(deadline=None, max_examples=25)
def test_a_ball_that_comes_down_on_a_robot_falls_off_and_never_enters(
    x: float, y: float, drop: float, e: float
) -> None:
    tools = gear(INV_MASS=1e-12, INV_INERTIA=1e-12)
    gap = math.hypot(x, y) - HULL - R
    z = TALL - gap * math.tan(kicking.SLOPE) + 1e-9 + drop
    t, deepest, gained = fall_off(np.array((x, y, 0.0, 0.0, z, 0.0, 0.0, 0.0)), tools, e, 3.0)
    assert t < 3.0
    assert deepest > -1e-12
    assert gained < 1e-12


def test_commands_join_their_lifts() -> None:
    flat, chip = Commands.stop(2, 4), Commands(np.zeros((1, 4)), np.ones(1), np.zeros(1, np.bool_), 0, np.array([3.0]))
    assert Commands.join(flat, flat).lift is None
    assert Commands.join(flat, chip).lift == pytest.approx([0.0, 0.0, 3.0])
    assert Commands.join(chip, flat).lift == pytest.approx([3.0, 0.0, 0.0])
    assert Commands.join(chip, chip).lift == pytest.approx([3.0, 3.0])


def hash_of_results(disable_jit: str) -> str:
    source = str(Path(inspect.getfile(tikitaka)).parents[1])
    env = {**os.environ, "NUMBA_DISABLE_JIT": disable_jit, "PYTHONPATH": source}
    done = subprocess.run([sys.executable, str(SCRIPT), "kicking"], env=env, capture_output=True, text=True, check=True)
    return done.stdout


def test_compiled_and_interpreted_tools_agree_to_the_last_bit() -> None:
    compiled = hash_of_results("0")
    assert len(compiled) == 64
    assert compiled == hash_of_results("1")
