"""Which rows of the detections belong to one picture."""

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.jit import kernel

Floats = NDArray[np.float64]


@kernel
def picture_end(time: Floats, first: int) -> int:
    """Return the row behind the last one of the picture that begins at row ``first``; its rows stand together."""
    end = first + 1
    while end < time.shape[0] and time[end] == time[first]:
        end += 1
    return end
