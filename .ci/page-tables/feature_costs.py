#!/usr/bin/env python3
"""feature_costs.py DIRECTORY: prints the table of docs/dev/figures.md: what each feature costs.

It builds the release program in DIRECTORY with all features, without each of them, and without any. A row is the difference to the
program with all features. Cargo runs this file instead of the compiler, so that it can add up the processor seconds of the crates of
each program. A crate that several programs share is compiled once: what else the machine does then changes no difference.
"""
import json
import os
import resource
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent.parent
LOG = "SKILLTREE_COMPILER_LOG"


def compile_crate(command):
    """Compiles a crate, and logs its processor seconds. The compiler inherits the job server of Cargo."""
    done = subprocess.run(command, close_fds=False)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    if "--crate-name" in command:
        features = sorted(word[9:-1] for word in command if word.startswith('feature="'))
        optimization = next((word[10:] for word in command if word.startswith("opt-level=")), "0")
        crate = [os.environ.get("CARGO_PKG_NAME"), os.environ.get("CARGO_PKG_VERSION"), command[command.index("--crate-name") + 1], features, optimization]
        with open(os.environ[LOG], "a", encoding="utf-8") as log:
            log.write(json.dumps([crate, used.ru_utime + used.ru_stime]) + "\n")
    return done.returncode


def build(names, target):
    """Returns the bytes, the number of crates and the crates, with their settings, of a program with these features."""
    features = ["--no-default-features", "--features", ",".join(names)]
    command = ["cargo", "build", "--locked", "--quiet", "--release", "--bin", "skilltree", *features, "--target-dir", target, "--message-format", "json"]
    environment = os.environ | {"RUSTC_WRAPPER": __file__, LOG: str(target / "compiler.log")}
    units = set()
    for line in subprocess.run(command, cwd=TOP, env=environment, check=True, text=True, stdout=subprocess.PIPE).stdout.splitlines():
        message = json.loads(line)
        if message["reason"] == "compiler-artifact":
            name, version = package(message["package_id"])
            units.add((name, version, message["target"]["name"].replace("-", "_"), tuple(sorted(message["features"])), message["profile"]["opt_level"]))
    tree = ["cargo", "tree", "--locked", "--edges", "normal,build", "--prefix", "none", "--format", "{p}", *features]
    lines = subprocess.run(tree, cwd=TOP, check=True, text=True, stdout=subprocess.PIPE).stdout.splitlines()
    return (target / "release" / "skilltree").stat().st_size, len({tuple(line.split()[:2]) for line in lines if line}), units


def package(identity):
    """Returns the name and the version in a package identity of Cargo: `SOURCE#NAME@VERSION`, or `PATH/NAME#VERSION`."""
    source, _, rest = identity.rpartition("#")
    name, _, version = rest.rpartition("@")
    return name or source.rpartition("/")[2], version


def compiled(target):
    """Returns the compiled crates, with their settings and processor seconds. The program has the name of its library."""
    lines = (target / "compiler.log").read_text(encoding="utf-8").splitlines()
    return [((*crate[:3], tuple(crate[3]), crate[4]), seconds) for crate, seconds in map(json.loads, lines)]


def main():
    target = Path(sys.argv[1]).resolve()
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    everything = tomllib.loads((TOP / "Cargo.toml").read_text(encoding="utf-8"))["features"]["default"]
    optional = [name for name in everything if name != "cli"]
    programs = {"": build(everything, target)}
    total = sum(seconds for _, seconds in compiled(target))
    for name in optional:
        programs[f"`{name}`"] = build([other for other in everything if other != name], target)
    programs["all of them"] = build(["cli"], target)

    spent = {}
    for unit, seconds in compiled(target):
        spent[unit] = spent.get(unit, 0) + seconds

    def figures(program):
        size, crates, units = program
        return size / 1e6, crates, sum(spent.get(unit, 0) for unit in units)

    whole = figures(programs.pop(""))
    print("| feature | megabytes | crates | processor seconds |\n|---|---|---|---|")
    for label, program in programs.items():
        size, crates, seconds = (more - less for more, less in zip(whole, figures(program)))
        print(f"| {label} | {size:,.1f} | {crates} | {seconds:,.0f} |")
    print(f"| the default program | {whole[0]:,.1f} | {whole[1]} | {total:,.0f} |")


if __name__ == "__main__":
    sys.exit(compile_crate(sys.argv[1:]) if LOG in os.environ else main())
