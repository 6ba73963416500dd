"""Learning environments over the loop: so far the pitch of a league, to be stepped in thousands of worlds."""

from tikitaka.envs.pitch import pitch_of

__all__ = ["pitch_of"]
