"""Batches under way, on disk: a killed run leaves them to the next one, which fetches what has been paid for.

One file a batch below a folder. It is written before the batch is sent, so that even a run killed while sending leaves
a trace; the batch's identifier is added when the API gives it. A finished batch stays on file as long as the API keeps
its results, and costs nothing to fetch again.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from raim.errors import InputError
from verdicts.records.canonical import canonical
from verdicts.records.plain import made, parse
from verdicts.store.disk import lock, write_atomically, write_error

#: How long the API keeps the results of a batch.
_KEPT = timedelta(days=29)


@dataclass(frozen=True)
class Batch:
    """A batch: its requests' ``ids``, when it was sent (ISO 8601), what it may cost, and how far it is.

    ``name`` is the API's identifier, empty while it is being sent; ``collected`` says that its results were fetched
    and booked; ``ids`` then holds those that have an answer.
    """

    file: str
    ids: tuple[str, ...]
    sent: str
    reserve: float
    name: str = ""
    collected: bool = False


class InFlight:
    """The batches of a folder, which several processes may share."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def all(self, now: datetime) -> list[Batch]:
        """Every batch whose results the API still has, oldest first; the others' files are removed.

        Raises InputError where a file cannot be read.
        """
        found = []
        for path in sorted(self._folder.glob("*.json")):
            batch = self._read(path)
            if datetime.fromisoformat(batch.sent) + _KEPT < now:
                path.unlink(missing_ok=True)
            else:
                found.append(batch)
        return found

    def begin(self, ids: Sequence[str], reserve: float, now: datetime) -> Batch:
        """Note that a batch of these requests is about to be sent."""
        batch = Batch(f"{now:%Y%m%dT%H%M%S.%f}-{os.getpid()}.json", tuple(ids), now.isoformat(), reserve)
        self._write(batch)
        return batch

    def named(self, batch: Batch, name: str) -> Batch:
        """Note that the API has the batch, under this identifier."""
        return self._write(replace(batch, name=name))

    def done(self, batch: Batch, answered: Iterable[str]) -> Batch:
        """Note that the results were fetched; what has none is free to be asked again."""
        return self._write(replace(batch, ids=tuple(answered), collected=True))

    def drop(self, batch: Batch) -> None:
        """Forget a batch that was never sent."""
        (self._folder / batch.file).unlink(missing_ok=True)

    @contextmanager
    def sending(self) -> Iterator[None]:
        """Held while a batch is sent and while what a killed run has sent is looked for: by one process at a time."""
        path = self._folder / "lock"
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise write_error(path, error) from error
        try:
            lock(handle, path, wait=True)
            yield
        finally:
            os.close(handle)

    def _write(self, batch: Batch) -> Batch:
        write_atomically(self._folder / batch.file, canonical({**asdict(batch), "ids": list(batch.ids)}))
        return batch

    def _read(self, path: Path) -> Batch:
        try:
            found = parse(path.read_text(encoding="utf-8"))
            batch = made(Batch, {**found, "file": path.name})
            datetime.fromisoformat(batch.sent).astimezone(UTC)
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise InputError(
                f"{path}: cannot read the note of a batch under way ({error}); restore it, or remove it: its requests "
                f"are then sent, and paid for, again"
            ) from error
        return batch
