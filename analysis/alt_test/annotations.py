"""Annotations as arrays: who labelled which item how, for humans, judges and a single reference."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from analysis.alt_test.labels import MISSING_CODE, LabelCoder, Vocabulary, encode
from analysis.arrays import Bools, Ints
from raim.errors import InputError

Item: TypeAlias = Hashable
#: ``{item: label}``, one annotator's.
Labels: TypeAlias = Mapping[Any, Any]
#: ``{annotator: {item: label}}``: the field's layout.
Annotations: TypeAlias = Mapping[str, Labels]


@dataclass(frozen=True)
class LeaveOneOutJudge:
    """A judge made with the humans' labels, once for each annotator under test, without that annotator's labels.

    ``labels`` maps the excluded annotator to ``{item: label}``. A panel that is trained on the humans' majority is
    such a judge: told the labels of the annotator under test, it would be compared with what it has seen.
    """

    labels: Mapping[str, Labels]


#: A judge's labels: the same against every annotator, or one set for each annotator under test.
Judge: TypeAlias = Labels | LeaveOneOutJudge


@dataclass(frozen=True)
class HumanPanel:
    """The humans' labels, in slots: row ``i`` holds the labels of item ``i`` and who gave them.

    Attributes
    ----------
    annotators : (m,) names
    items : (n,) items in order of first appearance
    who : (n, r) int, index of the annotator of each label, -1 in unused slots; r is the most labels an item has
    codes : (n, r) int, code of each label, -1 in unused slots, -2 where the annotator abstained
    vocabulary : the labels by code
    """

    annotators: tuple[str, ...]
    items: tuple[Item, ...]
    who: Ints
    codes: Ints
    vocabulary: Vocabulary

    @property
    def counts(self) -> Ints:
        """(n,) number of humans that labelled each item; one who abstained did not."""
        counts: Ints = np.count_nonzero((self.who >= 0) & (self.codes >= 0), axis=1)
        return counts

    def own(self, annotator: int) -> tuple[Ints, Ints]:
        """Rows that the annotator labelled, ascending, and the codes given there."""
        rows, slots = np.nonzero(self.who == annotator)
        return rows, self.codes[rows, slots]

    def remaining(self, annotator: int, rows: Ints) -> tuple[Ints, Bools]:
        """(len(rows), r) codes of the rows' labels, and which of them are labels of the other annotators."""
        who, codes = self.who[rows], self.codes[rows]
        return codes, (who >= 0) & (who != annotator) & (codes >= 0)


@dataclass(frozen=True)
class JudgeCodes:
    """A judge's labels on the panel's items: (n,) codes, -1 where it gave none, -2 where it abstained.

    ``shared`` serves every annotator; where it is None, ``by_annotator`` has an entry for each annotator's index.
    """

    shared: Ints | None
    by_annotator: Mapping[int, Ints]

    def against(self, annotator: int) -> Ints:
        """(n,) codes to compare with this annotator."""
        return self.by_annotator[annotator] if self.shared is None else self.shared


@dataclass(frozen=True)
class EncodedTest:
    """Everything one test compares: humans, judges, and the reference (expert or gold) where there is one."""

    humans: HumanPanel
    judges: Mapping[str, JudgeCodes]
    reference: Ints | None


