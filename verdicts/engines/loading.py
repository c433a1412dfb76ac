"""From a checkpoint's folder to a model that has all its parameters, or to an error that says what to do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import torch
from transformers.utils import logging as library

from raim.errors import InputError
from verdicts.engines.memory import out_of_memory

Loaded = TypeVar("Loaded")


def device() -> str:
    """The first visible GPU, else the processor."""
    return "cuda" if torch.cuda.is_available() else "cpu"


def loaded(folder: object, load: Callable[[], Loaded]) -> Loaded:
    """What ``load`` returns. Raises InputError where the checkpoint cannot be read or does not fit the device."""
    # Its bars would tear the lines of the command's own progress.
    library.disable_progress_bar()
    try:
        return load()
    except InputError:
        raise
    # A damaged file can make the libraries raise anything, each of them errors of its own.
    except Exception as error:
        if out_of_memory(error):
            raise InputError(
                f"{folder}: the judge does not fit the memory of this {device()}; use a larger device or a smaller "
                f"dtype"
            ) from error
        raise InputError(
            f"{folder}: cannot load the judge ({type(error).__name__}: {error}); fetch its weights again"
        ) from error


def whole(auto: Any, folder: object, dtype: str, *, unused: tuple[str, ...] = (), **source: Any) -> Any:
    """A model of an ``Auto`` class from a folder, all of whose parameters the checkpoint holds.

    The libraries make up what is missing at random, with a warning. ``unused`` names parts that nothing is read from.
    Raises InputError where another parameter is missing.
    """
    model, found = auto.from_pretrained(
        folder, dtype=getattr(torch, dtype), output_loading_info=True, **source
    )
    lacking = sorted(name for name in found["missing_keys"] if not set(name.split(".")) & set(unused))
    if lacking:
        raise InputError(
            f"{folder}: lacks {len(lacking)} of the model's parameters, such as {lacking[0]}, which would be random "
            f"numbers; fetch its weights again, or give a checkpoint of this architecture with its head"
        )
    return model
