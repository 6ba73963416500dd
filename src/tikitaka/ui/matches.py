"""`tikitaka match` and `tikitaka ladder`: many games without a picture, and their tables."""

import itertools
import json as jsons
import math
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, ProgressColumn, Task
from rich.table import Table
from rich.text import Text

from tikitaka.errors import RunError, TikitakaError
from tikitaka.loop import elo
from tikitaka.loop.build import MAX_SEED
from tikitaka.loop.games import STUCK, Played, Result, series
from tikitaka.loop.run import Fixture, versions
from tikitaka.types import Floats
from tikitaka.ui.scoreboard import clock, people
from tikitaka.ui.warming import warm

MOST = 10_000  # games of a series
COUNTS = {  # by their name in the result
    "passes": "passes completed a minute",
    "shots": "shots on goal a minute",
    "saves": "saves a minute",
    "own_collisions": "collisions among own robots a minute",
}


def match(what: Fixture, games: int, out: Path | None, json: bool) -> int:
    """Play a series of blue against yellow of ``what`` and return the exit code."""
    _check(what, games)
    began = time.perf_counter()
    with _progress(f"{what.blue} - {what.yellow}", games, quiet=json) as tell:
        result = series(what.blue, what.yellow, what, games, tell)
    found = {**_head(what, games), "teams": [what.blue, what.yellow], **described(result)}
    found["wall_s"] = time.perf_counter() - began
    _publish(found, f"match-{what.league.name}", out, json)
    if not json:
        Console().print(_match_table(what, result))
        _tell_faults((what.blue, what.yellow), result)
    return 0


def ladder(what: Fixture, teams: Sequence[str], games: int, out: Path | None, json: bool) -> int:
    """Play every pair of teams and return the exit code."""
    if len(teams) < 2 or len(set(teams)) < len(teams):
        raise TikitakaError(f"a ladder needs two different teams or more; got {', '.join(teams) or 'none'}")
    for team in teams:
        _check(replace(what, blue=team, yellow=team), games)
    pairs, began = list(itertools.combinations(range(len(teams)), 2)), time.perf_counter()
    points, results = np.zeros((len(teams), len(teams))), dict[tuple[int, int], Result]()
    with _progress("ladder", games * len(pairs), quiet=json) as tell:
        for k, (i, j) in enumerate(pairs):
            result = series(teams[i], teams[j], what, games, lambda done, k=k: tell(k * games + done))  # type: ignore[misc]
            results[i, j] = result
            points[i, j], points[j, i] = result.wins + 0.5 * result.draws, result.losses + 0.5 * result.draws
    rating, half = elo.ratings(points)
    order = np.argsort(-rating, kind="stable").tolist()
    rows = [_ladder_row(teams, points, rating, half, i) for i in order]
    played = [{"teams": [teams[i], teams[j]], **described(r, each=False)} for (i, j), r in results.items()]
    found = {**_head(what, games), "ladder": rows, "pairs": played, "wall_s": time.perf_counter() - began}
    _publish(found, f"ladder-{what.league.name}", out, json)
    if not json:
        Console().print(_ladder_table(what, rows, games))
        for (i, j), result in results.items():
            _tell_faults((teams[i], teams[j]), result)
    return 0


def described(result: Result, *, each: bool = True) -> dict[str, Any]:
    """Return a result as --json prints it; pairs are the first team's number and the second's."""
    found: dict[str, Any] = {
        "wins": result.wins,
        "draws": result.draws,
        "losses": result.losses,
        "goals": list(result.goals),
        "win_rate": _finite(result.win_rate),
        "win_rate_interval": list(result.interval),
        "minutes": result.minutes,
        "possession": list(result.mean("possession")),
        **{f"{name}_per_minute": list(result.per_minute(name)) for name in COUNTS},
        "collisions_per_minute": sum(game.collisions for game in result.games) / result.minutes,
        "swaps": sum(game.swaps for game in result.games),
        "longest_stand_s": list(result.stands),
        "longest_ball_stand_s": result.ball_stands,
        "stuck_games": result.stuck,
        "faults": [sum(game.faults[k] for game in result.games) for k in (0, 1)],
        "fault_messages": _faults(result),
        "tick_us": _finite(sum(game.tick_us for game in result.games) / len(result.games)),
    }
    return {**found, "played": [_one(game) for game in result.games]} if each else found


def _one(game: Played) -> dict[str, Any]:
    return {**asdict(game), "tick_us": _finite(game.tick_us)}


def _finite(value: float) -> float | None:
    """Return a number as JSON can have it."""
    return value if math.isfinite(value) else None


def _check(what: Fixture, games: int) -> None:
    """Raise for what can never work, before anything is played: both teams are loaded here."""
    if not 1 <= games <= MOST:
        raise TikitakaError(f"--games must be in [1, {MOST}]; got {games}")
    if not 0 <= what.seed <= MAX_SEED - games:
        raise TikitakaError(f"--seed must be in [0, {MAX_SEED - games}]; got {what.seed}")
    what.setup()
    warm(what.league, counts=True)


