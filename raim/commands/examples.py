"""Make Tables 19 and 20 from your own copies of the benchmarks: one item of either class each, as Markdown.

The texts are the publishers'. They are no part of this project: keep the page to yourself, or check their terms.
"""

from __future__ import annotations

import argparse
from pathlib import Path

NAME = "examples"
HELP = "show one item of either class of each benchmark, from your own copies"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The benchmarks and where they are."""
    parser.add_argument(
        "benchmark",
        nargs="+",
        metavar="NAME[=FILE]",
        help="a benchmark and your local copy; without a file it is read from the hub",
    )
    parser.add_argument("--out", type=Path, help="write here (default: print)")


def run(args: argparse.Namespace) -> int:
    """Build the items and show the examples."""
    from analysis.output import require_writable, write_text
    from raim.safe_text import markdown
    from verdicts.benchmarks.examples import example
    from verdicts.benchmarks.load import load_items
    from verdicts.benchmarks.registry import find

    if args.out is not None:
        require_writable(args.out)
    found = []
    for entry in args.benchmark:
        name, _, file = entry.partition("=")
        benchmark = find(name)
        found.append(example(benchmark.title, load_items(benchmark, Path(file) if file else None)))
    lines: list[str] = []
    for number, matched, caption in (
        (19, True, "One item from each dataset paired within a source record."),
        (20, False, "One item from each dataset balanced across a pool of claims."),
    ):
        chosen = [one for one in found if one.matched is matched]
        lines += [f"**Table {number}.** {caption}", ""] if chosen else []
        for one in chosen:
            where = "same cluster" if matched else "different clusters"
            uids = f"{one.supported.uid} and {one.hallucinated.uid}, {where}"
            lines += [f"| {markdown(one.title)} | {markdown(uids)} |", "|---|---|"]
            lines += [f"| {name} | {markdown(text)} |" for name, text in one.fields()]
            lines.append("")
    page = "\n".join(lines)
    if args.out is not None:
        write_text(args.out, page)
    else:
        print(page)
    return 0
