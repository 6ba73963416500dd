"""Reciprocal half-planes: the obstacle and the program against brute force, and robots that keep apart."""

import math

import numpy as np
import pytest
from avoid_scenes import Row, changed, straight, with_contact, world
from hypothesis import assume, given
from hypothesis import strategies as st

from tikitaka.avoid import Method
from tikitaka.avoid.kernels import halfplanes
from tikitaka.lab.austro_counts import score
from tikitaka.lab.austro_moves import TESTS, route
from tikitaka.lab.austro_traffic import drive, setup_of
from tikitaka.types import PlanStatus

ORCA = Method.ORCA
R, TAU, DT = 0.18, 0.3, 0.025
numbers = st.floats(-3.0, 3.0)


def meets(px: float, py: float, vx: float, vy: float) -> bool:
    """Say whether two robots come too near within TAU, by a closed form of its own."""
    v2 = vx * vx + vy * vy
    t = min(max((px * vx + py * vy) / v2, 0.0), TAU) if v2 > 0.0 else 0.0
    return math.hypot(px - t * vx, py - t * vy) < R


@given(st.floats(-1.0, 1.0), st.floats(-1.0, 1.0), numbers, numbers)
def test_the_least_change_leads_to_the_border_of_the_obstacle_and_no_shorter_one_does(
    px: float, py: float, vx: float, vy: float
) -> None:
    assume(math.hypot(px, py) > R + 0.01)
    u, nx, ny = halfplanes.least_change(px, py, vx, vy, R, TAU, DT)
    assert math.hypot(nx, ny) == pytest.approx(1.0)
    assert not meets(px, py, vx + (u + 1e-6) * nx, vy + (u + 1e-6) * ny)
    assert meets(px, py, vx, vy) == (u > 0.0) or abs(u) < 1e-9
    if u > 1e-3:
        around = [(math.cos(a), math.sin(a)) for a in np.linspace(0.0, 2.0 * math.pi, 90)]
        assert all(meets(px, py, vx + 0.98 * u * c, vy + 0.98 * u * s) for c, s in around)


@given(st.lists(st.tuples(numbers, st.floats(-math.pi, math.pi)), max_size=6), numbers, numbers)
def test_the_nearest_allowed_velocity_is_that_of_a_fine_search(
    planes: list[tuple[float, float]], wx: float, wy: float
) -> None:
    top = 2.0
    lines = np.array([(d * math.cos(a), d * math.sin(a), math.cos(a), math.sin(a)) for d, a in planes]).reshape(-1, 4)
    x, y = halfplanes.nearest_allowed(lines, len(lines), wx, wy, top)
    assert math.hypot(x, y) <= top + 1e-9
    s = np.linspace(-top, top, 81)
    fine = np.stack(np.meshgrid(s, s), axis=-1).reshape(-1, 2)
    fine = fine[np.hypot(*fine.T) <= top]
    depth = ((fine[:, None] - lines[:, :2]) * lines[:, 2:]).sum(axis=2).min(axis=1, initial=9.0)
    if (depth > 0.1).any():
        assert ((np.array((x, y)) - lines[:, :2]) * lines[:, 2:]).sum(axis=1).min(initial=9.0) >= -1e-9
        allowed = fine[depth >= 0.0]
        assert math.hypot(x - wx, y - wy) <= np.hypot(allowed[:, 0] - wx, allowed[:, 1] - wy).min() + 1e-9


def test_robots_that_never_meet_keep_their_plans() -> None:
    seen = world([(0.0, 0.5, 0.0, 1.0), (0.0, -0.5, 0.0, 1.0)])
    assert changed(seen, ORCA).xy.tolist() == straight(seen).xy.tolist()


def test_who_does_not_avoid_is_left_alone_and_the_other_changes_more() -> None:
    rows: list[Row] = [(-0.25, 0.0, 0.0, 1.0), (0.25, 0.03, math.pi, 1.0)]
    seen = world(rows)
    both, one = changed(seen, ORCA), changed(seen, ORCA, with_contact(straight(seen), 1))
    alone = changed(world(rows[:1], rows[1:]), ORCA)
    assert one.xy[1].tolist() == straight(seen).xy[1].tolist()
    assert one.xy[0].tolist() == alone.xy[0].tolist()
    slope = [abs(p.xy[0, 1, 1] / (p.xy[0, 1, 0] + 0.25)) for p in (both, one)]
    assert slope[1] > slope[0] > 0.0 or one.status[0] == PlanStatus.NONE


def test_bad_input_has_defined_answers() -> None:
    nan = float("nan")
    rows: list[Row] = [(0.0, 0.0, 0.0, 1.0), (0.3, 0.0, math.pi, 1.0), (nan, nan, nan, nan), (0.0, 0.0, 0.0, 1.0)]
    assert np.isfinite(changed(world(rows), ORCA).xy[[0, 1, 3]]).all()
    many: list[Row] = [(0.01 * k, 0.3 * math.sin(k), 0.1 * k, 0.02 * k) for k in range(100)]
    assert np.isfinite(changed(world(many), ORCA).xy).all()


@pytest.mark.parametrize("test", [2, 4])
def test_nobody_collides_in_half_a_minute_with_perfect_sight(test: int) -> None:
    where = route(TESTS[test], setup_of(2, 0, ORCA).league.field.geometry(), 1.0, 0)
    assert score(drive(setup_of(2, 0, ORCA, "ideal"), where, 30.0), 2).collisions == 0.0


@given(st.lists(st.tuples(numbers, numbers, numbers, numbers), min_size=2, max_size=6))
def test_the_chosen_velocity_is_that_of_rvo2_where_one_is_allowed(rows: list[tuple[float, ...]]) -> None:
    """All robots avoid; pyrvo computes in float32."""
    library = pytest.importorskip("pyrvo")
    table, top = np.array(rows), 2.0
    place, velocity = 0.5 * table[:, :2], np.clip(table[:, 2:], -1.4, 1.4)
    gaps = np.linalg.norm(place[:, None] - place, axis=2)[np.triu_indices(len(place), 1)]
    assume(gaps.min() > R + 0.01)
    sim = library.RVOSimulator(DT, 10.0, 10, TAU, TAU, 0.5 * R, top)
    for (x, y), (vx, vy) in zip(place.tolist(), velocity.tolist(), strict=True):
        sim.set_agent_velocity(sim.add_agent((x, y)), (vx, vy))
        sim.set_agent_pref_velocity(sim.get_num_agents() - 1, (vx, vy))
    sim.do_step()
    for i, (vx, vy) in enumerate(velocity.tolist()):
        lines = list[tuple[float, float, float, float]]()
        for j in range(len(place)):
            if j != i:
                p, v = place[j] - place[i], velocity[i] - velocity[j]
                assume(abs(p[0] * v[1] - p[1] * v[0]) > 0.01)  # else either side is as near
                u, nx, ny = halfplanes.least_change(p[0], p[1], v[0], v[1], R, TAU, DT)
                lines.append((vx + 0.5 * u * nx, vy + 0.5 * u * ny, nx, ny))
        x, y = halfplanes.nearest_allowed(np.array(lines), len(lines), vx, vy, top)
        if all((x - a) * c + (y - b) * d >= -1e-6 for a, b, c, d in lines):
            assert (x, y) == pytest.approx(sim.get_agent_velocity(i).to_tuple(), abs=2e-3)
