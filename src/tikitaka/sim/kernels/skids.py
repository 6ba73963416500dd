"""Wheels that slip: body and wheels move on their own, and each tyre drags at most with its grip, against its slip.

One implicit step, so that it ends in rolling without chatter and adds no energy: the velocity at its end makes
``1/2 |V - V0|^2_M + sum of grip h slip`` smallest. A slipping tyre is a damper of strength grip / slip, and its slip is
found by repetition; one that holds is a damper strong enough to hold. On tyres it is first tried whether the two hold
the robot sideways together. All in the body frame at the end of the step, into which the mass centre's velocity is
turned: momentum changes by the tyres' forces alone.

u, v, w  velocity of the geometric centre at the end [m/s], [m/s], [rad/s]; w0: yaw rate at the start
rim      speed of a wheel's rim at the end if it did not touch the ground [m/s]
q        slip speed that one newton second along the wheel takes away, the body held still [1/kg]
p, b     impulse along the wheel; the largest that its grip gives in the step, grip * h [N s]
z        slip speed [m/s]
"""

import math

from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import clamp
from tikitaka.sim.kernels.chassis import (
    ARM,
    DAMPING,
    FEED,
    GAIN,
    GIVE,
    GRIP,
    INERTIA,
    INV_INERTIA,
    INV_MASS,
    LIMIT,
    MASS,
    OFFSET,
    RADIUS,
    SIDE_ARM,
    SLOPE,
    SMALL,
    STALL,
    TYRES,
    UX,
    UY,
    WHEEL_INERTIA,
    Floats,
    cos_sin,
    put,
    small_turn,
)  # fmt: skip

STUCK = 1e-5  # [m/s] chosen: a tyre that holds creeps slower than this; below `chassis.FIT`
CLOSE = 0.1  # chosen: part of its slip by which a settled tyre may still change; forces are good to 1 % then
ROUNDS = 6  # at most, chosen: most settle in 2 to 4
INNER = 2  # steps of Newton's method for a tyre's slip
TINY = 1e-30  # against division by zero
SLIPS, PUSHES, RIMS, GIVES = 6, 10, 14, 18  # columns of ``ahead`` that keep z, p, rim, q of up to four wheels meanwhile


@kernel
def spin_free(aim: float, rate: float, p: float, wheels: Floats, h: float) -> tuple[float, float]:
    """Return (rim, q) of a wheel after h seconds; p [N s] is about what the ground takes from it.

    The torque belongs to the rate at the end of the step, so that no gain is too high for it.
    """
    r, inertia, mu = wheels[0, RADIUS], wheels[0, WHEEL_INERTIA], wheels[0, DAMPING]
    stall, slope, limit = wheels[0, STALL], wheels[0, SLOPE], wheels[0, LIMIT]
    heavy, push = inertia + h * (wheels[0, GAIN] + mu), wheels[0, FEED] * aim
    end = (inertia * rate + h * push - r * p) / heavy
    tau, line = push - wheels[0, GAIN] * end, slope * end
    sign = 1.0 if tau > min(limit, stall - line) else -1.0 if tau < max(-limit, -stall - line) else 0.0
    if sign != 0.0:  # the controller asks for more than the motor has
        push, heavy = sign * limit, inertia + h * mu
        if (stall - limit) * heavy < sign * slope * (inertia * rate + h * push - r * p):
            push, heavy = sign * stall, heavy + h * slope
    return (inertia * rate + h * push) / heavy * r, r * r / heavy


