"""Shared by all tests: one Hypothesis profile, so that a run is the same every time."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "repeatable",
    max_examples=60,
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.load_profile("repeatable")
