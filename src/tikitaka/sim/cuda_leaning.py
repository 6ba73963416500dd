"""The waves of lasting contacts: who is in one, who are a duo, and how all lean. See `cuda_waves`."""

from tikitaka.sim.card import Array, Arrays, cuda, device, entries, entry_of, lowering, put, put_all, turns
from tikitaka.sim.cuda_lists import (
    CROWD,
    CROWDED,
    CROWDS,
    DUO,
    KINDS,
    LASTING,
    ONE,
    PAIRS,
    SLOW,
    TWO,
    Kernel,
    kind_of,
    marks_of,
)  # fmt: skip
from tikitaka.sim.kernels import islands, rounds
from tikitaka.sim.kernels.impacts import NEVER
from tikitaka.sim.kernels.leaning_duos import finish_duo, try_duo
from tikitaka.sim.kernels.rounds import CUT, FIRST, SEEN
from tikitaka.sim.kernels.tables import MEET, WALLS, WITH
from tikitaka.sim.kernels.touching import LASTS, PARTS


def contact_waves(
    of_kind: Kernel, view: Kernel, pitch: Kernel, n: int, p: int, near: Kernel, lines: Kernel, manifold: Kernel,
    ties: Kernel,
) -> dict[str, Kernel]:  # fmt: skip
    """Return the waves that find lasting contacts and let those lean that are in one."""
    common = (of_kind, view, pitch)
    finding = {**_looking(*common, n, p, ties), **_sorting(*common, n, p, manifold)}
    return {**finding, **_pairing(*common, n), **_leaning(*common, near, lines, manifold)}


def _looking(of_kind: Kernel, view: Kernel, pitch: Kernel, n: int, p: int, ties: Kernel) -> dict[str, Kernel]:
    """Return the wave over pairs that finds who is in lasting contact."""
    run_look, bounced = of_kind(rounds.look), of_kind(islands.bounced)

    def look(_first: int, _end: int, _given: Arrays, x: Array, y: Array, lists: Arrays) -> None:
        room = pitch()[0]
        for turn in range(turns(entries(PAIRS, KINDS, lists))):
            entry, found = entry_of(cuda.grid(1) + turn * cuda.gridsize(1), PAIRS, KINDS, lists), -1
            if entry >= 0:
                v, k = entry // p, entry % p
                w, world, _, scratch, clock, book = view(v, x, y)
                what, pairs = run_look(w, k, world, room, scratch, clock, book), scratch[4]
                a, b = int(pairs[w, k, 0]), int(pairs[w, k, 1])
                if what == PARTS:
                    bounced(w, a, b, scratch[0])
                elif what == LASTS:
                    _tie(w, a, b, ties(v, x)[0])
                    found = LASTING + kind_of(w, k, n, room[5][WALLS], pairs)
            put_all(found, entry, lists)

    return {"look": look}


def _sorting(of_kind: Kernel, view: Kernel, pitch: Kernel, n: int, p: int, manifold: Kernel) -> dict[str, Kernel]:
    """Return the wave over pairs in lasting contact: who of them are a duo, and where these touch."""
    join_two, is_duo, lower = of_kind(rounds.join_two), of_kind(islands.is_duo), lowering()

    def sort(_first: int, _end: int, _given: Arrays, x: Array, y: Array, lists: Arrays) -> None:
        (room, (chassis, _), _), points = pitch(), manifold()
        for turn in range(turns(entries(LASTING, KINDS, lists))):
            entry, found, who = entry_of(cuda.grid(1) + turn * cuda.gridsize(1), LASTING, KINDS, lists), -1, 0
            if entry >= 0:
                v, k = entry // p, entry % p
                w, world, _, (ahead, after, rows, _, pairs), clock, book = view(v, x, y)
                a, b = int(pairs[w, k, 0]), int(pairs[w, k, 1])
                if is_duo(w, a, b, ahead, chassis):
                    lasts, twice = join_two(w, a, b, world, room, (ahead, after, rows, points, pairs), clock, book)
                    lower(clock, CUT, w, lasts)
                    lower(clock, FIRST, w, lasts)
                    found, who = DUO + _duo_of(a, twice), v * n + b
                elif cuda.atomic.max(book, (SEEN, w), 1) == 0:
                    found, who = CROWDED, v
            put_all(found, who, lists)

    return {"sort": sort}


