"""One page on all tables and figures: what makes each, and what was made of it for each suite."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from analysis.pipeline.build import Output
from raim.safe_text import markdown

_HEADER = """# Tables and figures

Made by `raim tables --page docs/tables.md` from the last build of each suite; do not edit. A module is a file of
`analysis/tables/` or `analysis/figures/`, run by the rule `tables` or `figures` on the derived files of its steps
(`analysis/steps/`; the overview is always read). What a suite lacks the records for is skipped, never filled.
"""


def catalogue(suites: Mapping[str, Sequence[Output]]) -> str:
    """Markdown: a section for tables and one for figures, a row each, a column for each suite.

    Parameters
    ----------
    suites : by suite, its tables and figures
    """
    rows: dict[str, dict[str, Output]] = {}
    for suite, outputs in suites.items():
        for output in outputs:
            rows.setdefault(output.module, {})[suite] = output
    lines = [_HEADER]
    for kind in ("Table", "Figure"):
        lines += [f"## {kind}s", "", f"| {kind.lower()} | module | steps | {' | '.join(suites)} |"]
        lines.append("|" + "---|" * (3 + len(suites)))
        found = [by_suite for by_suite in rows.values() if _first(by_suite).title.startswith(kind)]
        lines += [
            _row(by_suite, list(suites))
            for by_suite in sorted(found, key=lambda by_suite: in_order(_first(by_suite)))
        ]
        lines.append("")
    return "\n".join(lines)


def in_order(output: Output) -> tuple[str, int, str]:
    """Sorts tables or figures as the papers number them: 3a before 3b, 9 before 10, and all of them before A1."""
    found = re.match(r"\w+ ([A-Z]*)(\d+)(\w*)", output.title)
    return (found[1], int(found[2]), found[3]) if found else ("", 0, "")


def in_words(outputs: Sequence[Output]) -> str:
    """A line for each table and figure: its title and files, or why there are none."""
    return "".join(
        f"{output.title}: {', '.join(output.files) or f'skipped, {output.skipped}'}\n" for output in outputs
    )


def _row(by_suite: Mapping[str, Output], suites: Sequence[str]) -> str:
    first = _first(by_suite)
    cells = [
        markdown(first.title),
        f"`{first.module.rpartition('.')[2]}`",
        ", ".join(first.reads),
    ]
    cells += [_state(by_suite.get(suite)) for suite in suites]
    return f"| {' | '.join(cells)} |"


def _state(output: Output | None) -> str:
    if output is None:
        return "not built"
    return "made" if output.skipped is None else f"skipped: {markdown(output.skipped)}"


def _first(by_suite: Mapping[str, Output]) -> Output:
    return next(iter(by_suite.values()))
