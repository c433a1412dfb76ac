"""Labels as annotators give them: what counts as missing, which kinds may meet, and one code a label.

Decisions on input that the paper leaves open:

* ``None``, NaN and the empty string are no label: the annotator did not annotate that item.
* A judge that answered without a readable label gives :data:`ABSTAINED`: a label that agrees with nobody.
* Labels of one test are of one kind: numbers, booleans, text or structures. ``1`` and ``"1"`` never match, so a mix is
  an error and not a silent disagreement.
* Lists, sets and dictionaries cannot be hashed; they are compared by value.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from analysis.arrays import Floats, Ints
from raim.errors import InputError

MISSING_CODE: Final = -1
ABSTAINED_CODE: Final = -2


class _Abstained:
    """The type of :data:`ABSTAINED`."""

    def __repr__(self) -> str:
        return "ABSTAINED"


#: The judge answered, and no label could be read: worse than every human label under every score.
ABSTAINED: Final = _Abstained()


@dataclass(frozen=True)
class Vocabulary:
    """The labels of one test, sorted; a label's position is its code.

    ``values`` holds the numbers, by code, where the labels are numbers and is None elsewhere.
    """

    kind: str
    labels: tuple[Any, ...]
    values: Floats | None

    def __len__(self) -> int:
        return len(self.labels)

    def numbers(self, wanted_by: str) -> Floats:
        """The labels as numbers, by code. Raises InputError where they are not numbers."""
        if self.values is None:
            raise InputError(
                f"{wanted_by} needs numbers, and the labels are {self.kind}, such as {self.labels[0]!r}; "
                "convert the labels to numbers or score with accuracy"
            )
        return self.values


class LabelCoder:
    """Collects the labels of every annotator and judge, then numbers them."""

    def __init__(self) -> None:
        self._seen: dict[str, tuple[str, Hashable, Any]] = {}
        self._raw: dict[Hashable, Any] = {}

    def keys(self, source: str, annotations: Mapping[Hashable, Any]) -> tuple[list[Hashable], list[Hashable]]:
        """Items and hashable keys of the labels given; missing labels are left out.

        Parameters
        ----------
        source : str
            Who gave the labels, as error messages name it.
        annotations : mapping of item to label
        """
        if _plain(annotations.values()):
            # The whole mapping is of one plain kind: nothing to convert, label by label.
            items, values = list(annotations), list(annotations.values())
            self._note(_KINDS[type(values[0])], source, items[0], values[0])
            self._raw.update(zip(values, values, strict=True))
            return items, values
        items, values = [], []
        for item, label in annotations.items():
            if is_missing(label):
                continue
            items.append(item)
            if label is ABSTAINED:
                values.append(ABSTAINED)
                continue
            kind, key = _key(label, source, item)
            self._note(kind, source, item, label)
            self._raw.setdefault(key, label)
            values.append(key)
        return items, values

    def vocabulary(self) -> tuple[Vocabulary, dict[Hashable, int]]:
        """The vocabulary and the code of every key. Raises InputError on labels of mixed kinds."""
        if len(self._seen) > 1:
            examples = "; ".join(
                f"{source} gave {label!r} ({kind}) on {item!r}"
                for kind, (source, item, label) in self._seen.items()
            )
            raise InputError(f"labels of mixed type: {examples}. Convert all labels to one type")
        kind = next(iter(self._seen), "text")
        keys = sorted(self._raw, key=_order)
        labels = tuple(self._raw[key] for key in keys)
        values = np.array(labels, dtype=np.float64) if kind == "numbers" else None
        codes: dict[Hashable, int] = {key: code for code, key in enumerate(keys)}
        codes[ABSTAINED] = ABSTAINED_CODE
        return Vocabulary(kind, labels, values), codes

    def _note(self, kind: str, source: str, item: Hashable, label: Any) -> None:
        self._seen.setdefault(kind, (source, item, label))


_KINDS: Final = {int: "numbers", float: "numbers", bool: "booleans", str: "text"}
_STRUCTURES: Final = (list, tuple, dict, set, frozenset)


def _plain(labels: Collection[Any]) -> bool:
    """Whether the labels are all finite numbers, or all text that is not empty."""
    types = set(map(type, labels))
    if types == {str}:
        return "" not in set(labels)
    return bool(types) and types <= {int, float} and all(map(math.isfinite, labels))


def is_missing(label: Any) -> bool:
    """Whether the value stands for no label at all."""
    if label is None or (isinstance(label, str) and label == ""):
        return True
    return isinstance(label, float | np.floating) and math.isnan(label)


def encode(keys: Iterable[Hashable], codes: Mapping[Hashable, int]) -> Ints:
    """Codes of the keys, in order."""
    return np.fromiter((codes[key] for key in keys), dtype=np.int64)


def _key(label: Any, source: str, item: Hashable) -> tuple[str, Hashable]:
    if isinstance(label, np.generic):
        label = label.item()
    kind = _KINDS.get(type(label))
    if kind is not None:
        if isinstance(label, float) and math.isinf(label):
            raise InputError(
                f"{source} gave an infinite label on {item!r}; leave the label out or correct it"
            )
        return kind, label
    if isinstance(label, _STRUCTURES):
        try:
            return "structures", _frozen(label)
        except TypeError:
            pass
    elif isinstance(label, Hashable):
        return type(label).__name__, label
    raise InputError(
        f"{source} gave a label on {item!r} that cannot be compared: {label!r}; "
        "write labels as text, numbers, or lists of these"
    )


def _frozen(value: Any) -> Hashable:
    """A hashable stand-in equal exactly where the values are equal."""
    if isinstance(value, dict):
        return ("dict", tuple(sorted(((key, _frozen(item)) for key, item in value.items()), key=repr)))
    if isinstance(value, set | frozenset):
        # Sorted by their text, because a set's own order changes from one process to the next.
        return ("set", tuple(sorted(map(_frozen, value), key=repr)))
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return ("list", tuple(map(_frozen, value)))
    if not isinstance(value, Hashable):
        raise TypeError(value)
    return value


def _order(key: Hashable) -> Any:
    return key if isinstance(key, int | float | str) else repr(key)
