"""Beard 2.1: a three-wheeled robot from above: our filter, the paper's Euler filter and finite differences."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tikitaka import league as leagues
from tikitaka import sim
from tikitaka.estimate.kernels import euler, kalman
from tikitaka.geom.angles import turn, wrap
from tikitaka.lab import foretelling, recordings
from tikitaka.lab.plot import BLUE, GREEN, INK, RED, Axis, Dots, Line, Mark, Panel, chart, page
from tikitaka.lab.report import Found, Row, compared
from tikitaka.lab.spreads import rms, spread
from tikitaka.lab.staging import drive, params_of
from tikitaka.loop.build import camera_params
from tikitaka.types import Floats

LEAGUE = "byu-2v2"  # three wheels, an overhead camera, walls
SECONDS, AHEAD = 20.0, 0.13  # [s] of a drive; from picture to team, as in the recordings
LAGS = np.array((0.025, 0.025, 0.008))  # [s] chosen: within which x, y and heading follow
PART = 0.5  # chosen: of what its motors can, how fast the commanded velocity changes
WANDER, TURNING = 0.3, 3.0  # [m^2/s^3], [rad^2/s^3] chosen: accelerations that commands do not explain
SLIP = (0.01, 0.01, 0.05)  # [m^2/s], [rad^2/s] chosen: Q of the paper's filter
COLOURS = {"ours": GREEN, "paper's Euler": BLUE, "paper's, printed": RED, "finite differences": INK}
NAMES = tuple(COLOURS)
SHOWN, NEAR = 4.0, 15  # [s] of a drive that are drawn, and pictures of them that are enlarged
FLAT = 204.0 / 364.0  # height over width between a chart's axes


@dataclass(frozen=True, slots=True)
class Args:
    """How many drives; the league is always the notes' own, byu-2v2."""

    league: str = LEAGUE
    seed: int = 0
    seeds: int = 8


@dataclass(frozen=True, slots=True)
class Drive:
    """What a robot did, was told and was seen to do, picture by picture."""

    dt: float
    truth: Floats  # (n, 6) x, y, theta, vx, vy, omega at the picture
    told: Floats  # (n, 3) body velocity from the picture on
    seen: Floats  # (n, 3) pose, NaN where it was missed
    noise: tuple[float, float]  # standard deviations of a place and of a heading
    grip: tuple[float, float]  # largest acceleration, straight and of turning


def run(args: Args, progress: Callable[[int], None]) -> Found:
    """Return errors of place, heading and velocity of four filters at the picture and 130 ms later; one picture."""
    errors: dict[str, list[Floats]] = {name: [] for name in NAMES}
    first: tuple[Drive, dict[str, Floats]] | None = None
    for k in range(args.seeds):
        recorded = driven(LEAGUE, args.seed + k)
        estimates = {name: FILTERS[name](recorded) for name in NAMES}
        first = first or (recorded, estimates)
        for name, estimate in estimates.items():
            errors[name].append(_errors(recorded, estimate))
        progress(k + 1)
    rows = [row for name in NAMES for row in _rows(name, np.array(errors[name]))]
    assert first is not None  # noqa: S101  there is at least one seed
    return Found(rows + _recorded(), {"beard-robot.svg": _picture(*first)})


