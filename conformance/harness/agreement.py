"""Compares the forecast of skilltree with observations of other skills than the cases."""

import os
import subprocess
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent.parent
TEST = "conformance::fates_and_texts_agree_in_99_percent"
MUTATE = "conformance::cases_catch_mutated_profiles"


def compare(skills, observed):
    """Runs the test that prints how well they agree. Returns whether at least 99 % do."""
    places = {"CONFORMANCE_SKILLS": skills.resolve(), "CONFORMANCE_OBSERVED": observed.resolve()}
    return test(TEST, **{name: str(place) for name, place in places.items()})


def mutate(only):
    """Runs the test that changes each value of each executed profile. Returns whether the cases notice at least 95 %."""
    return test(MUTATE, CONFORMANCE_MUTATE=",".join(only or ["all"]))


def test(name, **variables):
    """Runs a test of the program, and shows what it prints. Returns whether it passes."""
    command = ["cargo", "test", "--quiet", "--test", "it", name, "--", "--exact", "--include-ignored", "--nocapture"]
    return subprocess.run(command, cwd=REPOSITORY, env=dict(os.environ, **variables)).returncode == 0
