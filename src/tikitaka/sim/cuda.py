"""The same worlds on a graphics card, stepped by the kernels that the processor runs: see `cuda_waves`.

The arrays lie on the card with the world as their fastest index, so that neighbouring threads read neighbouring
numbers. They have ``__cuda_array_interface__``: ``torch.as_tensor(batch.pose, device="cuda")`` and
``cupy.asarray(batch.pose)`` are the same memory, and what is written there is what is stepped.
"""

from collections.abc import Callable
from functools import cache, partial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from tikitaka.errors import ContractError
from tikitaka.geom.jit import single
from tikitaka.sim import arrays
from tikitaka.sim.batch import Array, Batch, Which, check_room, scene_of, told
from tikitaka.sim.card import APART, BLOCK, SIMULATED, WARP, check_card, compiled, cuda, recorded
from tikitaka.sim.cuda_layout import Layout, layout_of
from tikitaka.sim.cuda_lists import LEFT_OVER, LISTS, room_for
from tikitaka.sim.cuda_waves import ROUND_OF_WAVES, size, waves
from tikitaka.sim.kernels import worlds as kernels
from tikitaka.sim.kernels.rounds import BOOK_ROWS
from tikitaka.sim.params import Params

MOST_BLOCKS = 16384  # of a launch; threads take more than one piece each where there are more
MORE = 4  # rounds that are launched as one, before it is asked whether any world needs another
GROUPS = 16  # of worlds that go through their rounds side by side; not timed: eight were faster than one, two or four
SMALL = 1 if SIMULATED else 16384  # chosen: worlds of a group, at least; fewer do not keep a card busy
SLOTS = 8  # rows of blocks for pairs; not timed
THIN = 8  # not timed: where one in so many worlds at most is left, that part of the threads goes on
LONG = ("plan", "creep", "pair_on", "wall_on", "lean", "meet", "serve")  # few threads, of which some take long

Group: TypeAlias = tuple[int, int, tuple[Array, ...]]  # its first world, that of the next one, its lists
Recorded: TypeAlias = tuple[Callable[[], None], Callable[[], None]]


