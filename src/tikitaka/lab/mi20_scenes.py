"""The three collisions of MI20's evaluation, staged in the simulator: what the camera saw, the truth, and the commands.

[MI20, sec. VII] Three robots near the centre of the 5 against 5 field, two near its lower edge, two at the side of the
7 against 7 field. All look alike, drive straight at each other and are told to go on through the contact; then to stop.
"""

import math
from dataclasses import dataclass

import numpy as np

from tikitaka import sim
from tikitaka.geom.random import key, normal, uniform
from tikitaka.lab.staging import drive, params_of
from tikitaka.types import Bools, Commands, Floats

RATE = 30.0  # [Hz] MI20, sec. II
APPROACH, PUSH, STOP = 10, 8, 8  # frames until they meet, are told to go on, are told to stop; chosen
ROOM = 0.6  # [m] chosen: so far they drive at most until they meet: fast ones for fewer frames, else they begin outside
BASELINE = 0.04  # [m] chosen: a heading is read from two marks so far apart, so its noise is sigma / BASELINE
LEAN = math.radians(80.0)  # chosen: robots at an edge come along it, so much off the way straight to it
TURNED = math.radians(20.0)  # chosen: spread of a robot's course around the one that leads to the others
ASIDE = 0.02  # [m] chosen: spread of how far a course misses the meeting point
EARLY = 0.04  # [m] chosen: spread of how far robots are from the meeting point at the same time


@dataclass(frozen=True, slots=True)
class Case:
    """Where who meets."""

    league: str
    robots: int
    side: float | None  # direction from the centre of the field to the near edge; None: they meet at the centre
    speed: float  # calibrated for Table I
    dropout: float


@dataclass(frozen=True, slots=True)
class Calibration:
    """What reproduces the printed errors of one of Tables II to IV."""

    case: int
    speed: float
    sigma: float


CASES = {
    1: Case("mirosot-5v5", 3, None, 1.5, 0.0),
    2: Case("mirosot-5v5", 2, -0.5 * math.pi, 1.25, 0.0),
    3: Case("mirosot-7v7", 2, 0.0, 1.4, 0.15),
}
TABLES = {2: Calibration(1, 0.9, 0.35e-3), 3: Calibration(2, 1.2, 0.80e-3), 4: Calibration(3, 1.75, 0.77e-3)}


@dataclass(frozen=True, slots=True)
class Stream:
    """T frames of n robots; commands[k] act from frame k to frame k + 1."""

    case: int
    league: str
    time: Floats  # (T,)
    seen: tuple[Floats, ...]  # T arrays (m, 3): x, y, heading, NaN where headings are not measured; in random order
    origin: tuple[tuple[int, ...], ...]  # T rows of the robots that the detections are of: for scoring only
    pose: Floats  # (T, n, 3) the truth
    velocity: Floats  # (T, n, 3)
    told: Floats  # (T, n, 3) forward and sideways speed, turn rate
    touching: Bools  # (T, n) since the frame before

    @property
    def robots(self) -> int:
        """How many robots there are."""
        return int(self.pose.shape[1])


def staged(
    case: int,
    seed: int,
    speed: float | None = None,
    sigma: float = 0.8e-3,
    dropout: float | None = None,
    heading: bool = True,
) -> Stream:
    """Return one collision of a case; speed and dropout (of robots that touch, a frame) are Table I's if not given."""
    chosen, k = CASES[case], key(seed, case)
    params = params_of(chosen.league, 1.0 / RATE, chosen.robots)
    pace = chosen.speed if speed is None else speed
    frames = approach(pace) + PUSH
    told = np.zeros((frames + STOP + 1, chosen.robots, 3))
    told[:frames, :, 0] = pace
    states = [_begin(params, chosen, pace, k)]
    for body in told[:-1]:
        states.append(sim.step(params, states[-1], drive(params, body)))
    pose, touching = np.array([s.pose for s in states]), np.array([s.touched.any(axis=0) for s in states])
    missed = chosen.dropout if dropout is None else dropout
    seen, origin = _looked_at(pose, touching, sigma, missed, heading, k)
    velocity = np.array([s.velocity for s in states])
    times = np.arange(len(told)) / RATE
    return Stream(case, chosen.league, times, seen, origin, pose, velocity, told, touching)


