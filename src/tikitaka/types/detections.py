"""What the cameras saw since the last tick, merged and turned so that we attack +x."""

from dataclasses import dataclass

from tikitaka.types.arrays import Floats, Ints
from tikitaka.types.feedback import Feedback
from tikitaka.types.game import Game

OURS, THEIRS = 0, 1
UNLABELLED = -1


@dataclass(frozen=True, slots=True)
class Detections:
    """Rows of sightings, each with the time at which it was captured; no rows when no frame has arrived."""

    now: float  # time of the tick that these are handed to
    ball_time: Floats  # (k,)
    ball_xy: Floats  # (k, 2)
    robot_time: Floats  # (m,)
    robot_pose: Floats  # (m, 3) x, y, theta
    robot_team: Ints  # (m,) OURS or THEIRS
    robot_label: Ints  # (m,) number on its top, UNLABELLED where robots look alike
    game: Game
    placed: Floats | None  # (2n + 1, 3) where the referee has put us, them and the ball; NaN: left alone; None: all are
    feedback: Feedback | None = None  # what our robots tell of themselves
