"""Beard 2.4, 3.2: a ball foretold through bounces: ours, constant velocity, the paper's Euler filter; its friction."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tikitaka import league as leagues
from tikitaka import sim
from tikitaka.estimate import ball
from tikitaka.estimate.kernels import euler
from tikitaka.estimate.kernels.rolling import COULOMB, VISCOUS
from tikitaka.lab import foretelling, recordings
from tikitaka.lab.plot import BLUE, GREEN, INK, ORANGE, RED, Axis, Band, Dots, Line, Mark, Panel, chart, page
from tikitaka.lab.report import Found, Row, compared
from tikitaka.lab.spreads import spread
from tikitaka.lab.staging import drive, params_of
from tikitaka.loop.build import camera_params
from tikitaka.types import Field, Floats

LEAGUE = "byu-2v2"  # walls, carpet, an overhead camera
SECONDS = 3.0  # [s] of a roll
AHEAD = (0.1, 0.3, 0.5)  # [s]
FIRST = 5  # pictures before predictions count
STEPS = 10.0  # sub-steps of the paper's filter, N
FORCES = 0.005  # [m^2/s^3] Q of the paper's filter, as ours
COLOURS = {"ours": GREEN, "paper's, walls mended": BLUE, "paper's, printed": RED, "constant velocity": INK}
NAMES = tuple(COLOURS)
CIRCLE = np.linspace(0.0, math.tau, 40)
HALF, HIGH = 440.0, 339.0  # [px] width of a chart, half the page's, and height of the upper ones
WIDE, FLAT = 210.0, 243.0 / 364.0  # [cm] drawn from the centre, and the form of what is between their axes


@dataclass(frozen=True, slots=True)
class Args:
    """How many seeds of eight rolls each; the league is always the notes' own, byu-2v2."""

    league: str = LEAGUE
    seed: int = 0
    seeds: int = 8
    rolls: int = 8


@dataclass(frozen=True, slots=True)
class Roll:
    """A ball on a pitch with robots that stand, picture by picture."""

    params: sim.Params
    states: list[sim.State]
    seen: list[Floats]  # (k, 2) each
    robots: Floats  # (n, 6)


def run(args: Args, progress: Callable[[int], None]) -> Found:
    """Return median errors 100, 300 and 500 ms ahead, friction and NIS; a picture of one roll and of the errors."""
    errors: dict[str, list[Floats]] = {name: [] for name in NAMES}
    friction, nis, shown = list[float](), list[float](), None
    for k in range(args.seeds):
        rolls = [rolled(LEAGUE, 1000 * (args.seed + k) + j) for j in range(args.rolls)]
        shown = shown or rolls[0]
        found = {name: [FILTERS[name](LEAGUE, roll) for roll in rolls] for name in NAMES}
        for name in NAMES:
            errors[name].append(_medians([_errors(r, f[0]) for r, f in zip(rolls, found[name], strict=True)]))
        tracks = [track for _, track in found["ours"] if track is not None]
        friction.append(float(np.mean([abs(t.friction - rolls[0].params.ball.rolling_deceleration) for t in tracks])))
        nis.append(float(np.sum([t.nis[0] for t in tracks]) / np.sum([t.nis[1] for t in tracks])))
        progress(k + 1)
    rows = [
        spread(f"{name}: {1e3 * ahead:.0f} ms ahead, median", np.array(errors[name])[:, i].tolist(), "mm")
        for i, ahead in enumerate(AHEAD)
        for name in NAMES
    ]
    rows += [
        spread("ours: error of friction after a roll", friction, "m/s^2"),
        spread("ours: NIS, 2 is right", nis, "1"),
    ]
    assert shown is not None  # noqa: S101  there is at least one seed
    return Found(rows + _sign_rows() + _recorded(), {"beard-ball.svg": _picture(LEAGUE, shown, errors)})


