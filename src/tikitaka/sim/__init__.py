"""State, Commands -> State: the simulated pitch, its cameras, its radio and what robots sense by themselves."""

from tikitaka.sim import light_barrier, radio, ranging, scenes
from tikitaka.sim.batch import Batch
from tikitaka.sim.cameras import CameraParams, expose
from tikitaka.sim.drive import DriveParams, Motor
from tikitaka.sim.onboard import OnboardParams, feel
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
    "OnboardParams",
    "Params",
    "RadioParams",
    "RadioState",
    "RobotParams",
    "State",
    "check",
    "closest",
    "expose",
    "feel",
    "light_barrier",
    "place",
    "radio",
    "ranging",
    "scenes",
    "start",
    "step",
]
