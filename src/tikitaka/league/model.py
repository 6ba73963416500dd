"""What a league is: frozen models whose every number has a unit and bounds.

The bounds are no rules of a game: they are wide enough for any table-top or hall league, and narrow enough to catch
millimetres written as metres and grams written as kilograms; and whatever is inside of them can be played.
"""

import math
from typing import Annotated, Literal

from pydantic import Field, model_validator

from tikitaka import types
from tikitaka.league import checks
from tikitaka.league.quantity import Part, above_zero, between, optional, refuse


class FieldModel(Part):
    """The pitch; see `tikitaka.types.Field`."""

    length: float = above_zero("m", 30.0)
    width: float = above_zero("m", 20.0)
    margin_x: float = between("m", 0.0, 5.0)
    margin_y: float = between("m", 0.0, 5.0)
    corner: float = between("m", 0.0, 2.0)
    goal_width: float = above_zero("m", 10.0)
    goal_depth: float = above_zero("m", 2.0)
    goal_wall: float = between("m", 0.0, 0.5)
    area_length: float = above_zero("m", 10.0)
    area_width: float = above_zero("m", 20.0)
    circle_radius: float = above_zero("m", 10.0)

    def geometry(self) -> types.Field:
        """Return the pitch as the stages see it."""
        return types.Field(**self.model_dump())

    @model_validator(mode="after")
    def _fits_together(self) -> "FieldModel":
        refuse(checks.field(self))
        return self


class BallModel(Part):
    """The ball; rolling at speed v it slows by rolling_deceleration + rolling_damping v, sliding by friction alone."""

    radius: float = between("m", 0.001, 0.15)
    mass: float = between("kg", 1e-4, 1.0)
    rolling_deceleration: float = between("m/s^2", 0.0, 10.0)
    rolling_damping: float = between("1/s", 0.0, 10.0)
    sliding_friction: float = above_zero("", 2.0)  # also while it bounces on the ground
    restitution_wall: float = between("", 0.0, 1.0)
    restitution_robot: float = between("", 0.0, 1.0)
    restitution_ground: float = between("", 0.0, 0.95)


class KickerModel(Part):
    """What shoots the ball straight ahead, flat or up."""

    max_speed: float = above_zero("m/s", 20.0)  # of the ball when it leaves
    width: float = above_zero("m", 0.5)  # of the mouth
    reach: float = between("m", 0.0, 0.1)  # gap between front and ball at which it still is kicked
    max_lift: float = between("m/s", 0.0, 20.0)  # vertical speed of the ball; 0: no chip kicks
    recharge: float = between("s", 0.0, 60.0)  # from one kick to the next


class MotorModel(Part):
    """A motor with its gear, seen at the wheel, and the controller of the wheel's speed."""

    stall_torque: float = between("N m", 1e-6, 20.0)  # at the full voltage
    no_load_speed: float = between("rad/s", 0.1, 2000.0)  # at the full voltage
    torque_limit: float = between("N m", 1e-6, 20.0)  # at the largest current
    gain: float = between("N m s", 1e-5, 1.0)  # torque for each rad/s that is missing


