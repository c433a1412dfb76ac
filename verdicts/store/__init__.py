"""The user's record store: append-only, crash-safe, shared by any number of writers."""

from verdicts.store.shard import Shard
from verdicts.store.store import Store

__all__ = ["Shard", "Store"]
