"""World, Plans -> Commands: wheels and kicker."""

from tikitaka.control.drive import Params, step

__all__ = ["Params", "step"]
