"""World, Intents -> Plans: paths in time."""

from tikitaka.plan.params import Body, Limits, Params, Planner, Search
from tikitaka.plan.planner import Memory, start, step

__all__ = ["Body", "Limits", "Memory", "Params", "Planner", "Search", "start", "step"]
