"""Leagues: presets and users' own TOML files, read into frozen models."""

from tikitaka.league import realism
from tikitaka.league.load import DEFAULT, dump, load, names
from tikitaka.league.model import (
    BallModel,
    CameraModel,
    FieldModel,
    KickerModel,
    League,
    MatchModel,
    RadioModel,
    RobotModel,
    TeamModel,
)

__all__ = [
    "DEFAULT",
    "BallModel",
    "CameraModel",
    "FieldModel",
    "KickerModel",
    "League",
    "MatchModel",
    "RadioModel",
    "RobotModel",
    "TeamModel",
    "dump",
    "load",
    "names",
    "realism",
]
