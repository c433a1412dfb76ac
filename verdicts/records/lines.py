"""One record, one line: key first, checksum last, so that a torn or altered line is seen without parsing the others."""

from __future__ import annotations

import zlib
from typing import Any

from verdicts.records.canonical import canonical
from verdicts.records.plain import made, parse
from verdicts.records.schema import Condition, Record, value_from_json, value_json

_KEY_START = len('{"key":"')
_KEY_END = _KEY_START + 64
_CRC_LENGTH = len(',"crc":"00000000"}')


class TornLine(ValueError):
    """A line that no writer here finished: cut off, or changed after it was written."""


def encode(record: Record, *, with_reply: bool) -> bytes:
    """A record as one line with its newline. Without the reply it is a line of the shipped projection."""
    rest = {
        "item": record.item,
        "prompt": record.prompt,
        "value": value_json(record.value, with_reply=with_reply),
        "run": record.run,
        "time": record.time,
    }
    # A broken reply may hold lone surrogates: they travel as they are and come back equal.
    body = f'{{"key":"{record.key}",{canonical(rest)[1:-1]}'.encode("utf-8", "surrogatepass")
    return body + b',"crc":"%08x"}\n' % zlib.crc32(body)


def key_of(line: bytes) -> bytes:
    """The key's 64 hex digits, without parsing. Raises TornLine where the line does not start as lines here do."""
    if line[:_KEY_START] != b'{"key":"' or line[_KEY_END : _KEY_END + 2] != b'",':
        raise TornLine("does not start with a key")
    return line[_KEY_START:_KEY_END]


def check(line: bytes) -> None:
    """Raises TornLine where the line was cut or its checksum does not hold."""
    if not line.endswith(b'"}\n') or line[-_CRC_LENGTH - 1 : -11] != b',"crc":"':
        raise TornLine("is cut off")
    if b"%08x" % zlib.crc32(line[: -_CRC_LENGTH - 1]) != line[-11:-3]:
        raise TornLine("does not match its checksum")


def decode(line: bytes, condition: Condition) -> Record:
    """Parse and verify a line: checksum, key against the condition, value against the schema.

    Raises TornLine where any of them fails.
    """
    check(line)
    try:
        fields: dict[str, Any] = parse(line.decode("utf-8", "surrogatepass"))
        value = value_from_json(condition.kind, fields["value"], condition.labels)
        texts = ("key", "item", "prompt", "run", "time")
        record = made(Record, {**{name: fields[name] for name in texts}, "value": value})
    except (ValueError, KeyError, TypeError, OverflowError) as error:
        raise TornLine(f"does not hold a record ({error})") from error
    if condition.key(record.item, record.prompt) != record.key:
        raise TornLine("has a key that is not its request's")
    return record
