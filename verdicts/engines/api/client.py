"""Anthropic's official client, made so that it keeps the key to itself and does nothing its user does not see.

Its own retries are off (``verdicts.engines.api.retry`` tells of each), its requests carry the API version that the
judge was pinned with, and whatever goes wrong is a :class:`CallError` whose text never holds the key.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import urlsplit

import anthropic
import httpx2

from raim.errors import InputError
from raim.safe_text import printable

KEY = "ANTHROPIC_API_KEY"
_BASE_URL = "https://api.anthropic.com"
#: Seconds that an answer may take: one of some hundred tokens takes a few.
_TIMEOUT = 120.0
_LONGEST_REASON = 300
#: Statuses under which no other request of this run would fare better.
_HOPELESS = {401, 402, 403, 404}
#: The same, by the error's code: limits that an organisation sets itself come as rate limits.
_SPENT = {"contract_spend_limit_reached", "enforced_spend_limit_reached"}
#: Failures before anything was sent.
_NOT_SENT = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout, httpx2.UnsupportedProtocol)

Result = TypeVar("Result")


@dataclass
class CallError(Exception):
    """A request without an answer.

    ``again``: trying again may help; ``after``: seconds that the API asks to wait; ``hopeless``: no other request
    would fare better; ``billed``: it may have been answered, and billed, all the same; ``status``: HTTP's.
    """

    reason: str
    again: bool = False
    after: float | None = None
    hopeless: bool = False
    billed: bool = False
    status: int | None = None


def key_from_environment() -> str:
    """The key. Raises InputError, which does not show it, where there is none or no header could hold it."""
    key = os.environ.get(KEY, "").strip()
    if not key:
        raise InputError(
            f"{KEY} is not set: put your key into the environment (console of the API, `API keys`); it is read from "
            f"nowhere else and written nowhere"
        )
    if not key.isascii() or not key.isprintable() or " " in key:
        raise InputError(f"{KEY} holds blanks or characters that no key has; copy the key again")
    return key


class Client:
    """The calls that judging needs, as plain JSON. ``ANTHROPIC_BASE_URL`` names another server than Anthropic's."""

    def __init__(self, version: str) -> None:
        self._key = key_from_environment()
        address = os.environ.get("ANTHROPIC_BASE_URL") or _BASE_URL
        #: The server, without what an address may carry of credentials.
        self.host = urlsplit(address).netloc.rpartition("@")[2]
        if not self.host:
            raise InputError(
                "ANTHROPIC_BASE_URL is no address; give one such as http://localhost:8080, or unset it"
            )
        self._api = anthropic.Anthropic(
            api_key=self._key,
            base_url=address,
            max_retries=0,
            timeout=_TIMEOUT,
            default_headers={"anthropic-version": version},
        )

    def create(self, params: Mapping[str, Any]) -> Any:
        """The body of a response to one request."""
        return self._body(lambda: self._api.messages.with_raw_response.create(**_arguments(params)))

    def count_tokens(self, params: Mapping[str, Any]) -> int:
        """Tokens of a prompt, which costs nothing."""
        asked = {name: params[name] for name in ("model", "messages")}
        body = self._body(lambda: self._api.messages.with_raw_response.count_tokens(**asked))
        count = body.get("input_tokens") if isinstance(body, dict) else None
        if not isinstance(count, int):
            raise CallError("malformed answer: no count of tokens", again=True)
        return count

    def create_batch(self, requests: list[dict[str, Any]]) -> dict[str, Any]:
        """Send requests (``custom_id``, ``params``) as one batch."""
        batches = self._api.messages.batches.with_raw_response
        return _batch(self._body(lambda: batches.create(requests=requests)))

    def batch(self, name: str) -> dict[str, Any]:
        """How far a batch is."""
        return _batch(self._body(lambda: self._api.messages.batches.with_raw_response.retrieve(name)))

    def newest_batches(self) -> list[dict[str, Any]]:
        """The newest hundred batches of the key's workspace."""
        body = self._body(lambda: self._api.messages.batches.with_raw_response.list(limit=100))
        listed = body.get("data") if isinstance(body, dict) else None
        if not isinstance(listed, list):
            raise CallError("malformed answer: no list of batches", again=True)
        return [_batch(entry) for entry in listed]

    def results(self, name: str) -> Iterator[dict[str, Any]]:
        """A finished batch's results as they arrive, in no order; damaged lines end them with a CallError."""
        stream = self._guarded(lambda: self._api.messages.batches.results(name))
        lines = iter(stream)
        try:
            while True:
                line = self._guarded(lambda: next(lines, None))
                if line is None:
                    return
                if not isinstance(line, anthropic.BaseModel):
                    raise CallError("malformed answer: a result is no object", again=True)
                yield line.to_dict(mode="json")
        finally:
            stream.close()

    def close(self) -> None:
        """Close the connections."""
        self._api.close()

    def _body(self, send: Callable[[], Any]) -> Any:
        response = self._guarded(send)
        try:
            return response.http_response.json()
        except ValueError as error:
            raise CallError("malformed answer: not JSON", again=True, billed=True) from error

    def _guarded(self, send: Callable[[], Result]) -> Result:
        """What a call gives; its failures as CallErrors. Their cause is cut off: it could quote the request."""
        try:
            return send()
        except anthropic.APIStatusError as error:
            failure = self._refused(error)
        except anthropic.APIConnectionError as error:
            failure = _broken(error.__cause__ or error)
        except httpx2.HTTPError as error:
            failure = _broken(error)
        except ValueError:
            failure = CallError("malformed answer: not JSON", again=True, billed=True)
        except anthropic.AnthropicError as error:
            failure = CallError(self.clean(f"{type(error).__name__}: {error}"))
        raise failure from None

    def _refused(self, error: anthropic.APIStatusError) -> CallError:
        status = error.status_code
        body = error.body.get("error") if isinstance(error.body, dict) else None
        told = body if isinstance(body, dict) else {}
        details = told.get("details")
        spent = isinstance(details, dict) and details.get("error_code") in _SPENT
        said = f"{told.get('type') or 'error'}: {told.get('message') or 'no message'}"
        return CallError(
            reason=self.clean(f"HTTP {status}, {said}"),
            again=not spent
            and error.response.headers.get("x-should-retry") != "false"
            and (status in (408, 409, 429) or status >= 500),
            after=_seconds(error.response.headers.get("retry-after")),
            hopeless=spent or status in _HOPELESS,
            status=status,
        )

    def clean(self, text: str) -> str:
        """Text of a server as it may be shown: without the key, on one line, nothing in it that a terminal obeys."""
        return printable(" ".join(text.replace(self._key, "[key]").split()))[:_LONGEST_REASON]


def _arguments(params: Mapping[str, Any]) -> dict[str, Any]:
    """The client's arguments: since 2.0 it has none for the temperature, which API version 2023-06-01 takes."""
    known = {name: value for name, value in params.items() if name != "temperature"}
    return {**known, "extra_body": {"temperature": params["temperature"]}}


def _batch(body: Any) -> dict[str, Any]:
    if not isinstance(body, dict) or not isinstance(body.get("id"), str):
        raise CallError("malformed answer: no batch", again=True)
    return body


def _broken(error: BaseException) -> CallError:
    """A connection that broke. Where the request may have arrived, so may its answer, on the bill."""
    return CallError(
        f"no answer ({type(error).__name__})", again=True, billed=not isinstance(error, _NOT_SENT)
    )


def _seconds(header: str | None) -> float | None:
    try:
        seconds = float(header or "")
    except ValueError:
        return None
    return seconds if 0 <= seconds < float("inf") else None
