"""A local server that speaks the part of Anthropic's API that judging uses, and misbehaves on demand."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

KEY = "sk-ant-test-0123456789-never-to-be-seen"
MODEL = "claude-sonnet-4-6"


@dataclass
class Answer:
    """What the server answers with. ``cut`` breaks the connection off: before the status, or within the body."""

    status: int = 200
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    raw: bytes | None = None
    cut: str = ""


@dataclass(frozen=True)
class Seen:
    """One request: its path, headers in lower case, and body."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: Any

    @property
    def prompt(self) -> str:
        """The text of the only message, however it is cut into blocks."""
        return text_of(self.body)


def text_of(params: Mapping[str, Any]) -> str:
    """The prompt of a request's parameters."""
    (message,) = params["messages"]
    content = message["content"]
    return content if isinstance(content, str) else "".join(block["text"] for block in content)


def message(
    text: str = "VERDICT: SUPPORTED", stop: Any = "end_turn", number: int = 0, **more: Any
) -> dict[str, Any]:
    """A response to a message."""
    return {
        "id": f"msg_{number:06d}",
        "type": "message",
        "role": "assistant",
        "model": MODEL,
        "content": [{"type": "text", "text": text}] if text else [],
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": {
            "input_tokens": 100,
            "output_tokens": 10,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0,
        },
        **more,
    }


def error(status: int, kind: str, text: str = "told so", **headers: str) -> Answer:
    """An error of the API's."""
    body = {"type": "error", "error": {"type": kind, "message": text}}
    return Answer(status, body, {name.replace("_", "-"): value for name, value in headers.items()})


class Api:
    """The server's state. ``behave`` is asked about each message request, with the number of its try from 0."""

    def __init__(self) -> None:
        self.behave: Callable[[Seen, int], Answer | None] = lambda seen, turn: None
        #: The result of one request of a batch, by its prompt; None is success.
        self.result: Callable[[str], dict[str, Any] | None] = lambda prompt: None
        self.seen: list[Seen] = []
        self.at_once = self.most_at_once = 0
        self.delay = threading.Event()
        self.batches: dict[str, list[dict[str, Any]]] = {}
        #: Looks that a batch takes to end; a batch that is sent and whose answer is lost.
        self.looks = 1
        self.lose_batch = False
        self._looked: dict[str, int] = {}
        self._turns: dict[str, int] = {}
        self._number = 0
        self.lock = threading.Lock()
        self.url = ""

    def prompts(self) -> list[str]:
        """The prompts of message requests, as they came."""
        return [seen.prompt for seen in self.seen if seen.path == "/v1/messages"]

    def posts(self, path: str) -> int:
        """How often something was sent to a path."""
        return sum(seen.path == path and seen.method == "POST" for seen in self.seen)

    def answer(self, seen: Seen) -> Answer:
        with self.lock:
            self.seen.append(seen)
            self._number += 1
            number = self._number
        if seen.path == "/v1/messages":
            return self._message(seen, number)
        if seen.path == "/v1/messages/count_tokens":
            return Answer(body={"input_tokens": len(seen.prompt.split())})
        return self._batch(seen, number)

    def _message(self, seen: Seen, number: int) -> Answer:
        with self.lock:
            turn = self._turns.get(seen.prompt, 0)
            self._turns[seen.prompt] = turn + 1
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            answer = self.behave(seen, turn) or Answer(body=message(number=number))
        finally:
            with self.lock:
                self.at_once -= 1
        if isinstance(answer.body, dict) and answer.body.get("id") == "msg_000000":
            answer.body["id"] = f"msg_{number:06d}"
        return answer

    def _batch(self, seen: Seen, number: int) -> Answer:
        path = seen.path.removeprefix("/v1/messages/batches").strip("/").partition("?")[0]
        if seen.method == "POST":
            refusal = self.behave(seen, 0)
            if refusal is not None:
                return refusal
            name = f"msgbatch_{number:04d}"
            self.batches[name] = seen.body["requests"]
            return Answer(cut="status") if self.lose_batch else Answer(body=self._state(name))
        if not path:
            return Answer(
                body={"data": [self._state(name) for name in reversed(self.batches)], "has_more": False}
            )
        name, _, what = path.partition("/")
        if name not in self.batches:
            return error(404, "not_found_error")
        if what == "results":
            lines = [self._line(name, i, request) for i, request in enumerate(self.batches[name])]
            # In no order.
            text = "".join(json.dumps(line) + "\n" for line in reversed(lines))
            return Answer(raw=text.encode(), headers={"content-type": "application/binary"})
        self._looked[name] = self._looked.get(name, 0) + 1
        return Answer(body=self._state(name))

    def _state(self, name: str) -> dict[str, Any]:
        ended = self._looked.get(name, 0) >= self.looks
        size = len(self.batches[name])
        return {
            "id": name,
            "type": "message_batch",
            "processing_status": "ended" if ended else "in_progress",
            "request_counts": {
                "processing": 0 if ended else size,
                "succeeded": size if ended else 0,
                "errored": 0,
                "canceled": 0,
                "expired": 0,
            },
            "created_at": "2999-01-01T00:00:00Z",
            "expires_at": "2999-01-02T00:00:00Z",
            "results_url": f"{self.url}/v1/messages/batches/{name}/results" if ended else None,
        }

    def _line(self, name: str, position: int, request: Mapping[str, Any]) -> dict[str, Any]:
        text = text_of(request["params"])
        result = self.result(text) or {
            "type": "succeeded",
            "message": message(f"{text[-8:]} VERDICT: SUPPORTED", id=f"msg_{name}_{position}"),
        }
        return {"custom_id": request["custom_id"], "result": result}


class _Handler(BaseHTTPRequestHandler):
    api: Api
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        pass

    def do_GET(self) -> None:
        self._do("GET")

    def do_POST(self) -> None:
        self._do("POST")

    def _do(self, method: str) -> None:
        size = int(self.headers.get("content-length", 0))
        body = json.loads(self.rfile.read(size)) if size else None
        headers = {name.lower(): value for name, value in self.headers.items()}
        answer = self.api.answer(Seen(method, self.path.partition("?")[0], headers, body))
        if answer.cut == "status":
            self.close_connection = True
            return
        data = answer.raw if answer.raw is not None else json.dumps(answer.body).encode()
        self.send_response(answer.status)
        for name, value in {"content-type": "application/json", **answer.headers}.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data[: len(data) // 2] if answer.cut else data)
        self.close_connection = bool(answer.cut)


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that hang up are no news."""


@contextmanager
def serving() -> Iterator[Api]:
    """The server, on a free port of this machine, until the block ends."""
    api = Api()
    server = _Server(("127.0.0.1", 0), type("Handler", (_Handler,), {"api": api}))
    api.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield api
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
