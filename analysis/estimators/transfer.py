"""Leave-one-dataset-out transfer: a stacker fitted on other benchmarks, read on one it has not seen (appendix E)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from analysis.arrays import Bools, Floats
from analysis.combiners.best_single import best_cv, best_on_average, oracle
from analysis.combiners.pooled import fit_all, margins, verdicts
from analysis.combiners.stacked import stacked
from analysis.combiners.unweighted import unweighted
from analysis.estimators.evaluation import METRICS, evaluate
from analysis.metrics.confusion import confusion
from analysis.metrics.kappa import kappa
from analysis.panel.votes import VoteMatrix
from analysis.statistics.bootstrap import N_DRAWS
from analysis.statistics.folds import N_FOLDS, cluster_folds
from analysis.values import plain

#: Paired differences, as the release lists them.
_PAIRS = (
    ("transferred", "best_cv"),
    ("transferred", "oracle"),
    ("in_domain", "transferred"),
    ("transferred", "unweighted"),
    ("transferred", "best_on_average"),
    ("transferred", "average_member"),
    ("in_domain", "best_cv"),
)


def pooled_fit(panels: Sequence[VoteMatrix]) -> tuple[float, Floats]:
    """Intercept and coefficients (k,) of the stacker fitted on all items of several panels with the same members."""
    votes = np.vstack([panel.votes for panel in panels])
    return fit_all(votes, np.concatenate([panel.gold for panel in panels]))


def transfer(
    panels: Mapping[str, VoteMatrix],
    held_out: str,
    comparators: Mapping[str, Floats] | None = None,
    n_draws: int = N_DRAWS,
) -> dict[str, Any]:
    """The transferred stacker on one benchmark against the other ways, on the same draws, as plain values.

    Parameters
    ----------
    panels : panels of two benchmarks and more with the same members, gold of both classes in each
    held_out : the benchmark that the stacker is read on; it is fitted on all items of the others
    comparators : further verdicts (n,) on the held-out items, such as the frontier judge's

    Returns
    -------
    ``transfer_win``: the transferred panel is clearly above the held-out benchmark's CV-best single;
    ``clean_transfer``: above its oracle too; ``clear_cost``: the in-domain panel is clearly above the transferred one.
    The best-on-average member is chosen on the training benchmarks. Where members tie for it or for the oracle, the
    first by name is taken; the release takes the last, which changes no kappa.
    """
    panel = panels[held_out]
    training = {name: other for name, other in panels.items() if name != held_out}
    intercept, coefficients = pooled_fit(list(training.values()))
    votes, gold = panel.votes, panel.gold
    folds = cluster_folds(panel.n_clusters)[panel.cluster]
    predictions = {
        "transferred": verdicts(margins(intercept, coefficients, votes)),
        "in_domain": stacked(votes, gold, folds, N_FOLDS).predictions,
        "best_cv": best_cv(votes, gold, folds, N_FOLDS).predictions,
        "unweighted": unweighted(votes),
        **{f"comparator:{name}": given for name, given in (comparators or {}).items()},
    }
    best = oracle(votes, gold)
    average = best_on_average({name: _kappas(other) for name, other in training.items()})
    if best is not None:
        predictions["oracle"] = votes[:, best]
    if average is not None:
        predictions["best_on_average"] = votes[:, panel.members.index(average)]
    members = {f"member:{name}": votes[:, column] for column, name in enumerate(panel.members)}
    scores = evaluate(
        {**predictions, **members},
        gold,
        panel.cluster,
        averages={"average_member": list(members)},
        n_draws=n_draws,
    )
    methods = [*predictions, "average_member"]
    pairs = [pair for pair in _PAIRS if set(pair) <= set(methods)]
    pairs += [("transferred", name) for name in methods if name.startswith("comparator:")]
    deltas = {f"{a}-{b}": {metric: scores.delta(a, b, metric) for metric in METRICS} for a, b in pairs}

    def above(pair: str) -> bool:
        return pair in deltas and deltas[pair]["kappa"]["reading"] == "clear improvement"

    win = above("transferred-best_cv")
    return {
        "trained_on": list(training),
        "n_training_items": sum(other.n_items for other in training.values()),
        "n_items": panel.n_items,
        "intercept": intercept,
        "coefficients": dict(zip(panel.members, coefficients.tolist(), strict=True)),
        "choices": {"oracle": None if best is None else panel.members[best], "best_on_average": average},
        "methods": {name: {metric: scores.score(name, metric) for metric in METRICS} for name in methods},
        "deltas": deltas,
        "transfer_win": win,
        "clean_transfer": win and above("transferred-oracle"),
        "clear_cost": above("in_domain-transferred"),
    }


def shared_members(panels: Mapping[str, VoteMatrix]) -> tuple[str, ...]:
    """The members that are in every panel, by name."""
    return tuple(sorted(set.intersection(*(set(panel.members) for panel in panels.values()))))


def both_classes(panel: VoteMatrix) -> bool:
    """Whether a panel's gold has both classes."""
    classes: Bools = panel.gold == 1
    return bool(classes.any() and not classes.all())


def _kappas(panel: VoteMatrix) -> dict[str, float | None]:
    values = kappa(confusion(panel.votes, panel.gold))
    return {member: plain(value) for member, value in zip(panel.members, values, strict=True)}
