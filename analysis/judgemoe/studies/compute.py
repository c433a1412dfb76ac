"""First-order compute of judges and pools (paper, Table 49)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from analysis.judgemoe.diagnostics.compute import inference_flops, relative_compute


def compute(
    billions: Mapping[str, float], compact: Sequence[str], reference: tuple[str, float], tokens: int
) -> dict[str, Any]:
    """Each judge, the compact pool, all judges and a reference model, by active parameters in billions a token."""
    name, size = reference
    systems = {judge: [value] for judge, value in billions.items()}
    systems[f"Compact pool ({len(compact)})"] = [billions[judge] for judge in compact]
    systems[f"All judges ({len(billions)})"] = list(billions.values())
    systems[name] = [size]
    return {
        "reference": name,
        "tokens": tokens,
        "rows": [
            {
                "system": system,
                "parameters": sum(sizes),
                "relative": relative_compute(sizes, size),
                "petaflops": inference_flops(sizes, tokens) * 1e9 / 1e15,
            }
            for system, sizes in systems.items()
        ],
    }
