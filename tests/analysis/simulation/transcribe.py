"""Transcribe what the simulated suite is fitted to, and what it is compared with, from the release's numbers.

``python -m tests.analysis.simulation.transcribe`` writes the files anew; the test beside it holds the committed ones
to it. Input: ``raim_release_reference.json``, the derived tier of the public release at full precision (CC BY-NC-SA
4.0), and Tables 12, 18, 21 and 22 and appendix F of the paper. Transcribed are numbers, one fact each; no vote, no
item, no text.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import yaml

from analysis.simulation.confusions import admissible
from analysis.simulation.targets import Scores
from verdicts.release.contents import members as release_members

TARGETS = Path("analysis/simulation/targets.json")
BESIDE = Path("analysis/simulation/beside.json")
PUBLISHED = Path("analysis/simulation/published.json")
TABLE_12 = Path(__file__).parents[3] / "analysis" / "publication" / "printed" / "table12.yaml"

_RELEASE = (
    "of its public release's derived tier (raim-analysis, derived/ 6bb0840, CC BY-NC-SA 4.0). Numbers only."
)
SOURCE = f"Facts of the RAIM paper (Tables 18, 21 and 22) and {_RELEASE}"
SOURCE_BESIDE = f"Facts of the RAIM paper (Table 12) and {_RELEASE}"
SOURCE_PUBLISHED = f"Facts of the RAIM paper (appendix F) and {_RELEASE}"

#: Table 21, in roster order: checkpoint, tag, developer, parameters.
ROSTER = (
    ("meta-llama/Llama-3.1-8B-Instruct", "Llama", "Meta", "8B"),
    ("Qwen/Qwen2.5-7B-Instruct", "Qwen", "Alibaba", "7B"),
    ("mistralai/Mistral-7B-Instruct-v0.3", "Mistral", "Mistral AI", "7B"),
    ("google/gemma-2-9b-it", "Gemma", "Google", "9B"),
    ("microsoft/Phi-4-mini-instruct", "Phi", "Microsoft", "4B"),
    ("01-ai/Yi-1.5-9B-Chat-16K", "Yi", "01.AI", "9B"),
    ("CohereLabs/c4ai-command-r7b-12-2024", "Command-R", "Cohere", "7B"),
    ("zai-org/glm-4-9b-chat-hf", "GLM", "Zhipu AI", "9B"),
    ("ibm-granite/granite-3.3-8b-instruct", "Granite", "IBM", "8B"),
    ("tiiuae/Falcon3-7B-Instruct", "Falcon", "TII", "7B"),
)
#: Name in the release: checkpoint, tag, developer, parameters, role.
COMPARATORS = {
    "sonnet": ("claude-sonnet-4-6", "Sonnet", "Anthropic", "", "frontier"),
    "qwen32b_awq": ("Qwen/Qwen2.5-32B-Instruct-AWQ", "Qwen-32B", "Alibaba", "32B", "larger"),
    "qwen72b_awq": ("Qwen/Qwen2.5-72B-Instruct-AWQ", "Qwen-72B", "Alibaba", "72B", "larger"),
}
#: Name here: name in the release, title, tier, frame, clusters as (supported, hallucinated, count).
#: Pairs are Table 18's. Compositions of WiCE, XSum and CNN are those of the project's item index. Table 18 gives
#: ExpertQA's 1,462 items in 1,360 clusters of one to four: which sizes, and of which classes, is a choice.
BENCHMARKS = {
    "medhallu": ("medhallu", "MedHallu", "core grounded", "def_on", [(1, 1, 1000)]),
    "wice": ("aggrefact_wice", "WiCE", "core grounded", "claimcheck", [(1, 0, 110), (0, 1, 110), (1, 1, 1)]),
    "ragtruth": ("ragtruth", "RAGTruth", "core grounded", "def_on", [(1, 1, 681)]),
    "xsum": (
        "aggrefact_xsum",
        "XSum",
        "core grounded",
        "claimcheck",
        [(1, 0, 206), (0, 1, 192), (0, 2, 32), (2, 0, 25), (1, 1, 17)],
    ),
    "cnn": ("aggrefact_cnn", "CNN", "grounded", "claimcheck", [(1, 0, 55), (0, 1, 49), (0, 2, 3), (1, 1, 2)]),
    "expertqa": (
        "aggrefact_expertqa",
        "ExpertQA",
        "grounded",
        "claimcheck",
        [(1, 0, 634), (0, 1, 634), (0, 2, 34), (2, 0, 34), (1, 1, 15), (0, 3, 4), (3, 0, 4), (2, 2, 1)],
    ),
    "factscore": ("factscore", "FActScore", "ungrounded", "def_on", [(1, 1, 165)]),
    "truthfulqa": ("truthfulqa", "TruthfulQA", "ungrounded", "def_on", [(1, 1, 817)]),
}
#: Table 22's two columns whose counts are in no file of the release, by tag.
TABLE_22 = {
    "factscore": "Llama .997 Qwen 1 Mistral 1 Gemma .973 Phi 1 Yi 1 Command-R .997 GLM .985 Granite .994 Falcon .997",
    "truthfulqa": (
        "Llama .998 Qwen .999 Mistral 1 Gemma .998 Phi .996 Yi 1 Command-R .991 GLM .999 Granite .997 Falcon .994"
    ),
}
#: Appendix F, in kappa: the stacked panel minus its CV-best member under the question-answering frame, and the mean
#: over the four sets under either frame.
EDGES = {"wice": 0.116}
MEAN_EDGES = {"def_on": 0.057, "own": 0.035}
METHODS = {
    "unweighted": "unweighted",
    "accuracy_weighted": "acc_weighted",
    "log_odds_weighted": "logodds_weighted",
    "best_cv": "best_single_cv",
    "oracle": "oracle_best",
    "best_on_average": "best_on_avg_single",
    "average_member": "average_member",
    "stacked": "stacked",
}
DELTAS = {
    "stacked-best_cv": "stacked-best_single_cv",
    "stacked-oracle": "stacked-oracle_best",
    "stacked-best_on_average": "stacked-best_on_avg_single",
    "stacked-average_member": "stacked-average_member",
    "stacked-unweighted": "stacked-unweighted",
    "best_cv-unweighted": "best_single_cv-unweighted",
}


def class_sizes(name: str) -> tuple[int, int]:
    clusters = BENCHMARKS[name][4]
    return sum(s * n for s, _, n in clusters), sum(h * n for _, h, n in clusters)


def targets(reference: dict[str, Any]) -> dict[str, Any]:
    roles = [{"role": "member"}] * len(ROSTER)
    judges = [
        dict(zip(("checkpoint", "tag", "developer", "parameters"), row, strict=True)) | role
        for row, role in zip(ROSTER, roles, strict=True)
    ]
    judges += [
        dict(zip(("checkpoint", "tag", "developer", "parameters", "role"), row, strict=True))
        for row in COMPARATORS.values()
    ]
    return {
        "source": SOURCE,
        "judges": judges,
        "benchmarks": {name: benchmark(reference, name) for name in BENCHMARKS},
    }


def benchmark(reference: dict[str, Any], name: str) -> dict[str, Any]:
    released, title, tier, frame, clusters = BENCHMARKS[name]
    scores = {row[0]: member(reference, name, row[0], row[1]) for row in ROSTER}
    scores |= {row[0]: comparator(reference, name, key) for key, row in COMPARATORS.items()}
    diversity = reference["diversity"][released]
    order = diversity["final_models"]
    phi = {
        frozenset((order[i], order[i + 1 + j])): value
        for i, row in enumerate(diversity["corr_upper_triangle"])
        for j, value in enumerate(row)
    }
    names = sorted(order)
    return {
        "title": title,
        "tier": tier,
        "frame": frame,
        "clusters": [list(composition) for composition in clusters],
        "scores": scores,
        "phi_above_diagonal": [
            [phi[frozenset((a, b))] for b in names[i + 1 :]] for i, a in enumerate(names[:-1])
        ],
        "average_member": reference[released]["kappa"]["average_member"][1:],
        "panel_minus_frontier": reference["panel_vs_sonnet"][released]["diff_panel_minus_frontier"][1:],
    }


def member(reference: dict[str, Any], name: str, checkpoint: str, tag: str) -> dict[str, Any]:
    """Kappa and committed items; true positives and another count on the six sets whose files give them."""
    released = BENCHMARKS[name][0]
    kappa = reference["member_kappa"][released][checkpoint]
    items = sum(class_sizes(name))
    if name in TABLE_22:
        words = TABLE_22[name].split()
        printed = float(words[words.index(tag) + 1])
        # Three printed digits leave one or two counts; the kappa is a fraction of only one of them.
        candidates = [
            n for n in range(items + 1) if (round(n / items, 3) == printed if printed < 1 else n == items)
        ]
        fitting = [
            n
            for n in candidates
            if n == items or admissible(Scores(kappa=kappa, committed=n), class_sizes(name))
        ]
        (committed,) = fitting
        return {"kappa": kappa, "committed": committed}
    committed = round(reference["coverage"]["per_member"]["values"][released][checkpoint] * items)
    if name in ("medhallu", "ragtruth"):
        counts = reference["external_f1"][released]["members"][tag]
        return {
            "kappa": kappa,
            "committed": committed,
            "true_positives": counts["tp"],
            "false_positives": counts["fp"],
        }
    return {"kappa": kappa, "committed": committed} | _charged(
        reference["frame_contrast"][released]["members"][checkpoint]["claimcheck"], "bacc", name
    )


def comparator(reference: dict[str, Any], name: str, key: str) -> dict[str, Any]:
    """As a member; where only the summary is at hand, its kappa is a mean of bootstrap draws."""
    released = BENCHMARKS[name][0]
    summary = reference["judges"][key][released]
    items = sum(class_sizes(name))
    committed = round(summary["coverage"] * items)
    if key == "sonnet" and name in ("medhallu", "ragtruth"):
        counts = reference["external_f1"][released]["sonnet"]
        hits, alarms = counts["tp"], counts["fp"]
        kappa = (hits - alarms) / (items // 2)
        return {"kappa": kappa, "committed": committed, "true_positives": hits, "false_positives": alarms}
    if key == "sonnet" and name not in TABLE_22:
        claim = reference["frame_contrast"][released]["judges"]["sonnet"]["claimcheck"]
        return {
            "kappa": claim["kappa_full_sample"],
            "committed": committed,
            "true_positives": _count(claim["tpr"], name),
        }
    return {"kappa": summary["kappa"][0], "committed": committed, "exact": False}


def beside(reference: dict[str, Any]) -> dict[str, Any]:
    """Judges trained for evaluation, and the second arms."""
    judges = [
        {
            "checkpoint": member.judge,
            "tag": member.tag,
            "developer": member.developer,
            "parameters": member.parameters,
            "role": member.role,
        }
        | ({"needs_document": True} if member.needs_document else {})
        for member in release_members({}).values()
        if member.role == "purpose_trained"
    ]
    benchmarks = {}
    for name in BENCHMARKS:
        items = sum(class_sizes(name))
        benchmarks[name] = {
            # Kappas are printed to three digits; coverage is not given by cell.
            "scores": {
                checkpoint: {"kappa": kappa, "committed": items, "exact": False}
                for checkpoint, kappa in trained(name).items()
            }
        }
        if BENCHMARKS[name][0] in reference["frame_contrast"]:
            benchmarks[name]["second_frame"] = second_frame(reference, name)
    return {"source": SOURCE_BESIDE, "judges": judges, "benchmarks": benchmarks}


def trained(name: str) -> dict[str, float]:
    """Table 12's kappas of one benchmark, by checkpoint."""
    (block,) = yaml.safe_load(TABLE_12.read_text(encoding="utf-8"))["blocks"]
    checkpoints = [column["key"].partition(">")[0].removeprefix("<") for column in block["columns"].values()]
    return {
        checkpoint: float(printed)
        for checkpoint, printed in zip(checkpoints, block["values"][name], strict=True)
        if printed is not None
    }


