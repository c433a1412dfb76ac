"""Three encodings of an abstention against scikit-learn on features built item by item."""

from __future__ import annotations

import math

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from analysis.estimators.abstention import encodings
from analysis.panel.votes import VoteMatrix
from tests.analysis.plain import folds, kappa
from tests.analysis.simulate import simulate


def features(votes: list[float], encoding: str) -> list[float]:
    row: list[float] = []
    for vote in votes:
        silent = math.isnan(vote)
        if encoding == "imputed":
            row.append(0.5 if silent else vote)
        elif encoding == "categorical":
            row += [float(vote == 1), float(silent)]
        else:
            row += [0.0 if silent else vote, float(silent)]
    return row


def plain(panel: VoteMatrix, encoding: str) -> list[int | None]:
    rows = np.array([features(list(row), encoding) for row in panel.votes])
    fold = np.array(folds(panel))
    verdicts: list[int | None] = [None] * panel.n_items
    for number in range(5):
        train = fold != number
        fit = LogisticRegression(max_iter=10_000, tol=1e-12).fit(rows[train], panel.gold[train])
        for i in np.flatnonzero(~train):
            verdicts[i] = int(fit.decision_function(rows[i : i + 1])[0] > 0)
    return verdicts


@pytest.mark.parametrize("seed", [0, 1])
def test_levels_and_moved_items(seed: int) -> None:
    panel = simulate(seed, n_items=160, n_clusters=60, missing=0.25)
    result = encodings(panel, n_draws=50)
    verdicts = {name: plain(panel, name) for name in ("imputed", "categorical", "indicator")}
    gold = [int(y) for y in panel.gold]
    for name, own in verdicts.items():
        assert result["methods"][name]["estimate"] == pytest.approx(kappa(gold, own))
    for pair in ("categorical-imputed", "indicator-imputed", "categorical-indicator"):
        first, second = (verdicts[name] for name in pair.split("-"))
        moved = sum(a != b for a, b in zip(first, second, strict=True))
        assert result["pairs"][pair]["moved"] == moved
    assert result["pairs"]["categorical-imputed"]["moved"] > 0
    # On binary votes the two parameterisations have the same columns.
    assert result["pairs"]["categorical-indicator"]["moved"] == 0
    assert result["abstentions"] == sum(math.isnan(v) for row in panel.votes for v in row)
    assert result["rate"] == result["abstentions"] / result["n_votes"]


def test_without_abstentions_nothing_moves() -> None:
    result = encodings(simulate(3, missing=0.0), n_draws=50)
    assert result["abstentions"] == 0
    assert all(pair["moved"] == 0 for pair in result["pairs"].values())
    assert all(pair["kappa"]["estimate"] == 0 for pair in result["pairs"].values())
