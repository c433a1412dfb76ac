"""Larger standalone evaluators (paper, Table 48)."""

from __future__ import annotations

from analysis.pipeline.derived import Derived
from analysis.skip import Skip
from analysis.tables.render import Table

NUMBER, NAME, SOURCE = 48, "Larger standalone evaluators", "JudgeMoE, appendix B.2"
READS: tuple[str, ...] = ()


def build(derived: Derived) -> Table:
    """Skipped for every suite that ships."""
    raise Skip(
        "it needs large evaluators (DeepSeek-V3.2, Qwen2.5-72B) on the same items, which no input here has"
    )
