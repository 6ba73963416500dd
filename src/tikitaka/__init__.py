"""A robot-soccer stack: the folders are the data flow, see ``docs/architecture.md``."""

__version__ = "0.1.0"
