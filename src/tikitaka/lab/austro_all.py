"""Austro, all six tables in one: collisions in 80 minutes and mean speed of each method, and Fig. 5.1 drawn anew."""

from collections.abc import Callable, Sequence

import numpy as np

from tikitaka.avoid import Method
from tikitaka.control import Law
from tikitaka.lab.austro_moves import SPEEDS, TESTS
from tikitaka.lab.austro_pictures import bars
from tikitaka.lab.austro_tables import (
    GHOST,
    METHODS,
    Args,
    Outcome,
    Unit,
    counted,
    details,
    outcomes,
    pace,
    picked,
    printed,
    simulated,
    units_of,
)
from tikitaka.lab.plot import page
from tikitaka.lab.report import Found, Row
from tikitaka.lab.spreads import spread

CONDITIONS = [(t, k) for t in TESTS for k in range(len(SPEEDS))]


def run(args: Args, progress: Callable[[float], None]) -> Found:
    """Return collisions in all 18 conditions together and the mean of their speeds, and Fig. 5.1."""
    found = outcomes(units_of(tuple(TESTS), args.seed, args.seeds), args.seeds, progress)
    whole = [TESTS[t].minutes[k] for t, k in CONDITIONS]
    shares = [picked(found, t, k, Law.FAST, GHOST)[0][0].share for t, k in CONDITIONS]
    rows = [simulated("each method", float(np.dot(whole, shares)), sum(whole))]
    for law, methods in METHODS.items():
        met = _sums([[o.met / u.share for u, o in picked(found, t, k, law, GHOST)] for t, k in CONDITIONS])
        ghost = _means([pace(found, t, k, law, GHOST) for t, k in CONDITIONS])
        none = _means([pace(found, t, k, law, Method.NONE.value) for t, k in CONDITIONS])
        rows.append(spread(f"{law.value}, ghost: exposure in 80 min", met, "1"))
        rows.append(spread(f"{law.value}, ghost: mean speed", ghost, "m/s"))
        for method in methods:
            rows += _rows(law, method, found, ghost, none)
    return Found(rows, {"austro-5.1.svg": _figure(rows)})


def _rows(law: Law, method: Method, found: dict[Unit, Outcome], ghost: list[float], none: list[float]) -> list[Row]:
    name = f"{law.value}, {method.value}"
    crashes = _sums([counted(found, t, k, law, method.value) for t, k in CONDITIONS])
    speed = _means([pace(found, t, k, law, method.value) for t, k in CONDITIONS])
    runs = [picked(found, t, k, law, method.value) for t, k in CONDITIONS]
    paper, longest = _printed(law, method), max(o.score.longest for one in runs for _, o in one)
    return [
        spread(f"{name}: collisions in 80 min", crashes, "1", paper[0]),
        Row(f"{name}: worst seed", None, max(crashes), None, None, "1"),
        *_details(name, runs),
        spread(f"{name}: mean speed", speed, "m/s", paper[1]),
        spread(f"{name}: mean speed / ghost", [a / b for a, b in zip(speed, ghost, strict=True)], "1"),
        spread(f"{name}: mean speed / none", [a / b for a, b in zip(speed, none, strict=True)], "1"),
        Row(f"{name}: longest stand with a way to go", None, longest, None, None, "s"),
    ]


def _details(name: str, runs: Sequence[Sequence[tuple[Unit, Outcome]]]) -> list[Row]:
    """Return what there is to the collisions of all conditions together."""
    parts = [details(one) for one in runs]
    values = {
        what: np.array([p[c][1] for p in parts]) for c, (what, _, _) in enumerate(parts[0])
    }  # (conditions, seeds)
    met = values["full ones"] + values["halves"]
    sums = {what: each.sum(axis=0) for what, each in values.items()}
    sums["impact"] = (met * values["impact"]).sum(axis=0) / np.maximum(met.sum(axis=0), 1.0)
    return [spread(f"{name}: {what}", sums[what].tolist(), unit) for what, _, unit in parts[0]]


def _printed(law: Law, method: Method) -> tuple[float | None, float | None]:
    """Return the sum and the mean of what is printed, where all six tests are."""
    every = [printed(law, method, t, k) for t, k in CONDITIONS]
    collisions, speeds = [c for c, _ in every if c is not None], [s for _, s in every if s is not None]
    return (sum(collisions), float(np.mean(speeds))) if len(speeds) == len(CONDITIONS) else (None, None)


def _figure(rows: Sequence[Row]) -> str:
    """Return [Austro, Fig. 5.1] drawn anew; what it interpolates for SuperPosition is left out."""
    crashes = {r.label.partition(":")[0]: (r.paper, r.ours) for r in rows if r.label.endswith(": collisions in 80 min")}
    speeds = {
        r.label.partition(":")[0]: (r.paper, r.ours)
        for r in rows
        if r.label.endswith(": mean speed") and "ghost" not in r.label
    }
    panels = [bars("Collisions in all tests", "", crashes), bars("Mean of the average speeds", "m/s", speeds)]
    return page([[panel] for panel in panels], "Collisions and average speeds of each method over all tests")


def _sums(values: Sequence[Sequence[float]]) -> list[float]:
    return [float(x) for x in np.sum(np.array(values), axis=0)]


def _means(values: Sequence[Sequence[float]]) -> list[float]:
    return [float(x) for x in np.mean(np.array(values), axis=0)]
