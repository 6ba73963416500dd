"""The planner's experiments: what they count is what there is, and they see what goes wrong."""

import math

import numpy as np
import pytest

from tikitaka import league
from tikitaka.lab import (
    erforce_paths,
    plan_costs,
    plan_drives,
    plan_flips,
    plan_ompl,
    plan_peers,
    plan_safe,
    plan_scenes,
)
from tikitaka.lab.plan_check import deepenings, depths, path_depths
from tikitaka.lab.report import Found
from tikitaka.loop.build import plan_params
from tikitaka.plan import Planner
from tikitaka.plan.kernels.shapes import CIRCLE, FIELD
from tikitaka.plan.scenes import scenes
from tikitaka.plan.shortest import shortest_path
from tikitaka.types import Floats, Ints

RING = np.array([[(0.0, 0.0, 0.0, 0.0, 0.5, CIRCLE), (-2.0, -2.0, 2.0, 2.0, 0.0, FIELD)]])


def deeper(*way: tuple[float, float], free: float = 0.3) -> float:
    """Return how much deeper a path goes into a circle of 0.5 m or out of a field of 4 x 4 m."""
    return float(deepenings(RING, np.array([way]), np.array([len(way)]), free)[0])


def values(found: Found) -> dict[str, float]:
    assert all(svg.startswith("<svg") and svg.endswith("</svg>\n") for svg in found.pictures.values())
    return {row.label: row.ours for row in found.rows}


def test_a_leg_that_goes_into_a_circle_is_as_deep_as_the_circle_says() -> None:
    assert deeper((-1.0, 0.3), (1.0, 0.3)) == pytest.approx(0.2)
    assert deeper((-1.0, 0.6), (1.0, 0.6)) == pytest.approx(-0.1)
    assert deeper((-1.0, 0.6), (0.0, 0.6), (0.0, 0.3)) == pytest.approx(0.2)


def test_who_begins_inside_may_leave_but_not_go_deeper() -> None:
    assert deeper((0.3, 0.0), (1.0, 0.0)) <= 0.0
    assert deeper((0.3, 0.0), (0.1, 0.0)) == pytest.approx(0.2)
    assert deeper((0.3, 0.0), (-1.0, 0.0)) == pytest.approx(0.3)
    assert deeper((0.1, 0.0), (-1.0, 0.0)) <= 0.0  # 0.4 m deep: free to go anywhere
    assert deeper((2.5, 0.0), (1.0, 0.0)) <= 0.0
    assert deeper((2.5, 0.0), (2.7, 0.0)) == pytest.approx(0.2)


def test_paths_on_different_sides_of_a_robot_are_a_flip() -> None:
    left, right, low = (np.array(((-1.0, 0.0), (0.0, y), (1.0, 0.0))) for y in (0.5, -0.5, -0.7))
    assert plan_flips.flipped(left, right, np.array(((0.0, 0.0),)))
    assert not plan_flips.flipped(right, low, np.array(((0.0, 0.0),)))
    assert not plan_flips.flipped(left, right, np.array(((0.0, 1.0), (3.0, 0.0))))


def test_no_path_of_ours_is_shorter_than_the_shortest() -> None:
    found = plan_peers.measure("mirosot", scenes("mirosot", "blocked", 20), peers=False)
    assert list(found) == ["errt", "tangents"]
    for marks in found.values():
        assert min(marks.ratios) >= 1.0 - 1e-12
        assert max(marks.ratios) < 1.25
        assert min(marks.micros) > 0.0


def test_a_scene_without_a_way_has_no_path() -> None:
    [scene] = scenes("ssl-b", "unsolvable", 1)
    for planner in plan_scenes.ours("ssl-b", len(scene.obstacles)).values():
        assert plan_scenes.length(planner(scene).xy) == math.inf


def test_ompl_asks_our_tests_and_its_paths_are_free() -> None:
    pytest.importorskip("ompl")
    assert plan_ompl.installed() is None
    for scene in scenes("mirosot", "blocked", 3):
        best = shortest_path(scene.obstacles, scene.start, scene.target).length
        for name in plan_ompl.PLANNERS:
            planned, tests = plan_ompl.plan(name, scene)
            assert tests.moves > 0
            if len(planned.xy):
                assert plan_scenes.length(planned.xy) >= best * (1.0 - 1e-9)
                assert path_depths(scene.obstacles[None], planned.xy[None], np.array([len(planned.xy)]))[0] <= 0.0


def test_all_that_can_be_solved_is_and_nothing_collides() -> None:
    rows = values(plan_safe.run(plan_safe.Args(seeds=25), lambda _: None))
    assert rows["scenes"] == 3 * 8 * 25
    assert rows["paths that collide"] == rows["exact paths that collide"] == 0.0
    assert rows["narrow: ends in the open and a way there"] > 10
    assert not any(value for label, value in rows.items() if "not solved" in label or "not told" in label)


