"""The build backend of `pip install ./python`: builds the program with Cargo, then the wheel around it with maturin."""
import json
import os
import shutil
import subprocess
from contextlib import contextmanager
from pathlib import Path

import maturin
from maturin import *  # noqa: F403 - the hooks of the backend that need no program

HERE = Path(__file__).resolve().parent
TOP = HERE.parent
# What `data` of pyproject.toml names.
DATA = HERE / "data"
# With the same features, maturin compiles no crate again that the program has.
FEATURES = "skilltree-python/program"
LICENSES = ["LICENSE-APACHE", "LICENSE-MIT", "LICENSE-THIRD-PARTY"]


def built():
    """Builds the program, and returns its path."""
    packages = ["--package=skilltree", "--package=skilltree-python", f"--features={FEATURES}"]
    command = ["cargo", "build", "--release", "--locked", *packages, "--bin=skilltree", "--message-format=json-render-diagnostics"]
    lines = subprocess.run(command, cwd=TOP, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    programs = [message["executable"] for message in map(json.loads, lines) if message.get("executable")]
    return programs[-1]


@contextmanager
def program():
    """Puts the program and the licenses where maturin looks for them."""
    if shutil.which("cargo") is None:
        raise SystemExit("there is no cargo on PATH, which builds skilltree: install Rust first")
    shutil.rmtree(DATA, ignore_errors=True)
    try:
        (DATA / "scripts").mkdir(parents=True)
        shutil.copy2(built(), DATA / "scripts")
        os.environ["MATURIN_PEP517_ARGS"] = f"{os.environ.get('MATURIN_PEP517_ARGS', '')} --features={FEATURES}"
        for name in LICENSES:
            shutil.copy2(TOP / name, HERE)
        yield
    finally:
        shutil.rmtree(DATA, ignore_errors=True)
        for name in LICENSES:
            (HERE / name).unlink(missing_ok=True)


def build_wheel(*arguments, **options):
    with program():
        return maturin.build_wheel(*arguments, **options)


def build_editable(*arguments, **options):
    with program():
        return maturin.build_editable(*arguments, **options)


def prepare_metadata_for_build_wheel(*arguments, **options):
    DATA.mkdir(exist_ok=True)
    try:
        return maturin.prepare_metadata_for_build_wheel(*arguments, **options)
    finally:
        DATA.rmdir()


prepare_metadata_for_build_editable = prepare_metadata_for_build_wheel
