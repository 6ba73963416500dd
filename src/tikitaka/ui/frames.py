"""Bytes of one published moment, and the JSON messages around it. The page decodes them in ``page/frames.js``.

A frame is little-endian: the header below, then float32 rows: ball (2), robots (n, 3), belief (n, 3), targets (n, 2).

offset  type  what                          offset  type  what
0       u16   version                       36      u32   faults blue
2       u16   bytes of header               40      u32   faults yellow
4       u32   tick                          44      u32   collisions
8       f64   time                          48      u32   swaps
16      f64   time_left                     52      u8    phase
24      f32   speed asked for, inf: max     53      u8    flags, see below
28      f32   real-time factor, 0: unknown  54      u16   n, robots of both teams
32      u16   score blue, 34: yellow        56      f32   rows

Flags: bit 0 paused, bit 1 full time, bit 2 the ball is blue's, bit 3 yellow's, bit 4 robots walk to their places.
"""

import json
import math
import struct
from dataclasses import asdict, dataclass

import numpy as np

from tikitaka.loop.playback import Playback
from tikitaka.loop.snapshot import Snapshot, Watchable
from tikitaka.referee import describe
from tikitaka.types import Event, Floats, Outline
from tikitaka.ui.pacer import SPEEDS

VERSION = 1
HEADER = struct.Struct("<HHIddffHHIIIIBBH")
PAUSED, FULL_TIME, BLUES, WAITING = 1, 2, 4, 16
_U16, _U32 = 0xFFFF, 0xFFFFFFFF


@dataclass(frozen=True, slots=True)
class Pace:
    """How the match runs at this moment."""

    speed: float
    realtime: float
    paused: bool
    done: bool


def encode(snapshot: Snapshot, pace: Pace) -> bytes:
    """Return the frame of one moment; counters that outgrow their field stay at its limit."""
    blue, yellow = (min(goals, _U16) for goals in snapshot.score)
    counts = (min(n, _U32) for n in (*snapshot.faults, snapshot.collisions, snapshot.swaps))
    header = HEADER.pack(
        VERSION,
        HEADER.size,
        min(snapshot.tick, _U32),
        snapshot.time,
        snapshot.time_left,
        pace.speed,
        pace.realtime,
        blue,
        yellow,
        *counts,
        snapshot.phase,
        PAUSED * pace.paused | FULL_TIME * pace.done | _whose(snapshot) | WAITING * (not snapshot.ready),
        len(snapshot.robots),
    )
    rows = (snapshot.ball, snapshot.robots, snapshot.belief, snapshot.targets)
    return header + b"".join(_float32(row) for row in rows)


def hello(match: Watchable, events: list[str], faults: list[str]) -> str:
    """Return the first message to a page: all that stays the same, and what happened so far."""
    league = match.league
    robot = league.robot
    return _json(
        type="hello",
        version=VERSION,
        title=league.title,
        field=asdict(league.field.geometry()),
        ball_radius=league.ball.radius,
        robot={
            "outline": _outline(robot.geometry()),
            "radius": robot.bounding_radius,
            "front": robot.front,
            "wheels": robot.wheels,
        },
        robots=league.team.robots,
        names=match.names,
        seed=str(match.seed),
        rate=match.rate,
        seconds=_number(match.seconds),
        replay={"last": match.last, "goals": match.goals} if isinstance(match, Playback) else None,
        speeds=[_number(speed) for speed in SPEEDS],
        events=[json.loads(event) for event in events],
        faults=[text[:_FAULT_LENGTH] for text in faults],
    )


def event_message(event: Event, score: tuple[int, int], robots: int) -> str:
    """Return the message about something the referee saw, with the score after it; ``robots`` a team."""
    return _json(
        type="event",
        kind=event.kind.name.lower(),
        text=describe(event, robots),
        cause=event.cause.name.lower() if event.cause else None,
        robots=event.robots,
        tick=event.tick,
        time=event.time,
        team=event.team,
        score=score,
        x=_number(event.x),
        y=_number(event.y),
    )


def fault_message(text: str) -> str:
    """Return the message about a team's code that failed."""
    return _json(type="fault", message=text[:_FAULT_LENGTH])


def refusal(text: str) -> str:
    """Return the message to a page that is not let in."""
    return _json(type="refused", message=text)


def state(snapshot: Snapshot, pace: Pace) -> dict[str, object]:
    """Return the moment without its arrays, for machines; speed None: as fast as possible."""
    return {
        "tick": snapshot.tick,
        "time": snapshot.time,
        "time_left": _number(snapshot.time_left),
        "phase": snapshot.phase.name.lower(),
        "owner": snapshot.owner,
        "ready": snapshot.ready,
        "score": list(snapshot.score),
        "paused": pace.paused,
        "done": pace.done,
        "speed": _number(pace.speed),
        "realtime": pace.realtime,
        "faults": list(snapshot.faults),
        "collisions": snapshot.collisions,
        "swaps": snapshot.swaps,
    }


_OUTLINE_ERROR = 2e-4  # [m] finer than a pixel
_FAULT_LENGTH = 2000


def _outline(outline: Outline) -> list[tuple[float, float]]:
    """Return the outline as a polygon to draw."""
    return [(round(x, 5), round(y, 5)) for x, y in outline.polygon(_OUTLINE_ERROR)]


def _whose(snapshot: Snapshot) -> int:
    return BLUES << snapshot.owner if snapshot.owner >= 0 else 0


def _float32(row: Floats) -> bytes:
    return np.asarray(row, "<f4").tobytes()


def _number(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


def _json(**message: object) -> str:
    return json.dumps(message, allow_nan=False, separators=(",", ":"))
