"""What a chat template adds to a prompt, hashed into the record's key without loading a tokenizer.

The chat of a condition is ``{"template": sha256, "kwargs": {...}}``, or None where the prompt is sent as it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from raim.errors import InputError
from verdicts.judges.roster import Judge
from verdicts.records.canonical import sha256_text
from verdicts.records.plain import parse
from verdicts.records.schema import Condition


def chat_of(judge: Judge, checkpoint: Path) -> dict[str, Any] | None:
    """The ``chat`` of the judge's conditions: its template's hash and arguments; None for base checkpoints.

    A template inserts text of its own (a default system message, a date), so it is part of what was asked. Raises
    InputError where a chat judge's checkpoint has no template, or one that would print today's date.
    """
    if not judge.chat:
        return None
    template = _template(judge, checkpoint)
    if "strftime_now" in template and not {"strftime_now", "date_string"} & set(judge.chat_kwargs):
        raise InputError(
            f"{checkpoint}: the chat template of {judge.name} prints today's date, so that its prompts would change "
            f'from day to day; fix it in the roster: `chat_kwargs: {{strftime_now: "2026-01-31"}}`'
        )
    return _chat(judge, sha256_text(template))


def recorded_chat(judge: Judge, conditions: Iterable[Condition]) -> dict[str, Any] | None:
    """The same from the conditions of a store, without the checkpoint; None where there is none of the judge.

    Raises InputError where it was asked under several templates.
    """
    if not judge.chat:
        return None
    templates = {
        condition.chat["template"]
        for condition in conditions
        if (condition.judge, condition.revision) == (judge.judge, judge.revision)
        and condition.chat is not None
        and condition.chat == _chat(judge, condition.chat["template"])
    }
    if len(templates) > 1:
        raise InputError(
            f"{judge.name} was asked under {len(templates)} chat templates ({', '.join(sorted(templates))}), and a "
            f"suite has one; move the shards of the others out of the store (their condition.json names the template)"
        )
    return _chat(judge, templates.pop()) if templates else None


def _chat(judge: Judge, template: str) -> dict[str, Any]:
    return {"template": template, "kwargs": dict(judge.chat_kwargs)}


def _template(judge: Judge, checkpoint: Path) -> str:
    separate, config = checkpoint / "chat_template.jinja", checkpoint / "tokenizer_config.json"
    try:
        if separate.exists():
            return separate.read_text(encoding="utf-8")
        found = parse(config.read_text(encoding="utf-8")).get("chat_template") if config.exists() else None
        if isinstance(found, list):
            found = next((entry["template"] for entry in found if entry["name"] == "default"), None)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(
            f"{checkpoint}: the chat template of {judge.name} cannot be read ({error}); fetch its weights again"
        ) from error
    if not isinstance(found, str):
        raise InputError(
            f"{checkpoint}: {judge.name} has no chat template; fetch its weights again, or mark it `chat: false` in "
            f"the roster"
        )
    return found
