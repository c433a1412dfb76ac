"""Bespoke-MiniCheck-7B: does a document support a claim, answered Yes or No?

Both messages are those of the official package (https://github.com/Liyan06/MiniCheck, ``minicheck/utils.py``), word for
word, in the turns of the checkpoint's InternLM 2.5 template. As the package has it, the probability of support is that
of the answer Yes itself, in either case, cut at 0.5: all else counts against the claim. The paper's chunks are 30,000
tokens long.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from verdicts.comparators.checker import Checker

SYSTEM = (
    "Determine whether the provided claim is consistent with the corresponding document. Consistency in this context "
    "implies that all information presented in the claim is substantiated by the document. If not, it should be "
    "considered inconsistent. Please assess the claim's consistency with the document by responding with either "
    '"Yes" or "No".'
)
ANSWERS = ("Yes", "yes", "No", "no")


def wrap(claim: str) -> tuple[str, str]:
    """What stands before and after the document."""
    before = f"<|im_start|>system\n{SYSTEM}<|im_end|>\n<|im_start|>user\nDocument: "
    return before, f"\nClaim: {claim}<|im_end|>\n<|im_start|>assistant\n"


def support(masses: Sequence[float]) -> tuple[float, float] | None:
    """The mass of Yes, and the mass that is on neither answer; None where they are not finite or all zero."""
    total = math.fsum(masses)
    if not math.isfinite(total) or total <= 0.0:
        return None
    return min(1.0, masses[0] + masses[1]), max(0.0, 1.0 - total)


ADAPTER = Checker(
    name="bespoke_minicheck",
    version=1,
    wrap=wrap,
    answers=ANSWERS,
    support=support,
    chunk=30_000,
    unit="tokens",
)
