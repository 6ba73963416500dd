"""What cannot be, though every number by itself is fine. Each check yields the key, the rule and the values."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tikitaka.errors import OutlineError
from tikitaka.league.quantity import Problem
from tikitaka.types import outline

if TYPE_CHECKING:
    from tikitaka.league.model import FieldModel, League, RobotModel

WHEEL_GAP_DEG = 20.0  # chosen: nearer wheels touch, and three wheels this far apart always span the plane
MAX_RADIUS = 0.4  # [m] as of a disc
LEAST_WALL = 0.001  # [m] of a goal that stands free
SMALLEST = 0.005  # [m] radius of a robot
LEAST_SHARE = 0.001  # of the inertia that all the mass at the rim had: all of it within a thirtieth of the radius
SETTLING = 1e-5  # [s] chosen: a wheel that follows its motor faster takes as many steps a second to simulate
LEAST_BODY = 0.001  # [m] between a notch and the centre
SHAPE_KEYS = {"box": ("length", "width"), "disc": ("radius",), "outline": ("outline",)}
SHAPE_EXTRAS = {"box": ("notch_depth", "notch_width"), "disc": ("mouth",)}  # allowed, not needed
DRIVE_KEYS = {"differential": ("half_track",), "omni": ("wheel_distance", "wheel_angles_deg")}
DRIBBLER_KEYS = ("dribbler_force", "dribbler_width", "dribbler_reach")


def field(f: FieldModel) -> Iterator[Problem]:
    """Yield what is impossible about a pitch."""
    yield from _at_most("goal_width", f.goal_width, f.width, "the field's width")
    yield from _at_most("area_width", f.area_width, f.width, "the field's width")
    yield from _at_most("area_length", f.area_length, 0.5 * f.length, "half the field's length")
    yield from _at_most("circle_radius", f.circle_radius, 0.5 * min(f.length, f.width), "half the field's shorter side")
    yield from _free_goal(f)
    if f.goal_width <= f.width:
        yield from _at_most("corner", f.corner, _corner_room(f), "what the goal leaves free")


def robot(r: RobotModel) -> Iterator[Problem]:
    """Yield what is impossible about a robot."""
    missing = [*_choice(r, "shape", r.shape), *_choice(r, "drive", r.drive)]
    yield from missing
    if missing:
        return
    impossible = [*_outline(r)] or [*_shape(r)]
    yield from impossible
    if impossible:
        return
    yield from _inertia(r)
    yield from _wheels(r)
    yield from _motor(r)
    yield from _settling(r)
    yield from _kicker(r)
    yield from _dribbler(r)


def league(g: League) -> Iterator[Problem]:
    """Yield what is impossible about robots, ball and pitch together."""
    yield from _one_line("name", g.name)
    yield from _one_line("title", g.title)
    smallest, width = _sizes(g.robot)
    yield from _at_most("ball.radius", g.ball.radius, 0.5 * smallest, "half the robot's size")
    yield from _at_most("ball.radius", g.ball.radius, 0.5 * g.field.goal_width, "half the goal's width")
    if width > g.field.goal_width:
        yield Problem(
            "field.goal_width", f"must be at least the robot's width, {width:g} m; got {g.field.goal_width:g}"
        )
    need = 2.0 * g.ball.radius + 0.001
    if g.field.goal_depth < need:
        rule = f"must be at least 1 mm more than the ball's diameter, {need:g} m, or no goal can be scored"
        yield Problem("field.goal_depth", f"{rule}; got {g.field.goal_depth:g}")
    if g.camera.height <= g.robot.height:
        rule = f"must be greater than the robot's height, {g.robot.height:g} m"
        yield Problem("camera.height", f"{rule}; got {g.camera.height:g}")
    yield from _line_up(g)


def _one_line(key: str, text: str) -> Iterator[Problem]:
    if not text.isprintable() or (key == "name" and ("/" in text or "\\" in text)):
        yield Problem(key, f"must be printable{', without slashes' if key == 'name' else ''}; got {text!r}")


def _at_most(key: str, value: float, bound: float, what: str) -> Iterator[Problem]:
    if value > bound:
        yield Problem(key, f"must be at most {what}, {bound:g} m; got {value:g}")


def _free_goal(f: FieldModel) -> Iterator[Problem]:
    if f.margin_x == 0.0 and f.goal_wall > 0.0:
        yield Problem(
            "goal_wall", f"must be 0 m where margin_x is 0: the field's wall holds the goal; got {f.goal_wall:g}"
        )
    if f.margin_x > 0.0 and f.goal_wall < LEAST_WALL:
        rule = f"must be at least {LEAST_WALL:g} m where margin_x is greater than 0: the goal stands free"
        yield Problem("goal_wall", f"{rule}; got {f.goal_wall:g}")
    need = f.goal_depth + f.goal_wall
    if 0.0 < f.margin_x < need:
        yield Problem("margin_x", f"must be 0 or at least goal_depth + goal_wall, {need:g} m; got {f.margin_x:g}")


def _corner_room(f: FieldModel) -> float:
    behind = f.margin_x - f.goal_depth - f.goal_wall if f.margin_x > 0.0 else 0.0
    beside = 0.5 * (f.width - f.goal_width) + f.margin_y - f.goal_wall
    return max(0.0, behind + beside)


def _choice(r: RobotModel, key: str, chosen: str) -> Iterator[Problem]:
    """Yield the keys that the chosen shape or drive lacks, and those of the others."""
    needs = SHAPE_KEYS if key == "shape" else DRIVE_KEYS
    extras = SHAPE_EXTRAS if key == "shape" else {}
    for other, names in needs.items():
        for name in (*names, *extras.get(other, ())):
            given = getattr(r, name) is not None
            if given and other != chosen:
                yield Problem(name, f"belongs to {key} '{other}'; {key} is '{chosen}'; got {getattr(r, name)}")
            if not given and other == chosen and name in names:
                yield Problem(name, f"is missing: {key} '{chosen}' needs it")


def _outline(r: RobotModel) -> Iterator[Problem]:
    if r.mouth is not None and r.mouth >= r.bounding_radius:
        yield Problem("mouth", f"must be less than radius, {r.bounding_radius:g} m; got {r.mouth:g}")
    if r.outline is not None:
        found = outline.problem(r.outline)
        far = 0.0 if found else outline.Outline.of(r.outline).radius
        if found or far > MAX_RADIUS:
            yield Problem("outline", found or f"must stay within {MAX_RADIUS:g} m of the centre; it reaches {far:g}")
        elif far < SMALLEST:
            yield Problem("outline", f"must reach at least {SMALLEST:g} m from the centre; it reaches {far:g}")
    if (r.notch_depth is None) != (r.notch_width is None):
        yield Problem("notch_depth" if r.notch_depth is None else "notch_width", "is missing: a notch has both")
    elif r.notch_depth is not None and r.notch_width is not None:
        yield from _notch(r.notch_depth, r.notch_width, r.length or 0.0, r.width or 0.0)


def _shape(r: RobotModel) -> Iterator[Problem]:
    """Yield what keeps the numbers of a box or a disc from making an outline, when each one may be as it is."""
    try:
        r.geometry()
    except OutlineError as error:
        yield Problem("shape", f"must have an outline that can be, its numbers farther from their bounds: {error}")


def _notch(depth: float, between: float, length: float, width: float) -> Iterator[Problem]:
    if between >= width:
        yield Problem("notch_width", f"must be less than width, {width:g} m; got {between:g}")
    most = min(0.5 * between, 0.5 * length - LEAST_BODY)
    if depth > most:
        rule = f"must be at most half of notch_width, and end before the centre, {most:g} m"
        yield Problem("notch_depth", f"{rule}; got {depth:g}")


def _inertia(r: RobotModel) -> Iterator[Problem]:
    most = r.mass * r.bounding_radius**2
    if r.inertia < LEAST_SHARE * most:
        rule = f"must be at least {LEAST_SHARE * most:.3g} kg m^2, all the mass within a thirtieth of the radius"
        yield Problem("inertia", f"{rule}; got {r.inertia:g}")
    if r.inertia > most:
        yield Problem("inertia", f"must be at most {most:.3g} kg m^2, all the mass at the rim; got {r.inertia:g}")


def _wheels(r: RobotModel) -> Iterator[Problem]:
    for key in ("wheel_radius", "half_track", "wheel_distance"):
        yield from _at_most(key, getattr(r, key) or 0.0, r.bounding_radius, "the robot's own radius")
    angles = r.wheel_angles_deg or ()
    if _smallest_gap_deg(angles) < WHEEL_GAP_DEG:
        rule = f"must lie at least {WHEEL_GAP_DEG:g} deg apart, or the wheels cannot steer"
        yield Problem("wheel_angles_deg", f"{rule}; got {list(angles)}")


def _motor(r: RobotModel) -> Iterator[Problem]:
    yield from _at_most("mass_offset", abs(r.mass_offset), r.bounding_radius, "the robot's own radius")
    m = r.motor
    if m.torque_limit > m.stall_torque:
        rule = f"must be at most stall_torque, {m.stall_torque:g} N m"
        yield Problem("motor.torque_limit", f"{rule}; got {m.torque_limit:g}")
    sines = [abs(math.sin(math.radians(a))) for a in r.wheel_angles_deg or (90.0,)]
    need = r.max_speed / r.wheel_radius * max(sines)
    top = m.no_load_speed / (1.0 + r.wheel_damping * m.no_load_speed / m.stall_torque)
    if top < need:
        rule = f"must let the wheels reach {need:.4g} rad/s, which max_speed needs"
        yield Problem("motor.no_load_speed", f"{rule}; got {m.no_load_speed:g}, which gives {top:.4g}")


def _settling(r: RobotModel) -> Iterator[Problem]:
    """Yield why wheels would follow their motors too fast; a step is as long as their shortest time constant."""
    if r.wheels_model == "kinematic":
        return
    arm = (r.half_track or r.wheel_distance or 0.0) + abs(r.mass_offset)
    light = r.wheels * (1.0 / r.mass + arm * arm / r.inertia) / r.wheel_radius**2  # [1/(kg m^2)] wheels without inertia
    most = 1.0 / (SETTLING * min(light, 1.0 / r.wheel_inertia)) - r.wheel_damping
    so = f"or wheels settle within {SETTLING:g} s; make mass, inertia or wheel_inertia larger"
    if r.motor.gain > most:
        yield Problem("motor.gain", f"must be at most {max(0.0, most):.3g} N m s here, {so}; got {r.motor.gain:g}")
    slope = r.motor.stall_torque / r.motor.no_load_speed
    if slope > most:
        rule = f"must be at most {max(0.0, most):.3g} N m a rad/s of no_load_speed"
        yield Problem("motor.stall_torque", f"{rule}, {so}; got {r.motor.stall_torque:g}, which is {slope:.3g}")


def _smallest_gap_deg(angles: tuple[float, ...]) -> float:
    turned = sorted(a % 360.0 for a in angles)
    return min(((b - a) % 360.0 for a, b in zip(turned, turned[1:] + turned[:1], strict=True)), default=360.0)


def _kicker(r: RobotModel) -> Iterator[Problem]:
    if r.kicker is None:
        return
    if r.shape == "disc" and r.mouth is None:
        yield Problem("mouth", "is missing: a disc with a kicker needs a flat front")
    elif r.kicker.width > _front(r):
        yield Problem("kicker.width", f"must be at most the robot's front, {_front(r):.4g} m; got {r.kicker.width:g}")
    if r.kicker.max_lift > r.kicker.max_speed:
        rule = f"must be at most max_speed, {r.kicker.max_speed:g} m/s"
        yield Problem("kicker.max_lift", f"{rule}; got {r.kicker.max_lift:g}")


def _dribbler(r: RobotModel) -> Iterator[Problem]:
    if not r.dribbler:
        return
    for key in DRIBBLER_KEYS:
        if getattr(r, key) is None:
            yield Problem(key, "is missing: a dribbler needs it")
    if r.shape == "disc" and r.mouth is None and r.kicker is None:
        yield Problem("mouth", "is missing: a disc with a dribbler needs a flat front")
    elif r.dribbler_width is not None and r.dribbler_width > _front(r) > 0.0:
        rule = f"must be at most the robot's front, {_front(r):.4g} m"
        yield Problem("dribbler_width", f"{rule}; got {r.dribbler_width:g}")


def _front(r: RobotModel) -> float:
    """Return the width of the front."""
    if r.outline is not None:
        return _sizes(r)[1]
    if r.mouth is None:
        return r.width or 0.0
    return 2.0 * math.sqrt(max(0.0, r.bounding_radius**2 - r.mouth**2))


def _sizes(r: RobotModel) -> tuple[float, float]:
    """Return the smallest side and the width."""
    if r.length is not None and r.width is not None:
        return min(r.length, r.width), r.width
    if r.outline is not None:
        xs, ys = zip(*r.geometry().polygon(), strict=True)
        return min(max(xs) - min(xs), max(ys) - min(ys)), max(ys) - min(ys)
    return 2.0 * r.bounding_radius, 2.0 * r.bounding_radius


def _line_up(g: League) -> Iterator[Problem]:
    """Yield why the teams cannot line up: keeper, attacker, and rows between them, all outside the circle."""
    places = max((n for n in range(1, 12) if _room(g, n) >= _at_ball(g)), default=0)
    if g.team.robots > places:
        rule = f"must be at most {places}, as many as can line up in half of the field"
        yield Problem("team.robots", f"{rule}; got {g.team.robots}")
        return
    most = _room(g, g.team.robots) - g.robot.bounding_radius - 0.01  # between the circle and a robot
    what = f"what {g.team.robots} robots leave free when they line up"
    yield from _at_most("field.circle_radius", g.field.circle_radius, most, what)


def _at_ball(g: League) -> float:
    """Return how far from the centre spot the robot stands that kicks off."""
    r, hull = g.robot, g.robot.bounding_radius
    return max(r.front + g.ball.radius + 0.6 * hull, hull + 0.01)


def _room(g: League, n: int) -> float:
    """Return how far from the centre line the foremost of n robots may stand, when the others stand behind it.

    In radii of the circle around a robot: the keeper stands 1.3 before the goal line, the others 2.2 from each other
    and from the keeper; rows are 2.6 long, the first is 2.5 behind the attacker, the last 2.7 before the keeper.
    """
    hull, f = g.robot.bounding_radius, g.field
    half = 0.5 * f.width - 1.5 * hull - max(0.0, f.corner - f.margin_x - f.margin_y - 4.0 * hull)
    if half < 0.0:
        return -math.inf
    rows = math.ceil((n - 2) / (1 + int(2.0 * half / (2.2 * hull))))
    behind = 1.3 if n < 2 else 3.5 if n == 2 else 6.5 + (2.6 * rows if rows > 1 else 0.0)
    return 0.5 * f.length - behind * hull
