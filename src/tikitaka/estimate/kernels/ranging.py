"""Where a robot is, by its odometry and by range and bearing to known markers; where it sees others [Beard, sec. 3].

x      (7,)    x, y, phi, then what is learnt: gains of driving, of turning and of ranges, and what is added to ranges
p      (7, 7)  covariance
slip   (6,)    see the names below
sensor (7,)    see the names below
rho    vector from the robot to what it sees
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.estimate.kernels.kalman import carry, update_block
from tikitaka.geom.angles import wrap
from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import norm

Floats = NDArray[np.float64]

X, Y, PHI, GAIN_V, GAIN_W, GAIN_R, ADDED = range(7)
# densities, as standard deviations after one second: of the way, also a share of the speed; of the heading, also a
# share of the turn rate; of the gains; of what moves it sideways
WAY, WAY_SHARE, TURN, TURN_SHARE, GAIN, SIDE = range(6)
# standard deviations of a range, also a share of it, and of a bearing; how long errors of one marker's sightings last;
# gate; sightings in a row outside it after which the pose is opened; 1: ranges are depths along the line of sight
RANGE, RANGE_SHARE, BEARING, COHERENCE, GATE, PATIENCE, DEPTH = range(7)
# of memory: time, 1 where the pose is known, sightings in a row outside the gate; counters; how
# often the pose was opened without a sighting within the gate since
TIME, KNOWN, MISSES, NIS_SUM, NIS_COUNT, REJECTED, BAD, LATE, OPENED, LOST = range(10)
LOST_AFTER = 3.0  # chosen: openings after which the pose is looked for afresh
LOST_PLACE, LOST_HEADING = 0.5, 0.5  # [m], [rad] chosen: by how much the pose is opened then
STEP = 0.1  # [s] chosen: of driving on
MOST_STEPS = 600  # chosen: a minute without a word, after which nobody knows


@kernel
def sinc(a: float) -> tuple[float, float]:
    """Return sin(a) / a and its derivative."""
    if abs(a) < 1e-3:
        return 1.0 - a * a / 6.0, -a / 3.0
    s = math.sin(a) / a
    return s, (math.cos(a) - s) / a


@kernel
def drive(x: Floats, p: Floats, vx: float, vy: float, omega: float, dt: float, slip: Floats, work: Floats) -> None:
    """Move the robot for dt at a velocity in its own frame, along an arc; work (2, 7, 7).

    [Beard, Eq. 29] erratum: A = 0 holds for a velocity in the field frame only; here the column dR/dphi u is needed.
    """
    if not dt > 0.0:
        return
    f = work[0]
    for i in range(7):
        for j in range(7):
            f[i, j] = 1.0 if i == j else 0.0
    half = 0.5 * x[GAIN_W] * omega * dt
    c, s = math.cos(x[PHI] + half), math.sin(x[PHI] + half)
    chord, slope = sinc(half)
    wx, wy = (c * vx - s * vy) * dt, (s * vx + c * vy) * dt  # the way, were it straight
    k = x[GAIN_V] * chord
    f[X, PHI], f[Y, PHI], f[X, GAIN_V], f[Y, GAIN_V] = -k * wy, k * wx, chord * wx, chord * wy
    bend = 0.5 * omega * dt
    f[X, GAIN_W] = bend * (x[GAIN_V] * slope * wx - k * wy)
    f[Y, GAIN_W] = bend * (x[GAIN_V] * slope * wy + k * wx)
    f[PHI, GAIN_W] = omega * dt
    x[X] += k * wx
    x[Y] += k * wy
    x[PHI] = wrap(x[PHI] + 2.0 * half)
    carry(p, f, work[1])
    _spread(p, c, s, norm(vx, vy), abs(omega), dt, slip)


@kernel
def _spread(p: Floats, c: float, s: float, speed: float, turning: float, dt: float, slip: Floats) -> None:
    """Add what odometry does not know."""
    along = slip[WAY] * slip[WAY] * (1.0 if speed > 0.0 or turning > 0.0 else 0.0) + (slip[WAY_SHARE] * speed) ** 2
    across = (slip[SIDE] * speed) ** 2
    p[X, X] += (along * c * c + across * s * s) * dt
    p[X, Y] += (along - across) * c * s * dt
    p[Y, X] = p[X, Y]
    p[Y, Y] += (along * s * s + across * c * c) * dt
    still = 1.0 if speed > 0.0 or turning > 0.0 else 0.0
    p[PHI, PHI] += (slip[TURN] * slip[TURN] * still + (slip[TURN_SHARE] * turning) ** 2) * dt
    for i in range(GAIN_V, ADDED + 1):
        if p[i, i] > 0.0:
            p[i, i] += slip[GAIN] * slip[GAIN] * dt


@kernel
def rows(x: Floats, mx: float, my: float, h: Floats) -> tuple[float, float]:
    """Return the range and bearing to a marker that are expected, and fill in their Jacobian h (2, 7)."""
    for i in range(2):
        for j in range(7):
            h[i, j] = 0.0
    rho_x, rho_y = mx - x[X], my - x[Y]
    d = max(norm(rho_x, rho_y), 1e-6)
    g = x[GAIN_R]
    h[0, X], h[0, Y], h[0, GAIN_R], h[0, ADDED] = -g * rho_x / d, -g * rho_y / d, d, 1.0
    # [Beard, sec. 3.1] erratum: without sign(), and by atan2: asin folds what is behind the robot to its front
    h[1, X], h[1, Y], h[1, PHI] = rho_y / (d * d), -rho_x / (d * d), -1.0
    return g * d + x[ADDED], wrap(math.atan2(rho_y, rho_x) - x[PHI])


@kernel
def straight(away: float, bearing: float, sensor: Floats) -> float:
    """Return the range to what was measured: a depth is the range's part along the line of sight."""
    return away / math.cos(bearing) if sensor[DEPTH] != 0.0 and abs(bearing) < 1.5 else away


