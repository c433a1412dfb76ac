"""Replace a suite's folder as a whole, and never by less than it holds."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from raim.errors import InputError
from verdicts.records.files import read_record_file
from verdicts.records.lock import compare_lock
from verdicts.records.suite import read_suite


@contextmanager
def replacement(folder: Path) -> Iterator[Path]:
    """A new folder beside ``folder`` to write into; it takes its place when the block ends, and goes where it raises.

    Raises InputError where the folder cannot be written.
    """
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        new = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}."))
    except OSError as error:
        raise InputError(f"{folder}: cannot be written ({error.strerror}); choose another folder") from error
    try:
        yield new
        new.chmod(0o755)
        _put(new, folder)
    except OSError as error:
        raise InputError(
            f"{folder}: cannot be written ({error.strerror}); make room, or choose another folder"
        ) from error
    finally:
        shutil.rmtree(new, ignore_errors=True)


def _put(new: Path, folder: Path) -> None:
    """Give the new folder the name; the old one keeps it where that fails."""
    old = new.with_name(f"{new.name}.old")
    if folder.exists():
        folder.rename(old)
    try:
        new.rename(folder)
    except OSError:
        if old.exists():
            old.rename(folder)
        raise
    shutil.rmtree(old, ignore_errors=True)


def refuse_loss(folder: Path, new: Path) -> None:
    """Refuse to replace a folder by a suite that would lose something that it holds.

    That is: a folder that is no suite, or another one; a file that no export of it wrote, or that was changed since; a
    record that ``new`` lacks. There is no way round it: records of another judge, frame or setting have other keys.
    """
    if not any(path.is_file() for path in folder.rglob("*")):
        return
    if not (folder / "suite.json").exists():
        raise InputError(f"{folder}: holds files that are no suite; choose another folder")
    here, there = read_suite(folder).suite, read_suite(new).suite
    if here != there:
        raise InputError(f"{folder}: holds the suite {here!r}, not {there!r}; choose another folder")
    _refuse_foreign_files(folder)
    for path in sorted(folder.glob("records/*/*.jsonl.gz")):
        counterpart = new / path.relative_to(folder)
        kept = (
            {record.key for record in read_record_file(counterpart).records.values()}
            if counterpart.exists()
            else set()
        )
        lost = sum(record.key not in kept for record in read_record_file(path).records.values())
        if lost:
            raise InputError(
                f"{path}: holds {lost} records that the new suite would lose (another store, plan, setting or "
                f"release); write it into another folder, or delete this one first"
            )


def _refuse_foreign_files(folder: Path) -> None:
    """Nothing but what the suite's own lock lists, as it lists it, may go."""
    difference = compare_lock(folder)
    for what, paths in (
        ("is no file of the suite", difference.untracked),
        ("was changed since the suite was written", difference.changed),
    ):
        if paths:
            raise InputError(
                f"{folder / paths[0]}: {what}, and replacing the suite would lose it; move it away, or write into "
                f"another folder"
            )
