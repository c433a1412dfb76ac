"""The estimators again, the plain way: loops over items, folds and draws, and scikit-learn. For comparison only."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import balanced_accuracy_score, cohen_kappa_score

from analysis.panel.votes import VoteMatrix

Verdicts = list[int | None]


def kappa(gold: list[int], verdicts: Verdicts) -> float:
    pairs = [(y, v) for y, v in zip(gold, verdicts, strict=True) if v is not None]
    if len(pairs) < 2 or len({y for y, _ in pairs}) < 2:
        return math.nan
    return float(cohen_kappa_score([y for y, _ in pairs], [v for _, v in pairs]))


def charged_bacc(gold: list[int], verdicts: Verdicts) -> float:
    recalls = []
    for label in (0, 1):
        of_class = [v for y, v in zip(gold, verdicts, strict=True) if y == label]
        if of_class:
            recalls.append(sum(v == label for v in of_class) / len(of_class))
    return sum(recalls) / len(recalls)


def committed_bacc(gold: list[int], verdicts: Verdicts) -> float:
    pairs = [(y, v) for y, v in zip(gold, verdicts, strict=True) if v is not None]
    if len(pairs) < 2 or len({y for y, _ in pairs}) < 2:
        return 0.5
    return float(balanced_accuracy_score([y for y, _ in pairs], [v for _, v in pairs]))


def columns(panel: VoteMatrix) -> list[Verdicts]:
    return [[None if math.isnan(v) else int(v) for v in column] for column in panel.votes.T]


def folds(panel: VoteMatrix, n_folds: int = 5) -> list[int]:
    names = [int(c) for c in panel.clusters]
    order = np.random.default_rng(0).permutation(np.array(sorted(names)))
    fold_of = {int(c): p % n_folds for p, c in enumerate(order)}
    return [fold_of[int(panel.clusters[code])] for code in panel.cluster]


def majority(votes: list[int | None]) -> int | None:
    given = [v for v in votes if v is not None]
    return int(sum(given) / len(given) >= 0.5) if given else None


def ladder_verdicts(panel: VoteMatrix) -> dict[str, Verdicts]:
    """Verdicts of every method but Dawid-Skene."""
    gold, by_member, fold = [int(y) for y in panel.gold], columns(panel), folds(panel)
    members = range(panel.n_members)
    rows = [[by_member[m][i] for m in members] for i in range(panel.n_items)]
    out: dict[str, Verdicts] = {
        name: [None] * panel.n_items
        for name in ("stacked", "best_cv", "accuracy_weighted", "log_odds_weighted")
    }
    out["unweighted"] = [majority(row) for row in rows]
    features = np.where(np.isnan(panel.votes), 0.5, panel.votes)
    for f in range(5):
        train = [i for i in range(panel.n_items) if fold[i] != f]
        test = [i for i in range(panel.n_items) if fold[i] == f]
        competence = [
            committed_bacc([gold[i] for i in train], [by_member[m][i] for i in train]) for m in members
        ]
        leader = max(members, key=lambda m: competence[m])
        model = LogisticRegression(C=1.0, solver="newton-cholesky", tol=1e-12, max_iter=1000)
        model.fit(features[train], panel.gold[train])
        stacked = model.predict(features[test])
        for position, i in enumerate(test):
            out["stacked"][i] = int(stacked[position])
            out["best_cv"][i] = by_member[leader][i]
            given = [m for m in members if rows[i][m] is not None]
            if not given:
                continue
            accuracy = [max(2 * competence[m] - 1, 0.0) for m in given]
            if sum(accuracy) <= 1e-9:
                out["accuracy_weighted"][i] = majority(rows[i])
            else:
                share = sum(w * rows[i][m] for w, m in zip(accuracy, given, strict=True)) / sum(accuracy)
                out["accuracy_weighted"][i] = int(share >= 0.5)
            p = [min(max(competence[m], 1e-3), 1 - 1e-3) for m in given]
            odds = sum(math.log(q / (1 - q)) * (2 * rows[i][m] - 1) for q, m in zip(p, given, strict=True))
            out["log_odds_weighted"][i] = int(odds > 0)
    kappas = [kappa(gold, column) for column in by_member]
    out["oracle"] = by_member[int(np.nanargmax(kappas))]
    return out


def bootstrap(
    panel: VoteMatrix, verdicts: Mapping[str, Verdicts], score: Callable[..., float], n_draws: int
) -> dict[str, list[float]]:
    """Scores of each draw: the items of the drawn clusters laid end to end, one call of the generator a draw."""
    items: list[list[int]] = [[] for _ in panel.clusters]
    for i, code in enumerate(panel.cluster):
        items[int(code)].append(i)
    rng = np.random.default_rng(0)
    draws: dict[str, list[float]] = {name: [] for name in verdicts}
    for _ in range(n_draws):
        taken = rng.integers(0, panel.n_clusters, size=panel.n_clusters)
        index = [i for code in taken for i in items[code]]
        gold = [int(panel.gold[i]) for i in index]
        for name, values in verdicts.items():
            draws[name].append(score(gold, [values[i] for i in index]))
    return draws
