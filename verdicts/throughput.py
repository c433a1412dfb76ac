"""How fast a judge is, measured as RAIM's appendix H does: full batches, prompts of one length, a fixed decode.

The prompts are filler that differs from its first word on, so that no prompt finds another's beginning in a cache, and
every reply is decoded to the same number of tokens, so that judges that answer briefly are not the faster for it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Protocol

from raim.errors import InputError
from verdicts.engines.base import Overflow, Reply
from verdicts.engines.encoding import Encoder
from verdicts.judges.roster import Judge

SCHEMA_VERSION = 1
#: Prompts that are answered before the clock starts (the release's number).
WARM_UP = 4

_TEXT = (
    "the river rises in the northern hills and after forty miles it reaches the sea where small boats carry grain "
    "and timber to the towns along the coast and return with salt and iron before the first storms of the autumn"
)


class TimedEngine(Protocol):
    """What of an engine is timed: engines that run a judge on this machine."""

    name: str
    devices: int
    encoder: Encoder

    @property
    def hardware(self) -> str:
        """What the answers are computed on."""

    def versions(self) -> Any:
        """Versions of the packages that compute the answers."""

    def generate_exactly(self, prompts: Sequence[str], new_tokens: int) -> Sequence[Reply | Overflow]:
        """Greedy replies of ``new_tokens`` tokens each."""


@dataclass(frozen=True)
class Load:
    """What the judge is given: ``items`` prompts of about ``input_tokens`` tokens, ``batch`` at once."""

    batch: int = 128
    items: int = 128
    input_tokens: int = 500
    new_tokens: int = 68


@dataclass(frozen=True)
class Throughput:
    """A measurement. Rates are of the whole process; ``device_seconds_per_1000_items`` counts each of its devices.

    ``devices`` is the number of GPUs, 1 on a CPU. ``tokens_per_second`` counts the tokens read and decoded,
    ``decoded_per_second`` the decoded ones alone.
    """

    judge: str
    checkpoint: str
    revision: str
    engine: str
    versions: dict[str, str]
    hardware: str
    devices: int
    dtype: str
    load: Load
    input_tokens: float
    seconds: float
    items_per_second: float
    device_seconds_per_1000_items: float
    tokens_per_second: float
    decoded_per_second: float

    def as_json(self) -> dict[str, Any]:
        """Plain values, with the schema's version."""
        return {"schema": SCHEMA_VERSION, **asdict(self)}


def filler(encoder: Encoder, tokens: int, number: int) -> str:
    """A prompt of ``tokens`` tokens, the chat template's among them, or of the nearest number below.

    Raises InputError where the template alone is longer.
    """
    text = _TEXT.split()

    def prompt(words: int) -> str:
        return " ".join([str(number), *(text[(number + i) % len(text)] for i in range(words))])

    if len(encoder.tokens(prompt(0))) > tokens:
        raise InputError(f"--input-tokens {tokens}: the chat template alone takes more; give a larger number")
    low, high = 0, tokens
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if len(encoder.tokens(prompt(middle))) <= tokens else (low, middle - 1)
    return prompt(low)


def measure(
    engine: TimedEngine, judge: Judge, dtype: str, load: Load, clock: Callable[[], float]
) -> Throughput:
    """Time a judge under a load; ``clock`` gives seconds.

    Raises InputError where a prompt does not fit the judge's context, or its logits are no numbers.
    """
    # The warm-up's numbers come after the timed ones': nothing that is timed was seen before.
    prompts = [filler(engine.encoder, load.input_tokens, i) for i in range(load.items + WARM_UP)]
    timed, warm_up = prompts[: load.items], prompts[load.items :]
    engine.generate_exactly(warm_up, load.new_tokens)
    started = clock()
    replies = engine.generate_exactly(timed, load.new_tokens)
    seconds = clock() - started
    read = 0
    for reply in replies:
        if isinstance(reply, Overflow):
            raise InputError(
                f"{judge.name}: {reply.prompt_tokens} and {load.new_tokens} tokens do not fit its context; give fewer "
                f"--input-tokens"
            )
        if reply.reply_tokens != load.new_tokens:
            raise InputError(f"{judge.name}: its logits are no numbers (NaN or infinite): it cannot be timed")
        read += reply.prompt_tokens
    decoded = load.new_tokens * load.items
    return Throughput(
        judge=judge.name,
        checkpoint=judge.judge,
        revision=judge.revision,
        engine=engine.name,
        versions=dict(engine.versions()),
        hardware=engine.hardware,
        devices=engine.devices,
        dtype=dtype,
        load=load,
        input_tokens=read / load.items,
        seconds=seconds,
        items_per_second=load.items / seconds,
        device_seconds_per_1000_items=1000 * seconds * engine.devices / load.items,
        tokens_per_second=(read + decoded) / seconds,
        decoded_per_second=decoded / seconds,
    )


def render(result: Throughput) -> str:
    """The measurement in a few lines."""
    load = result.load
    return (
        f"{result.judge} with {result.engine} on {result.hardware}, {result.dtype}\n"
        f"{load.items} items, {load.batch} at once, of {result.input_tokens:.0f} tokens, {load.new_tokens} decoded\n"
        f"{result.items_per_second:.3f} items/s, {result.device_seconds_per_1000_items:.1f} device-seconds per 1,000 "
        f"items, {result.tokens_per_second:.1f} tokens/s ({result.decoded_per_second:.1f} decoded)\n"
    )
