"""What every script of the workflow wants around its one call: a log file, and clear messages for bad input."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path

from raim.errors import InputError
from raim.safe_text import SafeStream


@contextmanager
def step(log: str | Path) -> Iterator[None]:
    """Send what the block prints to ``log``; end with status 2 and a message where the user can mend the cause.

    The message goes to the terminal as well, since that is where the user looks first.
    """
    terminal = sys.stderr
    with (
        Path(log).open("w", encoding="utf-8") as file,
        redirect_stdout(stream := SafeStream(file)),
        redirect_stderr(stream),
    ):
        try:
            yield
        except InputError as error:
            for place in (stream, SafeStream(terminal)):
                place.write(f"raim: error: {error}\n")
            sys.exit(2)
        except Exception:
            traceback.print_exc(file=stream)
            raise
