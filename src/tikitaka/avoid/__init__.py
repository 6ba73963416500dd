"""World, Plans -> Plans: the same, made safe."""

from tikitaka.avoid.collisions import CollisionKind, Collisions
from tikitaka.avoid.params import Method, Params, Thesis
from tikitaka.avoid.stage import Memory, collisions, start, step, switch

__all__ = [
    "CollisionKind",
    "Collisions",
    "Memory",
    "Method",
    "Params",
    "Thesis",
    "collisions",
    "start",
    "step",
    "switch",
]
