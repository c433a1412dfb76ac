from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import spearmanr

from analysis.judgemoe.cell import VALIDATION
from analysis.judgemoe.diagnostics.rank_stability import candidate_tests, rank_stability
from analysis.judgemoe.features import hard_scores, soft_scores
from analysis.judgemoe.pools.fixed import fit_pool
from analysis.judgemoe.selectors.decision import decide, family_leads
from analysis.judgemoe.selectors.experts import ExpertScores, scalar_as_distribution
from analysis.judgemoe.selectors.experts import decide as decide_expert
from analysis.judgemoe.selectors.leave_one_out import leave_one_out
from analysis.judgemoe.selectors.rule import (
    FAMILIES,
    Rule,
    Signals,
    best_family,
    fit_rule,
    leave_one_cell_out,
)
from analysis.judgemoe.selectors.singles import best_single, judge_spearmans
from analysis.judgemoe.selectors.subsets import best_candidate, search_subsets
from raim.errors import InputError
from tests.analysis.judgemoe.random_cells import random_cell

NAN = float("nan")


def test_single_judges_against_scipy():
    cell = random_cell(80, 4, 5, missing=0.2)
    for extraction, scores in (("soft", soft_scores(cell)), ("hard", hard_scores(cell))):
        expected = [
            spearmanr(scores[cell.present[:, j], j], cell.targets[cell.present[:, j]]).statistic
            for j in range(4)
        ]
        assert judge_spearmans(cell, extraction) == pytest.approx(expected)
        assert best_single(cell, extraction) == cell.judges[int(np.argmax(expected))]


def test_constant_judges_have_no_correlation_and_are_not_chosen():
    p = random_cell(60, 3, 4).probabilities.copy()
    p[:, 0] = [0.1, 0.2, 0.3, 0.4]
    cell = random_cell(60, 3, 4, probabilities=p)
    assert np.isnan(judge_spearmans(cell)[0])
    assert best_single(cell) != "j0"


@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_subset_search_is_every_subset_pooled_by_itself(missing):
    cell = random_cell(150, 4, 5, missing=missing)
    validation = cell.split(VALIDATION)
    found = search_subsets(validation)
    assert len(found) == 4 + 2 * (2**4 - 1 - 4)
    by_key = {(c.judges, c.kind): c for c in found}
    assert len(by_key) == len(found)
    for size in range(2, 5):
        for judges in itertools.combinations(cell.judges, size):
            part = validation.with_judges(judges)
            for kind in ("uniform", "cov"):
                pool = fit_pool(part, kind, "log")
                candidate = by_key[judges, kind]
                if missing == 0.0:
                    assert candidate.weights == pytest.approx(pool.weights, abs=1e-9)
                    expected = spearmanr(pool.predict(part), part.targets).statistic
                    assert candidate.validation == pytest.approx(expected, abs=1e-12)
                prediction = candidate.pool.predict(validation)
                kept = np.isfinite(prediction)
                again = spearmanr(prediction[kept], validation.targets[kept]).statistic
                assert candidate.validation == pytest.approx(again, abs=1e-12)


def test_six_judges_have_sixty_three_subsets():
    found = search_subsets(random_cell(60, 6, 4))
    assert len({c.judges for c in found}) == 63
    assert len(found) == 120


def test_best_candidate_prefers_fewer_judges_among_equals():
    p = np.repeat(random_cell(60, 1, 4).probabilities, 3, axis=1)  # three copies of one judge
    found = search_subsets(random_cell(60, 3, 4, probabilities=p))
    assert best_candidate(found).judges == ("j0",)
    assert len(best_candidate(found, min_size=2).judges) == 2


def test_search_refuses_too_many_judges():
    with pytest.raises(InputError, match="12 judges or fewer"):
        search_subsets(random_cell(20, 13, 3))


def test_leave_one_out_is_the_pool_without_the_judge():
    cell = random_cell(100, 3, 5)
    found = leave_one_out(cell)
    full = spearmanr(fit_pool(cell, "uniform", "log").predict(cell), cell.targets).statistic
    rest = cell.with_judges(["j0", "j2"])
    without = spearmanr(fit_pool(rest, "uniform", "log").predict(rest), cell.targets).statistic
    assert found.full == pytest.approx(full)
    assert found.gains[1] == pytest.approx(without - full)
    assert np.isnan(leave_one_out(cell.with_judges(["j0"])).gain)


