"""What numba makes of a kernel: a whole for Python to call, and a part of every kernel that calls it.

Left alone numba makes machine code, a wrapper for Python and one for C of every function that it meets, each time
optimises again all that it calls, and reads all that back when a kernel is loaded: docs/decisions/0008.
"""

from importlib import import_module
from typing import Any

import numba
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler

_types: Any = numba.types
_llvm: Any = import_module("llvmlite.binding")


def compiled(function: Any, options: dict[str, Any]) -> Any:  # noqa: ANN401
    """Return the function, compiled when Python first calls it."""
    own: dict[str, Any] = {**options, "no_cfunc_wrapper": True, "pipeline_class": _compiler(_Whole)}
    return numba.njit(**own)(function)


def with_part(whole: Any, options: dict[str, Any], copied: bool) -> None:  # noqa: ANN401
    """Let other kernels that call this one take a part of it, the same for every number that is written in a call."""
    plain = {"cache": False, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    own: dict[str, Any] = {**options, **plain, "forceinline": copied, "pipeline_class": _compiler(_Part)}
    part: Any = numba.njit(**own)(whole.py_func)
    resolve, general = part.get_call_template, _types.unliteral
    whole.get_call_template = lambda args, kws: resolve(
        tuple(map(general, args)), {name: general(value) for name, value in kws.items()}
    )
    whole.get_overload = part.get_overload


class _Part(JITCodeLibrary):
    """The code of one kernel and of all that it calls, simplified a little so that it is short where it is copied to.

    There is no address that Python could call, and nowhere to put an environment: only Python objects need one.
    """

    def finalize(self: Any) -> None:
        for library in dict.fromkeys(self._linking_libraries):
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        passes, builder = self._codegen._module_pass_manager(
            loop_vectorize=False, slp_vectorize=False, opt=2, cost="cheap"
        )
        passes.run(self._final_module, builder)
        self._finalized = True

    def get_pointer_to_function(self: Any, _name: str) -> int:
        self._ensure_finalized()
        return 0

    @property
    def codegen(self) -> "_Part":
        return self

    def set_env(self, _name: str, _environment: object) -> None:
        pass


class _Whole(JITCodeLibrary):
    """Machine code; beside it numba keeps the code in its own language, to link it elsewhere, which parts are for."""

    def serialize_using_object_code(self: Any) -> tuple[str, str, tuple[bytes, bytes]]:
        own = [function.name for function in self._final_module.functions if not function.is_declaration]
        stubs = "".join(f'define void @"{name}"() {{ unreachable }}\n' for name in own)  # numba reads the names alone
        return self.name, "object", (self._get_compiled_object(), _llvm.parse_assembly(stubs).as_bitcode())


def _compiler(kind: Any) -> Any:  # noqa: ANN401
    """Return numba's compiler, which puts what it makes into a library of this kind."""

    def compiler(typing: object, target: Any, library: Any, *rest: object) -> object:  # noqa: ANN401
        if library is None:
            library = kind(target.codegen(), "kernel")
            library.enable_object_caching()
        numbas: Any = Compiler
        return numbas(typing, target, library, *rest)

    return compiler
