"""Suites of released distribution records: what becomes of each kind of file, and all studies on one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from analysis.judgemoe.cell import TEST, TRAIN
from analysis.judgemoe.features import soft_scores
from analysis.judgemoe.gates.forward import gate_predict
from analysis.judgemoe.metrics.spearman import spearman
from analysis.judgemoe.sources.preferences import is_paired, preference_pairs
from analysis.judgemoe.studies import gate_book
from analysis.judgemoe.studies.gate_book import GateBook
from analysis.judgemoe.studies.pairwise import pair_accuracy, pairwise
from analysis.judgemoe.suites.recorded import recorded_suite
from analysis.judgemoe.suites.registry import derived_values
from analysis.output import write_json
from analysis.pipeline.build import build
from analysis.tables.files import write_table
from raim.errors import InputError
from tests.analysis.judgemoe.recorded_folders import (
    RecordedFolder,
    leaning,
    preference_items,
    scored_items,
)
from tests.analysis.judgemoe.test_studies import FOLDER, drawn_gate
from verdicts.records.scored_index import ScoredItem

JUDGES = ("lab/a", "lab/b", "lab/c")


def filled(path: Path, *, preferences: bool = True) -> RecordedFolder:
    """The paper's kinds of records in small: three judges; of `toy` five ranges, styles, an expert, a larger judge."""
    rng = np.random.default_rng(0)
    folder = RecordedFolder(path)
    toy, added = scored_items(90), scored_items(60, "w")
    folder.dataset("toy", toy)
    folder.dataset("wildbench", added)
    for judge in JUDGES:
        for top in (3, 5, 7, 10, 100):
            folder.member("toy", judge, top, leaning(toy, top, rng))
        for top in (5, 10):
            folder.member("wildbench", judge, top, leaning(added, top, rng))
    for judge in JUDGES[:2]:
        for style in ("rubric", "critical"):
            folder.member("toy", judge, 5, leaning(toy, 5, rng), style=style)
    folder.member("toy", "hub/metric", 10, leaning(toy[:80], 10, rng), role="expert", source="decoded")
    folder.member("toy", "lab/large", 10, leaning(toy[:70], 10, rng), role="larger")
    if preferences:
        compared = {"trained_on": {"train": 40, "validation": 12}, "decided": {None: 20}}
        for name, splits in compared.items():
            sides = preference_items(splits, name)
            folder.dataset(name, sides)
            for judge in JUDGES[1:]:
                for top in (5, 10):
                    folder.member(name, judge, top, leaning(sides, top, rng))
    return folder


def test_every_file_has_its_place(tmp_path: Path) -> None:
    suite = recorded_suite(filled(tmp_path).described("Judged anew"), "mine")
    assert (suite.name, suite.title, suite.label) == ("mine", "Judged anew", "Measured.")
    # Two ranges are pooled, all of an original dataset are studied; what the paper added later selects nothing.
    assert [cell.name for cell in suite.cells] == ["toy@1-5", "toy@1-10", "wildbench@1-5", "wildbench@1-10"]
    assert suite.additional == {"wildbench@1-5", "wildbench@1-10"}
    assert suite.ablations == suite.pairwise == {"toy@1-5", "toy@1-10"}
    assert [cell.scale for cell in suite.protocol] == ["1-3", "1-5", "1-7", "1-10", "1-100"]
    assert {cell.judges for cell in suite.cells} == {JUDGES}
    (styles,) = suite.styles
    assert styles.name == "styles-toy@1-5"
    assert set(styles.judges) == {f"{j}#{s}" for j in JUDGES[:2] for s in ("default", "rubric", "critical")}
    default = [suite.cells[0].judges.index(judge) for judge in JUDGES[:2]]
    asked = [styles.judges.index(f"{judge}#default") for judge in JUDGES[:2]]
    assert np.array_equal(styles.probabilities[:, asked], suite.cells[0].probabilities[:, default])
    assert [cell.name for cell in suite.preferences] == [
        f"{name}@{scale}" for name in ("decided", "trained_on") for scale in ("1-5", "1-10")
    ]
    assert {cell.judges for cell in suite.preferences} == {JUDGES[1:]}
    assert set(suite.skipped) == {"compute"}


