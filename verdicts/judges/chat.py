"""What a chat template adds to a prompt, hashed into the record's key without loading a tokenizer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from raim.errors import InputError
from verdicts.judges.roster import Judge
from verdicts.records.canonical import sha256_text


def chat_of(judge: Judge, checkpoint: Path) -> dict[str, Any] | None:
    """The ``chat`` of the judge's conditions: its template's hash and arguments; None for base checkpoints.

    A template inserts text of its own (a default system message, a date), so it is part of what was asked. Raises
    InputError where a chat judge's checkpoint has no template.
    """
    if not judge.chat:
        return None
    return {"template": sha256_text(_template(judge, checkpoint)), "kwargs": dict(judge.chat_kwargs)}


def _template(judge: Judge, checkpoint: Path) -> str:
    separate = checkpoint / "chat_template.jinja"
    if separate.exists():
        return separate.read_text(encoding="utf-8")
    config = checkpoint / "tokenizer_config.json"
    found = json.loads(config.read_text(encoding="utf-8")).get("chat_template") if config.exists() else None
    if isinstance(found, list):
        found = next((entry["template"] for entry in found if entry["name"] == "default"), None)
    if not isinstance(found, str):
        raise InputError(
            f"{checkpoint}: {judge.name} has no chat template; fetch its weights again, or mark it `chat: false` in the roster"
        )
    return found
