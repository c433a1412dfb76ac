"""One page a suite: its panels, the tables and figures that were made, and why others were not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from analysis.panel.coverage_gate import flagged
from analysis.panel.suites import NOT_ASKED
from analysis.pipeline.build import Output
from analysis.pipeline.catalogue import in_order
from analysis.pipeline.derived import table_order
from raim.safe_text import markdown


def summary(overview: Mapping[str, Any], outputs: Mapping[str, Iterable[Output]]) -> str:
    """Markdown with the panel of each benchmark, and each output with links to its files or why there are none.

    Parameters
    ----------
    overview : the ``overview`` step
    outputs : by the folder's name beside the page (``tables``, ``figures``), what was made there
    """
    lines = [f"# {markdown(overview['title'])}", "", markdown(overview["label"]), "", "## Panels", ""]
    for name in table_order(overview["benchmarks"]):
        entry = overview["benchmarks"][name]
        out = "; ".join(
            f"{', '.join(judges)} ({reason})"
            for reason, judges in _by_reason(overview, entry["left_out"]).items()
        )
        lines.append(
            f"- {markdown(name)}: {entry['n_items']} items, {entry['n_clusters']} clusters, "
            f"{len(entry['members'])} members" + (f"; left out: {markdown(out)}" if out else "")
        )
    below = flagged(overview)
    if below:
        gate = f"{overview['coverage_gate']:g}"
        lines += ["", f"Coverage below {gate} (flagged, and counted like the others):", ""]
        lines += [f"- {markdown(str(coverage))}" for coverage in below]
    for folder, made in outputs.items():
        lines += ["", f"## {folder.capitalize()}", ""]
        for output in sorted(made, key=in_order):
            files = ", ".join(f"[{name.rpartition('.')[2]}]({folder}/{name})" for name in output.files)
            lines.append(f"- {markdown(output.title)}: {files or markdown(f'skipped, {output.skipped}')}")
    return "\n".join([*lines, ""])


def _by_reason(overview: Mapping[str, Any], left_out: Mapping[str, str]) -> dict[str, list[str]]:
    """Judges by why they were left out; of those that were not asked, the panel's members alone."""
    found: dict[str, list[str]] = {}
    for judge, reason in left_out.items():
        if reason != NOT_ASKED or overview["roster"][judge]["role"] == "member":
            found.setdefault(reason, []).append(judge)
    return found
