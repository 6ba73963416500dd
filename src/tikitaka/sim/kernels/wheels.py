"""Driving: where a robot would be after dt if it met nothing.

While every tyre holds, the wheels' rates follow from the body's velocity (u, v, w), and the motion is the reduced form
of [Klancar, Eqs. 6-10], here with any number of wheels and, on omni wheels, with a sideways speed. Two methods of order
four: on tyres, as long as no motor changes its piece, the Taylor series (`on_tyres`); else Runge-Kutta (`roll`). The
way follows by Simpson's rule, with the heading of mid-step. Where the tyres cannot hold, or the body's velocity does
not fit the wheels (after a push), `skids` takes over, on tyres
`drifts`.

u, v, w     forward and leftward speed of the geometric centre [m/s], yaw rate [rad/s]; all in the body frame
a, b, r     their accelerations; on tyres a1, a2, ... and r1, r2, ... are the first and further derivatives of u and w
m, d        mass; how far the mass centre lies ahead of the geometric centre
rx, ry, rw  row rho of a wheel: its rate is rho . (u, v, w)
t, g        torque of a motor, damping taken off: t - g rate
c, n        cosine and sine of the heading
"""

from tikitaka.geom.jit import kernel
from tikitaka.sim.kernels.chassis import (
    BW,
    BX,
    BY,
    FIT,
    HOLD,
    KINEMATIC,
    LONGEST,
    MASS,
    OFFSET,
    RADIUS,
    RW,
    RX,
    RY,
    SMALL,
    TYRES,
    WHEEL_INERTIA,
    WW,
    XW,
    XX,
    XY,
    YW,
    YY,
    Floats,
    cos_sin,
    piece,
    put,
    small_turn,
    still,
)  # fmt: skip
from tikitaka.sim.kernels.drifts import drift
from tikitaka.sim.kernels.skids import skid

Slopes = tuple[float, float, float, float, float, float, float, float, float]  # derivatives, from the first on
# x, y, theta, vx, vy, omega; rates of the left and the right wheel, and those that they shall have
Seen = tuple[float, float, float, float, float, float, float, float, float, float]

STRETCH = 2.2  # time constants that nine derivatives reach; the series is then off by 0.0007 of what is left to settle
SLIDE = 1.0 / 180.0  # [s] longest step of tyres that slip, chosen: `drifts` and `skids` are of first order


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

    That they move is left out behind the fourth: there it is the motors' own pace that counts.
    """
    a2, r2 = xw * r1 - xx * a1, wx * a1 + ww * r1
    a3, r3 = xw * r2 - xx * a2 + 2.0 * cx * r1 * r1, wx * a2 + ww * r2 - 2.0 * cw * r1 * a1
    a4, r4 = xw * r3 - xx * a3 + 6.0 * cx * r1 * r2, wx * a3 + ww * r3 - 3.0 * cw * (r2 * a1 + r1 * a2)
    a5, r5 = xw * r4 - xx * a4, wx * a4 + ww * r4
    a6, r6 = xw * r5 - xx * a5, wx * a5 + ww * r5
    a7, r7 = xw * r6 - xx * a6, wx * a6 + ww * r6
    a8, r8 = xw * r7 - xx * a7, wx * a7 + ww * r7
    a9, r9 = xw * r8 - xx * a8, wx * a8 + ww * r8
    return (a1, a2, a3, a4, a5, a6, a7, a8, a9), (r1, r2, r3, r4, r5, r6, r7, r8, r9)


@kernel
def on_tyres(
    u: float, w: float, left_aim: float, right_aim: float, chassis: Floats, wheels: Floats, h: float
) -> tuple[float, float, float, float, float, float]:
    """Return (ok, u, w, u and turn of mid-step, turn) after h seconds; ok is 0 where another must see to it."""
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
    um, half, turn = series(u, us, 0.5 * h), series(0.0, turns, 0.5 * h), series(0.0, turns, h)
    return (1.0 if ok else 0.0), still(u1), still(w1), um, half, turn


@kernel
def gather(
    e: int, i: int, aim: Floats, u: float, v: float, w: float, wheels: Floats
) -> tuple[float, float, float, float, float, float, float, float, float]:
    """Return what the motors do near this velocity: force t - k (u, v, w), as t and the upper half of k."""
    tx, ty, tw, xx, xy, xw, yy, yw, ww = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(wheels.shape[0]):
        rx, ry, rw = wheels[k, RX], wheels[k, RY], wheels[k, RW]
        _, t, g = piece(aim[e, i, k], rx * u + ry * v + rw * w, wheels)
        tx, ty, tw = tx + t * rx, ty + t * ry, tw + t * rw
        xx, xy, xw = xx + g * rx * rx, xy + g * rx * ry, xw + g * rx * rw
        yy, yw, ww = yy + g * ry * ry, yw + g * ry * rw, ww + g * rw * rw
    return tx, ty, tw, xx, xy, xw, yy, yw, ww


@kernel
def respond(
    u: float, v: float, w: float, fx: float, fy: float, fw: float, chassis: Floats
) -> tuple[float, float, float]:
    """Return (du/dt, dv/dt, dw/dt) under the wheels' forces."""
    m, d = chassis[MASS], chassis[OFFSET]
    fx, fy, fw = fx + m * w * (v + d * w), fy - m * w * u, fw - m * d * w * u
    return (
        chassis[XX] * fx + chassis[XY] * fy + chassis[XW] * fw,
        chassis[XY] * fx + chassis[YY] * fy + chassis[YW] * fw,
        chassis[XW] * fx + chassis[YW] * fy + chassis[WW] * fw,
    )


