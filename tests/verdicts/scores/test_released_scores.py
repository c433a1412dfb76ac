"""The released suite of scores: whole, of the plan that is said to have made it, and about the publishers' items."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from analysis.judgemoe.suites.recorded import recorded_suite
from verdicts.drawing import items_of
from verdicts.plan import Plan
from verdicts.plan_file import plans_of
from verdicts.records.files import read_record_file
from verdicts.records.lock import compare_lock
from verdicts.records.scored_index import read_scored_index
from verdicts.records.suite import read_suite
from verdicts.runs import condition_of, requests_of

SOURCES = {
    "roscoe_esnli": "scores/roscoe_esnli.json",
    "topicalchat": "scores/topical_chat_usr.json",
    "summeval": "scores/summeval",
}
ITEMS = {"roscoe_esnli": (151, 75), "topicalchat": (360, 60), "summeval": (480, 40)}


@pytest.fixture(scope="module")
def suite(root: Path) -> Path:
    return root / "suites" / "scores"


@pytest.fixture(scope="module")
def plan(root: Path, shared_data: Path) -> Plan:
    section = yaml.safe_load((root / "config" / "scores.yaml").read_text(encoding="utf-8"))["judge"]
    return plans_of({**section, "sources": SOURCES}, shared_data)["scores"]


def test_it_is_what_its_lock_says(suite: Path) -> None:
    lock = compare_lock(suite)
    assert (lock.missing, lock.changed, lock.untracked) == ((), (), ())


@pytest.mark.parametrize("name", ITEMS)
def test_its_items(suite: Path, name: str) -> None:
    rows = read_scored_index(suite / "scores" / f"{name}.tsv")
    assert (len(rows), len({row.cluster for row in rows})) == ITEMS[name]


def test_judges_differ_between_ranges_in_the_labels_alone(suite: Path) -> None:
    for path in sorted(suite.glob("records/*/*.jsonl.gz")):
        file = read_record_file(path)
        top = path.name.removesuffix(".jsonl.gz").rpartition("-")[2]
        assert file.condition.labels == tuple(str(label) for label in range(1, int(top) + 1))
        assert file.condition.decoding["mode"] == "probabilities"
        for record in file.records.values():
            assert record.value.rule in ("scored", "overflow")


def test_the_analysis_pools_them(suite: Path) -> None:
    cells = recorded_suite(suite).cells
    assert {cell.dataset for cell in cells} == set(ITEMS)
    assert {cell.scale for cell in cells} == {"1-5", "1-10"}
    assert all(len(cell.judges) >= 3 for cell in cells)


def test_the_plan_asks_for_just_these_records(suite: Path, plan: Plan) -> None:
    described = read_suite(suite)
    assert sorted(described.members) == sorted(member.name for member in plan.members)
    for dataset, items in items_of(plan):
        rows = read_scored_index(suite / "scores" / f"{dataset.name}.tsv")
        assert [(row.uid, row.content) for row in rows] == [(item.uid, item.content) for item in items]
        for member in plan.members:
            path = suite / "records" / dataset.name / f"{member.name}.jsonl.gz"
            if not path.exists():
                continue
            file = read_record_file(path)
            condition = condition_of(
                member, plan.judge(member.judge), file.condition.chat, dataset.frame, plan.settings
            )
            assert condition == file.condition
            wanted = {request.key for request in requests_of(condition, dataset, items)}
            assert {record.key for record in file.records.values()} <= wanted
