"""Runs the program under test with limits, and records the results."""
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

# Limits of every run: seconds, and bytes of resident memory.
SECONDS = 10
BYTES = 512 << 20

IDENTITY = {
    "GIT_AUTHOR_NAME": "A U Thor", "GIT_AUTHOR_EMAIL": "author@example.com", "GIT_AUTHOR_DATE": "2026-11-20T12:00:00Z",
    "GIT_COMMITTER_NAME": "C O Mitter", "GIT_COMMITTER_EMAIL": "committer@example.com", "GIT_COMMITTER_DATE": "2026-11-20T12:00:00Z",
}


class Outcome:
    """Result of a run: status (negative: signal), output, duration and memory."""

    def __init__(self, status, stdout, stderr, seconds, size):
        self.status, self.stdout, self.stderr, self.seconds, self.bytes = status, stdout, stderr, seconds, size

    def fault(self, kills=False):
        """Returns the problem of any run, or None. `kills`: the check may have killed it."""
        if b"panicked at" in self.stderr:
            return "panic: " + self.stderr.decode(errors="replace").strip()[:300]
        if self.status not in (0, 1, 2) and not (kills and self.status == -signal.SIGKILL):
            return f"status {self.status}: {self.stderr[-200:].decode(errors='replace')}"
        if self.seconds > SECONDS:
            return f"took {self.seconds:.1f} s"
        if self.bytes > BYTES:
            return f"took {self.bytes >> 20} MiB"
        return None


class Program:
    """The program, without user settings."""

    def __init__(self, command, home):
        self.command, self.home = [str(part) for part in command], str(home)

    def environment(self, more=()):
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "PRE_COMMIT", "CLICOLOR"))}
        return kept | {"HOME": self.home, "XDG_CONFIG_HOME": self.home, "GIT_CONFIG_NOSYSTEM": "1", "NO_COLOR": "1"} | dict(more)

    def run(self, arguments, directory, environment=(), before=(), stdout=None, limits=None, stderr=None):
        """Runs it with the command prefix `before`; calls `limits` in the child before it starts."""
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            start = time.monotonic()
            child = subprocess.Popen(
                [*before, *self.command, *arguments], cwd=directory, env=self.environment(environment), stdin=subprocess.DEVNULL,
                stdout=out if stdout is None else stdout, stderr=err if stderr is None else stderr, preexec_fn=limits, start_new_session=True)
            status, usage = wait(child, start)
            seconds = time.monotonic() - start
            out.seek(0)
            err.seek(0)
            return Outcome(status, out.read(), err.read(), seconds, usage.ru_maxrss * 1024)


def wait(child, start):
    """Waits for up to three times the limit of a run."""
    while True:
        pid, status, usage = os.wait4(child.pid, os.WNOHANG)
        if pid:
            child.returncode = os.waitstatus_to_exitcode(status)
            return child.returncode, usage
        waited = time.monotonic() - start
        if waited > 3 * SECONDS:
            os.killpg(child.pid, signal.SIGKILL)
        time.sleep(0.0005 if waited < 0.1 else 0.01)


def soft(kind, amount):
    """A limit of the system, set in the child."""
    return lambda: resource.setrlimit(kind, (amount, amount))


def git(directory, *arguments, check=True, data=None):
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    kept |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"} | IDENTITY
    done = subprocess.run(["git", *arguments], cwd=directory, env=kept, input=data, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if check and done.returncode:
        sys.exit(f"git {' '.join(arguments)}: {done.stderr.decode(errors='replace')}")
    return done.stdout.decode(errors="replace").strip()


def skill(name, words=""):
    return f"---\nname: {name}\ndescription: Does what {name} says{words}. Use when {name} is wanted.\n---\n# {name}\n\nDo it.\n"


def repository(directory, skills):
    """A repository with one commit of these skills, by name; a skill without text is a good one."""
    directory = Path(directory)
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    git(directory, "init", "-q", "--template=", "--initial-branch=main")
    for name, text in skills.items():
        path = directory / ".agent/skills" / name / "SKILL.md"
        path.parent.mkdir(parents=True)
        path.write_text(skill(name) if text is None else text)
    git(directory, "add", "--all")
    git(directory, "commit", "-q", "-m", "A commit")
    return directory


class Tally:
    """Results of a check: number of runs, and problems."""

    def __init__(self):
        self.counts, self.faults = {}, []

    def count(self, what, more=1):
        self.counts[what] = self.counts.get(what, 0) + more

    def fault(self, where, words):
        if words:
            self.faults.append(f"{where}: {words}")

    def most(self, outcome):
        """Notes the longest and the largest run."""
        self.counts["ms at most"] = max(self.counts.get("ms at most", 0), round(outcome.seconds * 1000))
        self.counts["MiB at most"] = max(self.counts.get("MiB at most", 0), outcome.bytes >> 20)

    def line(self):
        return ", ".join(f"{number} {what}" for what, number in self.counts.items())
