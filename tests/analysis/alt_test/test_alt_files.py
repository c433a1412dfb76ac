"""Annotations from JSON, CSV and released records; what is wrong with a file is said with its name."""

from __future__ import annotations

import json

import pytest

from analysis.alt_test.files import after, before, read_annotations, read_item_values, read_judges
from analysis.alt_test.labels import ABSTAINED
from analysis.alt_test.procedure import alt_test
from analysis.alt_test.records import Reading
from analysis.alt_test.setup import Setup
from raim.errors import InputError
from verdicts.records.files import write_record_file
from verdicts.records.index import IndexRow, write_index
from verdicts.records.schema import Condition, Distribution, Record, Verdict


def written(path, text):
    path.write_text(text, encoding="utf-8")
    return path


def test_json_and_csv_say_the_same(tmp_path):
    layout = {"a": {"i1": 1, "i2": 2.5, "i3": None}, "b": {"i1": 3}}
    as_json = written(tmp_path / "h.json", json.dumps(layout))
    text = "label,note,item,annotator\n1,x,i1,a\n2.5,y,i2,a\n,z,i3,a\n3.0,,i1,b\n"
    assert read_annotations(written(tmp_path / "h.csv", text)) == read_annotations(as_json) == layout
    marked = written(tmp_path / "marked.csv", "\ufeff" + text)
    assert read_annotations(marked) == layout


def test_csv_text_stays_text(tmp_path):
    text = 'item,annotator,label\ni1,a,1\ni2,a,"yes, it is"\n\ni1,b,nan\n'
    found = read_annotations(written(tmp_path / "h.csv", text))
    assert found == {"a": {"i1": "1", "i2": "yes, it is"}, "b": {"i1": "nan"}}


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("h.csv", "item,annotator\ni,a\n", "needs the columns item, annotator, label"),
        ("h.csv", "item,annotator,label,label\ni,a,1,2\n", "each once"),
        ("h.csv", "", "needs the columns"),
        ("h.csv", "item,annotator,label\n", "holds no rows"),
        ("h.csv", "item,annotator,label\ni,a\n", "line 2: 2 fields"),
        ("h.csv", "item,annotator,label\ni,a,1\ni,a,2\n", "line 3: annotator 'a' labelled item 'i' twice"),
        ("h.csv", "item,annotator,label\n,a,1\n", "line 2: item is empty"),
        ("h.csv", "item,annotator,label\ni,,1\n", "line 2: annotator is empty"),
        ("h.csv", 'item,annotator,label\n"i,a,1\n', "not CSV"),
        ("h.json", "{", "not JSON"),
        ("h.json", "[1]", "an object of objects"),
        ("h.json", '{"i": "yes"}', "an object of objects"),
        ("h.json", "{}", "holds no annotator"),
        ("h.json", '{"a": {"i": 1, "i": 2}}', "'i' occurs twice"),
        ("h.json", '{"a": {}, "a": {}}', "'a' occurs twice"),
        ("h.txt", "", "a .json or a .csv file"),
    ],
)
def test_files_refused(tmp_path, name, text, words):
    with pytest.raises(InputError, match=words) as caught:
        read_annotations(written(tmp_path / name, text))
    assert str(tmp_path / name) in str(caught.value)


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        read_annotations(tmp_path / "none.json")
    (tmp_path / "binary.csv").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="cannot be read"):
        read_annotations(tmp_path / "binary.csv")


def test_item_values(tmp_path):
    assert read_item_values(written(tmp_path / "g.json", '{"i": "yes"}'), "label") == {"i": "yes"}
    assert read_item_values(written(tmp_path / "g.csv", "item,label\ni,1\nj,2\n"), "label") == {
        "i": 1,
        "j": 2,
    }
    with pytest.raises(InputError, match="occurs twice"):
        read_item_values(written(tmp_path / "g.csv", "item,label\ni,1\ni,2\n"), "label")
    with pytest.raises(InputError, match="one object"):
        read_item_values(written(tmp_path / "g.json", '{"a": {"i": 1}}'), "label")


def test_parts_of_an_id():
    assert before("__")("doc--x__M1__fluency") == "doc--x"
    assert after("__")("doc--x__M1__fluency") == "fluency"


