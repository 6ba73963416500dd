"""Sensors and radio say the same to the last bit, compiled and interpreted."""

import os
import subprocess
import sys
from pathlib import Path


def test_compiled_and_interpreted_sensors_agree_to_the_last_bit() -> None:
    words = [sys.executable, str(Path(__file__).with_name("sensor_hash.py"))]
    hashes = {
        subprocess.run(words, capture_output=True, text=True, check=True, env={**os.environ, **more}).stdout
        for more in ({}, {"NUMBA_DISABLE_JIT": "1"})
    }
    assert len(hashes) == 1
    assert len(hashes.pop()) == 64
