"""An item: one candidate to be judged on its own, with its gold label and cluster."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from verdicts.records.canonical import digest
from verdicts.records.index import require_names, require_texts


@dataclass(frozen=True)
class Item:
    """One prompt and one verdict (appendix J).

    ``gold`` is 1 for a hallucinated (unsupported) candidate and 0 for a supported one; ``cluster`` is the
    source record or grounding document that resampled items share. ``evidence`` holds the reference passages
    in order and is empty on ungrounded benchmarks. Texts are the publisher's, unstripped. ``stratum`` and
    ``category`` are the publisher's own groupings and enter neither hash.

    Raises ValueError on what no index or prompt could hold: another gold, names of several lines, no text.
    """

    uid: str
    cluster: int | str
    gold: int
    question: str
    evidence: tuple[str, ...]
    candidate: str
    stratum: str = ""
    category: str = ""

    def __post_init__(self) -> None:
        require_names(self.uid, self.cluster)
        if self.gold not in (0, 1) or isinstance(self.gold, bool):
            raise ValueError(f"item {self.uid}: gold is 0 (supported) or 1 (hallucinated), not {self.gold!r}")
        if not isinstance(self.evidence, tuple):
            raise ValueError(
                f"item {self.uid}: evidence is a tuple of passages, not {type(self.evidence).__name__}"
            )
        require_texts(self.uid, (self.question, *self.evidence, self.candidate))

    @property
    def content(self) -> str:
        """Hex sha256 over the canonical JSON of candidate, evidence and question: what the item says."""
        return digest(
            {"candidate": self.candidate, "evidence": list(self.evidence), "question": self.question}
        )

    @property
    def join_key(self) -> str:
        """Hex SHA-1 under which the public release files the item.

        Over the question, a NUL, each passage followed by a NUL, one more NUL, and the candidate, in UTF-8.
        """
        text = (
            self.question
            + "\0"
            + "".join(passage + "\0" for passage in self.evidence)
            + "\0"
            + self.candidate
        )
        return hashlib.sha1(text.encode("utf-8"), usedforsecurity=False).hexdigest()
