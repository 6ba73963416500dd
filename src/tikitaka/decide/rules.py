"""The rules of the moment, for every team: who may touch the ball, and wishes that break no rule."""

from tikitaka.decide.facts import Facts, table
from tikitaka.decide.kernels import obeying
from tikitaka.types import Intents, Phase, World

NOBODY = -1
TAKEN = (Phase.KICK_OFF, Phase.FREE_KICK, Phase.GOAL_KICK, Phase.PENALTY)


def may_play(world: World) -> bool:
    """Say whether a robot of ours may play the ball now."""
    game = world.game
    if game.phase in (Phase.PLAY, Phase.FREE_BALL):
        return game.ready
    return game.phase in TAKEN and game.ours and game.ready


def lawful(facts: Facts, world: World, wish: Intents, taker: int = NOBODY) -> Intents:
    """Return the wishes, changed in place until they break no rule; ``taker`` alone may touch a ball at rest."""
    game, b = world.game, world.ball
    if game.phase == Phase.HALT:
        return Intents.stop(len(wish))
    obeying.obey(
        int(game.phase), game.ours, game.ready, *game.spot, world.ours.pose, b.x, b.y, taker,
        table(facts, world.field), wish.target, wish.end_speed, wish.max_speed, wish.kick, wish.lift, wish.ball,
        wish.contact,
    )  # fmt: skip
    return wish
