"""Austro, Table 4.5: complex predefined paths of two robots, three speeds, every method."""

from tikitaka.lab.austro_tables import Args, table_of

__all__ = ["Args", "run"]

run = table_of(5)