@kernel
def noise(d: float, sensor: Floats, r: Floats) -> None:
    """Fill in the covariance of a sighting at range d: variances, (pi/180)^2 [Beard, sec. 3.1], erratum: pi/180."""
    sigma = sensor[RANGE] + sensor[RANGE_SHARE] * d
    r[0, 0], r[0, 1], r[1, 0], r[1, 1] = sigma * sigma, 0.0, 0.0, sensor[BEARING] * sensor[BEARING]


@kernel
def distance(p: Floats, h: Floats, nu: Floats, r: Floats) -> float:
    """Return the squared Mahalanobis distance of two measured numbers."""
    a, b, c = r[0, 0], r[0, 1], r[1, 1]
    for i in range(h.shape[1]):
        for j in range(h.shape[1]):
            a += h[0, i] * p[i, j] * h[0, j]
            b += h[0, i] * p[i, j] * h[1, j]
            c += h[1, i] * p[i, j] * h[1, j]
    return float((c * nu[0] * nu[0] - 2.0 * b * nu[0] * nu[1] + a * nu[1] * nu[1]) / (a * c - b * b))


@kernel
def sight(
    x: Floats, p: Floats, mx: float, my: float, away: float, bearing: float, age: float, sensor: Floats, work: Floats
) -> float:
    """Take in one sighting of a marker if it is within the gate, and return its NIS, -1 if it is not; work (4, 7, 7).

    ``age`` is the time since this marker was last seen: errors that last are not averaged away, so it counts for less.
    """
    h, nu, r = work[0, :2], work[1, 0, :2], work[2, :2, :2]
    d, angle = rows(x, mx, my, h)
    nu[0], nu[1] = straight(away, bearing, sensor) - d, wrap(bearing - angle)  # wrapped: erratum
    noise(d, sensor, r)
    nis = distance(p, h, nu, r)
    if not nis <= sensor[GATE]:
        return -1.0
    if sensor[COHERENCE] > 0.0:
        keep = math.exp(-age / sensor[COHERENCE])
        more = (1.0 + keep) / max(1e-9, 1.0 - keep)
        r[0, 0], r[1, 1] = more * r[0, 0], more * r[1, 1]
    update_block(x, p, h, nu, r, work[3])
    x[PHI] = wrap(x[PHI])
    return nis


