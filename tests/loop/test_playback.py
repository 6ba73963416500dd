"""Going through a recording: to any tick of it, at once."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest
from match_helpers import record

from tikitaka import league
from tikitaka.errors import RunError
from tikitaka.loop import run
from tikitaka.loop.playback import Playback
from tikitaka.loop.snapshot import Snapshot
from tikitaka.types import Event, EventKind


def test_any_tick_of_a_recording_can_be_gone_to_as_if_it_had_been_played_up_to_there(tmp_path: Path) -> None:
    team = tmp_path / "odd.py"
    team.write_text("def decide(world, memory):\n    return {} if world.time < 2.0 else {9: (0, 0)}\n")
    fixture = run.Fixture(league.load("mirosot-5v5"), 3, 40.0, "tikitaka", str(team))
    folder, match = run.create(tmp_path / "run", fixture)
    while not match.done:
        match.step()
    match.close()
    straight, jumping = Playback(folder), Playback(folder)
    assert jumping.last == 1199
    assert jumping.goals == [(e.tick, e.team) for e in match.events if e.kind == EventKind.GOAL]
    seen = dict[int, tuple[Snapshot, list[Event], list[str]]]()
    while not straight.done:
        now = straight.snapshot()
        seen[now.tick] = now, list(straight.events), list(straight.fault_messages)
        straight.step()
    assert len({len(events) for _, events, _ in seen.values()}) > 1, "something must happen"
    for tick in (700, 20, 1199, 61, 0, 59, 5000):
        jumping.seek(tick)
        at = min(tick, 1199)
        same, events, faults = seen[at]
        assert bytes_of(jumping.snapshot()) == bytes_of(same)
        assert (jumping.events, jumping.fault_messages) == (events, faults)
    jumping.step()
    assert jumping.done


def bytes_of(snapshot: Snapshot) -> dict[str, object]:
    values = dataclasses.asdict(snapshot)
    return {k: v.tobytes() if isinstance(v, np.ndarray) else v for k, v in values.items()}


def test_a_recording_that_was_cut_off_cannot_be_gone_through_and_says_so(tmp_path: Path) -> None:
    folder = record(tmp_path / "cut", "mirosot-5v5", 2.0)[0]
    log = folder / "log.mcap"
    log.write_bytes(log.read_bytes()[:-20])
    cut = Playback(folder)
    assert (cut.last, cut.goals) == (None, [])
    with pytest.raises(RunError, match="was cut off and has no index"):
        cut.seek(3)
