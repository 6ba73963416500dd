"""Short matches for the tests of the loop."""

from pathlib import Path

from tikitaka import league
from tikitaka.loop import run
from tikitaka.loop.build import build
from tikitaka.loop.match import Match
from tikitaka.loop.run import RecordedMatch


def play(name: str, ticks: int, seed: int = 3, blue: str = "rookie") -> Match:
    match = Match(build(league.load(name), seed, 600.0, blue, "rookie"))
    for _ in range(ticks):
        match.step()
    return match


def record(
    folder: Path, name: str, seconds: float, seed: int = 3, blue: str = "rookie", realism: str | None = None
) -> tuple[Path, RecordedMatch]:
    fixture = run.Fixture(league.load(name, realism), seed, seconds, blue, "rookie")
    where, match = run.create(folder, fixture)
    while not match.done:
        match.step()
    match.close()
    return where, match
