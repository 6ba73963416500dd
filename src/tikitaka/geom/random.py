"""Random numbers without hidden state: (seed, env, step, stream) -> uniform or normal.

A counter-based generator [Salmon2011] is a scrambling function, not a sequence: any draw can be had alone, in any
order, by any thread. So a run gives the same numbers on a CPU, on a GPU, in one process or in a hundred, and a replay
may start in the middle.

"The same" means to the last bit, and that decides how this file is written:
- Words of 32 bits live in signed 64-bit integers and are masked after each sum and shift. They never overflow, so it
  does not matter that Python's integers grow where compiled ones wrap, nor that numba turns int64 mixed with uint64
  into floats. Hand in plain ints or int64, never uint64.
- A normal is the inverse of the normal distribution [Wichura1988] at one uniform: no rejection, nothing to keep.
- Its logarithm is our own, from + - * / alone: libm differs from machine to machine and from CPU to GPU, IEEE
  arithmetic does not. (A CUDA kernel must be compiled with ``fma=False``, or products and sums are fused.)

k0, k1   key, two words
c0, c1   counter, two words: the low word of the step, and the stream
"""

import math

from tikitaka.geom.jit import kernel

_WORD = 0xFFFFFFFF
_PARITY = 0x1BD11BDA  # [Salmon2011, sec. 3.2.1] C240 of Threefish, cut to 32 bits
_EPOCH = 0x80000000  # streams are below this, so it marks the counters that make keys
_LN2_HIGH = 0.6931467056274414  # 21 bits of ln 2: a small integer times this is exact
_LN2_LOW = 4.7493250390316726e-07
_SQRT_HALF = math.sqrt(0.5)


@kernel
def threefry(k0: int, k1: int, c0: int, c1: int) -> tuple[int, int]:
    """Return two random words: Threefry-2x32 with 20 rounds of a counter under a key [Salmon2011, sec. 3.2.1]."""
    k2 = _PARITY ^ k0 ^ k1
    x, y = (c0 + k0) & _WORD, (c1 + k1) & _WORD
    x, y = _four_rounds(x, y, 13, 15, 26, 6)
    x, y = (x + k1) & _WORD, (y + k2 + 1) & _WORD
    x, y = _four_rounds(x, y, 17, 29, 16, 24)
    x, y = (x + k2) & _WORD, (y + k0 + 2) & _WORD
    x, y = _four_rounds(x, y, 13, 15, 26, 6)
    x, y = (x + k0) & _WORD, (y + k1 + 3) & _WORD
    x, y = _four_rounds(x, y, 17, 29, 16, 24)
    x, y = (x + k1) & _WORD, (y + k2 + 4) & _WORD
    x, y = _four_rounds(x, y, 13, 15, 26, 6)
    return (x + k2) & _WORD, (y + k0 + 5) & _WORD


@kernel
def key(seed: int, env: int) -> tuple[int, int]:
    """Return the key of world ``env`` (>= 0) in the run ``seed`` (0 to 2**63 - 1); no two worlds of a run share one."""
    return threefry(seed & _WORD, (seed >> 32) & _WORD, env & _WORD, (env >> 32) & _WORD)


@kernel
def uniform(k0: int, k1: int, step: int, stream: int) -> float:
    """Return a number in [0, 1), a multiple of 2**-53. Needs step >= 0 and 0 <= stream < 2**31."""
    r0, r1 = _draw(k0, k1, step, stream)
    return float((r0 << 21) | (r1 >> 11)) * 2.0**-53


@kernel
def normal(k0: int, k1: int, step: int, stream: int) -> float:
    """Return a draw of mean 0 and deviation 1, within +-8.21. Needs step >= 0 and 0 <= stream < 2**31."""
    r0, r1 = _draw(k0, k1, step, stream)
    return inverse_normal((float((r0 << 20) | (r1 >> 12)) + 0.5) * 2.0**-52)  # 52 bits and a half: never 0 or 1


@kernel
def inverse_normal(p: float) -> float:
    """Return the number that a standard normal stays below with probability p, 2**-53 <= p <= 1 - 2**-53."""
    q = p - 0.5
    if abs(q) <= 0.425:
        return q * _middle(0.180625 - q * q)
    r = math.sqrt(-log_unit(p if q < 0.0 else 1.0 - p))
    return math.copysign(_shoulder(r - 1.6) if r <= 5.0 else _tail(r - 5.0), q)


