"""The registries of a rehearsal, on loopback: crates, wheels, npm packages, and the files of the release."""
import functools
import http.server
import json
import socket
import subprocess
import threading
import time
import urllib.error
import urllib.request
from contextlib import ExitStack, contextmanager

from registry import Registry

VERDACCIO = """\
storage: ./storage
auth: {htpasswd: {file: ./htpasswd}}
uplinks: {}
packages: {"**": {access: $all, publish: $authenticated}}
max_body_size: 100mb
log: {type: stdout, level: warn}
"""


def free_port():
    with socket.socket() as socket_:
        socket_.bind(("127.0.0.1", 0))
        return socket_.getsockname()[1]


@contextmanager
def process(command, port, log):
    """Runs a server until the block ends. Waits until it answers."""
    with log.open("wb") as output:
        server = subprocess.Popen(command, cwd=log.parent, stdin=subprocess.DEVNULL, stdout=output, stderr=output)
    try:
        until = time.monotonic() + 60
        while True:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=10).close()
                break
            except OSError:
                if server.poll() is not None or time.monotonic() > until:
                    raise SystemExit(f"{command[0]} does not start:\n{log.read_text()}") from None
                time.sleep(0.2)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait()


def npm_token(address):
    """Creates a user, because npm publishes nothing without a token."""
    user = json.dumps({"name": "owner", "password": "rehearsal"}).encode()
    request = urllib.request.Request(f"{address}/-/user/org.couchdb.user:owner", user, {"Content-Type": "application/json"}, method="PUT")
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)["token"]


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


class Servers:
    """Starts all of them; each is an address."""

    def __init__(self, out, tools, verdaccio):
        self.out, self.tools, self.verdaccio, self.stack = out, tools, verdaccio, ExitStack()

    def __enter__(self):
        for name in ("pypi", "npm", "files"):
            (self.out / name).mkdir(parents=True, exist_ok=True)
        self.crates = Registry(self.out / "crates")
        port = free_port()
        # A package that it does not have, such as setuptools, comes from PyPI.
        wheels = [self.tools / "pypi-server", "run", "--interface", "127.0.0.1", "--port", str(port), "-P", ".", "-a", ".", self.out / "pypi"]
        self.pypi = self.stack.enter_context(process(wheels, port, self.out / "pypi.log"))
        port = free_port()
        (self.out / "npm" / "config.yaml").write_text(VERDACCIO)
        packages = ["node", self.verdaccio, "--config", "config.yaml", "--listen", f"127.0.0.1:{port}"]
        self.npm = self.stack.enter_context(process(packages, port, self.out / "npm" / "verdaccio.log"))
        files = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=self.out / "files"))
        threading.Thread(target=files.serve_forever, daemon=True).start()
        self.files = f"http://127.0.0.1:{files.server_port}"
        return self

    def __exit__(self, *raised):
        self.stack.close()
