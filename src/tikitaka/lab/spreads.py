"""Rows of many seeds: the mean and its 95 % interval."""

import math
from collections.abc import Sequence

import numpy as np

from tikitaka.lab.report import NO_PAPER, Row

# two-sided 95 % of Student's t for 1, 2, ... degrees of freedom
T95 = (12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.20, 2.18, 2.16, 2.14, 2.13, 2.12, 2.11)


def spread(label: str, values: Sequence[float], unit: str, paper: float | None = None) -> Row:
    """Return the row of one number that every seed has given; its verdict says how far off the paper's it is."""
    n, mean = len(values), float(np.mean(values))
    verdict = NO_PAPER if paper is None else f"{100.0 * (mean / paper - 1.0):+.1f} %"
    if n == 1:
        return Row(label, paper, mean, None, None, unit, verdict)
    half = student(n) * float(np.std(values, ddof=1)) / math.sqrt(n)
    return Row(label, paper, mean, mean - half, mean + half, unit, verdict)


def student(n: int) -> float:
    """Return by how many standard errors the mean of n values may be off, 95 %; beyond the table within 0.01."""
    return T95[n - 2] if n - 2 < len(T95) else 1.96 + 2.4 / (n - 1)


def rms(values: object) -> float:
    """Return the root of the mean square."""
    return math.sqrt(float(np.mean(np.square(np.asarray(values, np.float64)))))
