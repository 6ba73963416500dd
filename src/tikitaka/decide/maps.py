"""What a team sees when it looks at the pitch: where shots score, and where passes arrive."""

import numpy as np

from tikitaka.decide.facts import Facts, table
from tikitaka.decide.kernels import mapping
from tikitaka.types import Floats, World

ROWS, COLUMNS = 20, 30  # chosen: cells of a map


def maps(facts: Facts, world: World, rows: int = ROWS, columns: int = COLUMNS) -> tuple[Floats, Floats]:
    """Return (rows, columns) chances over the pitch: to score from there, and to pass there from the ball.

    Row 0 is the touch line to our right, column 0 our goal line.
    """
    goals, passes = np.empty((rows, columns)), np.empty((rows, columns))
    b, them = world.ball, world.theirs
    mapping.fill_maps(b.x, b.y, them.pose, them.velocity, table(facts, world.field), goals, passes)
    return goals, passes
