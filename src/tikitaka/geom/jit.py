"""The one decorator under which all compiled code stands.

A kernel takes and returns floats, ints and arrays; the same text runs compiled, interpreted (``NUMBA_DISABLE_JIT=1``)
and inside a CUDA kernel. ``sqrt`` instead of ``hypot`` and no ``fastmath``: the results are equal to the last bit.

numba keys its cache by the file of the outermost function alone, so a changed callee would be missed. The cache folder
is therefore named by the hash of all kernel sources.
"""

import atexit
import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numba

_F = TypeVar("_F", bound=Callable[..., object])
_PACKAGE = Path(__file__).resolve().parent.parent
# no _nrt: without numba's memory runtime arrays are not counted at every call, docs/decisions/0001
_OPTIONS: dict[str, Any] = {"cache": True, "error_model": "numpy", "_nrt": False}
_KERNEL_SOURCES = ("geom/*.py", "*/kernels.py", "*/kernels/*.py")


def kernel(function: _F) -> _F:
    """Return the function compiled on first call, cached on disk."""
    compile_late: Callable[[_F], _F] = numba.njit(**_OPTIONS)
    return compile_late(function)


def cache_dir() -> Path:
    """Return the folder that holds the compiled kernels of exactly these sources."""
    try:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        folder = base / "tikitaka" / f"kernels-{_sources_hash()}"
        folder.mkdir(parents=True, exist_ok=True)
        if os.access(folder, os.W_OK):
            return folder
    except (OSError, RuntimeError):  # no home, or none that can be written
        pass
    return _private_folder()


@cache
def _private_folder() -> Path:
    """Return a folder for this process alone: compiled code must not be read from where others can write."""
    folder = tempfile.mkdtemp(prefix="tikitaka-kernels-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


def _sources_hash() -> str:
    digest = hashlib.sha256(str(_PACKAGE).encode())  # numba knows functions by their path
    for path in sorted([p for pattern in _KERNEL_SOURCES for p in _PACKAGE.glob(pattern)]):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


_config: Any = numba.config
if not _config.CACHE_DIR:
    _config.CACHE_DIR = str(cache_dir())
