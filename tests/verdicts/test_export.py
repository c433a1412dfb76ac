"""From the store to a suite, and from the suite to votes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from analysis.panel.suites import load_panel, records_digest
from raim.errors import InputError
from tests.verdicts.making import CHAT, JUDGE, FakeEngine, benchmark, items, run
from verdicts import plan as plan_module
from verdicts.export import export_suite
from verdicts.plan import Member, Plan, Sample, Settings
from verdicts.records.canonical import sha256_text
from verdicts.records.files import read_record_file, write_record_file
from verdicts.records.lock import compare_lock
from verdicts.records.suite import read_suite
from verdicts.runs import condition_of, judge_missing
from verdicts.seed import seed
from verdicts.store import Store

OTHER = replace(JUDGE, name="other", tag="Other", judge="example/other", role="frontier")
JUDGES = {"small": JUDGE, "other": OTHER}
MEMBERS = (
    Member("small", "generative"),
    Member("small", "constrained"),
    Member("other", "generative", ("qa",)),
)
BENCHMARKS = [(benchmark("toy"), items(12)), (benchmark("qa", "def_on"), items(8, "qa"))]
PLAN = Plan(
    suite="mini",
    title="Toys",
    benchmarks={"toy": Sample(6, 3), "qa": Sample()},
    members=MEMBERS,
    sources={},
    settings=Settings(batch_size=4, context=512),
)


@pytest.fixture(autouse=True)
def roster(monkeypatch: pytest.MonkeyPatch) -> None:
    """The plan's judges are these two."""
    monkeypatch.setattr(plan_module, "find", JUDGES.__getitem__)


def reply(prompt: str) -> str:
    """Readings differ on the first claim; the last is no verdict."""
    if "claim 0" in prompt:
        return "VERDICT: UNSUPPORTED"
    return (
        "I cannot say."
        if "claim 7" in prompt
        else f"VERDICT: {'SUPPORTED' if len(prompt) % 2 else 'HALLUCINATED'}"
    )


def judged(
    root: Path, members: tuple[Member, ...] = MEMBERS, chat: Mapping[str, Any] = CHAT, name: str = "run"
) -> Store:
    store = Store(root)
    for judge in JUDGES.values():
        mine = [(member, judge, chat) for member in members if member.judge == judge.name]
        judge_missing(
            store, mine, BENCHMARKS, PLAN.settings, run(f"{name}-{judge.name}"), lambda: FakeEngine(reply)
        )
    return store


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def test_a_suite_holds_what_was_judged(tmp_path: Path) -> None:
    store = judged(tmp_path / "store")
    covered = export_suite(PLAN, BENCHMARKS, store, tmp_path / "suite")
    assert covered == {
        "records/toy/small.generative.jsonl.gz": (12, 12),
        "records/qa/small.generative.jsonl.gz": (8, 8),
        "records/toy/small.constrained.jsonl.gz": (12, 12),
        "records/qa/small.constrained.jsonl.gz": (8, 8),
        "records/qa/other.generative.jsonl.gz": (8, 8),
    }
    assert set(files(tmp_path / "suite")) == {
        *covered,
        "suite.json",
        "LOCK.json",
        "index/toy.tsv",
        "index/qa.tsv",
    }
    suite = read_suite(tmp_path / "suite")
    assert list(suite.members) == [member.name for member in MEMBERS]
    assert suite.members["other.generative"].role == "frontier"
    assert suite.members["small.generative"].tag == "Small (generative)"
    assert list(suite.benchmarks) == ["toy", "qa"]
    assert suite.benchmarks["toy"].sampled == "6 clusters, seed 3"
    assert suite.benchmarks["qa"].sampled == ""
    assert (suite.title, suite.label) == ("Toys", "measured")
    difference = compare_lock(tmp_path / "suite")
    assert (difference.missing, difference.changed, difference.untracked) == ((), (), ())


