"""Replace a suite's folder as a whole, and never by less than it holds."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from raim.errors import InputError
from verdicts.records.files import read_record_file
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
        old = new.with_name(f"{new.name}.old")
        if folder.exists():
            folder.rename(old)
        new.rename(folder)
        shutil.rmtree(old, ignore_errors=True)
    except OSError as error:
        raise InputError(
            f"{folder}: cannot be written ({error.strerror}); make room, or choose another folder"
        ) from error
    finally:
        shutil.rmtree(new, ignore_errors=True)


def refuse_loss(folder: Path, new: Path) -> None:
    """Refuse to replace a folder that is no earlier export of the same suite, or holds records that ``new`` lacks."""
    if not any(path.is_file() for path in folder.rglob("*")):
        return
    if not (folder / "suite.json").exists():
        raise InputError(f"{folder}: holds files that are no suite; choose another folder")
    here, there = read_suite(folder).suite, read_suite(new).suite
    if here != there:
        raise InputError(f"{folder}: holds the suite {here!r}, not {there!r}; choose another folder")
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
                f"{path}: holds {lost} records that this export would lose (another store, plan or setting); export "
                f"into another folder, or delete this one first"
            )
