"""Tables that published scores allow."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from analysis.simulation.competence import choose_tables, member_tables
from analysis.simulation.confusions import Table, admissible, balanced, is_free, with_equal_recalls
from analysis.simulation.targets import Scores, read_targets


def kappa_of(table: Table) -> float:
    gold = [1] * (table.tp + table.fn) + [0] * (table.fp + table.tn)
    votes = [1] * table.tp + [0] * table.fn + [1] * table.fp + [0] * table.tn
    return float(cohen_kappa_score(gold, votes))


@settings(derandomize=True, deadline=None, max_examples=15)
@given(st.integers(1, 14), st.integers(1, 13), st.integers(0, 14), st.integers(0, 14))
def test_all_tables_of_a_kappa_are_found(tp: int, tn: int, fp: int, fn: int) -> None:
    sizes = (15 if fp + tn <= 15 else fp + tn, 15 if tp + fn <= 15 else tp + fn)
    true = Table(tp, fp, fn, tn)
    committed = tp + fp + fn + tn
    found = admissible(Scores(kappa=kappa_of(true), committed=committed), sizes)
    assert true in found
    assert all(abs(kappa_of(one) - kappa_of(true)) < 1e-9 for one in found)
    assert all(one.tp + one.fp + one.fn + one.tn == committed for one in found)
    assert all(one.tp + one.fn <= sizes[1] and one.fp + one.tn <= sizes[0] for one in found)
    exact = Scores(kappa_of(true), committed, true_positives=tp, true_negatives=tn)
    assert true in admissible(exact, sizes)


def test_mirrored_tables_have_the_same_kappa_and_the_opposite_bias() -> None:
    table = Table(30, 4, 10, 25)
    assert kappa_of(table.mirrored()) == pytest.approx(kappa_of(table))
    assert table.mirrored().bias == pytest.approx(-table.bias)


@settings(derandomize=True, max_examples=60)
@given(st.floats(-0.9, 0.9), st.floats(-1, 1), st.integers(20, 200))
def test_balanced_tables(kappa: float, bias: float, size: int) -> None:
    table = balanced(kappa, bias, size)
    assert min(table.tp, table.fp, table.fn, table.tn) >= 0
    assert table.tp + table.fn == table.fp + table.tn == size
    assert abs((table.tp - table.fp) / size - kappa) <= 0.5 / size + 1e-12


def test_equal_recalls_keep_the_committed_items_and_the_sum_of_recalls() -> None:
    table = Table(80, 5, 20, 60)
    equal = with_equal_recalls(table)
    assert equal.tp + equal.fn == 100
    assert equal.fp + equal.tn == 65
    assert abs(equal.bias) < 0.02
    assert kappa_of(equal) == pytest.approx(kappa_of(table), abs=0.05)


def test_a_judge_that_commits_on_all_items_of_even_classes_is_free_without_counts() -> None:
    assert is_free(Scores(0.2, 20), (10, 10))
    assert not is_free(Scores(0.2, 19), (10, 10))
    assert not is_free(Scores(0.2, 20, true_positives=6), (10, 10))


@pytest.fixture(scope="module")
def tables() -> dict[str, dict[str, Table]]:
    return member_tables(read_targets())


def test_every_member_has_its_published_scores(tables: dict[str, dict[str, Table]]) -> None:
    """Kappas of all eighty cells to rounding, and the published counts."""
    for name, benchmark in read_targets().benchmarks.items():
        for member, table in tables[name].items():
            scores = benchmark.scores[member]
            assert kappa_of(table) == pytest.approx(scores.kappa, abs=1e-9), (name, member)
            assert table.tp + table.fp + table.fn + table.tn == scores.committed
            assert scores.true_positives in (None, table.tp)
            assert scores.false_positives in (None, table.fp)
            assert scores.true_negatives in (None, table.tn)


def test_biases_are_found_again_where_they_are_published(tables: dict[str, dict[str, Table]]) -> None:
    """Hide what FActScore hides: four members' biases, and the sign of six others' (docs/simulation.md)."""
    targets = read_targets()
    hidden = np.array(
        [any(tag in member for tag in ("Qwen", "Mistral", "Phi", "Yi")) for member in targets.members]
    )
    wrong_signs = 0
    for name in ("medhallu", "wice", "ragtruth", "xsum"):
        benchmark, true = targets.benchmarks[name], list(tables[name].values())
        options = [
            [] if hide else [table, table.mirrored()] for hide, table in zip(hidden, true, strict=True)
        ]
        youden = np.array([1 - table.miss_rate - table.false_alarm_rate for table in true])
        chosen = choose_tables(benchmark.phi, youden, options, benchmark.class_sizes[0])
        biases, wanted = (np.array([table.bias for table in some]) for some in (chosen, true))
        biases *= np.sign(biases @ wanted)
        wrong_signs += int((np.abs(biases - wanted)[~hidden] > 1e-9).sum())
        assert np.sqrt(np.mean((biases - wanted)[hidden] ** 2)) < 0.11, name
    assert wrong_signs <= 1
