"""What is sent for a prompt, and what a response says: the Messages API as plain JSON.

Responses are checked here, not taken on trust: a body that lacks what a record needs is malformed, and no answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from verdicts.engines.api.prices import Usage
from verdicts.engines.base import Reply
from verdicts.records.canonical import sha256_text

Finish = Literal["stop", "length", "refusal", "unknown"]

#: A response's ``stop_reason`` -> the reply's ``finish``. Whatever is not here is ``unknown``.
_FINISHES: Mapping[str, Finish] = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refusal",
}


class MalformedError(ValueError):
    """A response that is not one of this API."""


def prompt_name(prompt: str) -> str:
    """What stands for a prompt in logs, ledgers and batches: the start of its hash, which records hold in full."""
    return sha256_text(prompt)[:40]


@dataclass(frozen=True)
class Sampling:
    """What is asked of every prompt of a call alike."""

    model: str
    max_tokens: int
    temperature: float

    def params(self, prompt: str, cached: int) -> dict[str, Any]:
        """The request: one user message, no system message.

        Its first ``cached`` characters are a block of their own that the API caches; the blocks joined are the prompt.
        """
        text: list[dict[str, Any]] = [{"type": "text", "text": prompt[cached:]}]
        if cached:
            text.insert(0, {"type": "text", "text": prompt[:cached], "cache_control": {"type": "ephemeral"}})
        return {
            "model": self.model,
            "max_tokens": self.max_tokens,
            "temperature": self.temperature,
            "messages": [{"role": "user", "content": text if cached else prompt}],
        }


@dataclass(frozen=True)
class Answer:
    """A response: its identifier, the model that gave it, what it says and what is billed for it."""

    id: str
    model: str
    reply: Reply
    usage: Usage


def read_message(body: Any) -> Answer:
    """The answer in a response's body. Raises MalformedError where it is none."""
    if not isinstance(body, dict) or body.get("type") != "message":
        raise MalformedError("the body is not a message")
    for name in ("id", "model"):
        if not isinstance(body.get(name), str) or not body[name]:
            raise MalformedError(f"the message has no {name}")
    content, stop = body.get("content"), body.get("stop_reason")
    if not isinstance(content, list) or not all(isinstance(block, dict) for block in content):
        raise MalformedError("the message has no list of content")
    texts = [block.get("text") for block in content if block.get("type") == "text"]
    if not all(isinstance(text, str) for text in texts):
        raise MalformedError("a text block of the message has no text")
    usage = _usage(body.get("usage"))
    finish = _FINISHES.get(stop, "unknown") if isinstance(stop, str) else "unknown"
    reply = Reply("".join(map(str, texts)), finish, usage.prompt, usage.output)
    return Answer(body["id"], body["model"], reply, usage)


def _usage(usage: Any) -> Usage:
    if not isinstance(usage, dict):
        raise MalformedError("the message has no usage")
    return Usage(
        input=_count(usage, "input_tokens"),
        output=_count(usage, "output_tokens"),
        cache_write=_count(usage, "cache_creation_input_tokens", absent=0),
        cache_read=_count(usage, "cache_read_input_tokens", absent=0),
    )


def _count(usage: Mapping[str, Any], name: str, absent: int | None = None) -> int:
    value = usage.get(name)
    if value is None and absent is not None:
        return absent
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise MalformedError(f"the message's usage has no {name}")
    return value
