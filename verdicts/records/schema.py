"""Records: a request, whose sha256 is the key, and what a judge answered.

A request is a *condition* (everything that is not the item: judge, revision, chat template, protocol, decoding) plus
the item's content hash and the prompt's hash. Conditions name the store's shards; keys name records. Engine, versions,
hardware and time are provenance: they stand beside a record and never enter its key, so that a re-run elsewhere finds
the record, and a changed setting never does.

Two kinds of record are siblings under one key scheme:

* ``verdict``: a reply was generated and parsed (RAIM, section 2 and appendix K);
* ``distribution``: probabilities over a set of labels (RAIM, appendix D; JudgeMoE, section 3.1).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, Literal, get_args

from verdicts.records.canonical import digest
from verdicts.records.plain import made

SCHEMA_VERSION = 1

Kind = Literal["verdict", "distribution"]
ScoreSource = Literal["token_probabilities", "samples", "decoded"]
SCORE_SOURCES: tuple[ScoreSource, ...] = ("token_probabilities", "samples", "decoded")


@dataclass(frozen=True)
class Condition:
    """What is asked of every item alike.

    ``judge`` and ``revision`` name the weights (a hub id and commit, or a file's sha256). ``chat`` is
    ``{"template": sha256 of the chat template, "kwargs": {...}}``, or None where the prompt is sent as it is.
    ``frame`` names the prompt's frame and version. ``decoding`` holds every setting that can change the answer:
    mode, new tokens or answer prefix, context, truncation rule, dtype. ``labels`` is the label set of a distribution.
    """

    kind: Kind
    judge: str
    revision: str
    frame: str
    chat: Mapping[str, Any] | None
    decoding: Mapping[str, Any]
    labels: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        if (self.kind == "distribution") != (self.labels is not None):
            raise ValueError("a distribution condition has labels, a verdict condition has none")

    def as_json(self) -> dict[str, Any]:
        """The condition as plain JSON values."""
        return {
            "schema": SCHEMA_VERSION,
            "kind": self.kind,
            "judge": self.judge,
            "revision": self.revision,
            "frame": self.frame,
            "chat": None if self.chat is None else dict(self.chat),
            "decoding": dict(self.decoding),
            "labels": None if self.labels is None else list(self.labels),
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Condition:
        """Inverse of :meth:`as_json`. Raises KeyError, TypeError or ValueError on what no writer here makes."""
        condition = made(cls, {field.name: value[field.name] for field in fields(cls)})
        if condition.kind not in get_args(Kind) or any(
            not isinstance(v, str) for v in condition.labels or ()
        ):
            raise ValueError(f"a record's kind is one of {get_args(Kind)}, and its labels are texts")
        return condition

    @cached_property
    def digest(self) -> str:
        """Hex sha256 of the condition: the name of its shard."""
        return digest(self.as_json())

    def key(self, item: str, prompt: str) -> str:
        """The record key of an item (content hash) asked with a prompt (hash of the rendered text)."""
        return digest({"condition": self.digest, "item": item, "prompt": prompt})


@dataclass(frozen=True)
class Verdict:
    """What was read from a generated reply.

    ``verdict`` is 1 (hallucinated), 0 (supported) or None (abstained); ``rule`` says which rule of the parser fired,
    or why nothing could be read (``overflow``: the prompt does not fit the context; ``empty``; ``unparsed``).
    ``reply`` is the raw text, None in the shipped projection, where ``reply_sha256`` stands for it. ``score`` is the
    grade that the verdict was cut from, None where none was asked for or read.
    """

    verdict: int | None
    rule: str
    finish: str
    prompt_tokens: int
    reply_tokens: int
    reply_sha256: str
    truncated: int = 0
    reply: str | None = None
    score: float | None = None

    def __post_init__(self) -> None:
        if self.verdict not in (0, 1, None):
            raise ValueError(f"a verdict is 0, 1 or None, not {self.verdict!r}")


@dataclass(frozen=True)
class Distribution:
    """Probabilities over the condition's labels, in their order.

    ``probabilities`` is None where the judge gave none (overflow, non-finite logits; ``rule`` says which).
    ``off_label_mass`` is the probability outside the label set before renormalising (of samples, the share without a
    score), None where the source cannot know it. ``replies`` are the raw texts of samples or of the decoded reply, None
    where nothing was generated and in the shipped projection; ``readings`` is what each was read as: a score, None, or
    how it ended where it is no answer. ``score`` is the one number that the probabilities were made from, None where a
    judge gave probabilities itself.
    """

    probabilities: tuple[float, ...] | None
    off_label_mass: float | None
    score_source: ScoreSource
    rule: str
    prompt_tokens: int
    truncated: int = 0
    replies: tuple[str, ...] | None = None
    readings: tuple[int | str | None, ...] | None = None
    score: float | None = None

    def __post_init__(self) -> None:
        if self.score_source not in SCORE_SOURCES:
            raise ValueError(f"score_source is one of {SCORE_SOURCES}, not {self.score_source!r}")
        if len(self.readings or ()) != len(self.replies or ()):
            raise ValueError(f"{len(self.replies or ())} replies have {len(self.readings or ())} readings")
        if self.probabilities is None:
            return
        if any(not math.isfinite(p) or p < 0.0 for p in self.probabilities):
            raise ValueError("probabilities are finite and not negative")
        if abs(sum(self.probabilities) - 1.0) > 1e-9:
            raise ValueError(f"probabilities sum to 1, not {sum(self.probabilities)!r}")


@dataclass(frozen=True)
class Record:
    """One answer of one judge about one item; ``run`` names the run that made it (see :class:`Run`)."""

    key: str
    item: str
    prompt: str
    value: Verdict | Distribution
    run: str = ""
    time: str = ""


@dataclass(frozen=True)
class Run:
    """Provenance that all records of a run share."""

    run: str
    engine: str
    versions: Mapping[str, str] = field(default_factory=dict)
    hardware: str = ""
    started: str = ""


def schema_of(condition: Mapping[str, Any]) -> int:
    """The schema that a condition in a file was written in. Raises KeyError or TypeError where it says none."""
    schema = condition["schema"]
    if type(schema) is not int:
        raise TypeError(f"schema is {type(schema).__name__}")
    return schema


def value_json(value: Verdict | Distribution, *, with_reply: bool) -> dict[str, Any]:
    """A record's value as plain JSON; without the reply it is the shipped projection's."""
    scored = {} if value.score is None else {"score": value.score}
    if isinstance(value, Distribution):
        texts = {"replies": value.replies, "readings": value.readings} if with_reply else {}
        kept = {name: list(entries) for name, entries in texts.items() if entries is not None}
        return {
            "probabilities": None if value.probabilities is None else list(value.probabilities),
            "off_label_mass": value.off_label_mass,
            "score_source": value.score_source,
            "rule": value.rule,
            "prompt_tokens": value.prompt_tokens,
            "truncated": value.truncated,
            **kept,
            **scored,
        }
    out: dict[str, Any] = {
        "verdict": value.verdict,
        "rule": value.rule,
        "finish": value.finish,
        "prompt_tokens": value.prompt_tokens,
        "reply_tokens": value.reply_tokens,
        "reply_sha256": value.reply_sha256,
        "truncated": value.truncated,
        **scored,
    }
    if with_reply:
        out["reply"] = value.reply
    return out


def value_from_json(
    kind: Kind, value: Mapping[str, Any], labels: Sequence[str] | None
) -> Verdict | Distribution:
    """Inverse of :func:`value_json`. Raises KeyError, TypeError or ValueError on values that no writer here makes."""
    if kind == "verdict":
        return made(Verdict, value)
    found = made(Distribution, value)
    if found.probabilities is not None and len(found.probabilities) != len(labels or ()):
        raise ValueError(f"{len(found.probabilities)} probabilities for {len(labels or ())} labels")
    return found
