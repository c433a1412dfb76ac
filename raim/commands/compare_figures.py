"""Compare drawings of figures pixel by pixel: two PNG files, or two folders of them by name.

Fewer than 0.1% of differing pixels pass. Status 1 if a figure differs or one folder lacks it. With --out the differing
pixels of each figure are shown as an image.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from raim.errors import InputError

NAME = "compare-figures"
HELP = "compare figures pixel by pixel"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument("first", type=Path, metavar="A", help="a PNG file or a folder")
    parser.add_argument("second", type=Path, metavar="B", help="another")
    parser.add_argument("--out", type=Path, metavar="DIR", help="folder for the images of the differences")
    parser.add_argument(
        "--limit",
        type=float,
        default=0.001,
        help="share of differing pixels that fails (default: %(default)s)",
    )


def run(args: argparse.Namespace) -> int:
    """Print one line a figure, write the images."""
    from analysis.figures.compare import compare_figures, save_image

    if not 0 < args.limit <= 1:
        raise InputError(f"--limit {args.limit}: give a share above 0 and at most 1")
    differences = compare_figures(args.first, args.second)
    if args.out is not None:
        args.out.mkdir(parents=True, exist_ok=True)
    for difference in differences:
        verdict = "passes" if difference.passed(args.limit) else "DIFFERS"
        share = "-" if difference.share is None else f"{difference.share:.4%} of the pixels differ"
        shown = ""
        if args.out is not None and difference.share:
            path = args.out / difference.name
            save_image(difference, path)
            shown = str(path)
        print("  ".join(filter(None, [verdict, difference.name, share, difference.note, shown])))
    return 0 if all(difference.passed(args.limit) for difference in differences) else 1
