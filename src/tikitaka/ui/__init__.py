"""The live page of a match."""

from tikitaka.ui.server import serve

__all__ = ["serve"]
