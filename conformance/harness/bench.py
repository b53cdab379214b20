"""The directories, environment and processes of one run.

    CACHE/programs/ID@VERSION/     an installed program
    CACHE/node/VERSION/            the Node.js that runs the npm programs
    SCRATCH/home/                  the home directory of the program, emptied before each scene
    SCRATCH/home/work/repo/        the repository in it

SCRATCH is the same path on every machine, because some programs show absolute paths to their model and count them
against a budget. It is in memory, where a directory lists the newest file first: a program that does not sort what it
reads can then be told from one that does. A lock keeps two runs apart.
"""

import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

MEMORY = Path("/dev/shm")
SCRATCH = (MEMORY if os.access(MEMORY, os.W_OK) else Path(os.path.realpath("/tmp"))) / "skilltree-conformance"
SCRIPTS = Path(__file__).resolve().parent.parent / "programs" / "scripts"
CLOSED_PORT = "http://127.0.0.1:9"  # nothing listens there: a request to any other host fails at once
TOOLS = ("sh", "bash", "env", "git", "cat", "ls", "uname", "which", "mkdir", "rm", "ps", "getconf", "ldd")


class Bench:
    """Builds the repository of a scene and starts one program in it."""

    def __init__(self, cache, timeout=240):
        self.cache = Path(cache).resolve()
        self.timeout = timeout
        self.home = SCRATCH / "home"
        self.temporary = self.cache / "tmp"  # programs unpack libraries there, which memory may not allow
        self.repo = self.home / "work" / "repo"
        self.cwd = self.repo
        self.lock = None

    def take(self):
        """Holds the scratch directory until the process ends; raises BlockingIOError if another run has it."""
        SCRATCH.mkdir(mode=0o700, exist_ok=True)
        if SCRATCH.is_symlink() or SCRATCH.stat().st_uid != os.getuid():
            raise SystemExit(f"{SCRATCH} belongs to another user")
        self.lock = open(SCRATCH / "lock", "w")
        fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def directory(self, program):
        """Returns the directory in which the program is installed."""
        return self.cache / "programs" / f"{program.id}@{program.version}"

    def node(self, version):
        """Returns the Node.js binary of a version."""
        return self.cache / "node" / version / "bin" / "node"

    # -- scenes

    def build(self, files, cwd="", backwards=False):
        """Empties the home directory and writes the files of a scene, the last one first if `backwards`.

        `files` maps a path to bytes, or to a string: the target of a symbolic link. A path is relative to the
        repository, or begins with `~/`. `cwd` is the directory in which the program starts.
        """
        shutil.rmtree(self.home, ignore_errors=True)
        shutil.rmtree(self.temporary, ignore_errors=True)
        self.repo.mkdir(parents=True)
        self.temporary.mkdir(parents=True)
        subprocess.run(["git", "init", "-q", str(self.repo)], check=True, env=self.environment())
        for path, content in reversed(files.items()) if backwards else files.items():
            place = self.place(path)
            place.parent.mkdir(parents=True, exist_ok=True)
            if isinstance(content, str):
                place.symlink_to(os.path.relpath(self.place(content), place.parent))
            else:
                place.write_bytes(content)
        self.cwd = self.place(cwd) if cwd else self.repo
        self.cwd.mkdir(parents=True, exist_ok=True)

    def place(self, path):
        """Returns the absolute path of a path in a scene."""
        return self.home / path[2:] if path.startswith("~/") else self.repo / path

    def named(self, path):
        """Returns the path of a scene for an absolute path (or one that begins with `~/`); None for others."""
        path = str(path)
        if path.startswith("~/"):
            path = f"{self.home}{path[1:]}"
        for base, prefix in ((self.repo, ""), (self.home, "~/")):
            if path.startswith(f"{base}{os.sep}"):
                return prefix + path[len(str(base)) + 1 :]
        return None

    # -- processes

    def tools(self):
        """Returns a directory with the few commands that programs need, so that a run does not depend on others."""
        directory = SCRATCH / "tools"
        directory.mkdir(exist_ok=True)
        for name in TOOLS:
            found, link = shutil.which(name), directory / name
            if found and not link.is_symlink():
                link.symlink_to(found)
        return directory

    def environment(self, node=None, **more):
        """Returns a small environment: no keys, every proxy a closed port, only loopback direct."""
        path = [str(node.parent)] if node else []
        env = {
            "PATH": os.pathsep.join([*path, str(self.tools())]),
            "HOME": str(self.home),
            "LANG": "C.UTF-8",
            "TERM": "dumb",
            "TMPDIR": str(self.temporary),
            "TZ": "UTC",
            "NO_COLOR": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_SYSTEM": os.devnull,
            "NO_PROXY": "127.0.0.1,localhost",
            "no_proxy": "127.0.0.1,localhost",
        }
        for scheme in ("http", "https", "all"):
            env[f"{scheme}_proxy"] = env[f"{scheme.upper()}_PROXY"] = CLOSED_PORT
        return env | {key: str(value) for key, value in more.items()}

    def start(self, program, command, stdin=subprocess.DEVNULL, **streams_and_variables):
        """Starts a program in the working directory of the scene, in a session of its own."""
        streams = {key: streams_and_variables.pop(key) for key in ("stdout", "stderr") if key in streams_and_variables}
        node = self.node(program.node) if program.node else None
        env = self.environment(node, **program.variables | streams_and_variables)
        command = [str(word) for word in command]
        return subprocess.Popen(command, cwd=self.cwd, env=env, stdin=stdin, start_new_session=True, **streams)

    def run(self, program, command, stdin=b"", hangs_after=None, **variables):
        """Runs a command to its end and returns its standard output and standard error.

        Output goes through files because some programs truncate what they write to a pipe. `hangs_after` is a text in
        the standard error after which the program never ends: RuntimeError is raised as soon as it is there.
        """
        with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            given.write(stdin)
            given.seek(0)
            process = self.start(program, command, stdin=given, stdout=out, stderr=err, **variables)
            try:
                wait(process, self.timeout, err, hangs_after)
            finally:
                end(process)
            texts = []
            for stream in (out, err):
                stream.seek(0)
                texts.append(stream.read().decode(errors="replace"))
        return texts

    def script(self, program, *words, **variables):
        """Runs programs/scripts/ID.mjs or ID.py against the installed package.

        The script gets the directory of the package, the file for its answer (JSON), then `words`. Returns the
        answer and what it wrote to standard error.
        """
        answer = SCRATCH / "answer.json"
        answer.unlink(missing_ok=True)
        name = program.script or program.id
        if program.node:
            command = [self.node(program.node), SCRIPTS / f"{name}.mjs"]
        else:
            command = [program.python(), "-I", "-B", SCRIPTS / f"{name}.py"]
        out, err = self.run(program, [*command, program.home(self), answer, *words], **variables)
        if not answer.exists():
            raise RuntimeError(f"{name} gave no answer: {(err or out)[-800:]}")
        return json.loads(answer.read_text(errors="replace")), err


def wait(process, timeout, err, hangs_after):
    """Waits for the end of a process, or for a text in its standard error after which it hangs."""
    if not hangs_after:
        process.wait(timeout)
        return
    last = time.monotonic() + timeout
    while process.poll() is None and time.monotonic() < last:
        if hangs_after.encode() in os.pread(err.fileno(), os.fstat(err.fileno()).st_size, 0):
            raise RuntimeError(f"the program reported {hangs_after}")
        time.sleep(0.1)
    process.wait(0)


def end(process):
    """Ends a process and everything it left running."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def python_of(minimum):
    """Returns a Python interpreter of at least this version, such as (3, 12), or None."""
    if sys.version_info >= minimum:
        return sys.executable
    for minor in range(minimum[1], minimum[1] + 4):
        name = f"python3.{minor}"
        places = [shutil.which(name), *sorted(Path.home().glob(f".pyenv/versions/3.{minor}.*/bin/{name}"))]
        for place in filter(None, places):
            if subprocess.run([str(place), "-c", ""], capture_output=True).returncode == 0:
                return str(place)
    return None
