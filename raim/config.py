"""Validate a workflow configuration against its schema, with messages that say what to change."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import yaml
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from raim.errors import InputError


def validate(config: Mapping[str, Any], schema_file: Path) -> None:
    """Raise one InputError that lists everything wrong with ``config``, each with its remedy.

    The schema's ``description`` of a value says what is wanted there; it is part of the message.
    """
    schema = yaml.safe_load(schema_file.read_text(encoding="utf-8"))
    errors = sorted(Draft202012Validator(schema).iter_errors(config), key=lambda e: list(map(str, e.path)))
    if errors:
        # One error an entry: several keys missing from one section repeat each other.
        lines = dict.fromkeys(f"  - {line}" for error in errors for line in _explain(error))
        raise InputError("the configuration cannot be used:\n" + "\n".join(lines))


def _explain(error: ValidationError) -> Iterable[str]:
    where = _path(error.path)
    schema: Mapping[str, Any] = error.schema if isinstance(error.schema, Mapping) else {}
    wanted = " ".join(str(schema.get("description", "")).split())
    if error.validator == "additionalProperties" and isinstance(error.instance, Mapping):
        known = list(schema.get("properties", {}))
        for key in sorted(set(map(str, error.instance)) - set(known)):
            close = difflib.get_close_matches(key, known, n=1)
            advice = f"did you mean {close[0]!r}?" if close else f"known options: {', '.join(sorted(known))}"
            yield f"{_path([*error.path, key])}: there is no such option; {advice}"
    elif error.validator == "required":
        instance: Any = error.instance
        for key in (key for key in schema["required"] if key not in instance):
            text = " ".join(str(schema.get("properties", {}).get(key, {}).get("description", "")).split())
            yield f"{_path([*error.path, key])}: is missing; {text}"
    elif error.validator == "type" and error.instance in ("true", "false"):
        yield (
            f"{where}: is the text {error.instance!r}, as `--config` passes it; write the option into a YAML file "
            f"and give that with --configfile ({wanted})"
        )
    else:
        yield f"{where}: {error.message}; {wanted}"


def _path(parts: Iterable[Any]) -> str:
    text = ""
    for part in parts:
        text += f"[{part}]" if isinstance(part, int) else (f".{part}" if text else str(part))
    return text or "the whole configuration"
