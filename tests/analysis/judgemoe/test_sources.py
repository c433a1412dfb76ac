from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from analysis.judgemoe.features import soft_scores
from analysis.judgemoe.sources.decoded import one_hot, summeval_cells
from analysis.judgemoe.sources.long_csv import read_scores
from analysis.judgemoe.sources.overlap import overlap, percentile_distributions
from analysis.judgemoe.sources.records import cell_from_records
from analysis.judgemoe.sources.samples import sampled_distributions, topical_chat_cells
from raim.errors import InputError
from verdicts.records.files import RecordFile
from verdicts.records.schema import Condition, Distribution, Record
from verdicts.records.scored_index import ScoredItem, read_scored_index, write_scored_index

HEADER = "item,cluster,target,judge,p_1,p_2,p_3"
ROWS = [
    "a,x,0.2,J1,0.7,0.2,0.1",
    "a,x,0.2,J2,0.1,0.2,0.7",
    "b,x,0.9,J1,0,0,1",
    "c,y,0.5,J2,0.25,0.5,0.25",
]


def write(tmp_path, header=HEADER, rows=ROWS):
    path = tmp_path / "scores.csv"
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return path


def test_long_csv_becomes_a_cell(tmp_path):
    found = read_scores(write(tmp_path))
    cell = found.cell
    assert (cell.items, cell.judges) == (("a", "b", "c"), ("J1", "J2"))
    assert cell.present.tolist() == [[True, True], [True, False], [False, True]]
    assert cell.probabilities[0, 1].tolist() == pytest.approx([0.1, 0.2, 0.7])
    assert cell.targets.tolist() == [0.2, 0.9, 0.5]
    assert cell.clusters[0] == cell.clusters[1] != cell.clusters[2]
    assert (found.labels, found.target_range, found.has_splits) == ((1.0, 2.0, 3.0), (0.0, 1.0), False)


def test_columns_may_come_in_any_order_with_others_between(tmp_path):
    rows = ["J1,0.1,note,a,0.7,x,0.2,0.2", "J1,1,,b,0,x,0,0.9"]
    cell = read_scores(write(tmp_path, "judge,p_3,comment,item,p_1,cluster,p_2,target", rows)).cell
    assert cell.probabilities[0, 0].tolist() == pytest.approx([0.7, 0.2, 0.1])


def test_targets_on_the_labels_scale_are_mapped(tmp_path):
    rows = [row.replace("0.2,J", "1,J").replace("0.9", "3").replace("0.5,J", "2,J") for row in ROWS]
    found = read_scores(write(tmp_path, rows=rows))
    assert found.target_range == (1.0, 3.0)
    assert found.cell.targets.tolist() == [0.0, 1.0, 0.5]
    wide = read_scores(write(tmp_path, rows=rows), target_range=(1.0, 5.0))
    assert wide.cell.targets.tolist() == [0.0, 0.5, 0.25]


def test_decoded_scores_are_one_hot_over_the_scores_seen(tmp_path):
    rows = ["a,x,0.2,J1,1", "a,x,0.2,J2,2.5", "b,y,0.4,J1,4"]
    found = read_scores(write(tmp_path, "item,cluster,target,judge,score", rows))
    assert found.labels == (1.0, 2.5, 4.0)
    assert found.cell.score_source == "decoded"
    assert found.cell.probabilities[0].tolist() == [[1, 0, 0], [0, 1, 0]]
    assert soft_scores(found.cell)[0].tolist() == [0.0, 0.5]
    # On a given label set the score keeps its place on the scale.
    found = read_scores(write(tmp_path, "item,cluster,target,judge,score", rows), labels=[1, 2.5, 4, 5])
    assert soft_scores(found.cell)[1, 0] == pytest.approx(0.75)


