"""Numbers that can never work are refused where parameters are made, and the complaint names field, rule and value."""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from pitch_judge import LEAGUES, params_of

from tikitaka import sim
from tikitaka.errors import ContractError
from tikitaka.geom.random import key
from tikitaka.sim.light_barrier import BarrierParams
from tikitaka.sim.ranging import RangingParams

Make = Callable[..., object]
ABOVE, ANY, SHARE = "ABOVE", "ANY", "SHARE"  # above 0; not below 0; between 0 and 1
BAD = {ABOVE: (0.0, -1.0), ANY: (-1.0,), SHARE: (-0.01, 1.01)}
NEVER = (math.nan, math.inf, "1", None)


def drive(**values: Any) -> object:  # noqa: ANN401
    return replace(params_of("mirosot-5v5").robot.drive, **values)


def parts() -> list[tuple[str, Make, str, str]]:
    """Return all checked numbers: what is said before their name, who takes them, their name, their rule."""
    one = params_of("ssl-b")
    made: list[tuple[str, object, dict[str, str]]] = [
        ("drive.", one.robot.drive, {ABOVE: "mass inertia wheel_radius", ANY: "wheel_inertia wheel_damping traction"}),
        ("motor.", one.robot.drive.motor, {ABOVE: "stall_torque no_load_speed", ANY: "torque_limit gain"}),
        ("robot.", one.robot, {ANY: "front height max_wheel_speed"}),
        ("kicker.", one.kicker, {ANY: "width reach max_speed max_lift recharge"}),
        ("dribbler.", one.dribbler, {ANY: "force width reach"}),
        ("contact.", one.contact, {ANY: "friction_pair friction_wall", SHARE: "restitution_pair restitution_wall"}),
        ("ball.", one.ball, {ABOVE: "radius mass", ANY: "rolling_deceleration rolling_damping gravity"}),
        ("ball.", one.ball, {SHARE: "restitution_wall restitution_robot restitution_ground", ANY: "sliding_friction"}),
        ("", one, {ABOVE: "dt"}),
        ("radio.", sim.RadioParams(1.0 / 60.0, key(0, 0)), {ABOVE: "dt", ANY: "latency jitter", SHARE: "loss"}),
        ("ranging.", RangingParams(key(0, 0)), {ABOVE: "field_of_view", ANY: "least noise_range", SHARE: "dropout"}),
        ("barrier.", BarrierParams(0.08, 0.02), {ABOVE: "ball_radius beam", ANY: "mouth recess spread height reach"}),
        (
            "camera.",
            sim.CameraParams(one.field, 1.0 / 60.0, key(0, 0), labels=True),
            {ABOVE: "dt height", ANY: "latency jitter exposure noise_xy noise_theta", SHARE: "phase dropout"},
        ),
    ]
    return [
        (where, lambda whole=whole, **values: replace(whole, **values), name, rule)
        for where, whole, rules in made
        for rule, names in rules.items()
        for name in names.split()
    ]


PARTS = parts()


@pytest.mark.parametrize(("where", "make", "name", "rule"), PARTS, ids=[where + name for where, _, name, _ in PARTS])
def test_numbers_that_can_never_work_are_refused(where: str, make: Make, name: str, rule: str) -> None:
    for bad in (*BAD[rule], *NEVER):
        with pytest.raises(ContractError) as caught:
            make(**{name: bad})
        assert str(caught.value).startswith(f"{where}{name} must be in [")
        assert str(caught.value).endswith(f"]; got {bad!r}")


@pytest.mark.parametrize("league", LEAGUES)
def test_every_league_has_parameters_that_work(league: str) -> None:
    assert params_of(league).substeps >= 1


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda p: replace(p, robots=-1), r"robots must be a whole number in \[0, 1000\]; got -1"),
        (lambda p: replace(p, robots=1.5), r"robots must be a whole number in \[0, 1000\]; got 1.5"),
        (lambda _: drive(offset=math.inf), r"drive.offset must be in .*; got inf"),
        (lambda _: drive(xy=np.zeros((2, 2))), r"drive.xy must let some wheel turn the robot .*; got \[\[0.0, 0.0\]"),
        (lambda _: drive(xy=[[0.0, 0.03], [0.0, -0.03]]), r"drive.xy must be an array \(w, 2\) of numbers; got list"),
        (lambda _: drive(direction=np.full((2, 2), 1.0)), r"drive.direction must be unit vectors; got \[\[1.0, 1.0\]"),
        (
            lambda p: drive(mass=1e-6, inertia=1e-9, wheel_inertia=1e-12, motor=replace(p.robot.drive.motor, gain=1.0)),
            r"drive's wheels must settle in 1e-06 s or more; got \S+ s: make mass, inertia or wheel_inertia larger",
        ),
        (lambda _: RangingParams(key(0, 0), least=5.0, most=1.0), r"ranging.most must be in \[5, 1e\+06\]; got 1.0"),
        (lambda _: sim.RadioParams(1e-9, key(0, 0), 1.0), r"latency and 8 radio.jitter must be at most 100000 ticks"),
    ],
)
def test_what_can_never_work_together_is_refused(make: Make, message: str) -> None:
    with pytest.raises(ContractError, match=message):
        make(params_of("mirosot-5v5"))


def test_perfect_wheels_may_be_of_any_weight() -> None:
    assert drive(mass=1e-6, inertia=1e-9, wheel_inertia=0.0, kinematic=True)


def test_a_tick_has_at_least_one_substep() -> None:
    assert replace(params_of("mirosot-5v5"), dt=1e-9).substeps == 1
