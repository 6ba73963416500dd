"""What collisions look like to the filter: predicted outlines beside the true ones, and errors over frames."""

import math
from collections.abc import Sequence

import numpy as np

from tikitaka.lab.mi20_errors import Errors, robots_of
from tikitaka.lab.mi20_scenes import APPROACH, TABLES, Stream
from tikitaka.lab.plot import (
    BLUE,
    GREEN,
    INK,
    RED,
    Axis,
    Band,
    Dots,
    Line,
    Mark,
    Note,
    Panel,
    chart,
    number,
    page,
    path,
    text,
)
from tikitaka.types import Floats

Runs = Sequence[tuple[Stream, Errors, Errors]]  # never and always corrected
SHOWN = 300  # [px] width of a moment
AROUND = 0.17  # [m] from its middle to its edge
HEAD, EDGE = 44, 8  # [px]
FRAMES = np.arange(-5, 12)  # of the mean error, from the first contact


def drawn(table: int, runs: Runs) -> str:
    """Return the figure of a table: three moments of one collision, its errors, and those of all."""
    peaks = [float(np.nanmax(off.predicted)) for _, off, _ in runs]
    stream, off, on = runs[int(np.argsort(peaks)[len(peaks) // 2])]  # the collision in the middle
    worst = int(np.argmax(off.predicted[1:].max(axis=1))) + 1
    moments = [_moment(stream, off, on, k, k - worst) for k in (worst - 1, worst, worst + 1)]
    return page([moments, [_one(stream, off, on), _all(table, runs)]], "Predictions through a collision of robots")


def _one(stream: Stream, off: Errors, on: Errors) -> Panel:
    """Return the error of the robot that was predicted worst over the frames of one collision [MI20, Fig. 14]."""
    worst = int(np.argmax(off.predicted[1:].max(axis=0)))
    frames, high = np.arange(1, len(stream.time)), 100.0 * float(np.nanmax(off.predicted))
    marks: list[Mark] = [Note(2.0, 1.08 * high, "typical"), Note(APPROACH + 2, 1.08 * high, "in contact")]
    for values, name, colour in ((off.predicted, "prediction", RED), (on.corrected, "correction", GREEN)):
        y = 100.0 * values[1:, worst]
        marks += [Line(frames, y, name, colour), Dots(frames, y, "", colour, 2.0)]
    about = "One robot in one collision, as in Figs. 13 and 14"
    return chart(about, Axis("frame"), Axis("distance to measurement [cm]", 0.0, 1.2 * high), marks, 450, 300)


def _all(table: int, runs: Runs) -> Panel:
    """Return mean and spread of the errors of the worst robot over frames from the first contact."""
    rows = {RED: list[Floats](), GREEN: list[Floats]()}
    for stream, off, on in runs:
        at = np.clip(int(np.argmax(stream.touching.any(axis=1))) + FRAMES, 1, len(stream.time) - 1)
        rows[RED].append(100.0 * off.predicted[at].max(axis=1))
        rows[GREEN].append(100.0 * on.corrected[at].max(axis=1))
    marks = list[Mark]()
    for colour, name in ((RED, "prediction"), (GREEN, "correction")):
        low, middle, high = np.percentile(np.array(rows[colour]), (10.0, 50.0, 90.0), axis=0)
        marks += [Band(FRAMES, low, high, "", colour), Line(FRAMES, middle, name, colour)]
    about, speed = f"{len(runs)} collisions, worst robot: median, 10-90 %", TABLES[table].speed
    x = Axis(f"frames from the first contact; {speed:g} m/s are {speed / 0.3:.1f} cm a frame")
    return chart(about, x, Axis("distance to measurement [cm]", 0.0), marks, 450, 300)


def _moment(stream: Stream, off: Errors, on: Errors, frame: int, after: int) -> Panel:
    """Return true outlines at a frame, and where they were predicted to be without and with correction."""
    middle, h, w = stream.pose[frame, :, :2].mean(axis=0), *robots_of(stream.league, stream.robots).body[:2]
    corners, nose = np.array(((h, w), (-h, w), (-h, -w), (h, -w))), np.array(((h, 0.0), (0.4 * h, 0.0)))
    parts = [text(EDGE, 18, f"{1e3 * stream.time[frame]:.0f} ms", 14, bold=True), text(EDGE, 36, _words(after), 12)]
    for i in range(stream.robots):
        ways = np.array([stream.pose[k, i, :2] for k in range(max(0, frame - 4), frame + 1)])
        parts.append(f'<polyline points="{path(_pixels(ways, middle))}" fill="none" stroke="{INK}" stroke-width="1"/>')
        for pose, colour, style in (
            (stream.pose[frame, i], BLUE, 'stroke-width="1.5" fill-opacity="0.25"'),
            (off.alone[frame, i], RED, 'stroke-width="2" fill-opacity="0" stroke-dasharray="5 3"'),
            (on.together[frame, i], GREEN, 'stroke-width="2" fill-opacity="0"'),
        ):
            pen = f'fill="{colour}" stroke="{colour}" {style}'
            parts.append(f'<polygon points="{path(_pixels(_placed(corners, pose), middle))}" {pen}/>')
            parts.append(f'<polyline points="{path(_pixels(_placed(nose, pose), middle))}" {pen}/>')
    box = f'x="{EDGE}" y="{HEAD}" width="{number(SHOWN - 2 * EDGE)}" height="{number(SHOWN - 2 * EDGE)}"'
    clip = f'viewBox="{EDGE} {HEAD} {number(SHOWN - 2 * EDGE)} {number(SHOWN - 2 * EDGE)}"'
    inner = [
        f"<svg {box} {clip}>",
        *parts[2:],
        "</svg>",
        f'<rect {box} fill="none" stroke="{INK}" stroke-width="0.5"/>',
    ]
    return Panel(SHOWN, HEAD + SHOWN - EDGE, "\n".join(parts[:2] + inner))


def _words(after: int) -> str:
    if after < 0:
        return "blue: true, red: predicted, green: corrected"
    return "the frame that was predicted worst" if after == 0 else "the next one"


def _pixels(xy: Floats, middle: Floats) -> list[tuple[float, float]]:
    scale, half = (0.5 * SHOWN - EDGE) / AROUND, 0.5 * SHOWN - EDGE
    x, y = EDGE + half + scale * (xy[:, 0] - middle[0]), HEAD + half - scale * (xy[:, 1] - middle[1])
    return list(zip(x.tolist(), y.tolist(), strict=True))


def _placed(points: Floats, pose: Floats) -> Floats:
    c, s = math.cos(pose[2]), math.sin(pose[2])
    return np.asarray(pose[:2] + points @ np.array(((c, s), (-s, c))))
