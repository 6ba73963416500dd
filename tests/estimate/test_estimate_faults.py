"""A match goes on while something breaks: everybody is known again soon after, and by the right name."""

import pytest

from tikitaka.lab.track_faults import FAULTS, Trial, suffer

# Half a second and more in which robots go where nobody sees, among others that look alike: names are exchanged in a
# third of such trials and more (docs/estimator.md). A trial that keeps all of them is luck, one that does not no news.
BLIND = ("one camera of two lost for 1 s", "all robots hidden for 0.5 s")


@pytest.fixture(scope="module", params=[name for name in FAULTS if name != "none"])
def trial(request: pytest.FixtureRequest) -> tuple[str, Trial]:
    name: str = request.param
    return name, suffer("mirosot-5v5", name, 0)


def test_there_is_a_track_at_each_robot_again_within_half_a_second(trial: tuple[str, Trial]) -> None:
    assert trial[1].places < 0.5


def test_names_are_kept_and_errors_are_small_again(trial: tuple[str, Trial]) -> None:
    name, found = trial
    if name in BLIND and found.swaps != (0, 0):
        pytest.xfail(f"exchanged: {found.swaps[0]} own robots, {found.swaps[1]} opponents")
    assert found.swaps == (0, 0)
    assert max(found.own, found.others) < 0.5
