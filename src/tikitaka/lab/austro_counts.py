"""What is counted of robots under way: collisions, exposure, speed, and how long they stood.

[Austro, sec. 4.2] A new collision begins after half a second apart; it is a full one if the robots closed at 0.3 m/s or
more along the normal, else half a one. Exposure is the same count for robots that pass through each other.
"""

from dataclasses import dataclass

import numpy as np

from tikitaka.lab.austro_traffic import Film
from tikitaka.types import Bools, Floats

APART = 0.5  # [s] chosen: robots that were apart for less are still in the same collision
HEAVY = 0.3  # [m/s] chosen: "noticeable path changes"
LOOKS = 20  # a tick of 1/30 s: 600 Hz
STOOD = 1.0  # [s] chosen: a robot that moved less than CREPT in this time, with a way to go, stands
CREPT = 0.02  # [m]
TO_GO = 0.15  # [m] chosen: who is nearer to its target than this may stand


@dataclass(frozen=True, slots=True)
class Score:
    """What one run gave."""

    full: int
    half: int
    impact: float  # [m/s] mean closing speed of the collisions
    speed: float  # [m/s] shortest way between the targets over time, mean over the robots that have one
    stood: float  # [s] of all robots, where they had a way to go
    deadlock: float  # [s] that two or more of them stood at once
    longest: float  # [s] that one stood at a time
    rescues: int

    @property
    def collisions(self) -> float:
        """Full ones and halves."""
        return self.full + 0.5 * self.half


def score(film: Film, driving: int) -> Score:
    """Return the counts of a film in which so many robots have somewhere to go."""
    met = events(film.touches)
    stood, deadlock, longest = standing(film)
    return Score(
        full=int(np.sum(met[:, 3] >= HEAVY)),
        half=int(np.sum(met[:, 3] < HEAVY)),
        impact=float(met[:, 3].mean()) if len(met) else 0.0,
        speed=float(film.shortest.sum()) / (film.seconds * driving),
        stood=stood,
        deadlock=deadlock,
        longest=longest,
        rescues=film.rescues,
    )


def events(touches: Floats) -> Floats:
    """Return collisions (k, 4): begin, the two robots, largest closing speed, of touches in the order of time."""
    open_now: dict[tuple[float, float], tuple[int, float]] = {}
    found: list[list[float]] = []
    for time, a, b, closing in touches[np.argsort(touches[:, 0], kind="stable")].tolist():
        number, last = open_now.get((a, b), (-1, -np.inf))
        if time - last > APART:
            number = len(found)
            found.append([time, a, b, closing])
        found[number][3] = max(found[number][3], closing)
        open_now[a, b] = (number, time)
    return np.array(found).reshape(-1, 4)


def exposure(film: Film, half_length: float, half_width: float) -> int:
    """Return how often boxes on these ways overlap, looked at LOOKS times a tick."""
    n, total = film.pose.shape[1], 0
    for a in range(n):
        for b in range(a):
            when = np.flatnonzero(_overlaps(film, a, b, half_length, half_width)) * film.dt / LOOKS
            total += int(np.sum(np.diff(when, prepend=-np.inf) > APART))
    return total


def standing(film: Film) -> tuple[float, float, float]:
    """Return the seconds that robots stood with a way to go: of all together, of two at once, the longest at a time."""
    k = round(STOOD / film.dt)
    if len(film.pose) <= k:
        return 0.0, 0.0, 0.0
    moved = np.linalg.norm(film.pose[k:, :, :2] - film.pose[:-k, :, :2], axis=2)
    still = (moved < CREPT) & (film.to_go[k:] > TO_GO) & (film.to_go[:-k] > TO_GO)
    longest = max((_longest(column) for column in still.T), default=0)
    both = int(np.sum(still.sum(axis=1) > 1))
    return float(still.sum()) * film.dt, both * film.dt, (longest + k) * film.dt if longest else 0.0


def _longest(flags: Bools) -> int:
    """Return the length of the longest row of flags that are set."""
    edges = np.flatnonzero(np.diff(np.concatenate(([0], flags.astype(np.int64), [0]))))
    return int((edges[1::2] - edges[::2]).max(initial=0))


def _overlaps(film: Film, a: int, b: int, hx: float, hy: float) -> Bools:
    """Return for each look whether the boxes of two robots overlap; between ticks poses go along cubic curves."""
    near = 2.0 * np.hypot(hx, hy)
    ways = np.linalg.norm(film.velocity[:, (a, b), :2], axis=2).max(axis=1) * film.dt
    gaps = np.linalg.norm(film.pose[:, a, :2] - film.pose[:, b, :2], axis=1)
    close = np.flatnonzero(gaps[:-1] < near + 3.0 * ways[:-1] + 0.05)
    met = np.zeros((len(film.pose), LOOKS), np.bool_)
    pa, pb = _between(film, a, close), _between(film, b, close)
    d = pb[..., :2] - pa[..., :2]
    ca, sa, cb, sb = np.cos(pa[..., 2]), np.sin(pa[..., 2]), np.cos(pb[..., 2]), np.sin(pb[..., 2])
    cos, sin = np.abs(ca * cb + sa * sb), np.abs(sa * cb - ca * sb)
    wide, high = hx + hx * cos + hy * sin, hy + hx * sin + hy * cos
    free = np.zeros(d.shape[:-1], np.bool_)
    for c, s in ((ca, sa), (cb, sb)):
        free |= np.abs(d[..., 0] * c + d[..., 1] * s) >= wide
        free |= np.abs(d[..., 1] * c - d[..., 0] * s) >= high
    met[close] = ~free
    return met.reshape(-1)


def _between(film: Film, i: int, ticks: object) -> Floats:
    """Return poses (k, LOOKS, 3) of robot i between ticks and the next ones: Hermite's cubics, headings at a rate."""
    index = np.asarray(ticks, np.int64)
    s = (np.arange(LOOKS) / LOOKS)[None, :, None]
    p, q = film.pose[index, i][:, None], film.pose[index + 1, i][:, None]
    v, w = film.dt * film.velocity[index, i][:, None], film.dt * film.velocity[index + 1, i][:, None]
    q = np.concatenate((q[..., :2], p[..., 2:] + (q[..., 2:] - p[..., 2:] + np.pi) % (2.0 * np.pi) - np.pi), axis=2)
    cubic = (2.0 * p + v - 2.0 * q + w) * s**3 + (3.0 * q - 3.0 * p - 2.0 * v - w) * s**2 + v * s + p
    return np.asarray(cubic)