def believed(league: str) -> ball.BallParams:
    """Return what a team believes of the ball, by the league's numbers; friction is only roughly known."""
    lg = leagues.load(league)
    b, r, c = lg.ball, lg.robot, lg.camera
    hull = (-r.bounding_radius, r.mouth or r.bounding_radius, r.bounding_radius, r.bounding_radius)
    if r.length and r.width:
        hull = (-0.5 * r.length, 0.5 * r.length, 0.5 * r.width, r.bounding_radius)
    viscous = b.rolling_deceleration == 0.0
    mean = b.rolling_damping if viscous else b.rolling_deceleration
    return ball.BallParams(
        ball.edges_of(lg.field.geometry()), radius=b.radius, body=hull, noise=c.noise_xy, noise_growth=c.noise_growth,
        friction=ball.Friction.VISCOUS if viscous else ball.Friction.COULOMB,
        friction_mean=0.7 * mean, friction_spread=0.3 * mean, restitution_wall=b.restitution_wall,
        restitution_robot=b.restitution_robot, restitution_ground=b.restitution_ground, robot_mass=r.mass / b.mass,
        camera=(0.0, 0.0, c.height, math.hypot(lg.field.length, lg.field.width) / 2.0), forces=FORCES,
        robot_height=r.height,
    )  # fmt: skip


def rolled(league: str, seed: int) -> Roll:
    """Return a ball that rolls at 1 to 3 m/s among robots that stand anywhere."""
    rate = leagues.load(league).camera.rate
    params, optics = params_of(league, 1.0 / rate), camera_params(leagues.load(league), seed)
    rng, state = np.random.default_rng(seed), sim.scenes.crowd(params_of(league, 1.0 / rate), seed)
    speed, angle = rng.uniform(1.0, 3.0), rng.uniform(-math.pi, math.pi)
    state.ball[2:4] = state.ball[6:8] = speed * math.cos(angle), speed * math.sin(angle)
    states, seen, still = [state], [sim.expose(optics, state)[0].ball_xy], drive(params, np.zeros((params.robots, 3)))
    for _ in range(round(SECONDS * rate)):
        states.append(sim.step(params, states[-1], still))
        seen.append(sim.expose(optics, states[-1], states[-2])[0].ball_xy)
    return Roll(params, states, seen, np.concatenate((state.pose, state.velocity), axis=1))


def ours(league: str, roll: Roll) -> tuple[Floats, ball.BallTrack | None]:
    """Return where the ball is foretold to be (n, 3, 2) at each picture, NaN before it is seen; and the track."""
    params, dt, out = believed(league), roll.params.dt, []
    track = ball.start(params)
    for k, xy in enumerate(roll.seen):
        now = roll.states[k]
        robots = np.concatenate((now.pose, now.velocity), axis=1)
        track = ball.step(params, track, k * dt, xy, robots)
        out.append([ball.predict(params, track, k * dt + a, robots, k * dt)[0][:2] for a in AHEAD])
    return np.array(out), track


def straight(_: str, roll: Roll) -> tuple[Floats, None]:
    """Return the same by the last two pictures, at constant velocity. [Beard, sec. 2.4]"""
    out, dt, last, before, t0, t1 = [], roll.params.dt, np.full(2, math.nan), np.full(2, math.nan), 0.0, 1.0
    for k, xy in enumerate(roll.seen):
        if len(xy):
            before, last, t0, t1 = last, xy[0], t1, k * dt
        v = (last - before) / (t1 - t0) if t1 != t0 else np.zeros(2)
        out.append([last + v * (k * dt - t1 + a) for a in AHEAD])
    return np.array(out), None


def paper(league: str, roll: Roll, printed: bool = False) -> tuple[Floats, None]:
    """Return the same of [Beard, Algorithm 3]: Euler's steps; the mean alone knows of walls, nothing of robots.

    Printed: elastic walls that stand where the ball's centre may not be; mended: a radius before, with restitution.
    """
    params, dt, out, seen = believed(league), roll.params.dt, [], 0
    x, p = np.zeros(5), np.diag((params.noise**2, params.noise**2, 1.0, 1.0, params.friction_spread**2))
    field, e, r = roll.params.field, 1.0 if printed else params.restitution_wall, 0.0 if printed else params.radius
    work = np.empty((3, 5, 5))
    for xy in roll.seen:
        if seen:
            _euler(x, p, dt, field, e, r, work)
        if len(xy) and not seen:
            x[:] = (*xy[0], 0.0, 0.0, params.friction_mean)
        elif len(xy):
            for i in range(2):
                euler.update(x, p, np.eye(5)[i], float(xy[0, i] - x[i]), params.noise**2, np.empty((2, 5)))
        seen += bool(len(xy))
        places = []
        for a in AHEAD:
            y = x.copy()
            _euler(y, p.copy(), a, field, e, r, work)
            places.append(y[:2].copy())
        out.append(places if seen else np.full((3, 2), math.nan))
    return np.array(out), None


