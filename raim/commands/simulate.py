"""Simulate the suite `sim`: panels of the paper's size with its members' kappas and error correlations.

No judge is asked. The same seed gives the same bytes. `docs/simulation.md` says what the suite can and cannot show.
"""

from __future__ import annotations

import argparse
from pathlib import Path

NAME = "simulate"
HELP = "write the simulated suite"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of the command."""
    parser.add_argument("--out", type=Path, required=True, help="folder of the suite, such as suites/sim")
    parser.add_argument("--seed", type=int, default=0, help="seed of all draws (default: %(default)s)")
    parser.add_argument(
        "--replicates",
        type=int,
        metavar="N",
        help="instead of one suite, draw N from this seed on and write to the file --out how their unfitted kappas "
        "compare with the published ones",
    )
    parser.add_argument(
        "--equal-recalls",
        action="store_true",
        help="with --replicates: give every member the same recall on both classes, kappas and correlations kept",
    )


def run(args: argparse.Namespace) -> int:
    """Draw, fit, write, and say how near the fit comes."""
    from raim.errors import InputError

    if args.seed < 0:
        raise InputError(f"--seed {args.seed}: give a whole number from 0 on")
    if args.replicates is not None:
        if args.replicates < 2:
            raise InputError(f"--replicates {args.replicates}: give 2 or more")
        return _replicates(args)
    if args.equal_recalls:
        raise InputError("--equal-recalls goes with --replicates: the suite has the published recalls")
    return _suite(args.out, args.seed)


def _suite(out: Path, seed: int) -> int:
    import numpy as np

    from analysis.simulation.build import simulate_suite
    from analysis.simulation.competence import member_tables
    from analysis.simulation.refine import deviations
    from analysis.simulation.targets import read_targets
    from analysis.simulation.write import write
    from raim.errors import InputError

    if out.exists() and not out.is_dir():
        raise InputError(f"--out {out}: is a file; name a folder")
    if out.is_dir() and any(out.iterdir()) and not (out / "suite.json").exists():
        raise InputError(f"--out {out}: holds something else than a suite; name a new folder")
    targets = read_targets()
    simulated = dict(simulate_suite(targets, member_tables(targets), seed))
    for name, one in simulated.items():
        votes = np.column_stack([one.votes[member] for member in targets.members])
        off = deviations(votes, one.items.gold, targets.benchmarks[name].phi)
        print(
            f"{name:11s} error correlations: mean off by {off.mean():+.5f}, a pair by at most {np.abs(off).max():.5f}; "
            f"{one.swaps} votes exchanged; latent correlation within pairs {one.dependence:+.3f}, "
            f"of comparators with the panel's mean {one.agreement:.3f}"
        )
        if one.second is not None:
            weights = [one.second.weights[member] for member in targets.members]
            supported, hallucinated = one.second.shares
            print(
                f"{'':11s} second arms: weight of a member's own normal {min(weights):.2f} to {max(weights):.2f}, "
                f"common share of the rest {supported:.2f} on supported and {hallucinated:.2f} on hallucinated items; "
                f"{one.second.swaps} votes exchanged"
            )
    digest = write(targets, simulated.items(), out, seed)
    print(f"{out}: SIMULATED suite, release digest {digest}")
    return 0


def _replicates(args: argparse.Namespace) -> int:
    from analysis.output import require_writable, write_json
    from analysis.simulation.competence import member_tables
    from analysis.simulation.confusions import with_equal_recalls
    from analysis.simulation.replicates import replicate
    from analysis.simulation.targets import read_targets
    from analysis.terminal import table

    require_writable(args.out)
    targets = read_targets()
    tables = member_tables(targets)
    if args.equal_recalls:
        tables = {
            name: {member: with_equal_recalls(one) for member, one in members.items()}
            for name, members in tables.items()
        }
    result = replicate(targets, tables, range(args.seed, args.seed + args.replicates))
    write_json(args.out, result)
    rows = [("method", "distance", "absolute", "largest", "sd of a suite", "within 2 sd")]
    rows += [
        (
            method,
            f"{entry['mean_distance']:+.3f}",
            f"{entry['mean_absolute_distance']:.3f}",
            f"{entry['largest_distance']:.3f}",
            f"{entry['mean_sd']:.3f}",
            f"{entry['within']}/{entry['benchmarks']}",
        )
        for method, entry in result["summary"].items()
    ]
    print(table(rows))
    return 0
