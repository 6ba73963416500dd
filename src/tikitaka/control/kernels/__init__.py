"""Kernels of control: from a path to wheel speeds."""
