"""The card's code, run by the processor: `on_this_side` lets a `CudaBatch` be made where there is no card.

numba-cuda types and lowers every kernel as for a card; what it would hand to the card's compiler is compiled for this
processor instead. The threads of a block each have a stack of their own: one runs until it has to wait for others (a
barrier, a vote of its warp), then the next one; blocks run one after another. Fused products and sums are the card's
compiler's, so none are here: in float64 all numbers are those of `Batch`, to the last bit. x86-64 on Linux alone.
"""

import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from importlib import import_module
from types import SimpleNamespace
from typing import Any, TypeAlias

import numpy as np
from card_prelude import (
    ACROSS,
    ANSWER,
    ASKED,
    BARRIER,
    BARRIER_OR,
    BEFORE,
    BLOCK_X,
    BLOCK_Y,
    DONE,
    DOWN,
    HOST,
    KEPT,
    LANE,
    MATCH,
    MINE,
    OTHER,
    READY,
    SHUFFLE,
    SLOTS,
    SWAP,
    THREADS,
    TID,
    VALUE,
    VOTE,
    prelude,
    renamed,
)  # fmt: skip
from numba import njit
from numba.np.numpy_support import from_dtype

from tikitaka.sim import cuda as ours
from tikitaka.sim.card import BLOCK, WARP, cuda

TARGET = (9, 0)  # of the card that code is made for
STACK = 32768  # numbers of 8 bytes that a thread has for itself
UNEVEN = "not all threads of a block came to a barrier"

Value: TypeAlias = Any
Module: TypeAlias = Any  # of LLVM

llvm: Value = import_module("llvmlite.binding")
compiler, dispatcher, types = (import_module(f"numba.cuda.{name}") for name in ("compiler", "dispatcher", "types"))

NOW = np.zeros(SLOTS, np.int64)  # of the thread that runs: where it is, what it asks, stacks
HANDED = np.zeros(1024, np.int64)  # what a kernel is called with
STACKS = np.zeros((BLOCK, STACK), np.int64)


class OnCard(np.ndarray[Any, Any]):
    """An array that would be on the card."""

    def copy_to_host(self) -> Value:
        return np.array(self, order="K", subok=False)

    def copy_to_device(self, values: Value) -> None:
        self[...] = values


def simplified(whole: Module) -> Module:
    """Return the module as LLVM simplifies it, for this processor."""
    return by_passes(whole, _machine(), llvm.create_pipeline_tuning_options(speed_level=2))


def by_passes(whole: Module, machine: Value, tuning: Value) -> Module:
    """Return the module after LLVM's passes, none of which joins numbers to vectors."""
    tuning.loop_vectorization = tuning.slp_vectorization = False
    passes = llvm.create_pass_builder(machine, tuning)
    passes.getModulePassManager().run(whole, passes)
    return whole


class Wave:
    """A kernel; launched as numba's are."""

    improved = staticmethod(simplified)

    def __init__(self, function: Callable[..., None]) -> None:
        self.function = function
        self.made = dict[Any, Any]()

    def __getitem__(self, how: tuple[Any, ...]) -> Callable[..., None]:
        return partial(self.launch, *how[:2])

    def launch(self, grid: Value, threads: int, *given: Value) -> None:
        kind, go = tuple(map(typed, given)), _scheduler()
        if kind not in self.made:
            self.made[kind] = made(self.function, kind, self.improved)
        entry, _ = self.made[kind]
        slots = [slot for one in given for slot in flat(one)]
        HANDED[: len(slots)] = slots
        across, down = grid if isinstance(grid, tuple) else (grid, 1)
        if not go(entry, across, down, threads, NOW, STACKS, STACKS.ctypes.data):
            raise RuntimeError(f"{self.function.__name__}: {UNEVEN}")


@contextmanager
def on_this_side(**limits: int) -> Iterator[None]:
    """Let batches be made and stepped without a card; limits: of `sim.cuda`, such as ``SMALL``."""
    stand_ins: dict[tuple[Any, str], Any] = {
        (ours, "check_card"): lambda: None,
        (ours, "compiled"): Wave,
        (ours, "recorded"): _recorded,
        (cuda, "to_device"): lambda array: np.array(array, order="K").view(OnCard),
        (cuda, "device_array"): lambda shape, kind: np.frombuffer(
            b"\xff" * (int(np.prod(shape)) * np.dtype(kind).itemsize), kind).reshape(shape).copy().view(OnCard),
        (cuda, "synchronize"): lambda: None,
        (dispatcher, "get_current_device"): lambda: SimpleNamespace(compute_capability=TARGET),
    } | {(ours, name): value for name, value in limits.items()}  # fmt: skip
    before = {key: getattr(*key) for key in stand_ins}
    for (where, name), stand_in in stand_ins.items():
        setattr(where, name, stand_in)
    ours._compiled.cache_clear()
    try:
        yield
    finally:
        for (where, name), value in before.items():
            setattr(where, name, value)
        ours._compiled.cache_clear()


def typed(value: Value) -> Value:
    """Return the type that numba gives to an argument."""
    if isinstance(value, tuple):
        return types.Tuple(tuple(map(typed, value)))
    if isinstance(value, np.ndarray):
        order = "C" if value.flags.c_contiguous else "F" if value.flags.f_contiguous else "A"
        return types.Array(from_dtype(value.dtype), value.ndim, order)
    return types.float64 if isinstance(value, float) else types.int64


