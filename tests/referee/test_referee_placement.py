"""Where everybody stands at kick-off: legal in every league for every size of team."""

import math
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError
from shapely import LineString, Point, Polygon, affinity, box

from tikitaka.league import League, load, names
from tikitaka.loop.build import rules_params
from tikitaka.referee import kick_off
from tikitaka.types import BLUE, YELLOW, Floats

LEAGUES = sorted(names())
ROBOTS = range(1, 12)


@cache
def league(name: str) -> League:
    return load(name)


def placed(name: str, n: int, team: int) -> Floats:
    rules = rules_params(league(name), 60.0)
    return kick_off(rules.field, n, rules.hull, rules.reach, team)


def outline(name: str, pose: Floats) -> Polygon:
    """Return the robot's rim at a pose."""
    r = league(name).robot
    if r.length and r.width:
        shape = box(-0.5 * r.length, -0.5 * r.width, 0.5 * r.length, 0.5 * r.width)
    else:
        shape = Point(0.0, 0.0).buffer(r.radius or 0.0, quad_segs=64)
    return affinity.translate(affinity.rotate(shape, pose[2], origin=(0, 0), use_radians=True), pose[0], pose[1])


@pytest.mark.parametrize("team", [BLUE, YELLOW])
@pytest.mark.parametrize("n", ROBOTS)
@pytest.mark.parametrize("name", LEAGUES)
def test_everybody_stands_alone_inside_the_field_and_clear_of_the_ball(name: str, n: int, team: int) -> None:
    poses, field = placed(name, n, team), league(name).field.geometry()
    rims = [outline(name, pose) for pose in poses[:-1]]
    inside = box(-field.half_length, -field.half_width, field.half_length, field.half_width)
    assert all(inside.contains(rim) for rim in rims)
    assert min((a.distance(b) for i, a in enumerate(rims) for b in rims[:i]), default=1.0) > 0.005
    assert poses[-1].tolist() == [0.0, 0.0, 0.0]
    assert min(rim.distance(Point(0.0, 0.0)) for rim in rims) > league(name).ball.radius + 0.005


@pytest.mark.parametrize("team", [BLUE, YELLOW])
@pytest.mark.parametrize("n", ROBOTS)
@pytest.mark.parametrize("name", LEAGUES)
def test_each_in_its_own_half_and_the_team_without_the_ball_outside_the_circle(name: str, n: int, team: int) -> None:
    poses, field = placed(name, n, team), league(name).field.geometry()
    blue, yellow = ([outline(name, pose) for pose in half] for half in (poses[:n], poses[n:-1]))
    centre = LineString([(0.0, -9.0), (0.0, 9.0)])
    assert all(rim.centroid.x < 0.0 and not rim.intersects(centre) for rim in blue)
    assert all(rim.centroid.x > 0.0 and not rim.intersects(centre) for rim in yellow)
    waiting = yellow if team == BLUE else blue
    assert min(rim.distance(Point(0.0, 0.0)) for rim in waiting) >= field.circle_radius


@pytest.mark.parametrize("n", ROBOTS)
@pytest.mark.parametrize("name", LEAGUES)
def test_the_other_teams_kick_off_is_the_same_picture_turned(name: str, n: int) -> None:
    ours, theirs = placed(name, n, BLUE), placed(name, n, YELLOW)
    turned = np.concatenate((theirs[n:-1], theirs[:n], theirs[-1:]))
    assert -turned[:, :2] == pytest.approx(ours[:, :2], abs=1e-12)
    assert np.cos(turned[:-1, 2] - ours[:-1, 2]) == pytest.approx(-1.0)


@pytest.mark.parametrize("name", LEAGUES)
def test_the_keeper_stands_before_its_goal_and_the_kicker_at_the_ball(name: str) -> None:
    poses, field = placed(name, league(name).team.robots, BLUE), league(name).field.geometry()
    assert poses[0, 1] == 0.0
    assert -field.half_length < poses[0, 0] < -field.half_length + 0.2
    assert math.dist(poses[1, :2], (0.0, 0.0)) < 3.0 * league(name).robot.bounding_radius


