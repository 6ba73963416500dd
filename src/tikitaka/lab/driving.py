"""A recorded or simulated drive past markers, put through the localiser."""

import math

import numpy as np

from tikitaka.estimate import localise
from tikitaka.lab.recordings import Drive
from tikitaka.types import Floats

DELAY = 0.2  # [s] from the recordings: a Create's yaw rate follows what MRCLAM calls odometry by so much


def followed(drive: Drive, params: localise.LocaliseParams, known: bool, delay: float = DELAY) -> Floats:
    """Return (n, 4) time, x, y, heading after every odometry and sighting; without ``known`` it finds its pose itself.

    Rows before the pose is known are left out.
    """
    begin = float(drive.odometry[0, 0])
    pose = localise.start(params, begin, truth_at(drive, begin) if known else None)
    times = np.concatenate((drive.odometry[:, 0] + delay, drive.sightings[:, 0]))
    told, now, out = len(drive.odometry), (0.0, 0.0, 0.0), []
    for k in np.argsort(times, kind="stable").tolist():
        t = float(times[k])
        if k < told:
            pose = localise.step(params, pose, t, now)
            now = (float(drive.odometry[k, 1]), 0.0, float(drive.odometry[k, 2]))
        else:
            pose = localise.step(params, pose, t, now, drive.sightings[k - told, None, 1:])
        if pose.known:
            out.append((t, *pose.mean[:3].tolist()))
    return np.array(out).reshape(-1, 4)


def truth_at(drive: Drive, t: float) -> tuple[float, float, float]:
    """Return the true pose at a time, between two rows of the truth."""
    x, y = (float(np.interp(t, drive.truth[:, 0], drive.truth[:, k])) for k in (1, 2))
    heading = float(np.interp(t, drive.truth[:, 0], np.unwrap(drive.truth[:, 3])))
    return x, y, (heading + math.pi) % math.tau - math.pi


def errors(drive: Drive, estimate: Floats) -> Floats:
    """Return the errors of place [m], of all rows within the time of the truth."""
    rows = estimate[(estimate[:, 0] >= drive.truth[0, 0]) & (estimate[:, 0] <= drive.truth[-1, 0])]
    x, y = (np.interp(rows[:, 0], drive.truth[:, 0], drive.truth[:, k]) for k in (1, 2))
    off: Floats = np.hypot(rows[:, 1] - x, rows[:, 2] - y)
    return off
