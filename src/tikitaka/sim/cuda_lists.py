"""The lists that waves hand on to one another: what is in them, and how long they can get. See `cuda_waves`."""

from typing import Any, TypeAlias

from tikitaka.sim.card import BLOCK, Array, Arrays, device

Kernel: TypeAlias = Any

KINDS = 3  # of pairs: two hulls, a hull and a wall, the ball
DUOS = 4  # kinds of duos: two robots or one, with one contact or two
CROWDS = 2  # kinds of worlds with a crowd: of three robots and more, of fewer
LEFT_OVER, ACTIVE, HARD, STRUCK, OVERLAP, CROWDED, LASTING = range(7)
DUO = LASTING + KINDS
CROWD = DUO + DUOS
PAIRS = CROWD + CROWDS
SEARCH = PAIRS + KINDS
LISTS = SEARCH + KINDS


def room_for(robots: int, boards: int, walls: int) -> tuple[int, ...]:
    """Return how many entries of each list there can be for a world."""
    hulls = robots * (robots - 1) // 2 + robots * (boards - walls)
    kinds = (hulls, robots * walls, robots + boards)
    return (0, 1, robots, 1, 1, 1, *kinds, *(robots,) * DUOS, *(1,) * CROWDS, *kinds, *kinds)


@device
def marks_of(v: int, given: Arrays) -> Any:  # noqa: ANN401
    """Return charge, touched, hits and counts of a world's BLOCK."""
    b = v // BLOCK * BLOCK
    return given[4][b : b + BLOCK], given[5][b : b + BLOCK], given[6][b : b + BLOCK], given[7][b : b + BLOCK]


@device
def kind_of(w: int, k: int, n: int, walls: float, pairs: Array) -> int:
    """Return of which kind a pair is."""
    a, b = pairs[w, k, 0], pairs[w, k, 1]
    return 2 if b == n else 1 if -walls <= a < 0 else 0
