"""The parts that need no server: pace, prices, ledger, prefixes, parts of a batch, notes on file."""

from __future__ import annotations

import json
import resource
import threading
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from raim.errors import InputError
from tests.verdicts.engines.api.conftest import Clock
from tests.verdicts.store.faults import in_child
from verdicts.engines.api.caching import groups
from verdicts.engines.api.in_flight import InFlight
from verdicts.engines.api.ledger import Ledger
from verdicts.engines.api.messages import Sampling, prompt_name
from verdicts.engines.api.pace import Pace
from verdicts.engines.api.prices import Prices, Usage, most_tokens
from verdicts.judges.roster import find
from verdicts.records.canonical import sha256_text

NOW = datetime(2026, 11, 30, tzinfo=UTC)


def pace(clock: Clock, requests: float, tokens: float | None = None) -> Pace:
    return Pace(requests, tokens, clock, clock.sleep, lambda: False)


def test_requests_begin_evenly(clock: Clock) -> None:
    even, begun = pace(clock, 30), []
    for _ in range(5):
        even.wait(10)
        begun.append(clock.now)
    assert begun == [0.0, 2.0, 4.0, 6.0, 8.0]


def test_long_prompts_take_their_share_of_a_minute(clock: Clock) -> None:
    even, begun = pace(clock, 60, 1000), []
    for tokens in (500, 10, 10):
        even.wait(tokens)
        begun.append(clock.now)
    assert begun == [0.0, 30.0, 31.0]


def test_an_idle_minute_is_not_made_up_for(clock: Clock) -> None:
    even, begun = pace(clock, 60), []
    even.wait(1)
    clock.now = 100.0
    for _ in range(3):
        even.wait(1)
        begun.append(clock.now)
    assert begun == [100.0, 101.0, 102.0]


def test_a_hold_stops_everybody(clock: Clock) -> None:
    even = pace(clock, 6000)
    even.hold(20)
    even.hold(5)
    even.wait(1)
    assert clock.now == 20.0


def test_prices() -> None:
    prices = Prices({"input": 3.0, "output": 15.0, "cache_write": 3.75, "cache_read": 0.3}, 0.5)
    usage = Usage(1_000_000, 100_000, 200_000, 500_000)
    assert prices.of(usage, batch=False) == pytest.approx(3.0 + 1.5 + 0.75 + 0.15)
    assert prices.of(usage, batch=True) == pytest.approx(2.7)
    assert prices.at_most(1000, 384, cached=True, batch=False) == pytest.approx(0.00375 + 0.00576)
    assert most_tokens("é\ud800") == 2 + 3 + 32


def test_the_papers_prices_are_the_rosters(root: Path) -> None:
    """The cost model of the tables and the ledger speak of the same price list."""
    rates = yaml.safe_load((root / "analysis" / "published" / "rates.yaml").read_text(encoding="utf-8"))
    judge = find("claude-sonnet-4.6")
    assert judge.service is not None
    paper = rates["api_usd_per_million"][judge.judge]
    assert {kind: judge.service.usd_per_million[kind] for kind in paper} == paper


def test_a_reserve_waits_for_those_under_way(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "ledger.jsonl", cap=1.0)
    assert ledger.reserve(0.6)
    granted: list[bool] = []
    waiting = threading.Thread(target=lambda: granted.append(ledger.reserve(0.6)))
    waiting.start()
    waiting.join(0.05)
    assert granted == []
    ledger.book({"id": "a"}, Usage(1, 1), 0.1)
    ledger.release(0.6)
    waiting.join(10)
    assert granted == [True]
    assert ledger.left() == pytest.approx(0.3)
    assert not ledger.reserve(0.6, wait=False)
    ledger.release(0.6)
    assert not ledger.reserve(0.95)


def test_processes_see_each_others_bookings(tmp_path: Path) -> None:
    path = tmp_path / "api" / "ledger.jsonl"
    one, other = Ledger(path, 1.0), Ledger(path, 1.0)
    one.book({"id": "a"}, Usage(1, 2, 3, 4), 0.7)
    other.book({"id": "a"}, Usage(1, 2, 3, 4), 0.7)
    assert other.left() == pytest.approx(0.3)
    other.book_lost({"prompt": "p"}, 0.25)
    assert one.left() == pytest.approx(0.05)
    assert (one.spent, other.spent, other.estimated) == (0.7, 0.0, 0.25)
    assert Ledger(path, None).total == pytest.approx(0.95)


def test_a_response_is_booked_once(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    Ledger(path, None).book({"id": "a"}, Usage(1, 1), 0.5)
    later = Ledger(path, None)
    later.book({"id": "a"}, Usage(1, 1), 0.5)
    assert later.total == 0.5
    assert (later.responses, later.spent) == (0, 0.0)


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[]",
        '{"usd": "much", "id": "a"}',
        '{"usd": 1.0}',
        *(f'{{"usd": {usd}, "id": "b"}}' for usd in ("NaN", "-Infinity", "-1", "1e999", "1" + "0" * 400)),
    ],
    ids=["cut", "no object", "text", "no id", "nan", "infinite", "negative", "too large", "larger yet"],
)
def test_a_damaged_ledger_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "ledger.jsonl"
    path.write_text('{"usd": 1.0, "id": "a"}\n' + line + "\n")
    with pytest.raises(InputError, match=r"ledger.jsonl: a line of the ledger cannot be read"):
        Ledger(path, None)


