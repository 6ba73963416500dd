"""A log played again: every stage is fed from the log, and what it makes of it is compared with the log, bit by bit."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tikitaka import referee, sim
from tikitaka.loop import encode, run
from tikitaka.loop.build import Setup
from tikitaka.loop.log import LoggedTick, decode, ticks
from tikitaka.loop.match import Moment, arrived, begin, think
from tikitaka.types import BLUE, YELLOW, Commands, Floats, Frame, Phase

STAGES = {"estimate": "estimate", "intents": "decide", "plans": "plan, avoid", "commands": "control"}


@dataclass(frozen=True, slots=True)
class Difference:
    """The first place at which log and re-run part."""

    tick: int
    topic: str
    field: str

    def __str__(self) -> str:
        kind = self.topic.rpartition("/")[2]
        stage = {"truth": "sim", "detections": "sim/cameras", "referee": "referee"}.get(kind) or STAGES[kind]
        return f"tick {self.tick}: {self.topic} differs in `{self.field}` (stage: {stage})"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a verification found."""

    ticks: int
    messages: int  # compared
    difference: Difference | None


def verify(folder: Path, progress: Callable[[int], None] = lambda _: None) -> Verdict:
    """Return whether every tick of a run comes out again."""
    setup = run.load(folder).setup()
    moment, _ = begin(setup)
    expected = _expect(moment)
    count = messages = 0
    for logged in ticks(folder / "log.mcap"):
        moment = _from_log(moment, logged)
        moment, again, following = _again(setup, moment, logged)
        again = {**expected, **again}  # first what comes first: a changed truth shows in all that follows
        for topic, data in again.items():
            if data != logged.data[topic]:
                return Verdict(count, messages, _difference(logged, topic, data))
        count, messages, expected = count + 1, messages + len(again), following
        progress(logged.tick)
    return Verdict(count, messages, None)


def _again(setup: Setup, moment: Moment, logged: LoggedTick) -> tuple[Moment, dict[str, bytes], dict[str, bytes]]:
    """Return the next moment, this tick's messages made anew, and what truth and referee must say at the next tick."""
    now = moment.state.tick / setup.rate
    frames, flying = arrived((*moment.flying, read_frame(logged)), now)
    blue = think(setup, moment, BLUE, frames, now)
    yellow = think(setup, moment, YELLOW, frames, now)
    again = {
        "/detections": encode.frame(sim.expose(setup.camera, moment.state)),
        **encode.thoughts("blue", blue[1]),
        **encode.thoughts("yellow", yellow[1]),
    }
    after = sim.step(setup.pitch, moment.state, _logged_commands(setup, logged))
    whistle, _, placed = referee.step(setup.rules, moment.whistle, after.tick, *after.ball[:2].tolist())
    if placed is not None:
        after, flying = sim.place(after, placed[:-1], placed[-1]), ()
    moment = Moment(after, flying, whistle, placed, (blue[0], yellow[0]), moment.tally)
    return moment, again, _expect(moment)


def _expect(moment: Moment) -> dict[str, bytes]:
    state = moment.state
    return {"/truth": encode.truth(state), "/referee": encode.referee(state.tick, moment.whistle, moment.placed)}


def _from_log(moment: Moment, logged: LoggedTick) -> Moment:
    """Return the moment with truth and referee as the log has them; the referee's own memory is carried on."""
    state = read_state(logged, moment.state)
    word = decode("/referee", logged.data["/referee"])
    w = moment.whistle
    whistle = referee.Whistle(Phase(word.phase), (word.blue, word.yellow), word.kicks_off, w.since, w.mark, w.mark_tick)
    placed = np.array(word.placed).reshape(-1, 3) if word.placed else None
    return Moment(state, moment.flying, whistle, placed, moment.teams, moment.tally)


def read_state(logged: LoggedTick, before: sim.State) -> sim.State:
    """Return the truth of a logged tick."""
    t = decode("/truth", logged.data["/truth"])
    pose, velocity = np.array(t.pose).reshape(-1, 3), np.array(t.velocity).reshape(-1, 3)
    return sim.State(t.tick, pose, velocity, np.array(t.ball), before.touched, t.toucher)


def read_frame(logged: LoggedTick) -> Frame:
    """Return the picture of a logged tick."""
    f = decode("/detections", logged.data["/detections"])
    return Frame(
        captured=f.captured,
        arrives=f.arrives,
        ball_xy=np.array(f.ball_xy, np.float64).reshape(-1, 2),
        robot_pose=np.array(f.robot_pose, np.float64).reshape(-1, 3),
        robot_team=np.array(f.robot_team, np.int64),
        robot_label=np.array(f.robot_label, np.int64),
    )


def _logged_commands(setup: Setup, logged: LoggedTick) -> Commands:
    rows = [decode(f"/{team}/commands", logged.data[f"/{team}/commands"]) for team in ("blue", "yellow")]
    wheels: list[Floats] = [np.array(c.wheels).reshape(-1, setup.league.robot.wheels) for c in rows]
    both = [Commands(w, np.array(c.kick), np.array(c.dribble, np.bool_)) for w, c in zip(wheels, rows, strict=True)]
    return Commands.join(both[BLUE], both[YELLOW])


def _difference(logged: LoggedTick, topic: str, data: bytes) -> Difference:
    ours, theirs = decode(topic, data), decode(topic, logged.data[topic])
    for field in ours.DESCRIPTOR.fields:
        if repr(getattr(ours, field.name)) != repr(getattr(theirs, field.name)):
            return Difference(logged.tick, topic, field.name)
    return Difference(logged.tick, topic, "encoding")
