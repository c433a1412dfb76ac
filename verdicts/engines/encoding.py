"""From a prompt to the tokens that a judge reads: the chat template, the answer's prefix, the labels."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

from raim.errors import InputError
from verdicts.engines.truncation import Shortened, middle_out
from verdicts.reasoning import OPENING
from verdicts.records.canonical import sha256_text


class Encoder:
    """A checkpoint's tokenizer under a condition's ``chat``.

    The chat template is applied (one user turn, no system message) with the chat's ``kwargs``, and has to have its
    hash; with None the prompt is sent as it is. Raises InputError where the tokenizer applies another template.
    """

    def __init__(self, tokenizer: Any, chat: Mapping[str, Any] | None, folder: Path) -> None:
        self._tokenizer = tokenizer
        self._chat: dict[str, Any] | None = None
        if chat is not None:
            template = _template(tokenizer)
            if sha256_text(template) != chat["template"]:
                raise InputError(
                    f"{folder}: its tokenizer applies another chat template than the one in the folder; fetch its "
                    f"weights again, or upgrade transformers"
                )
            kwargs = dict(chat["kwargs"])
            day = kwargs.pop("strftime_now", None)
            self._chat = {**kwargs, "chat_template": template if day is None else _on_day(template, day)}
        #: What the chat template has written of the reply: the opening of its reasoning, or nothing.
        self.opening = OPENING if self._text("").rstrip().endswith(OPENING) else ""

    def tokens(self, prompt: str, prefix: str = "") -> list[int]:
        """Token ids of the prompt, ready to be answered, with the answer's prefix."""
        # A template prints its own special tokens; a bare prompt gets the tokenizer's.
        ids: list[int] = self._tokenizer.encode(
            self._text(prompt) + prefix, add_special_tokens=self._chat is None
        )
        return ids

    def _text(self, prompt: str) -> str:
        if self._chat is None:
            return prompt
        turn = [{"role": "user", "content": prompt}]
        text: str = self._tokenizer.apply_chat_template(
            turn, tokenize=False, add_generation_prompt=True, **self._chat
        )
        return text

    def exchange(self, request: str, response: str) -> list[int]:
        """Token ids of a user's turn and the answer to it, as a reward model reads them."""
        turns = [{"role": "user", "content": request}, {"role": "assistant", "content": response}]
        text = self._tokenizer.apply_chat_template(turns, tokenize=False, **(self._chat or {}))
        ids: list[int] = self._tokenizer.encode(text, add_special_tokens=False)
        return ids

    def shorten(self, prompt: str, budget: int) -> Shortened:
        """The prompt cut to ``budget`` tokens by the published rule, before the chat template is applied."""
        return middle_out(self._tokenizer, prompt, budget)

    def count(self, text: str) -> int:
        """Number of a text's own tokens."""
        return len(self._tokenizer.encode(text, add_special_tokens=False))

    def label_tokens(self, prompt: str, prefix: str, label: str) -> tuple[int, ...]:
        """The label's tokens as they stand behind the prefix: without it some tokenizers cut a label otherwise.

        Raises InputError where the tokenizer joins the two, so that no token begins the label.
        """
        head, whole = self.tokens(prompt, prefix), self.tokens(prompt, prefix + label)
        if whole[: len(head)] != head or len(whole) == len(head):
            raise InputError(
                f"the tokenizer joins the answer prefix {prefix!r} and the label {label!r}; move the space between them"
            )
        return tuple(whole[len(head) :])


def _template(tokenizer: Any) -> str:
    try:
        return str(tokenizer.get_chat_template())
    except ValueError:  # It has none.
        return ""


def _on_day(template: str, day: Any) -> str:
    """The template as it reads on a day (ISO 8601), whatever today is: its calls of the clock are written out."""
    try:
        fixed = date.fromisoformat(day)
    except (TypeError, ValueError) as error:
        raise InputError(
            f'chat_kwargs: strftime_now: {day!r} is no date; give one such as "2026-01-31"'
        ) from error
    written = re.sub(
        r"""strftime_now\(\s*(['"])(.*?)\1\s*\)""", lambda call: repr(fixed.strftime(call[2])), template
    )
    if "strftime_now(" in written:
        raise InputError(
            "chat_kwargs: strftime_now: the template computes its date format; fix its own variable instead"
        )
    return written