def second_frame(reference: dict[str, Any], name: str) -> dict[str, Any]:
    contrast = reference["frame_contrast"][BENCHMARKS[name][0]]
    arms = {row[0]: contrast["members"][row[0]] for row in ROSTER}
    frontier = contrast["judges"]["sonnet"]["defon"]
    panel = _charged(contrast["members"]["PANEL"]["defon"], "bacc", name)
    return {
        "scores": {checkpoint: _arm(arm["defon"], name) for checkpoint, arm in arms.items()}
        | {
            COMPARATORS["sonnet"][0]: _arm(
                {**frontier, "kappa": frontier["kappa_full_sample"], "bacc": frontier["bacc_full_sample"]},
                name,
            )
        },
        "gains": {checkpoint: arm["delta_bacc"][1:] for checkpoint, arm in arms.items()},
        "panel_right": [panel["true_negatives"], panel["true_positives"]],
    }


def _arm(levels: dict[str, Any], name: str) -> dict[str, Any]:
    committed = levels["coverage"] * sum(class_sizes(name))
    assert abs(committed - round(committed)) < 1e-6
    return {"kappa": levels["kappa"], "committed": round(committed)} | _charged(levels, "bacc", name)


def _charged(claim: dict[str, Any], bacc: str, name: str) -> dict[str, Any]:
    """Recalls over all items of a class, an abstention being an error, as counts."""
    return {
        "true_positives": _count(claim["tpr"], name),
        "true_negatives": _count(2 * claim[bacc] - claim["tpr"], name),
    }


