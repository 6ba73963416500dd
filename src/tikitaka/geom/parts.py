"""What numba makes of a kernel: a whole for Python to call, and a part of every kernel that calls it.

Left alone numba makes machine code, a wrapper for Python and one for C of every function that it meets, each time
optimises again all that it calls, and reads all that back when a kernel is loaded: docs/decisions/0008.
"""

from importlib import import_module
from typing import Any

import numba
from numba.core.caching import CompileResultCacheImpl, FunctionCache
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, CompileResult

_types: Any = numba.types
_llvm: Any = import_module("llvmlite.binding")


def compiled(function: Any, options: dict[str, Any]) -> Any:  # noqa: ANN401
    """Return the function, compiled when Python first calls it."""
    own: dict[str, Any] = {**options, "no_cfunc_wrapper": True, "pipeline_class": _compiler(_Whole)}
    return numba.njit(**own)(function)


def with_part(whole: Any, options: dict[str, Any], copied: bool) -> None:  # noqa: ANN401
    """Let other kernels that call this one take a part of it, the same for every number that is written in a call."""
    plain = {"cache": False, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}  # kept elsewhere than wholes
    own: dict[str, Any] = {**options, **plain, "forceinline": copied, "pipeline_class": _compiler(_Part)}
    part: Any = numba.njit(**own)(whole.py_func)
    if options["cache"]:
        files: Any = _PartCache
        part._cache = files(whole.py_func)
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

    def serialize_using_object_code(self: Any) -> bytes:
        self._ensure_finalized()
        code: bytes = self._final_module.as_bitcode()
        return code

    @property
    def codegen(self) -> "_Part":
        return self

    def set_env(self, _name: str, _environment: object) -> None:
        pass


class _PartFiles(CompileResultCacheImpl):
    """How parts are kept on disk, beside the wholes of the same kernels."""

    @property
    def filename_base(self: Any) -> str:
        return f"{self._filename_base}.part"

    def rebuild(self, target: Any, payload: Any) -> Any:  # noqa: ANN401
        code, described, environment, signature, objectmode, lifted, annotation, reload, referenced = payload
        library = _library(_Part, target)
        library._final_module, library._finalized = _llvm.parse_bitcode(code), True
        result: Any = CompileResult
        return result(
            typing_context=target.typing_context, target_context=target, library=library, environment=environment,
            entry_point=target.get_executable(library, described, environment), fndesc=described,
            type_annotation=annotation, signature=signature, objectmode=objectmode, lifted=lifted, typing_error=None,
            call_helper=None, metadata=None, reload_init=reload, referenced_envs=referenced,
        )  # fmt: skip


class _PartCache(FunctionCache):
    _impl_class = _PartFiles


class _Whole(JITCodeLibrary):
    """Machine code; beside it numba keeps the code in its own language, to link it elsewhere, which parts are for."""

    def serialize_using_object_code(self: Any) -> tuple[str, str, tuple[bytes, bytes]]:
        own = [function.name for function in self._final_module.functions if not function.is_declaration]
        stubs = "".join(f'define void @"{name}"() {{ unreachable }}\n' for name in own)  # numba reads the names alone
        return self.name, "object", (self._get_compiled_object(), _llvm.parse_assembly(stubs).as_bitcode())


def _library(kind: Any, target: Any) -> Any:  # noqa: ANN401
    library = kind(target.codegen(), "kernel")
    library.enable_object_caching()
    return library


def _compiler(kind: Any) -> Any:  # noqa: ANN401
    """Return numba's compiler, which puts what it makes into a library of this kind."""
    compiler: Any = Compiler
    return lambda typing, target, library, *rest: compiler(typing, target, library or _library(kind, target), *rest)
