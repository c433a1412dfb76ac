"""The commands around judging, by the command line, with a judge that costs nothing in place of the real one."""

from __future__ import annotations

import errno
import gzip
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from raim.cli import main
from tests.verdicts.making import (
    CHAT,
    CONDITION,
    JUDGE,
    FakeEngine,
    configuration,
    record,
    run,
    verdict,
)
from tests.verdicts.store.faults import at_call
from verdicts.engines.base import Reply
from verdicts.plan import Settings
from verdicts.protocols import protocol
from verdicts.records.schema import Verdict
from verdicts.scores.reading import read_replies
from verdicts.store import Store

PAIRS = 3


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> FakeEngine:
    """What is loaded in place of a judge; the checkpoint is a chat template alone."""
    folder = tmp_path / "checkpoint"
    folder.mkdir()
    (folder / "chat_template.jinja").write_text("template")
    made = FakeEngine(lambda prompt: "VERDICT: UNSUPPORTED" if len(prompt) % 3 == 0 else "VERDICT: SUPPORTED")
    monkeypatch.setattr("verdicts.judges.weights.checkpoint", lambda judge, root: folder)
    monkeypatch.setattr("verdicts.engines.registry.load", lambda *args: made)
    monkeypatch.chdir(tmp_path)
    return made


@pytest.fixture
def plan(tmp_path: Path) -> str:
    """Three clusters of the shipped benchmark, one judge under both protocols."""
    entry: dict[str, Any] = {
        "suite": "mini",
        "benchmarks": {"minipairs": {"clusters": PAIRS}},
        "members": [{"judge": "smollm2-135m", "protocol": p} for p in ("generative", "constrained")],
    }
    path = tmp_path / "plan.yaml"
    path.write_text(yaml.safe_dump(configuration(entry)))
    return str(path)


def judge(plan: str, *more: str) -> int:
    return main(["judge", plan, "--judge", "smollm2-135m", *more])


@contextmanager
def refused(capsys: pytest.CaptureFixture[str], *parts: str) -> Iterator[None]:
    """The command run inside ends with status 2 and a message with these parts."""
    capsys.readouterr()
    yield
    message = capsys.readouterr().err
    assert message.splitlines()[-1].startswith("raim: error: ") or "raim: error: " in message
    for part in parts:
        assert part in message


