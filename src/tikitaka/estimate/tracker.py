"""Detections, Commands -> World: every picture at its own time, late ones too, and all of it predicted to now.

What is remembered are the last moments, each with its picture and what was believed after it. A picture that comes late
is put in its place: the moments after it are thought over again. The commands are kept with the time at which they act.
"""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from tikitaka.errors import ContractError
from tikitaka.estimate import ball as balls
from tikitaka.estimate import belief as beliefs
from tikitaka.estimate.belief import Belief, Picture
from tikitaka.estimate.feeling import felt, turned
from tikitaka.estimate.kernels import counting
from tikitaka.estimate.kernels.ticking import MOST_ROWS
from tikitaka.estimate.moment import NO_ROWS, Moment, Seen, first_look, look_again, moment_of, shifted
from tikitaka.estimate.params import HISTORY, Params
from tikitaka.types import OURS, THEIRS, Ball, Bools, Commands, Detections, Floats, Ints, Robots, World

LONG_AGO = -1e9  # [s] the time before the first tick, where one is needed
JUMP = 60.0  # [s] chosen: a clock that is farther ahead from one tick to the next has been set


@dataclass(frozen=True, slots=True)
class Tracks:
    """What is remembered between two ticks."""

    now: float  # time of the last tick
    moments: tuple[Moment, ...]  # oldest first, the last one is what is believed
    told: Floats  # (k, n, 5) body velocities, speed and lift of kicks, newest last
    told_time: Floats  # (k,)
    counts: Floats  # see `kernels.counting`; `health` reads them

    @property
    def robots(self) -> Belief:
        """What is believed of the robots at the newest picture."""
        return self.moments[-1].robots


def start(params: Params) -> Tracks:
    """Return tracks that know nothing yet; the referee's first placement sets them."""
    nothing = moment_of(beliefs.start(params), balls.start(params.ball))
    told, told_time = np.zeros((HISTORY, params.robots, 5)), np.full(HISTORY, -math.inf)
    counts = np.zeros(counting.MANY)
    counts[[counting.NIS, counting.GUESSES]] = 1.0
    return Tracks(-math.inf, (nothing,), told, told_time, counts)


def step(params: Params, tracks: Tracks, detections: Detections, commands: Commands) -> tuple[Tracks, World]:
    """Return the tracks after this tick's detections and the World at ``detections.now``.

    ``commands`` are those that began to act at the last tick; where the wheels' encoders tell what came of them, that
    is believed instead. A time that is no number is counted, and the one before is kept; a clock
    that was set is counted, and followed.
    """
    d = detections
    if not math.isfinite(d.now):
        counts = tracks.counts.copy()
        counts[counting.TIMELESS] += 1.0
        tracks, d = replace(tracks, counts=counts), replace(d, now=max(tracks.now, LONG_AGO))
    tracks = _on_time(params, tracks, d.now)
    moments = tracks.moments
    if params.told is not None and d.feedback is not None and d.feedback.wheels is not None:
        params, commands = params.told, turned(commands, d.feedback.wheels, params.max_wheel_speed)
    _check(params, d, commands)
    if d.placed is not None:
        moments = (_put(params, moments[-1], d.placed, d.now),)
    old = (tracks.told, tracks.told_time, tracks.counts)
    new = (np.empty(tracks.told.shape), np.empty(HISTORY), np.empty(counting.MANY))
    after, seen = first_look(params, moments[-1], tracks.now, old, new, commands, d)
    if after is None:
        pictures = _pictures(d)
        timed = sum(len(p.pose) + len(p.ball) for p in pictures)
        new[2][counting.NONSENSE] += len(d.robot_time) + len(d.ball_time) - timed
        moments, seen = _look(params, Tracks(d.now, moments, *new), pictures)
    elif after is not moments[-1]:
        moments = _recent((*moments, after), d.now - params.memory)
    return Tracks(d.now, moments, *new), _world(params, d, seen)


