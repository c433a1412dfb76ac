"""AggreFact-XSum: claims of one-sentence summaries of BBC articles, balanced across the pool."""

from __future__ import annotations

from verdicts.benchmarks import claims
from verdicts.benchmarks.spec import Benchmark, Expected
from verdicts.frames.task import Task

BENCHMARK = Benchmark(
    name="xsum",
    title="XSum",
    tier="core grounded",
    frame="claimcheck",
    task=Task("a grounded claim", "Grounding document"),
    content="AggreFact factuality annotations on extreme-summarisation output",
    source=claims.SOURCE,
    build=claims.builder("AggreFact-XSum"),
    pool=claims.counter("AggreFact-XSum"),
    expected=Expected(
        pool={"claims": 558, "supported claims": 285, "unsupported claims": 273, "documents": 483},
        items=546,
        clusters=472,
        balance=(273, 273),
    ),
    release_name="aggrefact_xsum",
)
