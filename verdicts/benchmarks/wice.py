"""WiCE: claims of Wikipedia sentences against the evidence they cite, balanced across the pool.

A local file may hold the hub's columns or the upstream claim-level test split, whose evidence is a list of
sentences and whose label has three values.
"""

from __future__ import annotations

from raim.errors import InputError
from verdicts.benchmarks import claims
from verdicts.benchmarks.spec import Benchmark, Expected, Row
from verdicts.frames.task import Task

_LABELS = {"supported": 1, "partially_supported": 0, "not_supported": 0}


def adapt(row: Row) -> Row:
    """An upstream row in the hub's columns: sentences joined, meta-data marks deleted, partial support
    counted as none.
    """
    if not {"evidence", "claim", "label"} <= row.keys():
        return row
    if row["label"] not in _LABELS:
        raise InputError(
            f"label {row['label']!r} is none of {', '.join(_LABELS)}; give WiCE's claim-level split"
        )
    document = " ".join(row["evidence"]).replace("(meta data)", "").strip()
    return {"dataset": "Wice", "doc": document, "claim": row["claim"], "label": _LABELS[row["label"]]}


BENCHMARK = Benchmark(
    name="wice",
    title="WiCE",
    tier="core grounded",
    frame="claimcheck",
    task=Task("a grounded claim", "Grounding document"),
    content="sentence-level entailment of Wikipedia claims against cited evidence",
    source=claims.SOURCE,
    build=claims.builder("Wice"),
    adapt=adapt,
    pool=claims.counter("Wice"),
    expected=Expected(
        pool={"claims": 358, "supported claims": 111, "unsupported claims": 247, "documents": 355},
        items=222,
        clusters=221,
        balance=(111, 111),
    ),
    release_name="aggrefact_wice",
)
