"""Frames against a decoder written from the table in ``frames.py``, not from its code."""

import json
import math
import struct
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from tikitaka.loop.snapshot import Snapshot
from tikitaka.types import Event, EventKind, Phase
from tikitaka.ui import frames

number = st.floats(width=32, allow_nan=True, allow_infinity=False)
count = st.integers(0, 2**32 - 1)


def rows(n: int, columns: int) -> st.SearchStrategy[Any]:
    return hnp.arrays(np.float64, (n, columns), elements=number)


@st.composite
def snapshots(draw: st.DrawFn) -> Snapshot:
    n = draw(st.integers(0, 22))
    return Snapshot(
        tick=draw(count),
        time=draw(st.floats(0, 1e6)),
        time_left=draw(st.floats(0, 1e6)),
        phase=draw(st.sampled_from(Phase)),
        score=(draw(st.integers(0, 65535)), draw(st.integers(0, 65535))),
        ball=draw(hnp.arrays(np.float64, 2, elements=number)),
        robots=draw(rows(n, 3)),
        belief=draw(rows(n, 3)),
        targets=draw(rows(n, 2)),
        faults=(draw(count), draw(count)),
        collisions=draw(count),
        swaps=draw(count),
        owner=draw(st.sampled_from((-1, 0, 1))),
        ready=draw(st.booleans()),
    )


paces = st.builds(
    frames.Pace,
    speed=st.sampled_from([0.25, 1.0, 16.0, math.inf]),
    realtime=st.floats(0, 1e6, width=32),
    paused=st.booleans(),
    done=st.booleans(),
)


def at(data: bytes, offset: int, kind: str) -> Any:  # noqa: ANN401
    return struct.unpack_from(f"<{kind}", data, offset)[0]


def decode(data: bytes) -> tuple[Snapshot, frames.Pace]:
    n = at(data, 54, "H")
    values = np.frombuffer(data, "<f4", offset=at(data, 2, "H")).astype(np.float64)
    assert len(values) == 2 + 8 * n
    ball, robots, belief, targets = np.split(values, [2, 2 + 3 * n, 2 + 6 * n])
    flags = at(data, 53, "B")
    snapshot = Snapshot(
        tick=at(data, 4, "I"),
        time=at(data, 8, "d"),
        time_left=at(data, 16, "d"),
        phase=Phase(at(data, 52, "B")),
        score=(at(data, 32, "H"), at(data, 34, "H")),
        ball=ball,
        robots=robots.reshape(n, 3),
        belief=belief.reshape(n, 3),
        targets=targets.reshape(n, 2),
        faults=(at(data, 36, "I"), at(data, 40, "I")),
        collisions=at(data, 44, "I"),
        swaps=at(data, 48, "I"),
        owner={0: -1, 4: 0, 8: 1}[flags & 12],
        ready=not flags & 16,
    )
    return snapshot, frames.Pace(at(data, 24, "f"), at(data, 28, "f"), bool(flags & 1), bool(flags & 2))


@settings(deadline=None)
@given(snapshot=snapshots(), pace=paces)
def test_a_frame_holds_the_whole_moment(snapshot: Snapshot, pace: frames.Pace) -> None:
    data = frames.encode(snapshot, pace)
    decoded, decoded_pace = decode(data)
    assert at(data, 0, "H") == frames.VERSION
    assert decoded_pace == pace
    for name in Snapshot.__slots__:
        np.testing.assert_array_equal(getattr(decoded, name), getattr(snapshot, name), err_msg=name)


def test_counters_that_outgrow_their_field_stay_at_its_limit() -> None:
    empty = np.zeros((0, 3))
    big = 2**40
    snapshot = Snapshot(
        big, 0.0, 0.0, Phase.PLAY, (big, 1), np.zeros(2), empty, empty, np.zeros((0, 2)), (big, 2), big, 3
    )
    decoded, _ = decode(frames.encode(snapshot, frames.Pace(1.0, 1.0, paused=False, done=False)))
    assert (decoded.tick, decoded.score, decoded.faults) == (2**32 - 1, (65535, 1), (2**32 - 1, 2))


def test_an_event_without_a_place_is_still_plain_json() -> None:
    event = Event(EventKind.FULL_TIME, 9, 0.5, -1, math.nan, math.nan)
    message = json.loads(frames.event_message(event, (2, 1), 5))
    assert message["kind"] == "full_time"
    assert (message["x"], message["y"], message["score"]) == (None, None, [2, 1])
