"""The published votes beside the same panel judged anew: who is whose goes by checkpoint, protocol and arm."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
import yaml

from analysis.rerun.comparison import compare_suites
from analysis.rerun.text import render
from raim.cli import main
from raim.errors import InputError
from tests.verdicts.release.conftest import items
from tests.verdicts.release.trees import tree_of, without_examples
from verdicts.benchmarks.registry import find
from verdicts.export import describe, members_of
from verdicts.judges.roster import roster
from verdicts.plan_file import plans_of
from verdicts.records.canonical import sha256_text
from verdicts.records.files import write_record_file
from verdicts.records.index import write_index
from verdicts.records.lock import write_lock
from verdicts.records.schema import Condition, Distribution, Record, Run, Verdict
from verdicts.records.suite import SuiteMember, read_suite, write_suite
from verdicts.release.contents import members as published_members
from verdicts.release.importing import import_release
from verdicts.store import Store

BENCHMARKS = ("cnn", "factscore")
LLAMA = "meta-llama--Llama-3.1-8B-Instruct.generative"


def verdicts(benchmark: str, member: SuiteMember) -> Mapping[str, int]:
    """The votes that both suites have of a judge: drawn from what it is, not from what it is called."""
    arm = "second" if member.arm_of else ""
    seed = zlib.crc32(f"{benchmark} {member.judge} {member.protocol} {arm}".encode())
    rows = items(benchmark)
    return dict(
        zip(
            [row.uid for row in rows],
            np.random.default_rng(seed).integers(2, size=len(rows)).tolist(),
            strict=True,
        )
    )


@pytest.fixture(scope="module")
def paper(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release made of these votes, imported."""
    folder, known = tmp_path_factory.mktemp("paper"), published_members({})
    release = tree_of(
        {name: items(name) for name in BENCHMARKS},
        lambda benchmark, member: verdicts(benchmark, known[member]),
    )
    import_release(release.write(folder / "download", packed=True), folder / "paper")
    return folder / "paper"


def judged(folder: Path, root: Path, changed: int = 0) -> Path:
    """The suite of config/paper.yaml on two benchmarks; of the first member ``changed`` votes on CNN are others."""
    section = yaml.safe_load((root / "config" / "paper.yaml").read_text(encoding="utf-8"))["judge"]
    revisions = {
        name: "a" * 40
        for name, judge in roster().items()
        if not judge.revision and judge.weights.kind == "hub"
    }
    given = {**revisions, **(section.get("revisions") or {})}
    plan = plans_of({**section, "revisions": given}, root)["paper-rerun"]
    benchmarks = [find(name) for name in BENCHMARKS]
    suite = describe(plan, benchmarks, members_of(plan, Store(folder / "store")), "paper")
    for benchmark in benchmarks:
        rows = items(benchmark.name)
        write_index(folder / "suite" / "index" / f"{benchmark.name}.tsv", rows)
        asked = {row.uid for row in without_examples(rows)}
        for number, (name, member) in enumerate(suite.members.items()):
            if benchmark.name not in (member.benchmarks or BENCHMARKS):
                continue
            votes = dict(verdicts(benchmark.name, member))
            if benchmark.name == "cnn" and number == 0:
                votes |= {row.uid: 1 - votes[row.uid] for row in rows[:changed]}
            if member.protocol == "probe":
                votes = {uid: vote for uid, vote in votes.items() if uid in asked}
            contents = {row.content: votes[row.uid] for row in rows if row.uid in votes}
            write(folder / "suite" / "records" / benchmark.name / f"{name}.jsonl.gz", member, contents)
    write_suite(folder / "suite", suite)
    write_lock(folder / "suite")
    return folder / "suite"


def write(path: Path, member: SuiteMember, votes: Mapping[str, int]) -> None:
    """Verdicts, or label probabilities of judges that give them."""
    scored = member.protocol == "probe" or member.needs_document
    condition = Condition(
        "distribution" if scored else "verdict",
        member.judge,
        member.revision,
        "def_on/1",
        None,
        {"mode": "constrained" if scored else "greedy", "context": 8192},
        ("SUPPORTED", "HALLUCINATED") if scored else None,
    )
    records = [
        Record(
            condition.key(item, sha256_text(item)),
            item,
            sha256_text(item),
            Distribution((0.75 - vote / 2, 0.25 + vote / 2), 0.1, "token_probabilities", "scored", 9)
            if scored
            else Verdict(vote, "verdict_line", "stop", 9, 3, sha256_text(str(vote))),
            "run",
        )
        for item, vote in votes.items()
    ]
    write_record_file(path, condition, records, [Run("run", "vllm", {"vllm": "1"}, "one H200")])


