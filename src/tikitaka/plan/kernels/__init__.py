"""Obstacles, searches, smoothing and speeds, as kernels."""