@kernel
def check(
    e: int, i: int, aim: Floats, u: float, v: float, w: float, a: float, b: float, r: float,
    chassis: Floats, wheels: Floats,
) -> float:  # fmt: skip
    """Return on which pieces the motors are, as one number; -1 where rolling needs more than the tyres can give."""
    side, pieces = 0.0, 0.0
    if chassis[TYRES] > 0.0:
        side = 0.5 * chassis[MASS] * wheels[0, RADIUS] * (b + chassis[OFFSET] * r + w * u)
    for k in range(wheels.shape[0]):
        rx, ry, rw = wheels[k, RX], wheels[k, RY], wheels[k, RW]
        rate = rx * u + ry * v + rw * w
        number, t, g = piece(aim[e, i, k], rate, wheels)
        f = t - g * rate - wheels[k, WHEEL_INERTIA] * (rx * a + ry * b + rw * r)
        if f * f + side * side > wheels[k, HOLD]:
            return -1.0
        pieces = 5.0 * pieces + number
    return pieces


@kernel
def fits(s: int, i: int, u: float, v: float, w: float, spin_ahead: Floats, chassis: Floats, wheels: Floats) -> bool:
    """Say whether the body moves as the wheels turn."""
    if chassis[TYRES] > 0.0 and abs(v) > FIT:
        return False
    for k in range(wheels.shape[0]):
        rate = wheels[k, RX] * u + wheels[k, RY] * v + wheels[k, RW] * w
        if abs(rate - spin_ahead[s, i, k]) * wheels[k, RADIUS] > FIT:
            return False
    return True


@kernel
def roll(
    e: int, i: int, c: float, n: float, aim: Floats, s: int, ahead: Floats, spin_ahead: Floats, chassis: Floats,
    wheels: Floats, h: float,
) -> bool:  # fmt: skip
    """Say whether the wheels roll for h seconds; if so move ``ahead`` on by them."""
    theta, vx, vy, w = ahead[s, i, 2], ahead[s, i, 3], ahead[s, i, 4], ahead[s, i, 5]
    u, v = c * vx + n * vy, c * vy - n * vx
    if not fits(s, i, u, v, w, spin_ahead, chassis, wheels):
        return False
    v = 0.0 if chassis[TYRES] > 0.0 else v
    for kinks in range(2):  # first as if no motor changed its piece meanwhile
        before, after, a, b, r, f = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        u1, v1, w1, um, vm, half, turn = u, v, w, u, v, 0.5 * h * w, h * w
        for k in range(4):  # Runge-Kutta; speeds and heading of mid-step by the cubic through the stages
            pu, pv, pw, inner = u + f * a, v + f * b, w + f * r, k % 3 != 0
            if k == 0 or kinks == 1:
                tx, ty, tw, xx, xy, xw, yy, yw, ww = gather(e, i, aim, pu, pv, pw, wheels)
            fx, fy = tx - xx * pu - xy * pv - xw * pw, ty - xy * pu - yy * pv - yw * pw
            a, b, r = respond(pu, pv, pw, fx, fy, tw - xw * pu - yw * pv - ww * pw, chassis)
            if not inner:
                before, after = after, check(e, i, aim, pu, pv, pw, a, b, r, chassis, wheels)
                if after < 0.0:
                    return False
            f, g = (h if k == 2 else 0.5 * h), h * (1.0 / 3.0 if inner else 1.0 / 6.0)
            u1, v1, w1 = u1 + g * a, v1 + g * b, w1 + g * r
            g = h * (1.0 / 6.0 if inner else 5.0 / 24.0 if k == 0 else -1.0 / 24.0)
            um, vm = um + g * a, vm + g * b
            half += h * h * (1.0 / 32.0 if inner else 7.0 / 96.0 if k == 0 else -1.0 / 96.0) * r
            turn += h * h * (0.0 if k == 3 else 1.0 / 6.0) * r
        if before == after:
            break
    cm, nm = cos_sin(half)
    ce, ne = cos_sin(turn)
    px, py, g = ce * u1 - ne * v1, ne * u1 + ce * v1, h * (1.0 / 6.0)
    dx, dy = g * (u + 4.0 * (cm * um - nm * vm) + px), g * (v + 4.0 * (nm * um + cm * vm) + py)
    x, y = ahead[s, i, 0] + c * dx - n * dy, ahead[s, i, 1] + n * dx + c * dy
    put(s, i, ahead, x, y, theta + turn, still(c * px - n * py), still(n * px + c * py), still(w1))
    for k in range(wheels.shape[0]):
        spin_ahead[s, i, k] = wheels[k, RX] * u1 + wheels[k, RY] * v1 + wheels[k, RW] * w1
    return True