def _count(recall: float, name: str) -> int:
    count = recall * class_sizes(name)[1]
    assert abs(count - round(count)) < 1e-6
    return round(count)


def published(reference: dict[str, Any]) -> dict[str, Any]:
    return {
        "source": SOURCE_PUBLISHED,
        "mean_edges": MEAN_EDGES,
        "benchmarks": {name: _published(reference, name) for name in BENCHMARKS},
    }


def _published(reference: dict[str, Any], name: str) -> dict[str, Any]:
    released = BENCHMARKS[name][0]
    ladder = reference[released]
    latent = reference["dawid_skene_and_holm"]["per_dataset"][released]
    regime = reference["regime_budget"]["per_dataset"][released]
    curve = reference["stacker_curve"]["per_dataset"][released]
    return {
        "kappa": {here: ladder["kappa"][there] for here, there in METHODS.items()}
        | {"dawid_skene": latent["kappa"]["dawid_skene"]},
        "deltas": {here: ladder["diffs"][there] for here, there in DELTAS.items()}
        | {"stacked-dawid_skene": latent["d_stacked_ds"]},
        "panel_minus_frontier": reference["panel_vs_sonnet"][released]["diff_panel_minus_frontier"],
        "phi_bar": regime["full"]["phi"],
        "competent": regime["full"]["spread"],
        "admissible": regime["full"]["favourable"],
        "leader": regime["full"]["leader"],
        "p_call": {str(row["budget"]): row["p_call_correct"] for row in regime["budgets"]},
        "stacked_at_budget": {
            ("full" if row["saturated"] else str(row["budget"])): row["stacked"]["mean"]
            for row in curve["budgets"]
        },
    } | ({"frames": _frames(reference, name)} if released in reference["frame_contrast"] else {})


