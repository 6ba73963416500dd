"""Track your own data: robots and a ball that a camera sees from above, then one robot that finds itself by markers.

All is in metres, radians and seconds; the pitch's centre is the origin. The two streams here are made up: put in yours.
Run it with:  .venv/bin/python examples/track_own_data.py
"""

import math
from dataclasses import replace

import numpy as np

from tikitaka import estimate, league
from tikitaka.estimate import ball, localise
from tikitaka.loop.believed import estimate_params
from tikitaka.types import OURS, THEIRS, UNLABELLED, Commands, Detections, Game, Phase

rng = np.random.default_rng(1)

# 1. A camera above a pitch. The league says how large that is, and how robots and ball move.
ours = [(-0.5, -0.3, 0.0), (-0.5, 0.0, 0.0), (-0.5, 0.3, 0.0)]  # x, y, heading; they stand
theirs = [(0.5, 0.4, math.pi), (0.4, -0.3, 1.0), (0.6, 0.2, 2.0)]  # the first of them drives
begin = np.array(ours + theirs)
params = replace(estimate_params(league.load("vsss-3v3")), places=begin[:, :2])  # who is who at first: all look alike
# Not known what they are told? Then call all of them THEIRS, and set robots=6 above.
told = Commands.stop(params.robots, params.body_from_wheels.shape[1])  # what ours are told
tracks = estimate.start(params)
for k in range(46):
    now, pose = k / 30.0, begin.copy()
    pose[3, 0] -= 0.4 * now
    rows = np.flatnonzero(rng.random(6) > 0.05)  # the camera misses one in twenty; the order does not matter
    noise = rng.normal(0.0, (0.002, 0.002, 0.02), (len(rows), 3))
    picture = Detections(
        now=now,  # the time of this step; a picture may be older, and may even come after a newer one
        ball_time=np.array([now]),
        ball_xy=np.array([(-0.4 + 0.5 * now, 0.1)]) + rng.normal(0.0, 0.002, (1, 2)),
        robot_time=np.full(len(rows), now),
        robot_pose=pose[rows] + noise,
        robot_team=np.where(rows < 3, OURS, THEIRS),
        robot_label=np.full(len(rows), UNLABELLED),  # or the number on its top
        game=Game(Phase.PLAY, 60.0, 0, 0, ours=True),
        placed=None,
    )
    tracks, world = estimate.step(params, tracks, picture, told)

health = estimate.health(params, tracks)
print(f"after {health.pictures} pictures: {world.ball}")
print(f"their first robot: pose {world.theirs.pose[0].round(3)}, velocity {world.theirs.velocity[0].round(2)}")
print(f"robots missed {health.missed}, false rows {health.false_robots}, worst quality {health.quality.min():.2f}")

track = tracks.moments[-1].ball
mean, covariance = ball.predict(params.ball, track, world.time + 0.5)
print(f"the ball in 0.5 s: {mean[:2].round(3)}, give or take {math.sqrt(covariance[0, 0] + covariance[1, 1]):.3f} m")
when, x, y = ball.intercept(params.ball, track, world.time, *ours[1][:2], max_speed=1.5, max_acceleration=3.0)
where = "where it has scored" if x > params.field.half_length else "before it can score"
print(f"our second robot could be at the ball after {when - world.time:.2f} s, at ({x:.2f}, {y:.2f}), {where}")

# 2. A robot that sees markers and knows roughly how it drives, but not where it is.
markers = np.array([(x, y) for x in (-0.7, 0.0, 0.7) for y in (-0.6, 0.6)])
sensor = localise.LocaliseParams(markers, noise_range=0.01)
robot = localise.start(sensor, time=0.0)
x, y, heading = 0.3, 0.0, 0.5 * math.pi
for k in range(1, 151):  # 5 s in a circle
    x, y, heading = x + 0.01 * math.cos(heading), y + 0.01 * math.sin(heading), heading + 1.0 / 30.0
    sightings = localise.NOTHING
    if k % 10 == 0:  # three times a second it looks at a marker, at one after the other
        j = k // 10 % 6
        away, aside = markers[j, 0] - x, markers[j, 1] - y
        bearing = math.remainder(math.atan2(aside, away) - heading, math.tau)
        sightings = np.array([(j, math.hypot(away, aside) + rng.normal(0.0, 0.01), bearing)])
    robot = localise.step(sensor, robot, k / 30.0, (0.3, 0.0, 1.0), sightings)  # odometry: forward, left, turning
print(f"the robot {'knows' if robot.known else 'does not know yet'} where it is: {robot.mean[:3].round(3)},")
print(f"in truth {np.array((x, y, math.remainder(heading, math.tau))).round(3)}")
