"""The part of GitHub's API that comments on pull request 1 of team/skills, on loopback."""
import http.server
import json
import re
import threading
from contextlib import contextmanager

ISSUES, PULLS = "/repos/team/skills/issues", "/repos/team/skills/pulls"
LISTS = {f"{ISSUES}/1/comments": "comments", f"{PULLS}/1/comments": "reviewComments", f"{PULLS}/1/files": "files"}
BOT = {"user": {"type": "Bot"}}
MOST_CHARACTERS = 65536


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers from the state of the server, which has the members that pull_request.mjs describes."""

    def do_GET(self):
        path, _, query = self.path.partition("?")
        state = self.server.state
        if self.headers.get("Authorization") != "token TOKEN":
            return self.answer(401, {"message": "Bad credentials"})
        if path == PULLS:
            return self.answer(200, [{"number": 1, "head": {"sha": state["head"]}}])
        if path not in LISTS:
            return self.answer(404, {"message": f"Not Found: GET {path}"})
        # A page has at most 100 entries. Octokit follows the link to the next one.
        entries, asked = state[LISTS[path]], dict(part.split("=") for part in query.split("&"))
        size, number = min(int(asked.get("per_page", 30)), 100), int(asked.get("page", 1))
        link = f'<http://{self.headers["Host"]}{path}?per_page={size}&page={number + 1}>; rel="next"'
        self.answer(200, entries[(number - 1) * size : number * size], {"Link": link} if number * size < len(entries) else {})

    def do_POST(self):
        body, state = json.loads(self.rfile.read(int(self.headers["Content-Length"]))), self.server.state
        changed = re.fullmatch(rf"{ISSUES}/comments/(\d+)", self.path)
        if self.headers.get("Authorization") != "token TOKEN":
            return self.answer(401, {"message": "Bad credentials"})
        if any(len(entry.get("body", "")) > MOST_CHARACTERS for entry in (body, *body.get("comments", []))):
            return self.answer(422, {"message": "Body is too long"})
        if self.command == "POST" and self.path == f"{ISSUES}/1/comments":
            state["comments"].append({"id": len(state["comments"]) + 1, "body": body["body"], **BOT})
        elif self.command == "PATCH" and changed:
            [comment] = [comment for comment in state["comments"] if comment["id"] == int(changed[1])]
            comment["body"] = body["body"]
        elif self.command == "POST" and self.path == f"{PULLS}/1/reviews" and body["commit_id"] == state["head"]:
            state["reviewComments"] += [comment | BOT for comment in body["comments"]]
        else:
            return self.answer(404, {"message": f"Not Found: {self.command} {self.path}"})
        self.answer(200, {"id": 1})

    do_PATCH = do_POST

    def answer(self, status, value, headers={}):
        content = json.dumps(value).encode()
        self.send_response(status)
        for name, text in {"Content-Type": "application/json", "Content-Length": str(len(content)), **headers}.items():
            self.send_header(name, text)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


@contextmanager
def serve(state):
    """Yields the address of a server that answers from `state`, and changes it."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.state = state
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
