"""What to do with the ball: shoot, pass or take it along, whatever is worth most.

plan    (PLANS,) what the robot has made up its mind to do: see the names below
worth   a chance to score, or what leads to one
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.decide.kernels.chipping import chip_for, chip_worth, way_out
from tikitaka.decide.kernels.lanes import SHARP, chance, opening, view
from tikitaka.decide.kernels.mapping import ball_worth, loss, may_go, pass_worth
from tikitaka.decide.kernels.rolling import kick_for
from tikitaka.decide.kernels.table import CAREFUL, GAP, HALF_X, HALF_Y, KICK, LIFT
from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import clamp, dot, norm, unit

Floats = NDArray[np.float64]

KIND, AIM_X, AIM_Y, SPEED_OUT, LIFT_OUT, MATE, WORTH = range(7)
PLANS = 7
NOTHING, SHOOT, PASS, CARRY, CLEAR = 0.0, 1.0, 2.0, 3.0, 4.0

SHOT_SHARE = 0.985  # of the fastest kick: the limit of the rules is never passed
SHOT_MEAN = 4.5  # [m/s] chosen: a shot's speed on average, it slides at first
PASS_ARRIVES = 2.0  # [m/s] chosen: a pass that can be stopped
STEPS_AHEAD = 0.35  # [m] chosen: a pass may lead a mate by one or two of these
LOYAL = 0.06  # chosen: another plan must be better by this
DETOUR = 0.04  # chosen: worth that a radian around the ball costs
GOOD = 0.12  # chosen: a chance to score that is always taken
MANY = 8  # chosen: a team of more is met by so many that a pass which gains no ground is lost too often
GROUND = 0.3  # chosen: what such a pass costs it
GAINS = 0.5  # [m] chosen: who is so far ahead gains ground, who is so far back none at all
AIMED = 0.1  # chosen: of half the goal, so far off the aim a shot of a careful team may cross the line
HOPELESS = 4.5  # [m] chosen; in ssl-b none of our 151 shots from beyond 4 m was a goal: they get the ball away
HARDLY = 0.2  # chosen: who sees their goal no better, near a corner, plays a dead ball in
WAYS, IN = 16, 2.0  # chosen: ways around the ball, and how far [m]
LIKELY = 0.45  # chosen: a pass that arrives less often is not tried
DEEP = 0.7  # chosen: half lengths; so near to our goal one lost pass in ten was a goal against us, of chips none


@kernel
def best_shot(bx: float, by: float, theirs: Floats, their_v: Floats, sharp: bool, p: Floats, plan: Floats) -> float:
    """Fill the plan of a shot at the open part of their goal, and return its worth; ``sharp``: none through anybody."""
    aim_y, margin = opening(bx, by, SHOT_MEAN, theirs, their_v, p)
    plan[KIND], plan[AIM_X], plan[AIM_Y] = SHOOT, p[HALF_X], aim_y
    plan[SPEED_OUT], plan[LIFT_OUT], plan[MATE] = SHOT_SHARE * p[KICK], 0.0, -1.0
    goes_in = clamp(0.5 + 0.5 * margin / SHARP, 0.0, 1.0) if sharp else chance(margin)
    return goes_in * view(bx, by, p)


@kernel
def detour(pose: Floats, bx: float, by: float, x: float, y: float) -> float:
    """Return what it costs a robot to get behind a ball at b that is to be played to (x, y)."""
    ux, uy = unit(bx - pose[0], by - pose[1])
    dx, dy = unit(x - bx, y - by)
    return DETOUR * math.acos(clamp(dot(ux, uy, dx, dy), -1.0, 1.0))


@kernel
def back_pass(bx: float, x: float) -> float:
    """Return what a pass from bx to x costs that does not bring the ball nearer to their goal line."""
    return GROUND * clamp(0.5 + 0.5 * (bx - x) / GAINS, 0.0, 1.0)


@kernel
def best_pass(
    i: int, bx: float, by: float, pose: Floats, v: Floats, theirs: Floats, their_v: Floats, p: Floats, plan: Floats,
    old: Floats, onward: bool, best: float,
) -> float:  # fmt: skip
    """Fill the plan of the best pass, to a mate or a step ahead of him, if it is worth more than ``best``.

    ``onward``: a pass that gains no ground costs.
    """
    for k in range(1, pose.shape[0]):
        if k == i:
            continue
        for s in range(3):
            x, y = pose[k, 0] + 0.25 * v[k, 0] + STEPS_AHEAD * s, pose[k, 1] + 0.25 * v[k, 1]
            worth, through = pass_worth(bx, by, x, y, theirs, their_v, p)
            far = norm(x - bx, y - by)
            chips = through < LIKELY and p[LIFT] > 0.0 and may_go(x, y, far, p)
            if chips:
                worth, through = chip_worth(bx, by, x, y, theirs, their_v, p)
            if through < LIKELY:
                continue
            worth -= detour(pose[i], bx, by, x, y) + (back_pass(bx, x) if onward else 0.0)
            if old[KIND] == PASS and old[MATE] == k:
                worth += LOYAL
            if worth > best:
                best = worth
                plan[KIND], plan[AIM_X], plan[AIM_Y], plan[MATE], plan[LIFT_OUT] = PASS, x, y, float(k), 0.0
                plan[SPEED_OUT] = min(kick_for(far, PASS_ARRIVES, p), 0.9 * p[KICK])
                if chips:
                    plan[SPEED_OUT], plan[LIFT_OUT] = chip_for(far, p)
    return best


@kernel
def pressed(bx: float, by: float, dx: float, dy: float, theirs: Floats) -> float:
    """Return how likely the ball is lost that is carried from b along d: an opponent is near, most of all ahead."""
    most = 0.0
    for j in range(theirs.shape[0]):
        rx, ry = theirs[j, 0] - bx, theirs[j, 1] - by
        d = norm(rx, ry)
        room = 0.9 if dot(rx, ry, dx, dy) > 0.0 else 0.4  # [m] chosen
        most = max(most, clamp(1.3 - d / room, 0.0, 0.8))
    return most


@kernel
def carry(me: Floats, bx: float, by: float, theirs: Floats, their_v: Floats, p: Floats, plan: Floats) -> float:
    """Fill the plan to take the ball along where most room is, and return its worth."""
    best = -math.inf
    gx, gy = unit(p[HALF_X] - bx, -by)
    for k in range(-4, 5):
        c, s = math.cos(0.3 * k), math.sin(0.3 * k)
        dx, dy = c * gx - s * gy, s * gx + c * gy
        x, y = bx + dx, by + dy
        if abs(x) > p[HALF_X] - 0.3 or abs(y) > p[HALF_Y] - 0.3:
            continue
        lost = pressed(bx, by, dx, dy, theirs)
        worth = (1.0 - lost) * ball_worth(x, y, theirs, their_v, p) - lost * loss(bx, by, x, y, p) - 0.005 * abs(k)
        worth -= detour(me, bx, by, x, y)
        if worth > best:
            best, plan[AIM_X], plan[AIM_Y] = worth, x, y
    plan[KIND], plan[MATE], plan[LIFT_OUT], plan[SPEED_OUT] = CARRY, -1.0, 0.0, 0.0
    return best


@kernel
def clear_away(me: Floats, bx: float, by: float, theirs: Floats, p: Floats, plan: Floats) -> None:
    """Fill the plan to chip a ball at b away from our goal."""
    plan[KIND], plan[MATE], plan[WORTH] = CLEAR, -1.0, 0.0
    plan[AIM_X], plan[AIM_Y] = way_out(me, bx, by, theirs, p)
    plan[SPEED_OUT], plan[LIFT_OUT] = chip_for(norm(plan[AIM_X] - bx, plan[AIM_Y] - by), p)


@kernel
def play_in(bx: float, by: float, theirs: Floats, their_v: Floats, p: Floats, plan: Floats) -> None:
    """Fill the plan to kick a ball at b where nobody stands, to the best place around it, if there is one."""
    best = 0.0
    for k in range(WAYS):
        angle = 2.0 * math.pi * k / WAYS
        x, y = bx + IN * math.cos(angle), by + IN * math.sin(angle)
        worth = pass_worth(bx, by, x, y, theirs, their_v, p)[0]
        if worth > best:
            best, plan[KIND], plan[AIM_X], plan[AIM_Y] = worth, PASS, x, y
            plan[SPEED_OUT] = kick_for(IN, PASS_ARRIVES, p)


@kernel
def make_up_mind(
    i: int, bx: float, by: float, pose: Floats, v: Floats, theirs: Floats, their_v: Floats, passes: bool, dead: bool,
    p: Floats, plan: Floats, old: Floats,
) -> None:  # fmt: skip
    """Fill what to do with a ball at b; a ``dead`` one has to be kicked. ``old``: the last plan, written to."""
    for c in range(PLANS):
        old[c] = plan[c]
    many = passes and pose.shape[0] > MANY
    onward = many and not (dead and bx > 0.0)
    if many and p[LIFT] > 0.0 and norm(bx + p[HALF_X], by) < DEEP * p[HALF_X]:
        clear_away(pose[i], bx, by, theirs, p, plan)
        return
    shot = best_shot(bx, by, theirs, their_v, many, p, plan) + (LOYAL if old[KIND] == SHOOT else 0.0)
    plan[WORTH] = shot
    if shot > GOOD:
        return
    aim_y = plan[AIM_Y]
    along = carry(pose[i], bx, by, theirs, their_v, p, plan) + (LOYAL if old[KIND] == CARRY else 0.0)
    along = along if not dead else -1.0
    worth = best_pass(i, bx, by, pose, v, theirs, their_v, p, plan, old, onward, max(along, shot)) if passes else 0.0
    plan[WORTH] = max(worth, along)
    if plan[KIND] == CARRY and (dead or shot > along):
        best_shot(bx, by, theirs, their_v, many, p, plan)
        plan[AIM_Y], plan[WORTH] = aim_y, shot
    if dead and plan[KIND] == SHOOT and bx > 0.0 and view(bx, by, p) < HARDLY:
        play_in(bx, by, theirs, their_v, p, plan)


@kernel
def tolerance(bx: float, by: float, plan: Floats, p: Floats) -> float:
    """Return how far off [rad] a heading may be for this plan."""
    far = norm(plan[AIM_X] - bx, plan[AIM_Y] - by)
    if plan[KIND] == SHOOT:
        if p[CAREFUL] <= 0.0:
            return clamp(0.25 * p[GAP] / max(far, 0.1), 0.03, 0.15)
        return clamp(AIMED * p[GAP] / max(far, 0.1), 0.02, 0.15) if far < HOPELESS else 0.25
    return 0.07 if plan[KIND] == PASS else 0.25
