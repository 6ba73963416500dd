"""A match with the truth beside what both teams believe, tick by tick; pictures can be spoilt on their way."""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import numpy as np

from tikitaka import estimate, sim, vision
from tikitaka.estimate import ball
from tikitaka.loop import match, tally
from tikitaka.loop.believed import ball_params
from tikitaka.loop.build import Setup
from tikitaka.loop.tick import Thoughts
from tikitaka.types import BLUE, YELLOW, Bools, Commands, Floats, Frame, Ints, World

AHEAD = 15  # pictures ahead that the ball is foretold: half a second at 30 Hz

Spoil = Callable[[int, tuple[Frame, ...]], tuple[Frame, ...]]  # a tick's pictures -> what is left of them
Meddle = Callable[[int, sim.State], sim.State]  # the pitch at a tick -> what somebody has made of it


@dataclass(frozen=True, slots=True)
class Film:
    """T ticks of a match of n robots, blue first, in blue's frame; belief 0 is blue's, 1 yellow's."""

    dt: float
    truth: Floats  # (T, n, 6) x, y, theta, vx, vy, omega
    ball: Floats  # (T, 4)
    touched: Bools  # (T, n) pushed by another robot since the last tick
    placed: Bools  # (T,) the referee has just put everybody in place
    now: Floats  # (2, T, n, 6) what each team believes of that tick
    seen: Floats  # (2, T, n, 6) and of the newest picture that it has
    picture: Ints  # (2, T) at which tick that was taken, -1: there is none since everybody was put in place
    foretold: Floats  # (T, AHEAD, 2) the ball after the picture of a tick, by blue; NaN: it never came
    balls: tuple[tuple[int, Floats], ...]  # tick and (k, 2) of all pictures that blue got, as they were taken
    swaps: Ints  # (T, 2) so far, of teams' own robots and of their opponents, that lasted
    collisions: int

    @property
    def team(self) -> int:
        """How many robots each has."""
        return int(self.truth.shape[1]) // 2


def untouched(_: int, frames: tuple[Frame, ...]) -> tuple[Frame, ...]:
    """Return a tick's pictures as they are."""
    return frames


def alone(_: int, state: sim.State) -> sim.State:
    """Return the pitch as it is."""
    return state


def watch(
    setup: Setup, seconds: float, spoil: Spoil = untouched, meddle: Meddle = alone,
    worse: sim.CameraParams | None = None, lasting: range = range(0),
) -> Film:  # fmt: skip
    """Return so many seconds of a match; ``setup.seconds`` must not be less. ``worse`` cameras look at some ticks."""
    bad = replace(setup, camera=worse or setup.camera)
    moment, _ = match.begin(setup)
    others, rows, shots = tally.start(setup.league.team.robots), list[Row](), dict[int, Floats]()
    ticks, rolls = round(seconds * setup.rate), ball_params(setup.league)
    foretold = np.full((ticks, AHEAD, 2), math.nan)
    for k in range(ticks):
        moment = replace(moment, state=meddle(k, moment.state))
        others = others if moment.placed is None else tally.placed(others)
        after, thoughts = advance(bad if k in lasting else setup, moment, spoil)
        others = _count_others(setup, others, thoughts, moment.state)
        for tick, picture, places in _foretold(setup, rolls, after, shots):
            shots[tick], foretold[tick] = picture, places
        rows.append(_row(setup, moment, after, thoughts, others))
        moment = after
    columns = [np.array(column) for column in zip(*rows, strict=True)]
    truth, rolling, touched, placed, now, seen, picture, swaps = columns
    return Film(
        dt=1.0 / setup.rate, truth=truth, ball=rolling, touched=touched, placed=placed, now=np.swapaxes(now, 0, 1),
        seen=np.swapaxes(seen, 0, 1), picture=picture.T.astype(np.int64), foretold=foretold,
        balls=tuple(sorted(shots.items())), swaps=swaps, collisions=moment.tally.collisions,
    )  # fmt: skip


