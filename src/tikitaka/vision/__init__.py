"""Pictures or packets -> Detections: sides are turned, cameras merged and duplicates dropped here, once."""

from tikitaka.vision.sight import see, turn

__all__ = ["see", "turn"]
