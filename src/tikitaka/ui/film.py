"""`tikitaka replay RUN --film FILE`: the last seconds before a goal as an SVG that moves, for a README or a talk.

Lengths in the picture are millimetres; y is turned over, so that +y is up.
"""

import math
from collections import deque
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tikitaka.errors import RunError, TikitakaError
from tikitaka.league import League
from tikitaka.loop.playback import Playback
from tikitaka.loop.snapshot import Snapshot
from tikitaka.types import EventKind, Field, Floats
from tikitaka.ui.scoreboard import clock

BEFORE = 7.0  # [s] shown before the goal
HOLD = 1.5  # [s] for which the last picture stands
RATE = 20.0  # [Hz] pictures, about; between them everything moves evenly
RIM = 0.03  # of half the pitch's length: room beyond a touch line that has a wall behind it
WIDTH = 760  # [px]
GHOSTS = 5  # where the ball was, one a picture
TURF, STRIPE, LINE = "#2f7d4a", "#348652", "#ffffffb0"
COLOURS = ("#4d8df0", "#f2c230")
BALL = "#ff7a1a"


@dataclass(frozen=True, slots=True)
class Scene:
    """What is shown: k pictures of 2n robots and a ball, and the words above them."""

    league: League
    names: tuple[str, str]
    before: tuple[int, int]  # the score in the pictures
    score: tuple[int, int]  # after them
    goal: bool  # the last picture is a goal
    end: float  # [s] of the match at the last picture
    pose: Floats  # (k, 2n, 3)
    ball: Floats  # (k, 2)
    rate: float  # [Hz] of the pictures

    @property
    def moving(self) -> float:
        """Seconds until the last picture."""
        return len(self.ball) / self.rate

    @property
    def whole(self) -> float:
        """Seconds until everything begins again."""
        return self.moving + HOLD


def write(run: Path, file: Path, goal: int | None) -> str:
    """Write the film of a goal, the last one when not told which, and return a line about it."""
    scene = shoot(Playback(run), goal)
    text = draw(scene)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise RunError(f"cannot write {file}: {error.strerror}; choose another --film") from None
    what = "a goal" if scene.goal else "the end of a match without a goal"
    return f"{file}: {what}, {scene.moving:.1f} s, {len(text.encode()) / 1000:.0f} kB"


def shoot(match: Playback, goal: int | None) -> Scene:
    """Return the pictures before a goal, counted from 1; the last one, or the end of a match without any."""
    if goal is not None and goal < 1:
        raise TikitakaError(f"--goal must be 1 or more, counted from the first of the match; got {goal}")
    every = max(1, round(match.rate / RATE))
    recent = deque[Snapshot](maxlen=round(BEFORE * match.rate / every))
    kept, goals, tick, score = list[Snapshot](), 0, 0, (0, 0)
    while not match.done and (goal is None or goals < goal):
        if tick % every == 0:
            recent.append(match.snapshot())
        tick += 1
        if any(event.kind == EventKind.GOAL for event in match.step()):
            goals, kept, score = goals + 1, list(recent), match.snapshot().score
    if goal is not None and goals < goal:
        what = f"must be in [1, {goals}], the goals of this match" if goals else "needs a goal, and this match has none"
        raise TikitakaError(f"--goal {what}; got {goal}")
    kept = kept or list(recent)
    pose, ball, last = np.array([shot.robots for shot in kept]), np.array([shot.ball for shot in kept]), kept[-1]
    ended = score if goals else last.score
    return Scene(match.league, match.names, last.score, ended, goals > 0, last.time, pose, ball, match.rate / every)