def flat(value: Value) -> list[int]:
    """Return an argument as a kernel takes it, in pieces of 8 bytes."""
    if isinstance(value, tuple):
        return [slot for one in value for slot in flat(one)]
    if isinstance(value, np.ndarray):
        return [0, 0, value.size, value.itemsize, value.ctypes.data, *value.shape, *value.strides]
    return [int(np.float64(value).view(np.int64))] if isinstance(value, float) else [int(value)]


def made(function: Callable[..., None], kind: tuple[Any, ...], improved: Callable[[Module], Module]) -> Value:
    """Return where the kernel's code begins, and what holds it; ``improved``: what simplifies LLVM's module of it."""
    library, _ = compiler._compile_pyfunc_with_fixup(function, types.void(*kind), device=False, abi="numba", cc=TARGET)
    texts = [renamed(text) for text in dict.fromkeys(library.llvm_strs)]
    whole = llvm.parse_assembly(prelude())
    for text in texts:
        whole.link_in(llvm.parse_assembly(text))
    entry, machine = library._entry_name, _machine()
    whole.triple, whole.data_layout = llvm.get_process_triple(), str(machine.target_data)
    whole.link_in(llvm.parse_assembly(_main(whole.get_function(entry))))
    for one in whole.functions:
        if not one.is_declaration:
            one.linkage = "external" if one.name == "card.main" else "internal"
    whole = improved(whole)
    engine = llvm.create_mcjit_compiler(whole, _machine())
    engine.finalize_object()
    return engine.get_function_address("card.main"), engine


def _recorded(work: Callable[[object], None]) -> tuple[Callable[[], None], Callable[[], None]]:
    work(0)
    return partial(work, 0), lambda: None


def _main(kernel: Value) -> str:
    """Return what calls the kernel with what is handed to it, then waits for ever."""
    kinds = [str(one.type) for one in kernel.arguments]
    loads = [f"%a{k} = load {kind}, ptr getelementptr (i64, ptr @card.handed, i64 {k})" for k, kind in enumerate(kinds)]
    given = ", ".join(f"{kind} %a{k}" for k, kind in enumerate(kinds))
    body = "\n".join([*loads, f'call void @"{kernel.name}"({given})', f"call i64 @card.ask(i64 {DONE}, i64 0, i64 0)"])
    heads = f'declare void @"{kernel.name}"({", ".join(kinds)})\ndeclare i64 @card.ask(i64, i64, i64)'
    begun = f"@card.handed = external global [{len(HANDED)} x i64]\n{heads}\ndefine void @card.main() {{"
    return f"{begun}\n{body}\nunreachable\n}}"


def _machine() -> Value:
    """Return what makes code for this processor; an engine keeps the one that it is given."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    llvm.initialize_native_asmparser()
    return llvm.Target.from_default_triple().create_target_machine(opt=1, codemodel="large")


@cache
def _scheduler() -> Value:
    """Return what launches a kernel, all blocks one after another."""
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(SWAP), _machine())
    engine.finalize_object()
    for name, at in (("card.swap", engine.get_function_address("card.swap")), ("card.now", NOW.ctypes.data),
                     ("card.handed", HANDED.ctypes.data)):  # fmt: skip
        llvm.add_symbol(name, at)
    swap = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_int64)(engine.get_function_address("card.swap"))
    vars(swap)["kept"] = engine
    host, kept = NOW[HOST:].ctypes.data, len(KEPT)

    def block(
        entry: int, threads: int, now: Value, stacks: Value, base: int, mine: Value, asks: Value, answers: Value
    ) -> bool:  # fmt: skip
        for t in range(threads):
            stacks[t, STACK - 2] = entry
            mine[t], asks[t, 0] = base + 8 * ((t + 1) * STACK - 2 - kept), READY
        while True:
            alive = 0
            for t in range(threads):
                if asks[t, 0] == READY:
                    now[TID], now[LANE], now[BEFORE] = t, t % WARP, (1 << (t % WARP)) - 1
                    now[ANSWER] = answers[t]
                    swap(host, mine[t])
                    mine[t] = now[MINE]
                    asks[t, 0], asks[t, 1], asks[t, 2] = now[ASKED], now[VALUE], now[OTHER]
                if asks[t, 0] != DONE:
                    alive += 1
            if alive == 0:
                return True
            held = 0
            for t in range(threads):
                first, mask, what = t // WARP * WARP, 0, asks[t, 0]
                if what == SHUFFLE:
                    answers[t] = asks[first + asks[t, 2], 1]
                elif what in (VOTE, MATCH):
                    for other in range(first, min(first + WARP, threads)):
                        if asks[other, 0] == what and asks[other, 1] == asks[t, 1]:
                            mask |= 1 << (other - first)
                    answers[t] = mask
                elif what in (BARRIER, BARRIER_OR):
                    held += 1
            any_yes = 0
            for t in range(threads):
                any_yes |= asks[t, 1] if asks[t, 0] == BARRIER_OR else 0
            for t in range(threads):
                if asks[t, 0] in (SHUFFLE, VOTE, MATCH):
                    asks[t, 0] = READY
                elif held == alive and asks[t, 0] != DONE:
                    answers[t], asks[t, 0] = any_yes, READY
            if held == alive and alive < threads:
                return False

    run: Value = njit(block)

    def launch(entry: int, across: int, down: int, threads: int, now: Value, stacks: Value, base: int) -> bool:
        mine, asks, answers = np.zeros(threads, np.int64), np.zeros((threads, 3), np.int64), np.zeros(threads, np.int64)
        now[THREADS], now[ACROSS], now[DOWN] = threads, across, down
        for y in range(down):
            for x in range(across):
                now[BLOCK_X], now[BLOCK_Y] = x, y
                if not run(entry, threads, now, stacks, base, mine, asks, answers):
                    return False
        return True

    return njit(launch)
