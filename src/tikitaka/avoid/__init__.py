"""World, Plans -> Plans: the same, made safe."""

from tikitaka.avoid.none import step

__all__ = ["step"]
