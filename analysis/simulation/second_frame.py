"""Second arms: the members and the frontier judge again, under the question-answering frame (Table 11).

An arm's confusion table is published. Its normals are a mixture of the same judge's normals under the benchmark's own
frame, of one normal that all arms share, and of noise of its own. How much of the first is found from the width of the
member's published paired interval, balanced accuracy under one frame minus that under the other: the more its errors
under both coincide, the narrower it is. How much of the second, class by class, from the verdicts that the members'
unweighted majority has right: the more the arms err together, the more often the few right ones are together too; the
last of these come from exchanging single votes. For the frontier judge no paired interval is published: it takes the
members' median weight.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from analysis.arrays import Floats, Ints
from analysis.combiners.unweighted import unweighted
from analysis.estimators.evaluation import evaluate
from analysis.simulation.confusions import Table, admissible
from analysis.simulation.dependence import width
from analysis.simulation.drawing import Drawing, draw
from analysis.simulation.items import Items
from analysis.simulation.targets import SecondFrame

#: Shares and weights are each fitted given the others, so many times in turn.
_ROUNDS = 2
_MOST_WEIGHT = 0.99
#: Halvings of the weights' range: below 0.01, nearer than the widths of 2,000 draws are certain.
_HALVINGS = 7
_SHARES = np.arange(48) / 50


@dataclass(frozen=True)
class SecondArms:
    """Fitted second arms.

    Attributes
    ----------
    votes : by checkpoint, (n,) verdicts under the question-answering frame, NaN = abstained
    tables : by checkpoint, their confusion tables
    weights : by checkpoint, weight of the judge's own normal
    shares : what the members' arms share of the rest, on supported and on hallucinated items
    swaps : exchanges of single votes
    """

    votes: Mapping[str, Floats]
    tables: Mapping[str, Table]
    weights: Mapping[str, float]
    shares: tuple[float, float]
    swaps: int


def second_arms(
    target: SecondFrame,
    items: Items,
    members: Sequence[str],
    votes: Mapping[str, Floats],
    latent: Mapping[str, Floats],
    rng: np.random.Generator,
) -> SecondArms:
    """Draw and fit the arms.

    Parameters
    ----------
    members : those of the panel; other judges with an arm follow the members' median weight
    votes, latent : by checkpoint, (n,) verdicts and normals under the benchmark's own frame
    """
    tables = {checkpoint: _table(target, checkpoint, items) for checkpoint in target.scores}
    drawing = draw(items, [tables[member] for member in members], rng)
    common = rng.standard_normal(len(items.gold))
    mixture = _Mixture(drawing, np.column_stack([latent[member] for member in members]), common)
    first = np.column_stack([votes[member] for member in members])
    wanted = np.array([target.gains[member][1] - target.gains[member][0] for member in members])

    weights, shares = np.zeros(len(members)), np.zeros(2)
    for _ in range(_ROUNDS):
        shares = _shares(partial(mixture.votes, weights), items.gold, target.panel_right)
        weights = weights_of_widths(partial(_widths, first, mixture, shares), wanted)
    second, swaps = settle_majority(mixture.votes(weights, shares), items.gold, target.panel_right)

    result = dict(zip(members, second.T, strict=True))
    by_name = dict(zip(members, weights.tolist(), strict=True))
    for checkpoint in [name for name in target.scores if name not in members]:
        weight = by_name[checkpoint] = float(np.median(weights))
        alone = _Mixture(draw(items, [tables[checkpoint]], rng), latent[checkpoint][:, None], common)
        result[checkpoint] = alone.votes(np.array([weight]), np.zeros(2))[:, 0]
    return SecondArms(result, tables, by_name, (float(shares[0]), float(shares[1])), swaps)


@dataclass(frozen=True)
class _Mixture:
    """Arms (n, k) before their weights and shares are known: ``own`` (n, k), ``common`` (n,)."""

    drawing: Drawing
    own: Floats
    common: Floats

    def votes(self, weights: Floats, shares: Floats) -> Floats:
        """(n, k) votes at weights (k,) of the own normals and shares (2,) of the common one in the rest."""
        share = shares[self.drawing.items.gold][:, None]
        rest = np.sqrt(share) * self.common[:, None] + np.sqrt(1 - share) * self.drawing.noise
        return self.drawing.votes(weights * self.own + np.sqrt(1 - weights**2) * rest)


def _widths(first: Floats, mixture: _Mixture, shares: Floats, weights: Floats) -> Floats:
    return gain_widths(first, mixture.votes(weights, shares), mixture.drawing.items)


def gain_widths(first: Floats, second: Floats, items: Items) -> Floats:
    """(k,) widths of the members' 95% intervals of balanced accuracy, ``first`` (n, k) minus ``second`` (n, k)."""
    size = first.shape[1]
    columns = {f"first {i}": first[:, i] for i in range(size)} | {
        f"second {i}": second[:, i] for i in range(size)
    }
    scores = evaluate(columns, items.gold, items.cluster, skip_single_class=True)
    return np.array(
        [width(scores.difference(f"first {i}", f"second {i}", "balanced_accuracy")) for i in range(size)]
    )