def name(params: Params, tracks: Tracks, team: int, robot: int, x: float, y: float) -> Tracks:
    """Return the tracks with the robot of a team that is nearest to (x, y) named ``robot``: they exchange numbers."""
    if not 0 <= robot < params.robots:
        raise ContractError(f"robot must be in [0, {params.robots}); got {robot}")
    if team not in (OURS, THEIRS):
        raise ContractError(f"team must be {OURS} (ours) or {THEIRS} (theirs); got {team}")
    if not (math.isfinite(x) and math.isfinite(y)):
        raise ContractError(f"x and y must be finite; got {x}, {y}")
    rows = team * params.robots + np.arange(params.robots)
    newest = tracks.moments[-1]
    away = np.hypot(newest.robots.state[0, rows, 0] - x, newest.robots.state[0, rows, 1] - y)
    order = np.arange(2 * params.robots)
    a, b = rows[robot], rows[int(np.argmin(away))]
    order[a], order[b] = order[b], order[a]
    robots = beliefs.renamed(newest.robots, order, int(a))
    return replace(tracks, moments=(moment_of(robots, newest.ball, newest.rows),))


def _on_time(params: Params, tracks: Tracks, now: float) -> Tracks:
    """Return the tracks, moved to another time where the clock was set: far ahead, or back for two ticks running."""
    newest, by = tracks.moments[-1].time, 0.0
    if max(now, tracks.now) < newest - params.memory:
        by = now - newest
    elif now - max(newest, tracks.now) > JUMP and newest > LONG_AGO:
        by = now - max(newest, tracks.now) - JUMP
    if by == 0.0:
        return tracks
    counts, told = tracks.counts.copy(), np.tile(tracks.told[-1], (HISTORY, 1, 1))
    counts[counting.JUMPS] += 1.0
    return Tracks(tracks.now, (shifted(tracks.moments[-1], by),), told, np.full(HISTORY, -math.inf), counts)


def _check(params: Params, d: Detections, commands: Commands) -> None:
    """Raise where the kernels, which do not check, would read or write outside the arrays."""
    rows, balls, n = len(d.robot_time), len(d.ball_time), params.robots
    sizes = (d.robot_pose.shape, d.robot_team.shape, d.robot_label.shape, d.ball_xy.shape)
    told = (commands.wheels.shape, commands.kick.shape)
    wheels = (n, params.body_from_wheels.shape[1])
    if sizes != ((rows, 3), (rows,), (rows,), (balls, 2)) or told != (wheels, (n,)) or commands.lift is not None:
        _expect("commands.wheels", commands.wheels, wheels)
        _expect("commands.kick", commands.kick, (n,))
        _expect("commands.lift", commands.kick if commands.lift is None else commands.lift, (n,))
        _expect("robot_pose", d.robot_pose, (rows, 3))
        _expect("robot_team", d.robot_team, (rows,))
        _expect("robot_label", d.robot_label, (rows,))
        _expect("ball_xy", d.ball_xy, (balls, 2))
    if d.placed is not None:
        _expect("placed", d.placed, (2 * n + 1, 3))
        known = np.abs(d.placed) <= counting.FARTHEST
        if not (known.all(axis=1) | np.isnan(d.placed).all(axis=1)).all():
            rule = f"in [{-counting.FARTHEST:g}, {counting.FARTHEST:g}], or NaN throughout"
            raise ContractError(f"rows of placed must be {rule}; got {d.placed.tolist()}")


def _expect(name: str, array: Floats | Ints, shape: tuple[int, ...]) -> None:
    if array.shape != shape:
        raise ContractError(f"{name} must be {shape}; got {array.shape}")


def _pictures(d: Detections) -> list[Picture]:
    """Return the pictures that the rows belong to, oldest first."""
    found, (robots, of_robots), (balls, of_balls) = [], _ordered(d.robot_time), _ordered(d.ball_time)
    for time in sorted(t for t in {*robots, *balls} if math.isfinite(t)):
        rows, spots = _when(robots, of_robots, time), _when(balls, of_balls, time)
        found.append(Picture(time, d.robot_pose[rows], d.robot_team[rows], d.robot_label[rows], d.ball_xy[spots]))
    return found


def _ordered(times: Floats) -> tuple[list[float], Floats | None]:
    """Return when rows were seen, and None if that is in order: then those of one time stand together."""
    seen = times.tolist()
    return seen, None if all(map(math.isfinite, seen)) and seen == sorted(seen) else times


def _when(seen: list[float], times: Floats | None, time: float) -> slice | Bools:
    """Return the rows of one time."""
    return slice(bisect_left(seen, time), bisect_right(seen, time)) if times is None else times == time


