"""Two tyres that slip: what `skids` does, for robots on tyres, whose wheels stand beside the centre and drive ahead.

A tyre's slip has a part across, too, the same for both. Where it may be little it is first tried whether the two hold
the robot sideways together; where that needs more than they can give, or much is to be taken away, they slide.

u, v, w     velocity of the geometric centre at the end [m/s], [m/s], [rad/s]
uc, vc      velocity of the mass centre at the start, in the body frame at the end
x           what a tyre would slip along the wheel at the end if the ground did not drag at it [m/s]
z, p, q, b  see `skids`; a name that ends in l is of the left tyre, in r of the right one
"""

import math

from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import clamp
from tikitaka.sim.kernels.chassis import (
    ARM,
    GIVE,
    GRIP,
    INERTIA,
    INV_INERTIA,
    INV_MASS,
    MASS,
    OFFSET,
    RADIUS,
    Floats,
    put,
)  # fmt: skip
from tikitaka.sim.kernels.skids import CLOSE, ROUNDS, STUCK, grasp, shifted, spin_free, turned

Slips = tuple[float, float, float, float]  # zl, zr, pl, pr
Tyres = tuple[float, float, float, float, float, float, float, float]  # zl, zr, pl, pr, rims, gives

INNER = 2  # steps of Newton's method for a tyre's slip
TINY = 1e-30  # against division by zero
FAR = 1.5  # of what the grip takes away in a step: tyres that slide faster across are not tried to hold


@kernel
def balance(
    uc: float, vc: float, w0: float, tyres: Tyres, side: float, b: float, arm: float, chassis: Floats
) -> tuple[float, float, float]:
    """Return (u, v, w), each tyre a damper for the slip guessed; side: of both across [N s per m/s]."""
    zl, zr, _, _, rim_l, rim_r, ql, qr = tyres
    m, i, md = chassis[MASS], chassis[INERTIA], chassis[MASS] * chassis[OFFSET]
    cl, cr = b / (zl + ql * b), b / (zr + qr * b)
    xx, yy, ww = m + cl + cr, m + side, i + md * chassis[OFFSET] + arm * arm * (cl + cr)
    xw, fx, fy = arm * (cr - cl), m * uc + cl * rim_l + cr * rim_r, m * vc
    fw = i * w0 + md * vc + arm * (cr * rim_r - cl * rim_l)
    w = (xx * (yy * fw - md * fy) - yy * xw * fx) / (xx * (yy * ww - md * md) - yy * xw * xw)
    return (fx - xw * w) / xx, (fy - md * w) / yy, w


@kernel
def sliding(x: float, v: float, old: float, qb: float, b: float) -> tuple[float, float]:
    """Return (z, p) of a tyre that slides: x = along (1 + q b / z), z^2 = along^2 + v^2.

    So the wheel gives way at once; the body does not.
    """
    least = max(STUCK, abs(v), abs(x) - qb)
    z = max(least, old)
    for _ in range(INNER):
        y = z + qb
        v2, x2, both = v * v * y * y, x * x * z * z, z * y
        z = max(least, z + 0.5 * both * (v2 + x2 - both * both) / (v2 * y + x2 * z))
    return z, clamp(x * b / (z + qb), -b, b)


@kernel
def hold(
    e: int, i: int, aim: Floats, fore: float, lead: float, w0: float, xl: float, xr: float, rl: float, rr: float,
    chassis: Floats, wheels: Floats, h: float,
) -> tuple[float, float, Tyres]:  # fmt: skip
    """Return (turn, v, tyres) with tyres that hold the robot sideways; v: at which they creep."""
    zl, zr, pl, pr, rim_l, rim_r, ql, qr = max(STUCK, abs(xl)), max(STUCK, abs(xr)), 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    b, arm, give, turn, v, w = wheels[1, GRIP] * h, wheels[1, ARM], wheels[1, GIVE], 0.0, 0.0, w0
    for _ in range(ROUNDS):
        turn = 0.5 * h * (w0 + w)
        _, _, uc, vc = turned(turn, fore, lead)
        rim_l, ql = spin_free(aim[e, i, 0], rl, pl, wheels, h)
        rim_r, qr = spin_free(aim[e, i, 1], rr, pr, wheels, h)
        tyres = (zl, zr, pl, pr, rim_l, rim_r, ql, qr)
        u, v, w = balance(uc, vc, w0, tyres, 2.0 * b / STUCK, b, arm, chassis)
        if abs(v) > STUCK:  # then they give more than all their grip
            break
        old_l, old_r = zl, zr
        zl, pl = grasp(rim_l - u + arm * w, zl, ql, b, give)
        zr, pr = grasp(rim_r - u - arm * w, zr, qr, b, give)
        if abs(zl - old_l) <= CLOSE * old_l and abs(zr - old_r) <= CLOSE * old_r:
            break
    return turn, v, (zl, zr, pl, pr, rim_l, rim_r, ql, qr)


