"""AggreFact-CNN: claims of CNN/DailyMail summaries, balanced across the pool."""

from __future__ import annotations

from verdicts.benchmarks import claims
from verdicts.benchmarks.spec import Benchmark, Expected
from verdicts.frames.task import Task

BENCHMARK = Benchmark(
    name="cnn",
    title="CNN",
    tier="grounded",
    frame="claimcheck",
    task=Task("a grounded claim", "Grounding document"),
    content="AggreFact factuality annotations on CNN/DailyMail summaries",
    source=claims.SOURCE,
    build=claims.builder("AggreFact-CNN"),
    pool=claims.counter("AggreFact-CNN"),
    expected=Expected(
        pool={"claims": 558, "supported claims": 501, "unsupported claims": 57, "documents": 384},
        items=114,
        clusters=109,
        balance=(57, 57),
    ),
    release_name="aggrefact_cnn",
)
