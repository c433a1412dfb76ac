"""What the options of ``raim alt-test`` ask for: the judges' labels, and the settings of the test."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from raim.errors import InputError

if TYPE_CHECKING:
    from analysis.alt_test.scores import ScoreLike
    from analysis.alt_test.setup import Clusters, Setup
    from analysis.alt_test.weighting import Weighting

#: Epsilon by who the annotators are (section B.1).
EPSILONS = {"experts": 0.2, "skilled": 0.15, "crowd": 0.1}


def judges_of(args: argparse.Namespace) -> dict[str, Any]:
    """The judges' labels by judge and item, abstentions marked.

    Raises InputError for a file that cannot be used.
    """
    from analysis.alt_test.files import parse_label, read_judges
    from analysis.alt_test.labels import ABSTAINED
    from analysis.alt_test.records import Reading

    supported, hallucinated = map(parse_label, args.verdict_labels)
    judges = read_judges(args.judges, Reading((supported, hallucinated), args.decoding), args.index)
    if args.abstention is None:
        return judges
    abstentions = (args.abstention, parse_label(args.abstention))
    return {
        name: {item: ABSTAINED if label in abstentions else label for item, label in labels.items()}
        for name, labels in judges.items()
    }


def setup_of(args: argparse.Namespace, humans: dict[str, Any]) -> tuple[Setup, str, str | None]:
    """Settings, the reason for epsilon, and the name of the reference (None: the remaining annotators).

    Raises InputError for options that do not go together or lack a value, and for files that cannot be used.
    """
    from analysis.alt_test.files import before, parse_label, read_item_values, require_in_ids
    from analysis.alt_test.setup import Setup
    from analysis.alt_test.weighting import InverseProbability, MinorityLabels

    labels, reference = None, None
    if args.expert is not None:
        if args.expert not in humans:
            raise InputError(f"--expert {args.expert!r} is none of the humans: {', '.join(humans)}")
        labels, reference = humans[args.expert], f"expert {args.expert}"
    elif args.gold is not None:
        labels, reference = read_item_values(args.gold, "label"), "gold"
    epsilon, reason = _epsilon(args)
    clusters: Clusters | None = None
    if args.clusters is not None:
        clusters = read_item_values(args.clusters, "cluster")
    elif args.cluster_separator is not None:
        require_in_ids("--cluster-separator", args.cluster_separator, humans)
        clusters = before(args.cluster_separator)
    weighting: Weighting | None = None
    if args.ipw:
        weighting = InverseProbability()
    elif args.minority:
        weighting = MinorityLabels(tuple(map(parse_label, args.minority)), args.minority_factor)
    quality = None if args.quality is None else _quality(args.quality)
    setup = Setup(
        score=_score(args),
        epsilon=epsilon,
        reference=labels,
        quality=quality,
        quality_in_scores=args.quality_in != "winning-rate",
        quality_in_winning_rate=args.quality_in != "scores",
        weighting=weighting,
        clusters=clusters,
        robust=args.robust,
        few_items=args.few_items,
        min_humans_per_item=args.min_humans,
        min_items_per_annotator=args.min_items,
        seed=args.seed,
    )
    return setup, reason, reference


def _epsilon(args: argparse.Namespace) -> tuple[float, str]:
    if args.epsilon is not None and args.annotators_are is not None:
        raise InputError("give --epsilon or --annotators-are, not both")
    if args.epsilon is not None:
        return args.epsilon, args.epsilon_reason
    if args.annotators_are is not None:
        rule = f"recommended for {args.annotators_are} (appendix B.1)"
        return EPSILONS[args.annotators_are], args.epsilon_reason or rule
    if args.gold is not None:
        return 0.0, args.epsilon_reason or "does the judge outperform humans (appendix D.5)"
    raise InputError("give --epsilon E, or --annotators-are experts|skilled|crowd for the recommended one")


def _score(args: argparse.Namespace) -> ScoreLike:
    from analysis.alt_test.files import parse_label, read_embeddings
    from analysis.alt_test.scores import Accuracy, EmbeddingSimilarity

    if args.label_weight and args.score != "accuracy":
        raise InputError("--label-weight goes with --score accuracy")
    if (args.embeddings is not None) != (args.score == "embeddings"):
        raise InputError("--score embeddings and --embeddings E.json go together")
    if args.score == "embeddings":
        return EmbeddingSimilarity(read_embeddings(args.embeddings))
    if not args.label_weight:
        return str(args.score)
    weights = {}
    for entry in args.label_weight:
        label, equals, weight = entry.rpartition("=")
        try:
            weights[parse_label(label)] = float(weight)
        except ValueError:
            equals = ""
        if not equals:
            raise InputError(f"--label-weight {entry!r}: give LABEL=WEIGHT, such as offensive=3")
    return Accuracy(label_weights=weights)


def _quality(path: Path) -> dict[str, float]:
    from analysis.alt_test.files import read_item_values

    values = read_item_values(path, "quality")
    for name, value in values.items():
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise InputError(f"{path}: the quality of {name!r} is {value!r}; give a positive number")
    return values
