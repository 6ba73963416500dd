"""Print one hash over rolling and slipping robots; run compiled and interpreted to compare to the last bit."""

import hashlib
import sys

import numpy as np
from drive_runs import cube, omni, rolling

from tikitaka.geom import key, uniform
from tikitaka.sim.kernels import chassis

if __name__ == "__main__":
    digest = hashlib.sha256()
    for j, p in enumerate((cube(), cube(offset=0.01), omni(), omni((60.0, 180.0, 300.0)), cube(kinematic=True))):
        k, robot = key(7, j), rolling(p, (0.5, 0.2, 3.0), (0.0, 0.0, 1.0))
        for n in range(60):
            if n % 15 == 14:  # a push
                robot.velocity = robot.velocity + np.array([2.0 * uniform(*k, n, q) - 1.0 for q in range(3)])
            aim = [400.0 * uniform(*k, n // 5, 8 + q) - 200.0 for q in range(len(p.xy))]
            slipped = robot.go(aim)
            digest.update(b"".join(a.tobytes() for a in (robot.pose, robot.velocity, robot.spin)) + bytes(slipped))
            digest.update(np.array(chassis.pull(aim[0], float(robot.spin[0]), p.wheels, 0)).tobytes())
    sys.stdout.write(digest.hexdigest())
