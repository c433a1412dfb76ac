"""One page for all pools: their cells, the tables and figures that were made, and why others were not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from analysis.pipeline.build import Output
from raim.safe_text import markdown


def summary(pools: Mapping[str, tuple[Mapping[str, Any], Mapping[str, Iterable[Output]]]]) -> str:
    """Markdown; by pool, its overview and what was made in its folders ``tables`` and ``figures``."""
    lines = ["# JudgeMoE", ""]
    for pool, (overview, outputs) in pools.items():
        cells = f"{len(overview['original'])} original cells, {len(overview['additional'])} additional"
        lines += [f"## {markdown(overview['title'])}", "", f"{markdown(overview['label'])} {cells}.", ""]
        for folder, made in outputs.items():
            lines += [f"### {folder.capitalize()}", ""]
            for output in made:
                names = [(name.rpartition(".")[2], f"{pool}/{folder}/{name}") for name in output.files]
                files = ", ".join(f"[{ending}]({path})" for ending, path in names)
                lines.append(f"- {markdown(output.title)}: {files or markdown(f'skipped, {output.skipped}')}")
            lines.append("")
    return "\n".join(lines)
