"""The pitch: what is painted on it and where its walls stand."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Field:
    """Geometry of a pitch; the origin is its centre, x runs along its length."""

    length: float  # between the goal lines
    width: float  # between the touch lines
    margin_x: float  # from a goal line to the wall behind it; 0: the wall stands on the line
    margin_y: float  # from a touch line to the wall beside it
    corner: float  # leg of the triangles that fill the four corners; 0: none
    goal_width: float
    goal_depth: float
    goal_wall: float  # thickness of the walls of a goal that stands free (margin_x > 0)
    area_length: float  # goal (defence) area, along x
    area_width: float  # and along y
    circle_radius: float  # centre circle

    @property
    def half_length(self) -> float:
        """x of the goal line that we attack."""
        return 0.5 * self.length

    @property
    def half_width(self) -> float:
        """y of the touch line to our left."""
        return 0.5 * self.width