def _frames(reference: dict[str, Any], name: str) -> dict[str, Any]:
    contrast = reference["frame_contrast"][BENCHMARKS[name][0]]
    panel, frontier = contrast["members"]["PANEL"], contrast["judges"]["sonnet"]
    return {
        "panel": {"def_on": panel["defon"]["bacc"], "own": panel["claimcheck"]["bacc"]},
        "panel_gain": {"balanced_accuracy": panel["delta_bacc"], "kappa": panel["delta_kappa"]},
        "frontier": {"def_on": frontier["defon"]["kappa"], "own": frontier["claimcheck"]["kappa"]},
        "gains_in_kappa": {row[0]: contrast["members"][row[0]]["delta_kappa"] for row in ROSTER},
        "edge": EDGES.get(name),
    }


def files(reference: dict[str, Any]) -> dict[Path, dict[str, Any]]:
    """All files with their contents."""
    return {TARGETS: targets(reference), BESIDE: beside(reference), PUBLISHED: published(reference)}


def read_reference(folder: Path) -> dict[str, Any]:
    value: dict[str, Any] = json.loads((folder / "raim_release_reference.json").read_text(encoding="utf-8"))
    return value


def as_text(value: dict[str, Any]) -> str:
    """One line for each list of numbers and each judge's scores."""
    text = json.dumps(value, indent=1, ensure_ascii=False)
    return _compact(text) + "\n"


def _compact(text: str) -> str:
    """Join the lines of innermost objects and lists."""
    import re

    return re.sub(
        r"([\[{])\n\s*([^\[\]{}]*?)\n\s*([\]}])",
        lambda found: found[1] + re.sub(r"\n\s*", " ", found[2]) + found[3],
        text,
    )


if __name__ == "__main__":
    source = read_reference(Path(os.environ.get("RAIM_SHARED_SPEC", "../shared/spec")))
    for file, value in files(source).items():
        file.write_text(as_text(value), encoding="utf-8")
        sys.stdout.write(f"{file}\n")
