"""What each reading of the stacked panel costs where classes are uneven, by simulation over class shares.

From a pilot (a CSV file as `raim audit` reads it) or from the members' expected kappas and error correlation.
`docs/audit.md` says what the readings are.
"""

from __future__ import annotations

import argparse
from pathlib import Path

NAME = "prevalence"
HELP = "the stacker's readings over class shares"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of the plan."""
    from raim.plans.panel import add_population

    add_population(parser, pairs=False)
    drawn = parser.add_argument_group("the plan")
    drawn.add_argument(
        "--prevalences", nargs="+", type=float, metavar="P", help="class shares (default: 0.05 to 0.95)"
    )
    drawn.add_argument("--records", type=int, default=1000, help="labelled records (default: %(default)s)")
    drawn.add_argument("--replicates", type=int, default=50, help="samples a share (default: %(default)s)")
    drawn.add_argument("--seed", type=int, default=0, help="seed of all draws (default: %(default)s)")
    drawn.add_argument("--json", type=Path, metavar="OUT.json", help="write every number there as well")


def run(args: argparse.Namespace) -> int:
    """Simulate and print."""
    from analysis.output import require_writable, write_json
    from analysis.simulation.prevalence_study import PREVALENCES, prevalence_study
    from analysis.simulation.prevalence_text import render
    from raim.errors import InputError
    from raim.plans.panel import population

    prevalences = PREVALENCES if args.prevalences is None else tuple(args.prevalences)
    if not all(0 < share < 1 for share in prevalences):
        raise InputError(f"--prevalences {' '.join(map(str, prevalences))}: give numbers between 0 and 1")
    for option, value, least in (
        ("--records", args.records, 50),
        ("--replicates", args.replicates, 2),
        ("--seed", args.seed, 0),
    ):
        if value < least:
            raise InputError(f"{option} {value}: give {least} or more")
    if args.json is not None:
        require_writable(args.json)
    model, source = population(args)
    entries = prevalence_study(
        model, prevalences=prevalences, n_records=args.records, n_replicates=args.replicates, seed=args.seed
    )
    result = {
        "schema_version": 1,
        "source": source.words,
        "n_records": args.records,
        "n_replicates": args.replicates,
        "seed": args.seed,
        "prevalences": entries,
    }
    if args.json is not None:
        write_json(args.json, result)
    print(render(result), end="")
    return 0
