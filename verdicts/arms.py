"""What a plan's further arms need: second arms under another frame, and the probe of appendix D."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from raim.errors import InputError
from verdicts.benchmarks import registry
from verdicts.benchmarks.items import Item
from verdicts.benchmarks.spec import Benchmark
from verdicts.frames import fewshot

if TYPE_CHECKING:
    from verdicts.plan import Member


def require_second_arms(members: Sequence[Member], names: Iterable[str]) -> None:
    """Refuse a second arm without a first one, and one that asks nothing else than it.

    ``names`` are the plan's benchmarks. Raises InputError that names the member.
    """
    known, planned = {member.name for member in members}, list(names)
    for member in members:
        if not member.frame:
            continue
        if member.arm_of not in known:
            raise InputError(
                f"members: {member.name}: is a second arm under {member.frame}; give the same judge and "
                f"protocol without `frame` too"
            )
        asked = [name for name in planned if member.judges(name)]
        alike = [name for name in asked if registry.find(name).frame == member.frame]
        if alike:
            raise InputError(
                f"members: {member.name}: asked under {member.frame} anyway: {', '.join(alike)}; name the "
                f"others in its `benchmarks`"
            )


def with_examples(benchmark: Benchmark, items: Sequence[Item]) -> Benchmark:
    """The benchmark with the probe's worked examples, drawn from all its items.

    Raises InputError where it has too few.
    """
    try:
        return replace(benchmark, examples=fewshot.examples(items))
    except ValueError as error:
        raise InputError(f"{benchmark.name}: the probe {error}; leave it out of its members") from error
