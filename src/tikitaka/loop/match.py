"""A whole match: the pitch, its cameras and radio, two teams and a referee, one tick at a time.

`advance` is pure: all that a match remembers is a `Moment`, passed in and out. `Match` holds the latest one.
"""

from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from tikitaka import referee, sim, vision
from tikitaka.decide import TeamMemory
from tikitaka.league import League
from tikitaka.loop import tally
from tikitaka.loop.build import Setup
from tikitaka.loop.snapshot import Snapshot
from tikitaka.loop.tally import Tally
from tikitaka.loop.tick import Memory, Thoughts, tick
from tikitaka.loop.truth import known
from tikitaka.types import BLUE, YELLOW, Commands, Event, EventKind, Floats, Frame, Phase

ROUNDING = 1e-9  # [s]


@dataclass(frozen=True, slots=True)
class Moment:
    """All that is remembered between two ticks of a match."""

    state: sim.State
    before: sim.State | None  # a tick ago; None: everybody has just been put in place
    flying: tuple[Frame, ...]  # pictures that were taken and have not arrived
    radio: sim.RadioState
    whistle: referee.Whistle
    placed: Floats | None  # where the referee has just put whom; NaN: left alone
    teams: tuple[Memory, Memory]
    tally: Tally


@dataclass(frozen=True, slots=True)
class Record:
    """One tick as the log keeps it."""

    state: sim.State
    frames: tuple[Frame, ...]  # taken at this tick
    whistle: referee.Whistle
    placed: Floats | None
    thoughts: tuple[Thoughts, Thoughts]
    tally: Tally  # at the end of the tick
    faults: tuple[int, int]
    radio: sim.RadioState  # at the end of the tick
    events: tuple[Event, ...]


def begin(setup: Setup) -> tuple[Moment, Event]:
    """Return the moment of the first kick-off."""
    whistle, event, placed = referee.begin(setup.rules)
    state = sim.check(setup.pitch, sim.place(sim.start(setup.pitch), placed[:-1], placed[-1]))
    radio = sim.radio.start(setup.radio, setup.pitch.robots, setup.league.robot.wheels)
    teams = (setup.sides[BLUE].start(), setup.sides[YELLOW].start())
    return Moment(state, None, (), radio, whistle, placed, teams, tally.start(setup.league.team.robots)), event


def advance(setup: Setup, moment: Moment) -> tuple[Moment, Record]:
    """Return the next moment and what happened on the way: look, think, move, judge."""
    state, now = moment.state, moment.state.tick / setup.rate
    taken = sim.expose(setup.camera, state, moment.before)
    frames, flying = arrived((*moment.flying, *taken), now)
    picture = vision.unite(frames)
    blue = react(setup, moment, BLUE, picture, now)
    yellow = react(setup, moment, YELLOW, picture, now)
    thoughts = (blue[1], yellow[1])
    sent = Commands.join(thoughts[BLUE].commands, thoughts[YELLOW].commands)
    moved, events = move(setup, moment, sent, flying, thoughts, (blue[0], yellow[0]))
    faults = team_faults(moved.teams)
    record = Record(state, taken, moment.whistle, moment.placed, thoughts, moved.tally, faults, moved.radio, events)
    return moved, record


def move(
    setup: Setup, moment: Moment, sent: Commands, flying: tuple[Frame, ...], thoughts: tuple[Thoughts, Thoughts],
    teams: tuple[Memory, Memory],
) -> tuple[Moment, tuple[Event, ...]]:  # fmt: skip
    """Return the next moment after both teams have sent their commands: radio, pitch, tally, referee."""
    state = moment.state
    radio, commands = sim.radio.step(setup.radio, moment.radio, state.tick, sent)
    after = sim.step(setup.pitch, state, commands)
    counted = count(setup, moment, thoughts, after)
    whistle, events, placed = referee.step(setup.rules, moment.whistle, view_of(after, state))
    if placed is None:
        return Moment(after, state, flying, radio, whistle, None, teams, counted), events
    after = put(after, placed)
    if np.isfinite(placed).all():
        radio, counted = sim.radio.hush(radio), tally.placed(counted)
    return Moment(after, None, (), radio, whistle, placed, teams, counted), events


def view_of(state: sim.State, before: sim.State) -> referee.View:
    """Return the truth as the referee sees it: who met whom since the tick before, and how fast they were then."""
    x, y, vx, vy, z = state.ball[:5].tolist()
    n, touches = len(state.pose), []
    for _, a, b, closing in state.hits.tolist():
        if a >= 0.0 and b < n:
            i, j = int(a), int(b)
            speeds = (float(np.hypot(*before.velocity[k, :2].tolist())) for k in (i, j))
            touches.append(referee.Touch(i, j, closing, *speeds))
    return referee.View(state.tick, state.pose, state.velocity, (x, y, vx, vy, z), state.toucher, tuple(touches))


def put(state: sim.State, placed: Floats) -> sim.State:
    """Return the state after a placement (2n + 1, 3): who has a row of numbers lies or stands there, at rest."""
    if np.isfinite(placed).all():
        return sim.place(state, placed[:-1], placed[-1])
    moved = np.isfinite(placed[:-1, :1])
    ball, lies = sim.place(state, state.pose, placed[-1]).ball, np.isfinite(placed[-1, 0])
    return replace(
        state,
        pose=np.where(moved, placed[:-1], state.pose),
        velocity=np.where(moved, 0.0, state.velocity),
        spin=np.where(moved, 0.0, state.spin),
        ball=ball if lies else state.ball,
        toucher=-1 if lies else state.toucher,
    )


