"""How many items must be annotated for the alternative annotator test?

Without a pilot the study is simulated as in appendix C of the paper: how reliable the humans are (--human-kappa or
--human-noise), how good the judge is (--judge-accuracy or --judge-noise), how many annotators and categories. With a
pilot (--humans, --judges) its items are resampled.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from raim.errors import InputError

if TYPE_CHECKING:
    from analysis.alt_test.planning import Plan

NAME = "alt-test"
HELP = "items to annotate for the alternative annotator test"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the plan's options."""
    parser.add_argument(
        "--epsilon", type=float, required=True, help="cost-benefit penalty that the study will use"
    )
    parser.add_argument(
        "--power", type=float, default=0.8, help="wanted probability of passing (default: 0.8)"
    )
    parser.add_argument(
        "--sizes",
        default="30:300:10",
        metavar="FIRST:LAST:STEP",
        help="numbers of items that are tried (default: 30:300:10)",
    )
    parser.add_argument(
        "--seed", type=int, default=0, help="of the simulation or the resampling (default: 0)"
    )
    parser.add_argument("--json", type=Path, metavar="OUT.json", help="write the curve there as well")

    simulated = parser.add_argument_group("by simulation (appendix C)")
    simulated.add_argument(
        "--annotators", type=int, default=3, metavar="M", help="annotators of an item (default: 3)"
    )
    simulated.add_argument("--categories", type=int, default=4, metavar="K", help="labels (default: 4)")
    humans = simulated.add_mutually_exclusive_group()
    humans.add_argument("--human-kappa", type=float, help="expected Cohen's kappa of two humans")
    humans.add_argument("--human-noise", type=float, help="eta_h: share of their labels that are noise")
    judge = simulated.add_mutually_exclusive_group()
    judge.add_argument("--judge-accuracy", type=float, help="expected accuracy of the judge against gold")
    judge.add_argument("--judge-noise", type=float, help="eta_f: share of its labels that are noise")
    simulated.add_argument("--datasets", type=int, default=50, help="simulated data sets (default: 50)")
    simulated.add_argument("--bootstraps", type=int, default=50, help="samples of each (default: 50)")

    pilot = parser.add_argument_group("from a pilot")
    pilot.add_argument("--humans", type=Path, metavar="H.json", help="the pilot's human labels")
    pilot.add_argument("--judges", type=Path, metavar="J.json", help="the pilot's judges")
    pilot.add_argument("--judge", metavar="NAME", help="the judge to plan for (default: the only one)")
    pilot.add_argument(
        "--score", choices=["accuracy", "neg_rmse", "rank"], default="accuracy", help="alignment score"
    )
    pilot.add_argument("--cluster-separator", metavar="TEXT", help="draw documents: the id before this")


def run(args: argparse.Namespace) -> int:
    """Print the curve and the answer, write the JSON."""
    from analysis.alt_test.planning import plan_json
    from analysis.output import require_writable, write_json

    if args.json is not None:
        require_writable(args.json)
    if (args.humans is None) != (args.judges is None):
        raise InputError("a pilot needs both --humans and --judges")
    simulated = ("human_kappa", "human_noise", "judge_accuracy", "judge_noise")
    given = [f"--{name.replace('_', '-')}" for name in simulated if getattr(args, name) is not None]
    if args.humans is not None and given:
        raise InputError(f"{', '.join(given)} beside a pilot: give one or the other")
    if not -1.0 < args.epsilon < 1.0:
        raise InputError(f"--epsilon {args.epsilon}: give a number between -1 and 1; the paper uses 0 to 0.3")
    if args.seed < 0:
        raise InputError(f"--seed {args.seed}: give a whole number from 0 on")
    if not 0.0 < args.power < 1.0:
        raise InputError(f"--power {args.power}: give a probability between 0 and 1, such as 0.8")
    plan, described = _simulated(args) if args.humans is None else _from_pilot(args)
    if args.json is not None:
        write_json(args.json, {**described, **plan_json(plan)})
    print(_page(plan, described))
    return 0


