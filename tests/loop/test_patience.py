"""Teams that never answer: their robots stop, the match and the other team go on."""

import threading
import time
from pathlib import Path

import pytest

from tikitaka import decide, league
from tikitaka.decide.team import PATIENCE
from tikitaka.errors import OutOfTimeError, TeamError
from tikitaka.loop import patience
from tikitaka.loop.build import build
from tikitaka.loop.match import Match

LOOPS = {
    "for ever": "while True:\n            pass",
    "asleep": "time.sleep(1000)",
    "handled": "while True:\n            try:\n                time.sleep(1)\n            except Exception: pass",
}


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "SECONDS", 0.02)
    monkeypatch.setattr(patience, "FIRST_SECONDS", 0.5)


@pytest.mark.parametrize("hang", LOOPS.values(), ids=LOOPS)
def test_a_team_that_hangs_is_stopped_and_then_not_asked_again(hang: str, tmp_path: Path) -> None:
    file = tmp_path / "hangs.py"
    file.write_text(
        f"import time\n\ndef decide(world, memory):\n    if world.time > 0.5:\n        {hang}\n"
        "    return {i: (0.0, 0.1 * i) for i in range(5)}\n"
    )
    match = Match(build(league.load(), 0, 10.0, str(file), "rookie"))
    while match.moment.state.tick < 60:
        match.step()
    brain = match.moment.teams[0].roles
    assert isinstance(brain, decide.TeamMemory)
    assert brain.late == PATIENCE
    assert match.faults[1] == 0
    told = match.fault_messages  # one for every line at which it was interrupted
    assert "hangs.py, line" in told[0]
    assert "took longer than 0.02 s" in told[0]
    assert sum("not asked again" in text for text in told) == 1
    assert match.record is not None
    assert not match.record.thoughts[0].intents.active.any()
    assert match.record.thoughts[1].intents.active.any()


@pytest.mark.parametrize("module", [False, True])
def test_a_file_that_never_ends_loading_is_refused_with_its_line(
    module: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(patience, "LOADING_SECONDS", 0.1)
    monkeypatch.chdir(tmp_path)
    text = "import time\nend = time.perf_counter() + 5.0\nwhile time.perf_counter() < end:\n    pass\n"
    (tmp_path / "endless_team.py").write_text(text + "\n\ndef decide(world, memory):\n    return {}\n")
    where = "team 'endless_team:decide'" if module else r"team: endless_team\.py, line [34]"
    with pytest.raises(
        TeamError, match=rf"{where}: loading it took longer than 0\.1 s; is there a loop that never ends"
    ):
        build(league.load(), 0, 10.0, "endless_team:decide" if module else "endless_team.py", "rookie")


def test_the_limit_ends_with_the_body_and_holds_in_the_main_thread_only() -> None:
    with patience.within(first=False):
        pass
    time.sleep(0.05)
    with pytest.raises(OutOfTimeError), patience.within(first=False):
        time.sleep(1.0)
    free = threading.Thread(target=_slow)
    free.start()
    free.join()


def _slow() -> None:
    with patience.within(first=False):
        time.sleep(0.03)
