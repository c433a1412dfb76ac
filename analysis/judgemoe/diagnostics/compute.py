"""First-order inference compute from active parameters (paper, Table 49)."""

from __future__ import annotations

from collections.abc import Sequence


def relative_compute(active_parameters: Sequence[float], reference: float) -> float:
    """Active parameters a token of all judges, each in a pass of its own, over those of the reference model."""
    return sum(active_parameters) / reference


def inference_flops(active_parameters: Sequence[float], tokens: float) -> float:
    """Weight-matrix FLOPs of processing the tokens once a judge: two a parameter and token."""
    return 2.0 * sum(active_parameters) * tokens
