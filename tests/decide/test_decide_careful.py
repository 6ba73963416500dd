"""With kickers: the keeper at a dead ball, dead balls in a corner, and how a careful team aims, stands and fears."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scenario_stage import field, parked, staged, ticks
from test_decide_named import load

from tikitaka.decide.facts import table
from tikitaka.decide.kernels import lanes, mapping, minding, placing, posting
from tikitaka.decide.kernels.table import BALL, GAP, HALF_X, HULL
from tikitaka.decide.squad import TIKITAKA
from tikitaka.loop.build import facts_of
from tikitaka.types import Floats, Phase

NAME = "ssl-b"
FACTS = facts_of(load(NAME))
PLAIN, CAREFUL = (table(replace(FACTS, careful=careful), load(NAME).field.geometry()) for careful in (False, True))
NOBODY = np.zeros((0, 3))


@pytest.mark.parametrize("team", ["classic", "tikitaka"])
def test_the_keeper_stays_at_its_post_while_a_free_kick_beside_the_goal_waits(team: str) -> None:
    f, blue, spot = field(NAME), parked(NAME, -1.0), (-3.95, 2.8)
    blue[0] = (0.09 - f.half_length, 0.43, 1.4)
    match = staged(NAME, 1, blue, (*spot, 0.0, 0.0), team)
    whistle = replace(match.moment.whistle, phase=Phase.FREE_KICK, owner=1, spot=spot)
    match.moment = replace(match.moment, whistle=whistle)
    for m in ticks(match, 3.0):
        assert m.moment.whistle.phase == Phase.FREE_KICK
        assert math.dist(m.moment.state.pose[0, :2], blue[0, :2]) < 0.1


@pytest.mark.parametrize("p", [PLAIN, CAREFUL], ids=["plain", "careful"])
@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_a_corner_kick_is_played_where_nobody_stands(p: Floats, side: float) -> None:
    bx, by = 4.3, side * 2.8
    ours, theirs, still = np.zeros((6, 3)), np.zeros((6, 3)), np.zeros((6, 3))
    ours[:, :2] = [(-4.3, 0.0), (bx, by + side * 0.12), *((-3.0 - 0.3 * k, 0.0) for k in range(4))]
    theirs[:, :2] = [
        (4.3, side * 0.4),
        (bx - 0.1, by - side * 0.65),
        (3.4, side * 1.2),
        (2.0, 0.0),
        (0.0, 0.0),
        (0.0, 1),
    ]
    plan, old = np.zeros(minding.PLANS), np.zeros(minding.PLANS)
    minding.make_up_mind(1, bx, by, ours, still, theirs, still, passes=False, dead=True, p=p, plan=plan, old=old)
    x, y = plan[minding.AIM_X], plan[minding.AIM_Y]
    assert plan[minding.KIND] == minding.PASS
    assert mapping.may_go(x, y, math.dist((bx, by), (x, y)), p)
    assert lanes.lane(bx, by, x, y, mapping.PASSED, theirs, still, -1, p) > 0.0


def covered(p: Floats, bx: float, by: float, y: float) -> bool:
    """Say whether one of the two who guard our goal stands in the way from b to the place y on its line."""
    ux, uy = np.array((-p[HALF_X] - bx, y - by)) / math.dist((-p[HALF_X], y), (bx, by))
    places = [posting.shadow(k, 2, bx, by, p) for k in range(2)]
    return any(abs(ux * (sy - by) - uy * (sx - bx)) < p[HULL] + p[BALL] for sx, sy in places)


@pytest.mark.parametrize("far", [2.0, 2.5, 3.0])
@pytest.mark.parametrize("angle", [-0.5, 0.0, 0.5])
def test_two_careful_defenders_cover_both_posts(far: float, angle: float) -> None:
    bx, by = far * math.cos(angle) - CAREFUL[HALF_X], far * math.sin(angle)
    inner = CAREFUL[GAP] - CAREFUL[BALL]
    assert covered(CAREFUL, bx, by, inner)
    assert covered(CAREFUL, bx, by, -inner)


def test_a_third_one_defends_while_the_ball_is_theirs_in_our_half() -> None:
    style = TIKITAKA.row
    assert placing.count_jobs(4, ours=False, forward=False, style=style, p=CAREFUL) == (3, 1, 0, 0)
    assert placing.count_jobs(4, ours=False, forward=True, style=style, p=CAREFUL) == (2, 1, 0, 0)
    assert placing.count_jobs(4, ours=True, forward=False, style=style, p=CAREFUL) == (2, 0, 0, 1)
    assert placing.count_jobs(4, ours=False, forward=False, style=style, p=PLAIN) == (2, 1, 0, 0)


def test_a_careful_team_fears_a_lost_ball_before_its_goal_and_nowhere_else() -> None:
    near, far = (-3.0, 0.0, -2.5, 1.0), (1.0, 0.0, 3.0, 1.0)
    assert mapping.loss(*near, CAREFUL) > 2.0 * mapping.loss(*far, CAREFUL)
    assert mapping.loss(*far, CAREFUL) == mapping.loss(*near, PLAIN) == mapping.LOSS


def test_a_careful_team_aims_inside_the_posts_and_takes_aim_longer_where_it_may_score() -> None:
    keeper, plan = np.array([(4.4, 0.0, 0.0)]), np.zeros(minding.PLANS)
    still = np.zeros_like(keeper)
    aims = [abs(lanes.opening(2.0, 0.0, 4.5, keeper, still, p)[0]) for p in (CAREFUL, PLAIN)]
    assert aims[0] < aims[1]
    minding.best_shot(2.0, 0.0, NOBODY, NOBODY, sharp=False, p=CAREFUL, plan=plan)
    near = [minding.tolerance(2.0, 0.0, plan, p) for p in (CAREFUL, PLAIN)]
    far = [minding.tolerance(-3.0, 0.0, plan, p) for p in (CAREFUL, PLAIN)]
    assert near[0] < near[1]
    assert far[0] > far[1]
