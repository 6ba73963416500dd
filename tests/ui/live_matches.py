from standin import Match


def make_match(league: str = "mirosot-5v5", seconds: float = 300.0) -> Match:
    """Return a short match of our own two teams."""
    return Match(league, seconds)