@kernel
def follow(
    x: Floats, p: Floats, last: Floats, memory: Floats, t: float, vx: float, vy: float, omega: float, seen: Floats,
    markers: Floats, slip: Floats, sensor: Floats, work: Floats,
) -> None:  # fmt: skip
    """Drive on to t, then take in sightings (k, 3): marker, range, bearing; work (4, 7, 7)."""
    left = t - memory[TIME]
    memory[TIME] = t
    for _ in range(MOST_STEPS):
        if left > 0.0:
            drive(x, p, vx, vy, omega, min(left, STEP), slip, work)
            left -= STEP
    for k in range(seen.shape[0]):
        away, bearing = seen[k, 1], seen[k, 2]
        if not (0.0 <= seen[k, 0] < markers.shape[0] and 0.0 < away < math.inf and abs(bearing) < math.inf):
            memory[BAD] += 1.0
            continue
        j = int(seen[k, 0])
        if memory[KNOWN] == 0.0:
            continue
        nis = sight(x, p, markers[j, 0], markers[j, 1], away, bearing, t - last[j], sensor, work)
        if nis >= 0.0:
            memory[NIS_SUM] += nis
            memory[NIS_COUNT] += 1.0
            memory[MISSES], memory[LOST], last[j] = 0.0, 0.0, t
            continue
        memory[REJECTED] += 1.0
        memory[MISSES] += 1.0
        if memory[MISSES] >= sensor[PATIENCE]:
            memory[MISSES] = 0.0
            memory[OPENED] += 1.0
            memory[LOST] += 1.0
            if memory[LOST] >= LOST_AFTER:
                memory[KNOWN], memory[LOST] = 0.0, 0.0
            p[X, X] += LOST_PLACE * LOST_PLACE
            p[Y, Y] += LOST_PLACE * LOST_PLACE
            p[PHI, PHI] += LOST_HEADING * LOST_HEADING


@kernel
def target_rows(x: Floats, pose: Floats, pose_p: Floats, h: Floats, r: Floats) -> tuple[float, float]:
    """Return range and bearing expected of a target at x[:2], fill in h (2, n), and add the pose's own doubt to r.

    [Beard, secs. 3.2 and 3.3] erratum: the robot that looks does not know its pose; R += C_pose S_pose C_pose'.
    """
    rho_x, rho_y = x[0] - pose[X], x[1] - pose[Y]
    d = max(norm(rho_x, rho_y), 1e-6)
    for i in range(2):
        for j in range(h.shape[1]):
            h[i, j] = 0.0
    h[0, 0], h[0, 1] = rho_x / d, rho_y / d
    h[1, 0], h[1, 1] = -rho_y / (d * d), rho_x / (d * d)
    for i in range(2):
        for j in range(2):
            total = 0.0
            for a in range(3):
                for b in range(3):
                    ca = -h[i, a] if a < 2 else -float(i)
                    cb = -h[j, b] if b < 2 else -float(j)
                    total += ca * pose_p[a, b] * cb
            r[i, j] += total
    return d, wrap(math.atan2(rho_y, rho_x) - pose[PHI])


@kernel
def sight_target(
    x: Floats, p: Floats, pose: Floats, pose_p: Floats, away: float, bearing: float, sensor: Floats, work: Floats
) -> float:
    """Take in a sighting of a target, x (n,), n >= 2, and return its NIS, -1: outside the gate; work (4, 7, 7)."""
    n = x.shape[0]
    h, nu, r = work[0, :2, :n], work[1, 0, :2], work[2, :2, :2]
    measured = (straight(away, bearing, sensor) - pose[ADDED]) / pose[GAIN_R]
    noise(measured, sensor, r)
    d, angle = target_rows(x, pose, pose_p, h, r)
    nu[0], nu[1] = measured - d, wrap(bearing - angle)
    nis = distance(p, h, nu, r)
    if not nis <= sensor[GATE]:
        return -1.0
    update_block(x, p, h, nu, r, work[3, :, :n])
    return nis
