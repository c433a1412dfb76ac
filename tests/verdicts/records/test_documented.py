"""The examples of docs/records.md are records: hashes, key and checksum hold."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from verdicts.records.canonical import canonical, digest, sha256_text
from verdicts.records.lines import decode
from verdicts.records.schema import SCHEMA_VERSION, Condition, Distribution, Run, Verdict, value_json


def example(root: Path, name: str) -> dict[str, Any]:
    text = (root / "docs" / "records.md").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(re.findall(rf"```json {name}\n(.*?)```", text, re.DOTALL)[0])
    return found


def test_the_example_is_a_record(root: Path) -> None:
    condition = Condition.from_json(example(root, "condition"))
    assert condition.as_json() == example(root, "condition")
    assert condition.as_json()["schema"] == SCHEMA_VERSION
    fields = example(root, "record")
    request = {"condition": digest(condition.as_json()), "item": fields["item"], "prompt": fields["prompt"]}
    assert fields["key"] == digest(request)
    # The line as it lies on disk: key first, checksum last, the rest in canonical order.
    key, crc = fields.pop("key"), fields.pop("crc")
    line = f'{{"key":"{key}",{canonical(fields)[1:-1]},"crc":"{crc}"}}\n'.encode()
    record = decode(line, condition)
    assert isinstance(record.value, Verdict)
    assert record.value.reply_sha256 == sha256_text(record.value.reply or "")
    assert Run(**example(root, "run")).run == record.run


def test_every_field_of_a_value_is_explained(root: Path) -> None:
    text = (root / "docs" / "records.md").read_text(encoding="utf-8")
    prose = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    distribution = value_json(Distribution(None, None, "decoded", "overflow", 1), with_reply=True)
    for field in (*example(root, "record")["value"], *distribution):
        assert f"`{field}`" in prose, field
