"""Matches for the tests of the live page."""

from tikitaka.league import load
from tikitaka.loop.build import build
from tikitaka.loop.match import Match


def make_match(league: str = "mirosot-5v5", seconds: float = 300.0, blue: str = "rookie") -> Match:
    """Return a match at its kick-off, against the team that ships with the package."""
    return Match(build(load(league), seed=7, seconds=seconds, blue=blue, yellow="rookie"))
