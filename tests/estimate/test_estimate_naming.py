"""Own robots that nobody saw for a second: what they do afterwards tells who is who, wherever they were found."""

from dataclasses import replace

import numpy as np
from sightings import DT, params_of, placed, poses_of, sight, standing, still

from tikitaka import estimate
from tikitaka.estimate.kernels import driving
from tikitaka.types import Commands, Floats, World

PARAMS = params_of("mirosot-5v5")
HIDDEN = range(15, 45)  # pictures without the two
WHO = (1, 2)  # they stand 30 cm from each other
ORDERS = {1: (0.4, 0.0), 2: (0.0, 6.0)}  # forward speed and turn rate afterwards


def commands(k: int) -> tuple[Commands, Floats]:
    """Return what our robots are told at picture k, as wheel speeds and as body velocities (n, 3)."""
    body = np.zeros((PARAMS.robots, 3))
    for i, order in ORDERS.items():
        if k >= HIDDEN.stop:
            body[i, [0, 2]] = order
    return replace(still(PARAMS), wheels=body @ np.linalg.pinv(PARAMS.body_from_wheels).T), body


def film(carried: bool, pictures: int) -> list[tuple[World, Floats]]:
    """Return what is believed and the truth after every picture; somebody may carry the two to each other's places."""
    truth = standing(PARAMS)
    moving = np.zeros((PARAMS.robots, 6))
    moving[:, :3] = truth[: PARAMS.robots]
    p, small = np.empty((6, 6)), np.empty((3, 6, 6))
    tracks, found = placed(PARAMS, truth), list[tuple[World, Floats]]()
    for k in range(1, pictures):
        if carried and k == HIDDEN.start + 5:
            moving[list(WHO)] = moving[list(WHO[::-1])]
        told, body = commands(k - 1)
        for i in range(PARAMS.robots):
            for _ in range(2):
                ux, uy, uw = body[i].tolist()
                driving.obey(moving[i], p, ux, uy, uw, PARAMS.driving, DT / 2, small, spread=False)
        truth[: PARAMS.robots] = moving[:, :3]
        seen = sight(k * DT, truth, missing=WHO if k in HIDDEN else ())
        tracks, world = estimate.step(PARAMS, tracks, seen, told)
        found.append((world, truth[:-1].copy()))
    return found


def right(world: World, truth: Floats) -> bool:
    off = poses_of(world)[list(WHO), :2] - truth[list(WHO), :2]
    return bool((np.hypot(off[:, 0], off[:, 1]) < 0.05).all())


def test_two_that_were_carried_to_each_others_places_have_their_own_names_after_half_a_second_of_motion() -> None:
    seen = film(carried=True, pictures=HIDDEN.stop + 18)
    assert not right(*seen[HIDDEN.stop])  # nothing but their places is known yet
    assert right(*seen[-1])


def test_two_that_stayed_where_they_were_never_change_names() -> None:
    assert all(right(*one) for one in film(carried=False, pictures=HIDDEN.stop + 30))
