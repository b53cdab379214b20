"""The command line of conformance/run."""

import argparse
import datetime
import json
import shutil
import sys
import time
import traceback
from pathlib import Path

from programs import PROGRAMS
from programs.base import Npm

from . import agreement, cases, install, layouts, lists, network, newest, observe, record, selftest, singles, tables
from .bench import Bench

HERE = Path(__file__).resolve().parent.parent
PINS = HERE / "pins.json"


def parse():
    about = "Run real agent programs over skills and compare what they do with conformance/observed."
    cache = HERE.parent / "target" / "conformance"
    parser = argparse.ArgumentParser(prog="conformance/run", description=about)
    add = parser.add_argument
    add("--only", action="append", metavar="ID[@VERSION]", help="run this program alone; may be repeated")
    add("--versions", choices=("pinned", "newest"), default="pinned", help="which versions to run")
    add("--newest", action="store_true", help="run the newest versions, write what they do, their profiles and one report")
    add("--report", type=Path, default=cache / "report.md", metavar="FILE", help="where --newest writes the report")
    add("--missing", action="store_true", help="observe only the skills and trees that no observation has, and write them to it")
    add("--update", action="store_true", help="write the observations, and the versions to pins.json")
    add("--offline", action="store_true", help="install nothing; use what is in the cache")
    add("--cache", type=Path, default=cache, metavar="DIR", help="where programs are installed")
    add("--skills", type=Path, metavar="PATH", help="observe PATH/NAME/SKILL.md, or a packed file, instead of the cases")
    add("--out", type=Path, metavar="DIR", help="also write the observations to this directory")
    add("--compare", action="store_true", help="compare the forecast with what was observed of --skills")
    add("--mutate", action="store_true", help="change each value of each profile and count what no case notices; run nothing")
    add("--tables", action="store_true", help="write TABLES.md from the observations; run nothing")
    add("--selftest", action="store_true", help="check that the runner notices a program that changes")
    options = parser.parse_args()
    if options.newest:
        options.versions, options.update = "newest", True
    if options.versions == "newest" and options.offline:
        parser.error("--offline cannot find the newest versions")
    if options.compare and not options.skills:
        parser.error("--compare needs --skills")
    if options.compare and not options.out:
        options.out = options.cache / "compared"
        shutil.rmtree(options.out, ignore_errors=True)
    return options


def main():
    options = parse()
    if options.mutate:
        sys.exit(0 if agreement.mutate(options.only) else 1)
    if options.tables:
        tables.write()
        return
    pins = json.loads(PINS.read_text())
    bench = Bench(options.cache)
    try:
        bench.take()
    except BlockingIOError:
        sys.exit("another run is under way")
    if options.selftest:
        sys.exit(selftest.run(bench))
    programs = choose(options, pins)
    failed = [program.id for program in programs if not prepare(bench, program, pins, options)]
    if not network.cut():
        say("this system does not allow a network of one's own: programs run with closed proxies only")
    changed, sections = False, []
    for program in programs:
        if program.id in failed:
            continue
        try:
            changed |= examine(bench, program, pins, options, sections)
        except Exception:
            failed.append(program.id)
            say(f"{program.id} {program.version}: failed\n{traceback.format_exc()}")
    if options.newest:
        # npm resolves the dependencies of these versions as of this day, and installs no version that is newer.
        pins["date"] = datetime.date.today().isoformat()
        newest.write(options.report, sections, failed)
        changed = any(lines for _, lines in sections)
        say(f"the report is in {options.report}")
    if options.update and not options.skills:
        PINS.write_text(json.dumps(pins, indent=2) + "\n")
        tables.write()
    if options.compare and not agreement.compare(options.skills, options.out):
        changed = True
    sys.exit(1 if changed else 2 if failed else 0)


