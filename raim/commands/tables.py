"""List the tables and figures of the last build: what was made of each suite, and why the rest was not."""

from __future__ import annotations

import argparse
from pathlib import Path

NAME = "tables"
HELP = "list what was made of each suite, and why the rest was not"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The suites, and a page."""
    parser.add_argument("suite", nargs="*", help="suites to list (default: all in the results)")
    parser.add_argument("--results", type=Path, default=Path("results"), help="default: %(default)s")
    parser.add_argument("--page", type=Path, help="also write a Markdown page, such as docs/tables.md")


def run(args: argparse.Namespace) -> int:
    """Print, and write the page if one is asked for."""
    from analysis.output import require_writable, write_text
    from analysis.pipeline.build import SUMMARY, Output, read_summary
    from analysis.pipeline.catalogue import catalogue, in_words
    from raim.errors import InputError

    if args.page is not None:
        require_writable(args.page)
    kinds = ("tables", "figures")
    names = args.suite or sorted(path.parents[1].name for path in args.results.glob(f"*/tables/{SUMMARY}"))
    suites: dict[str, list[Output]] = {}
    for name in names:
        folders = [args.results / name / kind for kind in kinds]
        if missing := [folder for folder in folders if not (folder / SUMMARY).is_file()]:
            raise InputError(f"{missing[0]}: not built; make it with `snakemake --cores all`")
        suites[name] = [output for folder in folders for output in read_summary(folder)]
    if not suites:
        raise InputError(f"{args.results}: no suite is built there; make them with `snakemake --cores all`")
    for name, outputs in suites.items():
        print(f"{name}\n{in_words(outputs)}")
    if args.page is not None:
        write_text(args.page, catalogue(suites))
    return 0
