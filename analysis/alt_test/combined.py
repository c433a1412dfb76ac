"""Combined annotators from two sets (appendix A): more items for each, averaged over pairings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, permutations
from math import perm
from typing import Final

import numpy as np

from analysis.alt_test.annotations import Annotations, Judge
from analysis.alt_test.procedure import DEFAULT_Q, alt_test
from analysis.alt_test.results import AltTestResult
from analysis.alt_test.setup import Setup
from raim.errors import InputError

N_PAIRINGS: Final = 100


@dataclass(frozen=True)
class CombinedResult:
    """The test over several pairings of two sets of annotators.

    Attributes
    ----------
    pairings : each a tuple of (annotator of the first set, annotator of the second set)
    results : one a pairing
    winning_rate : by judge, the mean omega over pairings; None where undefined in one of them
    advantage_probability : by judge, the mean rho over pairings
    share_passed : by judge, the share of pairings in which it passes
    """

    pairings: tuple[tuple[tuple[str, str], ...], ...]
    results: tuple[AltTestResult, ...]
    winning_rate: Mapping[str, float | None]
    advantage_probability: Mapping[str, float | None]
    share_passed: Mapping[str, float | None]


def alt_test_combined(
    first: Annotations,
    second: Annotations,
    judges: Mapping[str, Judge],
    rng: np.random.Generator,
    setup: Setup | None = None,
    q: float = DEFAULT_Q,
    n_pairings: int = N_PAIRINGS,
) -> CombinedResult:
    """Pair each annotator of the smaller set with one of the other and test the combined annotators.

    All pairings are taken where there are no more than ``n_pairings``, else as many distinct ones at random. Where
    the sets differ in size, the unpaired annotators of a pairing take no part in it.

    Parameters
    ----------
    first, second : the two sets; no item may be in both
    judges : labels on the items of both
    rng : generator of the pairings drawn
    setup, q : as in :func:`analysis.alt_test.procedure.alt_test`; quality scores cannot be combined

    Raises
    ------
    InputError
        If the sets share items, one of them is empty, or the settings name single annotators.
    """
    setup = setup or Setup()
    if setup.quality is not None:
        raise InputError(
            "a combined annotator is two people: quality scores of single annotators do not apply"
        )
    if not first or not second:
        raise InputError("both sets need annotators")
    shared = {item for labels in first.values() for item in labels} & {
        item for labels in second.values() for item in labels
    }
    if shared:
        raise InputError(
            f"both sets labelled {len(shared)} items, such as {sorted(map(str, shared))[0]!r}; combined annotators "
            "need sets without common items (with common items, merge the sets instead)"
        )
    pairings = draw_pairings(list(first), list(second), rng, n_pairings)
    results = tuple(
        alt_test({f"{a}+{b}": {**first[a], **second[b]} for a, b in pairing}, judges, setup, q)
        for pairing in pairings
    )
    return CombinedResult(
        pairings=tuple(pairings),
        results=results,
        winning_rate={
            name: _mean([result.judges[name].winning_rate for result in results]) for name in judges
        },
        advantage_probability={
            name: _mean([result.judges[name].advantage_probability for result in results]) for name in judges
        },
        share_passed={name: _mean([result.judges[name].passes for result in results]) for name in judges},
    )


def draw_pairings(
    first: Sequence[str], second: Sequence[str], rng: np.random.Generator, n_pairings: int
) -> list[tuple[tuple[str, str], ...]]:
    """Distinct pairings of two lists: all of them, or ``n_pairings`` drawn at random."""
    if len(first) > len(second):
        return [
            tuple((b, a) for a, b in pairing) for pairing in draw_pairings(second, first, rng, n_pairings)
        ]
    if perm(len(second), len(first)) <= n_pairings:
        orders = list(islice(permutations(second, len(first)), n_pairings))
    else:
        drawn: dict[tuple[str, ...], None] = {}
        while len(drawn) < n_pairings:
            order = rng.permutation(len(second))[: len(first)]
            drawn[tuple(second[i] for i in order)] = None
        orders = list(drawn)
    return [tuple(zip(first, order, strict=True)) for order in orders]


def _mean(values: Sequence[float | None]) -> float | None:
    defined = [float(value) for value in values if value is not None]
    return float(np.mean(defined)) if len(defined) == len(values) else None
