"""The paper's run asks for what JudgeMoE's tables are computed from, and for nothing else."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from verdicts.judges.roster import find
from verdicts.plan import Plan, Sample
from verdicts.plan_file import read_plan
from verdicts.protocols.expert import ExpertProtocol
from verdicts.protocols.scores import ScoreProtocol
from verdicts.scores.registry import score_datasets

#: Section 4.2; the first three are the compact pool.
JUDGES = (
    "google/gemma-2-9b-it",
    "google/gemma-3-12b-it",
    "Qwen/Qwen2.5-7B-Instruct",
    "Qwen/Qwen3.5-9B",
    "meta-llama/Llama-3.1-8B-Instruct",
    "mistralai/Ministral-3-8B-Instruct-2512",
)
#: Table 27, the ten cells.
ORIGINAL = ("summeval", "topicalchat", "roscoe_esnli", "helpsteer2", "wmt_mqm")
#: Tables 32, 33 and 47, the six added later.
ADDED = ("helpsteer2_validation", "flask", "wildbench")
PREFERENCES = ("mt_bench_human", "summarize_from_feedback")
#: Table 3: the expert of each follow-up, all at 1-10.
EXPERTS = (
    ("FacebookAI/roberta-large", "summeval"),
    ("Skywork/Skywork-Reward-Llama-3.1-8B-v0.2", "helpsteer2"),
    ("google-bert/bert-base-multilingual-cased", "wmt_mqm"),
    ("Unbabel/wmt22-comet-da", "wmt_mqm"),
)


@pytest.fixture(scope="module")
def plan(root: Path) -> Plan:
    return read_plan(root / "config" / "paper.yaml", "judgemoe-rerun")


def asked(plan: Plan) -> list[tuple[str, str, str, int, str]]:
    """Checkpoint, dataset, how a score is had, top of the range and style, for all that the plan asks."""
    found = []
    for member in plan.members:
        scores, expert = ScoreProtocol.parse(member.protocol), ExpertProtocol.parse(member.protocol)
        if scores is not None:
            how = (scores.mode, scores.top, scores.style)
        else:
            assert expert is not None
            how = ("expert", expert.top, "default")
        found += [(find(member.judge).judge, name, *how) for name in plan.benchmarks if member.judges(name)]
    return found


def test_it_asks_for_what_the_tables_need_and_for_nothing_else(plan: Plan) -> None:
    def probabilities(judges, datasets, tops, style="default"):  # type: ignore[no-untyped-def]
        return {(j, d, "probabilities", t, style) for j, d, t in product(judges, datasets, tops)}

    wanted = probabilities(JUDGES, (*ORIGINAL, *ADDED), (5, 10))
    # Figure 2 and Table 15: 30 combinations of dataset and model under five ranges.
    wanted |= probabilities(JUDGES, ORIGINAL, (3, 7, 100))
    assert len({row[:2] for row in wanted if row[3] == 100}) == 30
    # Tables 16 and 17: two judges, three datasets, two ranges, three phrasings.
    for style in ("rubric", "critical"):
        wanted |= probabilities(
            ("Qwen/Qwen2.5-7B-Instruct", "google/gemma-2-9b-it"),
            ("summeval", "topicalchat", "wmt_mqm"),
            (5, 10),
            style,
        )
    # Tables 42 and 43.
    wanted |= probabilities(JUDGES[:3], PREFERENCES, (5, 10))
    # Tables 3 and 38.
    wanted |= {(judge, dataset, "expert", 10, "default") for judge, dataset in EXPERTS}
    wanted |= probabilities(("Qwen/Qwen2.5-72B-Instruct",), ("summeval", "helpsteer2", "wildbench"), (10,))
    found = asked(plan)
    assert len(found) == len(set(found))
    assert set(found) == wanted
    assert len(found) == 6 * 8 * 2 + 6 * 5 * 3 + 2 * 3 * 2 * 2 + 3 * 2 * 2 + 4 + 3


def test_it_takes_the_datasets_whole_but_for_the_preferences(plan: Plan) -> None:
    assert {name for name, sample in plan.benchmarks.items() if sample != Sample()} == {PREFERENCES[1]}
    # Table 1.
    assert plan.benchmarks[PREFERENCES[1]] == Sample(pairs={"train": 20_000, "validation": 5_000})
    assert set(plan.benchmarks) == set(score_datasets())


def test_every_judge_runs_in_its_own_precision(plan: Plan) -> None:
    judges = plan.judges()
    assert {judge.role for judge in judges} == {"member", "expert", "larger"}
    assert all(len(judge.revision) == 40 for judge in judges)
    dtypes = {judge.name: plan.settings.dtype_of(judge) for judge in judges}
    metrics = {"bertscore", "bertscore-translation", "comet-22"}
    assert {name for name, dtype in dtypes.items() if dtype == "float32"} == metrics
    assert all(dtype == "bfloat16" for name, dtype in dtypes.items() if name not in metrics)
    assert (plan.settings.engine, plan.settings.truncation) == ("vllm", "none")
