"""How a judge behind an API is asked: the ``api`` settings of a plan. None of them enters a record's key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class ApiSettings:
    """Settings of engines behind an API.

    Attributes
    ----------
    concurrency : requests that are under way at once
    requests_per_minute : requests that are begun in a minute
    tokens_per_minute : input tokens that are sent in a minute; None sets no limit but the API's own
    batch : whether prompts are sent as batches, which are cheaper and take up to a day
    cache : whether a document that several prompts share is marked for the API's cache, where that pays
    max_usd : what a judge may cost in this store, over all runs; None sets no cap
    usd_per_million : prices that take the place of the roster's, by kind of token
    folder : where the ledger and the batches under way are kept
    """

    concurrency: int = 8
    requests_per_minute: float = 50.0
    tokens_per_minute: float | None = None
    batch: bool = False
    cache: bool = True
    max_usd: float | None = None
    usd_per_million: Mapping[str, float] = field(default_factory=dict)
    folder: Path = Path("store/api")