def _pairing(of_kind: Kernel, view: Kernel, pitch: Kernel, n: int) -> dict[str, Kernel]:
    """Return the waves in which duos lean: all for some rounds, then those that need more.

    Those of two robots apart from those of one, for which the compiler leaves out the other: they need fewer registers.
    """
    run_try, run_finish = of_kind(try_duo), of_kind(finish_duo)

    def first_rounds(kind: int) -> Kernel:
        first, two = DUO + kind, kind == TWO

        def pair_off(_first: int, _end: int, given: Arrays, x: Array, y: Array, lists: Arrays) -> None:
            room, robot, _ = pitch()
            for q in range(cuda.grid(1), entries(first, 2, lists), cuda.gridsize(1)):
                entry = entry_of(q, first, 2, lists)
                if entry >= 0:
                    v, i = entry // n, entry % n
                    w, world, aim, scratch, clock, _ = view(v, x, y)
                    touched, mate = marks_of(v - w, given)[1], int(scratch[0][w, i, WITH]) if two else -1
                    if not run_try(w, w, i, mate, clock[CUT, w], aim, touched, world, robot, room[5], scratch):
                        put(SLOW + kind + (1 if scratch[0][w, i, MEET + 3] != NEVER else 0), entry, lists)

        return pair_off

    def last_rounds(kind: int) -> Kernel:
        first, two = SLOW + kind, kind == TWO

        def settle_on(_first: int, _end: int, given: Arrays, x: Array, y: Array, lists: Arrays) -> None:
            room, robot, _ = pitch()
            for q in range(cuda.grid(1), entries(first, 2, lists), cuda.gridsize(1)):
                entry = entry_of(q, first, 2, lists)
                if entry >= 0:
                    v, i = entry // n, entry % n
                    w, world, aim, scratch, clock, _ = view(v, x, y)
                    touched, mate = marks_of(v - w, given)[1], int(scratch[0][w, i, WITH]) if two else -1
                    run_finish(w, w, i, mate, clock[CUT, w], aim, touched, world, robot, room[5], scratch)

        return settle_on

    pairs = {"pair_off": first_rounds(TWO), "pair_on": last_rounds(TWO)}
    return {**pairs, "wall_off": first_rounds(ONE), "wall_on": last_rounds(ONE)}


def _leaning(
    of_kind: Kernel, view: Kernel, pitch: Kernel, near: Kernel, lines: Kernel, manifold: Kernel
) -> dict[str, Kernel]:
    """Return the waves in which crowds are prepared, and lean."""
    run_plan, rest = map(of_kind, (rounds.plan, rounds.rest))

    def plan(_first: int, _end: int, _given: Arrays, x: Array, y: Array, lists: Arrays) -> None:
        (room, robot, _), points = pitch(), manifold()
        for q in range(cuda.grid(1), entries(CROWDED, 1, lists), cuda.gridsize(1)):
            v = entry_of(q, CROWDED, 1, lists)
            if v >= 0:
                w, world, _, (ahead, after, rows, _, pairs), clock, book = view(v, x, y)
                leaners = run_plan(w, world, room, robot, (ahead, after, rows, points, pairs), clock, book)
                put(CROWD + CROWDS - min(max(leaners, 1), CROWDS), v, lists)

    def lean(_first: int, _end: int, given: Arrays, x: Array, y: Array, lists: Arrays) -> None:
        room, robot, _ = pitch()
        bodies, contacts = near(), lines()
        for q in range(cuda.grid(1), entries(CROWD, CROWDS, lists), cuda.gridsize(1)):
            v = entry_of(q, CROWD, CROWDS, lists)
            if v >= 0:
                w, world, aim, scratch, clock, book = view(v, x, y)
                rest(w, aim, marks_of(v - w, given), world, room, robot, scratch, bodies, contacts, clock, book)

    return {"plan": plan, "lean": lean}


@device
def _tie(w: int, a: int, b: int, ties: Array) -> None:
    """Do as `islands.tie`, while other threads do so for other pairs."""
    cuda.atomic.add(ties, (w, b), 1.0)
    if a >= 0:
        cuda.atomic.add(ties, (w, a), 1.0)


@device
def _duo_of(a: int, many: bool) -> int:
    """Return of which kind a duo is."""
    return (TWO if a >= 0 else ONE) + (0 if many else 1)
