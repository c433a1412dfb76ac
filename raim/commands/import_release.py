"""Write the authors' public release, as users download it, as the suite `paper`: their own votes in this format.

PATH is the analysis repository (or its votes-only folder `verdicts`), or the verdict repository (or its unpacked
folder `runs`). Every file is checked against the release's manifest or lock and every row against the item index;
anything else than the release is refused by name. Nothing is downloaded.
"""

from __future__ import annotations

import argparse
from pathlib import Path

NAME = "import-release"
HELP = "write the paper's public release as a suite"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("path", type=Path, metavar="PATH", help="folder of the downloaded release")
    parser.add_argument(
        "--out", type=Path, default=Path("suites/paper"), help="folder of the suite (default: %(default)s)"
    )
    parser.add_argument(
        "--manifest",
        type=Path,
        metavar="FILE.json",
        help="manifest or lock (default: the one beside the tree)",
    )
    parser.add_argument(
        "--index",
        type=Path,
        metavar="DIR",
        help="folder of <benchmark>.tsv indices (`raim index`) in place of the shipped ones",
    )


def run(args: argparse.Namespace) -> int:
    """Import, and say what was found."""
    from verdicts.release.importing import import_release

    found = import_release(args.path, args.out, manifest=args.manifest, index=args.index)
    print(f"release {found.digest}")
    for name in found.lacking:
        print(f"not in this download: {name}")
    for note in found.notes:
        print(f"note: {note}")
    print(f"{args.out}: {sum(found.verdicts.values())} verdicts in {len(found.verdicts)} record files")
    return 0
