"""What pages may ask for, and how often."""

import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tikitaka.ui.control import Allowance, Control, parse
from tikitaka.ui.pacer import SPEEDS

HOSTILE = [
    "",
    "pause",
    "[]",
    "null",
    "7",
    "{}",
    '{"do":1}',
    '{"do":["pause"]}',
    '{"do":{"a":1}}',
    '{"do":"stop"}',
    '{"do":"obey"}',
    '{"do":"pause","x":1}',
    '{"do":"pause","value":1}',
    '{"do":"speed"}',
    '{"do":"speed","value":true}',
    '{"do":"speed","value":3}',
    '{"do":"speed","value":0}',
    '{"do":"speed","value":-1}',
    '{"do":"speed","value":"1"}',
    '{"do":"speed","value":null}',
    '{"do":"speed","value":NaN}',
    '{"do":"speed","value":Infinity}',
    '{"do":"speed","value":1e999}',
    '{"do":"speed","value":[1]}',
    '{"do":"speed","value":1,"x":1}',
    '{"do":"seek"}',
    '{"do":"seek","value":-1}',
    '{"do":"seek","value":1.0}',
    '{"do":"seek","value":true}',
    '{"do":"seek","value":"1"}',
    '{"do":"seek","value":99999999999}',
    '{"do":"step"' + " " * 300 + "}",
    "[" * 250,
    '{"do":' * 40,
    "\ud800",
    "\x00",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_what_is_not_exactly_a_wish_is_nothing(text: str) -> None:
    assert parse(text) is None


@settings(deadline=None)
@given(
    st.text(max_size=300) | st.recursive(st.none() | st.floats() | st.text(), st.lists, max_leaves=9).map(json.dumps)
)
def test_no_text_at_all_raises(text: str) -> None:
    assert parse(text) is None


def test_a_tick_may_be_asked_for() -> None:
    assert parse('{"do":"seek","value":7}') == Control("seek", tick=7)


@pytest.mark.parametrize("do", ["pause", "play", "step"])
def test_plain_wishes_are_understood(do: str) -> None:
    assert parse(json.dumps({"do": do})) == Control(do)


@pytest.mark.parametrize("speed", SPEEDS)
def test_every_speed_on_the_page_is_understood(speed: float) -> None:
    value = "max" if math.isinf(speed) else speed
    assert parse(json.dumps({"do": "speed", "value": value})) == Control("speed", speed)


@settings(deadline=None)
@given(st.lists(st.floats(0.0, 0.2), min_size=1, max_size=200))
def test_no_second_allows_more_than_burst_and_rate(pauses: list[float]) -> None:
    now = 0.0
    allowance = Allowance(burst=5, rate=10.0, clock=lambda: now)
    allowed = []
    for pause in pauses:
        now += pause
        if allowance.take():
            allowed.append(now)
    assert allowed
    for start in allowed:
        assert sum(start <= t <= start + 1.0 for t in allowed) <= 5 + 10 + 1


def test_who_stays_within_the_rate_is_never_refused() -> None:
    now = 0.0
    allowance = Allowance(burst=2, rate=8.0, clock=lambda: now)
    for _ in range(1000):
        assert allowance.take()
        now += 0.125
