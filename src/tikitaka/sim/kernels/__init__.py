"""The pitch's physics. Floats and arrays in and out; no objects, no exceptions.

Arrays are indexed [env, robot] and worked on in place:

pose      (e, n, 3)  x, y, theta
velocity  (e, n, 3)  vx, vy, omega in the field frame
ball      (e, 4)     x, y, vx, vy
wanted    (n, 3)     body velocity that the wheels ask for
walls     (k, 3)     half-planes: inside is nx x + ny y <= d
posts     (b, 4)     boxes that stand on the pitch: x, y, half sizes
body      (8,)       the robot, see `gaps`
play      (12,)      the ball and what happens to it, see `gaps`
contacts  (c, 10)     scratch, see `contacts`
"""
