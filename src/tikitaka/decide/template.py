"""The team file that ``tikitaka new`` writes; it is tested as it stands."""

from pathlib import Path

from tikitaka.errors import TeamError

TEMPLATE = '''"""My team. Play it with:  tikitaka play --blue {name}

decide() is called once a tick with what our cameras believe. Metres and radians; the origin is the centre of the
pitch, we always attack +x, +y is to our left. Return where each robot shall go; a robot that you leave out stops.
"""

import math

from tikitaka.types import Intent, World


def decide(world: World, memory: dict) -> dict:
    """Return {{robot number: Intent}}. `memory` is yours: what you put into it is there at the next tick."""
    ball, field, robots = world.ball, world.field, world.ours.pose  # robots[2] is x, y and heading of robot 2
    wishes = {{}}

    # Robot 0 keeps the goal: on a line before it, level with the ball, never wider than the goal.
    post = field.goal_width / 2
    wishes[0] = Intent(0.12 - field.half_length, max(-post, min(post, ball.y)), theta=math.pi / 2)

    # The robot nearest to the ball goes for it. The shot shall run from the ball to the middle of their goal.
    distance = [math.dist((x, y), (ball.x, ball.y)) for x, y, heading in robots]
    chaser = min(range(1, len(robots)), key=lambda number: distance[number], default=0)
    shot = math.atan2(-ball.y, field.half_length - ball.x)
    dx, dy = math.cos(shot), math.sin(shot)
    x, y, heading = robots[chaser]
    ahead = (x - ball.x) * dx + (y - ball.y) * dy  # how far the chaser is before the ball; negative: behind it
    left = (y - ball.y) * dx - (x - ball.x) * dy  # how far it is to the left of the line of the shot
    if ahead < 0 and abs(left) < 0.04:  # on the line, behind the ball: through it
        wishes[chaser] = Intent(ball.x + 0.1 * dx, ball.y + 0.1 * dy, theta=shot, end_speed=2.0, kick=5.0)
    elif ahead < -0.1:  # behind the ball, beside the line: to the line
        wishes[chaser] = Intent(ball.x - 0.15 * dx, ball.y - 0.15 * dy, theta=shot)
    else:  # before the ball: past it at the nearer side
        side = 0.2 if left > 0 else -0.2
        wishes[chaser] = Intent(ball.x - 0.2 * dx - side * dy, ball.y - 0.2 * dy + side * dx, theta=shot)

    # The others spread out behind the ball. Here begins your game: world.theirs, world.game, passes, ...
    for number in range(1, len(robots)):
        if number != chaser:
            wishes[number] = Intent(ball.x / 2 - 0.4, (number / len(robots) - 0.5) * field.width)
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
