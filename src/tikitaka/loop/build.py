"""A league and two teams -> the parameters of every stage."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from tikitaka import avoid, control, decide, estimate, plan, referee, sim
from tikitaka.errors import TeamError, TikitakaError, UnknownNameError
from tikitaka.geom.random import key
from tikitaka.league import League
from tikitaka.loop.believed import drive_params, estimate_params, hull_of
from tikitaka.loop.patience import loading, within
from tikitaka.loop.responding import response_of
from tikitaka.loop.tick import Memory, Stack
from tikitaka.sim.light_barrier import BarrierParams
from tikitaka.types import Commands, Intents, World

MAX_SEED = 2**63 - 1
MAX_SECONDS = 36000.0
SSL_HULL = 0.09  # [m] radius of the robots for which the papers' margins are printed; others' are in proportion
MIROSOT_HULL = 0.075 * math.sqrt(0.5)  # [m] the same, of the robots of [Austro]
TEAMS = decide.TEAMS  # the teams that ship with the package


@dataclass(frozen=True, slots=True)
class Side:
    """One team, ready to play."""

    name: str
    stack: Stack
    start: Callable[[], Memory]  # what it remembers at the first kick-off
    truth: bool = False  # it is told the truth, whatever its cameras see


@dataclass(frozen=True, slots=True)
class Setup:
    """Everything that does not change during a match."""

    league: League
    seed: int
    seconds: float
    pitch: sim.Params
    camera: sim.CameraParams
    radio: sim.RadioParams
    onboard: sim.OnboardParams
    rules: referee.Params
    sides: tuple[Side, Side]  # blue, yellow

    @property
    def rate(self) -> float:
        """Ticks a simulated second."""
        return self.rules.rate


def build(
    league: League, seed: int, seconds: float | None, blue: str, yellow: str, truth: tuple[bool, bool] = (False, False)
) -> Setup:
    """Return a match that is ready to begin; a team is a name or a file, see `decide.spec`; ``truth``: who is told."""
    length = league.match.seconds if seconds is None else seconds
    if not 0 <= seed <= MAX_SEED:
        raise TikitakaError(f"--seed must be in [0, {MAX_SEED}]; got {seed}")
    if not 0.0 < length <= MAX_SECONDS:
        raise TikitakaError(f"--seconds must be in (0, {MAX_SECONDS:.0f}] s; got {length}")
    return Setup(
        league=league,
        seed=seed,
        seconds=length,
        pitch=pitch_params(league),
        camera=camera_params(league, seed),
        radio=radio_params(league, seed),
        onboard=onboard_params(league),
        rules=rules_params(league, length),
        sides=(replace(side(league, blue), truth=truth[0]), replace(side(league, yellow), truth=truth[1])),
    )


def pitch_params(league: League) -> sim.Params:
    """Return the simulated pitch of a league."""
    r, b, kicker = league.robot, league.ball, league.robot.kicker
    robot = sim.RobotParams(r.geometry(), drive_params(league), r.front, r.height, _max_wheel_speed(league))
    ball = sim.BallParams(**{name: getattr(b, name) for name in type(b).model_fields})
    shot = sim.KickerParams(**{name: getattr(kicker, name) for name in type(kicker).model_fields}) if kicker else None
    pull = sim.DribblerParams(r.dribbler_force or 0.0, r.dribbler_width or 0.0, r.dribbler_reach or 0.0)
    return sim.Params(
        field=league.field.geometry(),
        robot=robot,
        ball=ball,
        robots=2 * league.team.robots,
        dt=1.0 / league.camera.rate,
        kicker=shot or sim.KickerParams(),
        dribbler=pull,
        contact=sim.ContactParams(r.restitution, r.restitution_wall, r.friction, r.friction_wall),
    )


def camera_params(league: League, seed: int) -> sim.CameraParams:
    """Return the cameras of a league; their noise and that of the radio is all the randomness that there is."""
    c, r = league.camera, league.robot
    same = ("count", "overlap", "phase", "exposure", "latency", "jitter", "noise_xy", "noise_growth", "dropout")
    return sim.CameraParams(
        field=league.field.geometry(),
        dt=1.0 / c.rate,
        key=key(seed, 0),
        labels=c.labels,
        **{name: getattr(c, name) for name in same},
        noise_theta=c.noise_theta,
        false_robots=c.false_robots,
        false_balls=c.false_balls,
        height=c.height,
        robot_height=r.height if c.occlusion else 0.0,
        ball_radius=league.ball.radius,
        hull=hull_of(league),
    )


def radio_params(league: League, seed: int) -> sim.RadioParams:
    """Return the radio of a league."""
    r = league.radio
    return sim.RadioParams(1.0 / league.camera.rate, key(seed, 0), r.latency, r.jitter, r.loss, r.timeout)


def rules_params(league: League, seconds: float) -> referee.Params:
    """Return the rules of a match of so many seconds."""
    return referee.Params(
        field=league.field.geometry(),
        robots=league.team.robots,
        hull=league.robot.bounding_radius,
        reach=_reach(league),
        ball_radius=league.ball.radius,
        seconds=seconds,
        free_ball_after=league.match.free_ball_after,
        rate=league.camera.rate,
        rules=referee.Rules(league.match.rules),
        walk=league.match.placing == "walk",
        teams_place=league.match.ball_placement == "teams",
        halves=league.match.halves,
        keep_off=league.match.keep_off,
        areas_barred=league.match.areas_barred,
        free_ball_mark=(league.match.free_ball_x, league.match.free_ball_y),
        penalty_distance=league.match.penalty_distance,
    )


def onboard_params(league: League) -> sim.OnboardParams:
    """Return what a league's robots sense by themselves."""
    r, eye = league.robot, None
    if r.light_barrier:
        eye = BarrierParams(r.front, league.ball.radius)
    return sim.OnboardParams(1.0 / league.camera.rate, eye, r.encoder or 0)