class RobotModel(Part):
    """A robot: its outline, its mass, its wheels, its limits and its kicker."""

    shape: Literal["box", "disc", "outline"]
    length: float | None = optional("m", 0.005, 0.6)  # of a box, along its x axis
    width: float | None = optional("m", 0.005, 0.6)  # of a box, along its y axis
    notch_depth: float | None = optional("m", 0.001, 0.2)  # of a box: how far a notch in its front goes in
    notch_width: float | None = optional("m", 0.001, 0.5)  # between the lips; the flanks stand at 45 degrees
    radius: float | None = optional("m", 0.005, 0.4)  # of a disc
    mouth: float | None = optional("m", 0.001, 0.4)  # of a disc: centre to flat front
    outline: tuple[Annotated[tuple[float, ...], Field(strict=False)], ...] | None = Field(
        None, strict=False, json_schema_extra={"unit": "m"}
    )  # points [x, y] or [x, y, radius of the arc to the next], counter-clockwise
    height: float = between("m", 0.001, 0.6)  # of the body above the ground
    mass: float = between("kg", 0.001, 50.0)
    inertia: float = between("kg m^2", 1e-9, 5.0)  # about the mass centre
    mass_offset: float = between("m", -0.2, 0.2)  # of the mass centre ahead of the geometric one
    drive: Literal["differential", "omni"]
    wheel_radius: float = between("m", 0.001, 0.2)
    half_track: float | None = optional("m", 0.001, 0.4)  # differential
    wheel_distance: float | None = optional("m", 0.001, 0.4)  # omni
    wheel_angles_deg: tuple[Annotated[float, between("deg", -360.0, 360.0)], ...] | None = Field(
        None, min_length=3, max_length=4, strict=False, json_schema_extra={"unit": "deg"}
    )
    wheels_model: Literal["dynamic", "kinematic"]  # kinematic: perfect wheels, commanded rates at once
    wheel_inertia: float = above_zero("kg m^2", 0.1)  # about the axle, gear and rotor included
    wheel_damping: float = between("N m s", 0.0, 0.1)
    traction: float = between("", 0.001, 5.0)  # friction coefficient of a tyre on the ground
    motor: MotorModel
    restitution: float = between("", 0.0, 1.0)  # between robots
    restitution_wall: float = between("", 0.0, 1.0)
    friction: float = between("", 0.0, 2.0)  # coefficient between robots
    friction_wall: float = between("", 0.0, 2.0)
    max_speed: float = between("m/s", 0.001, 20.0)
    max_acceleration: float = between("m/s^2", 0.001, 100.0)
    max_turn_rate: float = between("rad/s", 0.001, 200.0)
    max_turn_acceleration: float = between("rad/s^2", 0.001, 5000.0)
    kicker: KickerModel | None = None
    dribbler: bool
    dribbler_force: float | None = optional("N", 0.001, 20.0)  # the most that it holds the ball with
    dribbler_width: float | None = optional("m", 0.001, 0.5)
    dribbler_reach: float | None = optional("m", 0.0001, 0.1)  # gap between front and ball at which it still pulls
    light_barrier: bool = False  # says whether the ball is in the mouth
    encoder: int | None = optional("", 1, 1_000_000)  # counts a turn of a wheel, told to the team

    @property
    def bounding_radius(self) -> float:
        """Radius of the smallest circle about the centre that holds the robot."""
        if self.radius is not None:
            return self.radius
        if self.outline is not None:
            return self.geometry().radius
        return 0.5 * math.hypot(self.length or 0.0, self.width or 0.0)

    @property
    def front(self) -> float:
        """How far the robot reaches ahead of its centre."""
        if self.outline is not None:
            return self.geometry().front
        return 0.5 * self.length if self.length else (self.mouth or self.radius or 0.0)

    @property
    def wheels(self) -> int:
        """How many wheels are driven."""
        return len(self.wheel_angles_deg) if self.wheel_angles_deg else 2

    def geometry(self) -> types.Outline:
        """Return the outline as the stages see it."""
        if self.outline is not None:
            return types.Outline.of(self.outline)
        if self.radius is not None:
            return types.Outline.disc(self.radius, self.mouth)
        return types.Outline.box(
            self.length or 0.0, self.width or 0.0, self.notch_depth or 0.0, self.notch_width or 0.0
        )

    def wheel_matrix(self) -> types.Floats:
        """Return the (w, 3) matrix that turns (vx, vy, omega) of the body into wheel speeds."""
        from tikitaka.geom import drive  # noqa: PLC0415  it brings numba, which reading a league does not need

        if self.wheel_angles_deg is not None and self.wheel_distance is not None:
            angles = [math.radians(a) for a in self.wheel_angles_deg]
            return drive.wheel_matrix(angles, self.wheel_distance, self.wheel_radius)
        assert self.half_track is not None  # noqa: S101  the validator has seen to it
        return drive.differential_matrix(self.half_track, self.wheel_radius)

    @model_validator(mode="after")
    def _fits_together(self) -> "RobotModel":
        refuse(checks.robot(self))
        return self


