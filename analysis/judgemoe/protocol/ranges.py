"""Score ranges and hard against soft extraction (paper, Figure 2 and Table 15)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from analysis.judgemoe.cell import TEST, VALIDATION, Cell
from analysis.judgemoe.selectors.singles import judge_spearmans

#: Ranges of the paper's study (section 4.3).
RANGES = ("1-3", "1-5", "1-7", "1-10", "1-100")


@dataclass(frozen=True)
class Run:
    """One judge on one dataset at one range: Spearman by extraction on validation and test, NaN where undefined."""

    dataset: str
    judge: str
    scale: str
    items: int
    hard_validation: float
    soft_validation: float
    hard_test: float
    soft_test: float

    @property
    def usable(self) -> bool:
        """Whether soft and hard can be compared: both correlations are defined on test."""
        return bool(np.isfinite(self.hard_test) and np.isfinite(self.soft_test))


def protocol_runs(cells: Sequence[Cell]) -> list[Run]:
    """Every judge of every cell; cells of one dataset differ in their range."""
    runs = []
    for cell in cells:
        validation, test = cell.split(VALIDATION), cell.split(TEST)
        scores = [judge_spearmans(part, kind) for part in (validation, test) for kind in ("hard", "soft")]
        for j, judge in enumerate(cell.judges):
            values = [float(score[j]) for score in scores]
            runs.append(Run(cell.dataset, judge, cell.scale, len(test.items), *values))
    return runs


def _by_pair(runs: Sequence[Run]) -> dict[tuple[str, str], list[Run]]:
    pairs: dict[tuple[str, str], list[Run]] = {}
    for run in runs:
        pairs.setdefault((run.dataset, run.judge), []).append(run)
    return pairs


def best_range_counts(runs: Sequence[Run]) -> dict[str, int]:
    """Per range, the dataset-judge pairs in which its soft test correlation is the highest (Figure 2, left).

    Only usable runs compete, and pairs with a single usable range are left out: they have no choice.
    """
    counts: Counter[str] = Counter({run.scale: 0 for run in runs})
    for group in _by_pair(runs).values():
        usable = [run for run in group if run.usable]
        if len(usable) >= 2:
            counts[max(usable, key=lambda run: round(run.soft_test, 10)).scale] += 1
    return dict(counts)


def soft_over_hard(runs: Sequence[Run]) -> dict[str, tuple[int, int]]:
    """Per range, usable runs in which soft beats hard on test, and usable runs (Figure 2, right)."""
    counts: dict[str, tuple[int, int]] = {}
    for run in runs:
        wins, total = counts.get(run.scale, (0, 0))
        ahead = run.usable and round(run.soft_test, 10) > round(run.hard_test, 10)
        counts[run.scale] = (wins + int(ahead), total + int(run.usable))
    return counts


@dataclass(frozen=True)
class SelectedProtocol:
    """The protocol of one dataset-judge pair: what a selector chose and its test correlation."""

    dataset: str
    judge: str
    scale: str
    extraction: str
    test: float
    items: int


def select_protocols(runs: Sequence[Run]) -> dict[str, list[SelectedProtocol]]:
    """Table 15: per pair, the protocol best on validation, fixed 1-5 soft, fixed 1-10 soft, and the best on test.

    Pairs that lack a fixed range, or have no defined correlation to choose by, are left out of all four selectors, so
    that the rows compare the same pairs.
    """
    out: dict[str, list[SelectedProtocol]] = {"validation": [], "1-5 soft": [], "1-10 soft": [], "test": []}
    for (dataset, judge), group in _by_pair(runs).items():
        options = [
            (run, extraction, getattr(run, f"{extraction}_validation"), getattr(run, f"{extraction}_test"))
            for run in group
            for extraction in ("soft", "hard")
        ]
        options = [option for option in options if np.isfinite(option[2]) and np.isfinite(option[3])]
        chosen = {
            "validation": max(options, key=lambda o: round(o[2], 10), default=None),
            "1-5 soft": next((o for o in options if o[0].scale == "1-5" and o[1] == "soft"), None),
            "1-10 soft": next((o for o in options if o[0].scale == "1-10" and o[1] == "soft"), None),
            "test": max(options, key=lambda o: round(o[3], 10), default=None),
        }
        if any(option is None for option in chosen.values()):
            continue
        for selector, option in chosen.items():
            if option is not None:
                run, extraction, _, test = option
                out[selector].append(SelectedProtocol(dataset, judge, run.scale, extraction, test, run.items))
    return out
