"""ExpertQA: claims of answers to experts' questions, balanced across the pool."""

from __future__ import annotations

from verdicts.benchmarks import claims
from verdicts.benchmarks.spec import Benchmark, Expected
from verdicts.frames.task import Task

BENCHMARK = Benchmark(
    name="expertqa",
    title="ExpertQA",
    tier="grounded",
    frame="claimcheck",
    task=Task("a grounded claim", "Grounding document"),
    content="expert-curated questions with attributed answers",
    source=claims.SOURCE,
    build=claims.builder("ExpertQA"),
    pool=claims.counter("ExpertQA"),
    expected=Expected(
        pool={"claims": 3_702, "supported claims": 2_971, "unsupported claims": 731, "documents": 3_135},
        items=1_462,
        clusters=1_360,
        balance=(731, 731),
    ),
    release_name="aggrefact_expertqa",
)
