"""Planners on scenes, one by one, each called as the stage calls it: work space made once, one path a call."""

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tikitaka.geom.random import key
from tikitaka.plan import Planner, Search
from tikitaka.plan.kernels import finding
from tikitaka.plan.kernels.smoothing import WAYPOINTS
from tikitaka.plan.resort import settle
from tikitaka.plan.scenes import PITCHES, Scene
from tikitaka.plan.shortest import Work as Tangents
from tikitaka.plan.shortest import shortest_path
from tikitaka.plan.work import CORNERS, Work
from tikitaka.types import Floats, PlanReason, PlanStatus

SSL_HULL = 0.09  # [m] for which the step of a search is set; that of smaller robots is in proportion
TIMES = 3  # that a scene is planned; its time is the least, so that others on the machine matter little


@dataclass(frozen=True, slots=True)
class Planned:
    """What a planner made of a scene."""

    seconds: float  # of processor time
    xy: Floats  # (k, 2) the path; empty where none reaches the target


Plan = Callable[[Scene], Planned]


def search_of(name: str) -> Search:
    """Return how ERRT searches in a set of scenes."""
    return Search(step=Search().step * PITCHES[name].robot_radius / SSL_HULL)


def ours(name: str, obstacles: int) -> dict[str, Plan]:
    """Return our planners for scenes of a set with so many obstacles."""
    return {Planner.ERRT.value: errt(name, obstacles), Planner.TANGENTS.value: tangents(obstacles)}


def errt(name: str, obstacles: int, search: Search | None = None) -> Plan:
    """Return ERRT; it remembers nothing of an earlier scene."""
    s, hull, w = search or search_of(name), PITCHES[name].robot_radius, Work.of(obstacles)
    settings, keys, corners, cache = s.array(2.0 * hull), key(s.seed, 0), np.zeros((CORNERS, 2)), np.zeros((0, 2))
    ends, found = np.empty(4), np.zeros(6, np.int64)

    def plan(scene: Scene) -> Planned:
        (sx, sy), (tx, ty), began = scene.start.tolist(), scene.target.tolist(), time.thread_time()
        finding.find(
            scene.obstacles, obstacles, sx, sy, tx, ty, settings, s.attempts, cache, 0, corners, 0, *keys,
            s.budget, w.xy, w.parent, w.size, w.path, w.best, w.spare, w.raw, w.near, ends, found,
        )  # fmt: skip
        if found[1] == PlanReason.OUT_OF_BUDGET:
            w.rows[:] = scene.obstacles
            settle(w, obstacles, scene.start, scene.target, s, settings, keys, corners, ends, found)
        spent = time.thread_time() - began
        return Planned(spent, w.path[: found[2] if found[0] == PlanStatus.EXACT else 0].copy())

    return plan


def tangents(obstacles: int) -> Plan:
    """Return the exact planner."""
    work = Tangents.of(obstacles)

    def plan(scene: Scene) -> Planned:
        began = time.thread_time()
        path = shortest_path(scene.obstacles, scene.start, scene.target, WAYPOINTS, work)
        return Planned(time.thread_time() - began, path.xy)

    return plan


def repeated(plan: Plan, scene: Scene, times: int = TIMES) -> Planned:
    """Return a plan with the least time of a few calls."""
    tries = [plan(scene) for _ in range(times)]
    return Planned(min(t.seconds for t in tries), tries[-1].xy)


def length(xy: Floats) -> float:
    """Return the length of a path; infinite where there is none."""
    return float(np.linalg.norm(np.diff(xy, axis=0), axis=1).sum()) if len(xy) else np.inf
