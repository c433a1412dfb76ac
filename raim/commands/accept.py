"""Make the regenerated derived tier of a suite the committed one, after showing what changes.

The one way to change committed numbers on purpose; review the result with `git diff`.
"""

from __future__ import annotations

import argparse
from pathlib import Path

NAME = "accept"
HELP = "replace a suite's committed numbers by the regenerated ones"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The suite."""
    parser.add_argument("suite", help="suite whose numbers are accepted, e.g. cpu")
    parser.add_argument("--limit", type=int, default=20, help="differences to print (default: %(default)s)")


def run(args: argparse.Namespace) -> int:
    """Replace ``derived/SUITE`` as a whole."""
    import shutil

    from analysis.pipeline.check import compare_folders
    from raim.errors import InputError

    regenerated, committed = Path("results", args.suite, "derived"), Path("derived", args.suite)
    if not any(regenerated.rglob("*.json")):
        raise InputError(
            f"{regenerated}: nothing was regenerated; run the workflow first (`snakemake --cores all`)"
        )
    if committed.is_dir():
        print(compare_folders(regenerated, committed).report(args.limit), end="")
    # Copied beside and swapped in, so that an interruption leaves the old tier or the new one.
    fresh, old = committed.with_name(f".{args.suite}.new"), committed.with_name(f".{args.suite}.old")
    for leftover in (fresh, old):
        shutil.rmtree(leftover, ignore_errors=True)
    shutil.copytree(regenerated, fresh)
    if committed.exists():
        committed.rename(old)
    fresh.rename(committed)
    shutil.rmtree(old, ignore_errors=True)
    print(f"accepted: {committed} holds the regenerated numbers; review them with `git diff {committed}`")
    return 0
