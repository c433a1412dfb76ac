"""Join a publisher's data against the content-addressed index, or a suite's files against its lock.

With a benchmark, builds its items from a local file, or from the hub, and compares uid, cluster, gold, content hash and
join key of each with the index. With --lock, hashes a suite's files and names those that are missing, changed or
untracked; judges that gave a verdict on too small a share of a benchmark are flagged, which changes no status. Exit
status: 0 where all agree, 1 on a mismatch, 2 where the data cannot be read.
"""

from __future__ import annotations

import argparse
from pathlib import Path

NAME = "verify"
HELP = "check a publisher's data against the item index, or a suite against its lock"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("benchmark", nargs="?", help="name of the benchmark, e.g. medhallu")
    what.add_argument(
        "--lock", type=Path, metavar="SUITE", help="check this suite's files against its LOCK.json"
    )
    parser.add_argument(
        "--file", type=Path, help="local file as the publisher ships it (default: read the hub)"
    )
    parser.add_argument("--index", type=Path, help="item index to compare with (default: the one shipped)")
    parser.add_argument(
        "--builder", type=Path, action="append", default=[], help="Python file with a benchmark of your own"
    )
    parser.add_argument(
        "--coverage-gate",
        type=float,
        metavar="SHARE",
        help="with --lock: flag judges below this coverage (default: the suite's own, 0.95 if it states none)",
    )
    parser.add_argument("--show", type=int, default=10, metavar="N", help="mismatches to print (default: 10)")


def run(args: argparse.Namespace) -> int:
    """Verify one benchmark, or one suite."""
    from raim.errors import InputError

    if args.lock is not None:
        return _lock(args.lock, args.coverage_gate)
    if args.coverage_gate is not None:
        raise InputError("--coverage-gate goes with --lock SUITE")
    return _benchmark(args)


def _lock(suite: Path, gate: float | None) -> int:
    from analysis.panel.coverage_gate import suite_flagged
    from raim.safe_text import printable
    from verdicts.records.lock import compare_lock

    difference = compare_lock(suite)
    for what, paths in (
        ("missing", difference.missing),
        ("changed", difference.changed),
        ("untracked", difference.untracked),
    ):
        for path in paths:
            print(f"  {what}: {printable(path)}")
    if difference.missing or difference.changed:
        found = "none, a file is damaged" if difference.found is None else difference.found[:16]
        print(
            f"{suite}: digest {found}, locked {difference.locked[:16]}: restore the files, or export the suite again"
        )
        return 1
    print(f"{suite}: all locked files are as locked, digest {difference.locked[:16]}")
    for coverage in suite_flagged(suite, gate):
        print(f"  flagged, low coverage: {printable(str(coverage))}")
    if difference.untracked:
        print(
            f"{suite}: {len(difference.untracked)} files are not in the lock: move them out, or export again"
        )
    return int(bool(difference.untracked))


def _benchmark(args: argparse.Namespace) -> int:
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
