"""Films of goals: what is in them, and what is refused."""

import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest

from tikitaka import league
from tikitaka.errors import TikitakaError
from tikitaka.loop import run
from tikitaka.loop.playback import Playback
from tikitaka.types import EventKind
from tikitaka.ui import film
from tikitaka.ui.replaying import film as make
from tikitaka.ui.scoreboard import clock as board

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def scored(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, tuple[int, int]]:
    """Return a run in which blue scores: yellow stands still, blue pushes the ball from the kick-off straight ahead."""
    folder = tmp_path_factory.mktemp("film")
    (folder / "idle.py").write_text("def decide(world, memory):\n    return {}\n")
    teams = ("rookie", str(folder / "idle.py"))
    where, match = run.create(folder / "run", run.Fixture(league.load("mirosot-5v5"), 0, 40.0, *teams))
    while not match.done and sum(match.score) == 0:
        match.step()
    match.step()
    match.close()
    assert sum(match.score) == 1, "the film needs a goal"
    return where, match.score


def test_a_film_ends_with_the_goal_and_everybody_moves_in_it(scored: tuple[Path, tuple[int, int]]) -> None:
    folder, score = scored
    scene = film.shoot(Playback(folder), None)
    assert (scene.goal, scene.score, scene.names) == (True, score, ("rookie", "idle"))
    half = league.load("mirosot-5v5").field.geometry().half_length
    assert abs(scene.ball[-1, 0]) > 0.8 * half
    picture = ET.fromstring(film.draw(scene))  # noqa: S314  our own
    moves = picture.findall(f".//{SVG}animateTransform")
    assert len(moves) == 2 * 10 + 1 + film.GHOSTS
    for move in moves:
        values, times = move.attrib["values"].split(";"), move.attrib["keyTimes"].split(";")
        assert len(values) == len(times) == len(scene.ball) + 1
        assert (times[0], times[-1]) == ("0.0000", "1")
        assert np.all(np.diff(np.array(times, float)) > 0.0)
        assert move.attrib["dur"] == f"{(len(scene.ball) / 30.0 * 2.0 + film.HOLD):g}s"  # every other of 30 a second
    assert "GOAL" in "".join(picture.itertext())


def shown(picture: ET.Element, time: float) -> list[str]:
    """Return the words that are to be seen at a time."""
    found = []
    for text in picture.findall(f"{SVG}text"):
        seen, blink = float(text.attrib.get("opacity", "1")), text.find(f"{SVG}animate")
        if blink is not None:
            times = np.array(blink.attrib["keyTimes"].split(";"), float) * float(blink.attrib["dur"][:-1])
            seen = float(blink.attrib["values"].split(";")[int(np.searchsorted(times, time, side="right")) - 1])
        if seen:
            found.append("".join(text.itertext()))
    return found


def test_the_score_changes_at_the_goal_and_the_clock_runs(scored: tuple[Path, tuple[int, int]]) -> None:
    scene = film.shoot(Playback(scored[0]), None)
    picture = ET.fromstring(film.draw(scene))  # noqa: S314  our own
    assert (scene.before, scene.score) == ((0, 0), (1, 0))
    for time in np.arange(0.05, scene.whole - 0.05, 0.1).tolist():
        score, clock, *shout = shown(picture, time)
        before = time < scene.moving
        assert score == f"rookie  {0 if before else 1} : 0  idle"
        assert clock == board(scene.end - max(0.0, len(scene.ball) - 1 - time * scene.rate) / scene.rate)
        assert before or shout == ["GOAL"] or time < scene.moving + 0.3  # it fades in


def test_wrong_goals_and_files_are_refused(scored: tuple[Path, tuple[int, int]], tmp_path: Path) -> None:
    with pytest.raises(TikitakaError, match=r"--goal must be in \[1, 1\]"):
        make(scored[0], tmp_path / "goal.svg", 2)
    with pytest.raises(TikitakaError, match="--goal must be 1 or more"):
        make(scored[0], tmp_path / "goal.svg", 0)
    with pytest.raises(TikitakaError, match=r"must be a file that ends in \.svg"):
        make(scored[0], tmp_path / "goal.gif", None)
    assert make(scored[0], tmp_path / "new" / "goal.svg", 1) == 0
    assert (tmp_path / "new" / "goal.svg").stat().st_size < 3e6


def test_a_match_without_a_goal_shows_its_end(tmp_path: Path) -> None:
    where, match = run.create(tmp_path / "run", run.Fixture(league.load("vsss-3v3"), 0, 0.5, "rookie", "rookie"))
    while not match.done:
        match.step()
    match.close()
    assert EventKind.GOAL not in {event.kind for event in match.events}
    scene = film.shoot(Playback(where), None)
    assert not scene.goal
    assert "GOAL" not in film.draw(scene)
