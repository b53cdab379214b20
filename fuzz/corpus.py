#!/usr/bin/env python3
"""Adds to, unpacks and packs the inputs of the fuzz targets: `fuzz/corpus/TARGET.txt`, in the format of conformance/README.md.

    fuzz/corpus.py add TARGET NAME FILE       # add the file as an input
    fuzz/corpus.py unpack TARGET DIRECTORY    # write each input to DIRECTORY/NAME
    fuzz/corpus.py pack TARGET DIRECTORY      # replace the inputs by the files of the directory
"""

import argparse
import sys
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "conformance"))

from harness import packed  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    add, unpack, pack = (commands.add_parser(name) for name in ("add", "unpack", "pack"))
    for command in (add, unpack, pack):
        command.add_argument("target", choices=sorted(path.stem for path in (HERE / "fuzz_targets").glob("*.rs")))
    add.add_argument("name")
    add.add_argument("file", type=Path)
    for command in (unpack, pack):
        command.add_argument("directory", type=Path)
    options = parser.parse_args()
    path = HERE / "corpus" / f"{options.target}.txt"
    inputs = packed.load(path) if path.exists() else {}
    if options.command == "unpack":
        options.directory.mkdir(parents=True, exist_ok=True)
        for name, data in inputs.items():
            (options.directory / name).write_bytes(data)
        return
    if options.command == "pack":
        inputs = {file.name: file.read_bytes() for file in options.directory.iterdir()}
    elif options.name in inputs:
        sys.exit(f"{path.name} has an input {options.name}")
    else:
        inputs[options.name] = options.file.read_bytes()
    path.write_text(packed.write(dict(sorted(inputs.items()))), encoding="ascii")


if __name__ == "__main__":
    main()
