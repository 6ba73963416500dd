"""Tracks of robots and ball: predicted, matched with detections, corrected.

state, track  (n, 6)  x, y, theta, vx, vy, omega in the field frame
p             (n, 6, 6)  their covariance
q             spectral density of the acceleration noise [m^2/s^3]
r             variance of a measurement
told          (k, n, 5)  body velocities and kicks that our robots were told, newest last; told_time (k,) since when
"""
