"""Tracks of robots and ball: predicted, matched with detections, corrected.

track  (n, 6)  x, y, theta, vx, vy, omega in the field frame
p      (n, 3, 3)  for each of x, y, theta: variance of position, covariance, variance of velocity
q      spectral density of the acceleration noise [m^2/s^3]
r      variance of a measurement
told   (h, n, 3)  body velocities that our robots were told, newest last; told_time (h,) when each began to act
"""
