"""How many labelled records a panel of judges needs, and from which volume it repays them.

From a pilot (a CSV file as `raim audit` reads it) or from the members' expected kappas and error correlation. Records
are drawn from the population that these describe, under a Gaussian copula (`docs/simulation.md`): at every budget, how
often the sample gives the population's admissibility call, and how the stacker fitted on it does on further records.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from raim.options.votes import add_columns

if TYPE_CHECKING:
    from analysis.simulation.panel import PanelModel
    from analysis.simulation.plan_text import Source

NAME = "panel"
HELP = "labelled records for a panel's admissibility call and stacker, and its break-even"


def add_population(parser: argparse.ArgumentParser, *, pairs: bool) -> None:
    """Options that describe a population: a pilot, or parameters; with ``pairs`` also its prevalence and records."""
    source = parser.add_argument_group("a pilot")
    source.add_argument("votes", nargs="?", type=Path, metavar="PILOT.csv", help="votes on labelled records")
    add_columns(source)
    given = parser.add_argument_group("or parameters")
    given.add_argument(
        "--kappas", nargs="+", type=float, metavar="K", help="one for each member, on even classes"
    )
    given.add_argument("--phi", type=float, metavar="R", help="error correlation of every pair of members")
    given.add_argument(
        "--biases",
        nargs="+",
        type=float,
        metavar="B",
        help="miss rate minus false-alarm rate of each (default: 0)",
    )
    given.add_argument(
        "--coverage", type=float, default=1.0, help="share of committed items (default: %(default)s)"
    )
    if pairs:
        given.add_argument(
            "--prevalence", type=float, default=0.5, help="share of hallucinated items (default: %(default)s)"
        )
        given.add_argument(
            "--matched-pairs",
            action="store_true",
            help="a record is a supported and a hallucinated item, not one item",
        )
    else:
        parser.set_defaults(prevalence=0.5, matched_pairs=False)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of the plan."""
    add_population(parser, pairs=True)
    drawn = parser.add_argument_group("the plan")
    drawn.add_argument(
        "--budgets", nargs="+", type=int, metavar="N", help="labelled records (default: the paper's)"
    )
    drawn.add_argument("--replicates", type=int, default=200, help="samples a budget (default: %(default)s)")
    drawn.add_argument("--seed", type=int, default=0, help="seed of all draws (default: %(default)s)")
    drawn.add_argument("--json", type=Path, metavar="OUT.json", help="write every number there as well")
    costs = parser.add_argument_group("costs, USD (default: the paper's rates, as `raim costs` has them)")
    costs.add_argument("--panel-usd", type=float, metavar="USD", help="the panel's inference on 1,000 items")
    costs.add_argument(
        "--api-usd", type=float, metavar="USD", help="the priced model's inference on 1,000 items"
    )
    costs.add_argument("--label-usd", type=float, metavar="USD", help="one label")


def run(args: argparse.Namespace) -> int:
    """Build the population, plan, print."""
    from analysis.output import require_writable, write_json
    from analysis.simulation.plan_text import Prices, as_json, default_prices, render
    from analysis.simulation.planning import BUDGETS, plan_panel
    from raim.errors import InputError

    budgets = BUDGETS if args.budgets is None else tuple(args.budgets)
    if min(budgets) < 2:
        raise InputError(f"--budgets {min(budgets)}: give 2 records or more")
    if args.replicates < 10:
        raise InputError(f"--replicates {args.replicates}: give 10 or more; a share of fewer says little")
    if args.seed < 0:
        raise InputError(f"--seed {args.seed}: give a whole number from 0 on")
    for option in ("panel_usd", "api_usd", "label_usd"):
        if (value := getattr(args, option)) is not None and not value > 0:
            raise InputError(f"--{option.replace('_', '-')} {value}: give a number above 0")
    if args.json is not None:
        require_writable(args.json)
    model, source = population(args)
    usual = default_prices(len(model.members))
    prices = Prices(
        panel=usual.panel if args.panel_usd is None else args.panel_usd,
        api=usual.api if args.api_usd is None else args.api_usd,
        label=usual.label if args.label_usd is None else args.label_usd,
    )
    plan = plan_panel(model, budgets=budgets, n_replicates=args.replicates, seed=args.seed)
    result = as_json(plan, model, prices, source, args.replicates, args.seed)
    if args.json is not None:
        write_json(args.json, result)
    print(render(result), end="")
    return 0


def population(args: argparse.Namespace) -> tuple[PanelModel, Source]:
    """The population, and where it comes from."""
    from analysis.panel.votes_csv import Columns, read_votes_csv
    from analysis.simulation.panel import model_from_parameters, model_from_votes
    from analysis.simulation.plan_text import Source
    from analysis.simulation.planning import pilot_certainty
    from raim.errors import InputError

    if args.votes is not None:
        given = [f"--{name}" for name in ("kappas", "phi", "biases") if getattr(args, name) is not None]
        if given or args.matched_pairs:
            raise InputError(f"{', '.join(given) or '--matched-pairs'} beside a pilot: give one or the other")
        panel = read_votes_csv(args.votes, Columns(args.item, args.cluster, args.gold))
        words = f"pilot {args.votes.name}: {panel.n_items} items in {panel.n_clusters} records"
        return model_from_votes(panel), Source(words, pilot_certainty(panel, seed=args.seed))
    if args.kappas is None or args.phi is None:
        raise InputError("give a pilot's file of votes, or --kappas and --phi")
    model = model_from_parameters(
        args.kappas,
        args.phi,
        biases=args.biases,
        coverage=args.coverage,
        prevalence=args.prevalence,
        matched_pairs=args.matched_pairs,
    )
    return model, Source(f"parameters: {len(args.kappas)} members, error correlation {args.phi:g}")
