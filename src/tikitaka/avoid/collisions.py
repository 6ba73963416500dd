"""What is foreseen: the next collision of each robot."""

from dataclasses import dataclass
from enum import IntEnum

from tikitaka.avoid.kernels import facts
from tikitaka.types import Bools, Floats, Ints


class CollisionKind(IntEnum):
    """How two robots meet; head-on are FRONTAL, REAR_END and STATIC [Austro, Table 3.1]."""

    NONE = facts.NONE
    FRONTAL = facts.FRONTAL  # courses 150 to 210 degrees apart
    PERPENDICULAR = facts.PERPENDICULAR  # 60 to 120, or 240 to 300
    ANGULAR = facts.ANGULAR  # between those
    REAR_END = facts.REAR_END  # up to 30 degrees apart
    STATIC = facts.STATIC  # the other one stands


@dataclass(frozen=True, slots=True)
class Collisions:
    """The next collision of each of our robots, one row each; only the kind is defined where there is none."""

    kind: Ints  # (n,) CollisionKind
    partner: Ints  # (n,) ours first, then theirs; -1: nobody
    controllable: Bools  # (n,) the partner is ours and gives way too
    time: Floats  # (n,) seconds until then
    distance: Floats  # (n,) of the own way until then
    place: Floats  # (n, 2) of the own centre then
    own_speed: Floats  # (n,)
    other_speed: Floats  # (n,)
    from_right: Bools  # (n,) the partner comes from the right, or passes on the right

    def __len__(self) -> int:
        return len(self.kind)
