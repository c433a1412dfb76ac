"""Generated replies as a distribution over a range of scores: when a judge is asked, and when they are read again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from verdicts.engines.base import ANSWERED, Reply
from verdicts.records.schema import Distribution, ScoreSource
from verdicts.scores.parsing import parse_score


def read_replies(
    replies: Sequence[Reply], labels: Sequence[str], source: ScoreSource, truncated: int
) -> Distribution:
    """Each label's share of the replies that hold a score; the share that holds none is off the labels.

    A decoded reply is one: without a score there is no distribution, and nothing is known of mass off the labels.
    """
    unread = Distribution(
        probabilities=None,
        off_label_mass=None,
        score_source=source,
        rule="unparsed",
        prompt_tokens=replies[0].prompt_tokens,
        truncated=truncated,
        replies=tuple(reply.text for reply in replies),
        readings=tuple(None if reply.finish in ANSWERED else reply.finish for reply in replies),
    )
    return read_again(unread, labels)


def read_again(value: Distribution, labels: Sequence[str]) -> Distribution:
    """A value with what its replies say under the parser of today; replies that are no answers are not read.

    Raises ValueError where it has no replies.
    """
    if value.replies is None or value.readings is None:
        raise ValueError("a distribution without replies cannot be read again")
    readings = tuple(
        before if isinstance(before, str) else parse_score(text, int(labels[0]), int(labels[-1]))
        for text, before in zip(value.replies, value.readings, strict=True)
    )
    scores = [reading for reading in readings if isinstance(reading, int)]
    # All of them ended in one way that is no answer: that is why there is no score.
    ends = {reading if isinstance(reading, str) else "unparsed" for reading in readings}
    return replace(
        value,
        probabilities=tuple(scores.count(int(label)) / len(scores) for label in labels) if scores else None,
        off_label_mass=1.0 - len(scores) / len(readings) if value.score_source == "samples" else None,
        rule="scored" if scores else ends.pop() if len(ends) == 1 else "unparsed",
        readings=readings,
    )
