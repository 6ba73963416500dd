"""Every event has a rule in plain words, the docs have the same, and every event reads as a sentence."""

from dataclasses import fields
from pathlib import Path

import pytest

from tikitaka import referee
from tikitaka.types import BLUE, YELLOW, Event, EventKind

DOCS = Path(__file__).parents[2] / "docs" / "rules.md"
RESTARTS = [k for k in EventKind if k.name in ("FREE_KICK", "GOAL_KICK", "PENALTY", "FREE_BALL", "THROW_IN")]


def test_every_kind_has_one_rule() -> None:
    assert set(referee.BOOK) == set(EventKind)
    assert len({rule.text for rule in referee.BOOK.values()}) == len(EventKind)


def test_the_docs_have_the_book_word_by_word() -> None:
    rows = [line.strip("| ").split(" | ") for line in DOCS.read_text().splitlines() if line.startswith("| `")]
    found = {row[0].strip("`"): (row[1], row[2]) for row in rows if row[0].strip("`") in EventKind.__members__}
    assert found == {kind.name: (rule.played, rule.text) for kind, rule in referee.BOOK.items()}


@pytest.mark.parametrize("kind", EventKind)
@pytest.mark.parametrize("robots", [(), (3,), (3, 7), (3, 7, 9)])
def test_every_event_reads_as_a_line_without_holes(kind: EventKind, robots: tuple[int, ...]) -> None:
    for team in (BLUE, YELLOW, -1):
        text = referee.describe(Event(kind, 1, 0.1, team, 0.0, 0.0, robots, None, 1.25), 5)
        assert text
        assert "{" not in text
        assert "  " not in text
        assert text == text.strip()
        for restart in RESTARTS:
            event = Event(restart, 1, 0.1, team, 0.0, 0.0, robots, kind, 1.25)
            head, text = referee.describe(event, 5), referee.describe(Event(kind, 1, 0.1, team, 0.0, 0.0, robots), 5)
            assert head.partition(": ")[0] == referee.describe(Event(restart, 1, 0.1, team, 0.0, 0.0), 5)
            assert text


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (
            Event(EventKind.FREE_KICK, 1, 0.1, YELLOW, 0.0, 0.0, (3, 8), EventKind.CRASH, 2.14),
            "free kick for yellow: blue 3 crashed into yellow 2 at 2.1 m/s",
        ),
        (
            Event(EventKind.PENALTY, 1, 0.1, BLUE, 0.0, 0.0, (6, 9, 10), EventKind.CROWDED_DEFENCE),
            "penalty for blue: yellow 0, yellow 3 and yellow 4 were in their goal area with the ball",
        ),
        (Event(EventKind.GOAL, 1, 0.1, BLUE, 0.0, 0.0, (2,)), "goal for blue"),
        (
            Event(EventKind.THROW_IN, 1, 0.1, YELLOW, 0.0, 0.0, (), EventKind.BALL_OUT),
            "throw-in for yellow: somebody put the ball out",
        ),
    ],
)
def test_what_people_read(event: Event, text: str) -> None:
    assert referee.describe(event, 6) == text


def test_an_event_has_place_and_robots() -> None:
    assert {"x", "y", "robots", "cause", "value"} <= {f.name for f in fields(Event)}