@kernel
def balance(
    e: int, i: int, aim: Floats, s: int, ahead: Floats, spin_ahead: Floats, chassis: Floats, wheels: Floats,
    h: float, uc: float, vc: float, held: bool,
) -> tuple[float, float, float]:  # fmt: skip
    """Return (u, v, w) at the end, each tyre a damper for the slip guessed; (uc, vc): mass centre's at the start."""
    m, md = chassis[MASS], chassis[MASS] * chassis[OFFSET]
    xx, yy, ww, xy, xw, yw = m, m, chassis[INERTIA] + md * chassis[OFFSET], 0.0, 0.0, md
    fx, fy, fw = m * uc, m * vc, chassis[INERTIA] * ahead[s, i, 5] + md * vc
    for k in range(wheels.shape[0]):
        ux, uy, arm, b = wheels[k, UX], wheels[k, UY], wheels[k, ARM], wheels[k, GRIP] * h
        rim, q = spin_free(aim[e, i, k], spin_ahead[s, i, k], ahead[s, i, PUSHES + k], wheels, h)
        ahead[s, i, RIMS + k] = rim
        ahead[s, i, GIVES + k] = q
        z = ahead[s, i, SLIPS + k]
        c = b / (z + q * b)
        xx, xy, xw = xx + c * ux * ux, xy + c * ux * uy, xw + c * ux * arm
        yy, yw, ww = yy + c * uy * uy, yw + c * uy * arm, ww + c * arm * arm
        fx, fy, fw = fx + c * ux * rim, fy + c * uy * rim, fw + c * arm * rim
        if chassis[TYRES] > 0.0:  # they drive straight ahead and stand beside the centre
            yy += b / (STUCK if held else z)
    over = 1.0 / xx  # the symmetric system (xx, xy, xw), (xy, yy, yw), (xw, yw, ww)
    xy1, xw1 = xy * over, xw * over
    yy, yw, ww, fy, fw = yy - xy1 * xy, yw - xy1 * xw, ww - xw1 * xw, fy - xy1 * fx, fw - xw1 * fx
    yw1 = yw / yy
    w = (fw - yw1 * fy) / (ww - yw1 * yw)
    v = fy / yy - yw1 * w
    return fx * over - xy1 * v - xw1 * w, v, w


@kernel
def settle(
    s: int, i: int, ahead: Floats, wheels: Floats, h: float, u: float, v: float, w: float, sideways: bool
) -> bool:
    """Say whether no tyre's slip changed much; each gets a new guess of it, and of the impulse along the wheel."""
    done = True
    for k in range(wheels.shape[0]):
        b, old, q = wheels[k, GRIP] * h, ahead[s, i, SLIPS + k], ahead[s, i, GIVES + k]
        x, qb = ahead[s, i, RIMS + k] - wheels[k, UX] * u - wheels[k, UY] * v - wheels[k, ARM] * w, q * b
        part = 1.0 / (old + qb)
        p = x * b * part
        if sideways:  # x = along (1 + q b / z), z^2 = along^2 + v^2: the wheel gives way at once, the body does not
            least = max(STUCK, abs(v), abs(x) - qb)
            new = max(least, old)
            for _ in range(INNER):
                y = new + qb
                v2, x2, both = v * v * y * y, x * x * new * new, new * y
                new = max(least, new + 0.5 * both * (v2 + x2 - both * both) / (v2 * y + x2 * new))
            p = x * b / (new + qb)
        else:
            new = max(STUCK, abs(x) * old * part + (q + wheels[k, GIVE]) * (abs(p) - b))
            if new > STUCK:
                p = b if p > 0.0 else -b
        done = done and abs(new - old) <= CLOSE * old
        ahead[s, i, SLIPS + k] = new
        ahead[s, i, PUSHES + k] = clamp(p, -b, b)
    return done


@kernel
def load(s: int, i: int, ahead: Floats, wheels: Floats, h: float, v: float) -> tuple[float, float]:
    """Return what tyres that should hold must give sideways, and what they can [N s]; v: at which they creep."""
    need, room = 0.0, TINY
    for k in range(wheels.shape[0]):
        b, p = wheels[k, GRIP] * h, ahead[s, i, PUSHES + k]
        need += b * abs(v) / STUCK
        room += math.sqrt(max(0.0, b * b - p * p))
    return need, room


