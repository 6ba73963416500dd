"""A log played again: every stage is fed from the log, and what it makes of it is compared with the log, bit by bit."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from tikitaka import sim, vision
from tikitaka.errors import RunError
from tikitaka.loop import encode, run
from tikitaka.loop.build import Setup
from tikitaka.loop.log import LoggedTick, decode, is_finished, ticks
from tikitaka.loop.match import Moment, arrived, begin, move, react, team_faults
from tikitaka.types import BLUE, YELLOW, Commands, Event, Frame, Phase

STAGES = {
    "truth": "sim",
    "detections": "sim/cameras",
    "referee": "referee",
    "events": "referee",
    "estimate": "estimate",
    "intents": "decide",
    "plans": "plan, avoid",
    "commands": "control",
    "tally": "loop/tally",
}


@dataclass(frozen=True, slots=True)
class Difference:
    """The first place at which log and re-run part."""

    tick: int
    topic: str
    field: str

    def __str__(self) -> str:
        stage = STAGES[self.topic.rpartition("/")[2]]
        hint = "; does the team use random numbers, the time or other files?" if stage == "decide" else ""
        return f"tick {self.tick}: {self.topic} differs in `{self.field}` (stage: {stage}){hint}"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a verification found."""

    ticks: int
    messages: int  # compared
    finished: bool  # the log was closed, not cut off
    difference: Difference | None


def verify(folder: Path, progress: Callable[[int], None] = lambda _: None) -> Verdict:
    """Return whether every tick of a run comes out again; a log without a whole tick is refused."""
    setup, path = run.load(folder).setup(), folder / "log.mcap"
    moment, kick_off = begin(setup)
    expected = Expected(moment, (kick_off,))
    done, messages, finished = 0, 0, is_finished(path)
    for logged in ticks(path):
        if [encode.event(e) for e in expected.events] != logged.events:
            return Verdict(done, messages, finished, Difference(logged.tick, "/events", "events"))
        if not logged.whole:
            break
        expected, again = _again(setup, _from_log(expected.moment, logged), logged, expected)
        for topic, data in again.items():
            if data != logged.data[topic]:
                return Verdict(done, messages, finished, _difference(logged, topic, data))
        done, messages = done + 1, messages + len(again)
        progress(logged.tick)
    if done == 0:
        raise RunError(f"{path} holds no whole tick; was the match stopped at once?")
    return Verdict(done, messages, finished, None)


@dataclass(frozen=True, slots=True)
class Expected:
    """What must stand at the next tick of the log."""

    moment: Moment
    events: tuple[Event, ...]


def _again(setup: Setup, moment: Moment, logged: LoggedTick, expected: Expected) -> tuple[Expected, dict[str, bytes]]:
    """Return what must come next, and this tick's messages made anew; first what comes first in the loop."""
    now = moment.state.tick / setup.rate
    frames, flying = arrived((*moment.flying, *read_frames(logged)), now)
    picture = vision.unite(frames)
    blue = react(setup, moment, BLUE, picture, now)
    yellow = react(setup, moment, YELLOW, picture, now)
    sent, teams = _logged_commands(setup, logged), (blue[0], yellow[0])
    after, events = move(setup, moment, sent, flying, (blue[1], yellow[1]), teams)
    again = {
        "/truth": encode.truth(expected.moment.state),
        "/referee": encode.referee(moment.state.tick, expected.moment.whistle, expected.moment.placed),
        "/detections": encode.frames(sim.expose(setup.camera, moment.state, moment.before)),
        **encode.thoughts("blue", blue[1]),
        **encode.thoughts("yellow", yellow[1]),
        "/tally": encode.tally(after.tally, team_faults(teams), after.radio),
    }
    return Expected(after, events), again


def _from_log(moment: Moment, logged: LoggedTick) -> Moment:
    """Return the moment with truth and referee as the log has them; the referee's own memory is carried on."""
    state = read_state(logged, moment.state)
    word = decode("/referee", logged.data["/referee"])
    whistle = replace(
        moment.whistle,
        phase=Phase(word.phase),
        score=(word.blue, word.yellow),
        owner=word.owner,
        spot=(word.spot_x, word.spot_y),
        ready=word.ready,
        half=word.half,
        then=Phase(word.then),
    )
    placed = np.array(word.placed).reshape(-1, 3) if word.placed else None
    return replace(moment, state=state, whistle=whistle, placed=placed)


def read_state(logged: LoggedTick, before: sim.State) -> sim.State:
    """Return the truth of a logged tick."""
    t = decode("/truth", logged.data["/truth"])
    pose, velocity = np.array(t.pose).reshape(-1, 3), np.array(t.velocity).reshape(-1, 3)
    spin = np.array(t.spin).reshape(len(pose), -1)
    moving = (pose, velocity, spin, np.array(t.ball), np.array(t.charge))
    return sim.State(t.tick, *moving, before.touched, before.hits, t.toucher, t.mended)


def read_frames(logged: LoggedTick) -> tuple[Frame, ...]:
    """Return the pictures of a logged tick."""
    return tuple(
        Frame(
            captured=f.captured,
            arrives=f.arrives,
            ball_xy=np.array(f.ball_xy, np.float64).reshape(-1, 2),
            robot_pose=np.array(f.robot_pose, np.float64).reshape(-1, 3),
            robot_team=np.array(f.robot_team, np.int64),
            robot_label=np.array(f.robot_label, np.int64),
            camera=f.camera,
        )
        for f in decode("/detections", logged.data["/detections"]).frames
    )


def _logged_commands(setup: Setup, logged: LoggedTick) -> Commands:
    rows = [decode(f"/{team}/commands", logged.data[f"/{team}/commands"]) for team in ("blue", "yellow")]
    both = [
        Commands(
            wheels=np.array(c.wheels).reshape(-1, setup.league.robot.wheels),
            kick=np.array(c.kick),
            dribble=np.array(c.dribble, np.bool_),
            lift=np.array(c.lift) if c.lift else None,
        )
        for c in rows
    ]
    return Commands.join(both[BLUE], both[YELLOW])


def _difference(logged: LoggedTick, topic: str, data: bytes) -> Difference:
    ours, theirs = decode(topic, data), decode(topic, logged.data[topic])
    for field in ours.DESCRIPTOR.fields:
        if repr(getattr(ours, field.name)) != repr(getattr(theirs, field.name)):
            return Difference(logged.tick, topic, field.name)
    return Difference(logged.tick, topic, "encoding")
