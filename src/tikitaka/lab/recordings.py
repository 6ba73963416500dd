"""Recordings of real robots, where somebody has them: UTIAS MRCLAM folders and the overhead camera of a student field.

They are not part of the project. A folder is named by TIKITAKA_RECORDINGS, or lies at ../shared/realdata beside it.
"""

import gzip
import math
import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tikitaka.types import Floats

FOLDER = "TIKITAKA_RECORDINGS"


@dataclass(frozen=True, slots=True)
class Drive:
    """One robot's recording of MRCLAM: what it was told, what it saw, and where it truly was."""

    odometry: Floats  # (n, 3) time, forward speed, yaw rate
    sightings: Floats  # (m, 4) time, row of `markers` (-1: a robot or a code that nobody bears), range, bearing
    truth: Floats  # (k, 4) time, x, y, heading
    markers: Floats  # (l, 2)


@dataclass(frozen=True, slots=True)
class Watched:
    """One object seen from above: new samples only."""

    time: Floats  # (n,)
    xy: Floats  # (n, 2)
    heading: Floats | None  # (n,) [rad], None: a ball


def folder(kind: str) -> Path | None:
    """Return the folder of a kind of recordings, None where there is none."""
    root = Path(os.environ.get(FOLDER, Path(__file__).resolve().parents[4] / "shared" / "realdata"))
    found = sorted(path for path in root.glob(f"{kind}*") if path.is_dir()) if root.is_dir() else []
    return found[0] if found else None


def drive(where: Path, robot: int) -> Drive:
    """Return the recording of a robot from a MRCLAM folder."""
    codes = {int(code): int(subject) for subject, code in _rows(where, "Barcodes.dat")}
    landmarks = _rows(where, "Landmark_Groundtruth.dat")
    row = {int(subject): k for k, subject in enumerate(landmarks[:, 0])}
    seen = _rows(where, f"Robot{robot}_Measurement.dat")
    seen[:, 1] = [row.get(codes.get(int(code), 0), -1) for code in seen[:, 1]]
    return Drive(
        _rows(where, f"Robot{robot}_Odometry.dat"),
        seen,
        _rows(where, f"Robot{robot}_Groundtruth.dat"),
        landmarks[:, 1:3],
    )


def watched(path: Path) -> Watched:
    """Return the new samples of a file of the overhead camera: repeats, zeros and what is no number are none."""
    with gzip.open(path, "rt") as file:
        rows = np.genfromtxt(file, delimiter=",", skip_header=1)
    seen = np.isfinite(rows[:, 1:]).all(axis=1) & (rows[:, 1:3] != 0.0).any(axis=1)
    rows = rows[seen]
    new = np.ones(len(rows), np.bool_)
    new[1:] = (rows[1:, 1:] != rows[:-1, 1:]).any(axis=1)
    rows = rows[new]
    heading = np.radians(rows[:, 3]) if rows.shape[1] > 3 else None
    return Watched(rows[:, 0], rows[:, 1:3], heading if heading is None else (heading + math.pi) % math.tau - math.pi)


def _rows(where: Path, name: str) -> Floats:
    path = where / f"{name}.gz"
    if path.exists():
        with gzip.open(path, "rt") as file:
            return np.loadtxt(file, ndmin=2)
    return np.loadtxt(where / name, ndmin=2)
