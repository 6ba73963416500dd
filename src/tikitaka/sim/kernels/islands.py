"""Who leans on whom: a duo are two robots that touch nobody else, or one at a wall or post; all others are the crowd.

The robots of a duo are on tyres, and the two of them are in no other lasting contact, nor have they just bounced off
anybody: then what they do in a round depends on nobody else.
"""

from tikitaka.geom.jit import kernel
from tikitaka.sim.kernels.chassis import TYRES
from tikitaka.sim.kernels.tables import DUO, FREE, LEANER, LEANS, MARK, PARTED, TIES, Floats

MATE = -1.0  # stands under DUO for the first robot of a duo


@kernel
def clear(s: int, ahead: Floats) -> None:
    """Note that nobody leans."""
    for i in range(ahead.shape[1]):
        ahead[s, i, MARK], ahead[s, i, DUO], ahead[s, i, TIES], ahead[s, i, PARTED] = FREE, 0.0, 0.0, 0.0


@kernel
def tie(s: int, a: int, b: int, ahead: Floats) -> None:
    """Note that two bodies are in lasting contact."""
    ahead[s, b, TIES] += 1.0
    if a >= 0:
        ahead[s, a, TIES] += 1.0


@kernel
def bounced(s: int, a: int, b: int, ahead: Floats) -> None:
    """Note that two bodies have just bounced off each other."""
    ahead[s, b, PARTED] = 1.0
    if a >= 0:
        ahead[s, a, PARTED] = 1.0


@kernel
def is_duo(s: int, a: int, b: int, ahead: Floats, chassis: Floats) -> bool:
    """Say whether two bodies in lasting contact are a duo."""
    if b == ahead.shape[1] - 1 or chassis[TYRES] == 0.0:
        return False
    ties, parted = ahead[s, b, TIES], ahead[s, b, PARTED]
    if a >= 0:
        ties, parted = max(ties, ahead[s, a, TIES]), max(parted, ahead[s, a, PARTED])
    return bool(ties == 1.0 and parted == 0.0)


@kernel
def mark_duo(s: int, a: int, b: int, ahead: Floats) -> None:
    """Note who is a duo."""
    ahead[s, b, MARK], ahead[s, b, DUO] = LEANS, 1.0
    if a >= 0:
        ahead[s, a, MARK], ahead[s, a, DUO] = LEANS, MATE


@kernel
def list_crowd(s: int, ahead: Floats) -> int:
    """Return how many of those that lean are in the crowd, and write who, one after another."""
    n, m = ahead.shape[1] - 1, 0
    for i in range(n):
        if ahead[s, i, MARK] == LEANS and ahead[s, i, DUO] == 0.0:
            ahead[s, m, LEANER] = i
            m += 1
    ahead[s, n, LEANER] = m
    return m
