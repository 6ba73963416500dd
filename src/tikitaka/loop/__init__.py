"""The loop: `tick` wires the stages of one team, `match` plays two of them, `run` keeps what was played."""
