"""Detections, Commands -> World: where everything is, who is who, and where it will be."""

from tikitaka.estimate.belief import Belief, Picture
from tikitaka.estimate.health import Health, health, named, quality
from tikitaka.estimate.moment import Moment
from tikitaka.estimate.params import Association, Body, Collisions, OmniDrive, Params, TyreDrive
from tikitaka.estimate.tracker import Tracks, name, start, step

__all__ = [
    "Association",
    "Belief",
    "Body",
    "Collisions",
    "Health",
    "Moment",
    "OmniDrive",
    "Params",
    "Picture",
    "Tracks",
    "TyreDrive",
    "health",
    "name",
    "named",
    "quality",
    "start",
    "step",
]  # fmt: skip
