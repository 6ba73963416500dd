"""When the search has run out of its budget: the tangent graph, which finds a way or proves that there is none."""

import numpy as np

from tikitaka.plan.kernels import finding
from tikitaka.plan.kernels.errt import FREE
from tikitaka.plan.kernels.shapes import inside
from tikitaka.plan.kernels.smoothing import WAYPOINTS
from tikitaka.plan.params import Search
from tikitaka.plan.shortest import Search as Ending
from tikitaka.plan.shortest import shortest_path
from tikitaka.plan.work import Work
from tikitaka.types import Floats, Ints, PlanReason, PlanStatus

INSIDE = True  # the search begins inside an obstacle


def settle(
    w: Work, m: int, start: Floats, target: Floats, search: Search, settings: Floats, keys: tuple[int, int],
    old: Floats, ends: Floats, numbers: Ints,
) -> bool:  # fmt: skip
    """Fill the exact path between the ends, or what a search from the start finds; return whether w has a new path."""
    exact = shortest_path(w.rows[:m], ends[:2], ends[2:], WAYPOINTS - 1, w.tangents)
    if exact.status is Ending.SOLVED and len(exact.xy):
        _take(w, exact.xy, start, ends, target, old, numbers)
        return True
    if inside(w.rows, m, *start.tolist()) >= 0 and not np.array_equal(ends[:2], start):
        _search_from_inside(w, m, start, target, search, settings, keys, old, ends, numbers)
        return True
    if exact.status is Ending.NO_PATH:
        numbers[1] = int(PlanReason.CLOSED_IN)
    return False


def _take(w: Work, xy: Floats, start: Floats, ends: Floats, target: Floats, old: Floats, numbers: Ints) -> None:
    """Fill the plan from an exact path; its waypoints lie in the open, none of them can be left out."""
    corners = min(len(xy), len(old))
    old[:corners] = xy[:corners]
    lead = int(not np.array_equal(ends[:2], start))
    w.path[0] = start
    w.path[lead : lead + len(xy)] = xy
    there = np.array_equal(ends[2:], target)
    status = PlanStatus.EXACT if there else PlanStatus.CUT
    numbers[:3] = int(status), int(PlanReason.EXACT_SEARCH), lead + len(xy)
    numbers[4] = corners


def _search_from_inside(
    w: Work, m: int, start: Floats, target: Floats, s: Search, settings: Floats, keys: tuple[int, int], old: Floats,
    ends: Floats, numbers: Ints,
) -> None:  # fmt: skip
    """Fill what a search from the start itself finds: the nearest way out leads nowhere, another one may not."""
    there = np.array_equal(ends[2:], target)
    numbers[0], numbers[3], ends[:2] = int(PlanStatus.EXACT if there else PlanStatus.CUT), 0, start
    n = finding.around(
        w.rows, m, ends, INSIDE, settings, 1, w.raw[:0], 0, old, 0, *keys, s.budget,
        w.xy, w.parent, w.size, w.path, w.best, w.spare, w.raw, w.near, numbers,
    )  # fmt: skip
    x, y = start.tolist()
    finding.finish(w.rows, m, settings[FREE], w.path, n, not INSIDE, x, y, old, w.spare, w.near, numbers)
