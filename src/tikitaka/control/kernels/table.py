"""A robot's numbers in the kernels' order; `control.drive` fills the array."""

SPEED, ACCELERATION, TURN_RATE, TURN_ACCELERATION = range(4)  # [m/s], [m/s^2], [rad/s], [rad/s^2]
WHEEL = 4  # [rad/s] fastest wheel
GRIP = 5  # [m/s^2] all that the tyres hold, along and across
BEGIN = 6  # share of a tick's way that is driven at the speed of its beginning: 1/2 for motors, 0 for perfect wheels
SETTLE = 7  # a tick in time constants of the wheels
KNEE = 8  # [rad/s] error of a wheel's rate that takes all of the motor's torque
DOUBT, DOUBT_ANGLE = 9, 10  # [m], [rad] standard deviation of where a robot is seen, and of its heading
CALM = 11  # [s] ticks are reckoned at least so long; shorter, and a camera's noise would be driven after
SIZE = 12
