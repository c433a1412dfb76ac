"""What a panel costs against a priced model: inference, labels, and the volume from which the panel repays them.

Without --rates the paper's own inputs are used; a file of your own has the form of analysis/published/rates.yaml.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from raim.errors import InputError

NAME = "costs"
HELP = "price a panel against a model behind an API"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument("--rates", type=Path, metavar="FILE.yaml", help="your rates (default: the paper's)")
    parser.add_argument(
        "--against", metavar="MODEL", help="a model that the rates price (default: their first)"
    )
    parser.add_argument("--json", type=Path, metavar="OUT.json", help="write every number there as well")


def run(args: argparse.Namespace) -> int:
    """Price, write the JSON, print the page."""
    from analysis.estimators.costs import PUBLISHED_RATES, compare, read_rates, render
    from analysis.output import require_writable, write_json

    rates = read_rates(args.rates or PUBLISHED_RATES)
    if args.json is not None:
        require_writable(args.json)
    model = args.against or next(iter(rates.api_usd_per_million))
    frontier = rates.api(model)
    if frontier is None:
        raise InputError(
            f"--against {model}: no price; the rates name {', '.join(rates.api_usd_per_million)}"
        )
    comparison = compare(rates, rates.sequence(rates.panel), frontier)
    result = {"source": rates.source, "against": model, **comparison}
    if args.json is not None:
        write_json(args.json, result)
    print(render(result), end="")
    return 0
