"""A team that is told the truth."""

import numpy as np

from tikitaka import league, vision
from tikitaka.loop.build import build
from tikitaka.loop.match import Match


def test_the_truth_comes_in_arrays_like_the_estimates_so_that_nothing_is_compiled_for_it() -> None:
    match = Match(build(league.load("vsss-3v3"), 1, 10.0, "rookie", "rookie", (True, False)))
    match.step()
    assert match.record is not None
    told, seen = (t.world for t in match.record.thoughts)
    for one, other in ((told.ours, seen.ours), (told.theirs, seen.theirs)):
        for name in ("pose", "velocity", "age"):
            a, b = getattr(one, name).flags, getattr(other, name).flags
            assert (a.c_contiguous, a.writeable) == (b.c_contiguous, b.writeable), name


def test_who_is_told_sees_the_pitch_as_it_is_and_the_other_one_what_its_cameras_see() -> None:
    match = Match(build(league.load("mirosot-5v5", "realistic"), 1, 10.0, "rookie", "rookie", (False, True)))
    for _ in range(40):
        before = match.moment.state
        match.step()
    assert match.record is not None
    blue, yellow = (t.world for t in match.record.thoughts)
    assert np.array_equal(yellow.ours.pose, vision.turn(before.pose)[5:])
    assert np.array_equal(yellow.theirs.velocity, before.velocity[:5] * (-1.0, -1.0, 1.0))
    assert (yellow.ball.x, yellow.ball.vy) == (-before.ball[0], -before.ball[3])
    assert 1e-5 < abs(blue.ours.pose[:, :2] - before.pose[:5, :2]).max() < 0.1
