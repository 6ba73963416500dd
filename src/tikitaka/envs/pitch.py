"""A league's pitch, robots and ball as `sim.step` and `sim.Batch` take them."""

from dataclasses import replace
from pathlib import Path

from tikitaka import league as leagues
from tikitaka import sim
from tikitaka.loop.build import pitch_params


def pitch_of(league: str | Path = leagues.DEFAULT, robots: int | None = None, dt: float | None = None) -> sim.Params:
    """Return the simulated pitch of a league or a league file, with so many robots in all and ticks of dt, if told."""
    params = pitch_params(leagues.load(league))
    own = params.robots, params.dt
    return replace(params, robots=own[0] if robots is None else robots, dt=own[1] if dt is None else dt)
