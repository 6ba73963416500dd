"""World, Intents -> Plans: paths in time."""

from tikitaka.plan.straight import Params, step

__all__ = ["Params", "step"]
