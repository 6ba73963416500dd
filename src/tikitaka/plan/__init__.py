"""World, Intents -> Plans: paths in time."""

from tikitaka.plan.params import Body, Limits, Params, Planner, Search
from tikitaka.plan.paths import Path, Tree, find, look
from tikitaka.plan.planner import Memory, start, step
from tikitaka.plan.warming import warm

__all__ = [
    "Body",
    "Limits",
    "Memory",
    "Params",
    "Path",
    "Planner",
    "Search",
    "Tree",
    "find",
    "look",
    "start",
    "step",
    "warm",
]
