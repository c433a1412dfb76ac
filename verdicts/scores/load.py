"""From a score dataset's declaration to its items, checked before a model is loaded."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from raim.errors import InputError
from verdicts.benchmarks.hub import hub_rows
from verdicts.benchmarks.rows import adapted, is_readable, read_rows, require_columns
from verdicts.benchmarks.spec import Row
from verdicts.scores.items import ScoreItem
from verdicts.scores.spec import SPLIT, ScoreDataset

_LOG = logging.getLogger(__name__)


def load_scores(
    dataset: ScoreDataset, path: Path | None = None, parts: Sequence[str] = ()
) -> list[ScoreItem]:
    """The dataset's items of some aspects (of all where none is named), in order.

    ``path`` is a file, or a folder whose files are read in the order of their names; None takes the declared source.
    Where the dataset has splits, a folder's files are named by them (``train.jsonl.gz``), and a single file is of the
    first one unless its rows say otherwise. A source of another size than Table 9's is taken with a warning: published
    copies hold different numbers of systems.

    Raises InputError where the source cannot be read, has another shape, or lacks an aspect.
    """
    unknown = sorted(set(parts) - set(dataset.parts))
    if unknown:
        raise InputError(
            f"{dataset.name}: has no aspect {', '.join(unknown)}; choose from {', '.join(dataset.parts)}"
        )
    where = dataset.source.hub or dataset.name if path is None else str(path)
    try:
        rows = _hub_rows(dataset) if path is None else _local_rows(dataset, path)
        rows = adapted(dataset.adapt, rows)
        require_columns(rows, dataset.source.columns)
        items = dataset.build(rows)
    except InputError as error:
        named = dataset.name if where == dataset.name else f"{dataset.name}: {where}"
        raise InputError(f"{named}: {error}") from error
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise InputError(
            f"{where}: its rows do not have the shape that {dataset.name} needs ({error!r}); give the source described "
            f"at {dataset.source.page}"
        ) from error
    uid, times = Counter(item.uid for item in items).most_common(1)[0] if items else ("", 0)
    if times != 1:
        found = f"item {uid} occurs {times} times" if items else "no item could be built"
        raise InputError(f"{where}: {found}; give the publisher's complete source ({dataset.source.page})")
    if dataset.published is not None and len(items) != dataset.published:
        _LOG.warning(
            "%s: %d items; the paper counts %d (JudgeMoE, Table 9)", where, len(items), dataset.published
        )
    return [item for item in items if not parts or item.part in parts]


def _hub_rows(dataset: ScoreDataset) -> list[Row]:
    if not dataset.splits:
        return hub_rows(dataset.source)
    return [
        {**row, SPLIT: split}
        for split in dataset.splits
        for row in hub_rows(replace(dataset.source, split=split))
    ]


def _local_rows(dataset: ScoreDataset, path: Path) -> list[Row]:
    if not path.is_dir():
        return [{SPLIT: dataset.splits[0], **row} if dataset.splits else row for row in read_rows(path)]
    files = sorted(file for file in path.iterdir() if is_readable(file))
    if not files:
        raise InputError("the folder holds no file of rows; give the publisher's files")
    rows: list[Row] = []
    for file in files:
        split = file.name.split(".")[0]
        if dataset.splits and split not in dataset.splits:
            raise InputError(f"{file.name} is named after none of the splits {', '.join(dataset.splits)}")
        rows += [{**row, SPLIT: split} if dataset.splits else row for row in read_rows(file)]
    return rows
