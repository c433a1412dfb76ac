"""A local server in place of the API, and clocks that cost no time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.verdicts.engines.api.server import KEY, Api, serving


class Clock:
    """Time that passes only in sleep."""

    def __init__(self) -> None:
        self.now = 0.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def api(monkeypatch: pytest.MonkeyPatch) -> Iterator[Api]:
    """The server; the environment leads to it, with a key."""
    with serving() as started:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", started.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
        yield started


@pytest.fixture
def make_engine(tmp_path: Path, clock: Clock) -> Callable[..., Any]:
    """An engine with settings of the test's, its files below ``api/``."""
    pytest.importorskip("anthropic", reason="needs the package anthropic")
    from verdicts.engines.anthropic_engine import AnthropicEngine
    from verdicts.engines.api.settings import ApiSettings
    from verdicts.judges.roster import find

    judge = find("claude-sonnet-4.6")
    assert judge.service is not None

    def make(context: int = 200_000, **settings: Any) -> AnthropicEngine:
        given = ApiSettings(**{"requests_per_minute": 1e9, "folder": tmp_path / "api", **settings})
        return AnthropicEngine(
            judge.judge, judge.name, judge.service, context, given, clock=clock, sleep=clock.sleep
        )

    return make
