"""The papers' protocol: a greedy reply, read by the parser (RAIM, section 2 and appendix K)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from verdicts.engines.base import ANSWERED, Engine, Failed, Overflow, Reply
from verdicts.judges.roster import Judge
from verdicts.parsing import parse
from verdicts.plan import Settings
from verdicts.protocols.truncation import fitted, truncation_of
from verdicts.records.canonical import sha256_text
from verdicts.records.schema import Condition, Verdict


def condition(judge: Judge, frame: str, chat: Mapping[str, Any] | None, settings: Settings) -> Condition:
    """The condition of greedy verdicts under a frame."""
    return Condition(
        kind="verdict",
        judge=judge.judge,
        revision=judge.revision,
        frame=frame,
        chat=chat,
        decoding={
            "mode": "greedy",
            "max_new_tokens": settings.max_new_tokens,
            "context": settings.context_of(judge),
            "truncation": truncation_of(judge, settings),
            "dtype": settings.dtype_of(judge),
        },
    )


def ask(engine: Engine, prompts: Sequence[str], condition: Condition) -> list[Verdict | Failed]:
    """One verdict a prompt, in order.

    A prompt that does not fit the context abstains with rule ``overflow``, a judge whose logits are not numbers with
    rule ``not_finite``, and likewise for every other finish that is no answer; what had been written until then is
    kept and not read. A prompt that got no answer at all stays :class:`Failed`.
    """
    room: int = condition.decoding["max_new_tokens"]
    asked, removed = fitted(engine, prompts, condition, room)
    return [
        reply if isinstance(reply, Failed) else _verdict(cut, reply)
        for cut, reply in zip(removed, engine.generate(asked, room), strict=True)
    ]


def _verdict(truncated: int, reply: Reply | Overflow) -> Verdict:
    if isinstance(reply, Overflow):
        return Verdict(None, "overflow", "overflow", reply.prompt_tokens, 0, sha256_text(""), truncated, "")
    verdict: int | None = None
    rule: str = reply.finish
    if reply.finish in ANSWERED:
        parsed = parse(reply.text)
        verdict, rule = parsed.verdict, parsed.rule
    return Verdict(
        verdict=verdict,
        rule=rule,
        finish=reply.finish,
        prompt_tokens=reply.prompt_tokens,
        reply_tokens=reply.reply_tokens,
        reply_sha256=sha256_text(reply.text),
        truncated=truncated,
        reply=reply.text,
    )
