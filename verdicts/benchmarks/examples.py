"""One supported and one hallucinated item of a benchmark, as Tables 19 and 20 show them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from raim.errors import InputError
from verdicts.benchmarks.items import Item

#: Characters of each field that are shown (the paper's tables).
QUESTION, EVIDENCE, CANDIDATE = 120, 150, 120


@dataclass(frozen=True)
class Example:
    """Two items of a benchmark; question and evidence shown are those of the supported one."""

    title: str
    supported: Item
    hallucinated: Item

    @property
    def matched(self) -> bool:
        """Whether the two come from one source record (Table 19) or from different documents (Table 20)."""
        return self.supported.cluster == self.hallucinated.cluster

    def fields(self) -> list[tuple[str, str]]:
        """The lines of the table, by name, each truncated."""
        evidence = " ".join(self.supported.evidence)
        return [
            ("question", shortened(self.supported.question, QUESTION)),
            ("evidence", shortened(evidence, EVIDENCE) if evidence else "none supplied (ungrounded)"),
            ("candidate, supported", shortened(self.supported.candidate, CANDIDATE)),
            ("candidate, hallucinated", shortened(self.hallucinated.candidate, CANDIDATE)),
        ]


def example(title: str, items: Sequence[Item]) -> Example:
    """The first item of either class; from the first cluster if it holds both.

    Raises InputError where a class is empty.
    """
    first = [item for item in items if item.cluster == items[0].cluster] if items else []
    chosen = first if len({item.gold for item in first}) == 2 else items
    by_class = {gold: [item for item in chosen if item.gold == gold] for gold in (0, 1)}
    if not (by_class[0] and by_class[1]):
        raise InputError(
            f"{title}: has no item of one of the two classes; check the source with `raim verify`"
        )
    return Example(title, by_class[0][0], by_class[1][0])


def shortened(text: str, length: int) -> str:
    """The text on one line, cut after ``length`` characters with an ellipsis."""
    line = " ".join(text.split())
    return line if len(line) <= length else f"{line[:length].rstrip()} …"
