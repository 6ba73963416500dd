"""Whatever a league's checks let through can be built, and is simulated in bearable time."""

import copy
import math
from collections.abc import Iterator
from typing import Any, get_args

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError

from tikitaka import league as leagues
from tikitaka import sim
from tikitaka.league import League
from tikitaka.loop.build import build, pitch_params
from tikitaka.loop.warm import warm_up

LEAST = 1e-12  # what is above 0 is tried down to here
PRESETS = [leagues.load(name).model_dump() for name in leagues.names()]


def floats(model: type[BaseModel] = League, above: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], float]]:
    """Yield the path of every number with a fraction, and the most that it may be."""
    for name, info in model.model_fields.items():
        inner = [t for t in (info.annotation, *get_args(info.annotation)) if isinstance(t, type)]
        tables = [t for t in inner if issubclass(t, BaseModel)]
        if tables:
            yield from floats(tables[0], (*above, name))
        elif float in inner:
            yield (*above, name), next(m.le for m in info.metadata if hasattr(m, "le"))


FLOATS = list(floats())


def changed(preset: int, numbers: list[tuple[int, float]]) -> League | None:
    """Return a preset in which some numbers are others, between all but nothing and the most; None: it is refused."""
    table: dict[str, Any] = copy.deepcopy(PRESETS[preset])
    for k, share in numbers:
        (*above, name), most = FLOATS[k]
        part: dict[str, Any] | None = table
        for one in above:
            part = part[one] if part else None
        if part and part.get(name) is not None:
            part[name] = math.exp(math.log(LEAST) + share * (math.log(most) - math.log(LEAST))) if share < 1.0 else most
    try:
        return League.model_validate(table)
    except ValidationError:
        return None


numbers = st.lists(st.tuples(st.integers(0, len(FLOATS) - 1), st.floats(0.0, 1.0)), min_size=1, max_size=5)


@settings(max_examples=150)
@given(preset=st.integers(0, len(PRESETS) - 1), numbers=numbers)
def test_every_league_that_is_let_through_can_be_played(preset: int, numbers: list[tuple[int, float]]) -> None:
    league = changed(preset, numbers)
    if league is None:
        return
    worlds = sim.Batch(build(league, 0, 10.0, "tikitaka", "rookie").pitch, 1, threads=1)
    worlds.scatter()
    worlds.wander()
    worlds.step(ticks=2)
    assert np.isfinite(worlds.pose).all()


def test_the_stiffest_robots_that_are_let_through_come_to_the_end_of_a_tick() -> None:
    """Ten times lighter ones with a gain of 1 never did."""
    light = {"mass": 0.001, "inertia": 1e-7, "wheel_inertia": 1e-10}
    robot: dict[str, Any] = {**PRESETS[0]["robot"], **light}
    robot["motor"] = {**robot["motor"], "gain": 0.00148}  # 0.0015 is refused
    league = League.model_validate({**PRESETS[0], "robot": robot})
    worlds = sim.Batch(pitch_params(league), 1, threads=1)
    worlds.scatter()
    worlds.wander()
    worlds.step(ticks=6)
    assert np.isfinite(worlds.pose).all()


def test_warming_up_ends_with_a_match_that_is_shorter_than_the_first_pictures_need() -> None:
    """At 0.05 Hz 40 s are over after two ticks; it waited for the fourth."""
    league = leagues.load()
    slow = league.model_copy(update={"camera": league.camera.model_copy(update={"rate": 0.05})})
    assert warm_up(slow) > 0.0
