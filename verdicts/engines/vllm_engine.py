"""vLLM: the engine for GPUs, with a CPU build for tests.

The same token ids are sent as the transformers engine reads, so a judge is asked the same under both. Prompts go in
sorted, so that those over one document are neighbours and share its cached prefix. Greedy unless asked to sample; one
judge a process.
"""

from __future__ import annotations

import hashlib
import logging
import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeVar

from raim.errors import InputError
from verdicts.engines.base import LabelLogprobs, Overflow, Reply
from verdicts.engines.encoding import Encoder
from verdicts.engines.memory import out_of_memory
from verdicts.engines.vllm_start import Starter, prepare
from verdicts.judges.roster import Judge
from verdicts.plan import Settings

log = logging.getLogger(__name__)
Answer = TypeVar("Answer")
Tokens = tuple[int, ...]

#: Token ids whose log-probabilities vLLM gives at one position (its ``MAX_LOGPROB_TOKEN_IDS``).
MOST_LABEL_TOKENS = 128


def load(
    judge: Judge, folder: Path | None, chat: Mapping[str, Any] | None, settings: Settings, threads: int
) -> VllmEngine:
    """The engine with a judge's checkpoint, on the visible GPUs, or on ``threads`` CPU threads where there is none."""
    if folder is None:
        raise InputError(f"{judge.name} has no checkpoint that the vllm engine could load")
    prepare(threads)
    from transformers import AutoTokenizer
    from vllm import SamplingParams

    try:
        tokenizer = AutoTokenizer.from_pretrained(folder, trust_remote_code=bool(judge.remote_code))
    # A damaged file can make the libraries raise anything.
    except Exception as error:
        raise InputError(f"{folder}: cannot load the tokenizer ({error}); fetch its weights again") from error
    return VllmEngine(
        Starter(judge, folder, settings, threads),
        SamplingParams,
        tokenizer,
        Encoder(tokenizer, chat, folder),
        context=settings.context_of(judge),
        batch_size=settings.batch_size,
    )


