"""A number of an expert as a distribution over score labels (JudgeMoE, section 5.3): ``expert-1-10``."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from raim.errors import InputError
from verdicts.engines.base import Engine, Overflow, Rating, RatingEngine
from verdicts.experts.buckets import MAPS, bucket_vector
from verdicts.experts.experts import find
from verdicts.judges.roster import Judge
from verdicts.plan import Settings
from verdicts.protocols.scores import TOPS
from verdicts.records.schema import Condition, Distribution

_NAME = re.compile(rf"expert-1-(?P<top>{'|'.join(map(str, TOPS))})")


@dataclass(frozen=True)
class ExpertProtocol:
    """An expert's number on the labels from 1 to ``top``."""

    top: int

    @classmethod
    def parse(cls, name: str) -> ExpertProtocol | None:
        """The protocol of a name; None where it is not an expert's."""
        match = _NAME.fullmatch(name)
        return None if match is None else cls(int(match["top"]))

    def condition(
        self, judge: Judge, frame: str, chat: Mapping[str, Any] | None, settings: Settings
    ) -> Condition:
        """The condition of the expert that the roster names; the dataset's own frame plays no part.

        Raises InputError where the judge is no expert.
        """
        if judge.role != "expert":
            raise InputError(f"{judge.name} is no expert; give it a protocol such as probabilities-1-10")
        expert = find(judge.adapter)
        return Condition(
            kind="distribution",
            judge=judge.judge,
            revision=judge.revision,
            frame=f"{expert.name}/{expert.version}",
            chat=chat,
            decoding={
                "mode": "expert",
                "scale": expert.scale,
                **judge.options,
                "context": settings.context_of(judge),
                "truncation": expert.cut,
                "dtype": settings.dtype_of(judge),
            },
            labels=tuple(str(label) for label in range(1, self.top + 1)),
        )


def ask(engine: Engine, prompts: Sequence[str], condition: Condition) -> list[Distribution]:
    """One distribution a request, in order: the two labels around the expert's number. Nothing is known off them."""
    if not isinstance(engine, RatingEngine):
        raise InputError(
            f"the {engine.name} engine gives no ratings; experts name their engine in the roster"
        )
    ratings = engine.rate([json.loads(prompt) for prompt in prompts])
    return [_distribution(rating, condition) for _, rating in zip(prompts, ratings, strict=True)]


def _distribution(rating: Rating | Overflow, condition: Condition) -> Distribution:
    if isinstance(rating, Overflow):
        return Distribution(None, None, "decoded", "overflow", rating.prompt_tokens)
    if not math.isfinite(rating.score):
        return Distribution(None, None, "decoded", "not_finite", rating.prompt_tokens, rating.removed)
    decoding = condition.decoding
    share = MAPS[decoding["scale"]](rating.score, decoding.get("baseline", 0.0))
    labels = [float(label) for label in condition.labels or ()]
    return Distribution(
        bucket_vector(share, labels),
        None,
        "decoded",
        "rated",
        rating.prompt_tokens,
        rating.removed,
        score=rating.score,
    )
