"""The public release, in both shapes, to a suite: every kind of member, and the release's own votes."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from analysis.panel.suites import load_panel, records_digest
from analysis.steps.base_instruct import matched
from analysis.steps.context import BenchmarkContext
from raim.cli import main
from raim.errors import InputError
from tests.verdicts.release.conftest import items
from tests.verdicts.release.trees import Tree, tree_of
from verdicts.judges.roster import roster
from verdicts.parsing import parse_release
from verdicts.records.files import read_record_file
from verdicts.records.index import IndexRow, read_index
from verdicts.records.suite import read_suite
from verdicts.release.contents import layout, member_name, members
from verdicts.release.importing import LABEL, import_release
from verdicts.seed import seed
from verdicts.store import Store


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


@pytest.fixture(scope="module")
def suite(votes: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("imported") / "paper"
    import_release(votes, folder)
    return folder


def test_both_shapes_make_the_same_suite(suite: Path, runs: Path, votes: Path, tmp_path: Path) -> None:
    found = import_release(runs, tmp_path / "paper")
    assert files(tmp_path / "paper") == files(suite)
    assert found.notes == ()
    assert found.lacking == ()
    assert found.digest == json.loads((runs / "verdicts.lock.json").read_text())["release_digest"]
    # The tree itself, as well as the repository that holds it; and over an earlier import of the same release.
    for place in (votes / "verdicts", runs):
        import_release(place, tmp_path / "paper")
        assert files(tmp_path / "paper") == files(suite)


def test_every_verdict_is_the_releases(suite: Path, release: Tree) -> None:
    found = 0
    described = read_suite(suite).members
    for benchmark, name in (("cnn", "aggrefact_cnn"), ("factscore", "factscore")):
        contents = {row.content: row.uid for row in read_index(suite / "index" / f"{benchmark}.tsv")}
        published = {
            "member": f"{name}/experiment.jsonl",
            "def_on": f"{name}/experiment_defon.jsonl",
            "probe_base": f"lp_probe/{name}_lpbase_v3_panel.jsonl",
            "probe_instruct": f"lp_probe/{name}_lpinst_v3_panel.jsonl",
        }
        for path in sorted((suite / "records" / benchmark).iterdir()):
            member = described[path.name.removesuffix(".jsonl.gz")]
            files = [published[member.role]] if member.role in published else []
            if member.judge == "claude-sonnet-4-6":
                files = [f"{name}/judge_sonnet{'_defon' if member.role == 'def_on' else ''}.jsonl"]
            elif not files:
                (key,) = (key for key, e in layout()["judges"].items() if e["model"] == member.judge)
                files = [f"{name}/judge_{key}.jsonl"]
            wanted = {
                row["uid"]: row["pred"] for row in release.rows[files[0]] if row["model"] == member.judge
            }
            records = read_record_file(path).records
            assert {contents[item]: r.value.verdict for item, r in records.items()} == wanted  # type: ignore[union-attr]
            found += len(wanted)
    assert found == sum(len(rows) for name, rows in release.rows.items() if "_lp_" not in name)


def test_every_kind_of_member_is_there(suite: Path) -> None:
    description = read_suite(suite)
    roles = Counter(member.role for member in description.members.values())
    assert roles == {
        "member": 10,
        "frontier": 1,
        "larger": 2,
        "purpose_trained": 5,
        "def_on": 11,
        "probe_base": 8,
        "probe_instruct": 8,
    }
    assert list(description.members)[:10] == [member_name(model) for model in layout()["panel"]]
    assert description.label == LABEL
    assert all(member.revision.startswith("release:") for member in description.members.values())
    panel = load_panel(suite, "cnn")
    assert panel.votes.n_members == 10
    assert panel.left_out == {}
    # Members sort as their checkpoints do, which breaks ties in the release.
    assert [name.replace("--", "/", 1) for name in panel.votes.members] == sorted(
        f"{model}.generative" for model in layout()["panel"]
    )
    ungrounded = load_panel(suite, "factscore")
    assert {description.members[name].role for name in ungrounded.left_out} == {"def_on", "purpose_trained"}
    assert len(ungrounded.left_out) == 11 + 2


def test_the_probe_pairs_checkpoints_on_the_items_asked(suite: Path) -> None:
    from analysis.pipeline.derived import Derived

    context = BenchmarkContext(read_suite(suite), "cnn", load_panel(suite, "cnn"), Derived(suite))
    twins = matched(context)
    assert twins.tags == ("Falcon", "GLM", "Gemma", "Granite", "Llama", "Mistral", "Qwen", "Yi")
    assert len(twins.gold) < len(context.votes.gold)
    assert not np.isinf(twins.base).any()


def test_who_the_judges_are_agrees_with_the_roster() -> None:
    known = {judge.judge: judge for judge in roster().values()}
    for name, member in members({}).items():
        if member.judge in known and member.role not in ("probe_base", "probe_instruct"):
            judge = known[member.judge]
            assert (member.tag, member.developer, member.parameters) == (
                judge.tag,
                judge.developer,
                judge.parameters,
            ), name


def test_no_imported_key_is_one_that_a_run_here_would_ask(suite: Path, tmp_path: Path) -> None:
    """Seeded into a store, imported votes lie in shards of their own, whose conditions name the release."""
    store = Store(tmp_path / "store")
    assert seed(store, suite) > 0
    for shard in store.shards():
        assert shard.condition.frame.endswith("/release")
        assert shard.condition.revision.startswith("release:")


def test_items_without_an_index_here_are_the_releases(tmp_path: Path) -> None:
    """RAGTruth's text is not at hand: its items are those of the panel's rows, or of the release's own index."""
    pairs = [
        IndexRow(f"{i}:{kind}", str(i), int(kind == "neg"), "", f"{i:039x}{kind[0] == 'n':d}")
        for i in range(681)
        for kind in ("pos", "neg")
    ]
    release = tree_of({"ragtruth": pairs})
    release.rows = {name: rows for name, rows in release.rows.items() if name == "ragtruth/experiment.jsonl"}
    release.summaries = {}
    found = import_release(release.write(tmp_path / "rows", packed=True), tmp_path / "one")
    assert len(found.lacking) == 10
    rows = read_index(tmp_path / "one" / "index" / "ragtruth.tsv")
    assert [(row.uid, row.cluster, row.gold) for row in rows] == [
        (row.uid, row.cluster, row.gold) for row in pairs
    ]
    import_release(release.write(tmp_path / "indexed", packed=True, with_index=True), tmp_path / "two")
    rows = read_index(tmp_path / "two" / "index" / "ragtruth.tsv")
    assert [row.join for row in rows] == [row.join for row in pairs]
    release.rows["ragtruth/experiment.jsonl"] = [
        row for row in release.rows["ragtruth/experiment.jsonl"] if row["row_id"] != 7
    ]
    with pytest.raises(InputError, match=r"ragtruth: the release has 1360 items in 680 clusters"):
        import_release(release.write(tmp_path / "short", packed=True), tmp_path / "three")


