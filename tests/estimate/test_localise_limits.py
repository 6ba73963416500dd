"""What the localiser bears: being carried off, wild odometry, absurd times and ranges; and what it refuses."""

import dataclasses
import itertools
import math
import re
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
import pytest

from tikitaka.errors import ContractError
from tikitaka.estimate import ball, localise
from tikitaka.estimate.kernels import ranging
from tikitaka.estimate.localise import ABOVE_ZERO
from tikitaka.types import Floats

T = TypeVar("T", localise.LocaliseParams, localise.Pose)
FIVE = np.array([(2.0, 0.0), (-2.0, 0.0), (0.0, 2.0), (0.0, -2.0), (2.0, 2.0)])
SIX = np.array([(x, y) for x in (-1.8, 0.0, 1.8) for y in (-1.25, 1.25)])
PARAMS = localise.LocaliseParams(FIVE)
H, V, W = 1.0 / 30.0, 0.3, 0.6
HERE = (0.5, 0.0, 0.0)
ALL = slice(None)
ABSURD = [math.nan, math.inf, -math.inf, 1e300, -1e100, 1e3]


class Drive:
    """A robot that drives in circles, and what its localiser makes of it."""

    def __init__(self, params: localise.LocaliseParams, seed: int = 0, misread: float = 0.0) -> None:
        self.params, self.rng, self.misread = params, np.random.default_rng(seed), misread
        self.truth, self.time, self.steps = np.array(HERE), 0.0, 0
        self.pose = localise.start(params, 0.0, HERE)

    def seen(self) -> Floats:
        """Return all markers, as a sensor sees them that is off by 1 % of the range and 0.01 rad."""
        d, n = self.params.markers - self.truth[:2], len(self.params.markers)
        away = np.hypot(*d.T) * (1.0 + 0.01 * self.rng.normal(size=n))
        bearing = np.arctan2(d[:, 1], d[:, 0]) - self.truth[2] + 0.01 * self.rng.normal(size=n)
        names = np.where(self.rng.uniform(size=n) < self.misread, self.rng.integers(0, n, n), np.arange(n))
        return np.stack((names, away, bearing), axis=1)

    def on(self, told: tuple[float, float, float] = (V, 0.0, W), rows: slice = ALL) -> float:
        """Drive for one step, and return how far off the place is that is believed; inf where none is known."""
        self.truth[2] += W * H
        self.truth[:2] += V * H * np.array((math.cos(self.truth[2]), math.sin(self.truth[2])))
        self.time, self.steps = self.time + H, self.steps + 1
        self.pose = localise.step(self.params, self.pose, self.time, told, self.seen()[rows])
        assert np.isfinite(self.pose.mean).all()
        assert np.isfinite(self.pose.covariance).all()
        return float(np.hypot(*(self.pose.mean[:2] - self.truth[:2]))) if self.pose.known else math.inf

    def one(self) -> float:
        """Drive for one step like `on`; every third of them shows one marker, in turn."""
        row = self.steps // 3 % len(self.params.markers)
        return self.on(rows=slice(row, row + 1) if self.steps % 3 == 0 else slice(0))

    def carried(self, rng: np.random.Generator, reach: float) -> None:
        """Be carried off."""
        self.truth += (*rng.uniform(-reach, reach, 2), rng.uniform(-3.0, 3.0))


@pytest.mark.parametrize("misread", [0.0, 0.2])
@pytest.mark.parametrize(("markers", "reach"), [(FIVE, 1.5), (FIVE, 1.0), (FIVE[:2], 1.5), (SIX, 1.0)])
def test_a_robot_that_is_carried_off_finds_itself_wherever_it_is_put(
    markers: Floats, reach: float, misread: float
) -> None:
    rng = np.random.default_rng(5)
    for seed in range(60):
        drive = Drive(localise.LocaliseParams(markers), seed, misread)
        assert max(drive.on() for _ in range(100)) < 0.1
        drive.carried(rng, reach)
        off = [drive.on() for _ in range(120)]
        assert max(off[90:]) < 0.15  # after 3 s


def test_a_robot_that_is_carried_off_says_so_until_it_has_found_itself() -> None:
    """One marker at 10 Hz: known and wrong for no more than 4 s, then unknown, then found."""
    rng = np.random.default_rng(1)
    for seed in range(20):
        drive = Drive(PARAMS, seed)
        assert max(drive.one() for _ in range(100)) < 0.1
        drive.carried(rng, 1.5)
        off = np.array([drive.one() for _ in range(200)])
        assert ((off > 0.3) & np.isfinite(off)).sum() < 120
        assert np.isinf(off).any() == (drive.pose.counts["lost"] > 0)
        assert max(off[180:]) < 0.15


