"""One page a suite: the tables and figures that were made, and why others were not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from analysis.derived import table_order
from analysis.tables.escape import markdown


def summary(overview: Mapping[str, Any], folder: Path, outputs: Iterable[Path]) -> str:
    """Markdown with the panel of each benchmark and the first line of each output, linked from ``folder``.

    Parameters
    ----------
    overview : the ``overview`` step
    folder : where the page will lie
    outputs : the ``.md`` files of tables and figures
    """
    lines = [f"# {markdown(overview['title'])}", "", markdown(overview["label"]), "", "## Panels", ""]
    for name in table_order(overview["benchmarks"]):
        entry = overview["benchmarks"][name]
        out = "; ".join(f"{member} ({reason})" for member, reason in entry["left_out"].items())
        lines.append(
            f"- {markdown(name)}: {entry['n_items']} items, {entry['n_clusters']} clusters, "
            f"{len(entry['members'])} members" + (f"; left out: {markdown(out)}" if out else "")
        )
    lines += ["", "## Tables and figures", ""]
    for path in sorted(outputs):
        first = path.read_text(encoding="utf-8").splitlines()[0]
        lines.append(f"- [{path.stem}]({path.relative_to(folder).as_posix()}): {first}")
    return "\n".join([*lines, ""])
