"""The papers' protocol: a greedy reply, read by the parser (RAIM, section 2 and appendix K)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from verdicts.engines.base import Engine, Overflow, Reply
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
            "context": min(settings.context, judge.context),
            "truncation": truncation_of(judge, settings),
            "dtype": settings.dtype or judge.dtype,
        },
    )


def ask(engine: Engine, prompts: Sequence[str], condition: Condition) -> list[Verdict]:
    """One verdict a prompt, in order.

    A prompt that does not fit the context abstains with rule ``overflow``, a judge whose logits are not numbers with
    rule ``not_finite``; what it had written until then is kept and not read.
    """
    room: int = condition.decoding["max_new_tokens"]
    asked, removed = fitted(engine, prompts, condition, room)
    return [_verdict(*answer) for answer in zip(engine.generate(asked, room), removed, strict=True)]


def _verdict(reply: Reply | Overflow, truncated: int) -> Verdict:
    if isinstance(reply, Overflow):
        return Verdict(None, "overflow", "overflow", reply.prompt_tokens, 0, sha256_text(""), truncated, "")
    verdict: int | None = None
    rule = "not_finite"
    if reply.finish != "not_finite":
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