def _euler(x: Floats, p: Floats, dt: float, field: Field, e: float, r: float, work: Floats) -> None:
    """Move on in sub-steps of a tenth of a picture, mirrored at the walls after each."""
    steps = max(1, round(dt * 30.0 * STEPS))
    for _ in range(steps):
        euler.advance_ball(x, p, COULOMB, FORCES, dt / steps, 1.0, -1.0, work)
        for i, edge in enumerate((field.half_length - r, field.half_width - r)):
            if abs(x[i]) > edge:
                x[i] = math.copysign(2.0 * edge, x[i]) - x[i]
                x[i + 2] *= -e


FILTERS: dict[str, Callable[[str, Roll], tuple[Floats, ball.BallTrack | None]]] = {
    "ours": ours,
    "paper's, walls mended": paper,
    "paper's, printed": lambda league, roll: paper(league, roll, printed=True),
    "constant velocity": straight,
}


def _errors(roll: Roll, foretold: Floats) -> Floats:
    """Return (n, 3) errors [m] of predictions whose time came while the roll lasted, NaN else."""
    truth, n = np.array([s.ball[:2] for s in roll.states]), len(roll.states)
    out = np.full((n, 3), math.nan)
    for i, ahead in enumerate(AHEAD):
        later = round(ahead / roll.params.dt)
        off = foretold[FIRST : n - later, i] - truth[FIRST + later :]
        out[FIRST : n - later, i] = np.hypot(off[:, 0], off[:, 1])
    return out


def _medians(errors: list[Floats]) -> Floats:
    """Return medians [mm] over rolls; an estimate that is no number is as far off as can be."""
    every = [np.concatenate([np.nan_to_num(e[FIRST:-15, i], nan=1e3) for e in errors]) for i in range(3)]
    return np.array([1e3 * float(np.median(e)) for e in every])


def _sign_rows() -> list[Row]:
    """Return the friction that the filter of sec. 3.2 finds with both signs of its column; the ball's is 0.5 1/s.

    "noted" is what the errata found on another course; no paper prints it.
    """
    rows = []
    for name, sign, known in (("mended", -1.0, 0.5), ("printed", 1.0, -4.65)):
        rng, x, work = np.random.default_rng(0), np.array((0.0, 0.0, 2.0, 1.0, 0.3)), np.empty((3, 5, 5))
        p = np.diag((1e-6, 1e-6, 0.01, 0.01, 0.04))
        for k in range(1, 61):
            place = np.array((2.0, 1.0)) * -math.expm1(-0.5 * k / 30.0) / 0.5
            euler.advance_ball(x, p, VISCOUS, 0.01, 1.0 / 30.0, 20.0, sign, work)
            for i in range(2):
                euler.update(x, p, np.eye(5)[i], float(place[i] + 1e-3 * rng.normal() - x[i]), 1e-6, np.empty((2, 5)))
        rows.append(compared(f"sec. 3.2, friction column {name}: mu (noted: {known:g})", None, float(x[4]), "1/s"))
    return rows


def _recorded() -> list[Row]:
    """Return how well recorded balls are foretold, where there are recordings."""
    where, rows = recordings.folder("byu"), list[Row]()
    field = leagues.load(LEAGUE).field.geometry()
    for path in sorted(where.glob("ball*.csv.gz")) if where else []:
        name, seen = path.name.partition(".")[0], recordings.watched(path)
        for ahead in (0.1, 0.3):
            mine, on, way, _ = foretelling.foretold(seen, foretelling.ball_params(field), ahead)
            for label, off in (("ours", mine), ("constant velocity", on), ("stands still", way)):
                for which, some in (("all", way >= 0.0), ("moving", way > foretelling.MOVED)):
                    if not some.any():
                        continue
                    what = f"recorded {name}, {1e3 * ahead:.0f} ms ahead, median, {which} ({some.sum()}): {label}"
                    rows.append(compared(what, None, 1e3 * float(np.median(off[some])), "mm"))
    return rows


