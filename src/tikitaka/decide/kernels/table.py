"""The places of facts and pitch in the array p that `decide.facts.table` makes, and what else kernels share.

REACH       centres of robot and ball when they touch     HULL        radius of the circle around a robot
SPEED, ACCEL, TURN_RATE, TURN_ACCEL  the robots' limits   KICK, LIFT  fastest kick and chip, 0: none
DRIBBLER, OMNI, BARRED, CAREFUL  1: yes                   BALL        its radius
BRAKE, DAMP             of a rolling ball [m/s^2, 1/s]    SLIDE       of a ball that slides [m/s^2]
BOUNCE      share of its speed that a wall gives back     KEEP_OFF    from a ball that is not ours [m]
HALF_X, HALF_Y, GAP     half length, width and goal       ROOM_X, ROOM_Y  to the walls
AREA_X, AREA_Y          length and half width of the goal area
CIRCLE      radius of the centre circle                   DT          a tick
The last nine, from PITCH on, are the array ``pitch`` that the rookie's kernels know.
"""

REACH, HULL, SPEED, ACCEL, TURN_RATE, TURN_ACCEL, KICK, LIFT, DRIBBLER, OMNI = range(10)
BALL, BRAKE, DAMP, SLIDE, BOUNCE, BARRED, KEEP_OFF, DT, CAREFUL = range(10, 19)
HALF_X, HALF_Y, GAP, ROOM_X, ROOM_Y, AREA_X, AREA_Y, CIRCLE = range(19, 27)
PITCH = 19

PLAY, AVOID, APPROACH = 0, 1, 2  # types.BallUse
PHASES = range(9)  # types.Phase
HALT, KICK_OFF, IN_PLAY, STOP, FREE_KICK, GOAL_KICK, PENALTY, FREE_BALL, PLACEMENT = PHASES
