"""rSim (PyPI rc-robosim) at 5 against 5, paced: prints one JSON object. Run by `tikitaka lab sim-speed`.

It has wheels up to Python 3.10 and needs numpy<2, so it lives in an environment of its own; nothing of tikitaka is
imported here. Robots get new random wheel speeds every half second; time is this process's processor time.
"""

import json
import math
import random
import sys
import time

import robosim

STEP_MS = 16  # rSim wants whole milliseconds
FIELD_5V5 = 1
HOLD = 0.5  # [s] between two commands


def start(rng: random.Random) -> "robosim.VSS":
    """Return a pitch with robots in two rows, turned at random, and the ball at the centre."""
    blue, yellow = ([[0.3 * (k - 2), y, rng.uniform(0.0, 360.0)] for k in range(5)] for y in (0.4, -0.4))
    return robosim.VSS(FIELD_5V5, 5, 5, STEP_MS, [0.0, 0.0, 0.0, 0.0], blue, yellow)


def places(state: "list[float]") -> "list[tuple[float, float]]":
    """Return where the robots are: after five numbers of the ball come six of each."""
    return [(state[5 + 6 * k], state[6 + 6 * k]) for k in range(10)]


def main(driving: str, seconds: float, seed: int) -> None:
    """Print how many simulated seconds rSim makes in a second, and how far its robots got on average."""
    rng = random.Random(seed)  # noqa: S311 - nothing secret
    world = start(rng)
    field = world.get_field_params()
    fastest = field["rbt_motor_max_rpm"] * 2.0 * math.pi / 60.0
    top = 1.0 / field["rbt_wheel_radius"] if driving == "gentle" else fastest
    steps, hold = round(1000.0 * seconds / STEP_MS), round(1000.0 * HOLD / STEP_MS)
    first = world.get_state()
    began = time.process_time()
    for k in range(steps):
        if k % hold == 0:
            wheels = [[rng.uniform(-top, top) for _ in range(2)] for _ in range(10)]
        world.step(wheels)
    spent = time.process_time() - began
    moved = sum(math.dist(p, q) for p, q in zip(places(first), places(world.get_state()), strict=True)) / 10
    result = {"factor": 1e-3 * STEP_MS * steps / spent, "step_us": 1e6 * spent / steps, "moved": moved}
    sys.stdout.write(json.dumps(result) + "\n")


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]), int(sys.argv[3]))
