"""A tyre of a robot that leans: a motor that pulls along its wheel, and rubber that holds across it.

p, q          impulses so far along and across
ux, uy        direction of the wheel;  lever, turn: levers of p and q about the mass centre
want, soft    speed that the motor wants; what a unit impulse costs of it because the motor gives way
low, high     the motor's bounds of p;  most: the grip's bound of both
give, side    impulses that change the speed along, and across, by one; side 0: it holds nothing across
"""

from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import clamp, clip_norm, norm

ROUNDS = 24
SLIPPING = 0.999  # of a tyre's grip: one that is so near to it slips


@kernel
def hold(
    p: float, q: float, missing: float, across: float, give: float, side: float, low: float, high: float, most: float
) -> tuple[float, float]:
    """Return the impulses along and across a wheel that take away what is missing and what slides, as far as it can."""
    new_p, new_q = clamp(p + missing * give, low, high), q - across * side
    if new_p * new_p + new_q * new_q <= most * most:
        return new_p, new_q
    step = min(give, side) if side > 0.0 else give  # it slips, and drags against its slip: one step for both
    new_q = q - step * across if side > 0.0 else 0.0
    return clip_norm(clamp(p + step * missing, low, high), new_q, most)


@kernel
def grip(
    vx: float, vy: float, omega: float, p: float, q: float, ux: float, uy: float, lever: float, turn: float,
    want: float, soft: float, low: float, high: float, give: float, side: float, most: float, m: float, inv_i: float,
) -> tuple[float, float, float, float, float, float]:  # fmt: skip
    """Return (vx, vy, omega, p, q, change of speed) after a tyre has pulled along its wheel and held across it."""
    missing = want - vx * ux - vy * uy - omega * lever - soft * p
    new_p, new_q = hold(p, q, missing, vy * ux - vx * uy + omega * turn, give, side, low, high, most)
    dp, dq = new_p - p, new_q - q
    vx, vy = vx + m * (dp * ux - dq * uy), vy + m * (dp * uy + dq * ux)
    return vx, vy, omega + inv_i * (dp * lever + dq * turn), new_p, new_q, m * max(abs(dp), abs(dq))


@kernel
def rolls_at(speed: float, p: float, q: float, want: float, soft: float, most: float) -> float:
    """Return at what speed a wheel turns: with the ground at ``speed``, or as its motor can where the tyre slips."""
    return want - p * soft if norm(p, q) >= SLIPPING * most else speed