def side(league: League, team: str) -> Side:
    """Return a team by name or by the path of its file."""
    n, wheels = league.team.robots, league.robot.wheels
    name, roles, brain = _brain(league, team)
    e, p, late = estimate_params(league), plan_params(league), radio_params(league, 0).delay
    stack = Stack(
        estimate=partial(estimate.step, e),
        decide=brain,
        plan=partial(plan.step, p),
        avoid=partial(avoid.step, avoid_params(league)),
        control=partial(control.step, control_params(league)),
    )
    quiet = (Commands.stop(n, wheels),) * (1 + late)
    return Side(name, stack, lambda: Memory(estimate.start(e), roles(), plan.start(p, n), avoid.start(n), quiet))


def plan_params(league: League) -> plan.Params:
    """Return what a team's planner knows of a league."""
    r, ssl = league.robot, league.robot.kicker is not None
    size = r.bounding_radius / SSL_HULL
    return plan.Params(
        field=league.field.geometry(),
        limits=plan.Limits(
            r.max_speed, r.max_acceleration, r.max_turn_rate, r.max_turn_acceleration, r.drive == "omni", not ssl
        ),
        body=plan.Body(
            hull=r.bounding_radius,
            wall=0.5 * r.width if r.width else r.bounding_radius,
            ball=league.ball.radius,
            reach=_reach(league),
            margin_most=0.05 * size,
            others_more=0.02 * size,
        ),
        planner=plan.Planner(league.team.planner),
        search=plan.Search(step=0.3 * size),
        areas_barred=league.match.areas_barred,
        keep_off=league.match.keep_off,
        ball_brake=league.ball.rolling_deceleration,
    )