def test_votes_are_what_the_judges_said(tmp_path: Path) -> None:
    store = judged(tmp_path / "store")
    export_suite(PLAN, BENCHMARKS, store, tmp_path / "suite")
    panel = load_panel(tmp_path / "suite", "toy")
    generative, constrained = (
        panel.votes.members.index(name) for name in ("small.generative", "small.constrained")
    )
    assert panel.left_out == {"other.generative": "not asked about this benchmark"}
    column = dict(zip(panel.votes.uids, panel.votes.votes[:, generative], strict=True))
    assert column["toy:0"] == 1.0
    assert np.isnan(column["toy:7"])
    scored = store.shard(condition_of(MEMBERS[1], JUDGE, CHAT, "claimcheck", PLAN.settings))
    probabilities = {record.item: record.value.probabilities for record in scored.records()}  # type: ignore[union-attr]
    by_uid = {item.uid: probabilities[item.content] for item in BENCHMARKS[0][1]}
    for uid, vote in zip(panel.votes.uids, panel.votes.votes[:, constrained], strict=True):
        assert vote == float(by_uid[uid][1] >= 0.5)  # type: ignore[index]
    qa = load_panel(tmp_path / "suite", "qa")
    assert list(qa.comparators) == ["other.generative"]


def test_same_store_same_bytes(tmp_path: Path) -> None:
    store = judged(tmp_path / "store")
    export_suite(PLAN, BENCHMARKS, store, tmp_path / "one")
    export_suite(PLAN, BENCHMARKS, store, tmp_path / "two")
    before = files(tmp_path / "one")
    assert files(tmp_path / "two") == before
    # Again over the first, and from a store that was started from it.
    export_suite(PLAN, BENCHMARKS, store, tmp_path / "one")
    seeded = Store(tmp_path / "seeded")
    assert seed(seeded, tmp_path / "one") == 48
    assert seed(seeded, tmp_path / "one") == 0
    export_suite(PLAN, BENCHMARKS, seeded, tmp_path / "three")
    assert files(tmp_path / "one") == files(tmp_path / "three") == before
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_no_weights_are_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = judged(tmp_path / "store")
    monkeypatch.setattr(
        "verdicts.judges.weights.checkpoint", lambda *args: pytest.fail("weights were asked for")
    )
    export_suite(PLAN, BENCHMARKS, store, tmp_path / "suite")


def test_the_published_reading(tmp_path: Path) -> None:
    store = judged(tmp_path / "store")
    export_suite(PLAN, BENCHMARKS, store, tmp_path / "suite", "release")
    found = read_record_file(tmp_path / "suite" / "records" / "toy" / "small.generative.jsonl.gz").records
    first = found[BENCHMARKS[0][1][0].content].value
    assert (first.verdict, first.rule) == (0, "tail")  # type: ignore[union-attr]
    assert read_suite(tmp_path / "suite").title == "Toys, read by the parser of the release"


