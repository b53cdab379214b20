"""Injects faults into a release build: python3 benches/faults PROGRAM [CHECK]... | --selftest PROGRAM

Prints one line per check, with counts, and exits with 1 if a check failed. `--quick` runs a sample. Needs Linux, strace, git,
and cargo for the hostile repositories. Python's standard library only.
"""
import argparse
import sys
import tempfile
import time
from pathlib import Path

sys.dont_write_bytecode = True

import concurrency
import damage
import hostile
import kills
import selftest
import shortage
import writes
from program import Program, Tally, repository

ROOT = Path(__file__).resolve().parents[2]
SHOWN = 20


def checks(arguments):
    """Returns the checks by name. Each takes the program, a tally and a working directory."""
    kept = Path(arguments.repositories) if arguments.repositories else None
    return {
        "hostile": lambda program, tally, work: hostile.check(program, tally, hostile.make(ROOT, kept or work / "cases"), work),
        "writes": lambda program, tally, work: writes.check(program, tally, repository(work / "repository", {f"skill-{n}": None for n in range(8)}), work),
        "damage": lambda program, tally, work: damage.check(program, tally, work, 37 if arguments.quick else 1),
        "concurrency": lambda program, tally, work: concurrency.check(program, tally, work, 5 if arguments.quick else 60),
        "kills": lambda program, tally, work: kills.check(program, tally, work, 20 if arguments.quick else 200),
        "limits": shortage.check_limits,
        "room": shortage.check_room,
        "streams": shortage.check_streams,
    }


def run(name, check, program):
    tally, start = Tally(), time.monotonic()
    with tempfile.TemporaryDirectory(prefix="faults-") as work:
        # Another user of the system must be able to read these files.
        Path(work).chmod(0o755)
        home = Path(work) / "home"
        home.mkdir()
        check(Program(program, home), tally, Path(work))
    verdict = f"{len(tally.faults)} FAULTS" if tally.faults else "ok"
    print(f"{name:<32}{verdict:<12} {tally.line()} ({time.monotonic() - start:.0f} s)", flush=True)
    return tally


def main():
    parser = argparse.ArgumentParser(prog="faults", description=__doc__.splitlines()[0])
    parser.add_argument("program", type=Path)
    parser.add_argument("check", nargs="*", help="only these checks")
    parser.add_argument("--quick", action="store_true", help="leave most damages and most of the time out")
    parser.add_argument("--repositories", help="keep the hostile repositories here, and take them from here the next time")
    parser.add_argument("--selftest", action="store_true", help="show that each check notices a program that misbehaves")
    arguments = parser.parse_args()
    program = arguments.program.resolve()
    if arguments.selftest:
        sys.exit(selftest.main(program, run))
    known = checks(arguments)
    unknown = [name for name in arguments.check if name not in known]
    if unknown:
        parser.error(f"there is no check {unknown[0]}: {', '.join(known)}")
    wrong = 0
    for name in arguments.check or known:
        tally = run(name, known[name], [program])
        for fault in tally.faults[:SHOWN]:
            print(f"  {fault}")
        if len(tally.faults) > SHOWN:
            print(f"  and {len(tally.faults) - SHOWN} more")
        wrong += bool(tally.faults)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