@kernel
def log_unit(x: float) -> float:
    """Return the natural logarithm of x, 2**-63 <= x <= 1, from arithmetic alone."""
    e, bits = 0, 32
    while bits > 0:
        scale = float(1 << bits)
        if x * scale <= 1.0:
            x *= scale
            e -= bits
        bits >>= 1
    if x < _SQRT_HALF:
        x *= 2.0
        e -= 1
    return e * _LN2_HIGH + (e * _LN2_LOW + _log_near_one(x))


@kernel
def _log_near_one(x: float) -> float:
    """Return the logarithm for sqrt(1/2) <= x <= sqrt(2): the series of 2 atanh(t), cut where a term is below 1e-18."""
    t = (x - 1.0) / (x + 1.0)
    z = t * t
    high = 1.0 / 13.0 + z * (1.0 / 15.0 + z * (1.0 / 17.0 + z * (1.0 / 19.0 + z / 21.0)))
    low = 1.0 / 3.0 + z * (1.0 / 5.0 + z * (1.0 / 7.0 + z * (1.0 / 9.0 + z * (1.0 / 11.0 + z * high))))
    return 2.0 * t + 2.0 * t * (z * low)


@kernel
def _draw(k0: int, k1: int, step: int, stream: int) -> tuple[int, int]:
    """Return two random words; every 2**32 steps a new key is made of the old one."""
    if step > _WORD:
        k0, k1 = threefry(k0, k1, step >> 32, _EPOCH)
    return threefry(k0, k1, step & _WORD, stream)


@kernel
def _four_rounds(x: int, y: int, r0: int, r1: int, r2: int, r3: int) -> tuple[int, int]:
    x = (x + y) & _WORD
    y = _rotate_left(y, r0) ^ x
    x = (x + y) & _WORD
    y = _rotate_left(y, r1) ^ x
    x = (x + y) & _WORD
    y = _rotate_left(y, r2) ^ x
    x = (x + y) & _WORD
    return x, _rotate_left(y, r3) ^ x


@kernel
def _rotate_left(x: int, n: int) -> int:
    return ((x << n) & _WORD) | (x >> (32 - n))


@kernel
def _middle(r: float) -> float:  # [Wichura1988, PPND16] a over b
    return _powers(
        r, 3.3871328727963666080, 133.14166789178437745, 1971.5909503065514427, 13731.693765509461125,
        45921.953931549871457, 67265.770927008700853, 33430.575583588128105, 2509.0809287301226727,
    ) / _powers(
        r, 1.0, 42.313330701600911252, 687.18700749205790830, 5394.1960214247511077,
        21213.794301586595867, 39307.895800092710610, 28729.085735721942674, 5226.4952788528545610,
    )  # fmt: skip


@kernel
def _shoulder(r: float) -> float:  # [Wichura1988, PPND16] c over d
    return _powers(
        r, 1.42343711074968357734, 4.63033784615654529590, 5.76949722146069140550, 3.64784832476320460504,
        1.27045825245236838258, 0.241780725177450611770, 0.0227238449892691845833, 7.74545014278341407640e-4,
    ) / _powers(
        r, 1.0, 2.05319162663775882187, 1.67638483018380384940, 0.689767334985100004550,
        0.148103976427480074590, 0.0151986665636164571966, 5.47593808499534494600e-4, 1.05075007164441684324e-9,
    )  # fmt: skip


@kernel
def _tail(r: float) -> float:  # [Wichura1988, PPND16] e over f
    return _powers(
        r, 6.65790464350110377720, 5.46378491116411436990, 1.78482653991729133580, 0.296560571828504891230,
        0.0265321895265761230930, 1.24266094738807843860e-3, 2.71155556874348757815e-5, 2.01033439929228813265e-7,
    ) / _powers(
        r, 1.0, 0.599832206555887937690, 0.136929880922735805310, 0.0148753612908506148525,
        7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7, 2.04426310338993978564e-15,
    )  # fmt: skip


@kernel
def _powers(r: float, a0: float, a1: float, a2: float, a3: float, a4: float, a5: float, a6: float, a7: float) -> float:
    """Return a0 + a1 r + ... + a7 r**7."""
    return ((((((a7 * r + a6) * r + a5) * r + a4) * r + a3) * r + a2) * r + a1) * r + a0
