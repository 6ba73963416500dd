"""Hypothesis tries the same examples in every run, and the first call of a kernel may compile."""

from hypothesis import settings
from hypothesis.internal.conjecture import providers

# It would also try constants of all modules that happen to be loaded by then: another set in every process.
providers._get_local_constants = lambda: providers._local_constants

settings.register_profile("tikitaka", derandomize=True, deadline=None)
settings.load_profile("tikitaka")
