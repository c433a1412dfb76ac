"""Cells from released distribution records: one record file a judge, joined to scored items by content hash."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from analysis.judgemoe.cell import Cell, ScoreSource
from analysis.judgemoe.sources.rows import Items, cell_from_rows
from raim.errors import InputError
from verdicts.records.files import RecordFile
from verdicts.records.schema import Condition, Distribution
from verdicts.records.scored_index import ScoredItem


def is_expert(condition: Condition) -> bool:
    """Whether distributions were made from an expert's numbers (BERTScore, a reward) and not asked for."""
    return condition.decoding.get("mode") == "expert"


def style_of(condition: Condition) -> str:
    """The style of a condition's prompt, whose frame is ``<family>-<style>/<version>`` (paper, Table 16)."""
    return condition.frame.partition("/")[0].partition("-")[2] or "default"


def cell_from_records(
    dataset: str,
    scale: str,
    items: Sequence[ScoredItem],
    files: Mapping[str, RecordFile],
    expert: str | None = None,
) -> Cell:
    """The cell of some judges' record files (by judge name) about scored items.

    A judge without a record of an item, or whose record holds no probabilities, is absent on it; items that no judge
    scored are left out. All files must be of distributions over one set of numeric labels, from one kind of source;
    ``expert`` names the one whose distributions were made from a number (:func:`is_expert`), whatever the others' are.

    Raises
    ------
    InputError
        Naming the record's key, where label sets or sources differ or a record is not a distribution.
    """
    if not files:
        raise InputError(f"{dataset}@{scale}: no record file; judge the dataset first")
    judges = list(files)
    labels = files[judges[0]].condition.labels
    values = _numeric(f"{dataset}@{scale}", labels)
    sources: set[ScoreSource] = set()
    at, judge_at, distributions = [], [], []
    for j, judge in enumerate(judges):
        file = files[judge]
        for i, item in enumerate(items):
            record = file.records.get(item.content)
            if record is None:
                continue
            if not isinstance(record.value, Distribution) or file.condition.labels != labels:
                raise InputError(
                    f"{dataset}@{scale}, judge {judge}, record {record.key}: labels {file.condition.labels} differ "
                    f"from {labels} of judge {judges[0]}; pool judges that were asked for the same labels"
                )
            if record.value.probabilities is None:
                continue
            if judge != expert:
                sources.add(record.value.score_source)
            if len(sources) > 1:
                where = f"{dataset}@{scale}, judge {judge}, record {record.key}"
                raise InputError(
                    f"{where}: sources {sorted(sources)} are mixed; pool judges scored in one way"
                )
            at.append(i)
            judge_at.append(j)
            distributions.append(record.value.probabilities)
    kept = sorted(set(at))
    if not kept:
        raise InputError(f"{dataset}@{scale}: no record has probabilities for any of the {len(items)} items")
    position = {i: place for place, i in enumerate(kept)}
    chosen = [items[i] for i in kept]
    named = [item.split for item in chosen if item.split is not None]
    if named and len(named) != len(chosen):
        raise InputError(f"{dataset}@{scale}: some items have a split and some have none; give all or none")
    return cell_from_rows(
        dataset,
        scale,
        values,
        Items(
            [item.uid for item in chosen],
            [item.cluster for item in chosen],
            np.array([item.target for item in chosen]),
            named or None,
        ),
        judges,
        np.array([position[i] for i in at]),
        np.array(judge_at),
        np.array(distributions),
        next(iter(sources)),
    )


def _numeric(name: str, labels: tuple[str, ...] | None) -> list[float]:
    try:
        return [float(label) for label in labels or ()]
    except ValueError as error:
        raise InputError(
            f"{name}: labels {labels} are not scores ({error}); a cell pools numeric labels"
        ) from None
