"""The team file that ``tikitaka new`` writes; it is tested as it stands."""

from pathlib import Path

from tikitaka.errors import TeamError

TEMPLATE = '''"""My team. Play it with:  tikitaka play --blue {name}

decide() is called once a tick with what our cameras believe. Metres and radians; the origin is the centre of the
pitch, we always attack +x, +y is to our left. Return where each robot shall go; a robot that you leave out stops.
"""

import math

from tikitaka.decide import may_play
from tikitaka.types import BallUse, Intent, World


def decide(world: World, memory: dict) -> dict:
    """Return {{robot number: Intent}}. `memory` is yours: what you put into it is there at the next tick."""
    field, robots = world.field, world.ours.pose  # robots[2] is x, y and heading of robot 2
    x, y = world.ball.x + 0.15 * world.ball.vx, world.ball.y + 0.15 * world.ball.vy  # the ball, in a moment
    goal, area = field.half_length, field.area_length - field.half_length  # their goal line, the edge of our goal area

    # Robot 0 keeps our goal: on a line before it, level with the ball, never wider than the goal.
    post = field.goal_width / 2
    wishes = {{0: Intent(0.1 - goal, max(-post, min(post, y)), theta=math.pi / 2, contact=True, keeper=True)}}

    # The nearest robot plays the ball, first around it, then through it; in our goal area that is the keeper's job.
    chaser = min(range(1, len(robots)), key=lambda number: math.dist(robots[number][:2], (x, y)), default=0)
    if x < area and abs(y) < field.area_width / 2:
        chaser = 0
    if may_play(world):
        shot = math.atan2(-y, goal - x) if abs(y) < field.half_width - 0.1 else 0.0  # at their goal, or along the wall
        bearing = math.atan2(robots[chaser][1] - y, robots[chaser][0] - x)  # where the chaser is, seen from the ball
        turn = math.remainder(shot + math.pi - bearing, math.tau)  # how far round the ball it is to where it can shoot
        behind = abs(turn) < 0.5
        way = shot if behind else bearing + max(-0.8, min(0.8, turn))
        wishes[chaser] = Intent(
            x + 0.09 * math.cos(way), y + 0.09 * math.sin(way), theta=shot, contact=True, keeper=chaser == 0,
            end_speed=2.0 if behind else 0.4, kick=6.0 if behind else 0.0,
        )

    # The others line up between our goal and the ball. Here begins your game: world.theirs, world.game, passes, ...
    others = [number for number in range(1, len(robots)) if number not in wishes]
    for rank, number in enumerate(others, start=1):
        share = 0.8 * rank / len(others)
        wishes[number] = Intent(max(share * (x + goal) - goal, area + 0.1), share * y, ball=BallUse.AVOID)
    return wishes
'''


def write(path: Path) -> None:
    """Write the template; a file that exists is not touched."""
    if path.suffix != ".py":
        raise TeamError(f"{path}: a team file must end in .py; say `tikitaka new {path.with_suffix('.py')}`")
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(TEMPLATE.format(name=path))
    except FileExistsError:
        raise TeamError(f"{path} exists already and is left as it is; choose another name") from None
    except FileNotFoundError:
        raise TeamError(
            f"cannot write {path}: there is no folder {path.parent}; make it first, or say another path"
        ) from None
    except OSError as error:
        raise TeamError(f"cannot write {path}: {error.strerror}; say another path") from None
