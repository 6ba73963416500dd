"""The exact check of paths, which lives where experiments use it, too."""

from tikitaka.lab.plan_check import BOX, CAPSULE, CIRCLE, FIELD, depths, path_depths

__all__ = ["BOX", "CAPSULE", "CIRCLE", "FIELD", "depths", "path_depths"]
