"""The common way to drive: on tyres that hold, with motors that stay on their pieces, by Taylor's series (`on_tyres`).

Names are those of `wheels`; a1, a2, ... and r1, r2, ... are the first and further derivatives of u and w. The way
follows by Lobatto's rule of order six, from speed and heading at both ends and at two moments between.
"""

import math

from tikitaka.geom.jit import kernel
from tikitaka.sim.kernels.chassis import (
    FIT,
    HOLD,
    KINEMATIC,
    LONGEST,
    MASS,
    OFFSET,
    RADIUS,
    RW,
    RX,
    SMALL,
    TYRES,
    WHEEL_INERTIA,
    WW,
    XX,
    Floats,
    piece,
    put,
    small_turn,
    still,
)  # fmt: skip

Slopes = tuple[float, float, float, float, float, float, float, float, float]  # derivatives, from the first on
# x, y, theta, vx, vy, omega; rates of the left and the right wheel, and those that they shall have
Seen = tuple[float, float, float, float, float, float, float, float, float, float]

EARLY, LATE = 0.5 - math.sqrt(0.05), 0.5 + math.sqrt(0.05)  # of a step: the moments of Lobatto's rule
STRETCH = 2.2  # time constants that nine derivatives reach; the series is then off by 0.0007 of what is left to settle


@kernel
def series(x: float, d: Slopes, h: float) -> float:
    """Return what x is after h, by Taylor's series with its derivatives."""
    tail = d[5] + h * (1.0 / 7.0) * (d[6] + h * (1.0 / 8.0) * (d[7] + h * (1.0 / 9.0) * d[8]))
    tail = d[2] + h * (1.0 / 4.0) * (d[3] + h * (1.0 / 5.0) * (d[4] + h * (1.0 / 6.0) * tail))
    return x + h * (d[0] + 0.5 * h * (d[1] + h * (1.0 / 3.0) * tail))


@kernel
def further(
    a1: float, r1: float, xx: float, xw: float, wx: float, ww: float, cx: float, cw: float
) -> tuple[Slopes, Slopes]:
    """Return all derivatives; a2 = xw r1 - xx a1 and r2 = wx a1 + ww r1, with coefficients that move too.

    That they move is left out behind the sixth: there it is the motors' own pace that counts.
    """
    a2, r2 = xw * r1 - xx * a1, wx * a1 + ww * r1
    a3, r3 = xw * r2 - xx * a2 + 2.0 * cx * r1 * r1, wx * a2 + ww * r2 - 2.0 * cw * r1 * a1
    a4, r4 = xw * r3 - xx * a3 + 6.0 * cx * r1 * r2, wx * a3 + ww * r3 - 3.0 * cw * (r2 * a1 + r1 * a2)
    a5, r5 = xw * r4 - xx * a4 + cx * (8.0 * r1 * r3 + 6.0 * r2 * r2), wx * a4 + ww * r4
    r5 -= cw * (4.0 * (r1 * a3 + r3 * a1) + 6.0 * r2 * a2)
    a6, r6 = xw * r5 - xx * a5 + cx * (10.0 * r1 * r4 + 20.0 * r2 * r3), wx * a5 + ww * r5
    r6 -= cw * (5.0 * (r1 * a4 + r4 * a1) + 10.0 * (r2 * a3 + r3 * a2))
    a7, r7 = xw * r6 - xx * a6, wx * a6 + ww * r6
    a8, r8 = xw * r7 - xx * a7, wx * a7 + ww * r7
    a9, r9 = xw * r8 - xx * a8, wx * a8 + ww * r8
    return (a1, a2, a3, a4, a5, a6, a7, a8, a9), (r1, r2, r3, r4, r5, r6, r7, r8, r9)