@pytest.mark.parametrize(
    ("header", "rows", "what"),
    [
        ("item,cluster,judge,p_1,p_2", ["a,x,J,1,0"], "no column target"),
        ("item,cluster,target,judge", ["a,x,0,J"], "neither"),
        (HEADER + ",score", [ROWS[0] + ",1"], "not both"),
        ("item,cluster,target,judge,p_1", ["a,x,0,J,1"], "alone"),
        ("item,item,cluster,target,judge,p_1,p_2", ["a,a,x,0,J,1,0"], "occurs twice"),
        (HEADER, [*ROWS, "a,x,0.2,J1,1,0,0"], "item a, judge J1: more than one row"),
        (HEADER, [*ROWS, "a,z,0.2,J3,1,0,0"], "line 6: item a has another cluster"),
        (HEADER, [*ROWS, "a,x,0.3,J3,1,0,0"], "line 6: item a has another cluster, target"),
        (HEADER, [*ROWS, "d,y,0.3,J1,0.5,0.2,0.2"], "item d, judge J1.*does not sum to 1"),
        (HEADER, [*ROWS, "d,y,0.3,J1,1.5,-0.5,0"], "item d, judge J1.*negative"),
        (HEADER, [*ROWS, "d,y,0.3,J1,nan,0.5,0.5"], "item d, judge J1.*non-finite"),
        (HEADER, [*ROWS, "d,y,0.3,J1,,0.5,0.5"], "line 6, item d, judge J1: p_1 is ''"),
        (HEADER, [*ROWS, "d,y,0.3,,1,0,0"], "line 6: item, cluster and judge"),
        (HEADER, [*ROWS, "d,y,,J1,1,0,0"], "1 items have no finite target"),
        (HEADER, [*ROWS, "d,y,7,J1,1,0,0"], "give --target-range"),
        (HEADER, [*ROWS, "d,y,0.3,J1,1,0"], "line 6: 6 fields where the header has 7"),
        (HEADER, [], "no rows"),
        (HEADER + ",split", [ROWS[0] + ",holdout"], "holdout"),
        ("item,cluster,target,judge,score", ["a,x,0,J,3"], "every score is"),
        ("item,cluster,target,judge,score", ["a,x,0,J,3", "b,x,0,J,inf"], "not finite"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_place(tmp_path, header, rows, what):
    with pytest.raises(InputError, match=what):
        read_scores(write(tmp_path, header, rows))


def test_missing_and_binary_files_are_refused(tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        read_scores(tmp_path / "none.csv")
    (tmp_path / "x.csv").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="UTF-8"):
        read_scores(tmp_path / "x.csv")


def test_new_items_need_no_target(tmp_path):
    path = write(tmp_path, "item,cluster,judge,p_1,p_2", ["a,x,J,1,0", "b,x,J,0.5,0.5"])
    assert not read_scores(path, need_targets=False).has_targets


def test_sampled_counts():
    shares, totals = sampled_distributions(np.array([[5.0, 15.0], [0.0, 0.0]]))
    assert shares[0].tolist() == [0.25, 0.75]
    assert np.isnan(shares[1]).all()
    assert totals.tolist() == [20.0, 0.0]


def test_topical_chat(shared_data):
    cells = topical_chat_cells(shared_data / "distributions" / "topicalchat_gpt35_distributions.csv")
    assert [cell.name.removeprefix("topicalchat-") for cell in cells] == [
        "coherence@1-3",
        "engagingness@1-3",
        "groundedness@0-1",
        "naturalness@1-3",
    ]
    assert [len(cell.items) for cell in cells] == [360] * 4
    assert {len(cell.judges) for cell in cells} == {7}
    assert {cell.score_source for cell in cells} == {"samples"}
    # Every share is a whole number of at most 20 samples.
    shares = cells[0].probabilities[cells[0].present] * 20
    assert np.isclose(shares, np.round(shares)).mean() > 0.95


def test_summeval_decoded(shared_data):
    cells = summeval_cells(shared_data / "alt_test" / "summeval")
    assert [len(cell.items) for cell in cells] == [1600] * 4
    assert all(cell.complete and len(np.unique(cell.clusters)) == 100 for cell in cells)
    human = json.loads((shared_data / "alt_test" / "summeval" / "human_annotations.json").read_text())
    item = cells[0].items[17]
    assert cells[0].targets[17] == pytest.approx(
        (np.mean([labels[item] for labels in human.values()]) - 1) / 4
    )


def test_overlap_and_percentiles():
    assert overlap("The cat, the CAT!", "a cat sat") == pytest.approx(1 / 4)
    assert overlap("...", "a") == 0.0
    splits = np.array([0, 0, 0, 0, 2])
    p = percentile_distributions(np.array([1.0, 2.0, 2.0, 3.0, 99.0]), splits, np.linspace(0, 1, 5))
    assert (p @ np.linspace(0, 1, 5)).tolist() == pytest.approx([0.125, 0.5, 0.5, 0.875, 1.0])


def record_file(judge, rows, labels=("1", "2", "3"), source="token_probabilities"):
    condition = Condition("distribution", judge, "r", "score/1", None, {"mode": "read"}, labels)
    records = {}
    for content, p in rows.items():
        value = Distribution(p, 0.1, source, "read", 10)
        records[content] = Record(condition.key(content, "p"), content, "p", value)
    return RecordFile(condition, (), records)


ITEMS = [ScoredItem(f"u{i}", f"c{i // 2}", f"h{i}", i / 5) for i in range(6)]


def test_records_become_a_cell():
    flat = (0.2, 0.3, 0.5)
    files = {
        "A": record_file("a", {f"h{i}": flat for i in range(5)}),
        "B": record_file("b", {"h0": (0.0, 0.0, 1.0), "h1": None, "h5": flat, "other": flat}),
    }
    cell = cell_from_records("summeval", "1-3", ITEMS, files)
    assert cell.items == tuple(f"u{i}" for i in range(6))
    assert cell.present[:, 1].tolist() == [True, False, False, False, False, True]
    assert cell.probabilities[0, 1].tolist() == [0.0, 0.0, 1.0]
    assert cell.targets.tolist() == [i / 5 for i in range(6)]


def test_records_of_other_labels_or_sources_are_refused_with_their_key():
    a = record_file("a", {"h0": (0.2, 0.3, 0.5)})
    other = record_file("b", {"h0": (0.5, 0.5)}, labels=("1", "2"))
    with pytest.raises(InputError, match=other.records["h0"].key):
        cell_from_records("d", "1-3", ITEMS, {"A": a, "B": other})
    sampled = record_file("b", {"h0": (0.2, 0.3, 0.5)}, source="samples")
    with pytest.raises(InputError, match=sampled.records["h0"].key):
        cell_from_records("d", "1-3", ITEMS, {"A": a, "B": sampled})
    with pytest.raises(InputError, match="not scores"):
        cell_from_records("d", "x", ITEMS, {"A": record_file("a", {}, labels=("yes", "no"))})
    with pytest.raises(InputError, match="no record has probabilities"):
        cell_from_records("d", "1-3", ITEMS, {"A": record_file("a", {"zz": (0.2, 0.3, 0.5)})})


def test_one_hot():
    assert one_hot(np.array([2.0, 1.0]), np.array([1.0, 2.0])).tolist() == [[0, 1], [1, 0]]


def test_scored_index_comes_back(tmp_path):
    path = tmp_path / "scores" / "summeval.tsv"
    write_scored_index(path, ITEMS)
    assert read_scored_index(path) == ITEMS
    split = [replace(item, split="train") for item in ITEMS]
    write_scored_index(path, split)
    assert read_scored_index(path) == split
    for text, what in [
        ("nothing", "not a scored index"),
        ("uid\tcluster\tcontent\ttarget\na\tb\tc\t3", "on .0, 1."),
        ("uid\tcluster\tcontent\ttarget\na\tb\tc", "3 fields"),
        ("uid\tcluster\tcontent\ttarget\na\tb\tc\t1\na\tb\td\t1", "twice"),
    ]:
        path.write_text(text)
        with pytest.raises(InputError, match=what):
            read_scored_index(path)
    with pytest.raises(InputError, match="all or none"):
        write_scored_index(path, [ITEMS[0], split[1]])
