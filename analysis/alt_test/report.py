"""A result as plain values for JSON: everything that appendix A asks to be reported."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from analysis.alt_test.agreement import Agreement, PairMean
from analysis.alt_test.combined import CombinedResult
from analysis.alt_test.domains import DomainsResult
from analysis.alt_test.results import AltTestResult, AnnotatorEvidence, Decision, JudgeResult
from analysis.alt_test.scores import resolve_score
from analysis.alt_test.setup import Setup
from analysis.alt_test.significance import Significance
from analysis.alt_test.sweep import Sweep
from analysis.alt_test.traditional import traditional


def settings_json(setup: Setup, q: float, epsilon_reason: str, reference: str | None) -> dict[str, Any]:
    """What was asked: score, epsilon with its reason, thresholds. ``reference`` names the expert or gold."""
    return {
        "score": resolve_score(setup.score).name,
        "epsilon": setup.epsilon,
        "epsilon_reason": epsilon_reason,
        "q": q,
        "min_humans_per_item": setup.humans_needed,
        "min_items_per_annotator": setup.min_items_per_annotator,
        "few_items": setup.few_items,
        "reference": reference,
        "quality": None if setup.quality is None else dict(setup.quality),
        "weighting": None if setup.weighting is None else setup.weighting.name,
        "cluster_robust": None if setup.clusters is None else setup.robust,
    }


def result_json(result: AltTestResult, setup: Setup) -> dict[str, Any]:
    """Keys ``n_items``, ``n_annotators``, ``judges``, ``skipped``, ``warnings``."""
    humans = result.evidence.test.humans
    skipped: dict[str, dict[str, Any]] = {}
    for name, judge in result.judges.items():
        for part in judge.evidence.skipped:
            skipped.setdefault(part.annotator, {})[name] = {"n": part.n, "reason": part.reason}
    return {
        "n_items": len(humans.items),
        "n_annotators": len(humans.annotators),
        "judges": {name: judge_json(judge, result) for name, judge in result.judges.items()},
        "skipped": {
            "annotators": skipped,
            "items": {
                "too_few_humans": int((humans.counts < setup.humans_needed).sum()),
                "no_judge": result.n_unjudged,
            },
        },
        "warnings": list(result.warnings),
    }


def judge_json(judge: JudgeResult, result: AltTestResult) -> dict[str, Any]:
    """One judge: omega, rho, whether it passes, the cluster-robust decision, and its annotators."""
    evidence, decided = judge.evidence, judge.plain
    index = {name: position for position, name in enumerate(result.evidence.test.humans.annotators)}
    comparisons = {part.annotator: part for part in evidence.comparisons}
    measures = traditional(result.evidence.test, evidence.judge)
    out: dict[str, Any] = {
        "winning_rate": judge.winning_rate,
        "advantage_probability": judge.advantage_probability,
        "passes": judge.passes,
    }
    if judge.reason:
        out["reason"] = judge.reason
    if judge.robust is not None:
        out["cluster_robust"] = {"winning_rate": judge.robust.winning_rate, "passes": judge.robust.passes}
    out["annotators"] = {}
    for part in evidence.annotators:
        comparison = comparisons[index[part.annotator]]
        entry = _annotator(part, decided)
        entry["n_unjudged"], entry["n_abstained"] = comparison.n_unjudged, comparison.n_abstained
        if part.robust is not None and judge.robust is not None:
            entry["cluster_robust"] = {
                "n_clusters": part.n_clusters,
                **_test(part.annotator, part.robust, judge.robust),
            }
        out["annotators"][part.annotator] = entry
    if measures is not None:
        out["traditional"] = asdict(measures)
    return out


def agreement_json(measured: Agreement) -> dict[str, Any]:
    """Agreement among the humans, with the number of pairs behind every mean over pairs."""

    def pairs(mean: PairMean | None) -> dict[str, Any] | None:
        return None if mean is None else {"mean": mean.mean, "n_pairs": mean.n_defined}

    return {
        "n_items": measured.n_items,
        "n_annotators": measured.n_annotators,
        "n_pairs": measured.n_pairs,
        "percent": pairs(measured.percent),
        "cohen_kappa": pairs(measured.cohen_kappa),
        "fleiss_kappa": measured.fleiss_kappa,
        "krippendorff_alpha": {
            "nominal": measured.alpha_nominal,
            "ordinal": measured.alpha_ordinal,
            "interval": measured.alpha_interval,
        },
        "pearson": pairs(measured.pearson),
        "spearman": pairs(measured.spearman),
    }


def domains_json(result: DomainsResult, tests_setup: Mapping[str, Setup]) -> dict[str, Any]:
    """Keys ``domains`` (each as a result) and ``claims``, the sentence that appendix A asks for."""
    n = len(result.domains)
    return {
        "domains": {name: result_json(one, tests_setup[name]) for name, one in result.domains.items()},
        "claims": {
            judge: {
                "passed": passed,
                "tested": result.tested[judge],
                "domains": n,
                "claim": f"{judge} passes the alt-test in {passed} of {n} domains",
            }
            for judge, passed in result.passed.items()
        },
    }


def combined_json(result: CombinedResult) -> dict[str, Any]:
    """Key ``combined``: means over pairings and each pairing's own numbers, by judge."""
    judges = {
        name: {
            "winning_rate": result.winning_rate[name],
            "advantage_probability": result.advantage_probability[name],
            "share_passed": result.share_passed[name],
            "by_pairing": [
                {
                    "winning_rate": one.judges[name].winning_rate,
                    "advantage_probability": one.judges[name].advantage_probability,
                }
                for one in result.results
            ],
        }
        for name in result.winning_rate
    }
    return {"pairings": [[list(pair) for pair in pairing] for pairing in result.pairings], "judges": judges}


def sweep_json(sweeps: Mapping[str, Sweep]) -> dict[str, Any]:
    """Winning rates over epsilon, by judge."""
    return {
        name: {
            "epsilons": list(sweep.epsilons),
            "winning_rates": list(sweep.winning_rates),
            "smallest_passing": sweep.smallest_passing,
        }
        for name, sweep in sweeps.items()
    }


def _annotator(part: AnnotatorEvidence, decided: Decision) -> dict[str, Any]:
    return {
        "n": part.n,
        "advantage": part.advantage,
        "human_advantage": part.human_advantage,
        **_test(part.annotator, part.plain, decided),
    }


def _test(annotator: str, test: Significance, decided: Decision) -> dict[str, Any]:
    return {
        "p_value": test.p_value,
        "rejected": decided.rejected[annotator],
        "p_adjusted": decided.p_adjusted[annotator],
        "test": test.method,
        "statistic": test.statistic,
        "df": test.df,
        "n_effective": test.n_effective,
        "flags": list(test.flags),
    }