def test_one_marker_tells_a_lost_robot_no_pose() -> None:
    drive = Drive(PARAMS)
    assert max(drive.on() for _ in range(100)) < 0.1
    drive.truth += (-1.0, 0.7, 2.0)
    for _ in range(60):
        drive.on(rows=slice(0, 1))
    assert not drive.pose.known
    assert drive.pose.counts["lost"] == 1


@pytest.mark.parametrize("one", [False, True])
@pytest.mark.parametrize("misread", [0.0, 0.1, 0.2, 0.3])
def test_misread_markers_do_not_make_it_give_up(misread: float, one: bool) -> None:
    for seed in range(3):
        drive = Drive(PARAMS, seed, misread)
        assert max(drive.one() if one else drive.on() for _ in range(1800)) < 0.1
        assert drive.pose.counts["lost"] == 0
        assert drive.pose.counts["rejected"] >= (1500.0 * misread * (0.06 if one else 1.0))


def test_what_was_learnt_is_kept_by_a_lost_robot_within_reason() -> None:
    pose = localise.start(PARAMS, 0.0, HERE)
    learnt = replace(pose, mean=np.array((*HERE, 0.92, 3.0, math.pi, -9.0)))
    for _ in range(PARAMS.patience):
        learnt = localise.step(PARAMS, learnt, 0.0, (0.0, 0.0, 0.0), np.array([(0.0, 50.0, 1.0)]))
    assert not learnt.known
    assert learnt.mean[3:] == pytest.approx((0.92, 1.15, 1.06, -0.15))
    assert learnt.covariance == pytest.approx(localise.start(PARAMS, 0.0).covariance)


@pytest.mark.parametrize("value", ABSURD)
@pytest.mark.parametrize("which", range(3))
def test_one_wild_odometry_is_counted_and_only_unsettles_it(value: float, which: int) -> None:
    drive = Drive(PARAMS)
    for _ in range(60):
        drive.on()
    before = drive.pose.covariance.copy()
    told = [V, 0.0, W]
    told[which] = value
    off = [drive.on((told[0], told[1], told[2]), slice(0))]
    grown = np.diag(drive.pose.covariance - before)[:3]
    way, turn = ranging.UNKNOWN_WAY**2 * H, ranging.UNKNOWN_TURN**2 * H
    assert (grown > 0.99 * np.array((way, way, turn))).all()
    off += [drive.on() for _ in range(60)]
    assert max(off) < 0.1
    assert drive.pose.counts == {"rejected": 0, "bad": 1, "late": 0, "lost": 0}


def test_odometry_that_is_never_a_number_is_no_standing_still() -> None:
    drive = Drive(PARAMS)
    assert max(drive.on((math.nan, 0.0, 0.0)) for _ in range(100)) < 0.15  # by its markers alone
    for _ in range(60):
        drive.on((math.nan, 0.0, 0.0), slice(0))
    assert drive.pose.counts["bad"] == 160
    assert drive.pose.covariance[0, 0] > 0.99 * 2.0 * ranging.UNKNOWN_WAY**2  # after 2 s


def test_the_fastest_robots_odometry_is_believed() -> None:
    pose = localise.step(PARAMS, localise.start(PARAMS, 0.0, HERE), 0.1, (4.0, 0.0, 114.0))
    assert pose.counts["bad"] == 0
    pose = localise.step(replace(PARAMS, fastest=3.0), pose, 0.2, (4.0, 0.0, 0.0))
    assert pose.counts["bad"] == 1


def test_what_was_seen_before_an_unknown_motion_does_not_tell_where_it_is() -> None:
    drive = Drive(PARAMS)
    drive.pose = localise.start(PARAMS, 0.0)
    drive.on(rows=slice(0, 2))
    assert len(drive.pose.kept) == 2
    drive.on((math.nan, 0.0, 0.0), slice(3, 5))
    assert len(drive.pose.kept) == 2
    assert not drive.pose.known


@pytest.mark.parametrize("when", [math.nan, math.inf, -math.inf, 1e300, -1e300, 1e15, -1e15, 1e6, -1e6, 1.9])
def test_an_absurd_time_changes_nothing(when: float) -> None:
    drive, other = Drive(PARAMS), Drive(PARAMS)
    for k in range(100):
        assert drive.on() == other.on()
        if k in (60, 70):  # at 2.03 and 2.37 s: not one after the other
            rows = np.array([(0.0, 1.0, 0.5)])
            drive.pose = localise.step(PARAMS, drive.pose, when, (V, 0.0, W), rows)
    assert drive.pose.counts == other.pose.counts | {"late": 2}


@pytest.mark.parametrize("when", [1e9, -1e6, 1e11])
def test_a_new_clock_is_believed_at_the_second_step_and_the_pose_is_found_anew(when: float) -> None:
    drive = Drive(PARAMS)
    for _ in range(60):
        drive.on()
    drive.time = when
    assert drive.on() < 0.1
    assert drive.pose.counts["late"] == 1
    assert math.isinf(drive.on(rows=slice(0)))
    assert drive.pose.time == drive.time
    assert max(drive.on() for _ in range(60)) < 0.3
    assert drive.pose.counts["lost"] == 1