def test_every_judge_of_the_papers_run_finds_its_published_votes(
    paper: Path, tmp_path: Path, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    again = judged(tmp_path, root, changed=12)
    result = compare_suites(paper, again, n_draws=20)
    assert result["only_in"] == {"benchmarks": [[], []], "members": [{}, {}]}
    roles = read_suite(paper).members
    for name, entry in result["benchmarks"].items():
        assert entry["not_compared"] == [{}, {}]
        for judge, values in entry["judges"].items():
            wanted = 1 - 12 / 114 if (name, judge) == ("cnn", LLAMA) else 1
            assert values["agreement"] == pytest.approx(wanted), (name, judge)
            assert values["flagged"] == (wanted < 1)
            # Nothing is known of an imported vote but the vote.
            assert values["identical_replies"] is values["largest_probability_difference"] is None
            assert values["asked_otherwise"] is None
        judges = [roles[judge].role for judge in entry["judges"]]
        arms, trained = (11, 5) if name == "cnn" else (0, 3)
        assert [judges.count(role) for role in ("member", "def_on", "purpose_trained")] == [10, arms, trained]
        assert len(judges) == 10 + 3 + arms + trained + 16
    assert result["benchmarks"]["cnn"]["judges"][LLAMA]["rerun"] == "llama-3.1-8b.generative"
    assert result["ran"] == [["engine imported"], ["engine vllm; vllm 1; one H200"]]
    assert main(["rerun", str(paper), str(again), "--json", str(tmp_path / "out.json")]) == 1
    shown = capsys.readouterr().out
    assert f"{LLAMA} is llama-3.1-8b.generative in the re-run" in shown
    assert "cnn: of 45 judges one run's votes were imported, which records no settings" in shown
    assert json.loads((tmp_path / "out.json").read_text())["suites"] == ["paper", "paper-rerun"]


def test_what_one_side_lacks_is_listed(paper: Path, tmp_path: Path, root: Path) -> None:
    again = judged(tmp_path, root)
    suite = read_suite(again)
    kept = {name: member for name, member in suite.members.items() if name != "qwen2.5-7b.generative.def_on"}
    write_suite(again, type(suite)(**{**vars(suite), "members": kept}))
    (again / "records" / "cnn" / "gemma-2-9b.generative.jsonl.gz").unlink()
    result = compare_suites(paper, again, n_draws=20)
    assert result["only_in"]["members"] == [
        {"Qwen--Qwen2.5-7B-Instruct.generative.def_on": "Qwen/Qwen2.5-7B-Instruct, generative, second arm"},
        {},
    ]
    cnn, factscore = (result["benchmarks"][name]["not_compared"] for name in BENCHMARKS)
    assert cnn[0]["google--gemma-2-9b-it.generative"] == "missing: 0 of 114 items judged"
    assert factscore == [{}, {}]
    shown = render(result)
    assert (
        "cnn: in the first (paper) only: google--gemma-2-9b-it.generative (in the other: missing: 0 of 114 items"
        in shown
    )
    assert (
        "in the first (paper) only: Qwen--Qwen2.5-7B-Instruct.generative.def_on (Qwen/Qwen2.5-7B-Instruct"
        in shown
    )


def test_one_checkpoint_twice_is_refused_until_it_is_said_which(
    paper: Path, tmp_path: Path, root: Path
) -> None:
    again = judged(tmp_path, root)
    suite = read_suite(again)
    first = suite.members["llama-3.1-8b.generative"]
    twice = {**suite.members, "llama-eight-bit.generative": first}
    write_suite(again, type(suite)(**{**vars(suite), "members": twice}))
    with pytest.raises(
        InputError,
        match=rf"{LLAMA} of paper and llama-3.1-8b.generative, llama-eight-bit.generative of paper-rerun are all "
        rf"meta-llama/Llama-3.1-8B-Instruct, generative; say which is which with --pair NAME=NAME",
    ):
        compare_suites(paper, again, n_draws=20)
    pair = (LLAMA, "llama-3.1-8b.generative")
    result = compare_suites(paper, again, n_draws=20, given=[pair])
    assert result["only_in"]["members"][1] == {
        "llama-eight-bit.generative": "meta-llama/Llama-3.1-8B-Instruct, generative"
    }
    assert result["benchmarks"]["cnn"]["judges"][LLAMA]["agreement"] == 1
