"""What the estimator believes: all that a team ever sees."""

from dataclasses import dataclass

from tikitaka.types.arrays import Bools, Floats
from tikitaka.types.field import Field
from tikitaka.types.game import Game


@dataclass(frozen=True, slots=True)
class Ball:
    """The ball, predicted to `World.time`."""

    x: float
    y: float
    vx: float
    vy: float
    age: float  # seconds since a camera saw it
    z: float = 0.0  # height above the ground of its lowest point


@dataclass(frozen=True, slots=True)
class Robots:
    """One team, one row a robot, predicted to `World.time`."""

    pose: Floats  # (n, 3) x, y, theta
    velocity: Floats  # (n, 3) vx, vy, omega, in the field frame
    age: Floats  # (n,) seconds since a camera saw it

    def __len__(self) -> int:
        return len(self.pose)


@dataclass(frozen=True, slots=True)
class World:
    """One moment, seen by one team that attacks +x."""

    time: float
    field: Field
    ball: Ball
    ours: Robots
    theirs: Robots
    game: Game
    holding: Bools | None = None  # (n,) light barriers of ours: the ball is in the mouth; None: they have none
