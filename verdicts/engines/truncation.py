"""The published rule for prompts that are too long: the middle is cut out (RAIM's release).

The rule works on the whole prompt, in tokens without special tokens and before the chat template: of a prompt longer
than its budget the first half of the budget and the last half are kept, decoded, and joined by one line that says so.
The release describes that line and quotes nothing of it; the words here are this project's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from raim.errors import InputError

#: What stands where tokens were cut out, on a line of its own.
MARK = "\n... [context truncated] ...\n"
#: Tokens that the rule leaves to the chat template and to the mark.
SLACK = 128


@dataclass(frozen=True)
class Shortened:
    """A prompt as it is asked, and how many of its tokens were cut out of its middle."""

    text: str
    removed: int


def prompt_budget(context: int, reserve: int) -> int:
    """Tokens that a prompt may have beside ``reserve`` tokens of answer.

    Raises InputError where the context has no room for a prompt.
    """
    budget = context - reserve - SLACK
    if budget < 2:
        raise InputError(
            f"a context of {context} tokens has no room for a prompt beside {reserve} tokens of answer and the {SLACK} "
            f"that truncation sets aside; give a longer `context`, fewer `max_new_tokens`, or `truncation: none`"
        )
    return budget


def middle_out(tokenizer: Any, prompt: str, budget: int) -> Shortened:
    """The prompt as it is where it has at most ``budget`` tokens, else without its middle."""
    ids: list[int] = tokenizer.encode(prompt, add_special_tokens=False)
    if len(ids) <= budget:
        return Shortened(prompt, 0)
    head = budget // 2
    kept = ids[:head], ids[len(ids) - (budget - head) :]
    # Nothing that the prompt says may be lost in decoding, a special token's text included.
    parts = [
        tokenizer.decode(part, skip_special_tokens=False, clean_up_tokenization_spaces=False) for part in kept
    ]
    return Shortened(MARK.join(parts), len(ids) - budget)
