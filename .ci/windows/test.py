#!/usr/bin/env python3
"""test.py DIRECTORY TEST.exe [ARGUMENT...]: runs a test program for Windows under Wine. With the messages of .ci/windows/build-tests in place
of TEST.exe, it runs each program that they name.

Wine has no Git: `git.exe`, `sh.exe` and the others of UNIX are bridge.c, which asks this program to run the Unix program of that name. Their
arguments and variables that are paths of Windows are translated, as Git for Windows does.

DIRECTORY keeps the files of Wine and the compiled bridge for the next run. This Python needs `ziglang` from PyPI. Linux
starts a hook that is a program of Windows with Wine, for which this needs root.
"""
import json
import os
import re
import shutil
import socketserver
import struct
import subprocess
import sys
import threading
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent.parent
# Git for Windows has them, too.
UNIX = ["git", "sh", "bash", "cp", "cat", "env", "gzip", "tar", "python3"]
# Variables of Wine's Windows that Unix programs have with another meaning.
OF_WINDOWS = re.compile(r"(?i)(PATH|TE?MP|COMSPEC|OS|PATHEXT|PROMPT|USER(NAME|DOMAIN|PROFILE)|ALLUSERSPROFILE|APPDATA|BRIDGE_.*|WIN(E.*|DIR|SYSDIR)|SYSTEM(DRIVE|ROOT)|"
                        r"HOME(DRIVE|PATH)|LOCALAPPDATA|LOGONSERVER|PUBLIC|Program.*|Common.*|PROCESSOR_.*|NUMBER_OF_.*|COMPUTERNAME|DriverData|_|=.*)")
DRIVE = re.compile(r"(^|=)([A-Za-z]):(?=[\\/]|$)([^:]*)")


def translated(text):
    """Returns a text with its path of Windows, if it is one or ends with one after `=`, as a path of Unix."""
    text = text.removeprefix("\\\\?\\")
    found = DRIVE.search(text)
    if not found:
        return text
    drive = "" if found[2] in "zZ" else f"{os.environ['WINEPREFIX']}/dosdevices/{found[2].lower()}:"
    return text[:found.start()] + found[1] + drive + (found[3].replace("\\", "/") or "/")


