"""Robots to drive with, and a loop around the kernel; for the tests of wheels, motors and tyres."""

import math
from dataclasses import dataclass, replace

import numpy as np

from tikitaka.sim.drive import ROOM, DriveParams, Motor, differential_wheels, omni_wheels
from tikitaka.sim.kernels import wheels
from tikitaka.sim.kernels.chassis import cos_sin
from tikitaka.types import Floats

DT = 1.0 / 240.0  # [s] a step of the pitch


def cube(**changes: object) -> DriveParams:
    """Return a MiroSot cube like RobySpeed: 4 m/s, 10 m/s^2."""
    xy, direction = differential_wheels(0.035)
    motor = Motor(stall_torque=0.26, no_load_speed=215.0, torque_limit=0.063, gain=0.01)
    plain = DriveParams(0.6, 5.625e-4, xy, direction, True, 0.02, 6e-6, 2e-5, 1.1, motor)  # noqa: FBT003
    return replace(plain, **changes)  # type: ignore[arg-type]


def omni(angles_deg: tuple[float, ...] = (60.0, 135.0, 225.0, 300.0), **changes: object) -> DriveParams:
    """Return a Small Size robot with wheels at these angles."""
    xy, direction = omni_wheels(np.radians(angles_deg).tolist(), 0.085)
    motor = Motor(stall_torque=0.6, no_load_speed=150.0, torque_limit=0.132, gain=0.03)
    plain = DriveParams(2.8, 0.0113, xy, direction, False, 0.027, 7.3e-5, 1e-4, 0.8, motor)  # noqa: FBT003
    return replace(plain, **changes)  # type: ignore[arg-type]


@dataclass
class Robot:
    """One robot and how it moves; `go` moves it on."""

    params: DriveParams
    pose: Floats
    velocity: Floats
    spin: Floats

    def go(self, aim: object, dt: float = DT, steps: int = 1) -> list[bool]:
        """Drive on; return for every step whether a tyre slipped."""
        n, w = 1, len(self.params.xy)
        target = np.broadcast_to(np.asarray(aim, dtype=np.float64), (1, n, w)).copy()
        ahead, spin = np.full((1, n, ROOM), np.nan), np.full((1, n, w), np.nan)
        slipped = []
        for _ in range(steps):
            now = self.pose[None, None], self.velocity[None, None], self.spin[None, None]
            c, s = cos_sin(float(self.pose[2]))
            flag = wheels.drive(0, 0, c, s, *now, target, 0, ahead, spin, self.params.chassis, self.params.wheels, dt)
            slipped.append(bool(flag))
            self.pose, self.velocity = ahead[0, 0, :3].copy(), ahead[0, 0, 3:6].copy()
            self.spin = spin[0, 0].copy()
        return slipped

    @property
    def body(self) -> Floats:
        """Velocity in the body frame."""
        c, s = math.cos(self.pose[2]), math.sin(self.pose[2])
        vx, vy, w = self.velocity
        return np.array((c * vx + s * vy, c * vy - s * vx, w))

    @property
    def slip(self) -> Floats:
        """(w, 2) speed of every tyre's patch over the ground, along and across the wheel."""
        p = self.params
        patch = self.body[:2] + self.body[2] * np.stack([-p.xy[:, 1], p.xy[:, 0]], axis=1)
        along = np.sum(patch * p.direction, axis=1) - p.wheel_radius * self.spin
        across = p.direction[:, 0] * patch[:, 1] - p.direction[:, 1] * patch[:, 0]
        return np.stack([along, across if p.tyres else np.zeros(len(p.xy))], axis=1)

    @property
    def energy(self) -> float:
        """Kinetic energy of body and wheels [J]."""
        u, v, w = self.body
        p = self.params
        body = 0.5 * p.mass * (u * u + (v + p.offset * w) ** 2) + 0.5 * p.inertia * w * w
        return float(body + 0.5 * p.wheel_inertia * np.sum(self.spin**2))


def rolling(params: DriveParams, body: object = (0.0, 0.0, 0.0), pose: object = (0.0, 0.0, 0.0)) -> Robot:
    """Return a robot that rolls with this velocity in its own frame."""
    place, (u, v, w) = np.array(pose, dtype=np.float64), np.array(body, dtype=np.float64)
    c, s = math.cos(place[2]), math.sin(place[2])
    spin = params.wheels[:, [4, 5, 6]] @ (u, v, w)
    return Robot(params, place, np.array((c * u - s * v, s * u + c * v, w)), spin)
