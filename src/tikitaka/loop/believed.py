"""A league's robots as the pitch drives them, and as a team's estimator believes them to be."""

import math

import numpy as np

from tikitaka import estimate, sim
from tikitaka.estimate.ball import TALLEST, BallParams, Friction, edges_of
from tikitaka.estimate.kernels import driving, tyres
from tikitaka.geom.drive import body_matrix
from tikitaka.league import League
from tikitaka.sim.drive import GRAVITY, differential_wheels, mass_matrix, omni_wheels, rows

PARTS_DT = driving.STEP / tyres.PARTS  # [s] of the estimator's steps
FOLLOWED = 0.8  # chosen: share of a rim's error that is made good within one of them, at most


def drive_params(league: League) -> sim.DriveParams:
    """Return wheels, motors and tyres of a league's robots."""
    r = league.robot
    if r.wheel_angles_deg is not None and r.wheel_distance is not None:
        xy, direction = omni_wheels([math.radians(a) for a in r.wheel_angles_deg], r.wheel_distance)
    else:
        xy, direction = differential_wheels(r.half_track or 0.0)
    return sim.DriveParams(
        mass=r.mass,
        inertia=r.inertia,
        xy=xy,
        direction=direction,
        tyres=r.drive == "differential",
        wheel_radius=r.wheel_radius,
        wheel_inertia=r.wheel_inertia,
        wheel_damping=r.wheel_damping,
        traction=r.traction,
        motor=sim.Motor(**r.motor.model_dump()),
        offset=r.mass_offset,
        kinematic=r.wheels_model == "kinematic",
    )


def estimate_params(league: League) -> estimate.Params:
    """Return what a team's filter believes about a league."""
    r = league.robot
    box = (0.5 * r.length, 0.5 * r.width, 0.0) if r.length and r.width else (0.0, 0.0, r.bounding_radius)
    return estimate.Params(
        field=league.field.geometry(),
        robots=league.team.robots,
        body_from_wheels=body_matrix(r.wheel_matrix()),
        body=estimate.Body(*box, r.mass, r.inertia, r.restitution, r.friction, r.restitution_wall, r.friction_wall),
        drive=_driving(league),
        odometry=r.encoder is not None and r.drive == "omni",  # tyres slip
        mouth=r.front + league.ball.radius,
        noise_xy=max(league.camera.noise_xy, 1e-4),
        noise_theta=max(league.camera.noise_theta, 1e-3),
        ball=ball_params(league),
        max_turn_rate=r.max_turn_rate,
        max_wheel_speed=1.1 * r.motor.no_load_speed,  # chosen: more than a motor can
    )


def ball_params(league: League) -> BallParams:
    """Return what a team's filter believes about the ball: the larger friction at 1 m/s, to learn from there."""
    b, r, c, field = league.ball, league.robot, league.camera, league.field.geometry()
    viscous = b.rolling_damping > b.rolling_deceleration
    mean = b.rolling_damping if viscous else b.rolling_deceleration
    high = c.height if c.count == 1 else TALLEST
    return BallParams(
        edges_of(field),
        radius=b.radius,
        friction=Friction.VISCOUS if viscous else Friction.COULOMB,
        friction_mean=mean,
        friction_spread=max(mean / 3.0, 0.01),
        sliding=b.sliding_friction * GRAVITY,
        restitution_wall=b.restitution_wall,
        restitution_robot=b.restitution_robot,
        restitution_ground=b.restitution_ground,
        robot_mass=r.mass / b.mass,
        noise=max(c.noise_xy, 1e-4),
        noise_growth=c.noise_growth,
        camera=(0.0, 0.0, high, math.hypot(field.half_length, field.half_width)),
        body=hull_of(league),
        robot_height=r.height,
        wall_height=math.inf,  # as the pitch's
        max_lift=r.kicker.max_lift if r.kicker else 0.0,
    )


def hull_of(league: League) -> tuple[float, float, float, float]:
    """Return the robot's body as cameras and the ball know it: x from, x to, half width, radius."""
    r, radius = league.robot, league.robot.bounding_radius
    if r.length and r.width:
        return -0.5 * r.length, 0.5 * r.length, 0.5 * r.width, radius
    return -radius, r.mouth or radius, radius, radius


def _driving(league: League) -> estimate.OmniDrive | estimate.TyreDrive:
    """Return how fast and how soon a league's robots follow their commands."""
    drive = drive_params(league)
    rho, motor = rows(drive) / drive.wheel_radius, drive.motor
    x, y, turn = np.diag(mass_matrix(drive) + drive.wheel_inertia * rho.T @ rho).tolist()  # [Klancar, Eqs. 6-10]
    gain, most = (1e9, 1e6) if drive.kinematic else (motor.gain, motor.torque_limit)
    if drive.tyres:
        half, pull, grip = league.robot.half_track or 0.0, gain / drive.wheel_radius**2, drive.traction * GRAVITY
        pull = min(pull, FOLLOWED / PARTS_DT * x)  # no stiffer than the kernels can step
        return estimate.TyreDrive(pull / x, pull * half / turn, most / gain * drive.wheel_radius, grip, half)
    stiff, force = gain * np.sum(rho * rho, axis=0), most * np.sum(np.abs(rho), axis=0)
    ax, ay, at = (force / (x, y, turn)).tolist()
    lx, ly, lt = ((x, y, turn) / stiff).tolist()
    return estimate.OmniDrive((ax, ay, at), (lx, ly, lt))
