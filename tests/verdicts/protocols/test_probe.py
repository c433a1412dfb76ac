"""The probe's scorer: answers in all their spellings, no chat template, the release's window."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import pytest

from raim.errors import InputError
from tests.verdicts.making import CHAT, JUDGE, FakeEngine
from verdicts.engines.base import LabelLogprobs, Overflow
from verdicts.plan import Settings
from verdicts.protocols import probe, protocol

BASE = replace(JUDGE, chat=False, context=32768)
CONDITION = probe.condition(BASE, "claimcheck/1", None, Settings())


class Scores(FakeEngine):
    """Gives each spelling a probability, and refuses the second prompt."""

    def score(
        self, prompts: Sequence[str], prefix: str, labels: Sequence[str]
    ) -> list[LabelLogprobs | Overflow]:
        assert prefix == ""
        assert list(labels) == [" Yes", " yes", " YES", " No", " no", " NO"]
        shares = (0.1, 0.2, 0.0, 0.25, 0.05, 0.0)
        rows = tuple((math.log(share) if share else -math.inf,) for share in shares)
        tokens = tuple((number,) for number in range(len(labels)))
        return [Overflow(9) if "long" in prompt else LabelLogprobs(rows, tokens, 7) for prompt in prompts]


def test_spellings_are_added() -> None:
    scored, over = probe.ask(Scores(), ["a", "long"], CONDITION)
    assert scored.probabilities == pytest.approx((0.5, 0.5))  # type: ignore[union-attr]
    assert scored.off_label_mass == pytest.approx(0.4)  # type: ignore[union-attr]
    assert (over.probabilities, over.rule) == (None, "overflow")  # type: ignore[union-attr]


def test_the_condition_is_the_probes_own() -> None:
    assert CONDITION.frame == "fewshot-claimcheck/1"
    assert CONDITION.chat is None
    assert CONDITION.labels == ("SUPPORTED", "HALLUCINATED")
    assert CONDITION.decoding["context"] == 4096
    assert probe.condition(replace(BASE, context=2048), "x/1", None, Settings()).decoding["context"] == 2048
    assert protocol("probe") == (probe.condition, probe.ask)


def test_a_judge_with_a_chat_template_is_refused() -> None:
    with pytest.raises(InputError, match="without a chat template; take the roster's entry for it"):
        probe.condition(JUDGE, "claimcheck/1", CHAT, Settings())