def draw(scene: Scene) -> str:
    """Return the moving picture."""
    f = scene.league.field.geometry()
    x, y = f.half_length + max(f.margin_x, f.goal_depth), f.half_width + max(f.margin_y, RIM * f.half_length)
    head = 0.11 * x
    box = f"{_mm(-x)} {_mm(-y - head)} {_mm(2 * x)} {_mm(2 * y + head)}"
    height = round(WIDTH * (2 * y + head) / (2 * x))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="{box}" '
        'font-family="system-ui, sans-serif">',
        _ground(f, x, y),
        _words(scene, x, y, head),
        '<g transform="scale(1,-1)">',
        *_ghosts(scene),
        *(_robot(scene, i) for i in range(scene.pose.shape[1])),
        _dot(scene, scene.ball, 1.0),
        "</g>",
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _ground(f: Field, x: float, y: float) -> str:
    stripes, w = list[str](), 2.0 * f.half_length / 10
    for k in range(0, 10, 2):
        left = -f.half_length + k * w
        stripes.append(_rect(left, -y, w, 2 * y, f'fill="{STRIPE}"'))
    pen = f'fill="none" stroke="{LINE}" stroke-width="{_mm(0.004 * f.length)}"'
    gx, gy, ax, ay = f.goal_depth, 0.5 * f.goal_width, f.area_length, 0.5 * f.area_width
    lines = [
        _rect(-f.half_length, -f.half_width, f.length, f.width, pen),
        f'<path d="M0 {_mm(-f.half_width)}V{_mm(f.half_width)}" {pen}/>',
        f'<circle r="{_mm(f.circle_radius)}" {pen}/>',
    ]
    for side in (-1.0, 1.0):
        inner = side * f.half_length - (ax if side > 0.0 else 0.0)
        lines.append(_rect(inner, -ay, ax, 2 * ay, pen))
        back = side * f.half_length - (0.0 if side > 0.0 else gx)
        lines.append(_rect(back, -gy, gx, 2 * gy, f'fill="#ffffff30" stroke="{LINE}" stroke-width="{_mm(0.004 * x)}"'))
    return "\n".join([_rect(-x, -y, 2 * x, 2 * y, f'fill="{TURF}"'), *stripes, *lines])


def _words(scene: Scene, x: float, y: float, head: float) -> str:
    font = f'y="{_mm(-y - 0.3 * head)}" font-size="{_mm(0.55 * head)}" fill="#fff" font-weight="600"'
    bar = f'<rect x="-50%" y="{_mm(-y - head)}" width="200%" height="{_mm(head)}" fill="#1c2733"/>'
    head_line = bar + _scores(scene, font) + _clock(scene, f'x="{_mm(-x + 0.4 * head)}" {font}')
    if not scene.goal:
        return head_line
    whole = scene.whole
    times = f"0;{scene.moving / whole:.4f};{1.0 - 0.8 * HOLD / whole:.4f};1"
    run = f'dur="{whole:g}s" repeatCount="indefinite"'
    fade = f'<animate attributeName="opacity" values="0;0;1;1" keyTimes="{times}" {run}/>'
    shout = f'<text font-size="{_mm(3.0 * head)}" text-anchor="middle" fill="#fff" font-weight="800" opacity="0">'
    return f"{head_line}{shout}GOAL{fade}</text>"


def _scores(scene: Scene, font: str) -> str:
    """Return names and score, which changes at the goal."""
    blue, yellow = (f'<tspan fill="{COLOURS[k]}">{_safe(scene.names[k])}</tspan>' for k in (0, 1))
    parts = [(scene.before, 0.0, scene.moving), (scene.score, scene.moving, scene.whole)]
    if not scene.goal:
        parts = [(scene.score, 0.0, scene.whole)]
    return "".join(
        _during(scene, begin, end, f'{font} text-anchor="middle"', f"{blue}  {one} : {two}  {yellow}")
        for (one, two), begin, end in parts
    )


def _clock(scene: Scene, font: str) -> str:
    """Return the match's clock: one text a second, since a text cannot count."""
    begin = scene.end - (len(scene.ball) - 1) / scene.rate
    first, last = math.floor(max(0.0, begin)), math.floor(scene.end)
    return "".join(
        _during(scene, s - begin, scene.whole if s == last else s + 1 - begin, font, clock(s))
        for s in range(first, last + 1)
    )


