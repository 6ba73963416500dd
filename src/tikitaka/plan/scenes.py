"""Scenes for planners, the same for tests, bench and docs: one robot among others, from a start to a target.

Sets "ssl-b" (9 x 6 m, 15 others), "ssl-a" (12 x 9 m, 21 others) and "mirosot" (2.2 x 1.8 m, 9 others). Kinds:
  free           the straight line touches nothing
  blocked        start and target are free, the straight line is not
  start_inside   the start lies in an obstacle, the target is free
  target_inside  the other way round
  outside        the start lies outside the field, the target is free
  narrow         one end stands in a ring of robots: one gap is just wide enough, or all are just too narrow
  unsolvable     one end stands in a closed ring
  random         both ends anywhere, also outside
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tikitaka.errors import ContractError, UnknownNameError
from tikitaka.plan.kernels import staging
from tikitaka.plan.obstacles import fixtures
from tikitaka.types import Field, Floats, Ints

KINDS = ("free", "blocked", "start_inside", "target_inside", "outside", "narrow", "unsolvable", "random")


@dataclass(frozen=True, slots=True)
class Pitch:
    """Where the scenes of a set take place."""

    field: Field
    robots: int  # besides the one that plans
    mates: int  # of these, ours; the first ones
    robot_radius: float  # [m]
    ball_radius: float  # [m]
    stop_distance: float  # [m] robots keep so far from the ball while the game is stopped; 0: no such rule
    own_margin: float  # [m] at most, between robots of a team: grows with the relative speed
    other_margin: float  # [m] at most, to opponents


# fields: SSL rules, May 2026, and FIRA MiroSot, as in the leagues' presets; 0.05 m: [ERForce, sec. 3], "larger" for
# opponents: twice that is chosen; MiroSot: both in proportion to the robot's size, chosen
PITCHES = {
    "ssl-b": Pitch(Field(9.0, 6.0, 0.3, 0.3, 0.0, 1.0, 0.18, 0.02, 1.0, 2.0, 0.5), 15, 7, 0.09, 0.0215, 0.5, 0.05, 0.1),
    "ssl-a": Pitch(
        Field(12.0, 9.0, 0.6, 0.3, 0.0, 1.8, 0.18, 0.02, 1.8, 3.6, 0.5), 21, 10, 0.09, 0.0215, 0.5, 0.05, 0.1
    ),
    "mirosot": Pitch(
        Field(2.2, 1.8, 0.0, 0.0, 0.07, 0.4, 0.15, 0.0, 0.15, 0.5, 0.25), 9, 4, 0.053, 0.02135, 0.0, 0.03, 0.06
    ),
}


@dataclass(frozen=True, slots=True)
class Scene:
    """One robot's task."""

    start: Floats  # (2,)
    target: Floats  # (2,)
    obstacles: Floats  # (m, 6) rows of plan/kernels/shapes.py, the FIELD last
    kind: str
    solvable: bool | None  # None: the way the scene was made does not tell


@dataclass(frozen=True, slots=True)
class Scenes:
    """Many scenes of one kind, as arrays; one by one they are `Scene`s."""

    starts: Floats  # (count, 2)
    targets: Floats  # (count, 2)
    obstacles: Floats  # (count, m, 6)
    kind: str
    solvable: Ints  # (count,) 1: yes, 0: no, -1: not known

    def __len__(self) -> int:
        return len(self.starts)

    def __getitem__(self, i: int) -> Scene:
        known = None if self.solvable[i] < 0 else bool(self.solvable[i])
        return Scene(self.starts[i], self.targets[i], self.obstacles[i], self.kind, known)

    def __iter__(self) -> Iterator[Scene]:
        return (self[i] for i in range(len(self)))


def scenes(name: str, kind: str, count: int, seed: int = 0) -> Scenes:
    """Return scenes of a set and a kind; scene i of a seed is the same whatever the count."""
    if name not in PITCHES:
        raise UnknownNameError("set of scenes", name, PITCHES)
    if kind not in KINDS:
        raise UnknownNameError("kind of scene", kind, KINDS)
    if count < 0 or seed < 0:
        raise ContractError(f"count and seed must be >= 0; got {count} and {seed}")
    p = PITCHES[name]
    fixed = np.roll(fixtures(p.field, p.robot_radius, p.robot_radius, p.field.margin_x > 0.0), -1, axis=0)
    rows, ends = np.zeros((count, p.robots + 1 + len(fixed), 6)), np.zeros((count, 2, 2))
    rows[:, p.robots + 1 :] = fixed
    solvable = np.zeros(count, np.int64)
    f, margins = p.field, (p.own_margin, p.other_margin)
    facts = np.array((f.half_length, f.half_width, p.robot_radius, p.ball_radius, p.stop_distance, *margins))
    staging.stage_all(seed, KINDS.index(kind), p.robots, p.mates, facts, rows, ends, solvable)
    return Scenes(ends[:, 0].copy(), ends[:, 1].copy(), rows, kind, solvable)
