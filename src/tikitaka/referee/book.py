"""The book of rules in plain words: what each event means, where it is played, and how it is told."""

from dataclasses import dataclass

from tikitaka.types import Event, EventKind

COLOURS = ("blue", "yellow")
ALL, WALLS, OPEN = "all", "mirosot, vsss", "ssl"


@dataclass(frozen=True, slots=True)
class Rule:
    """One line of the book. In ``says``: {team}, {who} and {whom} as robots, {robots}, {value}."""

    played: str  # by whose rules
    text: str
    says: str


_K = EventKind
BOOK: dict[EventKind, Rule] = {
    _K.KICK_OFF: Rule(
        ALL,
        "At the start of each half and after a goal the ball lies at the centre and everybody is in their own half. "
        "Blue begins the first half, yellow the second, else the team that let a goal in. Ends are not changed.",
        "kick-off for {team}",
    ),
    _K.GOAL: Rule(ALL, "The whole ball is over the goal line between the posts.", "goal for {team}"),
    _K.HALF_TIME: Rule(ALL, "Half of the time is over; there is no break.", "half time"),
    _K.FULL_TIME: Rule(ALL, "The time is over. A ball that crosses the line at that moment is no goal.", "full time"),
    _K.FREE_BALL: Rule(
        ALL,
        "Nobody's ball. Between walls it lies on the mark of its quarter, with one robot of each team 20 cm away "
        "and all others, but keepers in their area, outside the quarter; in the SSL it lies at the nearest place "
        "of a free kick and everybody starts from half a metre away.",
        "free ball",
    ),
    _K.FREE_KICK: Rule(
        OPEN,
        "One team plays the ball from the nearest place that is 0.2 m from all lines and 1 m from both defence "
        "areas; the other team keeps off by half a metre.",
        "free kick for {team}",
    ),
    _K.GOAL_KICK: Rule(
        ALL,
        "Between walls the keeper plays the ball from its goal area, which nobody else may be in, and the other "
        "team is in its own half. In the SSL it is a free kick 1 m from the goal line and 0.2 m from the touch line.",
        "goal kick for {team}",
    ),
    _K.CORNER_KICK: Rule(OPEN, "A free kick 0.2 m from both lines of the corner.", "corner kick for {team}"),
    _K.THROW_IN: Rule(OPEN, "A free kick 0.2 m inside the touch line that the ball crossed.", "throw-in for {team}"),
    _K.PENALTY: Rule(
        ALL,
        "One attacker plays the ball from the mark against the keeper, who is on its line. All others are in the "
        "other half, in the SSL 1 m behind the mark.",
        "penalty for {team}",
    ),
    _K.BALL_OUT: Rule(
        OPEN,
        "The whole ball has crossed a line. The team that did not touch it last has it: a throw-in, a goal kick or "
        "a corner kick. A ball that two squeezed out was his who had it first.",
        "{who} put the ball out",
    ),
    _K.NO_PROGRESS: Rule(
        ALL,
        "In the time that the league says the ball has not got away by three tenths of a robot's width a second. A "
        "free ball; between walls and in a goal area a goal kick.",
        "no progress for {value:.0f} s",
    ),
    _K.BALL_HELD: Rule(
        ALL,
        "The ball has stayed in a goal area for as long as the league says. A goal kick; in the SSL, where only the "
        "keeper may play it there, a free kick for the other team.",
        "the ball stayed in the goal area for {value:.0f} s",
    ),
    _K.CROWDED_DEFENCE: Rule(
        WALLS,
        "For half a second two robots of the defence, the keeper among them or not, are in their goal area with the "
        "ball. A penalty.",
        "{robots} were in their goal area with the ball",
    ),
    _K.CROWDED_ATTACK: Rule(
        WALLS,
        "For half a second two attackers are in the goal area with the ball. A goal kick.",
        "{robots} crowded the goal area",
    ),
    _K.DEFENDER_IN_AREA: Rule(
        OPEN,
        "A defender other than the keeper plays the ball while it is wholly in its own defence area. A penalty.",
        "{who} played the ball in its own area",
    ),
    _K.ATTACKER_IN_AREA: Rule(
        OPEN,
        "An attacker plays the ball while any part of it is in the other team's defence area. A free kick.",
        "{who} played the ball in the other team's area",
    ),
    _K.CRASH: Rule(
        OPEN,
        "Two opponents meet at more than 1.5 m/s along the line between them. The faster one is at fault. Play goes "
        "on; at the third foul of a team, in play or after a stop, the other has a free kick, and three are forgiven.",
        "{who} crashed into {whom} at {value:.1f} m/s",
    ),
    _K.CRASH_DRAWN: Rule(
        OPEN,
        "The same, but their speeds differ by less than 0.3 m/s. Both are at fault, nobody has the ball for it.",
        "{who} and {whom} crashed at {value:.1f} m/s",
    ),
    _K.PUSHING: Rule(
        OPEN,
        "Two opponents are at the ball and one drives the other back by more than 0.2 m. A free kick.",
        "{who} pushed {whom} by {value:.2f} m",
    ),
    _K.BALL_TOO_FAST: Rule(
        OPEN,
        "The ball is faster than 6.5 m/s, and 0.1 m/s for doubt. Play goes on; it counts like a crash.",
        "{who} played the ball at {value:.1f} m/s",
    ),
    _K.TOO_FAST_IN_STOP: Rule(
        OPEN,
        "A robot drives faster than 1.5 m/s when a stop is 2 s old. It counts as a foul, once a team and stop.",
        "{who} drove at {value:.1f} m/s while play was stopped",
    ),
    _K.STUCK_ROBOT: Rule(
        ALL,
        "A robot, not a keeper, that leans on another one or on a wall has neither moved by 2 cm nor turned by 17 "
        "degrees for 10 s. It is lifted and put down free, nearer to the centre. Play goes on.",
        "{who} was stuck for {value:.0f} s and is put down again",
    ),
    _K.MOVED: Rule(
        ALL,
        "Where robots drive to their places: who still stands where it may not when the time for that is over is "
        "put elsewhere.",
        "put elsewhere for not keeping away: {robots}",
    ),
    _K.BALL_PLACED: Rule(
        OPEN,
        "Where teams place the ball: it lies within 0.15 m of its spot, nobody within 5 cm, after 2 s at the earliest.",
        "{team} has placed the ball, {value:.2f} m off",
    ),
    _K.PLACEMENT_FAILED: Rule(
        OPEN,
        "The ball was not brought to its spot within 15 s. The referee puts it there and the other team has it.",
        "{team} did not place the ball, {value:.1f} m off",
    ),
    _K.KICK_TIMEOUT: Rule(
        ALL,
        "Nobody has played the ball for 5 s after a restart. From now on anybody may.",
        "the ball was not played for {value:.0f} s: play on",
    ),
}


def describe(event: Event, robots: int) -> str:
    """Return an event in plain words; ``robots`` a team, which tells whose is whose."""
    says = _say(event.kind, event, robots)
    return says if event.cause is None else f"{says}: {_say(event.cause, event, robots)}"


def _say(kind: EventKind, event: Event, n: int) -> str:
    names = [f"{COLOURS[i // n]} {i % n}" if 0 <= i < 2 * n else "somebody" for i in event.robots]
    return BOOK[kind].says.format(
        team=COLOURS[event.team] if event.team >= 0 else "nobody",
        who=names[0] if names else "somebody",
        whom=names[1] if len(names) > 1 else "somebody",
        robots=" and ".join(filter(None, (", ".join(names[:-1]), names[-1] if names else "somebody"))),
        value=event.value,
    )
