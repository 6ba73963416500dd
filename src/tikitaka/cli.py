"""The commands. Results go to standard output, all else to standard error; imports are late, so help is quick."""

import contextlib
import os
import shlex
import sys
import tempfile
import traceback
from collections.abc import Callable
from pathlib import Path

from tikitaka import __version__
from tikitaka.errors import TikitakaError

USER_ERROR, BUG, INTERRUPTED = 2, 70, 130


def play(
    *,
    league: str = "mirosot-5v5",
    realism: str | None = None,
    blue: str = "tikitaka",
    yellow: str = "classic",
    truth: bool = False,
    seconds: float | None = None,
    seed: int = 0,
    out: Path | None = None,
    headless: bool = False,
    json: bool = False,
    speed: float = 1.0,
    host: str = "127.0.0.1",
    port: int | None = None,
    browser: bool = True,
) -> int:
    """Play a match: on a live page in the browser, or with --headless in the terminal.

    :param league: A preset's name, or the path of a TOML file of your own.
    :param realism: How real cameras and radio are: ideal, friendly or realistic; as the league says when not given.
    :param blue: The team that attacks to the right: a name, a team file or module:function, then :option=value,... .
    :param yellow: The team that attacks to the left.
    :param truth: Blue is told where everything is, whatever its cameras see.
    :param seconds: Length of the match; the league's own length when not given.
    :param seed: Seed of all noise: the same seed gives the same match, to the last byte of its log.
    :param out: The run folder; a new one under runs/ when not given.
    :param headless: No page: as fast as possible, with a scoreboard in the terminal.
    :param json: Print the result as one JSON object and nothing else; the page then closes at full time.
    :param speed: How fast the page plays at first, in simulated seconds a second; inf: as fast as possible.
    :param host: Address that the page is served on; others than this machine can reach it only if you change this.
    :param port: Port of the page; 8080 or the next free one when not given.
    :param browser: Open the page in a browser where there is a desktop.
    """
    from tikitaka.ui import playing

    playing.check_speed(speed)
    what = playing.fixture(league, seed, seconds, blue, yellow, realism, truth)
    page = (speed, host, port, browser)
    return playing.headless(what, out, json) if headless else playing.on_page(what, out, json, *page)


def replay(
    run: Path | None = None,
    *,
    verify: bool = False,
    film: Path | None = None,
    goal: int | None = None,
    json: bool = False,
    speed: float = 1.0,
    host: str = "127.0.0.1",
    port: int | None = None,
    browser: bool = True,
) -> int:
    """Show a recorded match on the page again, make a --film of a goal, or --verify every tick.

    :param run: The run folder of the match; --verify runs the team files in it, so verify only folders that you trust.
    :param verify: Feed every stage from the log and compare what comes out, bit by bit.
    :param film: Write the seconds before a goal as a moving SVG to this file instead.
    :param goal: Which goal the film shows, counted from 1; the last one when not given.
    :param json: Print the verdict as one JSON object and nothing else.
    :param speed: How fast the page plays at first.
    :param host: Address that the page is served on.
    :param port: Port of the page; 8080 or the next free one when not given.
    :param browser: Open the page in a browser where there is a desktop.
    """
    from tikitaka.ui import replaying

    folder = replaying.folder_of(run)
    replaying.check(goal, film, json, verify)
    if film is not None:
        return replaying.film(folder, film, goal)
    return replaying.verify(folder, json) if verify else replaying.show(folder, speed, host, port, browser)


def match(
    first: str,
    second: str,
    *,
    games: int = 20,
    league: str = "mirosot-5v5",
    realism: str | None = None,
    truth: bool = False,
    seconds: float | None = None,
    seed: int = 0,
    out: Path | None = None,
    json: bool = False,
) -> int:
    """Play many games of two teams on all cores and tell who is better.

    :param first: A team: a name, a team file or module:function, then :option=value,... .
    :param second: Its opponent; they change colours from game to game.
    :param games: How many.
    :param league: A preset's name, or the path of a TOML file of your own.
    :param realism: How real cameras and radio are: ideal, friendly or realistic; as the league says when not given.
    :param truth: The first team is told where everything is, so that the price of estimation can be measured.
    :param seconds: Length of a game; the league's own length when not given.
    :param seed: Seed of the first game; each one has the next.
    :param out: Folder for the result as a file.
    :param json: Print the result as one JSON object and nothing else.
    """
    from tikitaka.ui import matches, playing

    what = playing.fixture(league, seed, seconds, first, second, realism, truth)
    return matches.match(what, games, out, json)


def ladder(
    *teams: str,
    games: int = 10,
    league: str = "mirosot-5v5",
    realism: str | None = None,
    seconds: float | None = None,
    seed: int = 0,
    out: Path | None = None,
    json: bool = False,
) -> int:
    """Play every pair of teams on all cores and rank them by Elo.

    :param teams: Names, team files or module:function; those that ship with us when none is given.
    :param games: How many a pair.
    :param league: A preset's name, or the path of a TOML file of your own.
    :param realism: How real cameras and radio are: ideal, friendly or realistic; as the league says when not given.
    :param seconds: Length of a game; the league's own length when not given.
    :param seed: Seed of the first game of a pair; each one has the next.
    :param out: Folder for the result as a file.
    :param json: Print the result as one JSON object and nothing else.
    """
    from tikitaka.loop.build import TEAMS
    from tikitaka.ui import matches, playing

    names = teams or TEAMS
    what = playing.fixture(league, seed, seconds, names[0], names[0], realism)
    return matches.ladder(what, names, games, out, json)


