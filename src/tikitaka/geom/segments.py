"""Segments a-b and c-d: closest points, distances, crossings. A segment may be a single point."""

from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import cross, dot, norm


@kernel
def closest_on_segment(px: float, py: float, ax: float, ay: float, bx: float, by: float) -> tuple[float, float, float]:
    """Return the point of the segment closest to p, and where it lies: s = 0 at a, 1 at b."""
    ux, uy = bx - ax, by - ay
    along, length2 = dot(px - ax, py - ay, ux, uy), dot(ux, uy, ux, uy)
    if along <= 0.0 or length2 == 0.0:
        return ax, ay, 0.0
    if along >= length2:
        return bx, by, 1.0
    s = along / length2
    return ax + s * ux, ay + s * uy, s


@kernel
def point_segment_distance(px: float, py: float, ax: float, ay: float, bx: float, by: float) -> float:
    """Return the distance from p to the segment."""
    qx, qy, _ = closest_on_segment(px, py, ax, ay, bx, by)
    return norm(px - qx, py - qy)


@kernel
def segments_cross(ax: float, ay: float, bx: float, by: float, cx: float, cy: float, dx: float, dy: float) -> bool:
    """Return whether the segments have a point in common; touching and lying on one another count."""
    side_c, side_d = cross(bx - ax, by - ay, cx - ax, cy - ay), cross(bx - ax, by - ay, dx - ax, dy - ay)
    side_a, side_b = cross(dx - cx, dy - cy, ax - cx, ay - cy), cross(dx - cx, dy - cy, bx - cx, by - cy)
    if _opposite(side_a, side_b) and _opposite(side_c, side_d):
        return True
    return (
        (side_c == 0.0 and _in_span(cx, cy, ax, ay, bx, by))
        or (side_d == 0.0 and _in_span(dx, dy, ax, ay, bx, by))
        or (side_a == 0.0 and _in_span(ax, ay, cx, cy, dx, dy))
        or (side_b == 0.0 and _in_span(bx, by, cx, cy, dx, dy))
    )


@kernel
def segment_distance(ax: float, ay: float, bx: float, by: float, cx: float, cy: float, dx: float, dy: float) -> float:
    """Return the distance between the segments; 0 when they cross."""
    if segments_cross(ax, ay, bx, by, cx, cy, dx, dy):
        return 0.0
    ab = _smaller(point_segment_distance(ax, ay, cx, cy, dx, dy), point_segment_distance(bx, by, cx, cy, dx, dy))
    cd = _smaller(point_segment_distance(cx, cy, ax, ay, bx, by), point_segment_distance(dx, dy, ax, ay, bx, by))
    return _smaller(ab, cd)


@kernel
def _opposite(u: float, v: float) -> bool:
    return (u < 0.0 < v) or (v < 0.0 < u)


@kernel
def _in_span(px: float, py: float, ax: float, ay: float, bx: float, by: float) -> bool:
    """Return whether a point on the line a-b lies between a and b."""
    return (ax <= px <= bx or bx <= px <= ax) and (ay <= py <= by or by <= py <= ay)


@kernel
def _smaller(u: float, v: float) -> float:
    return u if u < v else v
