"""Pictures or packets -> Detections: sides are turned, cameras merged and duplicates dropped here, once."""

from tikitaka.vision.sight import Picture, as_seen_by, see, turn, unite

__all__ = ["Picture", "as_seen_by", "see", "turn", "unite"]
