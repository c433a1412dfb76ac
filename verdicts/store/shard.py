"""A shard: all records of one condition."""

from __future__ import annotations

import fcntl
import json
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

import numpy as np

from raim.errors import InputError
from verdicts.records.canonical import canonical
from verdicts.records.lines import TornLine, decode, key_of
from verdicts.records.schema import SCHEMA_VERSION, Condition, Record, Run
from verdicts.store.sealed import iterate, merge, missing, read_keys
from verdicts.store.segment import Segment, finished, whole_lines


class Shard:
    """Records of one condition in one folder.

    ``condition.json`` says which; ``sealed.jsonl`` holds the sealed records; ``open/<run>.jsonl`` what runs have
    appended since; ``runs/<run>.json`` the runs' provenance.
    """

    def __init__(self, folder: Path, condition: Condition) -> None:
        self.folder = folder
        self.condition = condition
        self._sealed = folder / "sealed.jsonl"
        self._claim()

    def missing(self, keys: Sequence[str]) -> list[int]:
        """Positions of the keys for which there is no record yet, sealed or open."""
        # Open segments first: a record only ever moves from there into the sealed file.
        opened = {key_of(line).decode() for path in self._segments() for line in whole_lines(path)}
        absent = missing(read_keys(self._sealed), keys)
        return [position for position in absent if keys[position] not in opened]

    def writer(self, run: Run) -> Segment:
        """A segment for a run to append to. Raises InputError where the run's id is taken."""
        if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", run.run):
            raise InputError(f"run id {run.run!r}: use letters, digits, '.', '_' and '-' only")
        path = self._run_file(run.run)
        if path.exists():
            raise InputError(f"{path}: another run has the id {run.run!r} already; give the run another id")
        segment = Segment(self.folder / "open" / f"{run.run}.jsonl")
        _write_atomically(path, canonical(asdict(run)))
        return segment

    def seal(self) -> tuple[int, int]:
        """Move what finished writers left into the sealed file; returns records (added, repeated).

        Segments whose writer still lives are left to it. Killed at any moment, nothing is lost: segments go only
        after the sealed file stands.
        """
        with self._locked(), finished(self._segments()) as done:
            fresh = [line for path in done for line in whole_lines(path)]
            counts = merge(self._sealed, fresh) if fresh else (0, 0)
            for path in done:
                path.unlink()
        return counts

    def records(self) -> Iterator[Record]:
        """Every record, parsed and verified; the sealed ones first, none twice."""
        opened = [line for path in self._segments() for line in whole_lines(path)]
        known = read_keys(self._sealed)
        if known.size:
            for line in iterate(self._sealed):
                yield self._decode(line)
        seen: set[bytes] = set()
        fresh = np.array([key_of(line) for line in opened], dtype="S64")
        absent = set(missing(known, fresh.astype(str).tolist()) if opened else ())
        for position, line in enumerate(opened):
            key = key_of(line)
            if position in absent and key not in seen:
                seen.add(key)
                yield self._decode(line)

    def runs(self) -> list[Run]:
        """Provenance of every run that ever wrote here."""
        return [Run(**json.loads(path.read_text(encoding="utf-8"))) for path in sorted((self.folder / "runs").glob("*.json"))]

    def _decode(self, line: bytes) -> Record:
        try:
            return decode(line, self.condition)
        except TornLine as error:
            raise InputError(f"{self.folder}: record {line[8:72].decode(errors='replace')} {error}; restore it") from error

    def _segments(self) -> list[Path]:
        return sorted((self.folder / "open").glob("*.jsonl"))

    def _run_file(self, run: str) -> Path:
        return self.folder / "runs" / f"{run}.json"

    def _claim(self) -> None:
        """Write the condition of a new shard; refuse a folder that holds another one or a newer schema."""
        path = self.folder / "condition.json"
        if not path.exists():
            _write_atomically(path, canonical(self.condition.as_json()))
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
            schema = int(found["schema"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise InputError(f"{path}: cannot read the shard's condition ({error}); restore it from a backup") from error
        if schema > SCHEMA_VERSION:
            raise InputError(f"{path}: written in record schema {schema}, this version knows {SCHEMA_VERSION}; upgrade raim")
        if found != self.condition.as_json():
            raise InputError(
                f"{path}: holds records of another condition than this run would write; never mixed: choose another store"
            )

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Only one process seals a shard at a time."""
        handle = os.open(self.folder / "lock", os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield
        finally:
            os.close(handle)


def _write_atomically(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
        temporary.write_text(text + "\n", encoding="utf-8")
        os.replace(temporary, path)
    except OSError as error:
        raise InputError(
            f"{path}: cannot write to the store ({error.strerror}); make the folder writable, or choose another store"
        ) from error