class VllmEngine:
    """A judge held by vLLM.

    ``start`` loads it for so many prompts at once and says what it runs on; ``sampling`` makes vLLM's parameters of a
    request. Both are handed in, so that what cannot be had on demand (memory that runs out) can be tested.
    """

    name = "vllm"

    def __init__(
        self,
        start: Starter,
        sampling: Callable[..., Any],
        tokenizer: Any,
        encoder: Encoder,
        *,
        context: int,
        batch_size: int,
    ) -> None:
        self._start = start
        self._sampling = sampling
        self._tokenizer = tokenizer
        self.encoder = encoder
        self._context = context
        self._batch_size = batch_size
        self._llm = start(batch_size)

    @property
    def devices(self) -> int:
        """The number of GPUs that hold the judge; 1 on a CPU."""
        return self._start.devices

    @property
    def hardware(self) -> str:
        """The GPUs' name and number, or the processor's kind and the number of threads."""
        return self._start.hardware

    def versions(self) -> Mapping[str, str]:
        """Versions of vllm, torch and transformers."""
        return self._start.versions()

    def generate(self, prompts: Sequence[str], max_new_tokens: int) -> list[Reply | Overflow]:
        """Greedy replies of at most ``max_new_tokens`` tokens, in the order of the prompts."""
        return self._replies(prompts, max_new_tokens, ignore_eos=False)

    def generate_exactly(self, prompts: Sequence[str], new_tokens: int) -> list[Reply | Overflow]:
        """Greedy replies of ``new_tokens`` tokens each, past the tokens that would end them: for timing."""
        return self._replies(prompts, new_tokens, ignore_eos=True)

    def _replies(
        self, prompts: Sequence[str], max_new_tokens: int, *, ignore_eos: bool
    ) -> list[Reply | Overflow]:
        # The chosen token's log-probability tells whether the logits were numbers.
        params = self._sampling(
            temperature=0.0, max_tokens=max_new_tokens, ignore_eos=ignore_eos, logprobs=0, detokenize=False
        )
        return self._answer(
            [self.encoder.tokens(prompt) for prompt in prompts],
            max_new_tokens,
            lambda rows: [
                self._reply(row, out.outputs[0])
                for row, out in zip(rows, self._ask(rows, params), strict=True)
            ],
        )

    def sample(
        self, prompts: Sequence[str], max_new_tokens: int, *, samples: int, temperature: float, seed: int
    ) -> list[list[Reply] | Overflow]:
        """``samples`` replies a prompt, each drawn with a seed of its own, in the order of the prompts."""

        def ask(rows: Sequence[list[int]]) -> list[list[Reply]]:
            draws = [(row, number) for row in rows for number in range(samples)]
            params = [
                self._sampling(
                    temperature=temperature,
                    seed=_draw_seed(seed, row, number),
                    max_tokens=max_new_tokens,
                    logprobs=0,
                    detokenize=False,
                )
                for row, number in draws
            ]
            outs = self._ask([row for row, _ in draws], params)
            replies = [self._reply(row, out.outputs[0]) for (row, _), out in zip(draws, outs, strict=True)]
            return [replies[start : start + samples] for start in range(0, len(replies), samples)]

        return self._answer([self.encoder.tokens(prompt) for prompt in prompts], max_new_tokens, ask)

    def score(
        self, prompts: Sequence[str], prefix: str, labels: Sequence[str]
    ) -> list[LabelLogprobs | Overflow]:
        """Log-probabilities of the labels' tokens after each prompt and the prefix, in the order of the prompts."""
        if not prompts:
            return []
        label_tokens = [self.encoder.label_tokens(prompts[0], prefix, label) for label in labels]
        return self._answer(
            [self.encoder.tokens(prompt, prefix) for prompt in prompts],
            max(map(len, label_tokens)),
            lambda rows: self._score(rows, label_tokens),
        )

    def _score(self, rows: Sequence[list[int]], labels: Sequence[Tokens]) -> list[LabelLogprobs]:
        """One request for each prompt and each beginning of a label, reading the position after it.

        vLLM has log-probabilities of a prompt's own tokens too, but computes such prompts without its cache. Here all
        but the last block of each request comes from the request before.
        """
        asked = sorted({token for label in labels for token in label})
        if len(asked) > MOST_LABEL_TOKENS:
            raise InputError(
                f"the labels are made of {len(asked)} different tokens, and vLLM reads at most {MOST_LABEL_TOKENS} at "
                f"a position; ask for fewer labels, or use the transformers engine"
            )
        begun = sorted({label[:depth] for label in labels for depth in range(len(label))})
        # Every request asks for the same ids: of requests that differ vLLM pads the shorter ones with token 0.
        params = self._sampling(temperature=0.0, max_tokens=1, logprob_token_ids=asked, detokenize=False)
        requests = [[*row, *beginning] for row in rows for beginning in begun]
        outs = iter(self._ask(requests, params))
        answers = []
        for row in rows:
            after = {beginning: next(outs).outputs[0].logprobs[0] for beginning in begun}
            logprobs = tuple(
                tuple(after[label[:i]][label[i]].logprob for i in range(len(label))) for label in labels
            )
            answers.append(LabelLogprobs(logprobs, tuple(labels), len(row)))
        return answers

    def _answer(
        self,
        tokens: Sequence[list[int]],
        room: int,
        ask: Callable[[Sequence[list[int]]], Sequence[Answer]],
    ) -> list[Answer | Overflow]:
        """Ask about what fits the context, sorted by content, and put the answers back in order."""
        answers: list[Answer | Overflow] = [Overflow(len(row)) for row in tokens]
        fits = sorted(
            (i for i, row in enumerate(tokens) if len(row) + room <= self._context),
            key=lambda i: (tokens[i], i),
        )
        for i, answer in zip(fits, ask([tokens[i] for i in fits]), strict=True):
            answers[i] = answer
        return answers

    def _ask(self, requests: Sequence[list[int]], params: Any) -> Sequence[Any]:
        """vLLM's outputs, in order; where memory runs out, the judge is loaded again for half as many at once."""
        while True:
            try:
                return self._run(requests, params)
            except (RuntimeError, MemoryError) as error:
                if not out_of_memory(error):
                    raise
                if self._batch_size == 1:
                    raise InputError(
                        f"a prompt of {max(map(len, requests))} tokens does not fit the memory of this "
                        f"{self._start.device}; use a larger device, a smaller dtype or a smaller context (what was "
                        f"judged is kept)"
                    ) from error
            # Outside the except clause: the error's traceback holds the tensors that filled the memory.
            size, self._batch_size = self._batch_size, self._batch_size // 2
            log.warning("out of memory with %d prompts at once; going on with %d", size, self._batch_size)
            # What is left of the requests would stay in the queue of the old one.
            self._llm = None
            self._llm = self._start(self._batch_size)

    def _run(self, requests: Sequence[list[int]], params: Any) -> Sequence[Any]:
        if not requests:
            return []
        outs: Sequence[Any] = self._llm.generate(
            [{"prompt_token_ids": tokens} for tokens in requests], params, use_tqdm=False
        )
        for tokens, out in zip(requests, outs, strict=True):
            if out.prompt_token_ids != tokens:
                raise RuntimeError("vLLM answered other token ids than it was sent")
        return outs

    def _reply(self, prompt: list[int], out: Any) -> Reply:
        said = list(out.token_ids)
        # The chosen token comes first.
        chosen = [next(iter(position.values())).logprob for position in out.logprobs]
        sound = next((i for i, value in enumerate(chosen) if not math.isfinite(value)), len(said))
        finish: Literal["stop", "length", "not_finite"] = "stop" if out.finish_reason == "stop" else "length"
        if sound < len(said):
            said, finish = said[:sound], "not_finite"
        elif out.finish_reason not in ("stop", "length"):
            raise RuntimeError(f"vLLM ended a request with {out.finish_reason!r}")
        text = self.encoder.opening + self._tokenizer.decode(said, skip_special_tokens=True)
        return Reply(text, finish, len(prompt), len(said))


def _draw_seed(seed: int, prompt: Sequence[int], number: int) -> int:
    """The seed of one draw: what else is asked beside it, and in which order, does not enter."""
    digest = hashlib.sha256(repr((seed, list(prompt), number)).encode()).digest()
    return int.from_bytes(digest[:4], "big")
