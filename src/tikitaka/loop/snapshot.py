"""One moment of a match, for whoever looks on."""

from dataclasses import dataclass

from tikitaka.types import Floats, Phase


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Truth and belief in the frame in which blue attacks +x; blue's robots are the first rows."""

    tick: int
    time: float
    time_left: float
    phase: Phase
    score: tuple[int, int]  # blue, yellow
    ball: Floats  # (2,)
    robots: Floats  # (n, 3) where they are
    belief: Floats  # (n, 3) where their own team believes them to be
    targets: Floats  # (n, 2) where they want to be; NaN: nowhere
    faults: tuple[int, int]
    collisions: int
    swaps: int
