"""The outside set: one judge under seven prompts on Topical-Chat, with a lexical expert."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np

from analysis.judgemoe.cell import Cell
from analysis.judgemoe.sources.overlap import overlap, percentile_distributions
from analysis.judgemoe.sources.samples import topical_chat_cells
from analysis.judgemoe.studies.suite import FollowUp, PoolSuite
from raim.errors import InputError
from verdicts.records.canonical import sha256_file

NAME = "topicalchat"
EXPERT = "knowledge overlap"
#: The prompts that stand for the compact pool of the follow-ups: one of each family, without their variants.
BASE = ("analyze_rate", "geval", "rate_explain")


def topical_chat_suite(distributions: Path, responses: Path) -> PoolSuite:
    """Four attributes, a cell each.

    ``distributions`` is the CSV file of sampled scores, ``responses`` the JSON file of the same 360 responses with
    their contexts, from which the expert is made: the share of a response's words that the knowledge snippet has.
    """
    cells = tuple(topical_chat_cells(distributions))
    shared = "the inputs have one score range"
    return PoolSuite(
        name=NAME,
        title="JudgeMoE on Topical-Chat, one judge under seven prompts",
        label="One judge, seven prompts, sampled scores.",
        records=sha256_file(distributions),
        cells=cells,
        ablations=frozenset(cell.name for cell in cells),
        styles=cells,
        default_style="analyze_rate",
        followups=tuple(_follow_up(cell, responses) for cell in cells),
        pairwise=frozenset(cell.name for cell in cells),
        skipped={
            "protocol": f"{shared} a dataset; the study needs several",
            "compute": "the judge's number of parameters is not known",
            "diversity": "the seven prompts are of one judge: there is no default pool of two",
        },
    )


def _follow_up(cell: Cell, responses: Path) -> FollowUp:
    try:
        texts = json.loads(responses.read_text(encoding="utf-8"))
        scores = np.array(
            [overlap(texts[int(item)]["system_output"], texts[int(item)]["context"]) for item in cell.items]
        )
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise InputError(f"{responses}: not the responses of the distributions file ({error})") from error
    column = percentile_distributions(scores, cell.splits, cell.labels)
    base = cell.with_judges(BASE)
    kept = np.array([cell.items.index(item) for item in base.items])
    extended = replace(
        base,
        dataset=f"{cell.dataset}+expert",
        judges=(*BASE, EXPERT),
        probabilities=np.concatenate([base.probabilities, column[kept][:, None, :]], axis=1),
        present=np.concatenate([base.present, np.ones((len(kept), 1), dtype=np.bool_)], axis=1),
    )
    return FollowUp(cell.dataset.removeprefix("topicalchat-"), extended, BASE, EXPERT)