@kernel
def on_tyres(
    u: float, w: float, left_aim: float, right_aim: float, chassis: Floats, wheels: Floats, h: float
) -> tuple[float, float, float, float, float, float, float, float]:
    """Return (ok, u, w, turn) after h, then u and turn at both moments between; ok is 0 where another must do it."""
    rx, rw, inertia, hold = wheels[1, RX], wheels[1, RW], wheels[1, WHEEL_INERTIA], wheels[1, HOLD]
    m, offset, ix, iw = chassis[MASS], chassis[OFFSET], chassis[XX], chassis[WW]
    left, right = rx * u - rw * w, rx * u + rw * w
    ln, lt, lg = piece(left_aim, left, wheels)
    rn, rt, rg = piece(right_aim, right, wheels)
    fx, fw, md = ix * rx, iw * rw, m * offset
    cx, cw, g, d = ix * md, iw * md, lg + rg, rg - lg
    xx, xw, wx, ww = fx * rx * g, fx * rw * d, fw * rx * d, fw * rw * g
    a1 = fx * (lt + rt) - xx * u - xw * w + cx * w * w  # the reduced form of [Klancar, Eqs. 6-10]
    r1 = fw * (rt - lt) - wx * u - ww * w - cw * w * u
    up, down = inertia * (rx * a1 + rw * r1), inertia * (rx * a1 - rw * r1)
    fl, fr = lt - lg * left - down, rt - rg * right - up  # [Klancar, Eq. 6]: lambda_3 and lambda_2, times the radius
    lever = 0.5 * m * wheels[1, RADIUS]
    side = lever * (offset * r1 + w * u)  # half of lambda_1
    us, ws = further(a1, r1, xx, 2.0 * cx * w - xw, -wx - cw * w, -ww - cw * u, cx, cw)
    u1, w1 = series(u, us, h), series(w, ws, h)
    end = lever * (offset * r1 + w1 * u1)
    ok = max(fl * fl, fr * fr) + max(side * side, end * end) <= hold
    ok = ok and piece(left_aim, rx * u1 - rw * w1, wheels)[0] == ln
    ok = ok and piece(right_aim, rx * u1 + rw * w1, wheels)[0] == rn
    turns = (w, ws[0], ws[1], ws[2], ws[3], ws[4], ws[5], ws[6], ws[7])
    early, late = EARLY * h, LATE * h
    ua, ta, ub, tb = series(u, us, early), series(0.0, turns, early), series(u, us, late), series(0.0, turns, late)
    return (1.0 if ok else 0.0), still(u1), still(w1), series(0.0, turns, h), ua, ta, ub, tb


@kernel
def turned(a: float) -> tuple[float, float]:
    """Return cosine and sine of at most 2 SMALL."""
    c, n = small_turn(0.5 * a)
    return 1.0 - 2.0 * n * n, 2.0 * c * n


@kernel
def seen(e: int, i: int, pose: Floats, velocity: Floats, spin: Floats, aim: Floats) -> Seen:
    """Return all that `cruise` needs of a robot: a card then asks for everything at once, and waits once."""
    return (
        pose[e, i, 0], pose[e, i, 1], pose[e, i, 2], velocity[e, i, 0], velocity[e, i, 1], velocity[e, i, 2],
        spin[e, i, 0], spin[e, i, 1], aim[e, i, 0], aim[e, i, 1],
    )  # fmt: skip


@kernel
def cruise(
    i: int, c: float, n: float, now: Seen, s: int, ahead: Floats, spin_ahead: Floats, chassis: Floats, wheels: Floats,
    dt: float,
) -> bool:  # fmt: skip
    """Say whether this was the common case, in which `drive` is done: tyres that hold, motors that stay as they are."""
    px, py, theta, vx, vy, w, left, right, left_aim, right_aim = now
    u, v = c * vx + n * vy, c * vy - n * vx
    if chassis[TYRES] > chassis[KINEMATIC] and dt <= STRETCH * chassis[LONGEST] and abs(v) <= FIT:
        rx, rw, near = wheels[1, RX], wheels[1, RW], FIT * wheels[1, RX]
        if max(abs(rx * u - rw * w - left), abs(rx * u + rw * w - right)) <= near:
            ok, u1, w1, turn, ua, ta, ub, tb = on_tyres(u, w, left_aim, right_aim, chassis, wheels, dt)
            if ok > 0.0 and max(abs(turn), abs(ta), abs(tb)) < 2.0 * SMALL:
                ca, na = turned(ta)
                cb, nb = turned(tb)
                ce, ne = turned(turn)
                g = dt * (1.0 / 12.0)
                dx, dy = g * (u + 5.0 * (ca * ua + cb * ub) + ce * u1), g * (5.0 * (na * ua + nb * ub) + ne * u1)
                x, y = px + c * dx - n * dy, py + n * dx + c * dy
                put(s, i, ahead, x, y, theta + turn, (c * ce - n * ne) * u1, (n * ce + c * ne) * u1, w1)
                spin_ahead[s, i, 0] = rx * u1 - rw * w1
                spin_ahead[s, i, 1] = rx * u1 + rw * w1
                return True
    return False