def test_a_line_that_does_not_fit_is_taken_back(tmp_path: Path) -> None:
    """A disk that fills within a line: what stands there stays readable, and the next booking is a line of its own."""
    path = tmp_path / "ledger.jsonl"
    ledger = Ledger(path, None)
    ledger.book({"id": "a"}, Usage(1, 1), 0.1)
    before = path.read_bytes()

    def filled() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 10,) * 2)
        with pytest.raises(
            InputError, match=r"ledger.jsonl: cannot write to the store .* free some disk space"
        ):
            Ledger(path, None).book({"id": "b"}, Usage(1, 1), 0.2)

    assert in_child(filled) == 0
    assert path.read_bytes() == before
    ledger.book({"id": "c"}, Usage(1, 1), 0.3)
    assert Ledger(path, None).total == pytest.approx(0.4)


def test_a_line_that_was_cut_off_is_not_built_upon(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "ledger.jsonl"
    Ledger(path, None).book({"id": "a"}, Usage(1, 1), 0.1)
    whole = path.read_bytes()
    path.write_bytes(whole + whole[:20])
    ledger = Ledger(path, None)
    ledger.book({"id": "b"}, Usage(1, 1), 0.2)
    assert "ledger.jsonl: its last line was cut off" in caplog.text
    assert Ledger(path, None).total == ledger.total == pytest.approx(0.3)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_named(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    ledger = Ledger(path, None)
    path.symlink_to("/dev/full")
    # Only appended to: read, that device would never end.
    ledger._read = lambda: None  # type: ignore[method-assign]
    with pytest.raises(
        InputError, match=r"ledger\.jsonl: cannot write to the store \(No space left on device\)"
    ):
        ledger.book({"id": "a"}, Usage(1, 1), 0.5)


LINES = st.lists(st.sampled_from(["a", "bb", "", " ", "# Claim", "c" * 30]), min_size=1, max_size=8)


@given(st.lists(LINES.map("\n".join), min_size=1, max_size=8), st.integers(1, 10))
@settings(derandomize=True, max_examples=100, deadline=None)
def test_groups_partition_and_blocks_join(prompts: list[str], minimum: int) -> None:
    found = groups(prompts, minimum)
    assert sorted(position for group in found for position in group.positions) == list(range(len(prompts)))
    for group in found:
        members = [prompts[position] for position in group.positions]
        assert len({member[: group.cached] for member in members}) == 1
        assert (group.cached > 0) == (len(members) > 1)
        if group.cached:
            assert group.cached >= 4 * minimum
        for member in members:
            (turn,) = Sampling("m", 1, 0.0).params(member, group.cached)["messages"]
            blocks = turn["content"]
            if isinstance(blocks, str):
                assert blocks == member
            else:
                assert "".join(block["text"] for block in blocks) == member
                assert all(block["text"].strip() for block in blocks)


def test_a_group_is_of_one_document() -> None:
    """Two documents under one long instruction: each is cached whole, not their common start."""
    first, second = (f"{'instruction ' * 40}\n{name * 3000}\n" for name in ("x", "y"))
    found = groups([f"{text}claim {i}" for i in range(3) for text in (first, second)], 100)
    assert sorted(group.cached for group in found) == [len(first), len(second)]
    assert sorted(group.positions for group in found) == [(0, 2, 4), (1, 3, 5)]


def test_notes_are_kept_as_long_as_the_results(tmp_path: Path) -> None:
    in_flight = InFlight(tmp_path)
    old = in_flight.named(in_flight.begin(["a"], 0.1, NOW), "msgbatch_1")
    new = in_flight.begin(["b", "c"], 0.2, NOW + timedelta(days=20))
    assert in_flight.all(NOW + timedelta(days=28)) == [old, new]
    assert in_flight.all(NOW + timedelta(days=30)) == [new]
    assert in_flight.done(new, ["b"]).ids == ("b",)
    in_flight.drop(new)
    assert in_flight.all(NOW) == []


def test_names_of_prompts_are_the_start_of_the_records_hash() -> None:
    assert sha256_text("prompt").startswith(prompt_name("prompt"))
    assert json.dumps(prompt_name("prompt")).isascii()


def test_the_wait_between_starts_is_never_shorter_than_the_limit(clock: Clock) -> None:
    even, begun = pace(clock, 600), []
    for step in range(20):
        clock.now += 0.013 * (step % 7)
        even.wait(step)
        begun.append(clock.now)
    assert all(later - earlier >= 0.1 - 1e-9 for earlier, later in pairwise(begun))
