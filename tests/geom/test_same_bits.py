import inspect
import os
import subprocess
import sys
from pathlib import Path

import tikitaka
from tikitaka import geom

SCRIPT = Path(__file__).with_name("kernel_hash.py")
PLAIN = {"kernel", "body_matrix", "differential_matrix", "wheel_matrix", "field_from_body"}
COVERED_BY_ANOTHER = {"threefry", "box_box_cs", "disc_box_cs"}


def hash_of_results(disable_jit: str) -> str:
    source = str(Path(inspect.getfile(tikitaka)).parents[1])
    env = {**os.environ, "NUMBA_DISABLE_JIT": disable_jit, "PYTHONPATH": source}
    done = subprocess.run([sys.executable, str(SCRIPT)], env=env, capture_output=True, text=True, check=True)
    return done.stdout


def test_compiled_and_interpreted_kernels_agree_to_the_last_bit() -> None:
    compiled = hash_of_results("0")
    assert len(compiled) == 64
    assert compiled == hash_of_results("1")


def test_the_hash_covers_every_kernel() -> None:
    text = SCRIPT.read_text()
    missing = [name for name in geom.__all__ if f"geom.{name}(" not in text]
    assert set(missing) == PLAIN | COVERED_BY_ANOTHER


def test_all_names_exist_and_stand_in_order() -> None:
    assert sorted(geom.__all__) == geom.__all__
    assert all(hasattr(geom, name) for name in geom.__all__)
