"""Commands as the kernels take them, which do not check: float64 and True or False, one row a robot."""

import numpy as np

from tikitaka.errors import ContractError
from tikitaka.types import Commands, Floats
from tikitaka.types.limits import shape_of, switches

FLOAT, BOOL = np.dtype(np.float64), np.dtype(np.bool_)
Shape = tuple[int, ...]


def fitting(commands: Commands, wheels: Shape, rows: Shape) -> Commands:
    """Return commands of these shapes, other numbers turned into float64; raise where they cannot be."""
    c = commands
    try:
        if (
            c.wheels.shape == wheels and c.kick.shape == c.dribble.shape == rows
            and FLOAT == c.wheels.dtype == c.kick.dtype and c.dribble.dtype == BOOL
            and (c.lift is None or (c.lift.shape == rows and c.lift.dtype == FLOAT))
        ):  # fmt: skip
            return c
    except AttributeError:  # no arrays: said below
        pass
    if not isinstance(c, Commands):
        raise ContractError(f"commands must be Commands; got {type(c).__name__}")
    turn, kick = _floats("wheels", c.wheels, wheels), _floats("kick", c.kick, rows)
    lift = None if c.lift is None else _floats("lift", c.lift, rows)
    _refuse_shape("dribble", c.dribble, rows)
    return Commands(turn, kick, switches("commands.dribble", c.dribble), c.stopped, lift)


def _floats(name: str, values: Floats, shape: Shape) -> Floats:
    _refuse_shape(name, values, shape)
    if values.dtype.kind not in "fiu":
        raise ContractError(f"commands.{name} must be numbers; got {shape_of(values)}")
    return values.astype(np.float64)


def _refuse_shape(name: str, values: object, shape: Shape) -> None:
    if not isinstance(values, np.ndarray):
        raise ContractError(f"commands.{name} must be an array {shape}; got {shape_of(values)}")
    if values.shape != shape:
        raise ContractError(f"commands.{name} must be {shape}; got {values.shape}")
