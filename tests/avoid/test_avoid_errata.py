"""The printed program between its two ends: nothing mended is the appendix, all mended is the mended method."""

import math
from functools import reduce

import numpy as np
import pytest
from avoid_scenes import Row, straight, world

from tikitaka import avoid
from tikitaka.avoid import CollisionKind, Errata, Method, Params
from tikitaka.types import Plans, World

PRINTED = Method.COLLISION_AVOID_PRINTED
EVERY = reduce(Errata.__or__, Errata)
SCENES = 400
FULL = 2.0 * math.pi
Found = tuple[int, int, float, float, bool]  # kind, partner, time, way, from the right


def scenes(most: int, others: int = 2) -> list[tuple[World, Plans]]:
    """Return robots anywhere, a few of them standing, all on their way to somewhere else."""
    rng = np.random.default_rng(most)

    def rows(n: int) -> list[Row]:
        speeds = np.where(rng.random(n) < 0.2, 0.05, rng.uniform(-2.5, 2.5, n))
        place = rng.uniform((-0.9, -0.7, -math.pi), (0.9, 0.7, math.pi), (n, 3))
        return [(*p, v) for p, v in zip(place.tolist(), speeds.tolist(), strict=True)]

    found = list[tuple[World, Plans]]()
    for _ in range(SCENES):
        n = int(rng.integers(2, most + 1))
        seen = world(rows(n), rows(int(rng.integers(0, others + 1))))
        found.append((seen, straight(seen, targets=rng.uniform((-0.9, -0.7), (0.9, 0.7), (n, 2)))))
    return found


def bits(params: Params, seen: World, plans: Plans) -> tuple[bytes, ...]:
    after = avoid.step(params, avoid.start(len(plans)), seen, plans)[1]
    return tuple(getattr(after, name).tobytes() for name in ("xy", "time", "count", "status", "reason"))


def differing(one: Params, two: Params, most: int, others: int = 2) -> int:
    """Return in how many scenes two methods do not do the same."""
    return sum(bits(one, *scene) != bits(two, *scene) for scene in scenes(most, others))


def test_with_all_errata_mended_the_printed_program_is_the_mended_one_to_the_bit() -> None:
    assert differing(Params(PRINTED, mended=EVERY), Params(Method.COLLISION_AVOID), 6) == 0
    assert differing(Params(PRINTED), Params(Method.COLLISION_AVOID), 6) > SCENES // 4


def test_with_none_mended_it_is_the_appendix_to_the_bit() -> None:
    hits = 0
    for seen, plans in scenes(6):
        c = avoid.collisions(Params(PRINTED), avoid.start(len(plans)), seen, plans)
        for i, (kind, partner, time, way, right) in enumerate(appendix(seen, plans, i) for i in range(len(plans))):
            assert (c.kind[i], c.partner[i]) == (kind, partner)
            if kind:
                hits += 1
                assert (c.time[i], c.distance[i], c.from_right[i]) == (time, way, right)
    assert hits > SCENES // 4


@pytest.mark.parametrize("erratum", list(Errata))
def test_each_erratum_makes_a_difference(erratum: Errata) -> None:
    assert differing(Params(PRINTED, mended=erratum), Params(PRINTED), 6) > 0
    assert differing(Params(PRINTED, mended=EVERY ^ erratum), Params(PRINTED, mended=EVERY), 6) > 0


def test_two_robots_have_no_stale_fields() -> None:
    for mended in (Errata(0), EVERY):
        assert differing(Params(PRINTED, mended=mended), Params(PRINTED, mended=mended ^ Errata.STALE), 2, 0) == 0


def appendix(seen: World, plans: Plans, i: int) -> Found:
    """Return what [Austro, App. A, NextCollision()] finds for robot i, line by line; metres, seconds and radians."""
    pose, velocity = seen.ours.pose, seen.ours.velocity
    mine, target = pose[i].tolist(), plans.xy[i, -1].tolist()
    to_target = math.atan2(target[1] - mine[1], target[0] - mine[0])
    v = max(length(*velocity[i, :2].tolist()), 0.1)
    kind, partner, best, way, right = CollisionKind.NONE, -1, math.inf, 0.0, False
    for j in (k for k in range(len(pose)) if k != i):
        x, y = turned(pose[j, 0] - mine[0], pose[j, 1] - mine[1], to_target)
        vx, vy = turned(velocity[j, 0], velocity[j, 1], to_target)
        diff, u = abs(pose[j, 2] % FULL - mine[2] % FULL), length(*velocity[j, :2].tolist())
        frontal = abs(diff - math.pi) < math.pi / 6.0
        cx, cy = 0.5 * x, 0.5 * y
        past = x < 0.0
        if not frontal:
            rel = (pose[j, 2] - mine[2]) % FULL
            rel = rel - math.pi if rel > math.pi else rel
            cx, cy = x + -y / abs(math.sin(rel)) * math.cos(rel), 0.0
            past = length(cx - x, y) < length(cx - x - vx, y + vy)
        t = cx / v
        if kind and t > best:
            continue
        t_other = t if abs(y) < 0.1 else -1.0
        if u > 0.1:
            t_other = (-1.0 if past else 1.0) * length(x - cx, y - cy) / u
        if t < 0.0 or t_other < -0.1:
            continue
        if frontal or u <= 0.1:
            kind = CollisionKind.FRONTAL if x > 0.0 and abs(y) < 0.1 else kind
        elif t < 1.0 and abs(t - t_other) < 0.3:
            across = min(abs(diff - 0.5 * math.pi), abs(diff - 1.5 * math.pi)) < math.pi / 6.0
            kind = CollisionKind.PERPENDICULAR if across else CollisionKind.ANGULAR
        partner, best, way, right = j, t, cx, y < 0.1
    return int(kind), partner, best, way, right


def turned(x: float, y: float, angle: float) -> tuple[float, float]:
    """Return a vector as seen along an angle."""
    c, s = math.cos(angle), math.sin(angle)
    return c * x + s * y, c * y - s * x


def length(x: float, y: float) -> float:
    return math.sqrt(x * x + y * y)
