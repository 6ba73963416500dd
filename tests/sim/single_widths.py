"""Print which variables of the physics are float64 although all arrays are float32: slow on a card, and a mistake.

An integer that meets a float32 makes a float64 (dt / substeps, 2.0 * (s & 1)), and so does math.pi.
"""

import sys
from typing import Any

import numpy as np
from pitch_judge import params_of

from tikitaka.geom.jit import single
from tikitaka.sim.batch import Batch
from tikitaka.sim.kernels import motion


def narrow(array: Any) -> Any:  # noqa: ANN401
    with np.errstate(over="ignore"):  # scratch holds anything
        return array.astype(np.float32) if array.dtype == np.float64 else array


def wide(twin: Any, seen: set[Any]) -> None:  # noqa: ANN401
    """Print the float64 variables of a twin and of all twins that it calls."""
    seen.add(twin)
    for result in twin.overloads.values():
        kinds = result.type_annotation.typemap
        names = sorted(name for name, kind in kinds.items() if "float64" in str(kind) and name.isidentifier())
        if names:
            sys.stdout.write(f"{twin.py_func.__code__.co_filename}:{twin.py_func.__name__}: {', '.join(names)}\n")
    for value in twin.py_func.__globals__.values():
        if hasattr(value, "overloads") and value not in seen and not hasattr(value.py_func, "of_tikitaka"):
            wide(value, seen)


if __name__ == "__main__":
    batch = Batch(params_of(sys.argv[1] if len(sys.argv) > 1 else "mirosot-5v5"), 1, threads=1)
    batch.scatter()
    twin = single(motion.step)
    twin(0, 0, *(narrow(array) for array in batch._stepped))
    wide(twin, set())
