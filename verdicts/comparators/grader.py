"""Judges that write a grade: generated greedily, read by a rule of their own, cut at the scale's midpoint (appendix G).

The context is the checkpoint's, whatever the plan's; a prompt that does not fit loses its middle, as in the paper.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from verdicts.benchmarks.items import Item
from verdicts.comparators.adapter import Render
from verdicts.engines.base import ANSWERED, Engine, Failed, Overflow, Reply
from verdicts.frames.task import Task
from verdicts.protocols.truncation import fitted
from verdicts.records.canonical import sha256_text
from verdicts.records.schema import Condition, Verdict

if TYPE_CHECKING:
    from verdicts.judges.roster import Judge
    from verdicts.plan import Settings


@dataclass(frozen=True)
class Grader:
    """An adapter over generated grades.

    ``renders`` holds the prompt of each benchmark's frame. ``read`` finds the grade in a reply, None where it has none
    on the scale. A grade of ``threshold`` and more is a supported verdict. ``version`` is raised whenever a rendered
    byte changes.
    """

    name: str
    version: int
    renders: Mapping[str, Render]
    read: Callable[[str], float | None]
    threshold: float
    max_new_tokens: int

    def render(self, frame: str, task: Task, item: Item) -> str:
        """The prompt under a benchmark's frame."""
        return self.renders[frame](task, item)

    def condition(
        self, judge: Judge, frame: str, chat: Mapping[str, Any] | None, settings: Settings
    ) -> Condition:
        """The condition of grades under a benchmark's frame (its name, with or without a version)."""
        return Condition(
            kind="verdict",
            judge=judge.judge,
            revision=judge.revision,
            frame=f"{self.name}-{frame.partition('/')[0]}/{self.version}",
            chat=chat,
            decoding={
                "mode": "greedy",
                "max_new_tokens": self.max_new_tokens,
                "context": settings.context_of(judge),
                "truncation": "middle_out",
                "dtype": settings.dtype_of(judge),
            },
        )

    def ask(self, engine: Engine, prompts: Sequence[str], condition: Condition) -> list[Verdict | Failed]:
        """One verdict a prompt, in order; a reply without a grade abstains."""
        asked, removed = fitted(engine, prompts, condition, self.max_new_tokens)
        replies = engine.generate(asked, self.max_new_tokens)
        return [
            reply if isinstance(reply, Failed) else self._verdict(reply, cut)
            for cut, reply in zip(removed, replies, strict=True)
        ]

    def _verdict(self, reply: Reply | Overflow, truncated: int) -> Verdict:
        if isinstance(reply, Overflow):
            empty = sha256_text("")
            return Verdict(None, "overflow", "overflow", reply.prompt_tokens, 0, empty, truncated, "")
        value = Verdict(
            verdict=None,
            rule=reply.finish,
            finish=reply.finish,
            prompt_tokens=reply.prompt_tokens,
            reply_tokens=reply.reply_tokens,
            reply_sha256=sha256_text(reply.text),
            truncated=truncated,
            reply=reply.text,
        )
        return self.read_again(value) if reply.finish in ANSWERED else value

    def read_again(self, value: Verdict) -> Verdict:
        """A value with the grade that its reply states under the rule of today, and the verdict that it makes.

        Raises ValueError where it has no reply.
        """
        if value.reply is None:
            raise ValueError("a record without its reply cannot be read again")
        score = self.read(value.reply)
        return replace(
            value,
            verdict=None if score is None else int(score < self.threshold),
            rule="no_grade" if score is None else "grade",
            score=score,
        )
