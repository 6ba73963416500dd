"""Detections, Commands -> World: where everything is, who is who, and where it will be."""

from tikitaka.estimate.tracker import Params, Tracks, start, step

__all__ = ["Params", "Tracks", "start", "step"]
