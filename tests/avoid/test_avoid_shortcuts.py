"""What is left out because it cannot matter does not matter: slow twins that leave out nothing say the same."""

import math

import numpy as np
import pytest
from avoid_scenes import Row, straight, world
from hypothesis import given
from hypothesis import strategies as st

from tikitaka import avoid
from tikitaka.avoid import Method, Params
from tikitaka.avoid.kernels import choosing, weighing
from tikitaka.avoid.kernels.options import KEPT, OPTIONS
from tikitaka.avoid.kernels.rolling import BY, BY_X, BY_Y
from tikitaka.avoid.kernels.weighing import BOX, FAST, GROW, NEAR, PART, PARTS, ROOM
from tikitaka.types import Floats

STEPS, DT, TOUCH = 26, 0.04, 0.106
RULES = Params().rules
seeds = st.integers(0, 10_000)


def motion(draw: np.random.Generator, wide: float) -> Floats:
    """Return places of a robot that wanders."""
    speed = draw.normal(0.0, 1.0, 2) + np.cumsum(draw.normal(0.0, 0.3, (STEPS - 1, 2)), axis=0)
    return np.concatenate((np.zeros((1, 2)), np.cumsum(DT * speed, axis=0))) + draw.uniform(-wide, wide, 2)


def boxes_of(track: Floats) -> Floats:
    box = np.empty((PARTS, BOX))
    weighing.fill_boxes(track, DT, box)
    return box


def slow_clash(a: Floats, b: Floats, grow: float) -> tuple[float, float]:
    """Return the same as `weighing.clash`, step by step."""
    way = b - a
    now = math.sqrt(way[0, 0] * way[0, 0] + way[0, 1] * way[0, 1])
    most = TOUCH + RULES[ROOM]
    near = now < most + RULES[FAST] * weighing.WIDEST + grow * DT * STEPS
    worst, first, hit = 0.0, math.inf, False
    for s in range(1, STEPS):
        (x, y), (px, py), t = way[s - 1], way[s], s * DT
        room = most + grow * t + RULES[FAST] * min((abs(px - x) + abs(py - y)) / DT, weighing.WIDEST)
        limit, d = TOUCH, weighing.nearest_pass(x, y, px, py)
        if near:
            slack = now - weighing.GIVE + RULES[PART] * max(t - weighing.START, 0.0)
            room, limit = min(room, slack), min(limit, slack)
        if d >= room:
            continue
        late, lacks = 1.0 - 0.5 * s / STEPS, (room - d) / (room - limit) if d >= limit else 1.0 - d / TOUCH
        cost = weighing.HIT * late * (1.0 + lacks) if d < limit else RULES[NEAR] * late * lacks * lacks
        if cost > worst:
            worst, first = cost, first if hit else t
        hit = hit or d < limit
    return worst, first


@given(seeds, st.sampled_from((0.1, 0.5, 1.5)), st.sampled_from((0.0, RULES[GROW])))
def test_parts_of_motions_that_are_far_apart_need_not_be_looked_at(seed: int, wide: float, grow: float) -> None:
    draw = np.random.default_rng(seed)
    a, b = motion(draw, wide), motion(draw, wide)
    spans = weighing.span(a) + weighing.span(b)
    assert weighing.clash(a, b, boxes_of(a), boxes_of(b), spans, TOUCH, RULES, grow, DT) == slow_clash(a, b, grow)


@given(seeds, st.integers(1, 5), st.booleans())
def test_the_best_pair_of_options_is_found_without_weighing_all_of_them(seed: int, n: int, mates: bool) -> None:
    draw = np.random.default_rng(seed)
    m, i, j = n + 3, 0, 1 if mates and n > 1 else n
    tracks = np.array([[motion(draw, 0.4) for _ in range(OPTIONS)] for _ in range(m)])
    spans = np.array([[weighing.span(track) for track in row] for row in tracks])
    boxes = np.array([[boxes_of(track) for track in row] for row in tracks])
    costs, chosen = draw.uniform(0.0, 3.0, (n, OPTIONS)), np.zeros(m, np.int64)
    costs[draw.uniform(size=costs.shape) < 0.2] = math.inf
    costs[:, 0], costs[:, KEPT + 1] = 1.0, 1.0
    chosen[:n] = draw.integers(0, 3, n)
    sees, reach = draw.uniform(size=(n, m)) < 0.8, np.full(m, TOUCH)
    given_ = (n, reach, RULES, DT, tracks, spans, boxes)

    def cost(a: int, c: int, but: int) -> float:
        near = [choosing.meet(a, c, k, chosen[k], *given_)[0] for k in range(m) if k not in (a, but) and sees[a, k]]
        return float(costs[a, c] + sum(near))

    others = [cost(j, e, i) for e in range(OPTIONS)] if j < n else [0.0]
    pairs = [(c, e) for c in range(OPTIONS) for e in range(len(others))]
    totals = [cost(i, c, j) + others[e] + choosing.meet(i, c, j, e, *given_)[0] for c, e in pairs]
    expected = pairs[int(np.argmin(totals))]
    met, doing = np.empty((n, OPTIONS, m)), np.full((n, OPTIONS, m), -1)
    args = (sees, reach, RULES, DT, tracks, spans, boxes, met, doing, costs, np.empty(OPTIONS), chosen)
    choosing.choose_pair(i, j, n, *args)
    assert (chosen[i], chosen[j]) == expected
    chosen[2:n] = 1  # what is known of the others is of what they did before
    again = chosen.copy()
    choosing.choose_pair(i, j, n, *args)
    doing[:] = -1
    choosing.choose_pair(i, j, n, *args[:-1], again)
    assert chosen.tolist() == again.tolist()


@pytest.mark.parametrize("method", [m for m in Method if m is not Method.NONE])
def test_a_tick_leaves_nothing_behind_but_what_is_remembered(method: Method) -> None:
    crowd: list[Row] = [(0.15 * math.cos(k), 0.15 * math.sin(2.0 * k), 1.3 * k, 0.5) for k in range(6)]
    busy, calm = world(crowd[:4], crowd[4:]), world(crowd[2:], crowd[:2])
    used = Params(method)
    avoid.step(used, avoid.start(4), busy, straight(busy))
    for seen in (calm, busy):
        memory, after = avoid.step(used, avoid.start(4), seen, straight(seen))
        other, same = avoid.step(Params(method), avoid.start(4), seen, straight(seen))
        assert memory.kept.tobytes() == other.kept.tobytes()
        assert after.xy.tobytes() == same.xy.tobytes()
        assert after.intents.max_speed.tobytes() == same.intents.max_speed.tobytes()
        assert not memory.kept[memory.kept[:, BY] == 0.0][:, [BY_X, BY_Y]].any()