def advance(setup: Setup, moment: match.Moment, spoil: Spoil) -> tuple[match.Moment, tuple[Thoughts, Thoughts]]:
    """Return the next moment and both teams' thoughts, as `match.advance` does with pictures that nobody spoils."""
    state, now = moment.state, moment.state.tick / setup.rate
    taken = spoil(state.tick, sim.expose(setup.camera, state, moment.before))
    frames, flying = match.arrived((*moment.flying, *taken), now)
    blue, yellow = (match.think(setup, moment, team, frames, now) for team in (BLUE, YELLOW))
    thoughts = (blue[1], yellow[1])
    sent = Commands.join(blue[1].commands, yellow[1].commands)
    return match.move(setup, moment, sent, flying, thoughts, (blue[0], yellow[0]))[0], thoughts


Row = tuple[Floats, Floats, Bools, bool, Floats, Floats, tuple[int, int], tuple[int, int]]


def _row(
    setup: Setup, moment: match.Moment, after: match.Moment, thoughts: tuple[Thoughts, Thoughts], others: tally.Tally
) -> Row:
    """Return what a film keeps of one tick, in the order of its columns."""
    state, tracks = moment.state, [team.tracks for team in after.teams]
    now = np.stack([_world(t.world, team) for team, t in enumerate(thoughts)])
    seen = np.stack([_turned(t.robots.state[0], team) for team, t in enumerate(tracks)])
    blue, yellow = (_tick(setup, t) for t in tracks)
    return (
        np.concatenate((state.pose, state.velocity), axis=1), state.ball[:4], np.asarray(state.touched.any(axis=1)),
        moment.placed is not None, now, seen, (blue, yellow), (after.tally.swaps, others.swaps),
    )  # fmt: skip


def _tick(setup: Setup, tracks: estimate.Tracks) -> int:
    newest = tracks.moments[-1]
    return -1 if newest.picture is None else round(newest.time * setup.rate)


def _world(world: World, team: int) -> Floats:
    both = [np.concatenate((r.pose, r.velocity), axis=1) for r in (world.ours, world.theirs)]
    return _turned(np.concatenate(both), team)


def _turned(state: Floats, team: int) -> Floats:
    """Return a team's belief (n, 6), its own robots first, in blue's frame with blue first."""
    if team == BLUE:
        return state
    n = len(state) // 2
    pose = vision.turn(np.ascontiguousarray(state[:, :3]))
    turned = np.concatenate((pose, -state[:, 3:5], state[:, 5:]), axis=1)
    return np.concatenate((turned[n:], turned[:n]))


def _count_others(
    setup: Setup, counted: tally.Tally, thoughts: tuple[Thoughts, Thoughts], state: sim.State
) -> tally.Tally:
    """Return the tally of swaps among opponents: blue's robots as yellow follows them, and the other way round."""
    yellow, blue = thoughts[BLUE].world.theirs.pose, thoughts[YELLOW].world.theirs.pose
    turned = (vision.turn(np.ascontiguousarray(blue)), vision.turn(np.ascontiguousarray(yellow)))
    return tally.count_swaps(counted, *turned, state.pose, setup.rules.hull, setup.rate)


def _foretold(
    setup: Setup, params: ball.BallParams, after: match.Moment, known: dict[int, Floats]
) -> Iterable[tuple[int, Floats, Floats]]:
    """Yield tick, ball detections and predictions of blue's pictures that are new and the newest."""
    tracks = after.teams[BLUE].tracks
    newest, tick = tracks.moments[-1], _tick(setup, tracks)
    if newest.picture is None or tick in known:
        return
    robots, rolling = newest.robots.state[0], newest.ball
    times = newest.time + np.arange(1, AHEAD + 1) / setup.rate
    places = [ball.predict(params, rolling, t, robots, newest.time)[0][:2] for t in times.tolist()]
    yield tick, newest.picture.ball, np.array(places)