class CudaBatch(Batch):
    """Worlds of one kind on a card; every array has one row a world and is a device array."""

    def __init__(
        self, params: Params, worlds: int, seed: int = 0, dtype: DTypeLike = np.float32, first: int = 0
    ) -> None:
        """Set up ``worlds`` worlds, empty, in float32 or float64."""
        self.dtype = np.dtype(dtype)
        if self.dtype.name not in ("float32", "float64"):
            raise ContractError(f"dtype must be float32 or float64; got {self.dtype}")
        check_card()
        super().__init__(params, worlds, seed, 1, first)
        fixed = tuple((a.tobytes(), a.dtype.str, a.shape) for a in arrays.fixed(params, self.dtype.name))
        self._kernels = _compiled(self.dtype.name, _layout(params), fixed)
        self._moving = tuple(self._stepped[: -len(fixed)])
        self._recorded = dict[int, list[Recorded]]()  # by part of the threads: of each group, what launches and waits

    def reset(self, which: Which, pose: ArrayLike, ball: ArrayLike, velocity: ArrayLike = 0.0) -> None:
        """Set worlds up anew, as `Batch.reset` does."""
        rows = self.rows(which)
        scene = scene_of(self.params, rows, pose, velocity, ball)
        self._refuse_overlaps(rows, scene)
        given = [self._given(array) for array in scene]
        self._launch("place", len(rows), cuda.to_device(rows), (*given, *self._set_up))

    def scatter(self, which: Which = None) -> None:
        """Put everybody of the worlds somewhere at random, at rest and clear of one another."""
        rows, full = cuda.to_device(self.rows(which)), cuda.to_device(np.zeros(1, np.int64))
        places = (self._room, self.drawn, *self._set_up)
        self._launch("scatter", len(rows), rows, full, self.seed, self.first, places)
        check_room(int(full.copy_to_host()[0]), self.params)

    def wander(self, top: float | None = None) -> None:
        """Draw new wheel speeds for every robot of every world, up to ``top`` [rad/s]; None: all that motors can do."""
        self._launch("wander", self.worlds, self.seed, self.first, self._top(top), (self.drawn, self.wheels))

    def wait(self) -> None:
        """Come back when the card has done all that it was given; `wander` and the end of `step` do not wait for it."""
        cuda.synchronize()

    def profile(self, ticks: int) -> dict[str, float]:
        """Return the milliseconds that each wave took while all were awake; as `step`, but one group after another."""
        marks = list[Any]()

        def note() -> None:
            marks.append(cuda.event())
            marks[-1].record()

        def timed() -> None:
            for group in self._groups:
                note()
                for wave in ROUND_OF_WAVES:
                    self._wave(wave, group, 0)
                    note()

        self._rounds()
        self._left_over()  # waits for them
        self._run(ticks, timed, 1)
        cuda.synchronize()
        many = len(ROUND_OF_WAVES) + 1
        return {
            wave: sum(a.elapsed_time(b) for a, b in zip(marks[k::many], marks[k + 1 :: many], strict=True))
            for k, wave in enumerate(ROUND_OF_WAVES)
        }

    def _advance(self, ticks: int) -> None:
        self._run(ticks, self._rounds, MORE)

    def _run(self, ticks: int, go: Callable[[], None], rounds: int) -> None:
        """Move every world on: as often as all need it by ``go``, so many rounds, then as often as some need it."""
        steps = ticks * self.params.substeps
        for first, end, lists in self._groups:
            blocks = (end - first + BLOCK - 1) // BLOCK
            self._kernels["enter"][blocks, BLOCK](first, end, steps, self._moving, self._flat, self._book, lists)
        cuda.synchronize()
        for _ in range((steps + rounds - 1) // rounds):
            go()
        while left := self._left_over():
            self._rounds(THIN if left * THIN <= self.worlds else 1)
        self._launch("leave", self.worlds, ticks, self.tick, self._moving, self._flat, self._book)

    def _rounds(self, part: int = 1) -> None:
        """Launch all waves of some rounds, each group's for itself, with one in ``part`` of all threads."""
        if part not in self._recorded:
            self._recorded[part] = [recorded(partial(self._some_rounds, group, part)) for group in self._groups]
        for launch, _ in self._recorded[part]:
            launch()

    def _some_rounds(self, group: Group, part: int, stream: object) -> None:
        for _ in range(MORE):
            for wave in ROUND_OF_WAVES:
                self._wave(wave, group, stream, part)

    def _left_over(self) -> int:
        """Return how many worlds need another round."""
        for groups in self._recorded.values():
            for _, wait in groups:
                wait()
        return sum(int(lists[0][LEFT_OVER * APART :][:1].copy_to_host()[0]) for _, _, lists in self._groups)

    def _wave(self, name: str, group: Group, stream: object, part: int = 1) -> None:
        first, end, lists = group
        blocks = (min((end - first + BLOCK - 1) // BLOCK, MOST_BLOCKS) + part - 1) // part
        n = self.params.robots
        bodies = {"turn": n, "sift": SLOTS, "drive": n + 1, "move": n + 1}.get(name)
        grid = blocks if bodies is None else (bodies, blocks)
        threads = BLOCK
        if name in LONG:
            threads = min(WARP, BLOCK)
            grid = blocks * (BLOCK // threads)
        self._kernels[name][grid, threads, stream](first, end, self._moving, self._flat, self._book, lists)

    def _forget(self) -> None:
        counts = np.zeros(self.counts.shape, np.int64, order="F")
        counts[:, 1] = -1
        self._copy("counts", counts)

    def _launch(self, name: str, count: int, *arguments: object) -> None:
        if count:
            self._kernels[name][(count + BLOCK - 1) // BLOCK, BLOCK](count, *arguments)

    def _command(self, name: str, values: ArrayLike) -> None:
        target = getattr(self, name)
        if hasattr(values, "__cuda_array_interface__"):
            raise ContractError(f"{name} are on the card: write them into batch.{name}, which shares its memory")
        given = told(name, values)
        if given.shape != target.shape:
            raise ContractError(f"{name} must be {target.shape}; got {given.shape}")
        self._copy(name, np.asfortranarray(given, target.dtype))

    def _copy(self, name: str, values: NDArray[Any]) -> None:
        target: Array = getattr(self, name)
        target.copy_to_device(values)

    def _made(self, shape: tuple[int, ...], kind: Any, fill: float) -> Array:  # noqa: ANN401
        return cuda.to_device(np.full(shape, fill, self.dtype if kind is np.float64 else kind, order="F"))

    def _given(self, array: NDArray[Any]) -> Array:
        return cuda.to_device(np.ascontiguousarray(array, self.dtype if array.dtype == np.float64 else array.dtype))

    def _fetched(self, name: str) -> NDArray[Any]:
        host: NDArray[Any] = getattr(self, name).copy_to_host()
        return host

    def _kind(self) -> str:
        return self.dtype.name

    def _scratch(self) -> list[Array]:
        """Return nothing: what the waves work in is one array of floats, one of ints, and lists."""
        blocks, boards = (self.worlds + BLOCK - 1) // BLOCK, self.params.fixed[0]
        most = room_for(self.params.robots, len(boards), len(arrays.walls_of(self.params.field)))
        self._flat = cuda.device_array(blocks * size(_layout(self.params)), self.dtype)
        self._book = cuda.to_device(np.zeros(blocks * BOOK_ROWS * BLOCK, np.int32))
        many = min(GROUPS, max(1, self.worlds // SMALL))
        each = (blocks + many - 1) // many * BLOCK
        self._groups = [
            (first, min(first + each, self.worlds), self._lists(min(each, self.worlds - first), most))
            for first in range(0, self.worlds, each)
        ]
        return []

    def _lists(self, worlds: int, most: tuple[int, ...]) -> tuple[Array, ...]:
        """Return the lists of a group of worlds, see `cuda_waves`."""
        starts = worlds * np.cumsum((0, *most[:-1]))
        queue = cuda.device_array(worlds * sum(most), np.int32)
        return cuda.to_device(np.zeros(LISTS * APART, np.int32)), cuda.to_device(starts.astype(np.int64)), queue


def _layout(params: Params) -> Layout:
    """Return the arrays that a BLOCK of worlds is worked on in, see `cuda_waves.waves`."""
    scratch = [shape for shape, _, _ in arrays.scratch(params, BLOCK)]
    return layout_of(BLOCK, params.robots, len(params.robot.drive.wheels), scratch)


@cache
def _compiled(kind: str, room: Layout, fixed: tuple[tuple[bytes, str, tuple[int, ...]], ...]) -> dict[str, Any]:
    """Return the CUDA kernels in float32 or float64: each finds its world and calls what the processor calls."""
    known = (np.frombuffer(data, one).reshape(shape) for data, one, shape in fixed)
    narrowed = tuple(array.astype(kind if array.dtype == np.float64 else array.dtype) for array in known)
    plain: Any = (kernels.place, kernels.scatter, kernels.wander)
    place, scatter, wander = (single(one) for one in plain) if kind == "float32" else plain

    def run_place(count: int, which: Array, given: Array) -> None:
        k = cuda.grid(1)
        if k < count:
            place(which[k], k, *given)

    def run_scatter(count: int, which: Array, full: Array, seed: int, first: int, given: Array) -> None:
        k = cuda.grid(1)
        if k < count and not scatter(which[k], seed, first, *given):
            cuda.atomic.add(full, 0, 1)

    def run_wander(count: int, seed: int, first: int, top: float, given: Array) -> None:
        e = cuda.grid(1)
        if e < count:
            wander(e, seed, first, top, *given)

    functions: dict[str, Callable[..., None]] = {
        **waves(kind, room, narrowed),
        "place": run_place,
        "scatter": run_scatter,
        "wander": run_wander,
    }
    return {name: compiled(one) for name, one in functions.items()}