def approach(speed: float) -> int:
    """Return how many frames robots of a speed drive until they meet."""
    return min(APPROACH, int(ROOM * RATE / speed))


def commands(stream: Stream, frame: int) -> Commands:
    """Return what the robots are told from this frame to the next, as wheel rates."""
    return drive(params_of(stream.league, 1.0 / RATE, stream.robots), stream.told[frame])


def _begin(params: sim.Params, case: Case, speed: float, k: tuple[int, int]) -> sim.State:
    """Return robots that are under way to the meeting point; draws 0 to 4 n + 1 of step 0 are its own."""
    f, n = params.field, case.robots
    draw = [2.0 * uniform(*k, 0, stream) - 1.0 for stream in range(4 * n + 2)]
    pose = np.empty((n, 3))
    middle = np.array((0.15 * draw[0], 0.15 * draw[1]))
    if case.side is not None:
        out, along = (math.cos(case.side), math.sin(case.side)), (-math.sin(case.side), math.cos(case.side))
        edge = f.half_length if abs(out[0]) > 0.5 else f.half_width
        middle = (edge - 0.25) * np.array(out) + 0.3 * draw[0] * np.array(along)
    for i in range(n):
        turned, aside, early, _ = draw[2 + 4 * i : 6 + 4 * i]
        pose[i] = _start(case, i, speed, middle, math.pi * draw[1], TURNED * turned, ASIDE * aside, EARLY * early)
    state = sim.place(sim.start(params), pose, np.array((0.0, 0.5 * f.half_width if case.side is not None else 0.8)))
    ahead = np.stack((np.cos(pose[:, 2]), np.sin(pose[:, 2]), np.zeros(n)), axis=1)
    state.velocity[:] = speed * ahead
    state.spin[:] = drive(params, np.tile((speed, 0.0, 0.0), (n, 1))).wheels
    return state


def _start(
    case: Case, i: int, speed: float, middle: Floats, first: float, turned: float, aside: float, early: float
) -> tuple[float, float, float]:
    """Return the pose of robot i such that it comes to the meeting point when it should, or nearly so."""
    if case.side is None:
        come = first + (0.0, math.pi, 0.5 * math.pi)[i]
    else:
        come = case.side + math.pi + (1.0 if i == 0 else -1.0) * LEAN
    come += turned
    away = speed * approach(speed) / RATE + 0.04 + early  # 4 cm: bodies touch before their centres meet
    c, s = math.cos(come), math.sin(come)
    return (
        middle[0] + away * c - aside * s,
        middle[1] + away * s + aside * c,
        math.remainder(come + math.pi, 2 * math.pi),
    )


def _looked_at(
    pose: Floats, touching: Bools, sigma: float, dropout: float, heading: bool, k: tuple[int, int]
) -> tuple[tuple[Floats, ...], tuple[tuple[int, ...], ...]]:
    """Return what the camera saw in every frame, and of whom; robots that touch may be missed."""
    spread = np.array((sigma, sigma, sigma / BASELINE if heading else math.nan))
    seen, origin = list[Floats](), list[tuple[int, ...]]()
    for frame in range(len(pose)):
        order = sorted(range(pose.shape[1]), key=lambda i: uniform(*k, 1 + frame, 10 * i))
        found = [i for i in order if not (touching[frame, i] and uniform(*k, 1 + frame, 10 * i + 1) < dropout)]
        off = [[normal(*k, 1 + frame, 10 * i + 2 + q) for q in range(3)] for i in found]
        rows = pose[frame, found] + spread * np.array(off).reshape(-1, 3)
        rows[:, 2] = np.remainder(rows[:, 2] + math.pi, 2.0 * math.pi) - math.pi
        seen.append(rows)
        origin.append(tuple(found))
    return tuple(seen), tuple(origin)
