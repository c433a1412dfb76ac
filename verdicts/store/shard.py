"""A shard: all records of one condition."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np

from raim.errors import InputError
from verdicts.records.canonical import canonical
from verdicts.records.lines import TornLine, decode, key_of
from verdicts.records.plain import made, parse
from verdicts.records.schema import SCHEMA_VERSION, Condition, Record, Run, schema_of
from verdicts.store import sidecar
from verdicts.store.disk import lock, write_atomically, write_error
from verdicts.store.sealed import iterate, merge, read_keys
from verdicts.store.segment import Segment, finished, whole_lines
from verdicts.store.sidecar import KEY, contains


class Shard:
    """Records of one condition in one folder, which is made when the first run writes.

    ``condition.json`` says which; ``sealed.jsonl`` holds the sealed records; ``open/<run>.jsonl`` what runs have
    appended since; ``runs/<run>.json`` the runs' provenance.

    Readers take open segments first and the sealed file after them: a record only ever moves from there to here.
    """

    def __init__(self, folder: Path, condition: Condition) -> None:
        self.folder = folder
        self.condition = condition
        self._sealed = folder / "sealed.jsonl"
        self._refuse_another_condition()

    def missing(self, keys: Sequence[str]) -> list[int]:
        """Positions of the keys for which there is no record yet, sealed or open."""
        opened = np.fromiter(
            (key_of(line) for path in self._segments() for line in whole_lines(path)), dtype=KEY
        )
        wanted = np.array(keys, dtype=KEY)
        known = contains(read_keys(self._sealed), wanted) | contains(np.sort(opened), wanted)
        return np.flatnonzero(~known).tolist()

    def writer(self, run: Run) -> Segment:
        """A segment for a run to append to. Raises InputError where the run's id is taken."""
        self._claim()
        segment = Segment(self.folder / "open" / f"{_file_name(run)}.jsonl")
        # The segment is this run's alone from here on; a run of this id that came and went has left its file.
        path = self._run_file(run)
        try:
            if path.exists():
                raise InputError(
                    f"{path}: another run has the id {run.run!r} already; give the run another id"
                )
            write_atomically(path, canonical(asdict(run)))
        except InputError:
            segment.close()
            raise
        return segment

    def adopt(self, records: Iterable[Record], runs: Iterable[Run]) -> int:
        """Add those of the records, made elsewhere by these runs, that are not here yet; returns how many.

        Raises InputError where another run than theirs has its id here.
        """
        offered = list(records)
        absent = [offered[i] for i in self.missing([record.key for record in offered])]
        if not absent:
            return 0
        made_by = {record.run for record in absent}
        new = [run for run in runs if run.run in made_by and not self._is_here(run)]
        self._claim()
        for run in new:
            write_atomically(self._run_file(run), canonical(asdict(run)))
        with Segment(self.folder / "open" / f"adopted-{os.getpid()}-{time.time_ns()}.jsonl") as segment:
            segment.append(absent)
        self.seal()
        return len(absent)

    def seal(self) -> tuple[int, int]:
        """Move what finished writers left into the sealed file; returns records (added, repeated).

        Segments whose writer still lives are left to it. Killed at any moment, nothing is lost: segments go only
        after the sealed file stands.
        """
        if not self._segments():
            return 0, 0
        with self._locked(), finished(self._segments()) as done:
            counts = merge(self._sealed, done) if done else (0, 0)
            for segment in done:
                try:
                    segment.path.unlink()
                except OSError as error:
                    raise write_error(segment.path, error, "its records are sealed all the same") from error
        return counts

    def records(self) -> Iterator[Record]:
        """Every record, parsed and verified; the sealed ones first, none twice."""
        opened: dict[bytes, bytes] = {}
        for path in self._segments():
            for line in whole_lines(path):
                opened.setdefault(key_of(line), line)
        sidecar.read(self._sealed)  # Refuses a file that has lost records.
        for line in iterate(self._sealed):
            opened.pop(key_of(line), None)
            yield self._decode(line)
        for line in opened.values():
            yield self._decode(line)

    def runs(self) -> list[Run]:
        """Provenance of every run that ever wrote here."""
        return [_read_run(path) for path in sorted((self.folder / "runs").glob("*.json"))]

    def _is_here(self, run: Run) -> bool:
        path = self._run_file(run)
        if not path.exists():
            return False
        # A released file leaves out when its runs started.
        if replace(_read_run(path), started="") != replace(run, started=""):
            raise InputError(
                f"{path}: another run has the id {run.run!r} already, on other hardware or by other versions; take the "
                f"records into a store of their own"
            )
        return True

    def _decode(self, line: bytes) -> Record:
        try:
            return decode(line, self.condition)
        except TornLine as error:
            raise InputError(
                f"{self.folder}: record {line[8:72].decode(errors='replace')} {error}; restore the shard from a backup"
            ) from error

    def _segments(self) -> list[Path]:
        return sorted((self.folder / "open").glob("*.jsonl"))

    def _claim(self) -> None:
        """Make the shard where there is none."""
        if not self._condition_file.exists():
            write_atomically(self._condition_file, canonical(self.condition.as_json()))
            self._refuse_another_condition()

    def _run_file(self, run: Run) -> Path:
        return self.folder / "runs" / f"{_file_name(run)}.json"

    @property
    def _condition_file(self) -> Path:
        return self.folder / "condition.json"

    def _refuse_another_condition(self) -> None:
        path = self._condition_file
        if path.exists() and read_condition(path) != self.condition:
            raise InputError(
                f"{path}: holds records of another condition than this run would write; they are never mixed: choose "
                f"another store"
            )

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Only one process seals a shard at a time."""
        path = self.folder / "lock"
        try:
            handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise write_error(path, error, "what was judged is safe, and sealed later") from error
        try:
            lock(handle, path, wait=True)
            yield
        finally:
            os.close(handle)


def _file_name(run: Run) -> str:
    """The run's id, which names its files. Raises InputError where it cannot."""
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", run.run):
        raise InputError(f"run id {run.run!r}: use letters, digits, '.', '_' and '-' only")
    return run.run


def _read_run(path: Path) -> Run:
    try:
        return made(Run, parse(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError) as error:
        raise InputError(
            f"{path}: cannot read the run's provenance ({error}); restore it from a backup"
        ) from error


def read_condition(path: Path) -> Condition:
    """The condition in a shard's ``condition.json``.

    Raises InputError that names the file and the remedy where it cannot be read or is of a newer record schema.
    """
    try:
        found = parse(path.read_text(encoding="utf-8"))
        schema = schema_of(found)
        if schema > SCHEMA_VERSION:
            raise InputError(
                f"{path}: written in record schema {schema}, this version knows {SCHEMA_VERSION}; upgrade raim"
            )
        return Condition.from_json(found)
    except InputError:
        raise
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(
            f"{path}: cannot read the shard's condition ({error}); restore it from a backup"
        ) from error