def driven(league: str, seed: int) -> Drive:
    """Return a drive towards random velocities, a new one every third of a second, seen by the league's camera."""
    params = params_of(league, 1.0 / leagues.load(league).camera.rate, 2)
    optics = camera_params(leagues.load(league), seed)
    rng, n = np.random.default_rng(seed), round(SECONDS / params.dt)
    pose = np.array([(0.0, 0.0, 0.0), (0.9 * params.field.half_length, 0.8 * params.field.half_width, 0.0)])
    state = sim.place(sim.start(params), pose, np.array((-0.9 * params.field.half_length, 0.0)))
    truth, told, seen, aim, want = [], [], [], np.zeros(3), np.zeros(3)
    robot, noise = leagues.load(league).robot, (optics.noise_xy, optics.noise_theta)
    grip = robot.max_acceleration, robot.max_turn_acceleration
    for k in range(n):
        if k % 10 == 0:  # a velocity towards the middle, or nearly
            aim = np.array(
                (*(-1.2 * state.pose[0, :2] + 0.7 * rng.normal(size=2)), rng.uniform(-4.0, 4.0))
            )  # about the middle
        most = PART * params.dt * np.array((grip[0], grip[0], grip[1])) / (math.sqrt(2.0), math.sqrt(2.0), 1.0)
        want += np.clip(aim - want, -most, most)
        c, s = math.cos(state.pose[0, 2]), math.sin(state.pose[0, 2])
        body = np.array(((c * want[0] + s * want[1], c * want[1] - s * want[0], want[2]), (0.0, 0.0, 0.0)))
        [frame] = sim.expose(optics, state)[:1]
        poses = frame.robot_pose[frame.robot_team == 0]
        truth.append((*state.pose[0], *state.velocity[0]))
        told.append(body[0].copy())
        seen.append(poses[0] if len(poses) else np.full(3, math.nan))
        state = sim.step(params, state, drive(params, body))
    return Drive(params.dt, np.array(truth), np.array(told), np.array(seen), noise, grip)


def ours(d: Drive) -> Floats:
    """Return (n, 12): the state at each picture and 130 ms later; velocity goes towards the command."""
    x, p = np.array((*d.seen[0], 0.0, 0.0, 0.0)), np.diag((*(d.noise[0] ** 2,) * 2, d.noise[1] ** 2, 1e-4, 1e-4, 1e-2))
    work, out = np.empty((2, 6)), []
    for k in range(len(d.seen)):
        if k:
            _obey(x, p, d.told[k - 1], d.dt, d.grip)
        if np.isfinite(d.seen[k]).all():
            for i in range(3):
                r = d.noise[0 if i < 2 else 1] ** 2
                off = d.seen[k, i] - x[i]
                kalman.update_at(x, p, i, wrap(off) if i == 2 else off, r, work)
            x[2] = wrap(x[2])
        later, left = x.copy(), AHEAD
        for j in range(k, len(d.told)):
            _obey(later, p.copy(), d.told[j], min(left, d.dt), d.grip)
            left -= min(left, d.dt)
        out.append((*x, *later))
    return np.array(out)


def _obey(x: Floats, p: Floats, told: Floats, dt: float, grip: tuple[float, float]) -> None:
    """Move x and p on under a body velocity: towards it within LAGS, but no faster than its motors can."""
    h = 0.25 * dt
    if h <= 0.0:
        return
    for _ in range(4):
        c, s = math.cos(x[2]), math.sin(x[2])
        want = np.array((c * told[0] - s * told[1], s * told[0] + c * told[1], told[2]))
        f, missing = np.eye(6), want - x[3:]
        share = 1.0 - np.exp(-h / LAGS)
        for part, most in ((slice(0, 2), grip[0]), (slice(2, 3), grip[1])):
            share[part] = min(share[part][0], most * h / max(1e-9, float(np.linalg.norm(missing[part]))))
        x[:3] += (x[3:] + 0.5 * share * missing) * h
        x[3:] += share * missing
        f[:3, 3:] = np.diag((1.0 - 0.5 * share) * h)
        f[3:, 3:] = np.diag(1.0 - share)
        slope = share[:2] * np.array((-want[1], want[0]))  # erratum: A = 0 has no column dR/dphi u
        f[:2, 2] += 0.5 * h * slope
        f[3:5, 2] += slope
        kalman.carry(p, f, np.empty((6, 6)))
        for i in range(3):
            kalman.shake(p, i, i + 3, WANDER if i < 2 else TURNING, h)
    x[2] = wrap(x[2])