def test_an_expert_joins_the_compact_pool_in_a_follow_up_of_its_own(tmp_path: Path) -> None:
    """Its numbers were made into distributions: they are no judge of the cell, and mix with judges only there."""
    rng = np.random.default_rng(3)
    folder, items = RecordedFolder(tmp_path), scored_items(90)
    folder.dataset("toy", items)
    for judge in ("a", "b", "c", "d"):
        folder.member("toy", judge, 10, leaning(items, 10, rng))
    number = {
        item.content: (0.0,) * 3 + (1 - i / 200, i / 200) + (0.0,) * 5 for i, item in enumerate(items[:60])
    }
    folder.member("toy", "hub/metric", 10, number, role="expert", source="decoded")
    suite = recorded_suite(folder.described(), "mine")
    assert [cell.judges for cell in suite.cells] == [("a", "b", "c", "d")]
    (study,) = suite.followups
    assert (study.name, study.expert) == ("toy+metric@1-10", "hub/metric")
    assert len(study.base) == 3
    assert study.cell.judges == (*study.base, "hub/metric")
    assert study.cell.score_source == "token_probabilities"
    assert study.cell.present[:, 3].tolist() == [True] * 60 + [False] * 30
    assert study.cell.probabilities[2, 3, 3:5].tolist() == [0.99, 0.01]
    # Another range's expert has no pool.
    alone = RecordedFolder(tmp_path / "other")
    alone.dataset("toy", items)
    for judge in ("a", "b"):
        alone.member("toy", judge, 5, leaning(items, 5, rng))
    alone.member("toy", "hub/metric", 10, number, role="expert", source="decoded")
    assert "experts" in recorded_suite(alone.described(), "mine").skipped


def test_a_larger_judge_stands_alone_on_the_pools_items(tmp_path: Path) -> None:
    suite = recorded_suite(filled(tmp_path).described(), "mine")
    (evaluator,) = suite.evaluators
    assert (evaluator.name, evaluator.cell.name) == ("lab/large", "toy@1-10")
    assert np.isfinite(evaluator.scores).tolist() == [True] * 70 + [False] * 20
    # Decoded or probable: a larger judge's source is its own, and is not mixed with the pool's.
    folder, items = RecordedFolder(tmp_path / "two"), scored_items(30)
    folder.dataset("toy", items)
    for judge in ("a", "b"):
        folder.member("toy", judge, 5, leaning(items, 5, np.random.default_rng(0)))
    hard = {item.content: (0.0, 0.0, 0.0, 1.0, 0.0) for item in items}
    folder.member("toy", "large", 5, hard, role="frontier", source="decoded")
    (evaluator,) = recorded_suite(folder.described(), "mine").evaluators
    assert evaluator.scores.tolist() == [0.75] * 30


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda f: (f / "suite.json").unlink(), "cannot read the suite's description"),
        (
            lambda f: next((f / "records" / "toy").iterdir()).rename(f / "records/toy/x.jsonl.gz"),
            "is of no member",
        ),
        (lambda f: [p.unlink() for p in (f / "records" / "toy").iterdir()], "judge the dataset first"),
        (lambda f: (f / "scores" / "toy.tsv").unlink(), "there is nothing to pool"),
        (lambda f: [p.unlink() for p in (f / "scores").iterdir()], r"no scores/<dataset>\.tsv"),
    ],
    ids=["description", "member", "records", "only added", "no index"],
)
def test_folders_that_are_no_suite_are_refused(tmp_path: Path, change, message: str) -> None:
    folder = filled(tmp_path, preferences=False).described()
    change(folder)
    with pytest.raises(InputError, match=message):
        recorded_suite(folder, "mine")


def test_splits_are_those_of_a_pool_or_none(tmp_path: Path) -> None:
    folder, items = RecordedFolder(tmp_path), scored_items(30)
    folder.dataset(
        "toy", [replace(item, split="train" if i < 20 else "validation") for i, item in enumerate(items)]
    )
    for judge in ("a", "b"):
        folder.member("toy", judge, 5, leaning(items, 5, np.random.default_rng(0)))
    with pytest.raises(
        InputError, match="has the splits train, validation; a pool needs train, validation, test"
    ):
        recorded_suite(folder.described(), "mine")


def test_preferences_are_known_by_their_sides() -> None:
    sides = preference_items({"train": 3, "validation": 2})
    assert is_paired(sides)
    assert not is_paired(sides[:-1])
    assert not is_paired([replace(sides[0], target=1.0), replace(sides[1], target=1.0)])
    assert not is_paired(scored_items(4))


