"""Released records as judges: a verdict or a distribution over labels becomes a label.

An answer from which no label could be read is an abstention and loses to every human label: a judge does not gain by
answering what nobody can read. A record that is not there is a missing label.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

from analysis.alt_test.labels import ABSTAINED
from raim.errors import InputError
from verdicts.records.files import read_record_file
from verdicts.records.index import read_index
from verdicts.records.schema import Distribution, Verdict

#: ``mode``: the most probable label; ``mean``: the expected value of number labels.
Decoding: TypeAlias = Literal["mode", "mean"]
_VERDICT_LABELS = ("SUPPORTED", "HALLUCINATED")


@dataclass(frozen=True)
class Reading:
    """How records become labels.

    Attributes
    ----------
    verdict_labels : the labels that stand for a supported and a hallucinated item, as the humans write them
    decoding : how a distribution over number labels is read
    """

    verdict_labels: tuple[Any, Any] = (0, 1)
    decoding: Decoding = "mode"


def record_labels(path: Path, reading: Reading, index: Path | None) -> dict[str, Any]:
    """``{item: label}`` of one released file (a judge under a protocol, on one benchmark).

    Parameters
    ----------
    path : ``records/<benchmark>/<member>.jsonl.gz`` of a suite
    reading : how records become labels
    index : ``index/<benchmark>.tsv``; items are then named by uid, and records of other items are left out. Without
        it they are named by their content hash

    Raises
    ------
    InputError
        If a file cannot be read, or its labels are neither verdicts nor numbers while their mean is wanted.
    """
    file = read_record_file(path)
    labels = file.condition.labels
    by_content = {
        content: _label(record.value, labels, reading, path) for content, record in file.records.items()
    }
    if index is None:
        return by_content
    return {row.uid: by_content[row.content] for row in read_index(index) if row.content in by_content}


def _label(
    value: Verdict | Distribution, labels: tuple[str, ...] | None, reading: Reading, path: Path
) -> Any:
    if isinstance(value, Verdict):
        return ABSTAINED if value.verdict is None else reading.verdict_labels[value.verdict]
    if value.probabilities is None:
        return ABSTAINED
    if labels == _VERDICT_LABELS:
        # As the panel reads it: an even chance is hallucinated.
        return reading.verdict_labels[int(value.probabilities[1] >= 0.5)]
    numbers = _numbers(labels or ())
    if reading.decoding == "mean":
        if numbers is None:
            raise InputError(f"{path}: the mean of the labels {labels} is no number; read their mode")
        return sum(number * p for number, p in zip(numbers, value.probabilities, strict=True))
    best = max(range(len(value.probabilities)), key=value.probabilities.__getitem__)
    return (labels or ())[best] if numbers is None else numbers[best]


def _numbers(labels: tuple[str, ...]) -> list[float] | None:
    try:
        numbers = [float(label) for label in labels]
    except ValueError:
        return None
    return [int(number) if number.is_integer() else number for number in numbers]
