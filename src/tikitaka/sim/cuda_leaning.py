"""The waves of lasting contacts: who is in one, who are a duo, and how all lean. See `cuda_waves`."""

from tikitaka.sim.card import Array, Arrays, cuda, device, entries, entry_of, place_of, put
from tikitaka.sim.cuda_lists import (
    CROWD,
    CROWDED,
    CROWDS,
    DUO,
    DUOS,
    KINDS,
    LASTING,
    PAIRS,
    Kernel,
    kind_of,
    marks_of,
)  # fmt: skip
from tikitaka.sim.kernels import islands, rounds
from tikitaka.sim.kernels.impacts import NEVER
from tikitaka.sim.kernels.leaning import lean_duo
from tikitaka.sim.kernels.rounds import CUT, FIRST, SEEN
from tikitaka.sim.kernels.tables import MEET_SIZE, TIES, WALLS
from tikitaka.sim.kernels.touching import APART, PARTS


def contact_waves(
    of_kind: Kernel, view: Kernel, pitch: Kernel, n: int, p: int, near: Kernel, lines: Kernel, manifold: Kernel
) -> dict[str, Kernel]:
    """Return the waves that find lasting contacts and let those lean that are in one."""
    common = (of_kind, view, pitch)
    return {**_finding(*common, n, p, manifold), **_leaning(*common, p, near, lines, manifold)}


def _finding(of_kind: Kernel, view: Kernel, pitch: Kernel, n: int, p: int, manifold: Kernel) -> dict[str, Kernel]:
    """Return the waves over pairs: who is in lasting contact, who of these are a duo and where they touch."""
    run_look, touch_points = map(of_kind, (rounds.look, rounds.touch_points))
    is_duo, mark_duo, bounced = map(of_kind, (islands.is_duo, islands.mark_duo, islands.bounced))

    def look(_first: int, _end: int, _given: Arrays, x: Array, y: Array, lists: Arrays) -> None:
        room = pitch()[0]
        for q in range(cuda.grid(1), entries(PAIRS, KINDS, lists), cuda.gridsize(1)):
            entry = entry_of(q, PAIRS, KINDS, lists)
            if entry < 0:
                continue
            w, world, _, scratch, clock, book = view(entry // p, x, y)
            ahead, pairs, what = scratch[0], scratch[4], run_look(w, entry % p, world, room, scratch, clock, book)
            if what == APART:
                continue
            a, b = int(pairs[w, entry % p, 0]), int(pairs[w, entry % p, 1])
            if what == PARTS:
                bounced(w, a, b, ahead)
                continue
            _tie(w, a, b, ahead)
            put(LASTING + kind_of(w, entry % p, n, room[5][WALLS], pairs), entry, lists)

    def sort(_first: int, _end: int, _given: Arrays, x: Array, y: Array, lists: Arrays) -> None:
        (room, (chassis, _), _), points = pitch(), manifold()
        for q in range(cuda.grid(1), entries(LASTING, KINDS, lists), cuda.gridsize(1)):
            entry = entry_of(q, LASTING, KINDS, lists)
            if entry < 0:
                continue
            w, world, _, (ahead, after, rows, _, pairs), clock, book = view(entry // p, x, y)
            a, b = int(pairs[w, entry % p, 0]), int(pairs[w, entry % p, 1])
            if is_duo(w, a, b, ahead, chassis):
                mark_duo(w, a, b, ahead)
                meet, lasts = touch_points(w, a, b, world, room, (ahead, after, rows, points, pairs), clock, book)
                cuda.atomic.min(clock, (CUT, w), lasts)
                cuda.atomic.min(clock, (FIRST, w), lasts)
                _keep(put(DUO + _duo_of(a, meet[3] != NEVER), entry, lists), meet, lists)
            elif cuda.atomic.max(book, (SEEN, w), 1) == 0:
                put(CROWDED, entry // p, lists)

    return {"look": look, "sort": sort}


def _leaning(
    of_kind: Kernel, view: Kernel, pitch: Kernel, p: int, near: Kernel, lines: Kernel, manifold: Kernel
) -> dict[str, Kernel]:
    """Return the waves in which they lean: crowds are prepared, then duos lean, then crowds."""
    run_plan, run_duo, rest = map(of_kind, (rounds.plan, lean_duo, rounds.rest))

    def plan(_first: int, _end: int, _given: Arrays, x: Array, y: Array, lists: Arrays) -> None:
        (room, robot, _), points = pitch(), manifold()
        for q in range(cuda.grid(1), entries(CROWDED, 1, lists), cuda.gridsize(1)):
            v = entry_of(q, CROWDED, 1, lists)
            if v >= 0:
                w, world, _, (ahead, after, rows, _, pairs), clock, book = view(v, x, y)
                leaners = run_plan(w, world, room, robot, (ahead, after, rows, points, pairs), clock, book)
                put(CROWD + (0 if leaners > 2 else 1), v, lists)

    def pair_off(_first: int, _end: int, given: Arrays, x: Array, y: Array, lists: Arrays) -> None:
        room, robot, _ = pitch()
        for q in range(cuda.grid(1), entries(DUO, DUOS, lists), cuda.gridsize(1)):
            at = place_of(q, DUO, DUOS, lists)
            if at >= 0:
                v, k, m = lists[2][at] // p, lists[2][at] % p, lists[3][at - lists[1][DUO]]
                w, world, aim, scratch, clock, _ = view(v, x, y)
                a, b, touched = int(scratch[4][w, k, 0]), int(scratch[4][w, k, 1]), marks_of(v, given)[1]
                meet = (m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7])
                run_duo(w, w, b, a, meet, clock[CUT, w], aim, touched, world, robot, room[5], scratch)

    def lean(_first: int, _end: int, given: Arrays, x: Array, y: Array, lists: Arrays) -> None:
        room, robot, _ = pitch()
        bodies, contacts = near(), lines()
        for q in range(cuda.grid(1), entries(CROWD, CROWDS, lists), cuda.gridsize(1)):
            v = entry_of(q, CROWD, CROWDS, lists)
            if v >= 0:
                w, world, aim, scratch, clock, book = view(v, x, y)
                rest(w, aim, marks_of(v, given), world, room, robot, scratch, bodies, contacts, clock, book)

    return {"plan": plan, "pair_off": pair_off, "lean": lean}


@device
def _tie(w: int, a: int, b: int, ahead: Array) -> None:
    """Do as `islands.tie`, while other threads do so for other pairs."""
    cuda.atomic.add(ahead, (w, b, TIES), 1.0)
    if a >= 0:
        cuda.atomic.add(ahead, (w, a, TIES), 1.0)


@device
def _keep(at: int, meet: Array, lists: Arrays) -> None:
    """Keep where the duo at this place of DUO touches."""
    for k in range(MEET_SIZE):
        lists[3][at - lists[1][DUO], k] = meet[k]


@device
def _duo_of(a: int, many: bool) -> int:
    """Return of which kind a duo is."""
    return (0 if a >= 0 else 2) + (0 if many else 1)
