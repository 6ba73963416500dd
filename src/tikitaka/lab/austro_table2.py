"""Austro, Table 4.2: perpendicular collisions of two robots, three speeds, every method."""

from tikitaka.lab.austro_tables import Args, table_of

__all__ = ["Args", "run"]

run = table_of(2)
