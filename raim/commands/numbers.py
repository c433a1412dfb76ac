"""Print every headline number of the paper beside a suite's own, and the derived file and key it is read from.

A suite with other records has other numbers: `raim check --published` says how every table compares.
"""

from __future__ import annotations

import argparse
from pathlib import Path

NAME = "numbers"
HELP = "print the paper's headline numbers with the file and key of each"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument("suite", help="a suite, e.g. cpu")
    parser.add_argument(
        "--derived", type=Path, metavar="DIR", help="its derived numbers (default: derived/SUITE)"
    )
    parser.add_argument("--json", type=Path, metavar="OUT.json", help="write the numbers there as well")


def run(args: argparse.Namespace) -> int:
    """Read the numbers, write the JSON, print the page."""
    from analysis.output import require_writable, write_json
    from analysis.pipeline.derived import Derived
    from analysis.publication.headlines import headlines, render
    from analysis.publication.keys import Source
    from analysis.publication.report import as_values

    folder = args.derived or Path("derived", args.suite)
    if args.json is not None:
        require_writable(args.json)
    source = Source(Derived(folder))
    entries = headlines(source)
    if args.json is not None:
        write_json(args.json, as_values(entries))
    print(f"suite {args.suite}: {source.label}\n\n{render(entries, str(folder))}", end="")
    return 0
