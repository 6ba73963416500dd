"""An exact check of paths that shares nothing with the planner: NumPy alone, many scenes at once.

The depth of a straight move in an obstacle is the largest depth of any of its points; negative: the way round it has
so much room. A path collides where a depth is above 0.
"""

import numpy as np

from tikitaka.types import Bools, Floats, Ints

CIRCLE, CAPSULE, BOX, FIELD = 0, 1, 2, 3
CHUNK = 2000  # scenes at once, so that the arrays stay in the cache


def path_depths(obstacles: Floats, xy: Floats, count: Ints) -> Floats:
    """Return the largest depth (n,) of paths xy (n, w, 2) of `count` points each among obstacles (n, m, 6)."""
    worst = np.full(len(xy), -np.inf)
    for low in range(0, len(xy), CHUNK):
        high = min(low + CHUNK, len(xy))
        scene, leg = np.nonzero(np.arange(xy.shape[1] - 1) < np.maximum(count[low:high, None] - 1, 1))
        scene += low
        ends = np.where(count[scene] > 1, leg + 1, leg)  # a path of one point is a move to where one is
        deep = depths(obstacles[scene], xy[scene, leg][:, None], xy[scene, ends][:, None]).max(axis=1)
        np.maximum.at(worst, scene, deep)
    return worst


def deepenings(obstacles: Floats, xy: Floats, count: Ints, free: float) -> Floats:
    """Return by how much (n,) paths go deeper into anything than each of their legs begins; above 0: they collide.

    Whoever is ``free`` deep in an obstacle may go anywhere in it, but not farther out of the field.
    """
    worst = np.full(len(xy), -np.inf)
    for low in range(0, len(xy), CHUNK):
        scene, leg = np.nonzero(np.arange(xy.shape[1] - 1) < count[low : low + CHUNK, None] - 1)
        o, p, q = obstacles[scene + low], xy[scene + low, leg][:, None], xy[scene + low, leg + 1][:, None]
        at = depths(o, p, p)
        deeper = np.where((at >= free) & (o[..., 5] != FIELD), -np.inf, depths(o, p, q) - np.maximum(at, 0.0))
        np.maximum.at(worst, scene + low, deeper.max(axis=1))
    return worst


def depths(o: Floats, p: Floats, q: Floats) -> Floats:
    """Return the depth of moves from p to q (..., 2) in rows o (..., 6); all are broadcast."""
    shape = np.broadcast_shapes(o.shape[:-1], p.shape[:-1], q.shape[:-1])
    o, p, q = (np.broadcast_to(a, (*shape, a.shape[-1])).reshape(-1, a.shape[-1]) for a in (o, p, q))
    result = np.empty(len(o))
    for kind, depth in ((CIRCLE, _capsule), (CAPSULE, _capsule), (BOX, _box), (FIELD, _field)):
        chosen = o[:, 5] == kind
        result[chosen] = depth(o[chosen], p[chosen], q[chosen])
    return result.reshape(shape)


def _capsule(o: Floats, p: Floats, q: Floats) -> Floats:
    a, b = o[:, 0:2], o[:, 2:4]
    near = np.minimum.reduce([_to_segment(p, a, b), _to_segment(q, a, b), _to_segment(a, p, q), _to_segment(b, p, q)])
    depth: Floats = o[:, 4] - np.where(_crossing(p, q, a, b), 0.0, near)
    return depth


def _box(o: Floats, p: Floats, q: Floats) -> Floats:
    corners = [o[:, [i, j]] for i, j in ((0, 1), (2, 1), (2, 3), (0, 3))]
    outside = np.minimum.reduce([_outside(o, p), _outside(o, q), *(_to_segment(c, p, q) for c in corners)])
    within = _deepest_within(o, p, q)
    depth: Floats = o[:, 4] + np.where(within > 0.0, within, -outside)
    return depth


def _deepest_within(o: Floats, p: Floats, q: Floats) -> Floats:
    """Return how far a move gets behind the nearest side of a box: four lines over t, the lowest at its highest."""
    at, to = _behind(o, p), _behind(o, q)  # (n, 4)
    ts = [np.zeros(len(o)), np.ones(len(o))]
    for i in range(4):
        for j in range(i):
            d, slope = at[:, i] - at[:, j], (to - at)[:, j] - (to - at)[:, i]
            ts.append(np.clip(np.divide(d, slope, out=np.zeros(len(o)), where=slope != 0.0), 0.0, 1.0))
    t = np.stack(ts, axis=1)[:, :, None]
    deepest: Floats = (at[:, None] + t * (to - at)[:, None]).min(axis=2).max(axis=1)
    return deepest


def _behind(o: Floats, p: Floats) -> Floats:
    return np.concatenate((p - o[:, 0:2], o[:, 2:4] - p), axis=1)


def _outside(o: Floats, p: Floats) -> Floats:
    """Return the distance to a box, 0 inside."""
    return _length(np.maximum(np.maximum(o[:, 0:2] - p, p - o[:, 2:4]), 0.0))


def _field(o: Floats, p: Floats, q: Floats) -> Floats:
    return np.maximum(_beyond(o, p), _beyond(o, q))


def _beyond(o: Floats, p: Floats) -> Floats:
    out: Floats = np.where(_behind(o, p).min(axis=1) >= 0.0, -_behind(o, p).min(axis=1), _outside(o, p))
    return out


def _to_segment(p: Floats, a: Floats, b: Floats) -> Floats:
    u = b - a
    square = (u * u).sum(axis=1)
    t = np.divide(((p - a) * u).sum(axis=1), square, out=np.zeros(len(p)), where=square > 0.0)
    return _length(p - a - np.clip(t, 0.0, 1.0)[:, None] * u)


def _crossing(a: Floats, b: Floats, c: Floats, d: Floats) -> Bools:
    """Say which segments cross in one point of both insides; all else is nearest at an end."""
    across_a, across_b = _side(c, d, a), _side(c, d, b)
    across_c, across_d = _side(a, b, c), _side(a, b, d)
    crossing: Bools = (across_a * across_b < 0.0) & (across_c * across_d < 0.0)
    return crossing


def _side(a: Floats, b: Floats, p: Floats) -> Floats:
    side: Floats = (b - a)[:, 0] * (p - a)[:, 1] - (b - a)[:, 1] * (p - a)[:, 0]
    return side


def _length(v: Floats) -> Floats:
    length: Floats = np.sqrt((v * v).sum(axis=1))
    return length