def arrived(flying: tuple[Frame, ...], now: float) -> tuple[tuple[Frame, ...], tuple[Frame, ...]]:
    """Return the frames that have arrived by now and those that have not."""
    by = now + ROUNDING
    here = [frame for frame in flying if frame.arrives <= by]
    if len(here) == len(flying):
        return flying, ()
    return tuple(here), tuple(frame for frame in flying if frame.arrives > by)


def think(setup: Setup, moment: Moment, team: int, frames: tuple[Frame, ...], now: float) -> tuple[Memory, Thoughts]:
    """Return one team's memory and thoughts after this tick."""
    return react(setup, moment, team, vision.unite(frames), now)


def react(setup: Setup, moment: Moment, team: int, picture: vision.Picture, now: float) -> tuple[Memory, Thoughts]:
    """Return one team's memory and thoughts after this tick; both teams are shown the same picture."""
    game = referee.game(setup.rules, moment.whistle, moment.state.tick, team)
    placed = moment.placed if team == BLUE or moment.placed is None else other_side(moment.placed)
    told = sim.feel(setup.onboard, moment.state, moment.before, team)
    detections = vision.as_seen_by(team, picture, now, game, placed, told)
    side = setup.sides[team]
    if not side.truth:
        return tick(side.stack, moment.teams[team], detections)
    told_all = replace(side.stack, estimate=partial(known, setup.rules.field, moment.state, team))
    return tick(told_all, moment.teams[team], detections)


def other_side(placed: Floats) -> Floats:
    """Return a placement (2n + 1, 3) as yellow sees it: turned, its own robots first."""
    n = len(placed) // 2
    turned = vision.turn(placed)
    return np.concatenate((turned[n : 2 * n], turned[:n], turned[2 * n :]))


def count(setup: Setup, moment: Moment, thoughts: tuple[Thoughts, Thoughts], after: sim.State) -> Tally:
    """Return the tally after both teams have thought and the pitch has moved."""
    (blue, yellow), pitch = thoughts, (moment.state.pose, after.touched, after.tick)
    us, them, stopped = blue.world.ours.pose, yellow.world.ours.pose, blue.commands.stopped + yellow.commands.stopped
    return tally.count(moment.tally, us, them, *pitch, setup.rules.hull, setup.rate, stopped)


def team_faults(teams: tuple[Memory, Memory]) -> tuple[int, int]:
    """Return at how many ticks each team's code has failed."""
    blue, yellow = teams[BLUE].roles, teams[YELLOW].roles
    return blue.faults if isinstance(blue, TeamMemory) else 0, yellow.faults if isinstance(yellow, TeamMemory) else 0


class Match:
    """A match under way, for the terminal, the page and the recorder."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.moment, event = begin(setup)
        self._events: list[Event] = [event]
        self.record: Record | None = None  # of the last tick

    @property
    def league(self) -> League:
        """The league that is played."""
        return self.setup.league

    @property
    def seed(self) -> int:
        """Seed of all noise."""
        return self.setup.seed

    @property
    def seconds(self) -> float:
        """Length of the match."""
        return self.setup.seconds

    @property
    def rate(self) -> float:
        """Ticks a simulated second."""
        return self.setup.rate

    @property
    def names(self) -> tuple[str, str]:
        """Names of the teams, blue and yellow."""
        return self.setup.sides[BLUE].name, self.setup.sides[YELLOW].name

    @property
    def done(self) -> bool:
        """Full time has been reached."""
        return self._events[-1].kind == EventKind.FULL_TIME

    @property
    def events(self) -> list[Event]:
        """All events so far, the first kick-off included."""
        return self._events

    @property
    def score(self) -> tuple[int, int]:
        """Goals of blue and yellow."""
        return self.moment.whistle.score

    @property
    def faults(self) -> tuple[int, int]:
        """Ticks at which each team's code failed."""
        return team_faults(self.moment.teams)

    @property
    def fault_messages(self) -> list[str]:
        """Every different fault of either team."""
        teams = zip(("blue", "yellow"), self.moment.teams, strict=True)
        return [f"{who}: {text}" for who, m in teams if isinstance(m.roles, TeamMemory) for text in m.roles.told]

    def step(self) -> tuple[Event, ...]:
        """Play one tick and return its events; after full time nothing happens."""
        if self.done:
            return ()
        self.moment, self.record = advance(self.setup, self.moment)
        self._events += self.record.events
        return self.record.events

    def snapshot(self) -> Snapshot:
        """Return this moment for whoever looks on."""
        m, n = self.moment, self.league.team.robots
        belief, targets = m.state.pose.copy(), np.full((2 * n, 2), np.nan)
        if self.record is not None and m.placed is None:
            blue, yellow = self.record.thoughts
            belief[:n], belief[n:] = blue.world.ours.pose, vision.turn(yellow.world.ours.pose)
            targets[:n], targets[n:] = _targets(blue), -_targets(yellow)
        return Snapshot(
            tick=m.state.tick,
            time=m.state.tick / self.rate,
            time_left=max(0.0, self.seconds - m.state.tick / self.rate),
            phase=Phase.HALT if self.done else m.whistle.phase,
            score=self.score,
            ball=m.state.ball[:2],
            robots=m.state.pose,
            belief=belief,
            targets=targets,
            faults=self.faults,
            collisions=m.tally.collisions,
            swaps=m.tally.swaps,
            owner=m.whistle.owner,
            ready=m.whistle.ready,
        )


def _targets(thoughts: Thoughts) -> Floats:
    return np.where(thoughts.intents.active[:, None], thoughts.intents.target[:, :2], np.nan)
