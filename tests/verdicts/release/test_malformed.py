"""Downloads that are not the release: each refused by name, and nothing written."""

from __future__ import annotations

import gzip
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from raim.errors import InputError
from tests.verdicts.release.trees import Row, Tree, write_json, write_list
from verdicts.release.importing import import_release

PANEL = "aggrefact_cnn/experiment.jsonl"
TRAINED = "aggrefact_cnn/judge_pt_prometheus2.jsonl"
PROBE = "lp_probe/aggrefact_cnn_lpbase_v3_panel.jsonl"
MEMBER = "lp_probe/aggrefact_cnn_lp_llama_base_v3.jsonl"


def refused(download: Path, out: Path, message: str) -> None:
    with pytest.raises(InputError, match=message):
        import_release(download, out)
    assert not out.exists()
    assert [path.name for path in out.parent.iterdir() if path.name.startswith(".")] == []


@pytest.fixture
def download(votes: Path, tmp_path: Path) -> Path:
    """A copy of the votes-only tree, to be spoilt."""
    shutil.copytree(votes, tmp_path / "download")
    return tmp_path / "download"


def test_a_missing_file(download: Path, tmp_path: Path) -> None:
    (download / "verdicts" / "aggrefact_cnn" / "judge_sonnet.jsonl.gz").unlink()
    refused(download, tmp_path / "out", r"missing: aggrefact_cnn/judge_sonnet\.jsonl\.gz; download")


def test_a_changed_file(download: Path, tmp_path: Path) -> None:
    path = download / "verdicts" / "aggrefact_cnn" / "judge_sonnet.json"
    path.write_text(path.read_text().replace("114", "115"))
    refused(download, tmp_path / "out", r"changed: aggrefact_cnn/judge_sonnet\.json; download")


def test_no_list(download: Path, tmp_path: Path) -> None:
    (download / "verdicts" / "MANIFEST.json").unlink()
    refused(download, tmp_path / "out", r"no manifest of this shape .* name it with --manifest")


def test_a_list_that_is_not_of_its_files(runs: Path, tmp_path: Path) -> None:
    shutil.copytree(runs, tmp_path / "runs")
    path = tmp_path / "runs" / "verdicts.lock.json"
    lock = json.loads(path.read_text())
    write_json(path, {**lock, "release_digest": "0" * 64})
    refused(tmp_path / "runs", tmp_path / "out", r"its release digest 0{16} is not that of its files")
    write_json(path, {**lock, "n_files": 3})
    refused(tmp_path / "runs", tmp_path / "out", r"names \d+ files, and says 3")
    path.write_text("{")
    with pytest.raises(InputError, match=r"cannot read the lock"):
        import_release(tmp_path / "runs", tmp_path / "out", manifest=path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda body: {**body, "source": []}, r"its `source` is no list of digests"),
        (
            lambda body: {**body, "source": {"release_digest": "../x"}},
            r"its release_digest '\.\./x' is no sha256",
        ),
        (
            lambda body: {**body, "source": {"dataset_index_digest": 1}},
            r"its dataset_index_digest 1 is no sha256",
        ),
        (lambda body: {**body, "files": dict.fromkeys(body["files"], 1)}, r"has no sha256"),
        (lambda body: {**body, "files": entries(body, sha256="0")}, r"has no sha256"),
        (lambda body: {**body, "files": entries(body, records="114")}, r"no number of records"),
        (lambda body: {**body, "files": entries(body, records=None)}, r"no number of records"),
        (
            lambda body: {
                **body,
                "files": {"cnn/\ud800.jsonl.gz": next(iter(body["files"].values()))},
            },
            r"no printable name",
        ),
    ],
    ids=["source", "digest", "index", "entries", "sha256", "records", "no records", "name"],
)
def test_a_list_of_other_things(
    download: Path, tmp_path: Path, change: Callable[[Row], Row], message: str
) -> None:
    path = download / "verdicts" / "MANIFEST.json"
    write_json(path, change(json.loads(path.read_text())))
    refused(download, tmp_path / "out", rf"MANIFEST\.json: .*{message}.*; download")


def entries(body: Row, **changes: Any) -> Row:
    return {name: {**entry, **changes} for name, entry in body["files"].items()}


def test_both_shapes_in_one_tree(runs: Path, download: Path, tmp_path: Path) -> None:
    shutil.copy(runs / "runs" / "factscore" / "experiment.jsonl", download / "verdicts" / "factscore")
    refused(download, tmp_path / "out", r"holds both shapes of the release, such as .*experiment\.jsonl\.gz")


def test_both_trees_in_one_folder(runs: Path, download: Path, tmp_path: Path) -> None:
    shutil.copytree(runs / "runs", download / "runs")
    refused(download, tmp_path / "out", r"holds several trees")


