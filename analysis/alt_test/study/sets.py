"""A set of annotations and how it is tested, from the configuration's ``alt_test`` section."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from raim.errors import InputError

PanelKind: TypeAlias = Literal["binary", "scores", "plurality"]


@dataclass(frozen=True)
class AnnotationSet:
    """One set.

    Attributes
    ----------
    name, title : in files, and in tables
    score, epsilon : of the test
    annotators : who they are, which is the reason for epsilon
    source : where the annotations come from
    document : expression whose first group is the item's document; items of one document are a cluster
    aspect : expression whose first group is the item's aspect
    aspects : titles of the aspects, in the order of the tables
    panel : how the judges are pooled: stacked over two labels, pooled numbers, or their plurality
    positive, negative : the two labels of a ``binary`` panel
    """

    name: str
    title: str
    score: str
    epsilon: float
    annotators: str
    source: str
    document: str
    aspect: str
    aspects: Mapping[str, str]
    panel: PanelKind
    positive: str | None = None
    negative: str | None = None

    @property
    def document_of(self) -> Callable[[Any], str]:
        """Document of an item."""
        return _first_group(self.document, f"set {self.name!r}: document")

    @property
    def aspect_of(self) -> Callable[[Any], str]:
        """Aspect of an item, by the key of ``aspects``."""
        find = _first_group(self.aspect, f"set {self.name!r}: aspect")

        def aspect(item: Any) -> str:
            found = find(item)
            if found not in self.aspects:
                raise InputError(
                    f"set {self.name!r}: item {item!r} has aspect {found!r}, which `aspects` does not name"
                )
            return found

        return aspect

    def as_json(self) -> dict[str, Any]:
        """What tables need to know of the set."""
        return {
            "title": self.title,
            "score": self.score,
            "epsilon": self.epsilon,
            "annotators": self.annotators,
            "source": self.source,
            "aspects": dict(self.aspects),
            "panel": self.panel,
        }


def set_from_config(name: str, entry: Mapping[str, Any]) -> AnnotationSet:
    """The set that an entry of ``alt_test: sets:`` describes (already validated against the schema)."""
    panel = entry.get("panel", {"kind": "plurality"})
    return AnnotationSet(
        name=name,
        title=entry.get("title", name),
        score=entry["score"],
        epsilon=float(entry["epsilon"]),
        annotators=entry["annotators"],
        source=entry["source"],
        document=entry["document"],
        aspect=entry["aspect"],
        aspects=entry["aspects"],
        panel=panel["kind"],
        positive=panel.get("positive"),
        negative=panel.get("negative"),
    )


def _first_group(expression: str, what: str) -> Callable[[Any], str]:
    try:
        pattern = re.compile(expression)
    except re.error as error:
        raise InputError(f"{what}: {expression!r} is no regular expression ({error})") from None
    if pattern.groups < 1:
        raise InputError(f"{what}: {expression!r} needs a group, in parentheses")

    def find(item: Any) -> str:
        match = pattern.search(str(item))
        if match is None:
            raise InputError(f"{what}: {expression!r} finds nothing in item {item!r}")
        return str(match.group(1))

    return find
