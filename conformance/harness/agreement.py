"""Compares the forecast of skilltree with observations of other skills than the cases."""

import os
import subprocess
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent.parent
TEST = "fates_and_texts_agree_in_99_percent"


def compare(skills, observed):
    """Runs the test that prints how well they agree. Returns whether at least 99 % do."""
    command = ["cargo", "test", "--quiet", "--test", "conformance", TEST, "--", "--nocapture"]
    places = {"CONFORMANCE_SKILLS": skills.resolve(), "CONFORMANCE_OBSERVED": observed.resolve()}
    env = dict(os.environ, **{name: str(place) for name, place in places.items()})
    return subprocess.run(command, cwd=REPOSITORY, env=env).returncode == 0