class Bridge(socketserver.StreamRequestHandler):
    """Runs one program, and relays its streams."""

    def handle(self):
        length, = struct.unpack("<I", self.rfile.read(4))
        program, directory, count, *rest = self.rfile.read(length).decode().split("\0")[:-1]
        name = program.replace("\\", "/").rpartition("/")[2].removesuffix(".exe")
        arguments, variables = rest[:int(count)], dict(line.split("=", 1) for line in rest[int(count):] if line[1:].find("=") >= 0)
        environment = {key: value for key, value in os.environ.items() if key in ("PATH", "WINEPREFIX", "WINEDEBUG", "HOME")}
        environment |= {key: translated(value) for key, value in variables.items() if not OF_WINDOWS.fullmatch(key)}
        # Directories that a test put first.
        added = [translated(path) for path in variables.get("PATH", "").split(";") if path[:2] in ("Z:", "z:")]
        path = [*added, environment["PATH"]]
        environment |= {"PATH": ":".join(path), "WINEPATH": self.server.path, "BRIDGE_PORT": str(self.server.server_address[1])}
        try:
            process = subprocess.Popen([name, *map(translated, arguments)], cwd=translated(directory), env=environment,
                                       stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        except OSError as error:
            self.frame(b"e", f"bridge: {name}: {error}\n".encode())
            return self.frame(b"x", b"127\0")
        lock = threading.Lock()
        streams = [threading.Thread(target=self.relay, args=(kind, stream, lock)) for kind, stream in ((b"o", process.stdout), (b"e", process.stderr))]
        threading.Thread(target=self.feed, args=(process,), daemon=True).start()
        for stream in streams:
            stream.start()
        for stream in streams:
            stream.join()
        self.frame(b"x", b"%d\0" % (process.wait() % 256))

    def frame(self, kind, content):
        self.wfile.write(kind + struct.pack("<I", len(content)) + content)

    def relay(self, kind, stream, lock):
        while content := stream.read1(65536):
            with lock:
                self.frame(kind, content)

    def feed(self, process):
        """Copies standard input until one of both ends."""
        try:
            while (header := self.rfile.read(5)) and (length := struct.unpack("<I", header[1:])[0]):
                process.stdin.write(self.rfile.read(length))
                process.stdin.flush()
            process.stdin.close()
        except (OSError, ValueError):
            pass


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    request_queue_size = 128


def windows(path):
    return "Z:" + str(path).replace("/", "\\")


def prepare(out):
    """Creates the files of Wine and the bridge, and returns the directory of its programs."""
    bridge, programs, temporary = out / "bridge.exe", out / "programs", Path(os.environ.get("TMPDIR", "/tmp")) / "skilltree-windows"
    for directory in (programs, temporary):
        directory.mkdir(parents=True, exist_ok=True)
    compiler = [sys.executable, "-m", "ziglang", "cc", "-target", "x86_64-windows-gnu", "-O2", "-s"]
    source = TOP / ".ci" / "windows" / "bridge.c"
    if not bridge.exists() or bridge.stat().st_mtime < source.stat().st_mtime:
        subprocess.run([*compiler, "-lws2_32", "-lshell32", source, "-o", bridge], check=True)
    for name in UNIX:
        shutil.copy(bridge, programs / f"{name}.exe")
    os.environ |= {"WINEPREFIX": str(out / "wine"), "WINEDEBUG": "-all", "WINEPATH": windows(programs)}
    system = out / "wine" / "drive_c" / "windows" / "system32"
    if not (system / "bcryptprimitives.dll").exists():
        subprocess.run(["wine", "wineboot", "--init"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        # Debian's wine 8 lacks it.
        library = ["-shared", "-lbcrypt", TOP / ".ci" / "package" / "bcryptprimitives.c", "-o", system / "bcryptprimitives.dll"]
        subprocess.run([*compiler, *library], check=True)
    for name in ("TEMP", "TMP"):
        subprocess.run(["wine", "reg", "add", "HKCU\\Environment", "/v", name, "/d", windows(temporary), "/f"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return programs


class Executable:
    """Lets Linux start programs of Windows, as hooks do: with Wine, until the end of a `with`."""

    directory = Path("/proc/sys/fs/binfmt_misc")

    def __enter__(self):
        if not (self.directory / "register").exists():
            subprocess.run(["mount", "-t", "binfmt_misc", "binfmt_misc", self.directory], check=True)
        self.__exit__()
        (self.directory / "register").write_text(f":skilltree:M::MZ::{shutil.which('wine')}:\n")

    def __exit__(self, *_):
        if (entry := self.directory / "skilltree").exists():
            entry.write_text("-1\n")


def programs_of(path):
    """Returns the test programs that messages of Cargo name."""
    if path.suffix == ".exe":
        return [path]
    messages = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    tests = (message for message in messages if message.get("executable") and (message["profile"]["test"] or "test" in message["target"]["kind"]))
    return [message["executable"] for message in tests]


def main():
    out, tests, arguments = Path(sys.argv[1]).resolve(), programs_of(Path(sys.argv[2]).resolve()), sys.argv[3:]
    out.mkdir(parents=True, exist_ok=True)
    programs = prepare(out)
    with Server(("127.0.0.1", 0), Bridge) as server, Executable():
        server.path = windows(programs)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        os.environ["BRIDGE_PORT"] = str(server.server_address[1])
        failed = [test for test in tests if subprocess.run(["wine", test, *arguments], cwd=TOP).returncode]
    sys.exit(f"failed: {failed}" if failed else 0)


if __name__ == "__main__":
    main()
