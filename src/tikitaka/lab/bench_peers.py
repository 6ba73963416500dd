"""What other libraries take for the estimator's frames, where they are installed; they are no part of the product.

Both get the detections of the match that is benched. FilterPy has filters and nothing that says who is who, so each
track takes the row of its own number. Stone Soup associates: global nearest neighbour on Mahalanobis distance. Neither
knows headings, commands, collisions, late pictures or several beliefs.
"""

import importlib.util
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

import numpy as np

from tikitaka.types import Detections, Floats

Peer = Callable[[Detections], None]
Peers = Mapping[str, tuple[int, Peer]]  # by name: every how many frames it is asked, and how
ROBOTS = 10
NOISE, PUSH = 1e-3, 8.0  # [m] of a detection, [m^2/s^3] of an acceleration: about those of the league's filter
BEGAN = datetime(2000, 1, 1)


def peers() -> Peers:
    """Return each peer that is installed."""
    found = dict[str, tuple[int, Peer]]()
    if importlib.util.find_spec("filterpy"):
        found["FilterPy, one robot"] = (1, filterpy(1, 0))
        found["FilterPy, 10 robots and a ball"] = (4, filterpy(ROBOTS, 1))
    if importlib.util.find_spec("stonesoup"):
        found["Stone Soup, 10 robots and a ball"] = (16, stone_soup([]))
    return found


def filterpy(robots: int, balls: int) -> Peer:
    """Return Kalman filters at constant velocity: x, y, theta of robots, x, y of the ball."""
    kalman = importlib.import_module("filterpy.kalman")
    of_robots, of_balls = ([_filter(kalman.KalmanFilter, k) for _ in range(n)] for n, k in ((robots, 3), (balls, 2)))

    def step(d: Detections) -> None:
        for filters, rows in ((of_robots, d.robot_pose), (of_balls, d.ball_xy)):
            for k, one in enumerate(filters):
                one.predict()
                one.update(rows[k] if k < len(rows) else None)

    return step


def _filter(kind: Callable[..., Any], size: int, dt: float = 1.0 / 30.0) -> Any:  # noqa: ANN401  it has no types
    found = kind(dim_x=2 * size, dim_z=size)
    found.F, found.H = np.eye(2 * size) + dt * np.eye(2 * size, k=size), np.eye(size, 2 * size)
    one, zero = np.eye(size), np.zeros((size, size))
    found.Q = PUSH * np.block([[dt**3 / 3.0 * one, dt**2 / 2.0 * one], [dt**2 / 2.0 * one, dt * one]])
    found.R, found.P, found.x = NOISE**2 * one, np.block([[one, zero], [zero, one]]), np.zeros(2 * size)
    return found


def stone_soup(tracks: list[Any]) -> Peer:
    """Return a tracker of all robots and the ball at constant velocity; it begins ``tracks`` with the first picture."""
    part = importlib.import_module
    transition, measure = part("stonesoup.models.transition.linear"), part("stonesoup.models.measurement.linear")
    motion = transition.CombinedLinearGaussianTransitionModel([transition.ConstantVelocity(PUSH)] * 2)
    sight = measure.LinearGaussian(4, (0, 2), NOISE**2 * np.eye(2))
    predictor = part("stonesoup.predictor.kalman").KalmanPredictor(motion)
    updater = part("stonesoup.updater.kalman").KalmanUpdater(sight)
    distance = part("stonesoup.measures").Mahalanobis()
    guess = part("stonesoup.hypothesiser.distance").DistanceHypothesiser(predictor, updater, distance, 8.0)
    associator = part("stonesoup.dataassociator.neighbour").GNNWith2DAssignment(guess)
    detection, types = part("stonesoup.types.detection").Detection, part("stonesoup.types.state")
    track_of = part("stonesoup.types.track").Track

    def step(d: Detections) -> None:
        when = BEGAN + timedelta(seconds=d.now)
        places: list[Floats] = [*d.robot_pose[:, :2], *d.ball_xy]
        if not tracks:
            firm = np.diag((NOISE**2, 1.0, NOISE**2, 1.0))
            states = [types.GaussianState((x, 0.0, y, 0.0), firm, timestamp=when) for x, y in places[: ROBOTS + 1]]
            tracks.extend(track_of([state]) for state in states)
            return
        seen = {detection(place[:, None], timestamp=when, measurement_model=sight) for place in places}
        for track, guessed in associator.associate(set(tracks), seen, when).items():
            track.append(updater.update(guessed) if guessed else guessed.prediction)

    return step
