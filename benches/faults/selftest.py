"""Each check must detect a program that misbehaves."""
import json
import tempfile
from pathlib import Path

import concurrency
import damage
import hostile
import kills
import shortage
import writes
from program import git, repository, skill

CANARY = "canary-of-the-selftest"

# Programs with one defect each, and the expected report. {real} is the real program.
WRONG_READERS = {
    "panics": ("panic", "#!/bin/sh\necho \"thread 'main' panicked at x\" >&2\nexit 101\n"),
    "panics with status 2": ("panic", "#!/bin/sh\necho \"thread 'main' panicked at x\" >&2\nexit 2\n"),
    "is always clean": ("status 0 instead of 1", "#!/bin/sh\nexit 0\n"),
    "prints what acts": ("raw", "#!/bin/sh\nprintf '\\033[31m'\nexit 1\n"),
    "starts programs": ("2 programs were started", "#!/bin/sh\n{real} \"$@\"\n"),
    "tells the secret": ("the secret is told", f"#!/bin/sh\necho {CANARY}\nexit 1\n"),
    "opens what lies outside": ("opened", "#!/bin/sh\nread -r line < ../outside/secret\nexec {real} \"$@\"\n"),
    "writes into the repository": ("the repository changed", "#!/bin/sh\necho x > .git/x\nexec {real} \"$@\"\n"),
    "takes its time": ("took 1", "#!/bin/sh\nsleep 11\nexec {real} \"$@\"\n"),
    "takes the memory": ("MiB", "#!/usr/bin/env python3\nx = bytearray(600 << 20)\nraise SystemExit(1)\n"),
    "connects": ("a connection", "#!/usr/bin/env python3\nimport socket\nsocket.socket().connect_ex(('127.0.0.1', 9))\nraise SystemExit(1)\n"),
}
WRONG_WRITERS = {
    "writes in place": ("neither old nor new", """#!/usr/bin/env python3
import pathlib, sys
target = sys.argv[sys.argv.index('--output') + 1].removeprefix('sarif=') if '--output' in sys.argv else None
if target:
    with open(target, 'wb', buffering=0) as file:
        for _ in range(4):
            file.write(b'part')
else:
    out = pathlib.Path(sys.argv[sys.argv.index('--out') + 1])
    out.mkdir(exist_ok=True)
    (out / 'block').write_bytes(b'whole')
"""),
}
CLEAN = json.dumps({"summary": {"skills": 2, "errors": 0, "words": ""}})
EMPTY = json.dumps({"summary": {"skills": 0, "errors": 0, "words": ""}})
WRONG_JUDGES = {
    # Works on intact repositories, and reports an unreadable one as empty.
    "overlooks what is damaged": ("clean with 0 skills", f"#!/bin/sh\n{{real}} \"$@\"\ns=$?\n[ $s = 2 ] && echo '{EMPTY}' && exit 0\nexit $s\n"),
    "dies of damage": ("status 101", "#!/bin/sh\n{real} \"$@\"\ns=$?\n[ $s = 2 ] && exit 101\nexit $s\n"),
}
WRONG_STREAMS = {
    "panics where nobody reads": ("status 101", "#!/bin/sh\n{real} \"$@\" || exit $?\necho x 2>/dev/null || exit 101\n"),
    "ignores a full disk": ("status 0", "#!/bin/sh\n{real} \"$@\"\ns=$?\n[ $s = 2 ] && exit 0\nexit $s\n"),
}

WRONG_ADDERS = {
    "adds in two writes": ("is no entry", """#!/usr/bin/env python3
import pathlib, sys, time
if sys.argv[1] != 'knowledge':
    import os
    os.execv('{real}', ['{real}', *sys.argv[1:]])
line = '{"content":"' + sys.argv[sys.argv.index('--content') + 1] + '"}\\n'
with open('.agent/knowledge.jsonl', 'a', buffering=1) as file:
    file.write(line[:9])
    file.flush()
    time.sleep(0.05)
    file.write(line[9:])
"""),
    "adds nothing": ("is lost", "#!/bin/sh\n[ -e .agent/knowledge.jsonl ] && [ \"$1\" = knowledge ] && exit 0\nexec {real} \"$@\"\n"),
}


def case(work):
    """One hostile repository as the generator leaves it."""
    place = work / "cases/one"
    (place / "outside").mkdir(parents=True)
    (place / "outside/secret").write_text(CANARY)
    repository(place / "repository", {"nameless": "---\ndescription: x\n---\ntext\n"})
    git(place, "init", "-q", "--bare", "server.git")
    runs = [{"directory": str(place / "repository"), "arguments": ["--staged"], "environment": {}, "status": 1}]
    (place / "runs.json").write_text(json.dumps({"family": "x", "name": "one", "secret": CANARY, "follows": False, "runs": runs}))
    return work / "cases"


def suites(real):
    """The defective programs, each with the check that must detect it."""
    few = {"one": None, "two": skill("two")}
    yield {"behaves, one repository": (None, "")}, lambda program, tally, work: hostile.check(program, tally, case(work), work)
    yield {"behaves, damaged repositories": (None, "")}, lambda program, tally, work: damage.check(program, tally, work, 211)
    yield WRONG_READERS, lambda program, tally, work: hostile.check(program, tally, case(work), work)
    yield WRONG_WRITERS, lambda program, tally, work: writes.check(program, tally, repository(work / "r", few), work)
    yield WRONG_JUDGES, lambda program, tally, work: damage.check(program, tally, work, 211)
    yield {"forgets skills": ("with", f"#!/bin/sh\necho '{CLEAN}'\n")}, lambda program, tally, work: concurrency.check(program, tally, work, 2)
    yield WRONG_ADDERS, lambda program, tally, work: kills.check(program, tally, work, 20)
    yield WRONG_STREAMS, shortage.check_streams
    yield {"takes a full disk for none": ("the file is the old one", WRONG_STREAMS["ignores a full disk"][1])}, shortage.check_room
    yield {"dies of a limit": ("status 101", "#!/bin/sh\n[ \"$(ulimit -n)\" = 16 ] && exit 101\nexec {real} \"$@\"\n")}, shortage.check_limits


def main(real, run):
    """Returns 0 if the real program passes and every defective one fails with the expected report."""
    missed = []
    for wrong, check in suites(real):
        for name, (words, text) in wrong.items():
            with tempfile.TemporaryDirectory() as directory:
                Path(directory).chmod(0o755)
                path = Path(directory) / "wrong"
                path.write_text(text.replace("{real}", str(real)))
                path.chmod(0o755)
                tally = run(name, check, [path if words else real])
            if not any(words in fault for fault in tally.faults) if words else tally.faults:
                missed.append(name)
    print(f"missed: {', '.join(missed)}" if missed else "every misbehaviour was noticed")
    return 1 if missed else 0
