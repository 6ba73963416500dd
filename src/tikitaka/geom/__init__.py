"""Two-dimensional maths as compiled kernels: floats in and out, no classes, no exceptions."""

from tikitaka.geom.angles import turn, wrap
from tikitaka.geom.boxes import (
    box_box,
    box_box_cs,
    box_extent,
    boxes_overlap,
    disc_box,
    disc_box_cs,
    disc_disc,
)
from tikitaka.geom.drive import body_from_wheels, body_matrix, differential_matrix, wheel_matrix, wheels_from_body
from tikitaka.geom.frames import field_from_body, rotate, to_body, to_field
from tikitaka.geom.jit import kernel
from tikitaka.geom.random import inverse_normal, key, normal, threefry, uniform
from tikitaka.geom.segments import closest_on_segment, point_segment_distance, segment_distance, segments_cross
from tikitaka.geom.vectors import clamp, clip_norm, cross, dot, norm, unit

__all__ = [
    "body_from_wheels",
    "body_matrix",
    "box_box",
    "box_box_cs",
    "box_extent",
    "boxes_overlap",
    "clamp",
    "clip_norm",
    "closest_on_segment",
    "cross",
    "differential_matrix",
    "disc_box",
    "disc_box_cs",
    "disc_disc",
    "dot",
    "field_from_body",
    "inverse_normal",
    "kernel",
    "key",
    "norm",
    "normal",
    "point_segment_distance",
    "rotate",
    "segment_distance",
    "segments_cross",
    "threefry",
    "to_body",
    "to_field",
    "turn",
    "uniform",
    "unit",
    "wheel_matrix",
    "wheels_from_body",
    "wrap",
]
