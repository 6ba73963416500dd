"""The log's messages, read by protobuf itself."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst
from match_helpers import play

from tikitaka.loop import encode
from tikitaka.loop.log import decode
from tikitaka.types import Commands, Event, EventKind

doubles = npst.arrays(np.float64, st.integers(0, 70), elements=st.floats(allow_nan=False))
integers = st.lists(st.integers(-(2**40), 2**40), max_size=40)


@given(values=doubles)
@settings(deadline=None)
def test_an_array_of_doubles_comes_back_to_the_last_bit(values: np.ndarray) -> None:
    message = decode("/blue/commands", encode.doubles(2, values))
    assert np.array(message.kick).tobytes() == values.tobytes()


@given(values=integers)
@settings(deadline=None)
def test_an_array_of_integers_comes_back(values: list[int]) -> None:
    message = decode("/blue/commands", encode.sints(3, np.array(values, np.int64)))
    assert list(message.dribble) == values


def test_slices_and_transposed_arrays_are_written_row_by_row() -> None:
    values = np.arange(12.0).reshape(3, 4)[:, ::2]
    assert list(decode("/blue/commands", encode.doubles(2, values)).kick) == [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]


def test_every_message_of_a_tick_says_what_the_tick_was() -> None:
    match = play("mirosot-5v5", ticks=12)
    record = match.record
    assert record is not None
    read = {topic: decode(topic, data) for topic, data in encode.record(record).items()}
    state, (blue, yellow) = record.state, record.thoughts
    assert read["/truth"].tick == state.tick == 11
    assert np.array_equal(read["/truth"].pose, state.pose.ravel())
    assert np.array_equal(read["/truth"].ball, state.ball)
    assert read["/truth"].toucher == state.toucher
    (picture,), (frame,) = read["/detections"].frames, record.frames
    assert np.array_equal(picture.robot_pose, frame.robot_pose.ravel())
    assert list(picture.robot_label) == [-1] * 10
    assert (picture.captured, picture.arrives, picture.camera) == (frame.captured, frame.arrives, 0)
    assert (read["/tally"].radio_lost, read["/tally"].radio_silent) == (0, 0)
    word, whistle = read["/referee"], record.whistle
    assert (word.owner, word.ready, word.half, word.then) == (whistle.owner, True, 1, whistle.then)
    assert (word.spot_x, word.spot_y) == whistle.spot
    assert np.array_equal(read["/blue/estimate"].theirs_velocity, blue.world.theirs.velocity.ravel())
    assert np.array_equal(read["/yellow/intents"].target, yellow.intents.target.ravel(), equal_nan=True)
    assert np.array_equal(read["/yellow/plans"].xy, yellow.plans.xy.ravel())
    assert read["/yellow/plans"].waypoints == yellow.plans.xy.shape[1]
    assert np.array_equal(read["/blue/commands"].wheels, blue.commands.wheels.ravel())


def test_a_lift_is_there_only_when_somebody_lifts() -> None:
    flat = Commands.stop(3, 2)
    assert list(decode("/blue/commands", encode.commands(flat)).lift) == []
    lifted = decode("/blue/commands", encode.commands(replace(flat, lift=np.array((0.0, 1.5, 0.0)))))
    assert list(lifted.lift) == [0.0, 1.5, 0.0]


def test_the_pictures_of_all_cameras_are_in_one_message() -> None:
    record = play("ssl-a", ticks=5).record
    assert record is not None
    read = decode("/detections", encode.record(record)["/detections"]).frames
    assert [f.camera for f in read] == [0, 1, 2, 3]
    for picture, frame in zip(read, record.frames, strict=True):
        assert np.array_equal(picture.robot_pose, frame.robot_pose.ravel())
        assert np.array_equal(picture.ball_xy, frame.ball_xy.ravel())


@pytest.mark.parametrize("team", [-1, 0, 1])
def test_events_and_faults_come_back(team: int) -> None:
    event = Event(EventKind.GOAL, 300_000, math.pi, team, -1.5, 0.25, (3, 21), EventKind.CRASH, 2.5)
    read = decode("/events", encode.event(event))
    assert (read.kind, read.tick, read.time, read.team, read.x, read.y) == (2, 300_000, math.pi, team, -1.5, 0.25)
    assert (list(read.robots), read.cause, read.value) == ([3, 21], EventKind.CRASH, 2.5)
    fault = decode("/faults", encode.fault(7, "téam.py, line 3: " + "x" * 200))
    assert (fault.tick, fault.text) == (7, "téam.py, line 3: " + "x" * 200)
