"""The lists that waves hand on to one another: what is in them, and how long they can get. See `cuda_waves`."""

from typing import Any, TypeAlias

from tikitaka.sim.card import WARP, Array, Arrays, device

Kernel: TypeAlias = Any

KINDS = 3  # of pairs: two hulls, a hull and a wall, the ball
DUOS = 4  # kinds of duos: two robots or one, with one contact or two
TWO, ONE = 0, 2  # the first kind of each
CROWDS = 4  # kinds of worlds with a crowd: of four robots and more, of three, two and one
LEFT_OVER, ACTIVE, ANEW, TICKED, HARD, STRUCK, OVERLAP, CROWDED, LASTING = range(9)
DUO = LASTING + KINDS
SLOW = DUO + DUOS  # duos that had not settled after the first rounds, by kind
CROWD = SLOW + DUOS
PAIRS = CROWD + CROWDS
SEARCH = PAIRS + KINDS
LISTS = SEARCH + KINDS
assert LISTS <= WARP  # noqa: S101  of a block's first threads each counts for a list, see `card.put_all`


def room_for(robots: int, boards: int, walls: int) -> tuple[int, ...]:
    """Return how many entries of each list there can be for a world."""
    hulls = robots * (robots - 1) // 2 + robots * (boards - walls)
    kinds = (hulls, robots * walls, robots + boards)
    return (0, 1, 1, 1, robots, 1, 1, 1, *kinds, *(robots,) * 2 * DUOS, *(1,) * CROWDS, *kinds, *kinds)


@device
def marks_of(b: int, given: Arrays) -> Any:  # noqa: ANN401
    """Return charge, touched, hits and counts of the worlds from b on."""
    return given[4][b:], given[5][b:], given[6][b:], given[7][b:]


@device
def orders_of(b: int, aim: Array, given: Arrays) -> Any:  # noqa: ANN401
    """Return what the worlds from b on are told: wheel rates as they are worked with, kicks, lifts and dribbles."""
    return aim, given[9][b:], given[10][b:], given[11][b:]


@device
def kind_of(w: int, k: int, n: int, walls: float, pairs: Array) -> int:
    """Return of which kind a pair is."""
    a, b = pairs[w, k, 0], pairs[w, k, 1]
    return 2 if b == n else 1 if -walls <= a < 0 else 0
