"""Join a publisher's data against the content-addressed index and report each mismatch.

Builds the benchmark's items from a local file, or from the hub, and compares uid, cluster, gold, content hash and
join key of each with the index. Exit status: 0 where all agree, 1 on a mismatch, 2 where the data cannot be read.
"""

from __future__ import annotations

import argparse
from pathlib import Path

NAME = "verify"
HELP = "check a publisher's data against the item index"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("benchmark", help="name of the benchmark, e.g. medhallu")
    parser.add_argument(
        "--file", type=Path, help="local file as the publisher ships it (default: read the hub)"
    )
    parser.add_argument("--index", type=Path, help="item index to compare with (default: the one shipped)")
    parser.add_argument(
        "--builder", type=Path, action="append", default=[], help="Python file with a benchmark of your own"
    )
    parser.add_argument("--show", type=int, default=10, metavar="N", help="mismatches to print (default: 10)")


def run(args: argparse.Namespace) -> int:
    """Verify one benchmark."""
    from verdicts.benchmarks.compare import compare, shipped_index
    from verdicts.benchmarks.load import build_items
    from verdicts.benchmarks.registry import find
    from verdicts.records.index import read_index

    benchmark = find(args.benchmark, args.builder)
    index = shipped_index(benchmark.name) if args.index is None else args.index
    rows = None if index is None else read_index(index)
    built = build_items(benchmark, args.file)

    print(f"{benchmark.name}: {len(built.items)} items in {len({i.cluster for i in built.items})} clusters")
    for difference in built.differences:
        print(f"  source: {difference}")
    if rows is None:
        print("  no index of this benchmark is shipped: only its published counts were checked (see --index)")
        return int(bool(built.differences))
    mismatches = compare(built.items, rows)
    for mismatch in mismatches[: args.show]:
        print(f"  {mismatch}")
    if len(mismatches) > args.show:
        print(f"  ... and {len(mismatches) - args.show} more (--show {len(mismatches)} prints all)")
    items = len({mismatch.uid for mismatch in mismatches})
    found = f"{len(mismatches)} mismatches on {items} items" if mismatches else "all agree"
    print(f"{benchmark.name}: joined with {len(rows)} rows of {index}: {found}")
    return int(bool(mismatches or built.differences))