def test_no_release(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    refused(tmp_path / "empty", tmp_path / "out", r"holds no release")


def test_an_index_that_was_changed(download: Path, tmp_path: Path) -> None:
    path = download / "index" / "aggrefact_cnn.jsonl"
    path.write_text(path.read_text().replace('"gold": 0', '"gold": 1', 1))
    refused(download, tmp_path / "out", r"index: digest [0-9a-f]{16} is not the one that the release states")


def test_an_index_of_other_items(download: Path, tmp_path: Path) -> None:
    path = download / "index" / "aggrefact_cnn.jsonl"
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    rows[5]["src_sha1"] = "0" * 40
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    write_list(download, packed=True)
    refused(download, tmp_path / "out", r"cnn: join key of item '5:\w+' is 0{40} in the release")


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (
            lambda data: data[: len(data) // 2],
            r"experiment\.jsonl\.gz: is cut off or no gzip file after line",
        ),
        (lambda data: b"plain text", r"experiment\.jsonl\.gz: is cut off or no gzip file after line 0"),
    ],
    ids=["truncated", "not gzip"],
)
def test_a_damaged_file_that_its_list_describes(
    download: Path, tmp_path: Path, spoil: Callable[[bytes], bytes], message: str
) -> None:
    path = download / "verdicts" / "aggrefact_cnn" / "experiment.jsonl.gz"
    manifest = download / "verdicts" / "MANIFEST.json"
    path.write_bytes(spoil(path.read_bytes()))
    body = json.loads(manifest.read_text())
    import hashlib

    body["files"]["aggrefact_cnn/experiment.jsonl.gz"]["sha256"] = hashlib.sha256(
        path.read_bytes()
    ).hexdigest()
    write_json(manifest, body)
    refused(download, tmp_path / "out", message)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"{not json}\n", r"experiment\.jsonl\.gz, line 2: is no JSON"),
        (b"[]\n", r"line 2: is no JSON object"),
        (b'{"uid": "a", "uid": "b"}\n', r"line 2: is no JSON \(a field is given twice"),
    ],
    ids=["syntax", "list", "field twice"],
)
def test_a_line_that_is_no_row(download: Path, tmp_path: Path, line: bytes, message: str) -> None:
    path = download / "verdicts" / "aggrefact_cnn" / "experiment.jsonl.gz"
    lines = gzip.decompress(path.read_bytes()).splitlines(keepends=True)
    path.write_bytes(gzip.compress(b"".join([lines[0], line, *lines[2:]])))
    write_list(download, packed=True)
    refused(download, tmp_path / "out", message)


def change(number: int, **fields: Any) -> Callable[[list[Row]], list[Row]]:
    """Give a row other values; ``None`` of a field that may not be null is a fault too."""
    return lambda rows: [{**row, **fields} if i == number else row for i, row in enumerate(rows)]


def drop(number: int) -> Callable[[list[Row]], list[Row]]:
    return lambda rows: rows[:number] + rows[number + 1 :]


def without(field: str) -> Callable[[list[Row]], list[Row]]:
    return lambda rows: [{name: value for name, value in row.items() if name != field} for row in rows]