def _simulated(args: argparse.Namespace) -> tuple[Plan, dict[str, Any]]:
    import numpy as np

    from analysis.alt_test.planning import plan_from_curves
    from analysis.alt_test.simulation.annotations import Noise, noise_of_accuracy, noise_of_kappa
    from analysis.alt_test.simulation.curves import Design, simulate_curves

    if args.human_kappa is None and args.human_noise is None:
        raise InputError("give --human-kappa or --human-noise (0.1 is a kappa of 0.81), or a pilot")
    if args.judge_accuracy is None and args.judge_noise is None:
        raise InputError("give --judge-accuracy or --judge-noise, or a pilot")
    if args.categories < 2:
        raise InputError(f"--categories {args.categories}: give 2 or more")
    human = args.human_noise if args.human_noise is not None else noise_of_kappa(args.human_kappa)
    judge = args.judge_noise
    if judge is None:
        judge = noise_of_accuracy(args.judge_accuracy, args.categories)
    sizes = _sizes(args.sizes)
    design = Design(
        n_sets=args.datasets,
        n_bootstraps=args.bootstraps,
        n_items=max(500, sizes[-1]),
        n_humans=max(6, args.annotators),
        n_annotators=args.annotators,
        sizes=sizes,
        epsilons=(args.epsilon,),
    )
    curves = simulate_curves(Noise(args.categories, human, judge), np.random.default_rng(args.seed), design)
    described = {
        "source": "simulation",
        "annotators": args.annotators,
        "categories": args.categories,
        "human_noise": human,
        "judge_noise": judge,
        "kappa": curves.kappa,
        "accuracy_with_majority": curves.accuracy,
    }
    return plan_from_curves(curves, args.epsilon, args.power), described


def _from_pilot(args: argparse.Namespace) -> tuple[Plan, dict[str, Any]]:
    import numpy as np

    from analysis.alt_test.evidence import gather_evidence
    from analysis.alt_test.files import before, read_annotations, require_in_ids
    from analysis.alt_test.planning import plan_from_pilot
    from analysis.alt_test.setup import Setup

    judges = read_annotations(args.judges)
    if args.judge is None and len(judges) > 1:
        raise InputError(f"--judge: name the judge to plan for, one of {', '.join(judges)}")
    judge = args.judge or next(iter(judges))
    if judge not in judges:
        raise InputError(f"--judge {judge!r} is none of {', '.join(judges)}")
    setup = Setup(score=args.score, epsilon=args.epsilon, min_items_per_annotator=2)
    humans = read_annotations(args.humans)
    if args.cluster_separator is not None:
        require_in_ids("--cluster-separator", args.cluster_separator, humans)
    evidence = gather_evidence(humans, {judge: judges[judge]}, setup)
    clusters = None if args.cluster_separator is None else before(args.cluster_separator)
    plan = plan_from_pilot(
        evidence, judge, _sizes(args.sizes), np.random.default_rng(args.seed), args.power, clusters=clusters
    )
    n = len(evidence.test.humans.items)
    return plan, {"source": "pilot", "judge": judge, "pilot_items": n}


def _sizes(text: str) -> tuple[int, ...]:
    try:
        first, last, step = map(int, text.split(":"))
        sizes = tuple(range(first, last + 1, step))
    except ValueError:
        sizes = ()
    if not sizes or sizes[0] < 30:
        raise InputError(f"--sizes {text!r}: give FIRST:LAST:STEP with FIRST 30 or more, such as 30:300:10")
    return sizes


def _page(plan: Plan, described: dict[str, Any]) -> str:
    from analysis.terminal import table
    from raim.safe_text import printable

    rows = [["items", "P(pass)", "winning rate", "advantage prob.", "90% of studies"]]
    rows += [
        [
            str(point.n_items),
            f"{point.pass_rate:.2f}",
            f"{point.winning_rate:.2f}",
            f"{point.rho:.3f}",
            f"{point.rho_low:.3f} to {point.rho_high:.3f}",
        ]
        for point in plan.points
    ]
    facts = ", ".join(
        f"{name.replace('_', ' ')} {value:.3g}"
        if isinstance(value, float)
        else f"{name.replace('_', ' ')} {value}"
        for name, value in described.items()
    )
    if plan.n_items is None:
        answer = (
            f"With none of these numbers of items does the judge pass with probability {plan.power:g}. Take more "
            "items, a larger epsilon that you can justify, or a better judge."
        )
    else:
        answer = (
            f"Annotate {plan.n_items} items: from there on it passes with probability {plan.power:g} or more."
        )
    return f"{printable(facts)}; epsilon {plan.epsilon:g}\n\n{table(rows)}\n\n{answer}"
