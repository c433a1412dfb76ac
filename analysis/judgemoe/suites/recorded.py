"""A suite of released distribution records: real judges' probabilities over score labels.

``<folder>/scores/<dataset>.tsv`` is the scored index of a dataset, ``<folder>/records/<dataset>/*.jsonl.gz`` are the
record files about it, one a member of the suite, whose roles ``suite.json`` gives.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from analysis.judgemoe.cell import Cell
from analysis.judgemoe.protocol.ranges import RANGES
from analysis.judgemoe.sources.recorded import read_ranges, record_files
from analysis.judgemoe.studies.predictions import compact_pool
from analysis.judgemoe.studies.suite import FollowUp, PoolSuite
from raim.errors import InputError
from verdicts.records.canonical import digest, sha256_file
from verdicts.records.suite import Suite, read_suite

NAME = "cpu"
#: Ranges of the aggregation benchmark (paper, section 4.3); the others are the protocol study's.
POOLED = ("1-5", "1-10")
#: Datasets that the paper added when everything had been selected (section 4).
ADDITIONAL = ("helpsteer2_validation", "flask", "wildbench")


def recorded_suite(folder: Path, name: str = NAME) -> PoolSuite:
    """The cells of a folder by dataset and then by range; all of the original datasets enter the protocol study.

    Cells of two judges or more at 1-5 and 1-10 are pooled. Experts are added to the compact pool, one at a time.
    """
    indices = sorted((folder / "scores").glob("*.tsv"))
    if not indices:
        raise InputError(
            f"{folder}: no scores/<dataset>.tsv; give the folder of a suite of distribution records"
        )
    described = read_suite(folder)
    roles = {member: entry.role for member, entry in described.members.items()}
    found = [part for index in indices for part in read_ranges(index, roles)]
    cells = [part.pool for part in found if part.pool is not None]
    pooled = [cell for cell in cells if len(cell.judges) > 1 and cell.scale in POOLED]
    added = frozenset(cell.name for cell in pooled if cell.dataset in ADDITIONAL)
    names = frozenset(cell.name for cell in pooled) - added
    if not names:
        raise InputError(
            f"{folder}: no dataset beside {', '.join(ADDITIONAL)} has two judges at {' or at '.join(POOLED)}; there is "
            f"nothing to pool"
        )
    title, label = _words(name, described)
    suite = PoolSuite(
        name=name,
        title=title,
        label=label,
        records=digest(
            [sha256_file(path) for path in [*indices, *(path for i in indices for path in record_files(i))]]
        ),
        cells=tuple(sorted(pooled, key=lambda cell: cell.name in added)),
        additional=added,
        ablations=names,
        protocol=tuple(cell for cell in cells if cell.dataset not in ADDITIONAL),
        styles=tuple(part.styles for part in found if part.styles is not None),
        evaluators=tuple(one for part in found for one in part.evaluators if one.cell in pooled),
        preferences=tuple(part.preferences for part in found if part.preferences is not None),
        pairwise=names,
    )
    compact = compact_pool(suite)
    followups = tuple(_follow_up(*expert, compact) for part in found for expert in part.experts)
    suite = replace(suite, followups=followups)
    return replace(suite, skipped=_lacking(suite))


def _words(name: str, described: Suite) -> tuple[str, str]:
    if name == NAME:
        return "JudgeMoE on small CPU judges", "Small CPU judges, not the paper's."
    return described.title, f"{described.label.capitalize().rstrip('.')}."


def _follow_up(cell: Cell, expert: str, compact: tuple[str, ...]) -> FollowUp:
    base = tuple(judge for judge in compact if judge in cell.judges)
    return FollowUp(cell.name, cell.with_judges((*base, expert)), base, expert)


def _lacking(suite: PoolSuite) -> dict[str, str]:
    """Why a study is not made, by study."""
    lacking = {
        "compute": "records do not hold the judges' sizes",
    }
    if not suite.followups:
        lacking["experts"] = "no expert has been scored on the same items"
    if len({cell.scale for cell in suite.protocol} & set(RANGES)) < 2:
        lacking["protocol"] = "the judges were asked at one score range"
    if not suite.styles:
        lacking |= dict.fromkeys(("styles", "diversity"), "each judge was asked in one wording")
    return lacking