def _picture(league: str, roll: Roll, errors: dict[str, list[Floats]]) -> str:
    """Return one roll with what was foretold of it, how far that was off, and the medians of all rolls."""
    params, track = believed(league), ball.start(believed(league))
    for k, xy in enumerate(roll.seen[:15]):
        track = ball.step(params, track, k * roll.params.dt, xy, roll.robots)
    t = np.linspace(0.0, 1.5, 46)
    way = [ball.predict(params, track, track.time + a, roll.robots) for a in t]
    mean, sigma = np.array([m[:2] for m, _ in way]), np.array([math.sqrt(p[0, 0] + p[1, 1]) for _, p in way])
    k = round(track.time / roll.params.dt)
    later = np.array([s.ball[:2] for s in roll.states])[k : k + len(t)]
    off = np.hypot(*(mean[: len(later)] - later).T)
    marks: list[Mark] = [
        Line(t, 1e3 * sigma, "our standard deviation", ORANGE, "5 4"),
        Dots(t[: len(off)], 1e3 * off, "our error", GREEN, 2.0),
    ]
    one = chart("The error of this prediction", Axis("ahead [s]"), Axis("error [mm]", 0.0), marks, HALF, HIGH)
    return page(
        [[_pitch(roll, mean), one], [_all(errors)]],
        "A ball's way over a pitch and what was foretold of it, its error, and the medians of four filters",
    )


def _pitch(roll: Roll, foretold: Floats) -> Panel:
    """Return the walls, robots that stand, the ball's way, where it was seen, and where it was foretold to go [cm]."""
    f, truth, seen = roll.params.field, np.array([s.ball[:2] for s in roll.states]), np.concatenate(roll.seen)
    x, y, goal = f.half_length, f.half_width, 0.5 * f.goal_width
    right = [(x, -y), (x, -goal), (x + f.goal_depth, -goal), (x + f.goal_depth, goal), (x, goal), (x, y)]
    wall = np.array([*right, *((-a, -b) for a, b in right), right[0]])
    edge = np.stack((np.cos(CIRCLE), np.sin(CIRCLE)), axis=1) * roll.params.robot.outline.corners[0][2]
    marks: list[Mark] = [_line(wall, "", INK, 1.0)]
    marks += [_line(xy + edge, "" if k else "robots", BLUE, 1.5) for k, xy in enumerate(roll.robots[:, :2])]
    marks += [_line(foretold, "foretold", GREEN + "88", 5.0), _line(truth, "true way", INK, 1.5)]
    marks.append(Dots(1e2 * seen[:, 0], 1e2 * seen[:, 1], "seen", ORANGE, 1.5))
    x_axis, y_axis = Axis("x [cm]", -WIDE, WIDE), Axis("y [cm]", -WIDE * FLAT, WIDE * FLAT)
    return chart(f"A roll of {SECONDS:g} s; 1.5 s foretold after 0.5 s", x_axis, y_axis, marks, HALF, HIGH)


def _line(way: Floats, name: str, colour: str, width: float) -> Line:
    return Line(1e2 * way[:, 0], 1e2 * way[:, 1], name, colour, "", width)


def _all(errors: dict[str, list[Floats]]) -> Panel:
    """Return the medians, the mean of the seeds with its 95 % interval."""
    x, marks = [1e3 * ahead for ahead in AHEAD], list[Mark]()
    for name, found in errors.items():
        rows = [spread(name, column, "mm") for column in np.array(found).T.tolist()]
        mean = [row.ours for row in rows]
        low = [row.ours if row.low is None else row.low for row in rows]
        high = [row.ours if row.high is None else row.high for row in rows]
        marks += [Band(x, low, high, "", COLOURS[name]), Line(x, mean, name, COLOURS[name])]
        marks.append(Dots(x, mean, "", COLOURS[name]))
    title = f"Medians of all rolls: mean of {len(errors['ours'])} seeds, 95 % interval"
    return chart(title, Axis("ahead [ms]"), Axis("error [mm]", 1.0, 100.0, log=True), marks, 2.0 * HALF)