def paper(d: Drive, printed: bool = False) -> Floats:
    """Return the same of [Beard, Eqs. 17-21] with ten sub-steps: the velocity is the command.

    Mended: commands are turned into the field frame and heading innovations wrapped; printed: neither, erratum.
    """
    x, p, work = d.seen[0].copy(), np.eye(3), np.empty((2, 3, 3))
    zero, out = np.zeros((3, 3)), []
    for k in range(len(d.seen)):
        if k:
            euler.advance(x, p, zero, _field(x, d.told[k - 1], printed), np.diag(SLIP), d.dt, 10.0, work)
        if np.isfinite(d.seen[k]).all():
            for i in range(3):
                off = d.seen[k, i] - x[i]
                off = wrap(off) if i == 2 and not printed else off
                euler.update(x, p, np.eye(3)[i], off, d.noise[0 if i < 2 else 1] ** 2, work[0])
        now, later = _field(x, d.told[k], printed), x.copy()
        for j in range(10):
            told = d.told[min(len(d.told) - 1, k + int(0.1 * j * AHEAD / d.dt))]
            later += 0.1 * AHEAD * _field(later, told, printed)
        out.append((*x, *now, *later, *now))
    return np.array(out)


def _field(x: Floats, told: Floats, printed: bool) -> Floats:
    if printed:
        return told
    c, s = math.cos(x[2]), math.sin(x[2])
    return np.array((c * told[0] - s * told[1], s * told[0] + c * told[1], told[2]))


def differences(d: Drive) -> Floats:
    """Return the same by the last two pictures, at constant velocity."""
    out, last, before, t0, t1 = [], d.seen[0], d.seen[0], 0.0, 0.0
    for k in range(len(d.seen)):
        if np.isfinite(d.seen[k]).all() and k:
            before, last, t0, t1 = last, d.seen[k], t1, k * d.dt
        v = np.zeros(3) if t1 == t0 else (last - before) / (t1 - t0)
        if t1 > t0:
            v[2] = turn(float(last[2]), float(before[2])) / (t1 - t0)
        now = last + v * (k * d.dt - t1)
        out.append((*now, *v, *(now + v * AHEAD), *v))
    return np.array(out)


FILTERS: dict[str, Callable[[Drive], Floats]] = {
    "ours": ours,
    "paper's Euler": paper,
    "paper's, printed": lambda d: paper(d, printed=True),
    "finite differences": differences,
}


def _errors(d: Drive, estimate: Floats) -> Floats:
    """Return rms of place [mm], heading [deg], velocity [m/s] at the picture, then place and heading 130 ms later."""
    n = len(d.truth) - 1 - math.ceil(AHEAD / d.dt)
    skip, k = 10, AHEAD / d.dt
    i = int(k)
    later = d.truth[i : i + n] * (1.0 - (k - i)) + d.truth[i + 1 : i + 1 + n] * (k - i)
    later[:, 2] = d.truth[i : i + n, 2] + (k - i) * _wrapped(d.truth[i + 1 : i + 1 + n, 2] - d.truth[i : i + n, 2])
    off, ahead = (estimate[:n, :6] - d.truth[:n])[skip:], (estimate[:n, 6:] - later)[skip:]
    place, far = (1e3 * rms(np.hypot(e[:, 0], e[:, 1])) for e in (off, ahead))
    angles = [math.degrees(rms(_wrapped(e[:, 2]))) for e in (off, ahead)]
    return np.array((place, angles[0], rms(np.hypot(off[:, 3], off[:, 4])), far, angles[1]))


def _wrapped(a: Floats) -> Floats:
    return np.asarray((a + math.pi) % math.tau - math.pi)


def _rows(name: str, errors: Floats) -> list[Row]:
    labels = ("place", "heading", "velocity", "place 130 ms later", "heading 130 ms later")
    units = ("mm", "deg", "m/s", "mm", "deg")
    return [
        spread(f"{name}: {label}", errors[:, k].tolist(), unit)
        for k, (label, unit) in enumerate(zip(labels, units, strict=True))
    ]


