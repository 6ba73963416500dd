"""The radio between the teams and their robots: late, with gaps; robots hold the last command, and stop in silence.

Each robot has its own packets. One that is sent at tick t is heard `latency` and an exponential delay of mean `jitter`
later, at the tick nearest to that time, or never: with probability `loss`, or where more than `LATEST` jitters late.
A robot does what the newest packet says that it has heard. `timeout` after the last one it stops.
"""

import math
from dataclasses import dataclass

import numpy as np

from tikitaka.errors import ContractError
from tikitaka.sim.kernels import hearing
from tikitaka.sim.orders import fitting
from tikitaka.types import Commands, Floats, Ints
from tikitaka.types.limits import LEAST, MOST, expect

LATEST = 8.0  # in jitters: one packet in 3000 is later
MAX_DEPTH = 100_000  # [ticks] chosen: so long every packet is kept


@dataclass(frozen=True, slots=True)
class RadioParams:
    """One radio for the robots of both teams; every robot's packets have a fate of their own."""

    dt: float  # between two commands
    key: tuple[int, int]  # of the counter-based generator
    latency: float = 0.0
    jitter: float = 0.0
    loss: float = 0.0  # probability
    timeout: float = math.inf

    def __post_init__(self) -> None:
        delays, forever = (0.0, MOST, ("latency", "jitter")), (LEAST, math.inf, ("timeout",))
        expect(self, ((LEAST, MOST, ("dt",)), delays, (0.0, 1.0, ("loss",)), forever), "radio.")
        if self.depth > MAX_DEPTH:
            rule = f"at most {MAX_DEPTH} ticks of {self.dt:g} s"
            raise ContractError(f"radio.latency and {LATEST:g} radio.jitter must be {rule}; got {self.depth}")

    @property
    def depth(self) -> int:
        """Number of ticks for which packets are kept."""
        return math.floor((self.latency + LATEST * self.jitter) / self.dt + 0.5) + 1

    @property
    def delay(self) -> int:
        """Number of ticks after which a packet is heard on average: what a team may reckon with."""
        return math.floor((self.latency + self.jitter) / self.dt + 0.5)

    @property
    def patience(self) -> int:
        """Number of ticks without a packet after which a robot stops."""
        return 2**62 if math.isinf(self.timeout) else max(1, math.ceil(self.timeout / self.dt - 1e-9))


@dataclass(frozen=True, slots=True)
class RadioState:
    """What is on its way and what the robots have heard; see `kernels.hearing`."""

    flying: Floats  # (d, n, w + 3) wheels, kick, dribble, lift
    due: Ints  # (d, n)
    held: Floats  # (n, w + 3)
    told: Ints  # (n, 2)
    counts: Ints  # (2,)

    @property
    def lost(self) -> int:
        """Packets that were lost so far."""
        return int(self.counts[hearing.LOST])

    @property
    def silent(self) -> int:
        """How often so far a robot stood still at a tick because it had heard nothing for too long."""
        return int(self.counts[hearing.SILENT])


def start(params: RadioParams, robots: int, wheels: int) -> RadioState:
    """Return silence: nothing is on its way and nobody has heard anything."""
    depth, columns = params.depth, wheels + 3
    flying, held = np.zeros((depth, robots, columns)), np.zeros((robots, columns))
    due, told = np.full((depth, robots), hearing.NEVER), np.full((robots, 2), hearing.NEVER)
    return RadioState(flying, due, held, told, np.zeros(2, np.int64))


def hush(state: RadioState) -> RadioState:
    """Return silence again, for robots that were put somewhere else; the counts go on."""
    never = np.full_like(state.due, hearing.NEVER)
    return RadioState(state.flying, never, state.held, np.full_like(state.told, hearing.NEVER), state.counts)


def step(params: RadioParams, state: RadioState, tick: int, commands: Commands) -> tuple[RadioState, Commands]:
    """Return the radio after this tick's commands were sent, and the commands that act during the tick."""
    n, wheels = len(state.held), state.held.shape[1] - 3
    commands = fitting(commands, (n, wheels), (n,))
    lift, lifted = np.zeros(n) if commands.lift is None else commands.lift, np.empty(n)
    after = RadioState(state.flying.copy(), state.due.copy(), state.held.copy(), state.told.copy(), state.counts.copy())
    heard = Commands(np.empty((n, wheels)), np.empty(n), np.empty(n, np.bool_), commands.stopped, lifted)
    hearing.carry(
        *params.key, tick, params.latency / params.dt, params.jitter / params.dt, params.loss, params.patience,
        commands.wheels, commands.kick, commands.dribble, lift, after.flying, after.due, after.held, after.told,
        after.counts, heard.wheels, heard.kick, heard.dribble, lifted,
    )  # fmt: skip
    return after, heard