def legal(one: League, team: int) -> bool:
    """Say whether all stand clear of each other, of walls and corners, of the ball, and of the centre line."""
    rules, r, f = rules_params(one, 60.0), one.robot, one.field.geometry()
    poses = kick_off(rules.field, rules.robots, rules.hull, rules.reach, team)
    front = 0.5 * r.length if r.length else (r.mouth or rules.hull)
    half = 0.5 * r.width if r.width else rules.hull
    sizes = box(-front if r.length else -rules.hull, -half, front, half)
    shape = sizes if r.length else Point(0.0, 0.0).buffer(rules.hull).intersection(sizes)
    rims = [affinity.translate(affinity.rotate(shape, p[2], origin=(0, 0), use_radians=True), *p[:2]) for p in poses]
    x, y, c = f.half_length, f.half_width, f.corner - f.margin_x - f.margin_y
    right = [(x - c, -y), (x, c - y), (x, y - c), (x - c, y)]
    inside = Polygon(right + [(-a, -b) for a, b in right]) if c > 0.0 else box(-x, -y, x, y)
    apart = all(a.distance(b) > 0.0 for i, a in enumerate(rims[:-1]) for b in rims[:i])
    discs = min((math.dist(a, b) for i, a in enumerate(poses[:-1, :2]) for b in poses[:i, :2]), default=9.0)
    at_ball = min(rim.distance(Point(0.0, 0.0)) for rim in rims[:-1]) > one.ball.radius
    own = all((rim.bounds[2] < 0.0) if i < rules.robots else (rim.bounds[0] > 0.0) for i, rim in enumerate(rims[:-1]))
    waiting = rims[rules.robots : -1] if team == BLUE else rims[: rules.robots]
    outside = min(rim.distance(Point(0.0, 0.0)) for rim in waiting) >= f.circle_radius
    clear = bool(r.length) or discs > 2.0 * rules.hull
    return apart and clear and at_ball and own and outside and all(inside.contains(rim) for rim in rims[:-1])


@st.composite
def leagues(draw: st.DrawFn) -> dict[str, object]:
    """Return the tables of a league that may or may not have room for its robots."""
    disc = draw(st.booleans())
    table = league("byu-2v2" if disc else "mirosot-5v5").model_dump(exclude_none=True)
    length, width = draw(st.floats(0.5, 6.0)), draw(st.floats(0.3, 4.0))
    size = st.floats(0.05, 0.4)
    a, b = draw(size), draw(size)
    table["robot"] |= {"radius": a, "mouth": a * draw(st.floats(0.05, 0.99))} if disc else {"length": a, "width": b}
    least = 2.0 * a if disc else min(a, b)
    table["robot"] |= {"inertia": 1e-9, "wheel_radius": 0.01}
    table["robot"]["wheel_distance" if disc else "half_track"] = 0.02
    table["ball"]["radius"] = draw(st.floats(0.1, 0.5)) * min(least, 0.3)
    goal = draw(st.floats(0.0, 1.0)) * (width - max(2.0 * a if disc else b, 0.0)) + (2.0 * a if disc else b)
    table["field"] |= {
        "length": length,
        "width": width,
        "goal_width": goal,
        "goal_depth": 0.4,
        "area_length": 0.1 * length,
        "area_width": 0.5 * width,
        "circle_radius": draw(st.floats(0.001, 0.5)) * min(length, width),
        "corner": draw(st.sampled_from((0.0, 0.2, 0.99))) * max(0.0, 0.5 * (width - goal)),
    }
    table["team"]["robots"] = draw(st.integers(1, 11))
    return table


@settings(deadline=None, max_examples=500)
@given(table=leagues())
def test_every_league_that_loads_lines_up_legally(table: dict[str, object]) -> None:
    try:
        one = League.model_validate(table)
    except ValidationError:
        return
    assert legal(one, BLUE)
    assert legal(one, YELLOW)


@pytest.mark.parametrize("n", ROBOTS)
@pytest.mark.parametrize("name", LEAGUES)
def test_every_preset_loads_with_every_size_of_team_and_stands_legally(name: str, n: int) -> None:
    table = league(name).model_dump(exclude_none=True)
    table["team"]["robots"] = n
    one = League.model_validate(table)
    assert legal(one, BLUE)
    assert legal(one, YELLOW)


def test_a_circle_is_refused_only_where_the_line_up_has_no_room() -> None:
    """From small to large: loads up to a bound, and at the bound the rows still stand clear."""
    table = league("mirosot-5v5").model_dump(exclude_none=True)
    loaded = []
    for radius in np.arange(0.05, 0.9, 0.01):
        table["field"]["circle_radius"] = float(radius)
        try:
            loaded.append(League.model_validate(table))
        except ValidationError:
            continue
    assert 0.6 < loaded[-1].field.circle_radius < 0.75
    assert all(legal(one, team) for one in loaded for team in (BLUE, YELLOW))
