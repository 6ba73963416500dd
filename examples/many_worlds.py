"""Step a thousand worlds at once, for learning: one robot driven by yourself, the others at random, goals counted.

Run it with:  .venv/bin/python examples/many_worlds.py
"""

import importlib.util

import numpy as np

from tikitaka import envs, sim
from tikitaka.sim.drive import rows

params = envs.pitch_of("vsss-3v3")  # any league's, or that of a file of your own
line, kick_off = params.field.half_length, sim.scenes.line_up(params)
wheels_of = rows(params.robot.drive).T / params.robot.drive.wheel_radius  # from ahead, left [m/s] and turning [rad/s]
worlds = sim.Batch(params, 1000, seed=1)
worlds.scatter()  # everybody somewhere, at rest; every world has a place and a time of its own
blue = yellow = 0
for tick in range(300):  # 5 s
    if tick % 30 == 0:
        worlds.wander(top=40.0)  # wheel speeds at random for all; they go on until others are told
    x, y, heading = worlds.pose[:, 0].T  # the arrays are read and written in place: a row a world, then a robot
    away = np.arctan2(worlds.ball[:, 1] - y, worlds.ball[:, 0] - x) - heading
    worlds.wheels[:, 0] = np.stack((np.cos(away), 0.0 * away, 8.0 * np.sin(away)), axis=1) @ wheels_of  # to the ball
    worlds.step()
    ours, theirs = worlds.ball[:, 0] > line + params.ball.radius, worlds.ball[:, 0] < -line - params.ball.radius
    blue, yellow = blue + int(ours.sum()), yellow + int(theirs.sum())
    worlds.reset(ours | theirs, kick_off.pose, ball=(0.0, 0.0))  # a mask or numbers; one scene, or one for each of them

if importlib.util.find_spec("torch"):
    import torch

    pose = torch.from_numpy(worlds.pose)  # no copy: the next step moves it, too; `sim.cuda.CudaBatch` is on a card
    print(f"torch has {tuple(pose.shape)} at {pose.data_ptr()}, NumPy at {worlds.pose.ctypes.data}")
print(f"robot 0 is {np.hypot(*(worlds.pose[:, 0, :2] - worlds.ball[:, :2]).T).mean():.2f} m from the ball on average")
print(f"score of all worlds {blue} : {yellow}")
