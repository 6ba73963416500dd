"""OMPL's planners on our scenes, where it is installed: it asks our exact tests about states and straight moves.

From Python these are call-backs, which native code would not have to make: so calls are counted, and what they cost is
measured apart (`callback_seconds`) and can be taken off.
"""

import importlib
import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from tikitaka.lab.plan_scenes import Planned
from tikitaka.plan.kernels.shapes import FIELD, clear, inside
from tikitaka.plan.scenes import Scene
from tikitaka.types import Floats

PATIENCE = 1.0  # [s] that RRTConnect may search
PLANNERS: dict[str, tuple[str, float]] = {
    "RRTConnect + simplify": ("RRTConnect", PATIENCE),
    "BIT* 1 ms": ("BITstar", 1e-3),
    "BIT* 10 ms": ("BITstar", 1e-2),
}


def installed() -> str | None:
    """Return why OMPL cannot be asked; None where it can."""
    try:
        importlib.import_module("ompl.util").setLogLevel(importlib.import_module("ompl.util").LOG_NONE)
    except ImportError as error:
        return str(error)
    return None


@dataclass(slots=True)
class Tests:
    """Our tests as OMPL calls them, counted."""

    obstacles: Floats
    moves: int = 0
    states: int = 0

    def state(self, p: Any) -> bool:  # noqa: ANN401
        """Say whether a state is free."""
        self.states += 1
        return bool(inside(self.obstacles, len(self.obstacles), p[0], p[1]) < 0)

    def move(self, p: Any, q: Any) -> bool:  # noqa: ANN401
        """Say whether a straight move is free, exactly."""
        self.moves += 1
        return bool(clear(self.obstacles, len(self.obstacles), p[0], p[1], q[0], q[1]))


def plan(name: str, scene: Scene) -> tuple[Planned, Tests]:
    """Return what one of OMPL's planners makes of a scene, and what it asked; the problem's set-up is not timed."""
    tests, (planner, patience) = Tests(scene.obstacles), PLANNERS[name]
    task, keeps = _task(scene, tests, planner)
    began = time.thread_time()
    if planner == "RRTConnect":
        task.solve(patience)
        if task.haveExactSolutionPath():
            task.simplifySolution()
    else:  # its patience in processor time too
        base = importlib.import_module("ompl.base")
        task.solve(base.PlannerTerminationCondition(lambda: time.thread_time() - began >= patience))
    spent = time.thread_time() - began
    fine = task.haveExactSolutionPath()
    xy = np.array([(p[0], p[1]) for p in task.getSolutionPath().getStates()]) if fine else np.empty((0, 2))
    del keeps
    return Planned(spent, xy), tests


def callback_seconds(scene: Scene, calls: int = 2000) -> tuple[float, float]:
    """Return the least that a call-back about a state, and one about a move, takes when Python makes it."""
    tests, a, b = Tests(scene.obstacles), scene.start.tolist(), scene.target.tolist()
    began = time.thread_time()
    for _ in range(calls):
        tests.state(a)
    middle = time.thread_time()
    for _ in range(calls):
        tests.move(a, b)
    return (middle - began) / calls, (time.thread_time() - middle) / calls


def _task(scene: Scene, tests: Tests, planner: str) -> tuple[Any, tuple[Any, ...]]:
    """Return OMPL's problem, and what must live as long as it does."""
    base, geometric = importlib.import_module("ompl.base"), importlib.import_module("ompl.geometric")
    space, bounds = base.RealVectorStateSpace(2), base.RealVectorBounds(2)
    [field] = scene.obstacles[scene.obstacles[:, 5] == FIELD].tolist()
    for k in range(2):
        bounds.setLow(k, field[k])
        bounds.setHigh(k, field[k + 2])
    space.setBounds(bounds)
    task = geometric.SimpleSetup(space)
    about = task.getSpaceInformation()
    moves = type("Moves", (base.MotionValidator,), {"checkMotion": lambda _, p, q: tests.move(p, q)})(about)
    task.setStateValidityChecker(tests.state)
    about.setMotionValidator(moves)
    start, target = space.allocState(), space.allocState()
    for k in range(2):
        start[k], target[k] = float(scene.start[k]), float(scene.target[k])
    task.setStartAndGoalStates(start, target)
    if planner == "BITstar":
        task.setOptimizationObjective(base.PathLengthOptimizationObjective(about))
    task.setPlanner(getattr(geometric, planner)(about))
    task.setup()
    return task, (space, moves, start, target)
