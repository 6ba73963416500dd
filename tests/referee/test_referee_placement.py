"""Where everybody stands at kick-off: legal in every league for every size of team."""

import math
from functools import cache

import numpy as np
import pytest
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
