from __future__ import annotations

import copy

import numpy as np
import pytest

from analysis.deployment.audit import notes
from analysis.deployment.audit_text import render
from analysis.estimators.ladder import ladder
from analysis.panel.votes import vote_matrix
from analysis.wording import call_in_words
from tests.analysis.simulate import simulate


@pytest.fixture(scope="module")
def result():
    return ladder(simulate(50, missing=0.0), n_draws=20)


def change(result, path, value):
    changed = copy.deepcopy(result)
    *keys, last = path
    place = changed
    for key in keys:
        place = place[key]
    place[last] = value
    return changed


def test_an_ordinary_panel_has_no_notes(result):
    assert notes(result) == []


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        (("members", "judge-1", "coverage"), 0.5, "Coverage below 0.95: judge-1."),
        (("at_chance",), True, "at chance"),
        (("methods", "stacked", "kappa", "high"), -0.01, "below chance"),
        (("common_denominator", "stacked-best_cv", "n_common"), 200, "commits on 200 of 240 items"),
        (("weights", "stacked", "n_fits"), 4, "In 1 of 5 folds"),
        (("dawid_skene", "converged"), False, "did not converge"),
        (("methods", "dawid_skene", "kappa", "estimate"), -0.2, "change places"),
        (("admissibility", "pairs", "skipped"), 3, "Of 15 member pairs, 3 share fewer"),
        (("admissibility", "pairs", "constant"), 2, "Of 15 member pairs, 2 have a side whose errors never"),
        (("methods", "best_cv", "kappa", "undefined_draws"), 7, "Up to 7 of 20 resamples"),
    ],
)
def test_each_note(result, path, value, words):
    found = notes(change(result, path, value))
    assert len(found) == 1
    assert words in found[0]


def test_a_shared_error_turns_dawid_skene_round():
    rng = np.random.default_rng(0)
    gold = np.repeat([0, 1], 150)
    votes = np.where(rng.random((300, 3)) < 0.1, gold[:, None], 1 - gold[:, None]).astype(float)
    panel = vote_matrix(list("abc"), [str(i) for i in range(300)], list(range(300)), gold, votes)
    result = ladder(panel, n_draws=10)
    assert result["methods"]["dawid_skene"]["kappa"]["estimate"] < -0.5
    assert any("change places" in note for note in notes(result))
    # Told gold, the stacker reads the same votes the right way round.
    assert result["methods"]["stacked"]["kappa"]["estimate"] > 0.5


def test_the_page_shows_undefined_values_as_dashes():
    panel = simulate(51, n_members=1)
    votes = np.where(panel.gold[:, None] == 1, 1.0, np.nan)
    one_class = vote_matrix(
        ["only"], panel.uids, [panel.clusters[c] for c in panel.cluster], panel.gold, votes
    )
    result = ladder(one_class, n_draws=10)
    page = render({**result, "input": {"name": "x\x1b.csv"}, "notes": notes(result)})
    assert "x\\x1b.csv: 240 items in 90 clusters, 1 member," in page
    row = next(line for line in page.splitlines() if line.startswith("only"))
    assert row.split()[1] == "-"
    assert "Kappa is undefined for only (" in " ".join(page.split())
    assert "mean error correlation undefined (one member: no pair)" in " ".join(page.split())
    assert "Verdict: undefined." in page


@pytest.mark.parametrize(
    ("phi_bar", "n_eff", "words"),
    [
        (0.5, 1.6, "The panel is worth 1.60 independent votes of 4."),
        (-0.1, 5.71, "worth 5.71 independent votes, more than its 4."),
        (-0.5, None, "mean error correlation -0.500 (at most 0.4 needed)."),
    ],
)
def test_what_a_correlation_makes_of_the_panel(phi_bar, n_eff, words):
    call = {
        "phi_bar": phi_bar,
        "n_eff": n_eff,
        "competent": 0,
        "required": 2,
        "admissible": False,
        "thresholds": {"kappa": 0.3, "share": 0.5, "phi": 0.4},
    }
    assert call_in_words(call, 4).endswith(words)
