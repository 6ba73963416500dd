"""How numba compiles a kernel: the steps that kernels need and no others, without numba's dearest bookkeeping.

Half of the wait for a first match was such: docs/decisions/0010 says what each of these saves.
"""

import contextlib
import gc
from collections.abc import Callable, Iterator
from typing import Any

from numba.core import compiler, typed_passes, untyped_passes
from numba.core.compiler_machinery import PassManager

_numba: Any = compiler
_manager: Any = PassManager
_untyped: Any = untyped_passes
_typed: Any = typed_passes

_STEPS = (  # in this order; kernels have no closures, no parallel loops and nothing that is unrolled by its type
    _untyped.TranslateByteCode,
    _untyped.FixupArgs,
    _untyped.IRProcessing,
    _untyped.RewriteSemanticConstants,
    _untyped.DeadBranchPrune,
    _untyped.GenericRewrites,
    _untyped.RewriteDynamicRaises,
    _untyped.ReconstructSSA,
    _typed.NopythonTypeInference,
    _typed.PreLowerStripPhis,
    _typed.InlineOverloads,
    _typed.IRLegalization,
    _typed.AnnotateTypes,
    _typed.NativeLowering,
    _typed.NoPythonBackend,
)
_SELDOM = (50_000, 20, 50)  # numba makes thousands of things a kernel that all live until it is done


def compiler_into(library: Callable[[Any], Any]) -> Callable[..., Any]:
    """Return numba's compiler for kernels, which puts what it makes into a library of this kind."""

    class Steps(_numba.CompilerBase):  # type: ignore[misc]
        def define_pipelines(self) -> list[Any]:
            steps = _manager("kernel")
            for step in _STEPS:
                steps.add_pass(step, step.__name__)
            steps.finalize()
            return [steps]

        def compile_extra(self, function: object) -> object:
            with _seldom_collected():
                return super().compile_extra(function)

    return lambda typing, target, made, *rest: Steps(typing, target, made or library(target), *rest)


@contextlib.contextmanager
def _seldom_collected() -> Iterator[None]:
    usual = gc.get_threshold()
    gc.set_threshold(*_SELDOM)
    try:
        yield
    finally:
        gc.set_threshold(*usual)


def _compare_flags_at_once() -> None:
    """Let the flags of a compilation say quickly whether they are others': numba asks hundreds of times a kernel."""
    flags: Any = _numba.Flags
    usual = {name: option.default for name, option in flags.options.items()}
    number = hash(tuple(sorted(usual)))  # numba's own hash: that of the names, which all flags share

    def same(mine: Any, other: Any) -> bool:  # noqa: ANN401
        if not isinstance(other, flags):
            return False
        return mine._values == other._values or {**usual, **mine._values} == {**usual, **other._values}

    flags.__eq__, flags.__hash__ = same, lambda _: number


_compare_flags_at_once()
