"""Tiny checkpoints, made once a session."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from verdicts.engines.transformers_engine import TransformersEngine

Make = Callable[..., "TransformersEngine"]


@pytest.fixture(scope="session")
def checkpoints(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Folders by name: an architecture, and how it is prompted."""
    from tests.verdicts.engines import tiny

    size = len(tiny.tokenizer(None))
    models: dict[str, tuple[Any, str | None]] = {
        "llama": (tiny.llama(size), tiny.PLAIN),
        "llama-system": (tiny.llama(size), tiny.DEFAULT_SYSTEM),
        "llama-dated": (tiny.llama(size), tiny.DATED),
        "llama-base": (tiny.llama(size), None),
        "llama-dynamic": (
            tiny.llama(size, rope_parameters={"rope_type": "dynamic", "factor": 4.0, "rope_theta": 10000.0}),
            tiny.PLAIN,
        ),
        "gemma": (tiny.gemma(size), tiny.PLAIN),
        "gemma-base": (tiny.gemma(size), None),
        # Wide enough for the short ones of the tests' prompts, and not for the long ones.
        "gemma-wide": (tiny.gemma(size, window=80), tiny.PLAIN),
    }
    root = tmp_path_factory.mktemp("checkpoints")
    return {name: tiny.save(root / name, *model) for name, model in models.items()}


@pytest.fixture
def engine(checkpoints: dict[str, Path]) -> Make:
    """Load a checkpoint by its name; options are the engine's."""
    from verdicts.engines.transformers_engine import TransformersEngine
    from verdicts.records.canonical import sha256_text

    def make(name: str, **options: Any) -> TransformersEngine:
        template = checkpoints[name] / "chat_template.jinja"
        chat: dict[str, Any] | None = None
        if template.exists():
            chat = {"template": sha256_text(template.read_text(encoding="utf-8")), "kwargs": {}}
            chat["kwargs"] = options.pop("kwargs", {})
        settings = {"chat": chat, "context": 2048, "dtype": "float32", "batch_size": 4, **options}
        return TransformersEngine(checkpoints[name], **settings)

    return make