def encode_test(
    humans: Annotations, judges: Mapping[str, Judge], reference: Labels | None = None
) -> EncodedTest:
    """Bring annotations into arrays with one vocabulary.

    Parameters
    ----------
    humans : ``{annotator: {item: label}}``
    judges : ``{judge: {item: label}}`` or :class:`LeaveOneOutJudge`; items that no human labelled are ignored
    reference : ``{item: label}`` of the single expert (D.2) or gold (D.5)

    Raises
    ------
    InputError
        If there is nobody to compare, nobody labelled anything, or the labels are of mixed kinds.
    """
    if not judges:
        raise InputError("there are no judges")
    coder = LabelCoder()
    given, rows = _given(coder, humans)
    judged = {name: _judge_keys(coder, name, judge, tuple(humans)) for name, judge in judges.items()}
    expert = None if reference is None else coder.keys("the reference", reference)
    vocabulary, codes = coder.vocabulary()

    def placed(items: list[Hashable], keys: list[Hashable]) -> Ints:
        out = np.full(len(rows), MISSING_CODE, dtype=np.int64)
        where = np.fromiter((rows.get(item, -1) for item in items), dtype=np.int64, count=len(items))
        known = where >= 0
        out[where[known]] = encode(keys, codes)[known]
        return out

    return EncodedTest(
        _panel(given, rows, codes, vocabulary),
        {name: _judge_codes(parts, placed) for name, parts in judged.items()},
        None if expert is None else placed(*expert),
    )


def encode_humans(humans: Annotations) -> HumanPanel:
    """The humans' labels alone, for what needs no judge. Raises InputError as :func:`encode_test` does."""
    coder = LabelCoder()
    given, rows = _given(coder, humans)
    vocabulary, codes = coder.vocabulary()
    return _panel(given, rows, codes, vocabulary)


_Keys: TypeAlias = tuple[list[Hashable], list[Hashable]]


def _given(coder: LabelCoder, humans: Annotations) -> tuple[dict[str, _Keys], dict[Hashable, int]]:
    """Each annotator's items and keys, and the row of every item."""
    if not humans:
        raise InputError("there are no human annotators")
    given = {name: coder.keys(f"annotator {name!r}", labels) for name, labels in humans.items()}
    rows: dict[Hashable, int] = {}
    for items, _ in given.values():
        for item in items:
            rows.setdefault(item, len(rows))
    if not rows:
        raise InputError("no human annotator labelled anything: every label is missing")
    return given, rows


def _judge_keys(coder: LabelCoder, name: str, judge: Judge, annotators: tuple[str, ...]) -> dict[int, _Keys]:
    """Items and keys by annotator index; -1 stands for all of them."""
    if not isinstance(judge, LeaveOneOutJudge):
        return {-1: coder.keys(f"judge {name!r}", judge)}
    lacking = [annotator for annotator in annotators if annotator not in judge.labels]
    if lacking:
        raise InputError(f"judge {name!r} has no labels made without annotator {lacking[0]!r}")
    return {
        index: coder.keys(f"judge {name!r} (without {annotator!r})", judge.labels[annotator])
        for index, annotator in enumerate(annotators)
    }


def _judge_codes(
    parts: Mapping[int, _Keys], placed: Callable[[list[Hashable], list[Hashable]], Ints]
) -> JudgeCodes:
    coded = {index: placed(*keys) for index, keys in parts.items()}
    shared = coded.pop(-1, None)
    return JudgeCodes(shared, coded)


def _panel(
    given: Mapping[str, _Keys],
    rows: Mapping[Hashable, int],
    codes: Mapping[Hashable, int],
    vocabulary: Vocabulary,
) -> HumanPanel:
    row = np.concatenate(
        [np.fromiter((rows[i] for i in items), np.int64, len(items)) for items, _ in given.values()]
    )
    code = np.concatenate([encode(keys, codes) for _, keys in given.values()])
    annotator = np.repeat(np.arange(len(given)), [len(items) for items, _ in given.values()])
    order = np.argsort(row, kind="stable")
    row, code, annotator = row[order], code[order], annotator[order]
    counts = np.bincount(row, minlength=len(rows))
    slot = np.arange(len(row)) - np.repeat(np.cumsum(counts) - counts, counts)
    who = np.full((len(rows), int(counts.max())), -1, dtype=np.int64)
    slots = np.full_like(who, MISSING_CODE)
    who[row, slot] = annotator
    slots[row, slot] = code
    return HumanPanel(tuple(given), tuple(rows), who, slots, vocabulary)