class TeamModel(Part):
    """One team."""

    robots: int = between("", 1, 11)
    planner: Literal["straight", "errt", "tangents", "timed"]  # of teams that do not bring their own
    avoid: Literal["none", "auto_avoid", "collision_avoid", "collision_avoid_printed", "orca", "ours"] = "none"
    law: Literal["fast", "super_position"] = "fast"  # how paths are driven


class CameraModel(Part):
    """What looks down on the pitch; see `tikitaka.sim.cameras`."""

    count: int = between("", 1, 16)
    rate: float = between("Hz", 1.0, 1000.0)  # of each camera, and of the teams' ticks
    exposure: float = between("s", 0.0, 0.1)
    latency: float = between("s", 0.0, 1.0)  # from the end of the exposure to the team
    jitter: float = between("s", 0.0, 0.2)  # mean of what comes on top of the latency, frame by frame
    phase: float = between("", 0.0, 1.0)  # share of a period that the cameras' pictures are spread over
    height: float = above_zero("m", 20.0)  # above the ground
    overlap: float = between("m", 0.0, 5.0)  # width of the strip that two neighbours see
    noise_xy: float = between("m", 0.0, 0.1)  # at the middle of the picture
    noise_theta_deg: float = between("deg", 0.0, 45.0)
    noise_growth: float = between("", 0.0, 10.0)  # added share of both noises at the corners of the picture
    dropout: float = between("", 0.0, 0.99)
    false_robots: float = between("", 0.0, 1.0)  # a picture, on average
    false_balls: float = between("", 0.0, 1.0)
    occlusion: bool  # robots hide the ball
    labels: bool

    @property
    def noise_theta(self) -> float:
        """Standard deviation of a heading, in radians."""
        return math.radians(self.noise_theta_deg)


class RadioModel(Part):
    """What carries commands to the robots; see `tikitaka.sim.radio`."""

    latency: float = between("s", 0.0, 0.5)
    jitter: float = between("s", 0.0, 0.2)  # mean of what comes on top of the latency, packet by packet
    loss: float = between("", 0.0, 0.99)
    timeout: float = between("s", 0.001, 10.0)  # a robot that has heard nothing for so long stops


class MatchModel(Part):
    """The clock and the rules; see `tikitaka.referee`."""

    rules: Literal["mirosot", "vsss", "ssl"]
    seconds: float = above_zero("s", 36000.0)
    halves: int = between("", 1, 2)
    placing: Literal["put", "walk"]  # how robots get to their places
    ball_placement: Literal["referee", "teams"]  # who brings the ball to its spot where robots walk
    free_ball_after: float = above_zero("s", 3600.0)
    free_ball_x: float = between("m", 0.0, 15.0)  # of the four marks, from the centre; both 0: where the ball lies
    free_ball_y: float = between("m", 0.0, 10.0)
    penalty_distance: float = above_zero("m", 20.0)  # from the goal line to the mark
    areas_barred: bool  # goal areas are for keepers only
    keep_off: float = between("m", 0.0, 5.0)  # from the ball while the other side kicks off


class League(Part):
    """Everything that two teams agree on before they play."""

    name: Annotated[str, Field(min_length=1, max_length=60)]
    title: Annotated[str, Field(min_length=1, max_length=120)]
    realism: Literal["ideal", "friendly", "realistic"] = "friendly"  # see `tikitaka.league.realism`
    field: FieldModel
    ball: BallModel
    robot: RobotModel
    team: TeamModel
    camera: CameraModel
    radio: RadioModel
    match: MatchModel

    @model_validator(mode="after")
    def _fits_together(self) -> "League":
        refuse(checks.league(self))
        return self
