"""Free roll: a kicked ball slides, rolls and rests; Coulomb, viscous and both frictions beside their closed forms."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from tikitaka import sim
from tikitaka.lab.plot import BLUE, GREEN, INK, PURPLE, Axis, Dots, Line, Mark, Note, chart, page
from tikitaka.lab.report import Found, Row, compared
from tikitaka.lab.staging import drive, params_of, play, roomy, times
from tikitaka.types import Floats

DT, SECONDS = 1.0 / 60.0, 10.0
KICK = 3.0  # [m/s] without spin
DAMPING = 0.4  # [1/s] chosen: Klancar, Eq. 16, prints none
COLOURS = {"Coulomb": BLUE, "viscous": GREEN, "both": PURPLE}


@dataclass(frozen=True, slots=True)
class Args:
    """In which league."""

    league: str = "mirosot-5v5"
    seed: int = 0
    seeds: int = 1


def run(args: Args, progress: Callable[[int], None]) -> Found:
    """Return where the ball begins to roll and rests, and how far all is from the closed forms; one picture."""
    params = roomy(params_of(args.league, DT, 2))
    rows, speeds, ways = list[Row](), list[Mark](), list[Mark]()
    for name, colour in COLOURS.items():
        t, way, speed = _rolled(replace(params, ball=_ball(params.ball, name)))
        exact_way, exact_speed = closed_form(_ball(params.ball, name), t)
        some = slice(12, None, 24)
        speeds += [Line(t, speed, name, colour), Dots(t[some], exact_speed[some], "", colour)]
        ways += [Line(t, way, name, colour), Dots(t[some], exact_way[some], "", colour)]
        error = max(np.abs(way - exact_way).max(), np.abs(speed - exact_speed).max())
        rows.append(compared(f"{name}: way until rest or {SECONDS:g} s", None, float(way[-1]), "m"))
        rows.append(compared(f"{name}: largest error against the closed form", None, float(error), "m, m/s"))
    slides = 2.0 / 7.0 * KICK / (params.ball.sliding_friction * params.ball.gravity)
    rows.append(compared("slides before it rolls", None, slides, "s"))
    speeds.append(Note(slides + 0.2, 0.95 * KICK, f"slides for {slides:.2f} s, then rolls at 5/7 of the speed"))
    progress(1)
    x, dots = Axis("time [s]", 0.0, SECONDS), Dots([], [], "closed form", INK)
    panels = [
        chart(f"{args.league}: a kick of {KICK:g} m/s", x, Axis("speed [m/s]", 0.0, KICK), [*speeds, dots]),
        chart("How far it gets", x, Axis("way [m]", 0.0), [*ways, dots]),
    ]
    return Found(rows, {"sim-roll.svg": page([panels], "Speed and way of a ball that slides, rolls and rests")})


def closed_form(ball: sim.BallParams, t: Floats) -> tuple[Floats, Floats]:
    """Return way and speed of the kicked ball at times: sliding, then v' = -a - c v until it rests."""
    b, a, c = ball.sliding_friction * ball.gravity, ball.rolling_deceleration, ball.rolling_damping
    slides, v = 2.0 / 7.0 * KICK / b, 5.0 / 7.0 * KICK
    begin = 0.5 * (KICK + v) * slides
    rest = v / a if c == 0.0 else np.log1p(c * v / a) / c if a > 0.0 else np.inf
    u = np.clip(t - slides, 0.0, rest)
    if c == 0.0:
        way, speed = begin + v * u - 0.5 * a * u * u, v - a * u  # [Beard, sec. 2.4]
    else:
        fade = -np.expm1(-c * u) / c
        way, speed = begin + (v + a / c) * fade - a / c * u, v - (a + c * v) * fade  # [Klancar, Eq. 16], and Coulomb's
    early = t < slides
    return np.where(early, KICK * t - 0.5 * b * t * t, way), np.where(early, KICK - b * t, speed)


def _ball(ball: sim.BallParams, name: str) -> sim.BallParams:
    """Return the ball with one or both of the frictions; the league's Coulomb friction where it is one of them."""
    rolling = 0.0 if name == "viscous" else ball.rolling_deceleration
    return replace(ball, rolling_deceleration=rolling, rolling_damping=0.0 if name == "Coulomb" else DAMPING)


def _rolled(params: sim.Params) -> tuple[Floats, Floats, Floats]:
    """Return times, ways and speeds of the simulated ball."""
    pose = np.array([(0.0, 5.0, 0.0), (0.0, -5.0, 0.0)])
    start = sim.place(sim.start(params), pose, np.zeros(2))
    start.ball[2] = KICK
    moments = play(params, start, SECONDS, lambda *_: drive(params, np.zeros((2, 3))))
    ball = np.array([m.ball for m in moments])
    return times(params, moments), ball[:, 0], np.hypot(ball[:, 2], ball[:, 3])
