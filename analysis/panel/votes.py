"""The vote matrix: items by members, with gold and clusters, in the fixed order all estimators rely on."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from analysis.arrays import Floats, Ints
from raim.errors import InputError

#: Python refuses to read integers of thousands of digits; such an id is a string.
_INTEGER = re.compile(r"[+-]?[0-9]{1,1000}")


def cluster_order(ids: Iterable[str | int]) -> list[str]:
    """Distinct cluster ids, ascending: as integers where all are integers, else as strings.

    Raises
    ------
    InputError
        If two spellings name one integer (``7`` and ``007``): which clusters exist would be a guess.
    """
    names = {str(i) for i in ids}
    if not all(_INTEGER.fullmatch(name) for name in names):
        return sorted(names)
    by_value: dict[int, str] = {}
    for name in sorted(names):
        if (other := by_value.setdefault(int(name), name)) != name:
            raise InputError(
                f"cluster ids {other!r} and {name!r} are the same integer; write each cluster in one way"
            )
    return [by_value[value] for value in sorted(by_value)]


@dataclass(frozen=True)
class VoteMatrix:
    """A panel's votes on a benchmark. Build it with :func:`vote_matrix`, which validates and sorts.

    Attributes
    ----------
    members : names, ascending by code point; the columns of ``votes``
    uids : item ids; the rows of ``votes``
    clusters : the distinct cluster ids, ascending (integers by value where all are integers)
    cluster : (n,) int, index into ``clusters`` of each item
    gold : (n,) int, 1 = hallucinated, 0 = supported
    votes : (n, k) float64, 1 = hallucinated, 0 = supported, NaN = abstained
    """

    members: tuple[str, ...]
    uids: tuple[str, ...]
    clusters: tuple[str, ...]
    cluster: Ints
    gold: Ints
    votes: Floats

    @property
    def n_items(self) -> int:
        """Number of items."""
        return len(self.uids)

    @property
    def n_members(self) -> int:
        """Number of members."""
        return len(self.members)

    @property
    def n_clusters(self) -> int:
        """Number of clusters."""
        return len(self.clusters)

    @property
    def prevalence(self) -> float:
        """Share of the items whose gold label is 1 (hallucinated)."""
        return float(self.gold.mean())

    def select_members(self, names: Sequence[str]) -> VoteMatrix:
        """The same items with these members only (in the fixed order, whatever order they are named in)."""
        index = [self.members.index(name) for name in sorted(names)]
        return vote_matrix(
            [self.members[i] for i in index], self.uids, self._cluster_ids(), self.gold, self.votes[:, index]
        )

    def _cluster_ids(self) -> list[str]:
        return [self.clusters[code] for code in self.cluster]


def vote_matrix(
    members: Sequence[str],
    uids: Sequence[str],
    cluster_ids: Sequence[str | int],
    gold: Sequence[int] | Ints | Floats,
    votes: Sequence[Sequence[float]] | Floats,
    *,
    sort_items: bool = False,
) -> VoteMatrix:
    """Validate votes and bring them into the fixed order.

    Parameters
    ----------
    members : (k,) names of the columns of ``votes``, in any order; the result is sorted by name
    uids : (n,) ids of the rows of ``votes``
    cluster_ids : (n,) cluster of each row
    gold : (n,) 1 = hallucinated, 0 = supported
    votes : (n, k) 1, 0 or NaN (abstained)
    sort_items : order the items by uid as strings (released records); a user's file keeps its own order

    Raises
    ------
    InputError
        If a shape, label, name or id is not as stated, or an id is repeated.
    """
    matrix = np.asarray(votes, dtype=np.float64).reshape(len(uids), len(members))
    labels = np.asarray(gold, dtype=np.float64)
    if not members:
        raise InputError("there are no members: a panel needs at least one column of votes")
    if not uids:
        raise InputError("there are no items")
    if len(labels) != len(uids) or len(cluster_ids) != len(uids):
        raise InputError("items, clusters and gold labels differ in number")
    _unique(members, "member")
    _unique(uids, "item")
    if not np.isin(labels, (0.0, 1.0)).all():
        raise InputError("a gold label is neither 0 nor 1")
    if not (np.isin(matrix, (0.0, 1.0)) | np.isnan(matrix)).all():
        raise InputError("a vote is neither 0, 1 nor an abstention")

    clusters = cluster_order(cluster_ids)
    code = {name: position for position, name in enumerate(clusters)}
    cluster = np.array([code[str(i)] for i in cluster_ids], dtype=np.int64)
    columns = sorted(range(len(members)), key=lambda j: members[j])
    rows = sorted(range(len(uids)), key=lambda i: uids[i]) if sort_items else range(len(uids))
    row_index = np.array(rows, dtype=np.intp)
    arrays = (
        cluster[row_index],
        labels[row_index].astype(np.int64),
        np.ascontiguousarray(matrix[np.ix_(row_index, np.array(columns))]),
    )
    for array in arrays:
        array.setflags(write=False)
    return VoteMatrix(
        tuple(members[j] for j in columns), tuple(uids[i] for i in rows), tuple(clusters), *arrays
    )


def require_analysable(panel: VoteMatrix, n_folds: int) -> None:
    """Refuse a panel no estimator is defined on.

    Raises
    ------
    InputError
        If gold has one class only, there are fewer clusters than folds, or a member never commits.
    """
    classes = np.unique(panel.gold)
    if len(classes) < 2:
        raise InputError(
            f"gold has one class only (all {int(classes[0])}): agreement needs items of both classes"
        )
    if panel.n_clusters < n_folds:
        raise InputError(
            f"{panel.n_clusters} clusters are fewer than the {n_folds} folds of the cross-fit: "
            "add labelled records"
        )
    never = np.flatnonzero(np.isnan(panel.votes).all(axis=0))
    if len(never):
        names = ", ".join(repr(panel.members[column]) for column in never)
        raise InputError(f"never commits to a verdict: {names}; leave out a member without votes")


def _unique(names: Sequence[str], kind: str) -> None:
    if len(set(names)) != len(names):
        repeated = [name for name, count in Counter(names).items() if count > 1]
        raise InputError(
            f"{kind} {repeated[0]!r} appears {names.count(repeated[0])} times; each may appear once"
        )
