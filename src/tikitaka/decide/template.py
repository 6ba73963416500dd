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
    ball, field = world.ball, world.field
    wishes = {{}}

    # Robot 0 keeps the goal: on a line before it, level with the ball, never wider than the goal.
    reach = field.goal_width / 2
    wishes[0] = Intent(x=-field.half_length + 0.1, y=max(-reach, min(reach, ball.y)), theta=math.pi / 2)

    # The robot nearest to the ball goes for it: first to a point behind the ball, then through it to the goal.
    distance = [math.dist((x, y), (ball.x, ball.y)) for x, y, theta in world.ours.pose]
    chaser = min(range(1, len(world.ours)), key=distance.__getitem__)
    angle = math.atan2(-ball.y, field.half_length - ball.x)  # from the ball to the middle of their goal
    behind = (ball.x - 0.15 * math.cos(angle), ball.y - 0.15 * math.sin(angle))
    x, y, theta = world.ours.pose[chaser]
    if math.dist((x, y), behind) < 0.1 or memory.get("shooting") == chaser and distance[chaser] < 0.2:
        memory["shooting"] = chaser
        wishes[chaser] = Intent(ball.x, ball.y, theta=angle, end_speed=1.5, kick=5.0)
    else:
        memory["shooting"] = None
        wishes[chaser] = Intent(*behind, theta=angle)

    # The others spread out behind the ball. Here begins your game: world.theirs, world.game, passes, ...
    for number in range(1, len(world.ours)):
        if number != chaser:
            wishes[number] = Intent(ball.x - 0.5, (number / len(world.ours) - 0.5) * field.width)
    return wishes
'''


def write(path: Path) -> None:
    """Write the template; a file that exists is not touched."""
    if path.suffix != ".py":
        raise TeamError(f"{path}: a team file must end in .py")
    try:
        with path.open("x") as file:
            file.write(TEMPLATE.format(name=path))
    except FileExistsError:
        raise TeamError(f"{path} exists already and is left as it is; choose another name") from None
    except OSError as error:
        raise TeamError(f"cannot write {path}: {error.strerror}") from None