def test_leave_one_out_compares_on_the_items_that_the_others_scored():
    # j2 alone scored the last items, and upside down: without it they are gone, which is no gain of the others.
    p = random_cell(90, 3, 5).probabilities.copy()
    present = np.ones((90, 3), dtype=bool)
    present[60:, :2] = False
    p[60:, 2] = p[60:, 2, ::-1]
    cell = random_cell(90, 3, 5, probabilities=p, present=present)
    inner = cell.take(np.arange(60))
    assert leave_one_out(cell).gains[2] == pytest.approx(leave_one_out(inner).gains[2])


def test_leave_one_out_finds_an_upside_down_judge():
    p = random_cell(200, 4, 5).probabilities.copy()
    p[:, 2] = np.clip(p[:, 2, ::-1] ** 3, 1e-9, None)
    p[:, 2] /= p[:, 2].sum(axis=1, keepdims=True)
    found = leave_one_out(random_cell(200, 4, 5, probabilities=p))
    assert found.worst == "j2"
    assert found.gain > 0.14


def signals(gain=0.0, correlation=0.6, single=0.3, fixed=0.5, full=0.4, sparse=0.45):
    return Signals(gain, correlation, {"single": single, "fixed": fixed, "full": full, "sparse": sparse})


def test_the_papers_rule():
    assert Rule().choose(signals(gain=0.14)) == "sparse"
    assert Rule().choose(signals()) == "fixed"
    assert Rule().choose(signals(correlation=0.49)) == "full"
    assert Rule().choose(signals(full=0.51)) == "full"
    assert Rule().choose(signals(full=0.5)) == "fixed"
    # What is undefined fires nothing.
    assert Rule().choose(signals(gain=NAN, correlation=NAN)) == "full"


#: Table 21's validation signals are not published; these have its pattern: what each cell's best family looks like.
PATTERN = [
    (signals(gain=0.2), {"single": 0.1, "fixed": 0.2, "full": 0.2, "sparse": 0.4}),
    (signals(correlation=0.8), {"single": 0.1, "fixed": 0.5, "full": 0.4, "sparse": 0.3}),
    (signals(correlation=0.9), {"single": 0.1, "fixed": 0.6, "full": 0.4, "sparse": 0.3}),
    (signals(full=0.7), {"single": 0.1, "fixed": 0.2, "full": 0.5, "sparse": 0.3}),
    (signals(gain=0.16, correlation=0.9), {"single": 0.1, "fixed": 0.2, "full": 0.2, "sparse": 0.4}),
]


def test_sweep_recovers_a_rule_that_fits_every_cell():
    rule = fit_rule([s for s, _ in PATTERN], [t for _, t in PATTERN])
    assert all(rule.choose(s) == best_family(t) for s, t in PATTERN)


def test_sweep_with_undefined_test_scores_prefers_rules_that_reach_defined_ones():
    # No rule picks the best family (single), and two families have no score: the rule that avoids them wins.
    cell = signals(gain=0.1, correlation=0.4)
    rule = fit_rule([cell], [{"single": 0.5, "fixed": 0.3, "full": NAN, "sparse": NAN}])
    assert rule.choose(cell) == "fixed"


def test_leave_one_cell_out_never_sees_the_held_out_cell():
    cells, tests = [s for s, _ in PATTERN], [t for _, t in PATTERN]
    base = leave_one_cell_out(cells, tests)
    for held in range(len(cells)):
        changed = [
            t if i != held else {"single": 9.0, "fixed": 0.0, "full": 0.0, "sparse": 0.0}
            for i, t in enumerate(tests)
        ]
        assert leave_one_cell_out(cells, changed)[held] == base[held]


def leads(**ahead):
    """No family ahead of another beyond doubt, but those given as ``first_second=low``."""
    out = {a: dict.fromkeys(FAMILIES, -0.1) for a in FAMILIES}
    for pair, low in ahead.items():
        first, second = pair.split("_")
        out[first][second] = low
    return out


