"""Wheels that slip: body and wheels move on their own, and each tyre drags at most with its grip, against its slip.

One implicit step, so that it ends in rolling without chatter and adds no energy: the velocity at its end makes
``1/2 |V - V0|^2_M + sum of grip h slip`` smallest. A slipping tyre is a damper of strength grip / slip, and its slip is
found by repetition; one that holds is a damper strong enough to hold. All in the body frame at the end of the step,
into which the mass centre's velocity is turned: momentum changes by the tyres' forces alone. Here are wheels that drag
only along, at any angles; `drifts` has the two of robots that they hold sideways, too.

u, v, w  velocity of the geometric centre at the end [m/s], [m/s], [rad/s]; w0: yaw rate at the start
rim      speed of a wheel's rim at the end if it did not touch the ground [m/s]
q        slip speed that one newton second along the wheel takes away, the body held still [1/kg]
p, b     impulse along the wheel; the largest that its grip gives in the step, grip * h [N s]
z        slip speed [m/s]
"""

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
    SLOPE,
    SMALL,
    STALL,
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
SLIPS, PUSHES, RIMS, GIVES = 8, 12, 16, 20  # columns of ``ahead`` that keep z, p, rim, q of up to four wheels meanwhile


@kernel
def spin_free(aim: float, rate: float, p: float, wheels: Floats, h: float) -> tuple[float, float]:
    """Return (rim, q) of a wheel after h seconds; p [N s] is about what the ground takes from it.

    The torque belongs to the rate at the end of the step, so that no gain is too high for it.
    """
    r, inertia, mu = wheels[0, RADIUS], wheels[0, WHEEL_INERTIA], wheels[0, DAMPING]
    stall, slope, limit = wheels[0, STALL], wheels[0, SLOPE], wheels[0, LIMIT]
    heavy, push = inertia + h * (wheels[0, GAIN] + mu), wheels[0, FEED] * aim
    one = 1.0 / heavy
    end = (inertia * rate + h * push - r * p) * one
    tau, line = push - wheels[0, GAIN] * end, slope * end
    sign = 1.0 if tau > min(limit, stall - line) else -1.0 if tau < max(-limit, -stall - line) else 0.0
    if sign != 0.0:  # the controller asks for more than the motor has
        push, heavy = sign * limit, inertia + h * mu
        if (stall - limit) * heavy < sign * slope * (inertia * rate + h * push - r * p):
            push, heavy = sign * stall, heavy + h * slope
        one = 1.0 / heavy
    return (inertia * rate + h * push) * one * r, r * r * one


