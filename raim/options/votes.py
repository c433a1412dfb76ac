"""The options of a file of votes, the same wherever a command reads one."""

from __future__ import annotations

import argparse
from pathlib import Path


def add_votes(parser: argparse.ArgumentParser) -> None:
    """The file, the names of its columns, and what separates them."""
    parser.add_argument("votes", type=Path, metavar="VOTES.csv", help="UTF-8 CSV file with a header")
    add_columns(parser)
    parser.add_argument("--delimiter", default=",", metavar="CHARACTER", help="between fields (default: ,)")


def add_columns(parser: argparse._ActionsContainer) -> None:
    """Names of the columns that are no member's."""
    for name, words in (("item", "item ids"), ("cluster", "cluster ids"), ("gold", "gold labels")):
        parser.add_argument(f"--{name}", default=name, metavar="COLUMN", help=f"{words} (default: {name})")


def add_members(parser: argparse.ArgumentParser) -> None:
    """A choice of members, where not every other column is one."""
    parser.add_argument(
        "--members",
        nargs="+",
        action="extend",
        metavar="COLUMN",
        help="the members (default: all other columns); give it after VOTES.csv",
    )
