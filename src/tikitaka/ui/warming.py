"""Compiling before a match, with somebody at the keyboard who wants to know why nothing moves."""

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from tikitaka.league import League
from tikitaka.loop.warm import COMPILING, KERNELS, is_cold, warm_up
from tikitaka.ui.scoreboard import people

_COLUMNS = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())


def warm(league: League, *, counts: bool = False) -> float:
    """Return the seconds that compiling or loading all kernels took; ``counts``: those of `tikitaka match`, too."""
    total, told = KERNELS if is_cold() else None, False
    with Progress(*_COLUMNS, console=people, transient=True, disable=not people.is_terminal) as bar:
        task = bar.add_task("", visible=False)

        def tell(compiled: int, stage: str) -> None:
            nonlocal told
            if not told:
                people.print(COMPILING if total else f"compiling what is new in {league.name} ...", markup=False)
            told = True
            bar.update(task, total=total, completed=compiled, description=f"kernels of {stage}", visible=True)

        return warm_up(league, tell, counts=counts)
