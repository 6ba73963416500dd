"""State, Commands -> State: the simulated pitch, its cameras, its radio and what robots sense by themselves."""

from tikitaka.sim import light_barrier, radio, ranging, scenes
from tikitaka.sim.batch import Batch
from tikitaka.sim.cameras import CameraParams, expose
from tikitaka.sim.drive import DriveParams, Motor
from tikitaka.sim.params import BallParams, ContactParams, DribblerParams, KickerParams, Params, RobotParams
from tikitaka.sim.pitch import State, check, closest, place, start, step
from tikitaka.sim.radio import RadioParams, RadioState

__all__ = [
    "BallParams",
    "Batch",
    "CameraParams",
    "ContactParams",
    "DribblerParams",
    "DriveParams",
    "KickerParams",
    "Motor",
    "Params",
    "RadioParams",
    "RadioState",
    "RobotParams",
    "State",
    "check",
    "closest",
    "expose",
    "light_barrier",
    "place",
    "radio",
    "ranging",
    "scenes",
    "start",
    "step",
]