def _look(params: Params, tracks: Tracks, came: Sequence[Picture]) -> tuple[tuple[Moment, ...], Seen]:
    """Return the moments with those of the pictures that can be believed, each in its place, and what is seen now.

    The counts are added to.
    """
    moments, kept = tracks.moments, (tracks.told, tracks.told_time, tracks.counts)
    fresh = [p for p in map(partial(_cleaned, tracks.counts), came) if _new(tracks, p)]
    if not fresh:
        return moments, look_again(params, moments[-1], NO_ROWS, tracks.now, kept, tracks.now)[1]
    known = len(moments)
    while known > 1 and moments[known - 1].time >= fresh[0].time and moments[known - 1].picture is not None:
        known -= 1
    redone = [m.picture for m in moments[known:] if m.picture is not None]
    moments = moments[:known]
    pictures = _merged(sorted((*redone, *fresh), key=lambda p: p.time))
    for picture in pictures:
        counts = tracks.counts.copy() if picture in redone else tracks.counts
        until = tracks.now if picture is pictures[-1] else picture.time
        kept = (tracks.told, tracks.told_time, counts)
        moment, seen = look_again(params, moments[-1], picture, tracks.now, kept, until)
        moments = (*moments, moment)
    return _recent(moments, tracks.now - params.memory), seen


def _recent(moments: tuple[Moment, ...], oldest: float) -> tuple[Moment, ...]:
    """Return the moments from the last one before a time on."""
    while len(moments) > 1 and moments[1].time < oldest:
        moments = moments[1:]
    return moments


def _merged(pictures: list[Picture]) -> list[Picture]:
    """Return the pictures, those of the same time as one: two cameras', one of which came later."""
    found = list[Picture]()
    for p in pictures:
        if found and found[-1].time == p.time:
            a = found.pop()
            pose, ball = np.concatenate((a.pose, p.pose)), np.concatenate((a.ball, p.ball))
            team, label = np.concatenate((a.team, p.team)), np.concatenate((a.label, p.label))
            found.append(Picture(p.time, pose, team, label, ball))
        else:
            found.append(p)
    return found


def _new(tracks: Tracks, picture: Picture) -> bool:
    """Say whether a picture can be believed, and count those that come late or cannot."""
    moments, counts = tracks.moments, tracks.counts
    if moments[-1].time < picture.time <= tracks.now:
        return True
    if any(m.picture is not None and _same(m.picture, picture) for m in moments):
        counts[counting.DUPLICATES] += 1
        return False
    if not moments[0].time <= picture.time <= tracks.now:
        counts[counting.REFUSED] += 1
        return False
    counts[counting.LATE] += picture.time < moments[-1].time
    return True


def _same(a: Picture, b: Picture) -> bool:
    return a.time == b.time and np.array_equal(a.pose, b.pose, equal_nan=True) and np.array_equal(a.ball, b.ball)


def _cleaned(counts: Floats, picture: Picture) -> Picture:
    """Return the picture without rows that are no places, which are counted."""
    bad = counting.bad_rows(picture.pose, MOST_ROWS) + counting.bad_rows(picture.ball, MOST_ROWS)
    if not bad:
        return picture
    counts[counting.NONSENSE] += bad
    pose, ball = picture.pose[:MOST_ROWS], picture.ball[:MOST_ROWS]
    good = np.flatnonzero((np.abs(pose[:, :2]) <= counting.FARTHEST).all(axis=1) & ~np.isinf(pose[:, 2]))
    there = np.flatnonzero((np.abs(ball) <= counting.FARTHEST).all(axis=1))
    return Picture(picture.time, pose[good], picture.team[good], picture.label[good], ball[there])


def _put(params: Params, last: Moment, placed: Floats, now: float) -> Moment:
    """Return the moment after a placement; rows of NaN go on as they did before."""
    x, y, _ = placed[-1].tolist()
    everybody = bool(np.isfinite(placed[:-1]).all())
    robots = beliefs.put(params, placed[:-1], now) if everybody else beliefs.lifted(params, last.robots, placed[:-1])
    ball = last.ball if math.isnan(x) else balls.put(params.ball, last.ball, robots.time, x, y)
    return moment_of(robots, ball)


def _world(params: Params, d: Detections, seen: Seen) -> World:
    robots, age, (x, y, vx, vy, z, unseen) = seen
    robots.setflags(write=False)  # a team's own code gets these
    age.setflags(write=False)
    (poses, velocities, ours), (their_poses, their_velocities, theirs) = params.room.teams
    us = Robots(robots[poses], robots[velocities], age[ours])
    them = Robots(robots[their_poses], robots[their_velocities], age[theirs])
    ball, holding = felt(params.mouth, Ball(x, y, vx, vy, unseen, z), us, d.feedback)
    return World(d.now, params.field, ball, us, them, d.game, holding)
