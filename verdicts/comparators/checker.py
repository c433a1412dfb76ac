"""Judges that verify a claim against a document by the probability of one answer token (MiniCheck; appendix G).

A document is read in chunks and the claim is supported where one of them supports it: the probability is the largest
over the chunks. A record's prompt is the canonical JSON of what stands before the document, the document, and what
stands after it, so that the chunks are cut from the document alone.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from verdicts.benchmarks.items import Item
from verdicts.comparators.chunks import SENTENCES, chunks
from verdicts.engines.base import Engine, Failed, LabelLogprobs, Overflow, encoder_of
from verdicts.engines.labels import label_masses
from verdicts.frames.contract import passages
from verdicts.frames.task import Task
from verdicts.protocols.constrained import LABELS
from verdicts.records.canonical import canonical
from verdicts.records.schema import Condition, Distribution

if TYPE_CHECKING:
    from verdicts.judges.roster import Judge
    from verdicts.plan import Settings

Answer = LabelLogprobs | Overflow | Failed


@dataclass(frozen=True)
class Checker:
    """An adapter over the probability of support.

    ``wrap`` gives what stands before and after the document, from the claim. ``answers`` are the texts scored at the
    answer position; ``support`` makes the probability of support, and the mass on none of them, from their masses.
    ``chunk`` is the size of a chunk in ``unit``. ``version`` is raised whenever a rendered byte changes.
    """

    name: str
    version: int
    wrap: Callable[[str], tuple[str, str]]
    answers: tuple[str, ...]
    support: Callable[[Sequence[float]], tuple[float, float] | None]
    chunk: int
    unit: Literal["words", "tokens"]

    def render(self, frame: str, task: Task, item: Item) -> str:
        """The three parts of the prompt, the same under either frame."""
        before, after = self.wrap(item.candidate.strip())
        return canonical([before, document(item), after])

    def condition(
        self, judge: Judge, frame: str, chat: Mapping[str, Any] | None, settings: Settings
    ) -> Condition:
        """The condition of its probabilities, one for all benchmarks: it always verifies a claim."""
        return Condition(
            kind="distribution",
            judge=judge.judge,
            revision=judge.revision,
            frame=f"{self.name}-claimcheck/{self.version}",
            chat=chat,
            decoding={
                "mode": "constrained",
                "answer_prefix": "",
                "answers": list(self.answers),
                "chunks": f"{self.chunk} {self.unit}",
                "sentences": SENTENCES,
                "context": settings.context_of(judge),
                "truncation": "none",
                "dtype": settings.dtype_of(judge),
            },
            labels=LABELS,
        )

    def ask(
        self, engine: Engine, prompts: Sequence[str], condition: Condition
    ) -> list[Distribution | Failed]:
        """One distribution a prompt, in order. Where a chunk got none, the item has none, with the chunk's reason."""
        length: Callable[[str], int] = encoder_of(engine).count if self.unit == "tokens" else _words
        cut: list[list[str]] = []
        for prompt in prompts:
            before, text, after = json.loads(prompt)
            cut.append([before + part + after for part in chunks(text, self.chunk, length)])
        answers = engine.score([part for parts in cut for part in parts], "", self.answers)
        if len(answers) != sum(map(len, cut)):
            raise ValueError(f"{len(answers)} answers to {sum(map(len, cut))} chunks")
        given = iter(answers)
        return [self._joined([next(given) for _ in parts]) for parts in cut]

    def _joined(self, answers: Sequence[Answer]) -> Distribution | Failed:
        failed = next((answer for answer in answers if isinstance(answer, Failed)), None)
        if failed is not None:
            return failed
        read = [answer for answer in answers if not isinstance(answer, Failed)]
        tokens = sum(answer.prompt_tokens for answer in read)
        if any(isinstance(answer, Overflow) for answer in read):
            return Distribution(None, None, "token_probabilities", "overflow", tokens)
        found = [
            self.support(label_masses(answer.logprobs, answer.tokens))
            for answer in read
            if isinstance(answer, LabelLogprobs)
        ]
        supported = [pair for pair in found if pair is not None]
        if len(supported) < len(found):
            return Distribution(None, None, "token_probabilities", "not_finite", tokens)
        probability, off = max(supported)
        return Distribution((probability, 1.0 - probability), off, "token_probabilities", "scored", tokens)


def document(item: Item) -> str:
    """The passages by lines; a question of its own stands before them, with a blank line between."""
    text = "\n".join(passages(item.evidence))
    question = item.question.strip()
    return f"{question}\n\n{text}" if question and question != item.candidate.strip() else text


def _words(text: str) -> int:
    return len(text.split())