def weights_of_widths(widths: Callable[[Floats], Floats], wanted: Floats) -> Floats:
    """(k,) weights in [0, 0.99] at which ``widths`` are the wanted ones, by halving, all members at once.

    0 where the wanted width is wider than without weight, or where weight does not narrow it: an arm that errs on all
    items of a class has no say in which.
    """
    low, high = np.zeros(len(wanted)), np.full(len(wanted), _MOST_WEIGHT)
    none, most = widths(low), widths(high)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        wide = widths(middle) > wanted
        low, high = np.where(wide, middle, low), np.where(wide, high, middle)
    within: Floats = np.where(wanted <= most, _MOST_WEIGHT, (low + high) / 2)
    return np.where((wanted >= none) | (most >= none), 0.0, within)


def right_of_majority(votes: Floats, gold: Ints) -> tuple[int, int]:
    """Right verdicts of the unweighted majority of votes (n, k) on supported and on hallucinated items."""
    right = unweighted(votes) == gold
    return int(right[gold == 0].sum()), int(right[gold == 1].sum())


def settle_majority(votes: Floats, gold: Ints, wanted: tuple[int, int]) -> tuple[Floats, int]:
    """Exchange single votes within a class until the majority has as many verdicts right as wanted.

    A member's verdicts on two items of a class are exchanged: one where this changes the majority's, and one where it
    does not. No confusion table changes. Returns the votes and the number of exchanges; as near as exchanges come.
    """
    votes, swaps = votes.copy(), 0
    for label in (0, 1):
        while (excess := right_of_majority(votes, gold)[label] - wanted[label]) != 0:
            pair = _deciding_exchange(votes, gold, label, excess > 0)
            if pair is None:
                break
            member, rows = pair
            votes[rows, member] = votes[rows[::-1], member]
            swaps += 1
    return votes, swaps


def _deciding_exchange(votes: Floats, gold: Ints, label: int, spoil: bool) -> tuple[int, list[int]] | None:
    """The first member and two items of a class whose exchange takes one right majority verdict away, or adds one."""
    rows = np.flatnonzero(gold == label)
    right = unweighted(votes)[rows] == label
    for member in range(votes.shape[1]):
        verdicts = votes[rows, member]
        flipped = votes[rows].copy()
        flipped[:, member] = 1 - verdicts
        decides = (unweighted(flipped) == label) != right
        from_, to = (label, 1 - label) if spoil else (1 - label, label)
        first = np.flatnonzero((verdicts == from_) & decides & (right == spoil))
        other = np.flatnonzero((verdicts == to) & ~decides)
        if len(first) and len(other):
            return member, [int(rows[first[0]]), int(rows[other[0]])]
    return None


def _shares(arms: Callable[[Floats], Floats], gold: Ints, wanted: tuple[int, int]) -> Floats:
    """(2,) shares at which the majority has nearest to the wanted numbers of verdicts right; the smallest of equals."""
    counts = np.array([right_of_majority(arms(np.full(2, share)), gold) for share in _SHARES])
    nearest: Floats = _SHARES[np.abs(counts - np.array(wanted)).argmin(axis=0)]
    return nearest


def _table(target: SecondFrame, checkpoint: str, items: Items) -> Table:
    tables = admissible(target.scores[checkpoint], items.class_sizes)
    if len(tables) != 1:
        raise ValueError(
            f"{checkpoint}: {len(tables)} confusion tables have the published scores of its second arm"
        )
    return tables[0]