@kernel
def apply(
    s: int, i: int, ahead: Floats, spin_ahead: Floats, chassis: Floats, wheels: Floats, h: float,
    uc: float, vc: float, v: float, share: float,
) -> tuple[float, float, float]:  # fmt: skip
    """Return (u, v, w) by impulses none of which is beyond its grip; share: of the room sideways, -1: slipping."""
    fx, fy, fw = 0.0, 0.0, 0.0
    for k in range(wheels.shape[0]):
        ux, uy, b, p = wheels[k, UX], wheels[k, UY], wheels[k, GRIP] * h, ahead[s, i, PUSHES + k]
        room = math.sqrt(max(0.0, b * b - p * p))
        q = share * room if v < 0.0 else -share * room
        if share < 0.0:
            q = clamp(-v * b / ahead[s, i, SLIPS + k], -room, room)
        fx, fy, fw = fx + ux * p - uy * q, fy + uy * p + ux * q, fw + wheels[k, ARM] * p + wheels[k, SIDE_ARM] * q
        spin_ahead[s, i, k] = (ahead[s, i, RIMS + k] - ahead[s, i, GIVES + k] * p) / wheels[k, RADIUS]
    w = ahead[s, i, 5] + (fw - chassis[OFFSET] * fy) * chassis[INV_INERTIA]
    return uc + fx * chassis[INV_MASS], vc + fy * chassis[INV_MASS] - chassis[OFFSET] * w, w


@kernel
def first_guess(
    s: int, i: int, ahead: Floats, spin_ahead: Floats, chassis: Floats, wheels: Floats, h: float, u: float, v: float
) -> float:
    """Return the sideways speed that is far beyond the grip of tyres, else 0; guess slips by (u, v) and the rates."""
    w, grip = ahead[s, i, 5], 0.0
    for k in range(wheels.shape[0]):
        along = wheels[k, UX] * u + wheels[k, UY] * v + wheels[k, ARM] * w - wheels[k, RADIUS] * spin_ahead[s, i, k]
        ahead[s, i, SLIPS + k] = max(STUCK, abs(along))
        ahead[s, i, PUSHES + k] = 0.0
        grip += wheels[k, GRIP] * h
    far = max(0.0, abs(v - h * w * u) - 1.5 * grip * chassis[INV_MASS])
    return far if chassis[TYRES] > 0.0 else 0.0


@kernel
def skid(
    e: int, i: int, c0: float, n0: float, aim: Floats, s: int, ahead: Floats, spin_ahead: Floats, chassis: Floats,
    wheels: Floats, h: float,
) -> None:  # fmt: skip
    """Move ``ahead`` and ``spin_ahead`` on by h seconds with tyres that may slip; c0, n0: of the heading."""
    x, y, theta = ahead[s, i, 0], ahead[s, i, 1], ahead[s, i, 2]
    vx, vy, w0 = ahead[s, i, 3], ahead[s, i, 4], ahead[s, i, 5]
    u, v, w = c0 * vx + n0 * vy, c0 * vy - n0 * vx, w0
    tyres, lead = chassis[TYRES] > 0.0, v + chassis[OFFSET] * w0
    over, fore = first_guess(s, i, ahead, spin_ahead, chassis, wheels, h, u, v), u
    turn, c, n, held, share = 0.0, 1.0, 0.0, tyres and over == 0.0, -chassis[TYRES]
    while True:
        for k in range(wheels.shape[0]):
            ahead[s, i, SLIPS + k] += over
        for _ in range(ROUNDS):
            turn = 0.5 * h * (w0 + w)
            c, n = small_turn(turn) if abs(turn) < SMALL else cos_sin(turn)
            u, v, w = balance(
                e, i, aim, s, ahead, spin_ahead, chassis, wheels, h, c * fore + n * lead, c * lead - n * fore, held
            )
            if (held and abs(v) > STUCK) or settle(s, i, ahead, wheels, h, u, v, w, tyres and not held):
                break  # tyres that creep faster than STUCK give more than all their grip
        if not held:
            break
        need, room = load(s, i, ahead, wheels, h, v)
        over, share, held = max(0.0, need - room) * chassis[INV_MASS], need / room, False
        if over == 0.0:
            break
        share = -1.0
    u, v, w = apply(s, i, ahead, spin_ahead, chassis, wheels, h, c * fore + n * lead, c * lead - n * fore, v, share)
    c, n = c0 * c - n0 * n, n0 * c + c0 * n
    px, py = c * u - n * v, n * u + c * v
    put(s, i, ahead, x + 0.5 * h * (vx + px), y + 0.5 * h * (vy + py), theta + turn, px, py, w)