def test_a_newer_row_is_joined_by_its_key(release: Tree, tmp_path: Path) -> None:
    keys = {row.uid: row.join for row in items("cnn")}
    name = "aggrefact_cnn/experiment.jsonl"
    rows = [{**row, "src_key": keys[row["uid"]]} for row in release.rows[name]]
    import_release(Tree({name: rows}).write(tmp_path / "good", packed=True), tmp_path / "suite")
    rows[3]["src_key"] = "0" * 40
    with pytest.raises(InputError, match=r"line 4: src_key of item .* is not the index's join key"):
        import_release(Tree({name: rows}).write(tmp_path / "bad", packed=True), tmp_path / "other")


def test_verdicts_that_their_replies_do_not_say_are_counted(release: Tree, tmp_path: Path) -> None:
    name = "aggrefact_cnn/experiment.jsonl"
    rows = [dict(row) for row in release.rows[name]]
    rows[0]["raw"] = "VERDICT: SUPPORTED" if rows[0]["pred"] else "VERDICT: HALLUCINATED"
    assert parse_release(rows[0]["raw"]).verdict != rows[0]["pred"]
    found = import_release(Tree({name: rows}).write(tmp_path / "runs", packed=False), tmp_path / "suite")
    assert [note for note in found.notes if "1 of 1140 verdicts are not what" in note]


def test_the_command(votes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(votes, tmp_path / "download")
    (tmp_path / "download" / "verdicts" / "aggrefact_cnn" / "judge_pair_x.jsonl.gz").write_bytes(b"")
    assert main(["import-release", str(tmp_path / "download"), "--out", str(tmp_path / "paper")]) == 0
    shown = capsys.readouterr().out
    assert "note: not in its list, and so not read: aggrefact_cnn/judge_pair_x.jsonl.gz" in shown
    assert "verdicts in" in shown
    records_digest(tmp_path / "paper")
    assert main(["import-release", str(tmp_path / "nothing"), "--out", str(tmp_path / "paper")]) == 2
    assert "is no folder" in capsys.readouterr().err
