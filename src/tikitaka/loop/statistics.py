"""What football people count: possession, passes, shots on goal and saves, from the truth; no team ever sees it.

- **Possession**: ticks since a robot of the team was the last to touch the ball. A ball that two have between them is
  still his who had it first, whatever their colours and numbers.
- **Pass**: a mate is the next to touch the ball, at least `PASS` hulls from where it was left.
- **Shot on goal**: a ball that was left rolls so that it will cross the goal line between the posts; once a touch. A
  goal that was pushed in, without the ball being left, is one too.
- **Save**: the next one to touch such a ball is an opponent in its own goal area.
- **Stand**: a robot has neither moved by `STANDS` nor turned by `TURNS`; the ball has not moved by a robot's width.
"""

from dataclasses import dataclass, field

import numpy as np

from tikitaka.league import League
from tikitaka.loop import kernels
from tikitaka.sim import State
from tikitaka.types import Event, EventKind, Floats, Ints

PASS = 4.0  # [hulls] chosen: less is a touch on
LEFT = 0.02  # [m] chosen: a ball so far from who touched it has been left
STANDS, TURNS = 0.02, 0.3  # [m], [rad] chosen: as the referee sees robots that are stuck


@dataclass(frozen=True, slots=True)
class Statistics:
    """Counts of one match so far; rows are blue and yellow. Arrays are its own and are written to."""

    facts: Floats  # (8,) reach and room, length of a pass, friction, half length, half goal, goal area, reach
    wide: Floats  # (3,) what a robot moves and turns, and the ball moves, that does not stand
    rest: Floats  # (2n + 1, 4) place and tick since which each robot, and the ball, stands
    longest: Ints  # (2n + 1,) ticks of the longest stand so far
    memory: Floats = field(default_factory=lambda: np.array((-1.0, 0.0, 0.0, -1.0)))
    counts: Ints = field(default_factory=lambda: np.zeros((2, 4), np.int64))

    @property
    def possession(self) -> tuple[float, float]:
        """Each team's share; half each while nobody has touched the ball."""
        blue, yellow = self.counts[:, kernels.POSSESSION].tolist()
        share = blue / (blue + yellow) if blue + yellow else 0.5
        return share, 1.0 - share

    def pair(self, column: int) -> tuple[int, int]:
        """Return blue's and yellow's count."""
        blue, yellow = self.counts[:, column].tolist()
        return blue, yellow

    @property
    def passes(self) -> tuple[int, int]:
        """Completed ones."""
        return self.pair(kernels.PASSES)

    @property
    def shots(self) -> tuple[int, int]:
        """Shots on goal."""
        return self.pair(kernels.SHOTS)

    @property
    def saves(self) -> tuple[int, int]:
        """Shots on the own goal that were stopped in the own area."""
        return self.pair(kernels.SAVES)

    def stands(self, rate: float) -> tuple[float, float, float]:
        """Return for how many seconds any robot of blue, any of yellow, and the ball have stood at the longest."""
        n = len(self.longest) // 2
        blue, yellow, ball = self.longest[:n].max(), self.longest[n:-1].max(), self.longest[-1]
        return float(blue) / rate, float(yellow) / rate, float(ball) / rate


def start(league: League) -> Statistics:
    """Return the counts before the first touch."""
    f, hull, brake = league.field.geometry(), league.robot.bounding_radius, league.ball.rolling_deceleration
    reach, n = hull + league.ball.radius, 2 * league.team.robots
    area = (f.area_length, 0.5 * f.area_width)
    facts = (reach + LEFT, PASS * hull, brake, f.half_length, 0.5 * f.goal_width, *area, reach)
    wide, rest = np.array((STANDS, TURNS, 2.0 * hull)), np.full((n + 1, 4), -1.0)
    return Statistics(np.array(facts), wide, rest, np.zeros(n + 1, np.int64))


def follow(statistics: Statistics, state: State, events: tuple[Event, ...]) -> None:
    """Count on after one tick."""
    for event in events:
        if event.kind == EventKind.GOAL and statistics.memory[kernels.SHOT] != event.team:
            statistics.counts[event.team, kernels.SHOTS] += 1
    s = statistics
    kernels.watch_ball(state.ball, state.toucher, state.pose, s.facts, s.memory, s.counts)
    kernels.watch_stands(state.pose, state.ball, state.tick, s.wide, s.rest, s.longest)