@kernel
def guess(xl: float, xr: float, v: float, b: float, inv_m: float) -> Slips:
    """Return (zl, zr, pl, pr) as if the ground dragged as it does at the start, v: across."""
    zl, zr = max(STUCK, math.sqrt(xl * xl + v * v)), max(STUCK, math.sqrt(xr * xr + v * v))
    pl, pr = b * xl / zl, b * xr / zr
    v *= max(0.0, 1.0 - b * inv_m * (zl + zr) / (zl * zr))
    return max(STUCK, math.sqrt(xl * xl + v * v)), max(STUCK, math.sqrt(xr * xr + v * v)), pl, pr


@kernel
def slide(
    e: int, i: int, aim: Floats, fore: float, lead: float, w0: float, start: Slips, rl: float, rr: float,
    chassis: Floats, wheels: Floats, h: float,
) -> tuple[float, float, Tyres]:  # fmt: skip
    """Return (turn, v, tyres) with tyres that slide."""
    zl, zr, pl, pr = start
    rim_l, rim_r, ql, qr = 0.0, 0.0, 0.0, 0.0
    b, arm, turn, v, w = wheels[1, GRIP] * h, wheels[1, ARM], 0.0, 0.0, w0
    for _ in range(ROUNDS):
        turn = 0.5 * h * (w0 + w)
        _, _, uc, vc = turned(turn, fore, lead)
        rim_l, ql = spin_free(aim[e, i, 0], rl, pl, wheels, h)
        rim_r, qr = spin_free(aim[e, i, 1], rr, pr, wheels, h)
        tyres = (zl, zr, pl, pr, rim_l, rim_r, ql, qr)
        u, v, w = balance(uc, vc, w0, tyres, b * (zl + zr) / (zl * zr), b, arm, chassis)
        old_l, old_r = zl, zr
        zl, pl = sliding(rim_l - u + arm * w, v, zl, ql * b, b)
        zr, pr = sliding(rim_r - u - arm * w, v, zr, qr * b, b)
        if abs(zl - old_l) <= CLOSE * old_l and abs(zr - old_r) <= CLOSE * old_r:
            break
    return turn, v, (zl, zr, pl, pr, rim_l, rim_r, ql, qr)


@kernel
def drift(
    e: int, i: int, c0: float, n0: float, aim: Floats, s: int, ahead: Floats, spin_ahead: Floats, chassis: Floats,
    wheels: Floats, h: float,
) -> None:  # fmt: skip
    """Move ``ahead`` and ``spin_ahead`` on by h seconds with tyres that may slip; c0, n0: of the heading."""
    vx, vy, w0, rl, rr = ahead[s, i, 3], ahead[s, i, 4], ahead[s, i, 5], spin_ahead[s, i, 0], spin_ahead[s, i, 1]
    u, v, d, b, arm = c0 * vx + n0 * vy, c0 * vy - n0 * vx, chassis[OFFSET], wheels[1, GRIP] * h, wheels[1, ARM]
    inv_m, lead, r = chassis[INV_MASS], v + d * w0, wheels[1, RADIUS]
    xl, xr, va, share = r * rl - u + arm * w0, r * rr - u - arm * w0, abs(v - h * w0 * u), -1.0
    over = max(0.0, va - 2.0 * FAR * b * inv_m)
    if over == 0.0:
        turn, v, tyres = hold(e, i, aim, u, lead, w0, xl, xr, rl, rr, chassis, wheels, h)
        need, room = 2.0 * b * abs(v) / STUCK, TINY + across(b, tyres[2]) + across(b, tyres[3])
        over, share = max(0.0, need - room), need / room
    if over > 0.0:
        turn, v, tyres = slide(e, i, aim, u, lead, w0, guess(xl, xr, va, b, inv_m), rl, rr, chassis, wheels, h)
        share = -1.0
    zl, zr, pl, pr, rim_l, rim_r, ql, qr = tyres
    fy = drag(v, zl, across(b, pl), share, b) + drag(v, zr, across(b, pr), share, b)
    spin_ahead[s, i, 0], spin_ahead[s, i, 1] = (rim_l - ql * pl) / r, (rim_r - qr * pr) / r
    c, n, uc, vc = turned(turn, u, lead)
    w = w0 + (arm * (pr - pl) - d * fy) * chassis[INV_INERTIA]
    u, v = uc + (pl + pr) * inv_m, vc + fy * inv_m - d * w
    c, n = c0 * c - n0 * n, n0 * c + c0 * n
    px, py = c * u - n * v, n * u + c * v
    dx, dy = shifted(vx, vy, w0, c0, n0, px, py, w, c, n, d, h)
    put(s, i, ahead, ahead[s, i, 0] + dx, ahead[s, i, 1] + dy, ahead[s, i, 2] + turn, px, py, w)


@kernel
def across(b: float, p: float) -> float:
    """Return what a tyre's grip leaves for across."""
    return math.sqrt(max(0.0, b * b - p * p))


@kernel
def drag(v: float, z: float, room: float, share: float, b: float) -> float:
    """Return a tyre's impulse across; share: of the room for it where it holds, -1 where it slides."""
    if share < 0.0:
        return clamp(-v * b / z, -room, room)
    return share * room if v < 0.0 else -share * room
