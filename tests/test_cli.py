"""The command line as people and machines use it: real processes, real files."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tikitaka import cli
from tikitaka.loop.log import ticks
from tikitaka.sim.card import cuda

TIKITAKA = [sys.executable, "-m", "tikitaka"]


def tikitaka(*words: object, cwd: Path, code: int = 0) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [*TIKITAKA, *map(str, words)], cwd=cwd, capture_output=True, text=True, timeout=300, check=False
    )
    assert "Traceback" not in done.stdout + done.stderr
    assert done.returncode == code, done.stderr
    return done


def play(*words: object, cwd: Path, code: int = 0) -> dict[str, Any]:
    done = tikitaka("play", "--headless", "--json", *words, cwd=cwd, code=code)
    result = json.loads(done.stdout)
    assert isinstance(result, dict)
    return {**result, "stderr": done.stderr}


def team(folder: Path, body: str) -> Path:
    path = folder / "my_team.py"
    path.write_text(body)
    return path


def test_help_lists_every_command_and_loads_nothing_heavy(tmp_path: Path) -> None:
    program = (
        "import sys; from tikitaka import cli; code = cli.run(['--help']); print(sorted(sys.modules)); sys.exit(code)"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert all(f"  {command.__name__} " in done.stdout for command in cli.COMMANDS)
    assert not any(f"'{module}'" in done.stdout for module in ("numba", "numpy", "pydantic", "cyclopts", "rich"))


@pytest.mark.parametrize("command", [command.__name__ for command in cli.COMMANDS])
def test_every_command_explains_its_options(command: str, tmp_path: Path) -> None:
    assert "Parameters" in tikitaka(command, "--help", cwd=tmp_path).stdout


def test_play_prints_one_object_and_the_same_seed_gives_the_same_hash(tmp_path: Path) -> None:
    first = play("--seconds", 3, "--seed", 7, "--out", "a", cwd=tmp_path)
    again = play("--seconds", 3, "--seed", 7, "--out", "b", cwd=tmp_path)
    assert first["log_sha256"] == again["log_sha256"]
    assert (first["ticks"], first["seconds"], first["faults"]) == (90, 3.0, 0)
    assert json.loads((tmp_path / "a" / "summary.json").read_text())["log_sha256"] == first["log_sha256"]
    verdict = json.loads(tikitaka("replay", "a", "--verify", "--json", cwd=tmp_path).stdout)
    assert verdict == {"ticks": 90, "messages": 1080, "finished": True, "identical": True, "difference": None}


def test_realism_is_kept_in_the_run_folder_and_verifies(tmp_path: Path) -> None:
    real = play("--seconds", 3, "--realism", "realistic", "--out", "a", cwd=tmp_path)
    assert (real["realism"], real["faults"]) == ("realistic", 0)
    assert real["radio_lost"] > 0
    assert json.loads(tikitaka("replay", "a", "--verify", "--json", cwd=tmp_path).stdout)["identical"]
    refused = tikitaka("play", "--headless", "--realism", "dreamy", cwd=tmp_path, code=2).stderr
    assert "unknown realism 'dreamy'; known: 'ideal', 'friendly', 'realistic'" in refused


def test_without_json_the_last_line_sums_up(tmp_path: Path) -> None:
    done = tikitaka("play", "--headless", "--seconds", 2, "--out", "a", cwd=tmp_path)
    assert len(done.stdout.splitlines()) == 1
    assert done.stdout.startswith("full time 0:02  tikitaka ")
    assert "full time" in done.stderr


def test_new_writes_a_team_that_plays_and_never_overwrites(tmp_path: Path) -> None:
    tikitaka("new", "my_team.py", cwd=tmp_path)
    assert play("--seconds", 5, "--blue", "my_team.py", cwd=tmp_path)["faults"] == 0
    assert "exists already" in tikitaka("new", "my_team.py", cwd=tmp_path, code=2).stderr


def test_a_team_that_raises_is_shown_once_with_file_and_line_and_counted(tmp_path: Path) -> None:
    path = team(tmp_path, "print('hi')\ndef decide(world, memory):\n    print('hello')\n    return {0: (1, 1 / 0)}\n")
    result = play("--seconds", 2, "--blue", path, "--out", "a", cwd=tmp_path)
    assert result["faults"] == result["ticks"] == 60
    assert result["fault_messages"] == ["blue: my_team.py, line 4: ZeroDivisionError: division by zero"]
    assert result["stderr"].count("my_team.py, line 4") == 1
    json.loads(tikitaka("replay", "a", "--verify", "--json", cwd=tmp_path).stdout)


@pytest.mark.parametrize(
    ("answer", "word"),
    [
        ("{0: (float('nan'), 0)}", "finite"),
        ("{9: (0, 0)}", "unknown robot 9"),
        ("{0: (1, 2, 3, 4)}", "(x, y)"),
        ("None", "dict"),
    ],
)
def test_a_team_that_returns_nonsense_is_told_what(tmp_path: Path, answer: str, word: str) -> None:
    path = team(tmp_path, f"def decide(world, memory):\n    return {answer}\n")
    result = play("--seconds", 1, "--yellow", path, cwd=tmp_path)
    assert result["faults"] == 30
    assert word in result["fault_messages"][0]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--league", "nonsense"], "unknown league 'nonsense'; known: 'mirosot-5v5'"),
        (["--league", "broken.toml"], "broken.toml"),
        (["--league", "bad.toml"], "bad.toml: robot.mass must be"),
        (["--blue", "nobody.py"], "no such team file"),
        (["--blue", "nobody"], "unknown team 'nobody'; known: '"),
        (["--yellow", "syntax.py"], "syntax.py, line 2: SyntaxError"),
        (["--seconds", "-1"], "--seconds must be in (0, 36000] s; got -1"),
        (["--seconds", "nan"], "--seconds must be"),
        (["--seed", "-1"], "--seed must be in [0, "),
        (["--out", "syntax.py/run"], "cannot write the run folder"),
    ],
)
def test_what_can_never_work_is_refused_in_one_message(tmp_path: Path, words: list[str], message: str) -> None:
    (tmp_path / "broken.toml").write_text("[robot\nmass = 1")
    (tmp_path / "bad.toml").write_text('extends = "mirosot-5v5"\n[robot]\nmass = -1.0\n')
    (tmp_path / "syntax.py").write_text("def decide(world, memory):\n    return {0: (\n")
    done = tikitaka("play", "--headless", "--json", *words, cwd=tmp_path, code=2)
    assert message in done.stderr
    assert done.stdout == ""
    assert not (tmp_path / "runs").exists()


def test_a_port_in_use_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as holder:
        port = holder.getsockname()[1]
        done = tikitaka("play", "--port", port, cwd=tmp_path, code=2)
    assert f"port {port} is in use" in done.stderr
    assert not (tmp_path / "runs").exists()


def test_with_json_the_page_closes_at_full_time(tmp_path: Path) -> None:
    words = ["play", "--json", "--no-browser", "--port", 0, "--seconds", 1, "--speed", "inf", "--out", "a"]
    done = tikitaka(*words, cwd=tmp_path)
    assert json.loads(done.stdout)["full_time"]
    assert "the match is on:  http://127.0.0.1:" in done.stderr


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_in_the_middle_leaves_a_log_that_opens_and_replays(tmp_path: Path) -> None:
    words = [*TIKITAKA, "play", "--headless", "--json", "--seconds", "36000", "--out", "a"]
    with subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        wait_for(tmp_path / "a" / "log.mcap", 500_000)
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in stderr
    result = json.loads(stdout)
    assert not result["full_time"]
    verdict = json.loads(tikitaka("replay", "a", "--verify", "--json", cwd=tmp_path).stdout)
    assert (verdict["identical"], verdict["ticks"]) == (True, result["ticks"])


def test_a_team_that_never_returns_is_stopped_and_the_match_goes_on(tmp_path: Path) -> None:
    path = team(tmp_path, "def decide(world, memory):\n    while world.time > 0.5:\n        pass\n    return {}\n")
    result = play("--seconds", 2, "--blue", path, "--out", "a", cwd=tmp_path)
    assert result["full_time"]
    assert result["faults"] > 10
    assert "my_team.py, line" in result["stderr"]
    assert "it is not asked again" in result["stderr"]
    assert sum(logged.whole for logged in ticks(tmp_path / "a" / "log.mcap")) == 60


def wait_for(path: Path, size: int) -> None:
    """Return once a file has grown so large; the match that writes it has no other sign of life."""
    for _ in range(6000):
        if path.exists() and path.stat().st_size >= size:
            return
        time.sleep(0.01)
    raise AssertionError(f"{path} did not grow to {size} bytes within a minute")


def test_a_killed_match_leaves_a_log_that_opens_and_replays(tmp_path: Path) -> None:
    words = [*TIKITAKA, "play", "--headless", "--seconds", "36000", "--out", "a"]
    with subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        wait_for(tmp_path / "a" / "log.mcap", 2_000_000)
        process.kill()
        process.communicate(timeout=60)
    verdict = json.loads(tikitaka("replay", "a", "--verify", "--json", cwd=tmp_path).stdout)
    assert verdict["identical"]
    assert verdict["ticks"] > 100


@pytest.mark.parametrize("run", ["nowhere", "."])
def test_replay_of_no_run_is_refused(tmp_path: Path, run: str) -> None:
    assert "is not a run folder" in tikitaka("replay", run, "--verify", cwd=tmp_path, code=2).stderr


def test_an_unknown_command_or_option_is_refused(tmp_path: Path) -> None:
    assert "plau" in tikitaka("plau", cwd=tmp_path, code=2).stderr
    assert "--sed" in tikitaka("play", "--sed", "3", cwd=tmp_path, code=2).stderr


def test_a_bug_of_ours_is_one_message_with_the_traceback_in_a_file(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(_: list[str]) -> int:
        raise RuntimeError("oh")

    monkeypatch.setattr(cli, "_dispatch", fail)
    assert cli.run(["play"]) == cli.BUG
    message = capsys.readouterr().err
    kept = Path(message.split("please send us ")[1].strip())
    assert "RuntimeError: oh" in message
    assert "Traceback" in kept.read_text()
    kept.unlink()


def test_bench_and_lab_speak_the_contract(tmp_path: Path) -> None:
    bench = json.loads(tikitaka("bench", "--league", "vsss-3v3", "--no-cold", "--json", cwd=tmp_path).stdout)
    assert {"commit", "machine", "seconds", "rows"} <= bench.keys()
    assert {"sim/vsss-3v3", "estimate/vsss-3v3", "tick/vsss-3v3"} <= {row["name"] for row in bench["rows"]}
    assert all(0.0 < row["median_us"] <= row["p99_us"] and row["n"] > 100 for row in bench["rows"])
    lab = json.loads(tikitaka("lab", "first-light", "--seeds", 2, "--json", cwd=tmp_path).stdout)
    assert {"commit", "machine", "seconds", "rows"} <= lab.keys()
    keys = {"label", "paper", "ours", "low", "high", "unit", "verdict"}
    assert all(row.keys() == keys and row["low"] <= row["ours"] <= row["high"] for row in lab["rows"])
    for seeds in (0, -1, 1_000_001, 99999999999999999999):
        refused = tikitaka("lab", "sim-pile", "--seeds", seeds, cwd=tmp_path, code=2).stderr
        assert f"--seeds must be in [1, 1000000]; got {seeds}" in refused
    assert "unknown experiment 'nope'; known: 'first-light'" in tikitaka("lab", "nope", cwd=tmp_path, code=2).stderr


@pytest.mark.skipif(cuda.is_available(), reason="there is a card")
def test_bench_says_where_there_is_no_card(tmp_path: Path) -> None:
    said = tikitaka("bench", "--card", cwd=tmp_path, code=2).stderr
    assert "no graphics card that numba can use" in said
    assert "tikitaka doctor" in said


def test_match_tells_who_is_better_and_keeps_the_result(tmp_path: Path) -> None:
    words = ("match", "rookie", "rookie", "--games", 2, "--seconds", 3, "--league", "vsss-3v3", "--seed", 5)
    done = tikitaka(*words, "--json", "--out", "kept", cwd=tmp_path)
    result = json.loads(done.stdout)
    assert result["wins"] + result["draws"] + result["losses"] == 2
    assert result["minutes"] == pytest.approx(0.1)
    assert [game["seed"] for game in result["played"]] == [5, 6]
    assert json.loads((tmp_path / "kept" / "match-vsss-3v3.json").read_text()) == result
    assert "passes completed a minute" in tikitaka(*words, cwd=tmp_path).stdout


def test_ladder_ranks_every_team(tmp_path: Path) -> None:
    idle = team(tmp_path, "def decide(world, memory):\n    return {}\n")
    words = ("ladder", "rookie", idle, "--games", 2, "--seconds", 2, "--league", "vsss-3v3")
    result = json.loads(tikitaka(*words, "--json", cwd=tmp_path).stdout)
    assert {row["team"] for row in result["ladder"]} == {"rookie", str(idle)}
    assert sum(sum(row["points"].values()) for row in result["ladder"]) == 2.0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("match", "rookie", "nobody"), "unknown team 'nobody'"),
        (("match", "rookie", "gone.py"), "no such team file"),
        (("match", "rookie", "rookie", "--games", 0), "--games must be in"),
        (("match", "rookie", "rookie", "--seconds", -1), "--seconds must be in"),
        (("ladder", "rookie"), "two different teams"),
        (("ladder", "rookie", "rookie"), "two different teams"),
    ],
)
def test_series_that_can_never_be_played_are_refused(words: tuple[object, ...], said: str, tmp_path: Path) -> None:
    assert said in tikitaka(*words, cwd=tmp_path, code=2).stderr