@contextmanager
def _progress(title: str, total: int, *, quiet: bool) -> Iterator[Callable[[int], None]]:
    columns = (*Progress.get_default_columns()[:2], MofNCompleteColumn(), Left())
    with Progress(*columns, console=people, transient=True, disable=quiet or not people.is_terminal) as bar:
        task = bar.add_task(title, total=total, at=0.0)
        began = time.perf_counter()
        yield lambda done: bar.update(task, completed=done, at=time.perf_counter() - began)


class Left(ProgressColumn):
    """How long the rest will take."""

    def render(self, task: Task) -> Text:
        """Return the time left, as far as it can be told."""
        left = time_left(task.completed, task.total or 0.0, task.fields["at"], task.elapsed or 0.0)
        return Text("" if left is None else f"{clock(left)} left", style="progress.remaining")


def time_left(done: float, total: float, at: float, now: float) -> float | None:
    """Return seconds to go when ``done`` games were finished ``at`` seconds; None: none has been finished yet.

    Games run side by side, so the time between two that end says nothing.
    """
    return max(0.0, at / done * (total - done) - (now - at)) if done else None


def _head(what: Fixture, games: int) -> dict[str, Any]:
    lg = what.league
    seconds = lg.match.seconds if what.seconds is None else what.seconds
    same = {"league": lg.name, "realism": lg.realism, "seed": what.seed, "games": games, "seconds": seconds}
    return {**same, "truth": list(what.truth), "versions": versions()}


def _publish(found: dict[str, Any], name: str, out: Path | None, json: bool) -> None:
    if out is not None:
        file = out / f"{name}.json"
        try:
            out.mkdir(parents=True, exist_ok=True)
            file.write_text(jsons.dumps(found, indent=2) + "\n", encoding="utf-8")
        except OSError as error:
            raise RunError(f"cannot write {file}: {error.strerror}; choose another --out") from None
        people.print(f"written to {file}", markup=False, soft_wrap=True)
    if json:
        sys.stdout.write(jsons.dumps(found) + "\n")


def _faults(result: Result) -> list[str]:
    """Return every different fault, without the colour that the team wore."""
    return list(dict.fromkeys(text.partition(": ")[2] for game in result.games for text in game.fault_messages))


def _tell_faults(teams: Sequence[str], result: Result) -> None:
    """Tell every different fault once, and how often each team's code failed."""
    for text in _faults(result):
        people.print(f"fault: {text}", style="red", markup=False, soft_wrap=True)
    for team, many in zip(teams, (sum(game.faults[k] for game in result.games) for k in (0, 1)), strict=True):
        if many:
            line = f"{team}: its code failed at {many} ticks; its robots stood still at these"
            people.print(line, style="red", markup=False, soft_wrap=True)


def _match_table(what: Fixture, result: Result) -> Table:
    (low, high), all_ = result.interval, described(result, each=False)
    rate = "no game was decided"
    if not math.isnan(result.win_rate):
        rate = f"{100 * result.win_rate:.0f} % of decided games won [{100 * low:.0f}, {100 * high:.0f}]"
    counts = f"{result.wins} won, {result.draws} drawn, {result.losses} lost"
    table = Table(title=f"{what.league.name}, {len(result.games)} games: {counts}")
    table.caption = rate if all_["tick_us"] is None else f"{rate}; {all_['tick_us']:.0f} us a tick"
    for title in ("", what.blue, what.yellow):
        table.add_column(title, justify="left" if not title else "right")
    table.add_row("goals", *(str(goals) for goals in result.goals))
    table.add_row("possession", *(f"{100 * share:.0f} %" for share in result.mean("possession")))
    for name, title in COUNTS.items():
        table.add_row(title, *(f"{count:.2f}" for count in result.per_minute(name)))
    table.add_row("longest stand of a robot, s", *(f"{seconds:.1f}" for seconds in result.stands))
    table.add_row("longest stand of the ball, s", f"{result.ball_stands:.1f}", "")
    table.add_row(f"stuck games (ball, over {STUCK:.0f} s)", str(result.stuck), "")
    table.add_row("collisions a minute, all robots", f"{all_['collisions_per_minute']:.2f}", "")
    table.add_row("identity swaps", str(all_["swaps"]), "")
    return table


def _ladder_row(teams: Sequence[str], points: Floats, rating: Floats, half: Floats, i: int) -> dict[str, Any]:
    against = {teams[j]: float(points[i, j]) for j in range(len(teams)) if j != i}
    interval = [float(rating[i] - half[i]), float(rating[i] + half[i])]
    return {"team": teams[i], "elo": float(rating[i]), "elo_interval": interval, "points": against}


def _ladder_table(what: Fixture, rows: Sequence[dict[str, Any]], games: int) -> Table:
    table = Table(
        title=f"{what.league.name}, {games} game{'s' if games > 1 else ''} a pair: points taken from each other"
    )
    for title in ("team", "Elo", "95 %", *(row["team"] for row in rows)):
        table.add_column(title, justify="left" if title == "team" else "right")
    for row in rows:
        low, high = row["elo_interval"]
        taken = [f"{row['points'][other['team']]:g}" if other is not row else "" for other in rows]
        table.add_row(row["team"], f"{row['elo']:.0f}", f"{low:.0f} to {high:.0f}", *taken)
    return table
