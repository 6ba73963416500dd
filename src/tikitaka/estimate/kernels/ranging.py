"""Where a robot is, by its odometry and by range and bearing to known markers; where it sees others [Beard, sec. 3].

x      (7,)    x, y, phi, then what is learnt: gains of driving, of turning and of ranges, and what is added to ranges
p      (7, 7)  covariance
slip   (8,)    see the names below
sensor (8,)    see the names below
memory (MEMORY,)  what else is remembered, see the names below
rho    vector from the robot to what it sees
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.estimate.kernels import kicking, rolling
from tikitaka.estimate.kernels.kalman import carry, update_block
from tikitaka.geom.angles import wrap
from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import norm

Floats = NDArray[np.float64]

X, Y, PHI, GAIN_V, GAIN_W, GAIN_R, ADDED = range(7)
# densities, as standard deviations after one second: of the way, also a share of the speed; of the heading, also a
# share of the turn rate; of the gains; of what moves it sideways. Speed and turn rate that odometry cannot mean
WAY, WAY_SHARE, TURN, TURN_SHARE, GAIN, SIDE, FASTEST, FASTEST_TURN = range(8)
# standard deviations of a range, also a share of it, and of a bearing; how long errors of one marker's sightings last;
# gate; by how much sightings outside it outweigh those within when the pose is given up; 1: ranges are depths along
# the line of sight; a range that no sensor measures
RANGE, RANGE_SHARE, BEARING, COHERENCE, GATE, PATIENCE, DEPTH, FARTHEST = range(8)
# of memory: time, 1 where the pose is known, by how much sightings outside the gate outweigh those within; counters,
# the last of how often the pose was given up; the time of the step before where that was of another clock, else NaN
TIME, KNOWN, EXCESS, NIS_SUM, NIS_COUNT, REJECTED, BAD, LATE, LOST, ELSEWHERE = range(10)
MEMORY = 10
# chosen: what one within the gate outweighs of one outside. Below 1, since a pose on the wrong side of one of two
# markers fits every other sighting; 0.7 gives up where more than 41 % do not fit: of misread ones 20 to 30 % are borne
WITHIN = 0.7
UNKNOWN_WAY, UNKNOWN_TURN = 1.0, 2.0  # [m], [rad] chosen: standard deviations after one second of unknown motion
MOST_BEARING = 1e3  # [rad] chosen: 160 turns that nobody wrapped; what is more was no angle
STEP = 0.1  # [s] chosen: of driving on
LONGEST = 60.0  # [s] chosen: a minute without a word, after which nobody knows


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
    ahead = wrap(bearing)
    return away / math.cos(ahead) if sensor[DEPTH] != 0.0 and abs(ahead) < 1.5 else away


@kernel
def length(away: float, bearing: float, x: Floats, sensor: Floats) -> float:
    """Return how far off it is: the range less what is added to it, without its gain."""
    return float((straight(away, bearing, sensor) - x[ADDED]) / x[GAIN_R])


@kernel
def is_polar(away: float, bearing: float, sensor: Floats) -> bool:
    """Whether they can be a range and a bearing; NaN cannot."""
    return 0.0 < away <= sensor[FARTHEST] and abs(bearing) <= MOST_BEARING


@kernel
def is_sighting(name: float, away: float, bearing: float, many: int, sensor: Floats) -> bool:
    """Whether they can be a marker, of so many, its range and its bearing."""
    return 0.0 <= name < many and name == math.floor(name) and is_polar(away, bearing, sensor)


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
) -> bool:  # fmt: skip
    """Drive on to t, then take in sightings (k, 3): marker, range, bearing; work (4, 7, 7).

    Return whether the motion is known. A pose that more and more sightings speak against is known no longer.
    """
    left = t - memory[TIME]
    memory[TIME] = t
    told = _drive_on(x, p, vx, vy, omega, left, slip, work)
    memory[BAD] += 0.0 if told else 1.0
    for k in range(seen.shape[0]):
        away, bearing = seen[k, 1], seen[k, 2]
        if not is_sighting(seen[k, 0], away, bearing, markers.shape[0], sensor):
            memory[BAD] += 1.0
            continue
        j = int(seen[k, 0])
        if memory[KNOWN] == 0.0:
            continue
        nis = sight(x, p, markers[j, 0], markers[j, 1], away, bearing, t - last[j], sensor, work)
        if nis >= 0.0:
            memory[NIS_SUM] += nis
            memory[NIS_COUNT] += 1.0
            memory[EXCESS] = max(0.0, memory[EXCESS] - WITHIN)
            last[j] = t
            continue
        memory[REJECTED] += 1.0
        memory[EXCESS] += 1.0
        if memory[EXCESS] >= sensor[PATIENCE]:
            memory[KNOWN] = 0.0
    return told


@kernel
def _drive_on(
    x: Floats, p: Floats, vx: float, vy: float, omega: float, left: float, slip: Floats, work: Floats
) -> bool:
    """Drive for the time left; return False where it cannot have been so: then it stays, and may be anywhere about."""
    told = bool(norm(vx, vy) <= slip[FASTEST] and abs(omega) <= slip[FASTEST_TURN])  # NaN is not
    if not told:
        vx, vy, omega = 0.0, 0.0, 0.0
        p[X, X] += UNKNOWN_WAY * UNKNOWN_WAY * left
        p[Y, Y] += UNKNOWN_WAY * UNKNOWN_WAY * left
        p[PHI, PHI] += UNKNOWN_TURN * UNKNOWN_TURN * left
    while left > 0.0:
        drive(x, p, vx, vy, omega, min(left, STEP), slip, work)
        left -= STEP
    return told


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
    measured = length(away, bearing, pose, sensor)
    noise(measured, sensor, r)
    d, angle = target_rows(x, pose, pose_p, h, r)
    nu[0], nu[1] = measured - d, wrap(bearing - angle)
    nis = distance(p, h, nu, r)
    if not nis <= sensor[GATE]:
        return -1.0
    update_block(x, p, h, nu, r, work[3, :, :n])
    return nis


@kernel
def take_target(
    x: Floats, p: Floats, memory: Floats, t: float, pose: Floats, pose_p: Floats, away: float, bearing: float,
    most: float, sensor: Floats, work: Floats,
) -> None:  # fmt: skip
    """Take in a sighting at t of a ball's track, and count it; x, p, memory: see `kicking`; friction is ``most``."""
    nis = sight_target(x[:5], p[:5, :5], pose, pose_p[:3, :3], away, bearing, sensor, work)
    memory[kicking.TIME] = t
    if nis >= 0.0:
        memory[kicking.NIS_SUM] += nis
        memory[kicking.NIS_COUNT] += 1.0
        memory[kicking.MISSES], memory[kicking.SEEN] = 0.0, t
    else:
        memory[kicking.REJECTED] += 1.0
        memory[kicking.MISSES] += 1.0
    x[rolling.MU] = min(max(x[rolling.MU], 0.0), most)
    x[rolling.RX], x[rolling.RY] = x[rolling.VX], x[rolling.VY]