def change(what: T, name: str, value: float | Floats) -> T:
    """Return it with another value, of whatever type."""
    values: dict[str, Any] = {name: value}
    return replace(what, **values)


NUMBERS = [f.name for f in dataclasses.fields(PARAMS) if f.type is float]
BROKEN: list[Any] = [math.nan, -1.0, math.inf, 1e300, "0.1", None]


@pytest.mark.parametrize(
    ("name", "value"),
    [*itertools.product([*NUMBERS, "patience", "depth"], BROKEN), *((name, 0) for name in (*ABOVE_ZERO, "patience"))],
)
def test_parameters_that_can_never_work_are_refused(name: str, value: float) -> None:
    with pytest.raises(ContractError, match=rf"^{name} must be .*; got {re.escape(repr(value))}$"):
        change(PARAMS, name, value)


NO_NUMBERS = [(np.full((2, 2), "x"), "<U1"), (np.array([(0.0, math.nan)]), "nan"), (np.array([(0.0, 1e300)]), "1e.300")]


@pytest.mark.parametrize(
    ("markers", "said"),
    [(FIVE.tolist(), "list"), (None, "None"), (FIVE[0], r"\(2,\)"), (np.zeros((2, 3)), r"\(2, 3\)"), *NO_NUMBERS],
)
def test_markers_that_are_no_places_are_refused(markers: Floats, said: str) -> None:
    with pytest.raises(ContractError, match=f"^markers must be .*; got .*{said}"):
        replace(PARAMS, markers=markers)


def test_markers_may_be_whole_numbers() -> None:
    assert Drive(localise.LocaliseParams(FIVE.astype(np.int64))).on() < 0.1


BAD_POSES = [
    ("x", (math.nan, 0.0, 0.0)),
    ("y", (0.0, math.inf, 0.0)),
    ("heading", (0.0, 0.0, 1e300)),
    ("pose", (0.0, 0.0)),
]


@pytest.mark.parametrize(
    ("name", "time", "pose", "spread"),
    [("time", math.nan, HERE, 0.1), ("spread", 0.0, HERE, -1.0), *((name, 0.0, pose, 0.1) for name, pose in BAD_POSES)],
)
def test_a_start_that_can_never_work_is_refused(name: str, time: float, pose: tuple[float, ...], spread: float) -> None:
    with pytest.raises(ContractError, match=rf"^{name} must be .*; got "):
        localise.start(PARAMS, time, pose, spread)


@pytest.mark.parametrize(
    "rows", [[], [(0.0, 1.0, 0.0)], None, np.zeros(3), np.zeros(0), np.zeros((2, 2)), np.full((1, 3), None)]
)
def test_sightings_of_another_shape_are_refused(rows: Floats) -> None:
    pose = localise.start(PARAMS, 0.0, HERE)
    with pytest.raises(ContractError, match=r"^sightings must be an array \(k, 3\) of numbers; got "):
        localise.step(PARAMS, pose, 0.1, (V, 0.0, W), rows)


@pytest.mark.parametrize("told", [(0.0, 0.0), 0.3, None, (0.0, None, 0.0), np.zeros((3, 1))])
def test_velocities_of_another_shape_are_refused(told: tuple[float, ...]) -> None:
    with pytest.raises(ContractError, match=r"^velocity must be 3 numbers; got "):
        localise.step(PARAMS, localise.start(PARAMS, 0.0, HERE), 0.1, told)


@pytest.mark.parametrize(
    ("name", "shape"), [("mean", (3,)), ("covariance", (3, 3)), ("seen", (4,)), ("memory", (9,)), ("memory", (10, 1))]
)
def test_poses_of_another_shape_are_refused(name: str, shape: tuple[int, ...]) -> None:
    pose = change(localise.start(PARAMS, 0.0, HERE), name, np.zeros(shape))
    motion = ball.BallParams(np.zeros((0, 4)))
    for use in (
        lambda: localise.step(PARAMS, pose, 0.1, (V, 0.0, W)),
        lambda: localise.see(PARAMS, motion, ball.start(motion), 0.0, pose, 1.0, 0.0),
    ):
        with pytest.raises(ContractError) as caught:
            use()
        assert str(caught.value).startswith(f"{name} of pose must be (")
        assert str(caught.value).endswith(f"; got {shape}")


def test_tracks_of_another_shape_are_refused() -> None:
    motion = ball.BallParams(np.zeros((0, 4)))
    track = replace(ball.start(motion), mean=np.zeros(4))
    with pytest.raises(ContractError, match=r"^mean of track must be \(9,\); got \(4,\)"):
        localise.see(PARAMS, motion, track, 0.0, localise.start(PARAMS, 0.0, HERE), 1.0, 0.0)
