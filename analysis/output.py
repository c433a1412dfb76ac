"""Write results whole or not at all."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from raim.errors import InputError


def write_json(path: Path, value: Any) -> None:
    """Write plain values as indented JSON, as :func:`write_text` does.

    Raises
    ------
    InputError
        If the place cannot be written to.
    ValueError
        If a value is NaN or infinite: undefined results are None with a reason.
    """
    write_text(path, json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False) + "\n")


def write_text(path: Path, text: str) -> None:
    """Write a text in UTF-8 to a temporary name beside the target, then rename it; a link is followed.

    Raises InputError if the place cannot be written to.
    """
    target = _file_at(path)
    temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        try:
            temporary.write_text(text, encoding="utf-8", newline="")
            temporary.replace(target)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}") from None


def require_writable(path: Path) -> None:
    """Refuse an output path before any work is done for it.

    Raises
    ------
    InputError
        If it is a folder or no file at all, or its folder is missing or closed.
    """
    folder = _file_at(path).parent
    if not folder.is_dir():
        raise InputError(f"cannot write {path}: no folder {folder}; create it first")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise InputError(f"cannot write {path}: the folder {folder} is not writable")


def _file_at(path: Path) -> Path:
    """The file that a path stands for. A rename would put a file in the place of a link, a device or a pipe."""
    if path.is_dir():
        raise InputError(f"cannot write {path}: it is a folder; name a file in it")
    if path.exists() and not path.is_file():
        raise InputError(f"cannot write {path}: it is a device or a pipe; name a file")
    return path.resolve() if path.is_symlink() else path