def test_a_planner_that_drives_straight_on_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    def straight(starts: Floats, targets: Floats, *_: object) -> tuple[Floats, Ints]:
        return np.stack((starts, targets), axis=1), np.tile((1, 1, 2, 0, 0, 0), (len(starts), 1))

    monkeypatch.setattr(plan_safe, "many", straight)
    rows = values(plan_safe.run(plan_safe.Args(seeds=25, kinds=("free", "blocked", "unsolvable")), lambda _: None))
    assert rows["free: paths that collide"] == 0.0
    assert rows["blocked: paths that collide"] == rows["unsolvable: paths that collide"] == 75
    assert rows["unsolvable: no way there and not told so"] == 75


def test_a_robot_among_moving_ones_arrives_and_always_has_a_way() -> None:
    args = plan_flips.Args(seconds=8.0)
    keeps, forgets = (plan_flips.drive(args, Planner.ERRT, how, 0) for how in (plan_flips.KEEPS, plan_flips.NOTHING))
    blind = plan_flips.drive(args, Planner.STRAIGHT, plan_flips.KEEPS, 0)
    assert keeps.failures == 0
    assert keeps.arrivals >= 2
    assert keeps.flips <= 1.5 * args.seconds
    assert keeps.touching == forgets.touching == 0 < blind.touching


@pytest.mark.parametrize("name", ["mirosot-5v5", "ssl-b"])
def test_simulated_robots_arrive(name: str) -> None:
    drive = plan_drives.drive(league.load(name), Planner.ERRT, 3.0, 0)
    assert len(drive.times) > 3
    assert 0.0 < min(drive.times) <= max(drive.times) <= 3.0


def test_targets_keep_apart_and_are_given_up_after_a_while() -> None:
    goals = plan_drives.Goals(plan_params(league.load("ssl-b")), 40, 0)
    away = np.linalg.norm(goals.xy[:, None] - goals.xy, axis=2) + 9.0 * np.eye(40)
    assert away.min() > 0.36
    before, out, pose = goals.xy.copy(), plan_drives.Drive(40), np.full((40, 3), 50.0)
    pose[3, :2] = goals.xy[3]
    goals.renew(pose, 2.0, out)
    assert (out.times, out.given_up) == ([2.0], 0)
    assert np.flatnonzero((goals.xy != before).any(axis=1)).tolist() == [3]
    goals.renew(pose, 9.0, out)
    assert out.given_up == 39


def test_crowded_scenes_are_blocked_and_cost_is_told_for_every_number() -> None:
    scene = plan_costs.crowded(10, np.random.default_rng(0))
    line = np.array((scene.start, scene.target))
    assert depths(scene.obstacles, line[0], line[1]).max() > 0.0
    assert depths(scene.obstacles, line[:, None], line[:, None]).max() <= 0.0
    rows = values(plan_costs.run(plan_costs.Args(seeds=3, counts=(2, 30), nodes=(10, 1000)), lambda _: None))
    assert {"errt, 2 robots", "errt, 30 robots", "tangents, 2 robots", "tangents, 30 robots"} <= set(rows)
    assert rows["1000 nodes: brute force"] > rows["10 nodes: brute force"]


def test_rows_and_pictures_of_small_runs() -> None:
    peers = values(plan_peers.run(plan_peers.Args(seeds=3, sets=("mirosot",), peers=False), lambda _: None))
    assert peers["mirosot, errt: solved"] == peers["mirosot, tangents: solved"] == 100.0
    flips = values(plan_flips.run(plan_flips.Args(seeds=1, seconds=0.2), lambda _: None))
    assert flips["errt: ticks without a way to the target"] == 0.0
    drives = values(plan_drives.run(plan_drives.Args("mirosot-5v5", seeds=1, seconds=0.5), lambda _: None))
    assert drives["mirosot-5v5, straight: given up"] == 0.0


def test_the_papers_situations_are_planned_as_it_says() -> None:
    found = erforce_paths.run(erforce_paths.Args(), lambda _: None)
    rows, verdicts = values(found), {row.label: row.verdict for row in found.rows}
    straight = math.hypot(1.2, 0.1)
    assert rows["Fig. 3, chased: length"] == pytest.approx(straight)
    assert rows["Fig. 3, not chased: length"] > 1.005 * straight
    assert rows["Fig. 4, blocked: length"] > 1.3 * rows["Fig. 4, alone: length"]
    assert verdicts["Sec. 3.1, from behind: length"] == "exact, searched"
    shown = erforce_paths.smoothed(0).path
    assert len(shown.raw) > 8
    assert np.linalg.norm(np.diff(shown.raw, axis=0), axis=1).sum() > 1.2 * shown.length