def choose(options, pins):
    """Returns the programs to run, each with its version."""
    wanted = dict(word.partition("@")[::2] for word in options.only) if options.only else dict.fromkeys(PROGRAMS, "")
    if not (options.only or options.update or options.skills):
        skipped = [id for id in wanted if not record.committed(id)]
        if skipped:
            say(f"not run, for there is no observation to compare with: {', '.join(skipped)}")
        wanted = {id: version for id, version in wanted.items() if id not in skipped}
    for id in wanted:
        if id not in PROGRAMS:
            sys.exit(f"no such program: {id}; there are {', '.join(PROGRAMS)}")
    for id, version in wanted.items():
        PROGRAMS[id].version = version or pins["programs"].get(id, "")
        PROGRAMS[id].node = pins["node"] if isinstance(PROGRAMS[id].package, Npm) else ""
        PROGRAMS[id].chosen = bool(version)
    return [PROGRAMS[id] for id in wanted]


def prepare(bench, program, pins, options):
    """Installs a program. Returns whether it is there."""
    before = pins["date"] if options.versions == "pinned" and not program.chosen else None
    started = time.monotonic()
    try:
        if options.versions == "newest" and not program.chosen and not options.offline:
            program.version = install.newest(program)
        if options.offline and not install.there(bench, program):
            raise install.InstallFailed("it is not in the cache")
        if program.node and not options.offline:
            install.install_node(bench, program.node)
        if not options.offline and install.install(bench, program, before):
            took, size = time.monotonic() - started, install.size(bench, program)
            say(f"{program.id} {program.version}: installed in {took:.0f} s, {size} MB")
    except install.InstallFailed as fault:
        say(f"{program.id} {program.version}: not installed: {fault}")
        return False
    return True


def examine(bench, program, pins, options, sections):
    """Observes a program and reports what changed. Returns whether something did."""
    started = time.monotonic()
    head = {"schema": record.SCHEMA, "runtime": program.id, "package": registry(program), "version": program.product(bench)}
    head |= {"observed": datetime.date.today().isoformat(), "repository": str(bench.repo)}
    old = record.committed(program.id)
    if options.missing and old:
        # The day and the version stay: they are those of all other skills.
        wanted = cases.skills()
        rest = {name: content for name, content in wanted.items() if name not in old["skills"]}
        kept = {name: cell for name, cell in old["skills"].items() if name in wanted}
        seen = singles.observe(bench, program, rest) if rest else {}
        more = {"skills": dict(sorted((kept | seen).items()))}
        new = [tree for tree in cases.trees() if program.layout and tree.id not in old["trees"]]
        if new:
            trees = old["trees"] | {tree.id: layouts.observe(bench, program, tree) for tree in new}
            more["trees"] = {tree.id: trees[tree.id] for tree in cases.trees()}
        if "list" not in old and (text := lists.observe(bench, program)):
            more["list"] = text
        record.write(old | more)
        took = f"{time.monotonic() - started:.0f} s"
        say(f"{program.id} {program.version}: {len(rest)} skills and {len(new)} trees added ({took})")
        return False
    if options.skills:
        found = {"root": program.roots[0], "sees": list(program.sees)}
        found["skills"] = singles.observe(bench, program, cases.skills(options.skills))
    else:
        found = observe.observe(bench, program)
    observation = head | found
    if options.out:
        record.write(observation, options.out)
    seconds = f"{time.monotonic() - started:.0f} s"
    if options.skills:
        say(f"{program.id} {program.version}: observed in {seconds}")
        return False
    lines = record.changes(old, observation) if old else ["there is no observation yet"]
    against = f" since {old['version']}" if old and old["version"] != head["version"] else ""
    say(f"{program.id} {program.version}: {len(lines)} changes{against} ({seconds})")
    for line in lines:
        print(f"  {line}", flush=True)
    if options.newest and old:
        newest.update_profile(program, old, observation, newest.bundled(old, observation)[1])
        sections.append((newest.section(program, old, observation, lines, install.note(bench, program)), lines))
    if options.update:
        record.write(observation)
        pins["programs"][program.id] = program.version
        return False
    return bool(lines)


def registry(program):
    """Returns the package as REGISTRY:NAME; the platform in a name is left open."""
    return f"{'npm' if isinstance(program.package, Npm) else 'pypi'}:{program.package.name}"


def say(text):
    print(text, flush=True)