def _during(scene: Scene, begin: float, end: float, font: str, text: str) -> str:
    """Return a text that is there for a while; where nothing moves, the last one is."""
    stays = end >= scene.whole
    if begin <= 0.0 and stays:
        return f"<text {font}>{text}</text>"
    changes = [(0.0, begin <= 0.0), (begin, True), (end, False)]
    kept = [(t, on) for t, on in changes if 0.0 < t < scene.whole or (t, on) == changes[0]]
    values, times = ";".join(str(int(on)) for _, on in kept), ";".join(f"{t / scene.whole:.4f}" for t, _ in kept)
    blink = f'<animate attributeName="opacity" calcMode="discrete" values="{values}" keyTimes="{times}"'
    return f'<text {font} opacity="{int(stays)}">{text}{blink} dur="{scene.whole:g}s" repeatCount="indefinite"/></text>'


def _robot(scene: Scene, i: int) -> str:
    outline = scene.league.robot.geometry().polygon(2e-4)
    points = " ".join(f"{_mm(px)},{_mm(py)}" for px, py in outline)
    n, r = scene.pose.shape[1] // 2, scene.league.robot.bounding_radius
    colour = COLOURS[i // n]
    turns = np.degrees(np.unwrap(scene.pose[:, i, 2]))
    body = (
        f'<g><polygon points="{points}" fill="{colour}" stroke="#101820" stroke-width="{_mm(0.06 * r)}"/>'
        f'<path d="M0 0H{_mm(0.7 * r)}" stroke="#101820" stroke-width="{_mm(0.16 * r)}"/>'
        + _moving("rotate", [f"{turn:.0f}" for turn in turns.tolist()], scene.rate)
        + "</g>"
    )
    return f"<g>{body}{_moving('translate', _places(scene.pose[:, i, :2]), scene.rate)}</g>"


def _ghosts(scene: Scene) -> list[str]:
    """Return where the ball was in the pictures before, paler and paler."""
    found = list[str]()
    for k in range(GHOSTS, 0, -1):
        late = np.concatenate((np.repeat(scene.ball[:1], k, axis=0), scene.ball[:-k]))[: len(scene.ball)]
        found.append(_dot(scene, late, 0.5 * (1.0 - k / (GHOSTS + 1.0))))
    return found


def _dot(scene: Scene, way: Floats, opacity: float) -> str:
    """Return the ball on its way, large enough to be seen."""
    radius = max(scene.league.ball.radius, 0.0055 * scene.league.field.length)
    move = _moving("translate", _places(way), scene.rate)
    return f'<g opacity="{opacity:.2g}"><circle r="{_mm(radius)}" fill="{BALL}"/>{move}</g>'


def _moving(kind: str, values: list[str], rate: float) -> str:
    """Return a motion through values, evenly spaced, and a pause at the end."""
    k = len(values)
    whole = k / rate + HOLD
    stay = [f"{j / rate / whole:.4f}" for j in range(k)]
    times = ";".join([*stay, "1"])
    return (
        f'<animateTransform attributeName="transform" type="{kind}" dur="{whole:g}s" repeatCount="indefinite" '
        f'values="{";".join([*values, values[-1]])}" keyTimes="{times}"/>'
    )


def _places(way: Floats) -> list[str]:
    return [f"{_mm(px)} {_mm(py)}" for px, py in way.tolist()]


def _rect(x: float, y: float, w: float, h: float, pen: str) -> str:
    return f'<rect x="{_mm(x)}" y="{_mm(y)}" width="{_mm(w)}" height="{_mm(h)}" {pen}/>'


def _mm(metres: float) -> int:
    return round(1000.0 * metres) if math.isfinite(metres) else 0


def _safe(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
