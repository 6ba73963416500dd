"""Names for the arrays that cross stages. All are read-only by agreement: a stage makes new ones."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