def test_the_chain_from_judge_to_reparse(
    engine: FakeEngine, plan: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert judge(plan) == 0
    assert f"{4 * PAIRS} records made; the store is store" in capsys.readouterr().out
    assert judge(plan) == 0
    assert "0 records made" in capsys.readouterr().out
    assert len(engine.asked) == 4 * PAIRS

    assert main(["export", plan, "--out", "suite"]) == 0
    printed = capsys.readouterr().out
    assert f"{2 * PAIRS:6d} of {2 * PAIRS:6d}  records/minipairs/smollm2-135m.generative.jsonl.gz" in printed

    assert main(["verify", "--lock", "suite"]) == 0
    assert "all locked files are as locked" in capsys.readouterr().out

    assert main(["reparse", "--json", "readings.json"]) == 0
    printed = capsys.readouterr().out
    assert "HuggingFaceTB/SmolLM2-135M-Instruct" in printed
    (entry,) = json.loads((tmp_path / "readings.json").read_text())
    differ = sum(len(prompt) % 3 == 0 for prompt in engine.asked[: 2 * PAIRS])
    assert (entry["replies"], entry["differ"], entry["outdated"]) == (2 * PAIRS, differ, 0)
    assert entry["condition"]["frame"] == "claimcheck/1" or entry["condition"]["frame"] == "def_on/1"

    assert main(["seed", "suite", "--store", "again"]) == 0
    assert f"again: {4 * PAIRS} records added" in capsys.readouterr().out
    assert judge(plan, "--store", "again") == 0
    assert "0 records made" in capsys.readouterr().out
    # The release holds no replies, so there is nothing to read again.
    with refused(capsys, "again: holds no reply to read"):
        assert main(["reparse", "--store", "again"]) == 2


def test_scores_and_grades_are_read_again_beside_verdicts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One store, three kinds of replies: each beside its own second reading."""
    made, _ = protocol("samples-1-5")
    scores = made(JUDGE, "summarization/1", CHAT, Settings(samples=4))
    grades = replace(CONDITION, frame="judgelm-def_on/1")
    kept = read_replies(
        [Reply(text, "stop", 9, 2) for text in ("4", "Score: 2", "no", "5")], "12345", "samples", 0
    )
    older = replace(
        kept, probabilities=(0.0, 0.0, 0.0, 0.5, 0.5), off_label_mass=0.5, readings=(4, None, None, 5)
    )
    graded = Verdict(None, "no_grade", "stop", 9, 9, "0" * 64, reply="8\nFine.")
    for condition, value in ((CONDITION, verdict(1)), (scores, older), (grades, graded)):
        with Store(tmp_path / "store").shard(condition).writer(run()) as writer:
            writer.append([replace(record(1, condition=condition), value=value)])
    assert main(["reparse", "--store", str(tmp_path / "store"), "--json", str(tmp_path / "out.json")]) == 0
    shown = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [line[2:] for line in shown if line[:2] == ["example/judge-1b", "summarization-default/1"]] == [
        ["samples", "1-5", "4", "1", "0.250", "2", "3", "1"]
    ]
    assert [line[2:] for line in shown if line[:2] == ["example/judge-1b", "judgelm-def_on/1"]] == [
        ["grades", "1", "1", "1.000", "0", "1", "1"]
    ]
    assert [line[2:] for line in shown if line[:2] == ["example/judge-1b", "def_on/1"]] == [
        ["verdicts", "1", "0", "0.000", "1", "1", "1"]
    ]
    entries = {e["condition"]["frame"]: e for e in json.loads((tmp_path / "out.json").read_text())}
    assert entries["summarization-default/1"]["committed"] == {"stored": 2, "today": 3}
    assert entries["def_on/1"]["committed"] == {"paper": 1, "release": 1}


def test_a_plan_of_several_is_named(
    engine: FakeEngine, plan: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (first,) = yaml.safe_load(Path(plan).read_text())["judge"]["plans"]
    second = {**first, "suite": "other", "benchmarks": {"minipairs": {"clusters": PAIRS + 2}}}
    Path("both.yaml").write_text(yaml.safe_dump(configuration(first, second)))
    with refused(capsys, "both.yaml: plans the suites mini, other; say which with --suite"):
        assert judge("both.yaml") == 2
    assert judge("both.yaml", "--suite", "other", "--protocol", "generative") == 0
    assert len(engine.asked) == 2 * (PAIRS + 2)
    assert main(["export", "both.yaml", "--suite", "other", "--out", "suite"]) == 0
    assert json.loads(Path("suite/suite.json").read_text())["suite"] == "other"
    # What the plans have in common is asked once: the clusters drawn are the first of one order.
    assert judge("both.yaml", "--suite", "mini") == 0
    assert len(engine.asked) == 2 * (PAIRS + 2) + 2 * PAIRS


def test_slices_share_a_store(engine: FakeEngine, plan: str) -> None:
    for part in ("2/3", "1/3", "3/3"):
        assert judge(plan, "--slice", part) == 0
    assert len(engine.asked) == 4 * PAIRS == len(set(engine.asked)) * 2
    assert judge(plan) == 0
    assert len(engine.asked) == 4 * PAIRS
    runs = [run.run for shard in Store(Path("store")).shards() for run in shard.runs()]
    assert len(runs) == len(set(runs)) == 6


def test_a_shard_takes_a_gpu_where_there_is_something_to_judge(
    engine: FakeEngine, plan: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    seen: list[str] = []
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "5,6")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(
        "verdicts.engines.registry.load",
        lambda *args: seen.append(os.environ["CUDA_VISIBLE_DEVICES"]) or engine,
    )
    assert judge(plan, "--slice", "1/2", "--gpus", "1") == 0
    # The first shard has GPU 5 as long as this process lives.
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "5,6")
    assert judge(plan, "--slice", "2/2", "--gpus", "1", "--devices", "5,6") == 0
    assert seen == ["5", "6"]
    # With nothing to judge, none is waited for.
    monkeypatch.setattr("verdicts.devices.take", lambda *args: pytest.fail("a GPU was taken"))
    assert judge(plan, "--gpus", "1") == 0


@pytest.mark.parametrize(
    ("code", "remedy"),
    [
        (errno.ENOSPC, "free some disk space"),
        (errno.EROFS, "make the folder writable, or choose another store"),
    ],
    ids=["full", "read-only"],
)
def test_a_disk_that_takes_no_more(
    engine: FakeEngine, plan: str, capsys: pytest.CaptureFixture[str], code: int, remedy: str
) -> None:
    """The last batch cannot be written: a message, what was judged before is kept, the next run makes the rest."""

    def refuse() -> None:
        raise OSError(code, os.strerror(code))

    with at_call(0, lambda: None) as done:
        assert judge(plan, "--store", "undisturbed") == 0
    last = len(done) - done[::-1].index("write")
    with (
        refused(capsys, "store/", "cannot write to the store", os.strerror(code), remedy),
        at_call(last, refuse),
    ):
        assert judge(plan) == 2
    kept = sum(len(list(shard.records())) for shard in Store(Path("store")).shards())
    assert 0 < kept < 4 * PAIRS
    capsys.readouterr()
    assert judge(plan) == 0
    assert f"{4 * PAIRS - kept} records made" in capsys.readouterr().out


def test_one_protocol_of_one_benchmark(engine: FakeEngine, plan: str) -> None:
    assert judge(plan, "--protocol", "constrained", "--benchmark", "minipairs") == 0
    assert [shard.condition.kind for shard in Store(Path("store")).shards()] == ["distribution"]


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["--slice", "0/3"], ["slice '0/3'", "such as 1/4"]),
        (["--protocol", "votes"], ["no member with judge 'smollm2-135m' and this protocol"]),
        (["--benchmark", "cnn"], ["cnn is not among the plan's benchmarks: minipairs"]),
        (["--store", "plan.yaml"], ["plan.yaml: the store is a folder"]),
    ],
)
def test_a_mistake_asks_nothing(
    engine: FakeEngine, plan: str, capsys: pytest.CaptureFixture[str], arguments: list[str], parts: list[str]
) -> None:
    with refused(capsys, *parts):
        assert judge(plan, *arguments) == 2
    assert engine.asked == []
    assert not Path("store").exists()


def test_sources_are_checked_before_weights(
    plan: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    config = yaml.safe_load(Path(plan).read_text())
    config["judge"]["sources"] = {"minipairs": "gone.jsonl"}
    Path(plan).write_text(yaml.safe_dump(config))
    monkeypatch.setattr(
        "verdicts.judges.weights.checkpoint", lambda *args: pytest.fail("weights were fetched")
    )
    with refused(capsys, "gone.jsonl"):
        assert judge(plan) == 2


def test_an_unpinned_judge_is_refused_before_anything_is_fetched(
    plan: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    config = yaml.safe_load(Path(plan).read_text())
    config["judge"]["plans"][0]["members"] = [{"judge": "command-r7b", "protocol": "generative"}]
    Path(plan).write_text(yaml.safe_dump(config))
    monkeypatch.setattr(
        "verdicts.judges.weights.checkpoint", lambda *args: pytest.fail("weights were fetched")
    )
    with refused(
        capsys,
        "no pinned revision",
        "command-r7b: <40 digits>",
        "CohereLabs/c4ai-command-r7b-12-2024/commits/main",
    ):
        assert main(["judge", plan, "--judge", "command-r7b"]) == 2
    with refused(capsys, "no pinned revision"):
        assert main(["export", plan, "--out", "suite"]) == 2


def test_a_revision_of_the_plan_is_the_records(engine: FakeEngine, plan: str) -> None:
    config = yaml.safe_load(Path(plan).read_text())
    config["judge"]["plans"][0]["members"] = [{"judge": "command-r7b", "protocol": "generative"}]
    config["judge"]["revisions"] = {"command-r7b": "c" * 40}
    Path(plan).write_text(yaml.safe_dump(config))
    assert main(["judge", plan, "--judge", "command-r7b"]) == 0
    (shard,) = Store(Path("store")).shards()
    assert shard.condition.revision == "c" * 40
    assert shard.condition.decoding["dtype"] == "bfloat16"


def test_fetch_takes_the_plans_revision(plan: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    seen: list[str] = []
    monkeypatch.setattr(
        "verdicts.judges.weights.checkpoint",
        lambda judge, root: seen.append(f"{judge.revision} {root}") or tmp_path,
    )
    config = yaml.safe_load(Path(plan).read_text())
    config["judge"]["revisions"] = {"command-r7b": "c" * 40}
    Path(plan).write_text(yaml.safe_dump(config))
    assert main(["fetch", "command-r7b", "--plan", plan, "--weights", "w"]) == 0
    assert main(["fetch", "command-r7b", "--weights", "w"]) == 0
    assert seen == [f"{'c' * 40} w", " w"]


def test_verify_names_what_is_not_as_locked(
    engine: FakeEngine, plan: str, capsys: pytest.CaptureFixture[str]
) -> None:
    judge(plan)
    main(["export", plan, "--out", "suite"])
    records = Path("suite/records/minipairs")
    path = records / "smollm2-135m.generative.jsonl.gz"
    path.write_bytes(
        gzip.compress(gzip.decompress(path.read_bytes()).replace(b'"verdict":0', b'"verdict":1'))
    )
    (records / "smollm2-135m.constrained.jsonl.gz").unlink()
    (records / "extra\x1b[31m.jsonl.gz").write_bytes(gzip.compress(b""))
    capsys.readouterr()
    assert main(["verify", "--lock", "suite"]) == 1
    printed = capsys.readouterr().out
    assert "missing: records/minipairs/smollm2-135m.constrained.jsonl.gz" in printed
    assert "changed: records/minipairs/smollm2-135m.generative.jsonl.gz" in printed
    assert "untracked: records/minipairs/extra\\x1b[31m.jsonl.gz" in printed
    shutil.rmtree("suite")
    with refused(capsys, "LOCK.json: cannot read the suite's lock"):
        assert main(["verify", "--lock", "suite"]) == 2


def test_an_untracked_file_alone_is_told(
    engine: FakeEngine, plan: str, capsys: pytest.CaptureFixture[str]
) -> None:
    judge(plan)
    main(["export", plan, "--out", "suite"])
    Path("suite/notes.txt").write_text("mine")
    capsys.readouterr()
    assert main(["verify", "--lock", "suite"]) == 1
    printed = capsys.readouterr().out
    assert "untracked: notes.txt" in printed
    assert "all locked files are as locked" in printed
    assert "1 files are not in the lock" in printed


def test_damaged_files_are_named_all_at_once(
    engine: FakeEngine, plan: str, capsys: pytest.CaptureFixture[str]
) -> None:
    judge(plan)
    main(["export", plan, "--out", "suite"])
    for path in sorted(Path("suite/records/minipairs").iterdir()):
        path.write_bytes(path.read_bytes()[:50])
    # A lock's name below the suite's folder is a file like any other.
    Path("suite/index/LOCK.json").write_text("{}")
    capsys.readouterr()
    assert main(["verify", "--lock", "suite"]) == 1
    printed = capsys.readouterr().out
    assert printed.count("changed: records/minipairs/") == 2
    assert "untracked: index/LOCK.json" in printed
    assert "digest none, a file is damaged" in printed


def test_a_lock_whose_digest_was_edited_is_no_lock(
    engine: FakeEngine, plan: str, capsys: pytest.CaptureFixture[str]
) -> None:
    judge(plan)
    main(["export", plan, "--out", "suite"])
    lock = Path("suite/LOCK.json")
    body = json.loads(lock.read_text())
    lock.write_text(json.dumps({**body, "release_digest": "0" * 64}))
    capsys.readouterr()
    with refused(capsys, "its release digest 0000000000000000 is not that of the files it lists"):
        assert main(["verify", "--lock", "suite"]) == 2


@pytest.mark.parametrize("arguments", [["verify"], ["verify", "medhallu", "--lock", "suite"]])
def test_verify_takes_a_benchmark_or_a_suite(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(arguments)
    assert "--lock" in capsys.readouterr().err


def test_a_full_disk_ends_the_run_clearly(
    engine: FakeEngine, plan: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with refused(capsys, "No space left on device", "free some disk space"):
        assert judge(plan) == 2
    monkeypatch.undo()


def test_an_index_that_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    with refused(capsys, "file/x.tsv: no folder ", "create it first"):
        assert main(["index", "minipairs", "--out", str(tmp_path / "file" / "x.tsv")]) == 2
