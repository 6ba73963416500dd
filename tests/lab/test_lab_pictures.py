"""The simulator's pictures: each is drawn, and its numbers are what must be true of them."""

from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from tikitaka import sim
from tikitaka.lab import sim_pile, sim_roll, sim_squeeze, sim_wheels, staging
from tikitaka.lab.report import Found, keep_pictures


def found(module: ModuleType) -> tuple[Found, dict[str, float]]:
    result: Found = module.run(module.Args(), lambda _: None)
    assert all(svg.startswith("<svg") and svg.endswith("</svg>\n") for svg in result.pictures.values())
    return result, {row.label: row.ours for row in result.rows}


def test_the_ball_rolls_as_the_closed_form_says() -> None:
    result, rows = found(sim_roll)
    assert list(result.pictures) == ["sim-roll.svg"]
    assert max(value for label, value in rows.items() if "error" in label) < 1e-11


def test_closed_form_of_both_frictions_holds_in_small_steps() -> None:
    ball = sim.BallParams(0.02, 0.05, 0.3, 0.5, 0.5, rolling_damping=0.4, sliding_friction=0.25)
    t = np.linspace(0.0, 6.0, 60001)
    way, speed = sim_roll.closed_form(ball, t)
    assert np.gradient(way, t) == pytest.approx(speed, abs=1e-3)
    rolls = (t > 0.4) & (speed > 1e-3)
    assert np.gradient(speed, t)[rolls] == pytest.approx(-0.3 - 0.4 * speed[rolls], abs=1e-3)


def test_robots_start_as_the_paper_says_and_slip_where_it_is_slippery() -> None:
    result, rows = found(sim_wheels)
    printed = [row for row in result.rows if row.paper is not None]
    assert [row.ours for row in printed] == pytest.approx([row.paper for row in printed], rel=0.05)
    assert rows["mirosot-5v5: largest slip"] < 1e-9
    assert rows["mirosot-5v5, slippery: largest slip"] > 1.0


def test_a_squeezed_ball_enters_nobody_and_gets_free() -> None:
    _, rows = found(sim_squeeze)
    assert [value for label, value in rows.items() if "overlap" in label] == pytest.approx([0.0, 0.0], abs=1e-6)
    [free] = [value for label, value in rows.items() if "letting go" in label]
    assert 0.0 < free < 0.3


@pytest.mark.parametrize("league", ["vsss-3v3", "ssl-b", "byu-2v2"])
def test_a_ball_that_escapes_while_it_is_pushed_is_not_said_to_be_let_go(league: str) -> None:
    """Flat fronts do not hold it: it gets out before they let go, even gently, and it moves when it does."""
    rows = {row.label: row.ours for row in sim_squeeze.run(sim_squeeze.Args(league), lambda _: None).rows}
    assert not any("letting go" in label or "2 s of pushing" in label for label in rows)
    for name in ("gentle", "full power"):
        assert 0.1 < rows[f"{name}: ball gets out while it is pushed, after"] < sim_squeeze.LET_GO
        assert rows[f"{name}: its speed then"] > 0.1


def test_a_pile_comes_to_rest_without_overlap() -> None:
    _, rows = found(sim_pile)
    assert [value for label, value in rows.items() if "overlap" in label] == pytest.approx([0.0, 0.0], abs=1e-6)
    assert rows["median robot's speed after 5 s"] < 5.0


@pytest.mark.parametrize("seed", [4, 11, 14, 22])  # whose wedged robots had 7 to 17 mm/s, going nowhere
def test_a_wedged_robot_has_no_speed_that_takes_it_nowhere(seed: int) -> None:
    params = staging.params_of("mirosot-5v5", sim_pile.DT)
    late = sim_pile.pile(params, seed)[-60:]
    assert max(float(np.hypot(*m.velocity[:, :2].T).max()) for m in late) < 2e-3


def test_gaps_are_those_of_plain_geometry() -> None:
    params = staging.params_of("mirosot-5v5", 1.0 / 60.0, 2)
    f = params.field
    pose = np.array([(-0.2, 0.0, 0.0), (0.1, 0.0, 0.0)])
    state = sim.place(sim.start(params), pose, np.array((0.5, 0.0)))
    assert staging.gap(params, state, 0, 1) == pytest.approx(0.3 - 0.075)
    assert staging.gap(params, state, -1 - 2, 0) == pytest.approx(f.half_width - 0.0375)
    robots, ball = staging.least_gaps(params, state)
    assert robots == pytest.approx(0.3 - 0.075)
    assert ball == pytest.approx(0.4 - 0.0375 + 0.008 - params.ball.radius, abs=0.009)


def test_pictures_are_kept_where_asked(tmp_path: Path) -> None:
    assert keep_pictures({"a.svg": "<svg/>"}, tmp_path / "new") == [str(tmp_path / "new" / "a.svg")]
    assert (tmp_path / "new" / "a.svg").read_text() == "<svg/>"
