"""Rows from the hub, at the revision that a benchmark pins."""

from __future__ import annotations

from raim.errors import InputError
from verdicts.benchmarks.spec import Row, Source

#: Environment variable that holds a reader's access token; it is read by the hub's client alone.
TOKEN_VARIABLE = "HF_TOKEN"  # noqa: S105


def how_to_get(source: Source) -> str:
    """Where a reader gets the file of a source that is not on the hub."""
    return source.local or f"not on the hub: get the file from its publisher ({source.page})"


def hub_rows(source: Source) -> list[Row]:
    """All rows of a source's split, in the hub's order.

    Raises InputError that says what to do where the client is missing, the hub cannot be reached, access has
    to be asked for, or the data set, revision, configuration or split is gone.
    """
    if source.hub is None:
        raise InputError(f"{how_to_get(source)}, and give its path (`sources` in the configuration)")
    try:
        import datasets
    except ImportError as error:
        raise InputError(
            f"reading {source.hub} from the hub needs the package `datasets`; install it "
            "(`pip install datasets`) or give the path of a local file"
        ) from error
    try:
        # The rows are read here too: what the client has on disk may be damaged.
        return list(
            datasets.load_dataset(source.hub, source.config, split=source.split, revision=source.revision)
        )
    # The client raises some twenty kinds of error here, its own, its transport's and the system's. All mean
    # that these rows cannot be had; the remedy is chosen by what the message says.
    except Exception as error:
        raise InputError(_remedy(source, error)) from error


def _remedy(source: Source, error: Exception) -> str:
    message = " ".join(str(error).split())
    # A publisher may close what was open; what is closed may also look as if it were gone.
    if "gated" in message or (source.gated and "cannot be accessed" in message):
        return (
            f"{source.hub} is gated: ask for access at {source.page}, then set {TOKEN_VARIABLE} to a token of "
            f"that account, or give the path of a local file ({message})"
        )
    if isinstance(error, ConnectionError):
        return (
            f"{source.hub}: the hub cannot be reached; try again with a connection, or give the path "
            f"of a local file ({message})"
        )
    pinned = f"{source.hub} ({source.config or 'default'}, {source.split}) at revision {source.revision}"
    return (
        f"{pinned} cannot be loaded: {message}. If its publisher moved or changed it, see {source.page} and "
        "give the path of a local copy"
    )
