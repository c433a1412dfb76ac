"""Agreement of a suite of scores with its re-run."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from analysis.rerun.comparison import compare_suites
from raim.cli import main
from raim.errors import InputError
from verdicts.records.canonical import sha256_text
from verdicts.records.files import write_record_file
from verdicts.records.schema import Condition, Distribution, Record, Run
from verdicts.records.scored_index import ScoredItem, write_scored_index
from verdicts.records.suite import Suite, SuiteBenchmark, SuiteMember, read_suite, write_suite

LABELS = ("1", "2", "3", "4", "5")
N = 40
TARGETS = np.random.default_rng(3).integers(1, 6, N) / 5
#: (judge, item, label)
PROBABILITIES = np.random.default_rng(4).dirichlet(np.ones(5), (2, N))
JUDGES = ("one", "two")


def member(judge: str, labels: tuple[str, ...] = LABELS) -> SuiteMember:
    return SuiteMember(judge, f"example/{judge}", "0" * 40, f"probabilities-{labels[0]}-{labels[-1]}")


def items() -> list[ScoredItem]:
    return [
        ScoredItem(f"i{i}", f"d{i // 4}", sha256_text(str(i)), float(target))
        for i, target in enumerate(TARGETS)
    ]


def write(
    suite: Path, judge: str, probabilities: np.ndarray, labels: tuple[str, ...] = LABELS, dtype: str = "a"
) -> None:
    """A judge's records under a name of the suite's own; a row of NaN is a prompt that was too long."""
    condition = Condition(
        "distribution", f"example/{judge}", "0" * 40, "summ/1", None, {"mode": "c", "dtype": dtype}, labels
    )
    records = []
    for item, row in zip(items(), probabilities, strict=False):
        absent = bool(np.isnan(row).any())
        p = None if absent else tuple(float(value) for value in row / row.sum())
        value = Distribution(
            p, None if absent else 0.1, "token_probabilities", "overflow" if absent else "scored", 9
        )
        records.append(Record(condition.key(item.content, "p"), item.content, "p", value, "run"))
    made = Run("run", "vllm" if dtype == "b" else "transformers", {"torch": "2"}, "one GPU")
    path = suite / "records" / "summeval" / f"{suite.name}-{judge}.jsonl.gz"
    write_record_file(path, condition, records, [made])


@pytest.fixture
def suites(tmp_path: Path) -> tuple[Path, Path]:
    folders = tmp_path / "a", tmp_path / "b"
    for folder in folders:
        write_scored_index(folder / "scores" / "summeval.tsv", items())
        write_suite(
            folder,
            Suite(
                folder.name,
                folder.name,
                "measured",
                {"summeval": SuiteBenchmark("SummEval", "scores", "summ")},
                {f"{folder.name}-{judge}": member(judge) for judge in JUDGES},
            ),
        )
        for judge, probabilities in zip(JUDGES, PROBABILITIES, strict=True):
            write(folder, judge, probabilities)
    return folders


def test_a_suite_of_scores_agrees_with_itself(
    suites: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    result = compare_suites(*suites)
    assert result["benchmarks"] == {}
    entry = result["scores"]["summeval"]
    assert list(entry["judges"]) == ["a-one", "a-two"]
    for j, judge in enumerate(entry["judges"].values()):
        assert judge["agreement"] == judge["coverages"][0] == 1
        assert judge["largest_probability_difference"] == judge["mean_shift"] == 0
        expected = PROBABILITIES[j] @ np.arange(1, 6)
        assert judge["spearmans"] == [pytest.approx(stats.spearmanr(expected, TARGETS).statistic)] * 2
    assert main(["rerun", *map(str, suites)]) == 0
    shown = capsys.readouterr().out
    assert "a-one is b-one in the re-run" in shown
    assert "median agreement of scores, probabilities-1-5: 1.000 over 2 judges and benchmarks" in shown


def test_what_moved_is_measured(suites: tuple[Path, Path], tmp_path: Path) -> None:
    """Against plain loops over the items that both runs scored."""
    moved = PROBABILITIES[0].copy()
    moved[:6] = moved[:6, ::-1]
    moved[6] = np.nan
    write(suites[1], "one", moved, dtype="b")
    first = PROBABILITIES[0].copy()
    first[7] = np.nan
    write(suites[0], "one", first[:39])
    assert main(["rerun", *map(str, suites), "--json", str(tmp_path / "out.json")]) == 0
    result = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    judge = result["scores"]["summeval"]["judges"]["a-one"]
    both = [i for i in range(39) if i not in (6, 7)]
    same = [PROBABILITIES[0, i].argmax() == moved[i].argmax() for i in both]
    shifts = [abs(PROBABILITIES[0, i] - moved[i]) for i in both]
    expected = [abs((PROBABILITIES[0, i] - moved[i]) @ np.arange(5)) / 4 for i in both]
    assert judge["n_both"] == 37
    assert judge["agreement"] == pytest.approx(np.mean(same))
    assert judge["agreement"] < 0.95
    assert judge["largest_probability_difference"] == pytest.approx(np.max(shifts))
    assert judge["mean_shift"] == pytest.approx(np.mean(expected))
    assert judge["coverages"] == [38 / 40, 39 / 40]
    assert judge["asked_otherwise"] == ["dtype"]
    assert any("engine vllm" in run for run in result["ran"][1])
    assert result["median_agreement_of_scores"]["probabilities-1-5"]["cells"] == 2


def test_a_judge_without_scores_on_one_side_is_named(
    suites: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    (suites[1] / "records" / "summeval" / "b-two.jsonl.gz").unlink()
    write(suites[1], "one", np.full((N, 5), np.nan))
    result = compare_suites(*suites)["scores"]["summeval"]
    assert result["not_compared"] == [{"a-two": "missing: 0 of 40 items judged"}, {}]
    assert result["judges"]["a-one"]["agreement"] is None
    assert result["judges"]["a-one"]["spearmans"][1] is None
    assert result["judges"]["a-one"]["reason"] == "no item that both runs scored"
    assert main(["rerun", *map(str, suites)]) == 0
    shown = capsys.readouterr().out
    assert "summeval: in the first (a) only: a-two (in the other: missing: 0 of 40 items judged)" in shown


def test_scores_over_other_labels_are_not_compared(suites: tuple[Path, Path]) -> None:
    described = read_suite(suites[1])
    wide = tuple(str(label) for label in range(1, 11))
    write_suite(suites[1], replace(described, members={**described.members, "b-two": member("two", wide)}))
    write(suites[1], "two", np.full((N, 10), 0.1), wide)
    result = compare_suites(*suites)
    assert result["only_in"]["members"][1] == {"b-two": "example/two, probabilities-1-10"}
    result = compare_suites(*suites, given=[("a-two", "b-two")])["scores"]["summeval"]
    assert list(result["judges"]) == ["a-one"]
    assert result["not_compared"] == [
        {"a-two": "asked for other labels"},
        {"b-two": "asked for other labels"},
    ]


def test_other_scored_items_are_no_rerun(suites: tuple[Path, Path]) -> None:
    path = suites[1] / "scores" / "summeval.tsv"
    write_scored_index(path, [replace(items()[0], target=0.123), *items()[1:]])
    with pytest.raises(InputError, match="summeval: item 'i0' differs in content, human score, cluster"):
        compare_suites(*suites)
    write_scored_index(path, items()[1:])
    with pytest.raises(InputError, match="summeval: 1 items are in one suite only, such as 'i0'"):
        compare_suites(*suites)
