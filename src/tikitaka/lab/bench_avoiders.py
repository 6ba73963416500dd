"""Every way to avoid on the worlds and plans of the match that is benched; pyrvo beside them where it is installed.

pyrvo is RVO2, of the authors of [vandenBerg2011]: it moves all robots as discs that choose any velocity, and answers
the same question as `orca`. It is no part of the product.
"""

import importlib.util
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from tikitaka import avoid
from tikitaka.league import League
from tikitaka.loop.build import avoid_params
from tikitaka.types import Plans, World

Avoider = Callable[[World, Plans], object]
ROBOTS = 22
NEIGHBOURS, SIGHT, TOP = 10, 2.0, 4.0  # of pyrvo: how many robots it minds, [m] within which, [m/s]


def avoiders(league: League) -> Mapping[str, Avoider]:
    """Return each method, and pyrvo where it is installed."""
    params, n = avoid_params(league), league.team.robots
    found = {m.value: _own(replace(params, method=m), n) for m in avoid.Method if m is not avoid.Method.NONE}
    if importlib.util.find_spec("pyrvo"):
        found["pyrvo"] = pyrvo(1.0 / league.camera.rate, params.orca.radius, params.orca.horizon)
    return found


def _own(params: avoid.Params, n: int) -> Avoider:
    memory = avoid.start(n)
    return lambda world, plans: avoid.step(params, memory, world, plans)


def pyrvo(dt: float, radius: float, horizon: float) -> Avoider:
    """Return RVO2's step for the robots of both teams; only ours have somewhere to go."""
    library: Any = importlib.import_module("pyrvo")

    def step(world: World, plans: Plans) -> None:
        sim = library.RVOSimulator(dt, SIGHT, NEIGHBOURS, horizon, horizon, radius, TOP)
        for robots in (world.ours, world.theirs):
            for (x, y, _), (vx, vy, _) in zip(robots.pose.tolist(), robots.velocity.tolist(), strict=True):
                agent = sim.add_agent((x, y))
                sim.set_agent_velocity(agent, (vx, vy))
        for agent, (x, y) in enumerate((plans.xy[:, -1] - world.ours.pose[:, :2]).tolist()):
            sim.set_agent_pref_velocity(agent, (x, y))
        sim.do_step()

    return step