def test_pairs_are_of_the_sides_that_were_scored(tmp_path: Path) -> None:
    folder, sides = RecordedFolder(tmp_path), preference_items({"train": 6, "validation": 4})
    toy = scored_items(30)
    folder.dataset("toy", toy)
    folder.dataset("pairs", sides)
    rng = np.random.default_rng(0)
    for judge in ("a", "b"):
        folder.member("toy", judge, 5, leaning(toy, 5, rng))
        # Nobody scored the first side of the first pair.
        folder.member("pairs", judge, 5, leaning(sides[1:], 5, rng))
    (cell,) = recorded_suite(folder.described(), "mine").preferences
    training = preference_pairs(cell, cell.splits == TRAIN)
    evaluation = preference_pairs(cell, cell.splits != TRAIN)
    assert (len(training.first), len(evaluation.first)) == (5, 4)
    by_uid = {side.uid: side.target for side in sides}
    for pairs in (training, evaluation):
        for first, second, preferred in zip(pairs.first, pairs.second, pairs.preferred, strict=True):
            names = cell.items[first], cell.items[second]
            assert (names[0][:-1], names[0][-1], names[1][-1]) == (names[1][:-1], "a", "b")
            assert by_uid[names[0]] - by_uid[names[1]] == preferred
        assert pair_accuracy(cell.targets, pairs) == 1.0
        assert pair_accuracy(1 - cell.targets, pairs) == 0.0


