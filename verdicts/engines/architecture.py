"""What of a model's architecture decides how its prompts may be computed together."""

from __future__ import annotations

import inspect
import math
from typing import Any

from raim.errors import InputError

#: Layers whose state can be cut back to a shared prefix.
_KNOWN_LAYERS = {"full_attention", "sliding_attention"}


def require_known(model: Any, name: str) -> None:
    """Refuse a model that cached keys and values would not answer for exactly, or at all.

    Raises InputError that says why and what to do.
    """
    if "cache" not in inspect.signature(model.forward).parameters:
        raise InputError(
            f"{name}: its forward() takes no `cache`; upgrade transformers (5.24 or later), or use another engine"
        )
    other = sorted(set(_layers(model)) - _KNOWN_LAYERS)
    if other:
        raise InputError(
            f"{name}: has layers ({', '.join(other)}) whose state cannot be shared between prompts; use another engine"
        )


def exact_padding(model: Any) -> float:
    """The longest row, answer included, beside which shorter ones with padding inside answer as they do alone.

    Padding inside a sequence shifts a sliding window, which nobody notices while all of the row is in it; padding in
    front of it does not. Some position encodings depend on the longest row: then there is no such length. Rows of one
    length need no padding.
    """
    if not reuse_is_exact(model):
        return 0
    layers = _layers(model)
    window: int | None = getattr(model.config.get_text_config(), "sliding_window", None)
    sliding = "sliding_attention" in layers if layers else bool(window)
    return window if sliding and window else math.inf


def reuse_is_exact(model: Any) -> bool:
    """Whether the keys of a prefix are the same in a longer prompt: not where positions are rescaled by its length."""
    parameters = getattr(model.config.get_text_config(), "rope_parameters", None) or {}
    entries = [parameters, *(entry for entry in parameters.values() if isinstance(entry, dict))]
    types = {str(entry.get("rope_type", "default")) for entry in entries}
    return not any("dynamic" in kind or kind == "longrope" for kind in types)


def _layers(model: Any) -> list[str]:
    return list(getattr(model.config.get_text_config(), "layer_types", None) or ())
