"""Whole matches, short ones."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from match_helpers import play, record

from tikitaka import league
from tikitaka.loop import run
from tikitaka.loop.build import build
from tikitaka.loop.match import Match, advance, begin, other_side
from tikitaka.types import EventKind, Frame, Phase

HASH = """
import sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from match_helpers import record
from tikitaka.loop import run
print(run.sha256(record(Path(sys.argv[2]), sys.argv[3], 4.0)[1].log))
"""


def hash_elsewhere(folder: Path, name: str, **environment: str) -> str:
    words = [sys.executable, "-c", HASH, str(Path(__file__).parent), str(folder), name]
    done = subprocess.run(words, capture_output=True, text=True, check=True, env={**os.environ, **environment})
    return done.stdout.strip()


@pytest.mark.parametrize("name", league.names())
def test_every_league_plays_without_a_fault_and_stays_on_the_pitch(name: str) -> None:
    match = play(name, ticks=240)
    state, field = match.moment.state, match.setup.pitch.field
    assert np.isfinite(state.pose).all()
    assert np.isfinite(state.ball).all()
    reach_x = field.half_length + max(field.margin_x, field.goal_depth)
    assert (abs(state.pose[:, 0]) < reach_x).all()
    assert (abs(state.pose[:, 1]) < field.half_width + field.margin_y).all()
    assert match.faults == (0, 0)
    assert np.ptp(np.array([play(name, t).moment.state.pose[:, :2] for t in (1, 60)]), axis=0).max() > 0.05


def test_the_same_seed_gives_the_same_log_here_and_in_another_process(tmp_path: Path) -> None:
    first = run.sha256(record(tmp_path / "a", "mirosot-5v5", 4.0)[1].log)
    again = run.sha256(record(tmp_path / "b", "mirosot-5v5", 4.0)[1].log)
    assert first == again == hash_elsewhere(tmp_path / "c", "mirosot-5v5")


@pytest.mark.parametrize("name", ["mirosot-5v5", "ssl-b"])
def test_compiled_and_interpreted_kernels_give_the_same_log(tmp_path: Path, name: str) -> None:
    compiled = run.sha256(record(tmp_path / "a", name, 4.0)[1].log)
    assert compiled == hash_elsewhere(tmp_path / "b", name, NUMBA_DISABLE_JIT="1")


def test_another_seed_gives_another_match(tmp_path: Path) -> None:
    first = record(tmp_path / "a", "mirosot-5v5", 1.0, seed=3)[1]
    other = record(tmp_path / "b", "mirosot-5v5", 1.0, seed=4)[1]
    assert run.sha256(first.log) != run.sha256(other.log)


def test_a_moment_can_be_played_again_and_is_not_touched() -> None:
    match = play("mirosot-5v5", ticks=40)
    moment = match.moment
    pose = moment.state.pose.copy()
    after, again = advance(match.setup, moment)[0], advance(match.setup, moment)[0]
    assert np.array_equal(moment.state.pose, pose)
    assert np.array_equal(after.state.pose, again.state.pose)
    assert np.array_equal(after.state.ball, again.state.ball)


def test_the_score_is_the_number_of_goals_and_full_time_ends_it() -> None:
    match = Match(build(league.load("mirosot-5v5"), 1, 40.0, "rookie", "rookie"))
    while not match.done:
        match.step()
    goals = [event.team for event in match.events if event.kind == EventKind.GOAL]
    assert match.score == (goals.count(0), goals.count(1))
    assert match.moment.state.tick == 40 * 30
    assert match.step() == ()
    assert match.snapshot().phase == Phase.HALT
    assert match.snapshot().time_left == 0.0


def test_pictures_reach_the_teams_after_the_latency_and_not_before() -> None:
    setup = build(league.load("mirosot-5v5"), 1, 10.0, "rookie", "rookie")
    moment, _ = begin(setup)
    taken: list[Frame] = []
    for tick in range(9):
        moment, rec = advance(setup, moment)
        taken += rec.frames
        seen = rec.thoughts[0].world.time - rec.thoughts[0].world.ours.age.min()
        newest = max((f.captured for f in taken if f.arrives <= tick / setup.rate), default=0.0)
        assert seen == pytest.approx(newest)
        assert (newest > 0.0) == (tick > 2)  # a latency of one tick and a half, and half an exposure


def test_commands_reach_the_robots_after_the_radios_latency_and_not_before(tmp_path: Path) -> None:
    file = tmp_path / "slow.toml"
    file.write_text('extends = "mirosot-5v5"\nradio.latency = 0.1\n')
    setup = build(league.load(file), 1, 10.0, "rookie", "rookie")
    moment, _ = begin(setup)
    start = moment.state.pose
    for tick in range(6):
        moment, rec = advance(setup, moment)
        assert rec.thoughts[0].commands.wheels.any()
        assert (moment.state.pose == start).all() == (tick < 3)


@pytest.mark.parametrize("name", league.names())
@pytest.mark.parametrize("realism", ["ideal", "realistic"])
def test_every_league_plays_at_every_realism(name: str, realism: str) -> None:
    match = Match(build(league.load(name, realism), 3, 600.0, "rookie", "rookie"))
    for _ in range(120):
        match.step()
    n, state = match.league.team.robots, match.moment.state
    assert match.faults == (0, 0)
    assert np.isfinite(state.pose).all()
    assert match.record is not None
    belief, truth = match.record.thoughts[0].world.ours.pose, match.record.state.pose[:n]
    assert np.median(np.linalg.norm((belief - truth)[:, :2], axis=1)) < (1e-3 if realism == "ideal" else 0.05)


def test_yellow_hears_of_a_placement_from_its_own_side() -> None:
    setup = build(league.load("mirosot-5v5"), 1, 10.0, "rookie", "rookie")
    _, rec = advance(setup, begin(setup)[0])
    placed = rec.placed
    assert placed is not None
    assert np.allclose(other_side(other_side(placed)), placed, atol=1e-12)
    assert np.allclose(other_side(placed)[:5, :2], -placed[5:10, :2])
    assert np.allclose(rec.thoughts[1].world.ours.pose[:, :2], -placed[5:10, :2])


def test_the_snapshot_shows_truth_belief_and_targets_in_one_frame() -> None:
    match = play("mirosot-5v5", ticks=90)
    shot = match.snapshot()
    assert shot.tick == 90
    assert np.array_equal(shot.robots, match.moment.state.pose)
    assert np.abs(shot.belief[:, :2] - shot.robots[:, :2]).max() < 0.2  # a tick old, and estimated
    assert shot.targets.shape == (10, 2)
    assert np.isfinite(shot.targets).all()


def test_two_matches_of_one_setup_do_not_share_a_teams_memory(tmp_path: Path) -> None:
    team = tmp_path / "counting.py"
    team.write_text("def decide(world, memory):\n    memory['n'] = memory.get('n', 0) + 1\n    return {}\n")
    setup = build(league.load("mirosot-5v5"), 1, 1.0, str(team), "rookie")
    for _ in range(2):
        match = Match(setup)
        match.step()
        assert match.moment.teams[0].roles.own == {"n": 1}
