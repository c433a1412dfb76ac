"""From a suite's released records to vote matrices.

A member's verdict is its record's: the parsed one, or, where a distribution over (SUPPORTED, HALLUCINATED) was
recorded, hallucinated at a probability of 0.5 and more. An answer without a verdict is an abstention. A record that
is not there is missing: a member with missing records on a benchmark is left out of its panel, with the reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from analysis.arrays import Floats
from analysis.panel.votes import VoteMatrix, vote_matrix
from raim.errors import InputError
from verdicts.records.files import RecordFile, read_record_file
from verdicts.records.index import IndexRow, read_index
from verdicts.records.lock import compare_lock, locked_digest
from verdicts.records.schema import Distribution, Record
from verdicts.records.suite import read_suite

_LABELS = ("SUPPORTED", "HALLUCINATED")
#: Roles whose records may lack items: the probe takes its worked examples out of the benchmark (appendix D).
_PARTIAL = ("probe_base", "probe_instruct")
#: Why a judge has no records of a benchmark that its suite does not ask it about. The rest is missing.
NOT_ASKED = "not asked about this benchmark"
#: Why a judge that verifies claims against documents has no records of an ungrounded benchmark.
NOT_APPLICABLE = "not applicable: the judge needs a document, and the benchmark supplies none"


@dataclass(frozen=True)
class Panel:
    """One benchmark of a suite.

    Attributes
    ----------
    votes : the members (role ``member``) with a record of every item
    comparators : by member name, votes (n,) of those with another role, aligned with ``votes.uids``; NaN = abstained,
        infinite = not asked (the probe's roles only)
    left_out : by member name, why it is in neither
    judged : by member name, the number of items with a record
    """

    votes: VoteMatrix
    comparators: Mapping[str, Floats]
    left_out: Mapping[str, str]
    judged: Mapping[str, int] = field(default_factory=dict)


def load_panel(folder: Path, benchmark: str) -> Panel:
    """One benchmark of a suite. Raises InputError where its files are missing or wrong, or no member is complete."""
    suite = read_suite(folder)
    rows = sorted(read_index(folder / "index" / f"{benchmark}.tsv"), key=lambda row: row.uid)
    columns: dict[str, Floats] = {}
    comparators: dict[str, Floats] = {}
    left_out: dict[str, str] = {}
    judged = dict.fromkeys(suite.members, 0)
    for member, description in suite.members.items():
        path = record_path(folder, benchmark, member)
        if description.needs_document and suite.benchmarks[benchmark].tier == "ungrounded":
            left_out[member] = NOT_APPLICABLE
            continue
        if description.benchmarks and benchmark not in description.benchmarks:
            left_out[member] = NOT_ASKED
            continue
        if not path.exists():
            left_out[member] = f"missing: 0 of {len(rows)} items judged"
            continue
        votes = votes_of(read_record_file(path), rows)
        judged[member] = found = len(rows) - int(np.isinf(votes).sum())
        if found < len(rows) and not (found and description.role in _PARTIAL):
            left_out[member] = f"missing: {found} of {len(rows)} items judged"
        elif np.isnan(votes[~np.isinf(votes)]).all():
            left_out[member] = f"committed on none of {len(rows)} items"
        else:
            (columns if description.role == "member" else comparators)[member] = votes
    if not columns:
        why = "; ".join(f"{member} ({reason})" for member, reason in left_out.items()) or "it has none"
        raise InputError(
            f"{folder}: no member has judged all of {benchmark}'s {len(rows)} items and given a verdict: {why}. Finish "
            "the run (`raim judge`) and export the suite again, or leave the benchmark out"
        )
    matrix = vote_matrix(
        list(columns),
        [row.uid for row in rows],
        [row.cluster for row in rows],
        [row.gold for row in rows],
        np.column_stack(list(columns.values())),
        sort_items=True,
    )
    return Panel(matrix, comparators, left_out, judged)


def record_path(folder: Path, benchmark: str, member: str) -> Path:
    """Where a suite keeps a member's records of a benchmark."""
    return folder / "records" / benchmark / f"{member}.jsonl.gz"


def records_digest(suite: Path) -> str:
    """The release digest of the suite's records, which every output is stamped with.

    Raises InputError where the files are not those that the lock, and so the stamp, speaks of.
    """
    difference = compare_lock(suite)
    for what in ("missing", "changed", "untracked"):
        paths: tuple[str, ...] = getattr(difference, what)
        if paths:
            raise InputError(
                f"{suite}: {what} since it was locked: {', '.join(paths[:3])}{', ...' * (len(paths) > 3)}; restore "
                f"the suite, or export it again (`raim verify --lock {suite}` names every file)"
            )
    return locked_digest(suite)


def votes_of(file: RecordFile, rows: list[IndexRow]) -> Floats:
    """Votes (n,) in the order of the rows: 1, 0, NaN where the judge abstained, infinity where nothing was recorded."""
    if file.condition.kind == "distribution" and file.condition.labels != _LABELS:
        raise InputError(
            f"labels {file.condition.labels} are no verdicts; a panel needs records over {_LABELS}"
        )
    records = file.records
    return np.array([_vote(records[row.content]) if row.content in records else np.inf for row in rows])


def _vote(record: Record) -> float:
    value = record.value
    if isinstance(value, Distribution):
        return np.nan if value.probabilities is None else float(value.probabilities[1] >= 0.5)
    return np.nan if value.verdict is None else float(value.verdict)
