"""Hypothesis tries the same examples in every run, and the first call of a kernel may compile."""

from hypothesis import settings

settings.register_profile("tikitaka", derandomize=True, deadline=None)
settings.load_profile("tikitaka")
