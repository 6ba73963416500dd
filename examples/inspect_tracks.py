"""Look at how blue's estimator decides who is who: the close decisions of a match, and how it is doing in the end.

Run it with:  .venv/bin/python examples/inspect_tracks.py
"""

from tikitaka import estimate, league
from tikitaka.loop.believed import estimate_params
from tikitaka.loop.build import build
from tikitaka.loop.match import Match

CLOSE = 15.0  # the row that was taken is less than 1800 times likelier than the next best: exp(15 / 2)

match = Match(
    build(league.load("mirosot-5v5", realism="realistic"), seed=2, seconds=20.0, blue="rookie", yellow="rookie")
)
seen, decisions, close = 0.0, 0, 0
while not match.done:
    match.step()
    robots = match.moment.teams[0].tracks.robots  # after the newest picture; our robots are the first rows
    if robots.time == seen:  # no new picture in this tick
        continue
    seen = robots.time
    for i, (took, price, rival) in enumerate(zip(robots.partner, robots.price, robots.rival, strict=True)):
        decisions += took >= 0
        if took >= 0 and rival - price < CLOSE:
            close += 1
            print(f"{robots.time:6.2f} s  track {i} took row {took} at {price:.0f}, the next best costs {rival:.0f};"
                  f" guesses {robots.guesses}, touched {robots.touched[i]}")  # fmt: skip
print(f"{close} of {decisions} decisions were close")

health = estimate.health(estimate_params(match.league), match.moment.teams[0].tracks)
print(f"pictures {health.pictures}, late {health.late}, false robots {health.false_robots}, missed {health.missed}")
print(f"latency {1e3 * health.latency:.0f} ms, NIS {health.nis:.2f}, worst quality {health.quality.min():.2f}")
print(f"score {match.score[0]} : {match.score[1]}")
