"""Types -> protobuf bytes, as `log.proto` says.

A packed array of doubles is, on the wire, a tag, a length and the doubles themselves: an array's own bytes. So the
messages of a tick are written straight from the arrays; any protobuf library reads them.
"""

import struct
import sys
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from tikitaka.loop.match import Record
from tikitaka.loop.tally import Tally
from tikitaka.loop.tick import Thoughts
from tikitaka.referee import Whistle
from tikitaka.sim import RadioState, State
from tikitaka.types import Commands, Event, Floats, Frame, Intents, Plans, World

KEPT = 4096  # encodings of each kind that are looked up


def truth(state: State) -> bytes:
    """Return a Truth message."""
    arrays = doubles(2, state.pose) + doubles(3, state.velocity) + doubles(4, state.ball)
    wheels = doubles(6, state.spin) + doubles(7, state.charge)
    return uint(1, state.tick) + arrays + sint(5, state.toucher) + wheels + uint(8, state.mended)


def frame(f: Frame) -> bytes:
    """Return a Frame message."""
    rows = doubles(3, f.ball_xy) + doubles(4, f.robot_pose) + sints(5, f.robot_team) + sints(6, f.robot_label)
    return double(1, f.captured) + double(2, f.arrives) + rows + uint(7, f.camera)


def frames(taken: tuple[Frame, ...]) -> bytes:
    """Return a Frames message."""
    rows = [frame(f) for f in taken]
    return b"".join(_head(1, len(row)) + row for row in rows)


def referee(tick: int, whistle: Whistle, placed: Floats | None) -> bytes:
    """Return a Referee message."""
    (blue, yellow), (x, y), w = whistle.score, whistle.spot, whistle
    head = uint(1, tick) + uint(2, w.phase) + uint(3, blue) + uint(4, yellow) + sint(5, w.owner)
    word = double(7, x) + double(8, y) + uint(9, w.ready) + uint(10, w.half) + uint(11, w.then)
    return head + word if placed is None else head + doubles(6, placed) + word


def world(w: World) -> bytes:
    """Return a World message."""
    b = w.ball
    ball = _head(2, _BALL.size) + _BALL.pack(b.x, b.y, b.vx, b.vy, b.age, b.z)
    ours = doubles(3, w.ours.pose) + doubles(4, w.ours.velocity) + doubles(5, w.ours.age)
    theirs = doubles(6, w.theirs.pose) + doubles(7, w.theirs.velocity) + doubles(8, w.theirs.age)
    return double(1, w.time) + ball + ours + theirs


def intents(i: Intents) -> bytes:
    """Return an Intents message."""
    speeds = doubles(3, i.end_speed) + doubles(4, i.max_speed) + doubles(5, i.kick)
    flags = sints(6, i.dribble) + sints(7, i.ball) + sints(8, i.contact) + sints(9, i.keeper)
    return sints(1, i.active) + doubles(2, i.target) + speeds + flags + doubles(10, i.lift)


def plans(p: Plans) -> bytes:
    """Return a Plans message."""
    where = uint(1, p.xy.shape[1]) + sints(2, p.count) + doubles(3, p.xy) + doubles(4, p.time)
    return where + sints(5, p.status) + sints(6, p.reason)


def commands(c: Commands) -> bytes:
    """Return a Commands message."""
    flat = doubles(1, c.wheels) + doubles(2, c.kick) + sints(3, c.dribble)
    return flat if c.lift is None else flat + doubles(4, c.lift)


def tally(t: Tally, faults: tuple[int, int], radio: RadioState) -> bytes:
    """Return a Tally message."""
    counts = uint(1, t.collisions) + uint(2, t.swaps) + uint(3, t.stopped) + uint(4, faults[0]) + uint(5, faults[1])
    return counts + uint(6, radio.lost) + uint(7, radio.silent) + uint(8, t.own[0]) + uint(9, t.own[1])


def event(e: Event) -> bytes:
    """Return an Event message."""
    where, who = double(5, e.x) + double(6, e.y), sints(7, np.array(e.robots, np.int64))
    why = uint(8, e.cause or 0) + double(9, e.value)
    return uint(1, e.kind) + uint(2, e.tick) + double(3, e.time) + sint(4, e.team) + where + who + why


def fault(tick: int, text: str) -> bytes:
    """Return a Fault message."""
    data = text.encode()
    return uint(1, tick) + _head(2, len(data)) + data


def thoughts(team: str, t: Thoughts) -> dict[str, bytes]:
    """Return one team's messages by topic."""
    return {
        f"/{team}/estimate": world(t.world),
        f"/{team}/intents": intents(t.intents),
        f"/{team}/plans": plans(t.plans),
        f"/{team}/commands": commands(t.commands),
    }


def record(r: Record) -> dict[str, bytes]:
    """Return all messages of one tick by topic, events and faults apart."""
    return {
        "/truth": truth(r.state),
        "/detections": frames(r.frames),
        "/referee": referee(r.state.tick, r.whistle, r.placed),
        **thoughts("blue", r.thoughts[0]),
        **thoughts("yellow", r.thoughts[1]),
        "/tally": tally(r.tally, r.faults, r.radio),
    }


def varint(value: int) -> bytes:
    """Return a base-128 number, low groups first."""
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


@lru_cache(KEPT)
def uint(field: int, value: int) -> bytes:
    """Return a uint64 field."""
    return bytes((field << 3,)) + varint(value)


def sint(field: int, value: int) -> bytes:
    """Return a sint64 field: zigzag, so that small negative numbers stay short."""
    return uint(field, _zigzag(value))


def double(field: int, value: float) -> bytes:
    """Return a double field."""
    return struct.pack("<Bd", field << 3 | 1, value)


def doubles(field: int, values: Floats) -> bytes:
    """Return a packed array of doubles."""
    return _head(field, values.nbytes) + (values.tobytes() if _LITTLE else values.astype("<f8").tobytes())


def sints(field: int, values: NDArray[np.int64] | NDArray[np.bool_]) -> bytes:
    """Return a packed array of sint64."""
    return _packed(field, values.dtype.char, values.tobytes())


@lru_cache(KEPT)
def _packed(field: int, kind: str, raw: bytes) -> bytes:
    """Return the same from an array's own bytes: flags and states are those of the tick before, mostly."""
    data = b"".join(varint(_zigzag(v)) for v in np.frombuffer(raw, kind).tolist())
    return _head(field, len(data)) + data


def _zigzag(value: int) -> int:
    return 2 * value if value >= 0 else -2 * value - 1


@lru_cache(KEPT)
def _head(field: int, size: int) -> bytes:
    return bytes((field << 3 | 2,)) + varint(size)


_LITTLE = sys.byteorder == "little"
_BALL = struct.Struct("<6d")
