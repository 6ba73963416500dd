"""What a recording is, and how well it is foretold; skipped where there is none."""

import gzip
import math
from pathlib import Path

import numpy as np
import pytest

from tikitaka import league as leagues
from tikitaka.lab import foretelling, recordings

BYU = recordings.folder("byu")
FILES = sorted(BYU.glob("*.csv.gz")) if BYU else []


def test_a_recording_keeps_new_samples_only(tmp_path: Path) -> None:
    path = tmp_path / "ally01.csv.gz"
    lines = ["t,x,y,theta", "0,0,0,0", "0.01,1,2,190", "0.02,1,2,190", "0.03,nan,2,10", "0.04,0,0,0", "0.05,1,2,-90"]
    path.write_bytes(gzip.compress("\n".join(lines).encode()))
    seen = recordings.watched(path)
    assert seen.time.tolist() == [0.01, 0.05]
    assert seen.heading == pytest.approx([math.radians(-170.0), -math.pi / 2])


def test_misread_codes_name_no_marker(tmp_path: Path) -> None:
    files = {
        "Barcodes": "# comment\n1 5\n6 63\n7 81",
        "Landmark_Groundtruth": "6 0.5 -4 0 0\n7 1.5 -4 0 0",
        "Robot1_Odometry": "0 0.1 0",
        "Robot1_Measurement": "0 63 2 0.1\n0 81 2 0.1\n0 5 2 0.1\n0 99 2 0.1",
        "Robot1_Groundtruth": "0 0 0 0",
    }
    for name, text in files.items():
        (tmp_path / f"{name}.dat").write_text(text)
    drive = recordings.drive(tmp_path, 1)
    assert drive.sightings[:, 1].tolist() == [0, 1, -1, -1]
    assert drive.markers.tolist() == [[0.5, -4.0], [1.5, -4.0]]


@pytest.mark.skipif(not FILES, reason="no recordings here")
@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.name))
def test_recorded_balls_and_robots_are_foretold_30_percent_better_than_straight_on(path: Path) -> None:
    field = leagues.load("byu-2v2").field.geometry()
    seen = recordings.watched(path)
    params = foretelling.robot_params() if seen.heading is not None else foretelling.ball_params(field)
    ours, straight, way, track = foretelling.foretold(seen, params, 0.3)
    assert np.median(ours) < 0.7 * np.median(straight)
    assert np.isfinite(track.mean).all()
    moving = way > foretelling.MOVED
    assert np.median(ours[moving]) < np.median(straight[moving])
    assert np.median(np.hypot(*(track.mean[:2] - seen.xy[-1]))) < 0.05  # it ends on the object, after jumps and gaps
