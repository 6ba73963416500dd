"""The run folder, the log, and playing it again."""

import dataclasses
import json
import resource
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from match_helpers import play, record

from tikitaka import league
from tikitaka.errors import RunError
from tikitaka.loop import encode, replay, run
from tikitaka.loop.log import decode, ticks
from tikitaka.loop.playback import Playback
from tikitaka.loop.record import Recorder
from tikitaka.types import Event, EventKind

FULL = """
import sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from match_helpers import record
match = record(Path(sys.argv[2]), "mirosot-5v5", 20.0)[1]
print(match.done, match.log_error)
"""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return record(tmp_path_factory.mktemp("runs") / "one", "mirosot-5v5", 5.0)[0]


def test_the_folder_holds_what_was_played_and_by_what(played: Path) -> None:
    fixture = run.load(played)
    assert fixture.league == league.load("mirosot-5v5")
    assert (fixture.seed, fixture.seconds, fixture.blue, fixture.yellow) == (3, 5.0, "rookie", "rookie")
    versions = json.loads((played / "versions.json").read_text())
    assert {"tikitaka", "python", "numpy", "numba"} <= versions.keys()


def test_every_tick_is_in_the_log_with_all_its_messages(played: Path) -> None:
    logged = list(ticks(played / "log.mcap"))
    assert [t.tick for t in logged] == list(range(151))
    assert [t.whole for t in logged] == [True] * 150 + [False]  # at last only the event that ended it


def test_a_log_verifies(played: Path) -> None:
    verdict = replay.verify(played)
    assert verdict.difference is None
    assert verdict.ticks == 150
    assert verdict.messages == 150 * 12


@pytest.mark.parametrize(
    ("name", "realism"), [("ssl-b", None), ("byu-2v2", "ideal"), ("vsss-3v3", None), ("ssl-a", "realistic")]
)
def test_logs_of_other_leagues_verify(tmp_path: Path, name: str, realism: str | None) -> None:
    folder, match = record(tmp_path / "run", name, 2.0, realism=realism)
    assert replay.verify(folder).difference is None
    assert run.load(folder).league == match.league == league.load(name, realism)
    assert (match.moment.radio.lost > 0) == (realism == "realistic")


def test_a_lost_packet_that_was_not_lost_is_found(tmp_path: Path) -> None:
    folder, _ = record(tmp_path / "run", "mirosot-5v5", 1.0, realism="realistic")
    path = folder / "league.toml"
    path.write_text(path.read_text().replace("loss = 0.03", "loss = 0.0").replace('"realistic"', '"friendly"'))
    assert replay.verify(folder).difference is not None


@pytest.mark.parametrize(
    ("topic", "field"),
    [
        ("/truth", "pose"),
        ("/detections", "frames"),
        ("/blue/estimate", "ours_pose"),
        ("/yellow/commands", "wheels"),
    ],
)
def test_a_changed_number_is_found_and_named(played: Path, tmp_path: Path, topic: str, field: str) -> None:
    folder = tmp_path / "forged"
    shutil.copytree(played, folder)
    _forge(folder, topic, field, at=60)
    difference = replay.verify(folder).difference
    assert difference is not None
    assert (difference.tick, difference.topic, difference.field) == (60, topic, field)


def _forge(folder: Path, topic: str, field: str, at: int) -> None:
    """Write the log again with one number of one message changed by its last bit."""
    old = list(ticks(folder / "log.mcap"))
    (folder / "log.mcap").unlink()
    recorder = Recorder(folder / "log.mcap", play("mirosot-5v5", ticks=0))
    for logged in old:
        if logged.tick == at:
            message = decode(topic, logged.data[topic])
            values = message.frames[0].robot_pose if field == "frames" else getattr(message, field)
            values[0] = np.nextafter(values[0], np.inf)
            logged.data[topic] = message.SerializeToString()
        for name, data in logged.data.items():
            recorder._add(name, logged.tick, data)
    recorder.close()


def test_another_version_of_a_team_is_found_in_its_decisions(tmp_path: Path) -> None:
    team = tmp_path / "still.py"
    team.write_text("def decide(world, memory):\n    return {0: (0.0, 0.0)}\n")
    folder, _ = record(tmp_path / "run", "mirosot-5v5", 1.0, blue=str(team))
    assert replay.verify(folder).difference is None
    (folder / "blue" / "still.py").write_text("def decide(world, memory):\n    return {0: (0.1, 0.0)}\n")
    difference = replay.verify(folder).difference
    assert difference is not None
    assert (difference.tick, difference.topic, difference.field) == (0, "/blue/intents", "target")
    assert "decide" in str(difference)


def test_a_log_cut_off_anywhere_is_read_up_to_there_and_verifies(tmp_path: Path) -> None:
    folder, _ = record(tmp_path / "run", "mirosot-5v5", 30.0)  # several chunks
    whole = (folder / "log.mcap").read_bytes()
    verified = []
    for share in (0.4, 0.7, 1.0):
        (folder / "log.mcap").write_bytes(whole[: int(share * len(whole))])
        verdict = replay.verify(folder)
        assert verdict.difference is None
        assert verdict.finished == (share == 1.0)
        verified.append(verdict.ticks)
    assert 100 < verified[0] < verified[1] < verified[2] == 900


