"""An OpenAI-compatible endpoint on loopback that plays games in words: a function from messages to a reply."""

from __future__ import annotations

import json
import random
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

Chat = list[dict[str, str]]
Model = Callable[[Chat], str]
LEGAL = "Legal moves: "


def listed(chat: Chat) -> list[str]:
    """The legal moves that were listed last."""
    told = next(part["content"] for part in reversed(chat) if LEGAL in str(part["content"]))
    return told.rpartition(LEGAL)[2].split("\n")[0].split(" … ")[0].split()


def plays_random(chat: Chat) -> str:
    """One of the legal moves, drawn by the conversation."""
    return f"Let me see. Move: {random.Random(str(chat)).choice(listed(chat))}"


def talks_nonsense(chat: Chat) -> str:
    """No move."""
    return "As a language model I prefer not to say."


class FakeEndpoint(ThreadingHTTPServer):
    """The server, which answers with `model`."""

    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def __init__(self, model: Model) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.model = model

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"


class Handler(BaseHTTPRequestHandler):
    """Answers chat completions."""

    server: FakeEndpoint

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        text = self.server.model(body["messages"])
        answer = {
            "id": "1", "object": "chat.completion", "created": 0, "model": body["model"],
            "choices": [
                {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
            ],
            "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
        }  # fmt: skip
        data = json.dumps(answer).encode()
        kind = "application/json"
        if body.get("stream"):
            part = {**answer, "object": "chat.completion.chunk"}
            part["choices"] = [{"index": 0, "delta": {"role": "assistant", "content": text}, "finish_reason": "stop"}]
            data, kind = f"data: {json.dumps(part)}\n\ndata: [DONE]\n\n".encode(), "text/event-stream"
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *arguments: object) -> None:
        """Prints nothing."""


@contextmanager
def fake_endpoint(model: Model) -> Iterator[FakeEndpoint]:
    """An endpoint that answers with ``model``, for as long as the context is open."""
    with FakeEndpoint(model) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield server
        server.shutdown()
