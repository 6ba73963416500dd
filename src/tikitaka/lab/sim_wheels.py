"""Wheel step response: command, tyres and body over time, and the slip between them, on two floors."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from tikitaka import sim
from tikitaka.geom.drive import body_matrix
from tikitaka.lab.plot import BLUE, INK, RED, Axis, Band, Line, Panel, chart, page
from tikitaka.lab.report import Found, Row, compared
from tikitaka.lab.staging import drive, params_of, play, roomy, times, top_speed
from tikitaka.sim.drive import rows as wheel_rows
from tikitaka.types import Floats

DT = 0.001
GO, STOP, END = 0.1, 2.3, 4.5  # [s] when the robot is told to drive, to stop, and when we stop looking
SLIPPERY = 0.3  # of the league's traction
PRINTED = {"mirosot-5v5": (4.0, 10.0)}  # [m/s], [m/s^2] [Austro, sec. 2.1.1]: RobySpeed


@dataclass(frozen=True, slots=True)
class Args:
    """Which league is shown beside the SSL."""

    league: str = "mirosot-5v5"
    seed: int = 0
    seeds: int = 1


@dataclass(frozen=True, slots=True)
class _Response:
    """Speeds along the robot's way."""

    time: Floats
    command: Floats
    tyres: Floats  # the least-squares fit to all wheels
    body: Floats


def run(args: Args, progress: Callable[[int], None]) -> Found:
    """Return top speed, acceleration and slip of a straight start and stop; one picture."""
    panels, rows = list[list[Panel]](), list[Row]()
    for name in dict.fromkeys((args.league, "ssl-b")):
        params = roomy(params_of(name, DT, 2))
        less = replace(params.robot.drive, traction=SLIPPERY * params.robot.drive.traction)
        own, slippery = _response(params), _response(replace(params, robot=replace(params.robot, drive=less)))
        rows += _rows(name, own, PRINTED.get(name, (None, None)))
        rows += _rows(f"{name}, slippery", slippery, (None, None))
        mu = params.robot.drive.traction
        panels.append([_panel(f"{name}, traction {mu:g}", own), _panel(f"traction {SLIPPERY * mu:.2g}", slippery)])
    progress(1)
    return Found(rows, {"sim-wheels.svg": page(panels, "Speeds of command, tyres and body: a robot starts and stops")})


def _response(params: sim.Params) -> _Response:
    f, d = params.field, params.robot.drive
    speed = top_speed(params)
    ahead = np.array([(speed, 0.0, 0.0), (0.0, 0.0, 0.0)])
    pose = np.array([(-0.9 * f.half_length, 0.0, 0.0), (0.0, 0.8 * f.half_width, 0.0)])
    start = sim.place(sim.start(params), pose, np.array((0.0, -0.8 * f.half_width)))
    moments = play(params, start, END, lambda t, _: drive(params, ahead * _on(t + 0.5 * DT)))
    time, body_from_wheels = times(params, moments), body_matrix(wheel_rows(d) / d.wheel_radius)
    tyres = np.array([body_from_wheels[0] @ m.spin[0] for m in moments])
    body = np.array([m.velocity[0, 0] for m in moments])
    return _Response(time, speed * _on(time), tyres, body)


def _on(t: float | Floats) -> Floats:
    return np.asarray((np.asarray(t) >= GO) & (np.asarray(t) < STOP), np.float64)


def _rows(label: str, r: _Response, printed: tuple[float | None, float | None]) -> list[Row]:
    first, fast = (r.time >= GO) & (r.time <= GO + 0.1), r.body >= 0.95 * r.command.max()
    slope = float(np.polyfit(r.time[first], r.body[first], 1)[0])
    rows = [
        compared(f"{label}: top speed", printed[0], float(r.body.max()), "m/s"),
        compared(f"{label}: first acceleration", printed[1], slope, "m/s^2"),
        compared(f"{label}: largest slip", None, float(np.abs(r.tyres - r.body).max()), "m/s"),
    ]
    if not fast.any():
        return rows
    return [*rows, compared(f"{label}: time to 95 % of the command", None, float(r.time[fast][0]) - GO, "s")]


def _panel(title: str, r: _Response) -> Panel:
    marks = (
        Band(r.time, r.body, r.tyres, "slip", RED),
        Line(r.time, r.command, "command", INK, "5 4", 1.5),
        Line(r.time, r.tyres, "tyres", RED),
        Line(r.time, r.body, "body", BLUE),
    )
    top = 1.08 * float(r.command.max())
    return chart(title, Axis("time [s]", 0.0, END), Axis("speed [m/s]", -0.1 * top, top), marks)