VERDICTS = Condition("verdict", "judge", "r1", "pair", None, {"mode": "greedy"})


def record(condition, number, value):
    return Record(condition.key(f"c{number}", f"p{number}"), f"c{number}", f"p{number}", value, run="")


def verdict(value):
    return Verdict(value, "line", "stop", 1, 1, "0" * 64)


def distribution(probabilities, rule="read"):
    return Distribution(probabilities, 0.0, "token_probabilities", rule, 1)


def test_verdict_records_are_judges(tmp_path):
    """Verdicts become the humans' labels, no verdict an abstention; the index names the items."""
    path = tmp_path / "small.generative.jsonl.gz"
    values = [verdict(1), verdict(0), verdict(None)]
    write_record_file(path, VERDICTS, [record(VERDICTS, n, value) for n, value in enumerate(values)], [])
    assert read_judges([path], Reading(), None) == {"small.generative": {"c0": 1, "c1": 0, "c2": ABSTAINED}}
    rows = [IndexRow(f"u{n}", "k", 0, f"c{n}", "") for n in (2, 0, 5)]
    write_index(tmp_path / "index.tsv", rows)
    found = read_judges([path], Reading(("no", "yes")), tmp_path / "index.tsv")
    assert found == {"small.generative": {"u0": "yes", "u2": ABSTAINED}}


def test_distribution_records_are_judges(tmp_path):
    """Mode or mean of number labels; over verdicts an even chance is hallucinated; nothing read is an abstention."""
    scores = Condition("distribution", "judge", "r1", "score", None, {}, ("1", "2", "3"))
    path = tmp_path / "a.jsonl.gz"
    values = [distribution((0.2, 0.5, 0.3)), distribution((0.5, 0.0, 0.5)), distribution(None, "overflow")]
    write_record_file(path, scores, [record(scores, n, value) for n, value in enumerate(values)], [])
    assert read_judges([path], Reading(), None)["a"] == {"c0": 2, "c1": 1, "c2": ABSTAINED}
    means = read_judges([path], Reading(decoding="mean"), None)["a"]
    assert (means["c0"], means["c1"]) == (pytest.approx(2.1), pytest.approx(2.0))

    verdicts = Condition("distribution", "judge", "r1", "pair", None, {}, ("SUPPORTED", "HALLUCINATED"))
    path = tmp_path / "b.jsonl.gz"
    values = [distribution((0.5, 0.5)), distribution((0.6, 0.4))]
    write_record_file(path, verdicts, [record(verdicts, n, value) for n, value in enumerate(values)], [])
    assert read_judges([path], Reading(), None)["b"] == {"c0": 1, "c1": 0}

    words = Condition("distribution", "judge", "r1", "pair", None, {}, ("good", "bad"))
    path = tmp_path / "c.jsonl.gz"
    write_record_file(path, words, [record(words, 0, distribution((0.3, 0.7)))], [])
    assert read_judges([path], Reading(), None)["c"] == {"c0": "bad"}
    with pytest.raises(InputError, match="is no number"):
        read_judges([path], Reading(decoding="mean"), None)


def test_records_through_the_test(tmp_path):
    """A judge from records equals the same judge from a mapping."""
    path = tmp_path / "f.jsonl.gz"
    answers = [(7 * n) % 5 % 2 for n in range(60)]
    write_record_file(path, VERDICTS, [record(VERDICTS, n, verdict(v)) for n, v in enumerate(answers)], [])
    humans = {f"h{j}": {f"c{n}": (n * (j + 1)) % 3 % 2 for n in range(60)} for j in range(3)}
    found = alt_test(humans, read_judges([path], Reading(), None), Setup()).judges["f"]
    expected = alt_test(humans, {"f": {f"c{n}": v for n, v in enumerate(answers)}}, Setup()).judges["f"]
    assert found.plain == expected.plain


def test_two_judges_of_one_name(tmp_path):
    path = written(tmp_path / "j.json", '{"f": {"i": 1}}')
    with pytest.raises(InputError, match="a judge 'f' already"):
        read_judges([path, path], Reading(), None)
