"""Compare the regenerated derived tier of a suite with the committed one, within 1e-8, or with the publication.

Status 0 if they agree, 1 if they differ, 2 if there is nothing to compare. With --published the derived numbers are set
beside the printed tables and, given the release's own numbers with --reference, beside those at full precision; every
difference is listed with its cause, and status 1 means that one is unexplained.
"""

from __future__ import annotations

import argparse
import math
from pathlib import Path

from raim.errors import InputError

NAME = "check"
HELP = "compare regenerated numbers with the committed or the published ones"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The suite, or two folders."""
    parser.add_argument("suite", help="suite to check, e.g. cpu")
    parser.add_argument("--regenerated", type=Path, metavar="DIR", help="default: results/SUITE/derived")
    parser.add_argument("--committed", type=Path, metavar="DIR", help="default: derived/SUITE")
    parser.add_argument(
        "--tolerance", type=float, default=1e-8, help="largest deviation (default: %(default)s)"
    )
    parser.add_argument("--limit", type=int, help="differences to print (default: 20; all with --published)")
    parser.add_argument("--published", action="store_true", help="compare with the publication")
    parser.add_argument(
        "--reference", type=Path, metavar="FILE.json", help="with --published: the release's derived numbers"
    )
    parser.add_argument(
        "--json", type=Path, metavar="OUT.json", help="with --published: write every number there"
    )


def run(args: argparse.Namespace) -> int:
    """Print the comparison."""
    if not 0 <= args.tolerance < math.inf:
        raise InputError(f"--tolerance {args.tolerance}: give a deviation from 0, such as 1e-8")
    if args.limit is not None and args.limit < 1:
        raise InputError(f"--limit {args.limit}: give a number of differences, from 1")
    regenerated = args.regenerated or Path("results", args.suite, "derived")
    if args.published:
        return _published(regenerated, args)
    for option in ("reference", "json"):
        if getattr(args, option) is not None:
            raise InputError(f"--{option} goes with --published")
    from analysis.pipeline.check import compare_folders

    committed = args.committed or Path("derived", args.suite)
    comparison = compare_folders(regenerated, committed, args.tolerance)
    print(f"{regenerated} against {committed}: {comparison.report(args.limit or 20)}", end="")
    return 0 if comparison.passed else 1


def _published(folder: Path, args: argparse.Namespace) -> int:
    from analysis.output import require_writable, write_json
    from analysis.pipeline.derived import Derived
    from analysis.publication.entries import UNEXPLAINED, with_causes
    from analysis.publication.keys import Source
    from analysis.publication.printed_tables import compare_tables
    from analysis.publication.release import compare_release, read_reference
    from analysis.publication.report import as_values, render

    if args.json is not None:
        require_writable(args.json)
    source = Source(Derived(folder))
    parts = {"as printed": compare_tables(source)}
    if args.reference is not None:
        parts["at full precision"] = compare_release(source, read_reference(args.reference))
    found = {title: with_causes(entries, source.label) for title, entries in parts.items()}
    if args.json is not None:
        write_json(args.json, {title: as_values(entries) for title, entries in found.items()})
    for title, entries in found.items():
        print(f"{folder} against the publication, {title}\n\n{render(entries, args.limit)}")
    unexplained = any(entry.cause == UNEXPLAINED for entries in found.values() for entry in entries)
    return 1 if unexplained else 0
