"""A registry of crates on loopback: what `cargo publish` and `cargo install` need, and the refusals of crates.io.

A crate is refused if it lacks a description or a license, if its version exists, or if one of its dependencies in this registry does
not exist yet. Dependencies of crates.io come from there.
"""
import hashlib
import json
import struct
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


class Refused(Exception):
    pass


def index_path(name):
    """Returns the path of a crate in a sparse index."""
    if len(name) > 3:
        return f"{name[:2]}/{name[2:4]}/{name}"
    return f"{len(name)}/{name}" if len(name) < 3 else f"3/{name[0]}/{name}"


def index_line(published, crate):
    """Returns the line of the index for the metadata that Cargo sends."""
    dependencies = []
    for dependency in published["deps"]:
        alias = dependency.get("explicit_name_in_toml")
        line = {"name": alias or dependency["name"], "req": dependency["version_req"], "package": dependency["name"] if alias else None}
        line |= {key: dependency.get(key) for key in ("features", "optional", "default_features", "target", "kind", "registry")}
        dependencies.append(line)
    return {
        "name": published["name"], "vers": published["vers"], "deps": dependencies, "cksum": hashlib.sha256(crate).hexdigest(), "features": {},
        "features2": published["features"], "v": 2, "yanked": False, "links": published.get("links"), "rust_version": published.get("rust_version"),
    }


class Registry:
    def __init__(self, directory):
        self.directory = Path(directory)
        self.directory.mkdir(parents=True, exist_ok=True)
        registry = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                registry.get(self)

            def do_PUT(self):
                registry.put(self)

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def lines(self, name):
        file = self.directory / "index" / index_path(name)
        return [json.loads(line) for line in file.read_text().splitlines()] if file.is_file() else []

    def answer(self, request, status, body):
        request.send_response(status)
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        request.wfile.write(body)

    def get(self, request):
        path = request.path.lstrip("/")
        if path == "index/config.json":
            return self.answer(request, 200, json.dumps({"dl": f"{self.address}/crates", "api": self.address}).encode())
        parts = path.split("/")
        # A crate: crates/NAME/VERSION/download.
        file = self.directory / (f"crates/{parts[1]}-{parts[2]}.crate" if parts[-1] == "download" else path)
        if ".." in parts or not file.is_file():
            return self.answer(request, 404, b"")
        self.answer(request, 200, file.read_bytes())

    def put(self, request):
        body = request.rfile.read(int(request.headers["Content-Length"]))
        size = struct.unpack("<I", body[:4])[0]
        published, crate = json.loads(body[4 : 4 + size]), body[8 + size :]
        try:
            self.publish(published, crate)
            self.answer(request, 200, b'{"warnings":{"invalid_categories":[],"invalid_badges":[],"other":[]}}')
        except Refused as refused:
            self.answer(request, 400, json.dumps({"errors": [{"detail": str(refused)}]}).encode())

    def publish(self, published, crate):
        name, version = published["name"], published["vers"]
        for field in ("description", "license"):
            if not published.get(field):
                raise Refused(f"{name} has no {field}")
        if any(line["vers"] == version for line in self.lines(name)):
            raise Refused(f"{name} {version} is already published")
        for dependency in published["deps"]:
            if dependency.get("registry") is None and not self.lines(dependency["name"]):
                raise Refused(f"{name} depends on {dependency['name']}, which is not published")
        index, file = self.directory / "index" / index_path(name), self.directory / "crates" / f"{name}-{version}.crate"
        index.parent.mkdir(parents=True, exist_ok=True)
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(crate)
        with index.open("a") as lines:
            lines.write(json.dumps(index_line(published, crate)) + "\n")
