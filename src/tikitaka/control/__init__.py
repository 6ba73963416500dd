"""World, Plans -> Commands: wheels and kicker."""

from tikitaka.control.drive import Law, Params, Response, step

__all__ = ["Law", "Params", "Response", "step"]