def test_the_ranking_loss_is_studied_on_preferences(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One gate a range and variant, trained on all original cells and the training pairs, decides every dataset."""
    seen = []

    def noted(cell, training, *, pairs=None, threads=1):
        seen.append((cell, training, pairs))
        return drawn_gate(cell, training)

    monkeypatch.setattr(gate_book, "train_gate", noted)
    suite = recorded_suite(filled(tmp_path).described(), "mine")
    book = GateBook(tmp_path / "gates", train=True)
    found = pairwise(suite, book, JUDGES)
    assert found["judges"] == list(JUDGES[1:])
    assert found["preferences"] == ["decided", "trained_on"]
    assert set(found["cells"]) == {cell.name for cell in suite.preferences}
    assert {name: (row["train_pairs"], row["test_pairs"]) for name, row in found["cells"].items()} == {
        "decided@1-5": (40, 20),
        "trained_on@1-5": (40, 12),
        "decided@1-10": (40, 20),
        "trained_on@1-10": (40, 12),
    }
    assert len(seen) == 2 * 5
    toy = {cell.scale: cell for cell in suite.original}
    for cell, training, pairs in seen:
        assert cell.judges == JUDGES[1:]
        assert cell.name == f"direct@{cell.scale}"
        assert set(cell.splits.tolist()) == {TRAIN}
        assert len(cell.items) == int((toy[cell.scale].splits == TRAIN).sum())
        assert (pairs is None) == (training.pair_weight == 0.0)
        if pairs is not None:
            assert pairs.cell.judges == cell.judges
            assert np.array_equal(pairs.cell.labels, cell.labels)
            assert {pairs.cell.items[i].split("/")[0] for i in pairs.first} == {"trained_on"}
    # By hand: the direct gate's accuracy on a dataset's evaluation pairs, its Spearman on the scores' test items.
    cell = next(cell for cell in suite.preferences if cell.name == "decided@1-5")
    gate = drawn_gate(cell, suite.mainline)
    score = dict(zip(cell.items, gate_predict(gate, cell).tolist(), strict=True))
    target = dict(zip(cell.items, cell.targets.tolist(), strict=True))
    names = sorted({item[:-2] for item in cell.items})
    gaps = [score[f"{name}:a"] - score[f"{name}:b"] for name in names]
    won = [target[f"{name}:a"] - target[f"{name}:b"] for name in names]
    right = [0.5 if gap == 0 else float((gap > 0) == (side > 0)) for gap, side in zip(gaps, won, strict=True)]
    row = found["cells"]["decided@1-5"]["variants"]["direct"]
    assert row["accuracy"] == pytest.approx(np.mean(right))
    test = toy["1-5"].with_judges(JUDGES[1:]).split(TEST)
    assert row["spearman"] == pytest.approx(spearman(gate_predict(gate, test), test.targets))
    assert row["spearman"] == found["cells"]["trained_on@1-5"]["variants"]["direct"]["spearman"]
    assert found["mean"]["direct"]["accuracy"] == pytest.approx(
        np.mean([row["variants"]["direct"]["accuracy"] for row in found["cells"].values()])
    )
    # The saved gates are enough.
    book.save()
    assert pairwise(suite, GateBook(tmp_path / "gates"), JUDGES) == found


def test_preferences_without_pairs_to_train_on_are_not_studied(tmp_path: Path) -> None:
    folder, sides, toy = RecordedFolder(tmp_path), preference_items({None: 9}), scored_items(30)
    folder.dataset("toy", toy)
    folder.dataset("mt_bench_human", sides)
    for judge in ("a", "b"):
        folder.member("toy", judge, 5, leaning(toy, 5, np.random.default_rng(0)))
        folder.member("mt_bench_human", judge, 5, leaning(sides, 5, np.random.default_rng(0)))
    suite = recorded_suite(folder.described(), "mine")
    found = pairwise(suite, GateBook(tmp_path / "gates", train=True), ("a", "b"))
    assert found == {"skipped": "no preferences of a range that scores were asked at are for training"}
    other = replace(suite.preferences[0], judges=("x", "y"))
    found = pairwise(replace(suite, preferences=(other,)), GateBook(tmp_path), ("a", "b"))
    assert "no two judges" in found["skipped"]


def test_all_studies_and_tables_of_a_judged_suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate_book, "train_gate", drawn_gate)
    folder = filled(tmp_path / "suite").described()
    book = GateBook(tmp_path / "gates", train=True)
    values = derived_values("mine", {"suite": folder}, book)
    book.save()
    again = derived_values("mine", {"suite": folder}, GateBook(tmp_path / "gates"))
    assert again == values
    assert [name for name, value in values.items() if "skipped" in value] == ["compute", "truth"]
    assert values["protocol"]["selectors"]["1-5 soft"]["pairs"] == 3
    assert {row["style"]: row["rows"] for row in values["styles"]["styles"]} == {
        "default": 2,
        "critical": 2,
        "rubric": 2,
    }
    assert values["diversity"]["pools"]["diverse"]["judges"] == 6
    assert values["data"]["decided@1-5"]["items"] == 40
    (row,) = values["comparison"]["evaluators"]
    suite = recorded_suite(folder, "mine")
    cell = next(cell for cell in suite.cells if cell.name == "toy@1-10")
    kept = (cell.splits == TEST) & np.isfinite(suite.evaluators[0].scores)
    assert (row["n"], row["test_items"]) == (int(kept.sum()), int((cell.splits == TEST).sum()))
    assert row["spearman"] == pytest.approx(spearman(suite.evaluators[0].scores[kept], cell.targets[kept]))
    test = cell.split(TEST)
    assert row["best_single"] == pytest.approx(max(spearman(s, test.targets) for s in soft_scores(test).T))
    assert list(row["heterogeneous"]) == ["toy+metric@1-10"]
    assert (
        row["heterogeneous"]["toy+metric@1-10"]
        == values["experts"]["toy+metric@1-10"]["test"]["heterogeneous"]
    )
    (tmp_path / "derived").mkdir()
    for name, value in values.items():
        write_json(tmp_path / "derived" / f"{name}.json", value)
    stems = sorted(path.stem for path in (FOLDER / "tables").glob("table*[0-9].py"))
    modules = {stem: f"analysis.judgemoe.tables.{stem}" for stem in stems}
    outputs = build("Table", modules, tmp_path / "derived", tmp_path / "tables", write_table)
    made = {output.module.rsplit("table", 1)[-1] for output in outputs if output.files}
    assert made >= {"02", "03", "11", "15", "16", "17", "38", "42", "43"}
    text = (tmp_path / "tables" / "table42.md").read_text()
    assert "the human preferences of decided, trained" in text
    assert "toy+metric@1-10" in (tmp_path / "tables" / "table38.csv").read_text()


def test_a_suite_at_other_ranges_pools_nothing(tmp_path: Path) -> None:
    folder, items = RecordedFolder(tmp_path), scored_items(30)
    folder.dataset("toy", items)
    for judge in ("a", "b"):
        folder.member("toy", judge, 7, leaning(items, 7, np.random.default_rng(0)))
    with pytest.raises(InputError, match="has two judges at 1-5 or at 1-10"):
        recorded_suite(folder.described(), "mine")


def test_an_item_without_probabilities_is_left_out(tmp_path: Path) -> None:
    folder = RecordedFolder(tmp_path)
    items = [ScoredItem(f"u{i}", f"c{i}", f"h{i}", i / 30) for i in range(30)]
    folder.dataset("toy", items)
    for judge in ("a", "b"):
        rows = leaning(items, 5, np.random.default_rng(0))
        folder.member("toy", judge, 5, {**rows, "h0": None})
    (cell,) = recorded_suite(folder.described(), "mine").cells
    assert cell.items == tuple(f"u{i}" for i in range(1, 30))
