"""Write the item index of a benchmark: ids, clusters, gold labels and hashes, no text."""

from __future__ import annotations

import argparse
from pathlib import Path

NAME = "index"
HELP = "write the item index of a benchmark from its source"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of the command."""
    parser.add_argument("benchmark", help="name of the benchmark")
    parser.add_argument("--file", type=Path, help="local file of its source (default: its declared source)")
    parser.add_argument("--out", type=Path, required=True, help="index file to write")


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    from analysis.output import require_writable
    from verdicts.benchmarks.compare import index_rows
    from verdicts.benchmarks.load import build_items
    from verdicts.benchmarks.registry import find
    from verdicts.records.index import write_index

    require_writable(args.out)
    built = build_items(find(args.benchmark), args.file)
    write_index(args.out, index_rows(built.items))
    print(f"{args.out}: {len(built.items)} items")
    for difference in built.differences:
        print(f"note: {difference}")
    return 0
