"""MiniCheck-Flan-T5-L (Tang et al., 2024): does a document support a claim?

Template, chunks of 500 words, answer pieces and the cut at 0.5 are those of the official package
(https://github.com/Liyan06/MiniCheck, ``minicheck/inference.py``): the decoder's first step, a softmax over the pieces
that begin ``0`` and ``1``.
"""

from __future__ import annotations

from collections.abc import Sequence

from verdicts.comparators.checker import Checker
from verdicts.engines.labels import normalise

#: The vocabulary's pieces: the word start that begins "0" (not supported), and "1" (supported).
PIECES = ("\N{LOWER ONE EIGHTH BLOCK}", "\N{LOWER ONE EIGHTH BLOCK}1")


def wrap(claim: str) -> tuple[str, str]:
    """What stands before and after the document."""
    return "predict: ", f"</s>{claim}"


def support(masses: Sequence[float]) -> tuple[float, float] | None:
    """The share of ``1`` in the two pieces' masses, and the mass on neither."""
    probabilities, off_label = normalise(masses)
    return None if probabilities is None or off_label is None else (probabilities[1], off_label)


ADAPTER = Checker(
    name="minicheck_ft5", version=1, wrap=wrap, answers=PIECES, support=support, chunk=500, unit="words"
)
