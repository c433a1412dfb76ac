"""HelpSteer2's validation split, which the paper added when everything had been selected (JudgeMoE, Table 32)."""

from __future__ import annotations

from dataclasses import replace

from verdicts.scores.datasets import helpsteer2

DATASET = replace(
    helpsteer2.DATASET,
    name="helpsteer2_validation",
    title="HelpSteer2 validation",
    source=replace(helpsteer2.DATASET.source, split="validation"),
    published=5_190,
)
