"""How a league's wheels answer their commands, as a team's controller reckons with it."""

import numpy as np

from tikitaka import control
from tikitaka.league import League
from tikitaka.loop.believed import drive_params
from tikitaka.sim.drive import GRAVITY, mass_matrix, rows


def response_of(league: League) -> control.Response:
    """Return what a tick of motor torque does to a robot of a league, as long as all tyres hold."""
    drive, dt = drive_params(league), 1.0 / league.camera.rate
    if drive.kinematic:
        return control.Response.perfect(len(drive.xy))
    free = [0, 2] if drive.tyres else [0, 1, 2]
    rho = (rows(drive) / drive.wheel_radius)[:, free]
    mass = mass_matrix(drive)[np.ix_(free, free)] + drive.wheel_inertia * rho.T @ rho  # [Klancar, Eqs. 6-10]
    stiff = (drive.motor.gain + drive.wheel_damping) * rho.T @ rho
    rates, ways = np.linalg.eig(np.linalg.solve(mass, stiff))  # of a velocity error that fades [1/s]
    made_good = (ways * -np.expm1(-rates * dt)) @ np.linalg.inv(ways)
    effort, lead = np.zeros((len(rho), 3)), np.eye(3)
    effort[:, free] = rho @ np.linalg.solve(rho.T @ rho, mass) / drive.motor.torque_limit
    lead[np.ix_(free, free)] = np.linalg.inv(made_good).real
    knee = drive.motor.torque_limit / drive.motor.gain
    return control.Response(effort, lead, float(rates.real.mean()) * dt, knee, drive.traction * GRAVITY)
