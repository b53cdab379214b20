"""A model server on loopback: answers every request with "ok" and keeps what was asked."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

USAGE = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}


class MockModel:
    """Speaks enough of the two common protocols. Use as `with MockModel() as model:`."""

    def __init__(self):
        self.requests = []  # the bodies, as decoded JSON
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), self.handler())
        self.address = f"http://127.0.0.1:{self.server.server_port}"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def texts(self):
        """Every text in every request, in order."""

        def walk(value):
            if isinstance(value, str):
                yield value
            elif isinstance(value, dict):
                for part in value.values():
                    yield from walk(part)
            elif isinstance(value, list):
                for part in value:
                    yield from walk(part)

        return [text for body in self.requests for text in walk(body)]

    def handler(mock):
        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def answer(self, kind, text):
                body = text.encode()
                self.send_response(200)
                self.send_header("content-type", kind)
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def do_HEAD(self):
                self.send_response(200)
                self.end_headers()

            def do_GET(self):
                self.answer("application/json", '{"object": "list", "data": [{"id": "gpt-4o", "object": "model"}]}')

            def do_POST(self):
                text = self.rfile.read(int(self.headers.get("content-length") or 0))
                try:
                    body = json.loads(text)
                except ValueError:
                    body = {}
                mock.requests.append(body)
                if "count_tokens" in self.path:
                    reply = {"input_tokens": 10}
                elif "/messages" in self.path:
                    reply = messages(body)
                elif "/chat/completions" in self.path:
                    reply = chat_completions(body)
                else:
                    reply = {}
                if isinstance(reply, str):
                    self.answer("text/event-stream", reply)
                else:
                    self.answer("application/json", json.dumps(reply))

        return Handler


def messages(body):
    """The reply to POST /v1/messages: JSON, or the text of an event stream."""
    message = {"id": "m", "type": "message", "role": "assistant", "model": body.get("model")}
    usage = {"input_tokens": 1, "output_tokens": 1}
    if not body.get("stream"):
        return {**message, "content": [{"type": "text", "text": "ok"}], "stop_reason": "end_turn", "usage": usage}
    events = [
        {"type": "message_start", "message": {**message, "content": [], "stop_reason": None, "usage": usage}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "ok"}},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 1}},
        {"type": "message_stop"},
    ]
    return "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events)


def chat_completions(body):
    """The reply to POST /v1/chat/completions: JSON, or the text of an event stream."""
    head = {"id": "c", "created": 1, "model": "m"}
    if not body.get("stream"):
        choice = {"index": 0, "message": {"role": "assistant", "content": "ok"}, "finish_reason": "stop"}
        return {**head, "object": "chat.completion", "choices": [choice], "usage": USAGE}
    head["object"] = "chat.completion.chunk"
    first = {"index": 0, "delta": {"role": "assistant", "content": "ok"}, "finish_reason": None}
    last = {"index": 0, "delta": {}, "finish_reason": "stop"}
    chunks = [{**head, "choices": [first]}, {**head, "choices": [last], "usage": USAGE}]
    return "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks) + "data: [DONE]\n\n"