@kernel
def arc(
    e: int, i: int, pose: Floats, aim: Floats, s: int, ahead: Floats, spin_ahead: Floats, wheels: Floats, dt: float
) -> None:
    """Write the end of the exact arc that perfect wheels drive; the body's velocity on it is constant."""
    u, v, w, theta = 0.0, 0.0, 0.0, pose[e, i, 2]
    for k in range(wheels.shape[0]):
        u += wheels[k, BX] * aim[e, i, k]
        v += wheels[k, BY] * aim[e, i, k]
        w += wheels[k, BW] * aim[e, i, k]
        spin_ahead[s, i, k] = aim[e, i, k]
    half = 0.5 * w * dt
    ch, nh = cos_sin(half)
    chord = dt * (nh / half if abs(half) > 1e-3 else 1.0 - half * half * (1.0 - 0.05 * half * half) * (1.0 / 6.0))
    c, n = cos_sin(theta + half)
    x, y = pose[e, i, 0] + chord * (c * u - n * v), pose[e, i, 1] + chord * (n * u + c * v)
    c, n = c * ch - n * nh, n * ch + c * nh
    put(s, i, ahead, x, y, theta + w * dt, c * u - n * v, n * u + c * v, w)


@kernel
def creep(
    e: int, i: int, c: float, n: float, pose: Floats, velocity: Floats, spin: Floats, aim: Floats, s: int,
    ahead: Floats, spin_ahead: Floats, chassis: Floats, wheels: Floats, dt: float,
) -> bool:  # fmt: skip
    """Do the same as `drive` in all cases that are not the common one."""
    if chassis[KINEMATIC] > 0.0:
        arc(e, i, pose, aim, s, ahead, spin_ahead, wheels, dt)
        return False
    x, y, theta = pose[e, i, 0], pose[e, i, 1], pose[e, i, 2]
    put(s, i, ahead, x, y, theta, velocity[e, i, 0], velocity[e, i, 1], velocity[e, i, 2])
    for k in range(wheels.shape[0]):
        spin_ahead[s, i, k] = spin[e, i, k]
    slipped, left = False, dt
    while left > 0.0:
        h = min(left, chassis[LONGEST])
        if not roll(e, i, c, n, aim, s, ahead, spin_ahead, chassis, wheels, h):
            h = min(h, SLIDE)
            if chassis[TYRES] > 0.0:
                drift(e, i, c, n, aim, s, ahead, spin_ahead, chassis, wheels, h)
            else:
                skid(e, i, c, n, aim, s, ahead, spin_ahead, chassis, wheels, h)
            slipped = True
        left -= h
        if left > 0.0:
            c, n = cos_sin(ahead[s, i, 2])
    return slipped


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
            ok, u1, w1, um, half, turn = on_tyres(u, w, left_aim, right_aim, chassis, wheels, dt)
            if ok > 0.0 and max(abs(turn), abs(2.0 * half)) < 2.0 * SMALL:
                cm, nm = small_turn(half)
                ce, ne = small_turn(0.5 * turn)
                ce, ne = 1.0 - 2.0 * ne * ne, 2.0 * ce * ne
                g = dt * (1.0 / 6.0)
                dx, dy = g * (u + 4.0 * cm * um + ce * u1), g * (4.0 * nm * um + ne * u1)
                x, y = px + c * dx - n * dy, py + n * dx + c * dy
                put(s, i, ahead, x, y, theta + turn, (c * ce - n * ne) * u1, (n * ce + c * ne) * u1, w1)
                spin_ahead[s, i, 0] = rx * u1 - rw * w1
                spin_ahead[s, i, 1] = rx * u1 + rw * w1
                return True
    return False


@kernel
def drive(
    e: int, i: int, c: float, n: float, pose: Floats, velocity: Floats, spin: Floats, aim: Floats, s: int,
    ahead: Floats, spin_ahead: Floats, chassis: Floats, wheels: Floats, dt: float,
) -> bool:  # fmt: skip
    """Say whether a tyre slipped while robot i moved by dt; where it is then stands in ``ahead``, ``spin_ahead``.

    ahead (s, n, 24): x, y, theta (not wrapped), vx, vy, omega, then room to work in. ``aim`` (e, n, w) are the rates
    that the wheels shall have, finite. The rest is only read.
    """
    if cruise(i, c, n, seen(e, i, pose, velocity, spin, aim), s, ahead, spin_ahead, chassis, wheels, dt):
        return False
    return creep(e, i, c, n, pose, velocity, spin, aim, s, ahead, spin_ahead, chassis, wheels, dt)
