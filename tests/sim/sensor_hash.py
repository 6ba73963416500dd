"""Print one hash over what all sensors and the radio make of a few ticks; run compiled and interpreted to compare."""

import dataclasses
import hashlib
import sys
from collections.abc import Iterator

import numpy as np

from tikitaka import league, sim
from tikitaka.geom.random import key, uniform
from tikitaka.loop.build import camera_params, pitch_params, radio_params
from tikitaka.sim import light_barrier, radio, ranging, scenes
from tikitaka.types import Commands

LEAGUES = ("mirosot-11v11", "ssl-a", "byu-2v2")
TICKS = 12


def moments(name: str) -> Iterator[tuple[sim.State, sim.State]]:
    """Yield crowds that drift, with a ball that flies, one tick apart."""
    state = scenes.crowd(pitch_params(league.load(name)), 7)
    drift = np.array([uniform(*key(2, 0), 0, i) - 0.5 for i in range(state.pose.size)]).reshape(-1, 3)
    for tick in range(TICKS):
        ball = np.zeros(8)
        ball[:6] = *(state.pose[tick % len(state.pose), :2] + 0.1), 1.0, -2.0, 0.01 * tick, 1.0
        before = dataclasses.replace(state, ball=ball, velocity=drift, tick=tick)
        ball = ball + np.array((0.02, -0.03, 0.0, 0.0, 0.01, -0.3, 0.0, 0.0))
        yield before, dataclasses.replace(before, pose=state.pose + 0.03 * drift, ball=ball, tick=tick + 1)


def results(name: str) -> Iterator[bytes]:
    """Yield the bytes of everything that the sensors and the radio say."""
    one = league.load(name, "realistic")
    camera = dataclasses.replace(camera_params(one, 5), false_robots=0.5, false_balls=0.5)
    params, wheels = radio_params(one, 5), one.robot.wheels
    air = radio.start(params, 2 * one.team.robots, wheels)
    barrier, ranger = light_barrier.BarrierParams(0.08, one.ball.radius), ranging.RangingParams(key(5, 0))
    for before, after in moments(name):
        for f in sim.expose(camera, after, before):
            yield from (f.ball_xy.tobytes(), f.robot_pose.tobytes(), f.robot_team.tobytes(), f.robot_label.tobytes())
            yield np.array((f.captured, f.arrives)).tobytes()
        n = len(after.pose)
        sent = Commands(np.full((n, wheels), float(after.tick)), np.ones(n), np.ones(n, np.bool_))
        air, heard = radio.step(params, air, after.tick, sent)
        seen = ranging.around(ranger, after, 1, np.ones((1, 2)))
        said = light_barrier.sense(barrier, after, before.tick % n)
        yield from (heard.wheels.tobytes(), air.due.tobytes(), seen.range.tobytes(), seen.bearing.tobytes())
        yield bytes((said.output, said.cause))


if __name__ == "__main__":
    digest = hashlib.sha256()
    for name in LEAGUES:
        for data in results(name):
            digest.update(data)
    sys.stdout.write(digest.hexdigest())
