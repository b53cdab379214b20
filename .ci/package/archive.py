#!/usr/bin/env python3
"""archive.py PROGRAM TARGET DIRECTORY [RUNS]: packs a built program with its completions, manual pages and licenses.

RUNS is the same program for this machine; the default is PROGRAM. The archive has fixed times, owners and modes, so the same
program gives the same bytes. Prints the SHA-256 of the program and of the archive.
"""
import gzip
import hashlib
import io
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent.parent
SHELLS = ["bash", "elvish", "fish", "powershell", "zsh"]
# 1980-01-01, the first day that a zip archive can express.
SECONDS = 315532800
DOCUMENTS = ["CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT", "LICENSE-THIRD-PARTY", "README.md"]


def version():
    return re.search(r'^\[workspace\.package\]\nversion = "(.+)"$', (TOP / "Cargo.toml").read_text(encoding="utf-8"), re.M)[1]


def contents(program, runs):
    """Returns the files of the archive: name, bytes, whether it can be executed."""
    output = lambda *arguments: subprocess.run([runs, "--quiet", *arguments], check=True, stdout=subprocess.PIPE).stdout
    files = [("skilltree" + program.suffix, program.read_bytes(), True)]
    files += [(name, (TOP / name).read_bytes(), False) for name in DOCUMENTS]
    files += [(f"completions/skilltree.{shell}", output("completions", shell), False) for shell in SHELLS]
    with tempfile.TemporaryDirectory() as directory:
        output("man", "--out", directory)
        files += [(f"man/{page.name}", page.read_bytes(), False) for page in Path(directory).iterdir()]
    return sorted(files)


def write_tar(path, name, files):
    with open(path, "wb") as raw, gzip.GzipFile(filename="", fileobj=raw, mode="wb", mtime=0) as packed:
        with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as archive:
            for file, data, executable in files:
                entry = tarfile.TarInfo(f"{name}/{file}")
                entry.size, entry.mtime, entry.mode = len(data), SECONDS, 0o755 if executable else 0o644
                archive.addfile(entry, io.BytesIO(data))


def write_zip(path, name, files):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for file, data, executable in files:
            entry = zipfile.ZipInfo(f"{name}/{file}", time.gmtime(SECONDS)[:6])
            entry.external_attr = (0o100755 if executable else 0o100644) << 16
            entry.create_system = 3
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED)


def main():
    program, target, out = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
    runs = os.path.abspath(sys.argv[4] if len(sys.argv) > 4 else program)
    name = f"skilltree-{version()}-{target}"
    out.mkdir(parents=True, exist_ok=True)
    is_windows = program.suffix == ".exe"
    archive = out / (name + (".zip" if is_windows else ".tar.gz"))
    (write_zip if is_windows else write_tar)(archive, name, contents(program, runs))
    for path, shown in ((program, f"{name}{program.suffix}"), (archive, archive.name)):
        print(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {shown}")


if __name__ == "__main__":
    main()