def new(path: Path = Path("my_team.py")) -> int:
    """Write a commented team file to start from.

    :param path: The file to write; one that exists is not touched.
    """
    from tikitaka.decide import template

    template.write(path)
    say(f"wrote {path}; play it with:  tikitaka play --blue {shlex.quote(str(path))}")
    return 0


def bench(
    *,
    league: list[str] | None = None,
    seed: int = 0,
    out: Path | None = None,
    json: bool = False,
    cold: bool = True,
    card: bool = False,
) -> int:
    """Measure microseconds a stage: median and p99, compile time apart; or a graphics card's steps a second.

    :param league: Leagues to measure; may be given several times.
    :param seed: Seed of the match that is measured.
    :param out: Folder for the result as a file, named by date, machine and commit.
    :param json: Print the result as one JSON object and nothing else.
    :param cold: Measure the compile time too, in a process with an empty cache.
    :param card: Measure instead how many steps a second a graphics card simulates, in float32 and float64.
    """
    if card:
        from tikitaka.lab import bench_card

        return bench_card.main(league or list(bench_card.LEAGUES), seed, out, json)
    from tikitaka.lab import benching

    return benching.main(league or list(benching.LEAGUES), seed, out, json, cold)


def lab(
    name: str = "",
    *,
    seeds: int | None = None,
    seed: int = 0,
    league: str | None = None,
    out: Path | None = None,
    json: bool = False,
) -> int:
    """Run an experiment: ours beside the paper's number, with spread; without a name, list them.

    :param name: Which experiment.
    :param seeds: How many seeds; each experiment has its own default.
    :param seed: The first of them.
    :param league: League, for experiments that can be run in several; each has its own when not given.
    :param out: Folder for the result as a file.
    :param json: Print the result as one JSON object and nothing else.
    """
    from tikitaka.lab import experiments

    return experiments.main(name, seeds, seed, league, out, json)


def doctor(*, json: bool = False) -> int:
    """Check this machine: Python, packages, ports, cache, browser, GPU, each with its fix.

    :param json: Print the checks as one JSON object and nothing else.
    """
    from tikitaka import doctor as checks

    return checks.main(json)


COMMANDS: tuple[Callable[..., int], ...] = (play, match, ladder, replay, new, bench, lab, doctor)


def main() -> None:
    """Run the command line; no traceback reaches the user."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Return the exit code of a command line."""
    if not arguments or arguments in (["--help"], ["-h"], ["help"]):
        sys.stdout.write(_help())
        return 0
    if arguments == ["--version"]:
        sys.stdout.write(f"tikitaka {__version__}\n")
        return 0
    try:
        return _dispatch(arguments)
    except TikitakaError as error:
        say(f"tikitaka: {error}")
        return USER_ERROR
    except KeyboardInterrupt:
        say("tikitaka: stopped")
        return INTERRUPTED
    except BrokenPipeError:
        with contextlib.suppress(OSError):
            sys.stdout.close()
        return 1
    except Exception as error:
        say(f"tikitaka: this is a bug: {type(error).__name__}: {error}\n  please send us {_keep_traceback()}")
        return BUG


def say(text: str) -> None:
    """Print a line for the person at the keyboard."""
    sys.stderr.write(text + "\n")


def _dispatch(arguments: list[str]) -> int:
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # its threads would spin beside the match for nothing
    import cyclopts

    from tikitaka.ui import asking, ctrl_c

    app = cyclopts.App(
        name="tikitaka",
        version=__version__,
        help_format="plaintext",
        result_action="return_value",
        suppress_keyboard_interrupt=False,
    )
    for command in COMMANDS:
        app.command(asking.strict(command))
    try:
        with ctrl_c.kept():
            return int(app(arguments, exit_on_error=False, print_error=False) or 0)
    except cyclopts.CycloptsError as error:
        raise asking.refusal(error) from None


def _help() -> str:
    lines = [f"  {f.__name__:<8} {(f.__doc__ or '').splitlines()[0]}" for f in COMMANDS]
    head = "tikitaka: robot soccer, from the pitch to the plan\n\nUsage: tikitaka COMMAND [OPTIONS]\n\n"
    return head + "\n".join(lines) + "\n\n`tikitaka COMMAND --help` shows a command's options.\n"


def _keep_traceback() -> str:
    text = traceback.format_exc()
    try:
        with tempfile.NamedTemporaryFile("w", prefix="tikitaka-bug-", suffix=".txt", delete=False) as file:
            file.write(text)
    except OSError:  # no room for it
        return "the last lines: " + " | ".join(line.strip() for line in text.splitlines()[-4:])
    return file.name
