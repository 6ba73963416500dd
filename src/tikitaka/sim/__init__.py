"""State, Commands -> State: the simulated pitch, its cameras, its radio and what robots sense by themselves."""

from tikitaka.sim import light_barrier, radio, ranging, scenes
from tikitaka.sim.cameras import CameraParams, expose
from tikitaka.sim.pitch import BallParams, Params, RobotParams, State, place, start, step
from tikitaka.sim.radio import RadioParams, RadioState

__all__ = [
    "BallParams",
    "CameraParams",
    "Params",
    "RadioParams",
    "RadioState",
    "RobotParams",
    "State",
    "expose",
    "light_barrier",
    "place",
    "radio",
    "ranging",
    "scenes",
    "start",
    "step",
]
