"""What a stage may cost: p99 on one core of a plain server, in microseconds. `tikitaka bench` shows who holds it."""

BUDGET_US = {
    "sim/mirosot-5v5": 40.0,  # two physics steps of 1/60 s at 20 us each: its tick is 1/30 s
    "estimate/mirosot-5v5": 100.0,  # 10 robots and the ball
    "plan/ssl-a": 5500.0,  # eleven robots at 500 us each
    "avoid/ssl-a": 1000.0,  # eleven among 22, by `ours`
    "avoid by auto_avoid/mirosot-11v11": 100.0,
    "avoid by collision_avoid/mirosot-11v11": 100.0,
    "avoid by collision_avoid_printed/mirosot-11v11": 100.0,
    "avoid by orca/mirosot-11v11": 100.0,
    "avoid by ours/mirosot-11v11": 1000.0,
    "tick/mirosot-11v11": 2000.0,  # both teams
    "tick/ssl-a": 2000.0,
}
