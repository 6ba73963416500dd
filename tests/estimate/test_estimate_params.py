"""Parameters that can never work are refused, with field, rule and value."""

import math
from collections.abc import Callable
from dataclasses import fields, replace

import numpy as np
import pytest
from sightings import params_of

from tikitaka.errors import ContractError
from tikitaka.estimate import Params
from tikitaka.estimate.params import OmniDrive, TyreDrive

CUBES, OMNI = params_of("mirosot-5v5"), params_of("ssl-b")
PARTS: dict[str, object] = {"body": CUBES.body, "drive": CUBES.drive}


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("bad", [math.nan, math.inf, -1.0, 1e300, "1", None, True])
def test_every_number_of_body_and_tyres_is_checked(part: str, bad: object) -> None:
    whole: object = PARTS[part]
    for field in fields(whole):  # type: ignore[arg-type]
        with pytest.raises(ContractError, match=f"^{field.name} must be .*; got "):
            replace(whole, **{field.name: bad})  # type: ignore[type-var]


@pytest.mark.parametrize(
    "bad", [(1.0, 1.0, math.nan), (1.0, -1.0, 1.0), (1.0, 1.0), (0.0, 1.0, 1.0), ("a", "b", "c"), (1.0, None, 1.0)]
)
def test_an_omni_drive_needs_three_numbers_above_0(bad: tuple[float, float, float]) -> None:
    assert isinstance(OMNI.drive, OmniDrive)
    for name in ("acceleration", "lag"):
        with pytest.raises(ContractError, match=f"^{name} must be "):
            replace(OMNI.drive, **{name: bad})


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda p: replace(p, beliefs=True), "beliefs must be a whole number"),
        (lambda p: replace(p, body=p.drive), r"body must be of Body; got TyreDrive\("),
        (lambda p: replace(p, drive=p.body), r"drive must be of TyreDrive or OmniDrive; got Body\("),
        (lambda p: replace(p, ball=None), "ball must be of BallParams; got None"),
        (lambda p: replace(p, field=(2.2, 1.8)), "field must be of Field"),
        (lambda p: replace(p, body_from_wheels=[[1.0, 1.0]] * 3), r"body_from_wheels must be an array \(3, w\)"),
        (
            lambda p: replace(p, body_from_wheels=np.full((3, 2), "a")),
            r"body_from_wheels must be .*got \(3, 2\) of <U1",
        ),
        (lambda p: replace(p, body_from_wheels=np.zeros(3)), r"body_from_wheels must be .*got \(3,\)"),
        (lambda p: replace(p, places=[[0.0, 0.0]] * 10), r"places must be an array \(10, 2\)"),
        (lambda p: replace(p, places=np.zeros((4, 2))), r"places must be .*got \(4, 2\)"),
    ],
)
def test_wrong_kinds_and_shapes_are_named(wrong: Callable[[Params], Params], said: str) -> None:
    assert isinstance(CUBES.drive, TyreDrive)
    with pytest.raises(ContractError, match=said):
        wrong(CUBES)