def test_verdicts_are_what_the_replies_say_today(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A parser that was mended reaches the suite without judging again."""
    from verdicts import parsing
    from verdicts.protocols import generative

    monkeypatch.setattr(generative, "parse", lambda text: parsing.Parsed(None, "unparsed"))
    store = judged(tmp_path / "store")
    monkeypatch.undo()
    monkeypatch.setattr(plan_module, "find", JUDGES.__getitem__)
    export_suite(PLAN, BENCHMARKS, store, tmp_path / "suite")
    found = read_record_file(tmp_path / "suite" / "records" / "toy" / "small.generative.jsonl.gz").records
    assert sum(record.value.verdict is not None for record in found.values()) == 11  # type: ignore[union-attr]


def test_a_member_half_done_is_left_out_with_its_count(tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    halves = [(BENCHMARKS[0][0], BENCHMARKS[0][1][:5])]
    judge_missing(
        store, [(MEMBERS[0], JUDGE, CHAT)], halves, PLAN.settings, run("half"), lambda: FakeEngine(reply)
    )
    judge_missing(
        store, [(MEMBERS[1], JUDGE, CHAT)], BENCHMARKS, PLAN.settings, run("whole"), lambda: FakeEngine()
    )
    covered = export_suite(PLAN, BENCHMARKS, store, tmp_path / "suite")
    assert covered["records/toy/small.generative.jsonl.gz"] == (5, 12)
    assert covered["records/qa/other.generative.jsonl.gz"] == (0, 8)
    assert not (tmp_path / "suite" / "records" / "qa" / "other.generative.jsonl.gz").exists()
    panel = load_panel(tmp_path / "suite", "toy")
    assert panel.votes.members == ("small.constrained",)
    assert panel.left_out["small.generative"] == "missing: 5 of 12 items judged"


def test_an_empty_store_makes_no_suite(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no record of this plan; judge first"):
        export_suite(PLAN, BENCHMARKS, Store(tmp_path / "store"), tmp_path / "suite")
    assert list(tmp_path.iterdir()) == []


def test_an_export_never_loses_records(tmp_path: Path) -> None:
    export_suite(PLAN, BENCHMARKS, judged(tmp_path / "store"), tmp_path / "suite")
    before = files(tmp_path / "suite")
    partial = judged(tmp_path / "partial", MEMBERS[:1])
    with pytest.raises(
        InputError, match=r"other\.generative\.jsonl\.gz: holds 8 records that the new suite would lose"
    ):
        export_suite(PLAN, BENCHMARKS, partial, tmp_path / "suite")
    with pytest.raises(InputError, match="holds no record of this plan"):
        export_suite(PLAN, BENCHMARKS, Store(tmp_path / "none"), tmp_path / "suite")
    with pytest.raises(InputError, match="holds the suite 'mini', not 'other'"):
        export_suite(replace(PLAN, suite="other"), BENCHMARKS, partial, tmp_path / "suite")
    assert files(tmp_path / "suite") == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["partial", "store", "suite"]


def test_other_peoples_files_stay(tmp_path: Path) -> None:
    store = judged(tmp_path / "store")
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter.tex").write_text("precious")
    with pytest.raises(InputError, match="holds files that are no suite"):
        export_suite(PLAN, BENCHMARKS, store, tmp_path / "thesis")
    assert files(tmp_path / "thesis") == {"chapter.tex": b"precious"}
    # Empty folders, as a workflow makes for its outputs, are nobody's.
    (tmp_path / "made" / "records" / "toy").mkdir(parents=True)
    export_suite(PLAN, BENCHMARKS, store, tmp_path / "made")
    assert (tmp_path / "made" / "suite.json").exists()


@pytest.mark.parametrize("name", ["notes.txt", "records/toy/mine.jsonl.gz", "index/LOCK.json"])
def test_a_file_that_no_export_wrote_is_not_lost_with_the_suite(tmp_path: Path, name: str) -> None:
    store, suite = judged(tmp_path / "store"), tmp_path / "suite"
    export_suite(PLAN, BENCHMARKS, store, suite)
    (suite / name).write_bytes(b"mine")
    with pytest.raises(InputError, match=rf"{name.replace('.', '[.]')}: is no file of the suite"):
        export_suite(PLAN, BENCHMARKS, store, suite)
    assert (suite / name).read_bytes() == b"mine"


def test_a_file_that_was_changed_is_not_lost_with_the_suite(tmp_path: Path) -> None:
    store, suite = judged(tmp_path / "store"), tmp_path / "suite"
    export_suite(PLAN, BENCHMARKS, store, suite)
    text = (suite / "suite.json").read_text().replace("Toys", "My own title")
    (suite / "suite.json").write_text(text)
    with pytest.raises(InputError, match=r"suite\.json: was changed since the suite was written"):
        export_suite(PLAN, BENCHMARKS, store, suite)
    assert (suite / "suite.json").read_text() == text


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"settings": Settings(batch_size=4, context=256)}, id="context"),
        pytest.param({"settings": Settings(batch_size=4, context=512, max_new_tokens=8)}, id="new tokens"),
        pytest.param({"settings": Settings(batch_size=4, context=512, dtype="float16")}, id="dtype"),
    ],
)
def test_records_of_another_setting_are_neither_taken_nor_replaced(
    tmp_path: Path, change: dict[str, Any]
) -> None:
    members = (MEMBERS[0], MEMBERS[2])
    plan = replace(PLAN, members=members)
    store, suite = judged(tmp_path / "store", members), tmp_path / "suite"
    export_suite(plan, BENCHMARKS, store, suite)
    before = files(suite)
    other = replace(plan, **change)
    # None of what was judged is this plan's; and where the plan's own are there, they do not take the others' place.
    with pytest.raises(InputError, match="holds no record of this plan"):
        export_suite(other, BENCHMARKS, store, tmp_path / "elsewhere")
    for judge in JUDGES.values():
        mine = [(member, judge, CHAT) for member in members if member.judge == judge.name]
        judge_missing(store, mine, BENCHMARKS, other.settings, run(f"o-{judge.name}"), lambda: FakeEngine())
    export_suite(other, BENCHMARKS, store, tmp_path / "elsewhere")
    with pytest.raises(InputError, match=r"holds \d+ records that the new suite would lose"):
        export_suite(other, BENCHMARKS, store, suite)
    assert files(suite) == before


def test_seeding_never_replaces_what_the_store_holds(tmp_path: Path) -> None:
    """A released record of a key that the store has is not taken, whatever it says; other keys are added."""
    suite = tmp_path / "suite"
    export_suite(PLAN, BENCHMARKS, judged(tmp_path / "store"), suite)
    path = suite / "records" / "toy" / "small.generative.jsonl.gz"
    file = read_record_file(path)
    turned = [
        replace(r, value=replace(r.value, verdict=1 - (r.value.verdict or 0)))  # type: ignore[type-var, union-attr, operator]
        for r in file.records.values()
    ]
    write_record_file(path, file.condition, turned, file.runs)
    store = Store(tmp_path / "store")
    before = {shard.folder.name: list(shard.records()) for shard in store.shards()}
    assert seed(store, suite) == 0
    assert {shard.folder.name: list(shard.records()) for shard in store.shards()} == before


def test_seeding_a_shard_of_another_condition_is_refused(tmp_path: Path) -> None:
    suite = tmp_path / "suite"
    export_suite(PLAN, BENCHMARKS, judged(tmp_path / "store"), suite)
    store = Store(tmp_path / "other")
    seed(store, suite)
    shards = list(store.shards())
    (shards[0].folder / "condition.json").write_bytes((shards[1].folder / "condition.json").read_bytes())
    with pytest.raises(InputError, match="holds records of another condition than this run would write"):
        seed(store, suite)


def test_a_suite_that_grew_replaces_the_smaller(tmp_path: Path) -> None:
    export_suite(PLAN, BENCHMARKS, judged(tmp_path / "store", MEMBERS[:1]), tmp_path / "suite")
    export_suite(PLAN, BENCHMARKS, judged(tmp_path / "store", name="more"), tmp_path / "suite")
    assert len(files(tmp_path / "suite")) == 9


def test_two_templates_of_one_judge_are_not_mixed(tmp_path: Path) -> None:
    store = judged(tmp_path / "store")
    judged(tmp_path / "store", chat={"template": sha256_text("another"), "kwargs": {}}, name="other")
    with pytest.raises(InputError, match="small was asked under 2 chat templates"):
        export_suite(PLAN, BENCHMARKS, store, tmp_path / "suite")


def test_other_arguments_of_a_template_are_another_judge(tmp_path: Path) -> None:
    """Records taken with other chat arguments than the roster's are not this plan's."""
    judged(tmp_path / "store", chat={**CHAT, "kwargs": {"enable_thinking": True}})
    with pytest.raises(InputError, match="holds no record of this plan"):
        export_suite(PLAN, BENCHMARKS, Store(tmp_path / "store"), tmp_path / "suite")


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    store = judged(tmp_path / "store")
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match=r"cannot be written.*choose another folder"):
        export_suite(PLAN, BENCHMARKS, store, tmp_path / "file" / "suite")


def test_a_suite_keeps_its_name_where_the_new_one_cannot_take_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, suite = judged(tmp_path / "store"), tmp_path / "suite"
    export_suite(PLAN, BENCHMARKS, store, suite)
    before = files(suite)
    really = Path.rename

    def rename(self: Path, target: Path) -> Path:
        if target == suite and not self.name.endswith(".old"):
            raise OSError(28, "No space left on device")
        return really(self, target)

    monkeypatch.setattr(Path, "rename", rename)
    with pytest.raises(InputError, match=r"suite: cannot be written \(No space left on device\)"):
        export_suite(PLAN, BENCHMARKS, store, suite)
    assert files(suite) == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["store", "suite"]


def test_the_stamp_is_of_the_files_that_are_there(tmp_path: Path) -> None:
    suite = tmp_path / "suite"
    export_suite(PLAN, BENCHMARKS, judged(tmp_path / "store"), suite)
    assert records_digest(suite) == json.loads((suite / "LOCK.json").read_text())["release_digest"]
    description = (suite / "suite.json").read_text()
    (suite / "suite.json").write_text(description.replace("Toys", "Real judges"))
    with pytest.raises(InputError, match=r"changed since it was locked: suite\.json.*raim verify --lock"):
        records_digest(suite)
    (suite / "suite.json").write_text(description)
    stray = suite / "records" / "toy" / "other.generative.jsonl.gz"
    stray.write_bytes((suite / "records" / "qa" / "other.generative.jsonl.gz").read_bytes())
    with pytest.raises(InputError, match="untracked since it was locked"):
        records_digest(suite)
    stray.unlink()
    (suite / "index" / "qa.tsv").unlink()
    with pytest.raises(InputError, match=r"missing since it was locked: index/qa\.tsv"):
        records_digest(suite)
