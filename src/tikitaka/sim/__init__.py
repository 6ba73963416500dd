"""State, Commands -> State: the simulated pitch and its cameras."""

from tikitaka.sim import scenes
from tikitaka.sim.cameras import CameraParams, expose
from tikitaka.sim.pitch import BallParams, Params, RobotParams, State, place, start, step

__all__ = ["BallParams", "CameraParams", "Params", "RobotParams", "State", "expose", "place", "scenes", "start", "step"]
