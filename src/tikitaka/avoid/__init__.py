"""World, Plans -> Plans: the same, made safe."""

from tikitaka.avoid.collisions import CollisionKind, Collisions
from tikitaka.avoid.params import Errata, Limits, Method, Orca, Ours, Params, Thesis
from tikitaka.avoid.stage import Memory, collisions, start, step, switch

__all__ = [
    "CollisionKind",
    "Collisions",
    "Errata",
    "Limits",
    "Memory",
    "Method",
    "Orca",
    "Ours",
    "Params",
    "Thesis",
    "collisions",
    "start",
    "step",
    "switch",
]