def test_a_log_damaged_in_the_middle_is_refused(played: Path, tmp_path: Path) -> None:
    folder = tmp_path / "damaged"
    shutil.copytree(played, folder)
    data = bytearray((played / "log.mcap").read_bytes())
    data[len(data) // 3] ^= 0xFF
    (folder / "log.mcap").write_bytes(data)
    with pytest.raises(RunError, match="damaged"):
        replay.verify(folder)


def test_a_forged_goal_is_found(played: Path, tmp_path: Path) -> None:
    folder = tmp_path / "forged"
    shutil.copytree(played, folder)
    old = [(t.tick, dict(t.data)) for t in ticks(folder / "log.mcap") if t.whole]
    (folder / "log.mcap").unlink()
    recorder = Recorder(folder / "log.mcap", play("mirosot-5v5", ticks=0))
    for tick, messages in old:
        if tick == 20:
            recorder._event(Event(EventKind.GOAL, 20, 20 / 30, 0, 1.1, 0.0))
        for name, data in messages.items():
            recorder._add(name, tick, data)
    recorder.close()
    difference = replay.verify(folder).difference
    assert difference is not None
    assert (difference.tick, difference.topic) == (20, "/events")


def test_faults_are_in_the_log_once_each_and_counted_at_every_tick(tmp_path: Path) -> None:
    team = tmp_path / "late.py"
    team.write_text("def decide(world, memory):\n    return {0: (0, 0)} if world.time < 0.5 else 1 / 0\n")
    folder, match = record(tmp_path / "run", "mirosot-5v5", 1.0, blue=str(team))
    logged = list(ticks(folder / "log.mcap"))
    faults = [(t.tick, decode("/faults", data).text) for t in logged for data in t.faults]
    assert faults == [(15, match.fault_messages[0])]
    assert [decode("/tally", t.data["/tally"]).faults_blue for t in logged if t.whole][-1] == 15
    assert replay.verify(folder).difference is None
    back = Playback(folder)
    while not back.done:
        back.step()
    assert back.snapshot().faults == (15, 0)
    assert back.names == ("late", "rookie")
    assert back.events[-1].kind == EventKind.FULL_TIME


@pytest.mark.parametrize("junk", [b"", b"not a log", b"\x89MCAP0\r\n", b"\x89MCAP0\r\n" + bytes(100)])
def test_what_is_no_log_is_refused_or_empty(played: Path, tmp_path: Path, junk: bytes) -> None:
    folder = tmp_path / "junk"
    shutil.copytree(played, folder)
    (folder / "log.mcap").write_bytes(junk)
    with pytest.raises(RunError):
        Playback(folder)


def test_a_second_run_in_the_same_folder_leaves_the_first_one_alone(tmp_path: Path) -> None:
    first, _ = record(tmp_path / "run", "mirosot-5v5", 0.2)
    before = (first / "log.mcap").read_bytes()
    second, _ = record(tmp_path / "run", "mirosot-5v5", 0.2, seed=9)
    assert (first.name, second.name) == ("run", "run-2")
    assert (first / "log.mcap").read_bytes() == before


def test_a_folder_that_cannot_be_written_is_refused_with_its_name(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(RunError, match=r"cannot write the run folder .*file/run.*--out"):
        record(tmp_path / "file" / "run", "mirosot-5v5", 1.0)


def test_when_the_disk_is_full_the_match_goes_on_and_the_log_opens_up_to_there(tmp_path: Path) -> None:
    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000))

    words = [sys.executable, "-c", FULL, str(Path(__file__).parent), str(tmp_path / "run")]
    done = subprocess.run(words, capture_output=True, text=True, check=True, preexec_fn=limit)
    assert done.stdout.startswith("True cannot write the log")
    assert "--out" in done.stdout
    logged = list(ticks(tmp_path / "run" / "log.mcap"))
    assert 0 < len(logged) < 600
    assert replay.verify(tmp_path / "run").difference is None


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", '{"seed": 1, "seconds": 2, "blue": "../evil.py", "yellow": "rookie"}']
)
def test_a_broken_match_file_is_refused(played: Path, tmp_path: Path, text: str) -> None:
    folder = tmp_path / "broken"
    shutil.copytree(played, folder)
    (folder / "match.json").write_text(text)
    with pytest.raises(RunError, match=r"match\.json"):
        run.load(folder)


def test_playback_shows_what_the_match_showed(played: Path) -> None:
    back = Playback(played)
    for _ in range(60):
        back.step()
    live = play("mirosot-5v5", ticks=61)
    assert live.record is not None
    shot = back.snapshot()
    assert shot.tick == 60
    assert np.array_equal(shot.robots, live.record.state.pose)
    assert np.array_equal(shot.belief[:5], live.record.thoughts[0].world.ours.pose)
    assert shot.score == live.record.whistle.score
    assert not back.done


def test_playback_ends_with_the_log(played: Path) -> None:
    back = Playback(played)
    while not back.done:
        back.step()
    assert back.snapshot().tick == 149
    assert back.step() == ()


def test_the_summary_has_every_key_of_the_contract(tmp_path: Path) -> None:
    _, match = record(tmp_path / "run", "mirosot-5v5", 1.0)
    result = run.summary(match, 0.5, 0.1)
    wanted = "score seconds ticks wall_s realtime log log_sha256 faults collisions swaps"
    assert set(wanted.split()) <= result.keys()
    assert (result["seconds"], result["ticks"], result["realtime"]) == (1.0, 30, 2.0)
    assert result["log_sha256"] == run.sha256(match.log)
    assert json.loads(json.dumps(result)) == result


def test_the_difference_names_tick_topic_field_and_stage() -> None:
    text = str(replay.Difference(12, "/blue/plans", "xy"))
    assert "tick 12" in text
    assert "`xy`" in text
    assert "plan" in text


def test_encoding_changes_with_every_field_of_the_truth() -> None:
    state = play("mirosot-5v5", ticks=5).moment.state
    base = encode.truth(state)
    changes: dict[str, Any] = {
        "tick": 77,
        "pose": state.pose + 1.0,
        "velocity": state.velocity + 1.0,
        "ball": state.ball + 1.0,
    }
    assert all(encode.truth(dataclasses.replace(state, **{k: v})) != base for k, v in changes.items())
