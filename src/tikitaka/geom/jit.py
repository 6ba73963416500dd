"""The one decorator under which all compiled code stands.

A kernel takes and returns floats, ints and arrays; the same text runs compiled, interpreted (``NUMBA_DISABLE_JIT=1``)
and inside a CUDA kernel. ``sqrt`` instead of ``hypot`` and no ``fastmath``: the results are equal to the last bit.

numba keys its cache by the file of the outermost function alone, so a changed callee would be missed. Each stage's
cache folder is therefore named by the hash of all that its kernels may call: its own kernels and those of geom.
"""

import atexit
import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar

import numba
import numpy as np

from tikitaka.geom.parts import compiled, with_part

_F = TypeVar("_F", bound=Callable[..., object])
_PACKAGE = Path(__file__).resolve().parent.parent
# no _nrt: without numba's memory runtime arrays are not counted at every call, docs/decisions/0001
_OPTIONS: dict[str, Any] = {"cache": True, "error_model": "numpy", "_nrt": False}
_SHORT = 1500  # bytes of Python code; shorter kernels are copied to where they are called: docs/decisions/0005
_COPIED = ("tikitaka.geom.", "tikitaka.sim.")  # where that pays; elsewhere it only takes time to compile
_KERNEL_SOURCES = ("{stage}/kernels.py", "{stage}/kernels/*.py", "geom/*.py")
_EXACT = "tikitaka.geom.random"  # its numbers are the same bits everywhere, so it stays in float64
_ROUNDS = "threefry"  # over copies of it LLVM sits for minutes


def kernel(function: _F) -> _F:
    """Return the function compiled on first call, cached on disk."""
    vars(function)["of_tikitaka"] = True  # interpreted, nothing else tells a kernel from any function
    plain: Any = function
    _cache_with(plain)
    short = len(plain.__code__.co_code) < _SHORT and plain.__module__.startswith(_COPIED)
    copied = False if plain.__name__ == _ROUNDS else short or None
    whole: _F = compiled(function, _OPTIONS)
    if hasattr(whole, "py_func"):  # not under NUMBA_DISABLE_JIT
        with_part(whole, _OPTIONS, copied)
    return whole


def threaded(function: _F) -> _F:
    """Return the function compiled like a kernel; while it runs, other Python threads run too."""
    _cache_with(function)
    whole: _F = compiled(function, {**_OPTIONS, "nogil": True})
    return whole


def single(kernel: _F) -> _F:
    """Return a twin of the kernel that computes in float32 when it is given float32.

    Compiled code turns a float32 that meets a float64 into float64, and every number written in a kernel is one. In
    the twin, and in twins of all kernels that it calls, these numbers are float32; random numbers are drawn as before.
    """
    return _twin(kernel, {})


def _twin(kernel: _F, twins: dict[object, Any]) -> _F:
    plain: Any = getattr(kernel, "py_func", kernel)  # under NUMBA_DISABLE_JIT a kernel is a plain function
    if plain not in twins:
        code, known = plain.__code__, dict(plain.__globals__)
        for name in set(code.co_names) & set(known):
            known[name] = _narrow(known[name], twins)
        narrowed = code.replace(co_consts=tuple(_narrow(value, twins) for value in code.co_consts))
        options = {**_OPTIONS, "cache": False}  # numba's cache does not see that the numbers differ
        twins[plain] = numba.njit(**options)(FunctionType(narrowed, known, plain.__name__))
    twin: _F = twins[plain]
    return twin


def _narrow(value: object, twins: dict[object, Any]) -> object:
    """Return what stands in a twin for a number, a tuple of numbers or a kernel; all else stays."""
    if isinstance(value, float):
        with np.errstate(over="ignore"):
            return np.float32(value)
    if isinstance(value, tuple):
        return tuple(_narrow(one, twins) for one in value)
    plain: Any = getattr(value, "py_func", value)
    if hasattr(plain, "of_tikitaka") and plain.__module__ != _EXACT:
        return _twin(plain, twins)
    return value


def cache_dir(stage: str = "*") -> Path:
    """Return the folder that holds the compiled kernels of exactly these sources; "*": what concerns all stages."""
    try:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        folder = base / "tikitaka" / f"{'all' if stage == '*' else stage}-{_sources_hash(stage)}"
        folder.mkdir(parents=True, exist_ok=True)
        if os.access(folder, os.W_OK):
            return folder
    except (OSError, RuntimeError):  # no home, or none that can be written
        pass
    return _private_folder()


def _cache_with(function: Callable[..., object]) -> None:
    """Let numba put what it makes of this function beside the other kernels of its stage; a user's own folder stays."""
    if not _CHOSEN:
        _config.CACHE_DIR = _stage_folder(function.__module__)


@cache
def _stage_folder(module: str) -> str:
    package, _, rest = module.partition(".")
    return str(cache_dir(rest.partition(".")[0] if package == "tikitaka" else "geom"))


@cache
def _private_folder() -> Path:
    """Return a folder for this process alone: compiled code must not be read from where others can write."""
    folder = tempfile.mkdtemp(prefix="tikitaka-kernels-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


@cache
def _sources_hash(stage: str) -> str:
    digest = hashlib.sha256(str(_PACKAGE).encode())  # numba knows functions by their path
    for path in sorted({p for pattern in _KERNEL_SOURCES for p in _PACKAGE.glob(pattern.format(stage=stage))}):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


_config: Any = numba.config
_CHOSEN = bool(_config.CACHE_DIR)