@kernel
def balance(
    e: int, i: int, aim: Floats, s: int, ahead: Floats, spin_ahead: Floats, chassis: Floats, wheels: Floats,
    h: float, uc: float, vc: float,
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
    over = 1.0 / xx  # the symmetric system (xx, xy, xw), (xy, yy, yw), (xw, yw, ww)
    xy1, xw1 = xy * over, xw * over
    yy, yw, ww, fy, fw = yy - xy1 * xy, yw - xy1 * xw, ww - xw1 * xw, fy - xy1 * fx, fw - xw1 * fx
    yw1 = yw / yy
    w = (fw - yw1 * fy) / (ww - yw1 * yw)
    v = fy / yy - yw1 * w
    return fx * over - xy1 * v - xw1 * w, v, w


@kernel
def settle(s: int, i: int, ahead: Floats, wheels: Floats, h: float, u: float, v: float, w: float) -> bool:
    """Say whether no tyre's slip changed much; each gets a new guess of it, and of the impulse along the wheel."""
    done = True
    for k in range(wheels.shape[0]):
        b, old, q = wheels[k, GRIP] * h, ahead[s, i, SLIPS + k], ahead[s, i, GIVES + k]
        x = ahead[s, i, RIMS + k] - wheels[k, UX] * u - wheels[k, UY] * v - wheels[k, ARM] * w
        new, ahead[s, i, PUSHES + k] = grasp(x, old, q, b, wheels[k, GIVE])
        ahead[s, i, SLIPS + k] = new
        done = done and abs(new - old) <= CLOSE * old
    return done


@kernel
def grasp(x: float, old: float, q: float, b: float, give: float) -> tuple[float, float]:
    """Return (z, p) of a tyre along its wheel; x: its slip at the end if the ground did not drag at it."""
    part = 1.0 / (old + q * b)
    p = x * b * part
    z = max(STUCK, abs(x) * old * part + (q + give) * (abs(p) - b))
    if z > STUCK:
        p = b if p > 0.0 else -b
    return z, clamp(p, -b, b)


@kernel
def apply(
    s: int, i: int, ahead: Floats, spin_ahead: Floats, chassis: Floats, wheels: Floats, uc: float, vc: float
) -> tuple[float, float, float]:
    """Return (u, v, w) by impulses none of which is beyond its grip."""
    fx, fy, fw = 0.0, 0.0, 0.0
    for k in range(wheels.shape[0]):
        p = ahead[s, i, PUSHES + k]
        fx, fy, fw = fx + wheels[k, UX] * p, fy + wheels[k, UY] * p, fw + wheels[k, ARM] * p
        spin_ahead[s, i, k] = (ahead[s, i, RIMS + k] - ahead[s, i, GIVES + k] * p) / wheels[k, RADIUS]
    w = ahead[s, i, 5] + (fw - chassis[OFFSET] * fy) * chassis[INV_INERTIA]
    return uc + fx * chassis[INV_MASS], vc + fy * chassis[INV_MASS] - chassis[OFFSET] * w, w


@kernel
def first_guess(
    s: int, i: int, ahead: Floats, spin_ahead: Floats, wheels: Floats, u: float, v: float, w: float
) -> None:
    """Guess slips by the velocity and the rates at the start."""
    for k in range(wheels.shape[0]):
        along = wheels[k, UX] * u + wheels[k, UY] * v + wheels[k, ARM] * w - wheels[k, RADIUS] * spin_ahead[s, i, k]
        ahead[s, i, SLIPS + k], ahead[s, i, PUSHES + k] = max(STUCK, abs(along)), 0.0


@kernel
def shifted(
    vx: float, vy: float, w0: float, c0: float, n0: float, px: float, py: float, w: float, c: float, n: float,
    d: float, h: float,
) -> tuple[float, float]:  # fmt: skip
    """Return the way of the geometric centre in h; the mass centre's is that of its mean velocity."""
    dx, dy = 0.5 * h * (vx - d * w0 * n0 + px - d * w * n), 0.5 * h * (vy + d * w0 * c0 + py + d * w * c)
    return dx + d * (c0 - c), dy + d * (n0 - n)


@kernel
def skid(
    e: int, i: int, c0: float, n0: float, aim: Floats, s: int, ahead: Floats, spin_ahead: Floats, chassis: Floats,
    wheels: Floats, h: float,
) -> None:  # fmt: skip
    """Move ``ahead`` and ``spin_ahead`` on by h seconds with wheels that may slip; c0, n0: of the heading."""
    x, y, theta = ahead[s, i, 0], ahead[s, i, 1], ahead[s, i, 2]
    vx, vy, w0 = ahead[s, i, 3], ahead[s, i, 4], ahead[s, i, 5]
    u, v, w = c0 * vx + n0 * vy, c0 * vy - n0 * vx, w0
    fore, lead, turn, c, n, uc, vc = u, v + chassis[OFFSET] * w0, 0.0, 1.0, 0.0, u, v
    first_guess(s, i, ahead, spin_ahead, wheels, u, v, w)
    for _ in range(ROUNDS):
        turn = 0.5 * h * (w0 + w)
        c, n, uc, vc = turned(turn, fore, lead)
        u, v, w = balance(e, i, aim, s, ahead, spin_ahead, chassis, wheels, h, uc, vc)
        if settle(s, i, ahead, wheels, h, u, v, w):
            break
    u, v, w = apply(s, i, ahead, spin_ahead, chassis, wheels, uc, vc)
    c, n = c0 * c - n0 * n, n0 * c + c0 * n
    px, py = c * u - n * v, n * u + c * v
    dx, dy = shifted(vx, vy, w0, c0, n0, px, py, w, c, n, chassis[OFFSET], h)
    put(s, i, ahead, x + dx, y + dy, theta + turn, px, py, w)


@kernel
def turned(turn: float, fore: float, lead: float) -> tuple[float, float, float, float]:
    """Return cosine and sine of a turn, and a velocity as the turned body sees it."""
    c, n = small_turn(turn) if abs(turn) < SMALL else cos_sin(turn)
    return c, n, c * fore + n * lead, c * lead - n * fore
