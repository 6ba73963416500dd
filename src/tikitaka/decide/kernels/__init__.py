"""Who goes where: keeper, attacker, and the others at their posts. We attack +x.

d      unit vector in which the ball is to be played
reach  distance between the centres of ball and robot when they touch
hull   radius of the circle around a robot
pitch  (9,)  half length and width, half goal, room to the walls in x and y, length and half width of the goal area,
             circle, hull
"""
