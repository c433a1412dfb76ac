"""May a judge replace the human annotators? The alternative annotator test of one or more judges.

Humans and judges are JSON files {annotator: {item: label}} or CSV files with the columns item, annotator, label; judges
may also be released record files (.jsonl.gz). docs/alt_test.md has a worked example.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from raim.errors import InputError
from raim.options.alt_test import EPSILONS, judges_of, setup_of

if TYPE_CHECKING:
    from analysis.alt_test.domains import Domains

NAME = "alt-test"
HELP = "test whether judges may replace human annotators"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument("--humans", type=Path, required=True, metavar="H.json", help="the humans' labels")
    parser.add_argument(
        "--judges", type=Path, required=True, nargs="+", metavar="J.json", help="the judges' labels"
    )
    parser.add_argument("--json", type=Path, metavar="OUT.json", help="write every number there as well")
    parser.add_argument("--q", type=float, default=0.05, help="false discovery rate (default: 0.05)")

    score = parser.add_argument_group("alignment score")
    score.add_argument(
        "--score",
        choices=["accuracy", "neg_rmse", "rank", "embeddings"],
        default="accuracy",
        help="accuracy (default), negative RMSE, negative RMSE of ranks, or cosine of the labels' embeddings",
    )
    score.add_argument(
        "--embeddings", type=Path, metavar="E.json", help="{label: vector}, for --score embeddings"
    )
    score.add_argument(
        "--label-weight",
        action="append",
        default=[],
        metavar="LABEL=WEIGHT",
        help="count votes for this label so often under accuracy (D.4)",
    )

    epsilon = parser.add_argument_group("cost-benefit penalty")
    epsilon.add_argument("--epsilon", type=float, help="epsilon; give a reason for it in the report")
    epsilon.add_argument(
        "--annotators-are",
        choices=list(EPSILONS),
        help="take the epsilon recommended for them: 0.2, 0.15, 0.1",
    )
    epsilon.add_argument(
        "--epsilon-reason", default="", metavar="TEXT", help="why this epsilon; it is reported"
    )
    epsilon.add_argument(
        "--sweep", action="store_true", help="report winning rates for epsilon from 0 to 0.4"
    )

    items = parser.add_argument_group("items and annotators")
    items.add_argument("--min-humans", type=int, metavar="N", help="humans an item needs (default: 2)")
    items.add_argument(
        "--min-items",
        type=int,
        default=30,
        metavar="N",
        help="items an annotator needs (default: 30); below 30 --few-items is used, and flagged",
    )
    items.add_argument(
        "--few-items",
        choices=["wilcoxon", "t"],
        default="wilcoxon",
        help="test below 30 items (default: wilcoxon, as the paper; it rejects too often where most items are ties)",
    )
    items.add_argument(
        "--clusters", type=Path, metavar="C.csv", help="item,cluster: adds the cluster-robust test"
    )
    items.add_argument("--cluster-separator", metavar="TEXT", help="the cluster is the item's id before this")
    items.add_argument(
        "--robust",
        choices=["bootstrap", "t"],
        default="bootstrap",
        help="cluster bootstrap (default), or t-test on cluster sums (for about 100 clusters or more)",
    )
    items.add_argument(
        "--domains", type=Path, metavar="D.csv", help="item,domain: test each, one family of p-values"
    )
    items.add_argument(
        "--domain-separator", metavar="TEXT", help="the domain is the item's id after the last of this"
    )
    items.add_argument(
        "--humans-2", type=Path, metavar="H2.json", help="a second set of annotators, to be combined"
    )
    items.add_argument(
        "--pairings", type=int, default=100, metavar="N", help="pairings of the two sets (default: 100)"
    )

    advanced = parser.add_argument_group("advanced (appendix D)")
    against = advanced.add_mutually_exclusive_group()
    against.add_argument("--expert", metavar="ANNOTATOR", help="the single expert among the humans (D.2)")
    against.add_argument("--gold", type=Path, metavar="G.json", help="{item: label}; epsilon is then 0 (D.5)")
    advanced.add_argument("--quality", type=Path, metavar="Q.json", help="{annotator: quality} (D.3)")
    advanced.add_argument(
        "--quality-in",
        choices=["both", "scores", "winning-rate"],
        default="both",
        help="where quality enters (default: both)",
    )
    weighting = advanced.add_mutually_exclusive_group()
    weighting.add_argument(
        "--ipw", action="store_true", help="inverse probability weighting of the labels (D.1)"
    )
    weighting.add_argument(
        "--minority",
        action="append",
        metavar="LABEL",
        help="weigh items more where one remaining annotator gave this label (D.4)",
    )
    advanced.add_argument("--minority-factor", type=float, default=2.0, help="their weight (default: 2)")
    advanced.add_argument(
        "--seed", type=int, default=0, help="of the cluster bootstrap and of pairings (default: 0)"
    )

    records = parser.add_argument_group("records and abstentions")
    records.add_argument(
        "--index", type=Path, metavar="INDEX.tsv", help="item index: names records' items by uid"
    )
    records.add_argument(
        "--verdict-labels",
        nargs=2,
        default=["0", "1"],
        metavar=("SUPPORTED", "HALLUCINATED"),
        help="how the humans write the two verdicts (default: 0 1)",
    )
    records.add_argument(
        "--decoding",
        choices=["mode", "mean"],
        default="mode",
        help="label read from a distribution (default: mode)",
    )
    records.add_argument(
        "--abstention", metavar="LABEL", help="this label of a judge is an abstention: it loses"
    )


def run(args: argparse.Namespace) -> int:
    """Run the test, write the JSON, print the page and the warnings."""
    from analysis.alt_test.text import render
    from analysis.output import require_writable, write_json
    from raim.safe_text import printable

    if args.seed < 0:
        raise InputError(f"--seed {args.seed}: give a whole number from 0 on")
    if args.pairings < 1:
        raise InputError(f"--pairings {args.pairings}: give 1 or more")
    if args.json is not None:
        require_writable(args.json)
        inputs = [path for name, path in vars(args).items() if isinstance(path, Path) and name != "json"]
        if any(
            path.exists() and args.json.exists() and args.json.samefile(path) for path in inputs + args.judges
        ):
            raise InputError(f"--json {args.json} is an input: name another file")
    report = _report(args)
    if args.json is not None:
        write_json(args.json, report)
    in_domains = [
        f"{domain}: {warning}"
        for domain, one in report.get("domains", {}).items()
        for warning in one["warnings"]
    ]
    for warning in (*report["warnings"], *in_domains):
        print(f"raim: warning: {printable(warning)}", file=sys.stderr)
    print(render(report), end="")
    return 0


def _report(args: argparse.Namespace) -> dict[str, Any]:
    import numpy as np

    from analysis.alt_test.files import after, read_annotations, read_item_values, require_in_ids
    from analysis.alt_test.full_report import Request, combined_report, full_report

    humans: dict[str, Any] = read_annotations(args.humans)
    judges = judges_of(args)
    setup, reason, reference = setup_of(args, humans)
    if args.expert is not None:
        humans = {name: labels for name, labels in humans.items() if name != args.expert}
    domains: Domains | None = None
    if args.domains is not None:
        domains = read_item_values(args.domains, "domain")
    elif args.domain_separator is not None:
        require_in_ids("--domain-separator", args.domain_separator, humans)
        domains = after(args.domain_separator)
    request = Request(setup, args.q, reason, reference, domains, args.sweep)
    if args.humans_2 is None:
        return full_report(humans, judges, request)
    second = read_annotations(args.humans_2)
    return combined_report(humans, second, judges, request, np.random.default_rng(args.seed), args.pairings)