@pytest.mark.parametrize(
    ("name", "spoil", "message"),
    [
        (PANEL, change(2, model="nobody/model"), r"line 3: unknown judge 'nobody/model'"),
        (PANEL, change(2, uid="9999:pos"), r"line 3: item '9999:pos' is not in the index"),
        (PANEL, change(2, pred="HALLUCINATED"), r"line 3: pred is 'HALLUCINATED'; 1 \(hallucinated\)"),
        (PANEL, change(2, pred=2), r"line 3: pred is 2;"),
        (PANEL, change(2, pred=True), r"line 3: pred is True;"),
        (PANEL, change(2, pred=1.0), r"line 3: pred is 1\.0;"),
        (PANEL, without("pred"), r"line 1: pred is missing;"),
        (PANEL, change(0, kind="neg"), r"line 1: kind 'neg' with gold 0; pos has 0"),
        (PANEL, change(0, gold=1), r"line 1: kind 'pos' with gold 1; pos has 0"),
        (PANEL, change(0, gold=1, kind="neg"), r"line 1: gold of item '0:pos' is 1, the index has 0"),
        (PANEL, change(1, row_id=77), r"line 2: row_id of item '1:neg' is 77, the index has 1"),
        (PANEL, change(2, condition="def_on"), r"line 3: condition is 'def_on', not 'claimcheck'"),
        (PANEL, change(2, fmt="long"), r"line 3: fmt is 'long', not 'brief_reason'"),
        (PANEL, lambda rows: [*rows, rows[0]], r"line 1141: a second verdict of .*Llama.* on item '0:pos'"),
        (PANEL, drop(0), r"Llama-3\.1-8B-Instruct has 113 of 114 items; '0:pos' is the first"),
        (PANEL, lambda rows: rows[:1026], r"holds no row of tiiuae/Falcon3-7B-Instruct"),
        (
            TRAINED,
            change(0, score=5.0, pred=1),
            r"line 1: pred 1 is not what score 5\.0 at threshold 3\.0 says",
        ),
        (TRAINED, change(0, score=None, pred=1), r"line 1: a verdict without a score"),
        (
            TRAINED,
            change(0, score=float("nan"), pred=0),
            r"line 1: score nan and threshold 3\.0 are no numbers",
        ),
        (TRAINED, change(0, threshold=float("-inf"), pred=0), r"threshold -inf are no numbers"),
        (TRAINED, change(0, frame="qa"), r"line 1: frame is 'qa', not 'claimcheck'"),
        (TRAINED, change(0, judge="autoj"), r"line 1: judge is 'autoj', not 'prometheus2'"),
        (PROBE, change(0, prob_yes=0.9, pred=1), r"line 1: pred 1 is not what prob_yes 0\.9 says"),
        (PROBE, change(0, prob_yes=1.5), r"line 1: prob_yes 1\.5 is no probability"),
        (PROBE, change(0, scorer="v2"), r"line 1: scorer is 'v2', not 'v3_constrained'"),
        (PROBE, drop(0), r"Qwen/Qwen2\.5-7B has \d+ of \d+ items"),
        (MEMBER, change(0, pred=None, prob_yes=None), r"its verdicts are not those in .*lpbase_v3_panel"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_row_that_the_release_could_not_hold(
    release: Tree,
    tmp_path: Path,
    name: str,
    spoil: Callable[[list[Row]], list[Row]],
    message: str,
) -> None:
    kept = {PANEL, name, PROBE} if name == MEMBER else {PANEL, name}
    rows = {path: release.rows[path] for path in release.rows if path in kept}
    rows[name] = spoil(rows[name])
    refused(Tree(rows).write(tmp_path / "download", packed=True), tmp_path / "out", message)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("squad/experiment.jsonl", r"squad/experiment\.jsonl: no file of this release"),
        ("aggrefact_cnn/judge_gpt.jsonl", r"aggrefact_cnn/judge_gpt\.jsonl: no file of this release"),
        ("factscore/experiment_defon.jsonl", r"factscore/experiment_defon\.jsonl: no file of this release"),
        ("lp_probe/aggrefact_cnn_lp_phi_base_v3.jsonl", r"_phi_base_v3\.jsonl: no file of this release"),
    ],
)
def test_a_file_that_the_release_does_not_have(
    release: Tree, tmp_path: Path, name: str, message: str
) -> None:
    tree = Tree({PANEL: release.rows[PANEL], name: release.rows[PANEL]})
    refused(tree.write(tmp_path / "download", packed=True), tmp_path / "out", message)


def test_a_summary_of_other_rows(release: Tree, tmp_path: Path) -> None:
    name = "aggrefact_cnn/judge_sonnet.jsonl"
    summary = {"aggrefact_cnn/judge_sonnet.json": {"n": 113}}
    tree = Tree({PANEL: release.rows[PANEL], name: release.rows[name]}, summary)
    refused(
        tree.write(tmp_path / "download", packed=True),
        tmp_path / "out",
        r"says 113 items, and its rows are 114",
    )


def test_replies_where_there_are_none_and_none_where_there_are(release: Tree, tmp_path: Path) -> None:
    bare = Tree({PANEL: without("raw")(release.rows[PANEL])})
    refused(bare.write(tmp_path / "bare", packed=False), tmp_path / "out", r"line 1: lacks the raw reply")
    odd = Tree({PANEL: change(0, raw=["VERDICT: SUPPORTED"])(release.rows[PANEL])})
    refused(
        odd.write(tmp_path / "odd", packed=False),
        tmp_path / "out",
        r"line 1: raw is \['VERDICT: SUPPORTED'\];",
    )


def test_labels_coded_the_other_way_round(release: Tree, tmp_path: Path) -> None:
    turned = {1: 0, 0: 1, None: None}
    rows = [{**row, "pred": turned[row["pred"]]} for row in release.rows[PANEL]]
    download = Tree({PANEL: rows}).write(tmp_path / "runs", packed=False)
    refused(download, tmp_path / "out", r"verdicts are not what their replies say; labels are coded")


def test_a_probe_member_without_its_panel(release: Tree, tmp_path: Path) -> None:
    tree = Tree({PANEL: release.rows[PANEL], MEMBER: release.rows[MEMBER]})
    refused(
        tree.write(tmp_path / "download", packed=True), tmp_path / "out", r"and not lp_probe/.*_panel\.jsonl"
    )


def test_a_folder_that_holds_something_else_is_left_as_it_is(release: Tree, tmp_path: Path) -> None:
    download = Tree({PANEL: release.rows[PANEL]}).write(tmp_path / "download", packed=True, source="1" * 64)
    other = Tree({PANEL: release.rows[PANEL]}).write(tmp_path / "other", packed=True, source="2" * 64)
    out = tmp_path / "out"
    out.mkdir()
    (out / "notes.txt").write_text("mine")
    with pytest.raises(InputError, match="holds files that are no suite"):
        import_release(download, out)
    assert (out / "notes.txt").read_text() == "mine"
    shutil.rmtree(out)
    import_release(download, out)
    with pytest.raises(InputError, match=r"holds \d+ records that the new suite would lose"):
        import_release(other, out)
    (out / "notes.txt").write_text("mine")
    with pytest.raises(InputError, match=r"notes\.txt: is no file of the suite"):
        import_release(download, out)
