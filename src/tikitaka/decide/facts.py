"""What a team knows of its robots, of the ball and of the rules before the match."""

import dataclasses
from dataclasses import dataclass

import numpy as np

from tikitaka.types import Field, Floats


@dataclass(frozen=True, slots=True)
class Facts:
    """All that does not change during a match, but the pitch: that is in every `World`."""

    reach: float  # between the centres of robot and ball when they touch at the front
    hull: float  # radius of the circle around a robot
    max_speed: float
    max_acceleration: float
    max_turn_rate: float = 20.0
    max_turn_acceleration: float = 100.0
    kick: float = 0.0  # fastest kick; 0: no kicker
    lift: float = 0.0  # fastest vertical speed of a chip; 0: no chips
    dribbler: bool = False
    omni: bool = False  # drives sideways, too
    ball_radius: float = 0.0215
    ball_deceleration: float = 0.3  # of a ball that rolls
    ball_damping: float = 0.0  # [1/s] of a ball that rolls: deceleration for each m/s
    ball_sliding: float = 3.9  # deceleration of a ball that was kicked, until it rolls at 5/7 of its first speed
    ball_bounce: float = 0.5  # share of its speed that a wall gives back
    areas_barred: bool = False  # goal areas are for keepers only, as in the SSL
    keep_off: float = 0.0  # [m] from the ball while it is not ours to play
    rate: float = 60.0  # ticks a second
    careful: bool = False  # how the team plays with kickers: aims well, and risks little before its own goal
    kept: list[tuple[Field, Floats]] = dataclasses.field(
        default_factory=list, init=False, repr=False, compare=False
    )  # the last pitch and its table


def table(facts: Facts, field: Field) -> Floats:
    """Return facts and pitch in the kernels' order, see `kernels.table`; nobody writes to it.

    All worlds of a match have the same pitch, whose table is kept.
    """
    if not facts.kept or facts.kept[0][0] is not field:
        facts.kept[:] = [(field, _table(facts, field))]
    return facts.kept[0][1]


def _table(f: Facts, field: Field) -> Floats:
    moves = (f.max_speed, f.max_acceleration, f.max_turn_rate, f.max_turn_acceleration)
    gear = (f.kick, f.lift, float(f.dribbler), float(f.omni))
    ball = (f.ball_radius, f.ball_deceleration, f.ball_damping, f.ball_sliding, f.ball_bounce)
    room = (field.half_length + field.margin_x, field.half_width + field.margin_y)
    area = (field.area_length, 0.5 * field.area_width, field.circle_radius)
    pitch = (field.half_length, field.half_width, 0.5 * field.goal_width, *room, *area, f.hull)
    rules = (float(f.areas_barred), f.keep_off, 1.0 / f.rate, float(f.careful))
    row = np.array((f.reach, f.hull, *moves, *gear, *ball, *rules, *pitch))
    row.flags.writeable = False
    return row
