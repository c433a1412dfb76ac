"""What an adapter is: how a purpose-trained judge is prompted, asked, and read as a verdict."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from verdicts.benchmarks.items import Item
from verdicts.frames.task import Task
from verdicts.records.schema import Condition, Distribution, Verdict

if TYPE_CHECKING:
    from verdicts.engines.base import Engine, Failed
    from verdicts.judges.roster import Judge
    from verdicts.plan import Settings

#: The prompt of an item.
Render = Callable[[Task, Item], str]


class Adapter(Protocol):
    """One way of asking a judge, which is neither of the panel's protocols."""

    @property
    def name(self) -> str:
        """Names the adapter in the roster and in its conditions' frames."""

    def render(self, frame: str, task: Task, item: Item) -> str:
        """The prompt of an item under its benchmark's frame, conversation markers included."""

    def condition(
        self, judge: Judge, frame: str, chat: Mapping[str, Any] | None, settings: Settings
    ) -> Condition:
        """The condition of its records under a benchmark's frame."""

    def ask(
        self, engine: Engine, prompts: Sequence[str], condition: Condition
    ) -> Sequence[Verdict | Distribution | Failed]:
        """One value a prompt, in order."""