def test_decision_gives_what_to_deploy_and_why():
    kept = {"single": "a", "fixed": "cov_log", "sparse": ("b", "c"), "leads": leads()}
    found = decide(signals(), **kept)
    assert (found.choice, found.method, found.judges) == ("fixed", "cov_log", ())
    assert "share their errors" in found.reason
    found = decide(signals(gain=0.2), **kept)
    assert (found.choice, found.method, found.judges) == ("sparse", "judgemoe", ("b", "c"))
    assert "contaminates" in found.reason
    assert "err apart" in decide(signals(correlation=0.2), **kept).reason
    assert "ahead of the fixed pool by +0.200" in decide(signals(full=0.7), **kept).reason
    alone = decide(signals(single=0.9), **{**kept, "leads": leads(single_fixed=0.05)})
    assert (alone.choice, alone.method, alone.judges) == ("single", "soft_best_single", ("a",))
    assert "starts at +0.050" in alone.reason
    # The rule takes JudgeMoE where judges err apart; a fixed pool that is clearly ahead of it comes first.
    apart = signals(correlation=0.2, fixed=0.7)
    assert decide(apart, **kept).choice == "full"
    found = decide(apart, **{**kept, "leads": leads(fixed_full=0.03, single_full=0.01)})
    assert (found.choice, found.method) == ("fixed", "cov_log")
    # A lead that may be chance leaves the rule's choice.
    assert decide(signals(single=0.9), **kept).choice == "fixed"


def test_leads_are_the_lower_ends_of_paired_intervals():
    rng = np.random.default_rng(0)
    single = rng.normal(0.5, 0.1, 1000)
    found = family_leads({"single": single, "fixed": single - rng.normal(0.05, 0.01, 1000)})
    assert found["single"]["fixed"] == pytest.approx(0.05 - 1.96 * 0.01, abs=0.002)
    assert found["fixed"]["single"] == pytest.approx(-0.05 - 1.96 * 0.01, abs=0.002)
    assert np.isnan(found["full"]["single"])


def test_decision_without_a_gate():
    found = decide(
        signals(gain=0.2, full=NAN, sparse=NAN),
        single="a",
        fixed="uniform_log",
        sparse=(),
        leads=leads(fixed_full=NAN, fixed_sparse=NAN),
    )
    assert found.choice == "fixed"
    assert "no defined score" in found.reason
    nothing = decide(
        signals(NAN, NAN, 0.3, NAN, NAN, NAN),
        single="a",
        fixed="uniform_log",
        sparse=(),
        leads={a: dict.fromkeys(FAMILIES, NAN) for a in FAMILIES},
    )
    assert nothing.choice == "single"


def test_expert_decisions():
    assert decide_expert(ExpertScores(0.5, 0.6, 0.55, 0.4)) == "keep expert"
    assert decide_expert(ExpertScores(0.5, 0.4, 0.55, 0.3)) == "repair pool"
    assert decide_expert(ExpertScores(0.5, 0.4, 0.45, 0.3)) == "keep LLM pool"
    assert decide_expert(ExpertScores(0.2, 0.16, 0.2, 0.43)) == "use standalone"
    assert decide_expert(ExpertScores(0.5, 0.5, 0.5, 0.5)) == "keep LLM pool"
    assert decide_expert(ExpertScores(0.5, 0.6, 0.6, NAN)) == "keep expert"


@settings(max_examples=60, derandomize=True, deadline=None)
@given(st.floats(0, 1), st.integers(2, 10))
def test_a_scalar_expert_keeps_its_soft_score(score, k):
    labels = np.linspace(0, 1, k)
    p = scalar_as_distribution(np.array([score]), labels)
    assert p.sum() == pytest.approx(1.0)
    assert (p >= -1e-15).all()
    assert (p > 0).sum() <= 2
    assert p[0] @ labels == pytest.approx(score, abs=1e-12)


def test_rank_stability():
    cell = random_cell(200, 3, 5)
    candidates = search_subsets(cell.split(VALIDATION))
    tests = candidate_tests(candidates, cell.split(2))
    found = rank_stability(candidates, tests)
    assert found.candidates == 11
    assert found.correlation == pytest.approx(spearmanr([c.validation for c in candidates], tests).statistic)
    best = max(range(11), key=lambda i: candidates[i].validation)
    assert found.selected_test == tests[best]
    assert found.test_rank == 1 + sum(t > tests[best] for t in tests)
