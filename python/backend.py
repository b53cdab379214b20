"""The build backend of `pip install ./python`: builds the program with Cargo, then the wheel around it with maturin."""
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
LICENSES = ["LICENSE-APACHE", "LICENSE-MIT", "LICENSE-THIRD-PARTY"]


@contextmanager
def program():
    """Puts the program and the licenses where maturin looks for them."""
    if shutil.which("cargo") is None:
        raise SystemExit("there is no cargo on PATH, which builds skilltree: install Rust first")
    shutil.rmtree(DATA, ignore_errors=True)
    try:
        subprocess.run(["cargo", "install", "--locked", "--no-track", "--path", TOP, "--root", DATA], check=True)
        (DATA / "bin").rename(DATA / "scripts")
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
