"""Play a match from Python and look at every tick: what is true, and what blue believes.

Run it with:  .venv/bin/python examples/play_in_python.py
"""

import math

from tikitaka import league
from tikitaka.loop.build import build
from tikitaka.loop.match import Match

match = Match(build(league.load("mirosot-5v5"), seed=1, seconds=60.0, blue="rookie", yellow="rookie"))
errors = []
while not match.done:
    for event in match.step():
        print(f"{event.time:5.1f} s  {event.kind.name.lower()}")
    truth, belief = match.record.state, match.record.thoughts[0].world
    errors.append(math.dist(truth.ball[:2], (belief.ball.x, belief.ball.y)))

print(f"score {match.score[0]} : {match.score[1]}")
print(f"blue's belief of the ball was off by {1000 * sum(errors) / len(errors):.1f} mm on average")
