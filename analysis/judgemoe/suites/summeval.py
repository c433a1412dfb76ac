"""The restricted-access case: six LLM judges' decoded scores on SummEval."""

from __future__ import annotations

from pathlib import Path

from analysis.judgemoe.sources.decoded import summeval_cells
from analysis.judgemoe.studies.suite import PoolSuite
from verdicts.records.canonical import digest, sha256_file

NAME = "summeval"


def summeval_suite(folder: Path) -> PoolSuite:
    """Four aspects, a cell each; the target is the experts' mean, the cluster the document."""
    cells = tuple(summeval_cells(folder))
    needs = "it needs probabilities, and the judges gave decoded scores only"
    return PoolSuite(
        name=NAME,
        title="JudgeMoE on SummEval, six judges' decoded scores",
        label="Decoded scores only.",
        records=digest([sha256_file(folder / f"{who}_annotations.json") for who in ("human", "llm")]),
        cells=cells,
        ablations=frozenset(cell.name for cell in cells),
        pairwise=frozenset(cell.name for cell in cells),
        skipped={
            "architectures": needs,
            "access": needs,
            "protocol": f"{needs}; there is one score range",
            "styles": "each judge was asked in one wording",
            "diversity": "each judge was asked in one wording",
            "experts": "no expert has been scored on the same items",
            "compute": "some judges' numbers of parameters are not published",
        },
    )
