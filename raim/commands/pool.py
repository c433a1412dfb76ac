"""Pool judges' score distributions: compare the ways out of fold, recommend one, save it, apply it to new scores.

The file has a header and one row an item and judge: item,cluster,target,judge and either p_1..p_K (the probabilities
of the labels) or score (a decoded score), optionally split (train, validation, test).
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from raim.errors import InputError

NAME = "pool"
HELP = "pool judges' score distributions"

_METHODS = (
    "hard_best_single",
    "soft_best_single",
    "uniform_linear",
    "uniform_log",
    "cov_log",
    "judgemoe",
    "judgemoe_sparse",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument("scores", type=Path, metavar="SCORES.csv", help="UTF-8 CSV file in long format")
    fitting = parser.add_argument_group("fitting")
    fitting.add_argument("--json", type=Path, metavar="OUT.json", help="write every number there as well")
    fitting.add_argument(
        "--save-model",
        type=Path,
        metavar="MODEL.json",
        help="where the fitted pool goes (default: OUT.model.json, or SCORES.model.json in this folder)",
    )
    fitting.add_argument(
        "--method", choices=_METHODS, help="fit and save this one (default: the recommended one)"
    )
    fitting.add_argument("--folds", type=int, default=5, help="folds over clusters (default: %(default)s)")
    fitting.add_argument("--seed", type=int, default=13, help="of folds and training (default: %(default)s)")
    fitting.add_argument(
        "--target-range",
        type=float,
        nargs=2,
        metavar=("LOW", "HIGH"),
        help="ends of the human scale (default: 0 1 if all targets lie on it, else the labels' ends)",
    )
    fitting.add_argument(
        "--labels",
        type=float,
        nargs="+",
        metavar="LABEL",
        help="label set of decoded scores (default: the scores that occur); give it after SCORES.csv",
    )
    applying = parser.add_argument_group("applying")
    applying.add_argument(
        "--model", type=Path, metavar="MODEL.json", help="apply this model instead of fitting"
    )
    applying.add_argument(
        "--predictions",
        type=Path,
        metavar="OUT.csv",
        help="write the predictions there (default: print them)",
    )


def run(args: argparse.Namespace) -> int:
    """Fit and compare, or apply."""
    if args.model is not None:
        return _apply(args)
    if args.predictions is not None:
        raise InputError("--predictions goes with --model; without a model the command fits one")
    return _fit(args)


def _fit(args: argparse.Namespace) -> int:
    from analysis.judgemoe.deploy.model import Model, save_model
    from analysis.judgemoe.deploy.report import analyse
    from analysis.judgemoe.deploy.text import render
    from analysis.judgemoe.sources.long_csv import read_scores
    from analysis.output import require_writable, write_json

    if args.folds < 2:
        raise InputError(f"--folds {args.folds}: give 2 or more")
    if args.seed < 0:
        raise InputError(f"--seed {args.seed}: give 0 or more")
    target = args.save_model or Path(
        args.json.with_name(f"{args.json.stem}.model.json") if args.json else f"{args.scores.stem}.model.json"
    )
    for path in filter(None, (args.json, target)):
        require_writable(path)
        if path.exists() and args.scores.exists() and path.samefile(args.scores):
            raise InputError(f"{path} is the file of scores: name another")
    labels = None if args.labels is None else sorted(set(args.labels))
    ends = None if args.target_range is None else (args.target_range[0], args.target_range[1])
    scores = read_scores(args.scores, target_range=ends, labels=labels)
    values, fitted, method = analyse(scores, folds=args.folds, seed=args.seed, method=args.method)
    cell = scores.cell
    save_model(
        target, Model(method, cell.judges, scores.labels, cell.score_source, scores.target_range, fitted)
    )
    if args.json is not None:
        write_json(args.json, {**values, "model": target.name})
    print(render(values), end="")
    print(f"\nmodel: {method}, saved to {target}")
    return 0


def _apply(args: argparse.Namespace) -> int:
    import numpy as np

    from analysis.judgemoe.deploy.model import apply_model, load_model, predictions_csv
    from analysis.judgemoe.sources.long_csv import read_scores
    from analysis.output import require_writable, write_text

    for option, value in (
        ("--json", args.json),
        ("--save-model", args.save_model),
        ("--method", args.method),
    ):
        if value is not None:
            raise InputError(f"{option} is for fitting; with --model there is --predictions")
    if args.predictions is not None:
        require_writable(args.predictions)
        for source in (args.scores, args.model):
            if args.predictions.exists() and source.exists() and args.predictions.samefile(source):
                raise InputError(f"--predictions {args.predictions} is an input: name another file")
    model = load_model(args.model)
    labels = model.labels if model.score_source == "decoded" else None
    scores = read_scores(args.scores, labels=labels, need_targets=False)
    predictions, distributions = apply_model(model, scores)
    text = predictions_csv(model, scores, predictions, distributions)
    if args.predictions is None:
        print(text, end="")
    else:
        write_text(args.predictions, text)
    empty = int(np.isnan(predictions).sum())
    if empty:
        print(
            f"raim: {empty} of {len(predictions)} items have no prediction: none of the model's judges scored them",
            file=sys.stderr,
        )
    return 0
