"""An item to be scored: one candidate under one criterion, with its human score and cluster."""

from __future__ import annotations

from dataclasses import dataclass

from verdicts.records.canonical import digest
from verdicts.records.index import require_names, require_texts


@dataclass(frozen=True)
class ScoreItem:
    """One prompt and one score (JudgeMoE, section 4.1 and appendix A).

    ``target`` is the human score mapped to [0, 1]. ``source`` is what the candidate answers or renders (document,
    dialogue, request, problem), ``cluster`` the source that items share. ``aspect`` is the criterion's name as the
    prompt says it, ``criterion`` its description; ``reference`` and ``rubric`` are empty where a dataset has none.
    ``part`` is the dataset's own key of the aspect, by which a plan chooses. ``split`` is the dataset's, None where it
    has none. Texts are the publisher's, unstripped.
    """

    uid: str
    cluster: int | str
    target: float
    source: str
    candidate: str
    aspect: str = ""
    criterion: str = ""
    reference: str = ""
    rubric: str = ""
    part: str = ""
    split: str | None = None

    def __post_init__(self) -> None:
        require_names(self.uid, self.cluster)
        texts = (self.source, self.candidate, self.aspect, self.criterion, self.reference, self.rubric)
        require_texts(self.uid, texts)
        if not 0.0 <= self.target <= 1.0:
            raise ValueError(f"item {self.uid}: a target is on [0, 1], not {self.target!r}")

    @property
    def content(self) -> str:
        """Hex sha256 over the canonical JSON of all that a prompt can show of the item.

        Two systems that gave one output to one source have one content, and so one record, under two uids.
        """
        return digest(
            {
                "aspect": self.aspect,
                "candidate": self.candidate,
                "criterion": self.criterion,
                "reference": self.reference,
                "rubric": self.rubric,
                "source": self.source,
            }
        )
