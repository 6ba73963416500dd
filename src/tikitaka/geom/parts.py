"""What numba makes of a kernel: a whole for Python to call, and a part of every kernel that calls it.

Left alone numba makes machine code, a wrapper for Python and one for C of every function that it meets, each time
optimises again all that it calls, and reads all that back when a kernel is loaded: docs/decisions/0008.
"""

from importlib import import_module
from typing import Any

import numba
from numba.core.caching import CompileResultCacheImpl, FunctionCache
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompileResult

from tikitaka.geom.compiling import compiler_into

_types: Any = numba.types
_llvm: Any = import_module("llvmlite.binding")


def compiled(function: Any, options: dict[str, Any]) -> Any:  # noqa: ANN401
    """Return the function, compiled when Python first calls it."""
    own: dict[str, Any] = {**options, "no_cfunc_wrapper": True, "pipeline_class": compiler_into(_Whole.empty)}
    return numba.njit(**own)(function)


def with_part(whole: Any, options: dict[str, Any], copied: bool | None) -> None:  # noqa: ANN401
    """Let other kernels that call this one take a part of it, the same for every number that is written in a call.

    ``copied``: always, never or, None, as the compiler likes.
    """
    plain = {"cache": False, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}  # kept elsewhere than wholes
    kind = compiler_into(_KINDS[copied].empty)
    own: dict[str, Any] = {**options, **plain, "forceinline": copied is True, "pipeline_class": kind}
    part: Any = numba.njit(**own)(whole.py_func)
    if options["cache"]:
        files: Any = _PartCache
        part._cache = files(whole.py_func)
    resolve, general = part.get_call_template, _types.unliteral
    whole.get_call_template = lambda args, kws: resolve(
        tuple(map(general, args)), {name: general(value) for name, value in kws.items()}
    )
    whole.get_overload = part.get_overload


class _Library(JITCodeLibrary):
    """What numba fills with a kernel's code."""

    @classmethod
    def empty(cls: Any, target: Any) -> Any:  # noqa: ANN401
        library = cls(target.codegen(), "kernel")
        library.enable_object_caching()
        return library


class _Part(_Library):
    """The code of one kernel, simplified a little so that it is short where it is copied to, and of all that it calls.

    There is no address that Python could call, and nowhere to put an environment: only Python objects need one.
    """

    copied: bool | None = None

    def __init__(self: Any, codegen: Any, name: str) -> None:  # noqa: ANN401
        super().__init__(codegen, name)  # type: ignore[no-untyped-call]
        self.called: dict[str, Any] = {}  # the code of each kernel that is called and not copied, those it calls before

    def finalize(self: Any) -> None:
        own = self._final_module
        self.symbol = next(function.name for function in own.functions if not function.is_declaration)
        for library in dict.fromkeys(self._linking_libraries):
            if not isinstance(library, _Part):  # numba's own
                own.link_in(library._get_module_for_linking(), preserve=True)
                continue
            self.called |= library.called
            if library.copied:
                own.link_in(library._final_module, preserve=True)
            else:
                self.called[library.symbol] = library._final_module
        passes, builder = self._codegen._module_pass_manager(
            loop_vectorize=False, slp_vectorize=False, opt=2, cost="cheap"
        )
        passes.run(own, builder)
        function = own.get_function(self.symbol)
        function.linkage = "linkonce_odr"  # others may bring it too, or copy it and let it go
        if self.copied is False:
            function.add_function_attribute("noinline")
        self._finalized = True

    def _optimize_functions(self: Any, module: Any) -> None:  # noqa: ANN401
        module.data_layout = self._codegen._data_layout  # and no more: all is simplified once it is together

    def _get_module_for_linking(self: Any) -> Any:  # noqa: ANN401
        self._ensure_finalized()
        module = self._final_module.clone()
        for code in reversed(self.called.values()):  # callers first: the linker takes only what was asked for
            module.link_in(code, preserve=True)
        return module

    def get_pointer_to_function(self: Any, _name: str) -> int:
        self._ensure_finalized()
        return 0

    def serialize_using_object_code(self: Any) -> tuple[bool | None, str, bytes, dict[str, bytes]]:
        self._ensure_finalized()
        called = {name: code.as_bitcode() for name, code in self.called.items()}
        return self.copied, self.symbol, self._final_module.as_bitcode(), called

    @property
    def codegen(self) -> "_Part":
        return self

    def set_env(self, _name: str, _environment: object) -> None:
        pass


class _Copied(_Part):
    """A part that is copied to where it is called."""

    copied = True


class _Apart(_Part):
    """A part that is never copied."""

    copied = False


_KINDS = {kind.copied: kind for kind in (_Part, _Copied, _Apart)}


class _PartFiles(CompileResultCacheImpl):
    """How parts are kept on disk, beside the wholes of the same kernels."""

    @property
    def filename_base(self: Any) -> str:
        return f"{self._filename_base}.part"

    def rebuild(self, target: Any, payload: Any) -> Any:  # noqa: ANN401
        code, described, environment, signature, objectmode, lifted, annotation, reload, referenced = payload
        copied, symbol, own, called = code
        library = _KINDS[copied].empty(target)
        library._final_module, library.symbol, library._finalized = _llvm.parse_bitcode(own), symbol, True
        library.called = {name: _llvm.parse_bitcode(one) for name, one in called.items()}
        result: Any = CompileResult
        return result(
            typing_context=target.typing_context, target_context=target, library=library, environment=environment,
            entry_point=target.get_executable(library, described, environment), fndesc=described,
            type_annotation=annotation, signature=signature, objectmode=objectmode, lifted=lifted, typing_error=None,
            call_helper=None, metadata=None, reload_init=reload, referenced_envs=referenced,
        )  # fmt: skip


class _PartCache(FunctionCache):
    _impl_class = _PartFiles


class _Whole(_Library):
    """Machine code; beside it numba keeps the code in its own language, to link it elsewhere, which parts are for."""

    def serialize_using_object_code(self: Any) -> tuple[str, str, tuple[bytes, bytes]]:
        own = [function.name for function in self._final_module.functions if not function.is_declaration]
        stubs = "".join(f'define void @"{name}"() {{ unreachable }}\n' for name in own)  # numba reads the names alone
        return self.name, "object", (self._get_compiled_object(), _llvm.parse_assembly(stubs).as_bitcode())
