"""Kernels of the avoidance: who meets whom, and what is done about it."""
