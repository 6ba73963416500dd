"""One camera picture after colour segmentation, in the field's own frame: blue attacks +x."""

from dataclasses import dataclass

from tikitaka.types.arrays import Floats, Ints

BLUE, YELLOW = 0, 1


@dataclass(frozen=True, slots=True)
class Frame:
    """What one camera saw at one time; the order of the rows tells nothing about who is who."""

    captured: float  # middle of the exposure
    arrives: float  # at the teams
    ball_xy: Floats  # (k, 2)
    robot_pose: Floats  # (m, 3) x, y, theta
    robot_team: Ints  # (m,) BLUE or YELLOW
    robot_label: Ints  # (m,) number on its top, UNLABELLED where robots look alike
    camera: int = 0