def _recorded() -> list[Row]:
    """Return how well recorded robots are foretold, where there are recordings: all samples, and those that move."""
    where, rows = recordings.folder("byu"), list[Row]()
    for path in sorted(where.glob("ally*.csv.gz")) if where else []:
        mine, on, way, _ = foretelling.foretold(recordings.watched(path), foretelling.robot_params(), 0.3)
        name = path.name.partition(".")[0]
        for which, some in (("all", way >= 0.0), ("moving", way > foretelling.MOVED)):
            if not some.any():
                continue
            for label, off in (("ours", mine), ("constant velocity", on), ("stands still", way)):
                what = f"recorded {name}, 300 ms ahead, median, {which} ({some.sum()}): {label}"
                rows.append(compared(what, None, 1e3 * float(np.median(off[some])), "mm"))
    return rows


def _picture(d: Drive, estimates: dict[str, Floats]) -> str:
    """Return the way of a drive, its slowest part enlarged, and errors of what was foretold."""
    n, k, ours = round(SHOWN / d.dt), AHEAD / d.dt, estimates["ours"]
    first = 30 + int(np.argmin([np.ptp(d.truth[i : i + NEAR, :2], axis=0).max() for i in range(30, n - NEAR)]))
    part = slice(first, first + NEAR)
    x0, x1, y0, y1 = _around(np.vstack((d.truth[part, :2], ours[part, :2])))
    frame = Line([x0, x1, x1, x0, x0], [y0, y0, y1, y1, y0], "", INK, "", 1.0)
    above = [
        _way(f"A drive of {SHOWN:g} s", "m", d, ours, slice(0, n), (frame,)),
        _way("What the frame holds", "mm", d, ours, part),
    ]
    truth = np.stack([np.interp(np.arange(n) + k, np.arange(len(d.truth)), d.truth[:, i]) for i in range(2)], axis=1)
    marks = []
    for name in NAMES:
        off = 1e3 * np.hypot(*(estimates[name][:n, 6:8] - truth).T)
        marks.append(Line(d.dt * np.arange(n), off, name, COLOURS[name]))
    below = chart("Error 130 ms later", Axis("time [s]"), Axis("error [mm]", 0.1, 300.0, log=True), marks, 880)
    return page(
        [above, [below]], "A robot's way as it was, was seen and was estimated; errors of four filters 130 ms later"
    )


def _way(title: str, unit: str, d: Drive, ours: Floats, some: slice, under: tuple[Mark, ...] = ()) -> Panel:
    """Return a part of the true way and what was made of it, in mm what was seen too; both axes have one scale."""
    large = unit == "mm"
    truth, seen, found = ((1e3 if large else 1.0) * rows[some, :2] for rows in (d.truth, d.seen, ours))
    seen = seen[np.isfinite(seen[:, 0])]
    pen = (GREEN, "", 2.0) if large else (GREEN + "88", "", 6.0)
    marks: list[Mark] = [*under, Line(found[:, 0], found[:, 1], "ours", *pen)]
    marks.append(Line(truth[:, 0], truth[:, 1], "truth", INK, "", 1.5))
    if large:
        marks += [Dots(found[:, 0], found[:, 1], "", GREEN, 4.0), Dots(truth[:, 0], truth[:, 1], "", INK, 2.5)]
        marks.append(Dots(seen[:, 0], seen[:, 1], "seen", RED, 2.5))
    x0, x1, y0, y1 = _around(np.vstack((truth, found)))
    return chart(title, Axis(f"x [{unit}]", x0, x1), Axis(f"y [{unit}]", y0, y1), marks)


def _around(way: Floats) -> tuple[float, float, float, float]:
    """Return the smallest window around a way that has the form of a chart, with some room."""
    low, high = way.min(axis=0), way.max(axis=0)
    half = 0.58 * max(float(high[0] - low[0]), float(high[1] - low[1]) / FLAT)
    x, y = (0.5 * (low + high)).tolist()
    return x - half, x + half, y - FLAT * half, y + FLAT * half
