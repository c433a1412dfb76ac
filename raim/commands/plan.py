"""Plan a study before it is paid for: how many labels it needs, and when it pays."""

from __future__ import annotations

import argparse
import importlib
import pkgutil

from raim import plans

NAME = "plan"
HELP = "how many labels a study needs, from a pilot or by simulation"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """One subparser for each module of ``raim.plans``."""
    kinds = parser.add_subparsers(dest="kind", required=True, metavar="STUDY")
    for name in sorted(module.name for module in pkgutil.iter_modules(plans.__path__)):
        module = importlib.import_module(f"raim.plans.{name}")
        kind = kinds.add_parser(module.NAME, help=module.HELP, description=module.__doc__)
        module.add_arguments(kind)
        kind.set_defaults(plan=module.run)


def run(args: argparse.Namespace) -> int:
    """Run the study's plan."""
    status: int = args.plan(args)
    return status
