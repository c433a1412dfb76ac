"""Single judges (paper, section 4.4): the strongest in a cell, and the one validation would have chosen."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np

from analysis.arrays import Floats
from analysis.judgemoe.cell import Cell
from analysis.judgemoe.features import hard_scores, soft_scores
from analysis.judgemoe.metrics.spearman import spearman

Extraction: TypeAlias = Literal["hard", "soft"]


def judge_scores(cell: Cell, extraction: Extraction = "soft") -> Floats:
    """(n, m) scores of the judges, NaN where absent."""
    return soft_scores(cell) if extraction == "soft" else hard_scores(cell)


def judge_spearmans(cell: Cell, extraction: Extraction = "soft") -> Floats:
    """(m,) Spearman of each judge over the items it judged; NaN where undefined (a judge that is constant)."""
    scores = judge_scores(cell, extraction)
    return np.array([spearman(scores[:, j], cell.targets) for j in range(len(cell.judges))])


def best_single(cell: Cell, extraction: Extraction = "soft") -> str:
    """The judge of highest Spearman on these items, the first among equals.

    Pass the validation items for the validation-selected single, the test items for the paper's "best single". Where
    no judge's correlation is defined (constant targets) it is the first judge, whose score is then undefined as well.
    """
    correlations = judge_spearmans(cell, extraction)
    return cell.judges[int(np.nan_to_num(correlations, nan=-np.inf).argmax())]