def avoid_params(league: League) -> avoid.Params:
    """Return how a team's robots keep out of each other's way; the thesis' lengths are for robots of its size."""
    size, t = league.robot.bounding_radius / MIROSOT_HULL, avoid.Thesis()
    lengths = ("margin", "near", "dodge_least", "dodge_most", "dodge_ahead", "safety")
    scaled = {name: size * getattr(t, name) for name in lengths}
    r, f, o = league.robot, league.field.geometry(), avoid.Ours()
    turning = (r.max_turn_rate, r.max_turn_acceleration)
    limits = avoid.Limits(r.max_speed, r.max_acceleration, *turning, r.drive == "omni", r.kicker is None)
    wall = 0.5 * r.width if r.width else r.bounding_radius
    edges = (f.half_length + f.margin_x - wall, f.half_width + f.margin_y - wall)
    ours = replace(o, touch=2.0 * r.bounding_radius, room=size * o.room, edge_x=edges[0], edge_y=edges[1])
    ours, orca = replace(ours, dt=1.0 / league.camera.rate), replace(avoid.Orca(), radius=size * avoid.Orca().radius)
    return avoid.Params(avoid.Method(league.team.avoid), replace(t, **scaled), limits, ours, orca)


def control_params(league: League) -> control.Params:
    """Return the limits that a team drives within."""
    r = league.robot
    return control.Params(
        max_speed=r.max_speed,
        max_acceleration=r.max_acceleration,
        max_turn_rate=r.max_turn_rate,
        max_turn_acceleration=r.max_turn_acceleration,
        max_wheel_speed=_max_wheel_speed(league),
        wheels_from_body=r.wheel_matrix(),
        omni=r.drive == "omni",
        two_faced=r.kicker is None,
        dt=1.0 / league.camera.rate,
        response=response_of(league),
        law=control.Law(league.team.law),
        doubt=(league.camera.noise_xy, league.camera.noise_theta),
        late=radio_params(league, 0).delay,
    )


def _brain(league: League, team: str) -> tuple[str, Callable[[], Any], Callable[[Any, World], tuple[Any, Intents]]]:
    spec = decide.parse(team)
    if spec.name in decide.TEAMS:
        return str(spec), *decide.named(spec.name, spec.options, facts_of(league))
    if not (spec.is_file or spec.is_module):
        beside = [f"{spec.name}.py"] if Path(f"{spec.name}.py").is_file() else []
        rule = "or a team file that ends in .py, or module:function"
        raise UnknownNameError("team", spec.name, [*beside, *decide.TEAMS], rule)
    brain = replace(decide.load(spec, loading), kicks=league.robot.kicker is not None)
    if brain.leagues and league.name not in brain.leagues:
        instead = f"add --league {brain.leagues[0]}, or {league.name!r} to LEAGUES"
        raise TeamError(f"{spec.name} plays {', '.join(brain.leagues)} (its LEAGUES), not {league.name}; {instead}")
    name = Path(spec.name).stem if spec.is_file else spec.name
    return name, partial(decide.file_start, brain), partial(decide.file_team, brain, within)


def facts_of(league: League) -> decide.Facts:
    """Return what a team knows of a league before the match."""
    r, b, kicker = league.robot, league.ball, league.robot.kicker
    return decide.Facts(
        reach=_reach(league),
        hull=r.bounding_radius,
        max_speed=r.max_speed,
        max_acceleration=r.max_acceleration,
        max_turn_rate=r.max_turn_rate,
        max_turn_acceleration=r.max_turn_acceleration,
        kick=kicker.max_speed if kicker else 0.0,
        lift=kicker.max_lift if kicker else 0.0,
        dribbler=r.dribbler,
        omni=r.drive == "omni",
        ball_radius=b.radius,
        ball_deceleration=b.rolling_deceleration,
        ball_damping=b.rolling_damping,
        ball_sliding=b.sliding_friction * sim.drive.GRAVITY,
        ball_bounce=b.restitution_wall,
        areas_barred=league.match.areas_barred,
        keep_off=league.match.keep_off,
        rate=league.camera.rate,
    )


def _reach(league: League) -> float:
    return league.robot.front + league.ball.radius


def _max_wheel_speed(league: League) -> float:
    """Return the wheel speed [rad/s] at which the robot drives straight ahead at its top speed."""
    return float(league.robot.max_speed * abs(league.robot.wheel_matrix()[:, 0]).max())
