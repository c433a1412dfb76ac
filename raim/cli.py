"""Entry point: find the commands, parse, run, and turn bad input into a clear message with exit status 2."""

from __future__ import annotations

import argparse
import importlib
import os
import pkgutil
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from types import ModuleType

from raim import commands
from raim.errors import InputError
from raim.safe_text import SafeStream, lines

#: BLAS threads change the order of sums; one thread keeps the numbers the same everywhere. A command with an option
#: `--threads` (judging) asks for its own number.
THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


def discover() -> list[ModuleType]:
    """All modules of ``raim.commands``, by name."""
    names = sorted(module.name for module in pkgutil.iter_modules(commands.__path__))
    return [importlib.import_module(f"raim.commands.{name}") for name in names]


def build_parser() -> argparse.ArgumentParser:
    """The parser with one subparser a command."""
    parser = argparse.ArgumentParser(
        prog="raim", description="When can a panel of cheap judges stand in for an expensive one?"
    )
    subparsers = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for module in discover():
        sub = subparsers.add_parser(module.NAME, help=module.HELP, description=module.__doc__)
        module.add_arguments(sub)
        sub.set_defaults(run=module.run)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit status, 2 for input the user can mend."""
    args = build_parser().parse_args(argv)
    threads = getattr(args, "threads", None)
    for variable in THREAD_VARIABLES:
        # Read by the libraries when they are loaded, which no command does before it runs.
        if threads is None:
            os.environ.setdefault(variable, "1")
        else:
            os.environ[variable] = str(threads)
    try:
        # Whatever a command prints is for people to read: names in it come from other people's files.
        with redirect_stdout(SafeStream(sys.stdout)):
            status: int = args.run(args)
    except InputError as error:
        print(lines(f"raim: error: {error}"), file=sys.stderr)
        return 2
    except BrokenPipeError:
        # The reader (head, less) went away: not an error of ours, and no traceback.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return status


if __name__ == "__main__":
    sys.exit(main())
