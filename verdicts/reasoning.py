"""Replies of judges that reason aloud: what stands between ``<think>`` and ``</think>`` is never their answer."""

from __future__ import annotations

OPENING = "<think>"
_CLOSING = "</think>"


def answer(reply: str) -> str:
    """What a reply says outside its reasoning: behind the last closed one, up to one that is never closed.

    A reply whose reasoning has no end, or was cut off by the budget of new tokens, has no answer.
    """
    return reply.rpartition(_CLOSING)[2].partition(OPENING)[0]
