"""The plan of the papers' whole run: it says what it needs, and plans every shard once it is given."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import yaml

from tests.workflow.planning import planned, snakemake
from verdicts.judges.roster import roster

#: RAIM, by its tables: the panel (21), larger judges and the frontier (13), trained judges (12), twins of appendix D.
RAIM = {
    "meta-llama/Llama-3.1-8B-Instruct": 2,
    "Qwen/Qwen2.5-7B-Instruct": 2,
    "mistralai/Mistral-7B-Instruct-v0.3": 2,
    "google/gemma-2-9b-it": 2,
    "microsoft/Phi-4-mini-instruct": 1,
    "01-ai/Yi-1.5-9B-Chat-16K": 1,
    "CohereLabs/c4ai-command-r7b-12-2024": 1,
    "zai-org/glm-4-9b-chat-hf": 2,
    "ibm-granite/granite-3.3-8b-instruct": 2,
    "tiiuae/Falcon3-7B-Instruct": 2,
    "Qwen/Qwen2.5-32B-Instruct-AWQ": 1,
    "Qwen/Qwen2.5-72B-Instruct-AWQ": 1,
    "claude-sonnet-4-6": 1,
    "lytang/MiniCheck-Flan-T5-Large": 1,
    "bespokelabs/Bespoke-MiniCheck-7B": 1,
    "prometheus-eval/prometheus-7b-v2.0": 1,
    "BAAI/JudgeLM-7B-v1.0": 1,
    "GAIR/autoj-13b": 1,
    "01-ai/Yi-1.5-9B-Chat": 1,
    "meta-llama/Llama-3.1-8B": 1,
    "Qwen/Qwen2.5-7B": 1,
    "mistralai/Mistral-7B-v0.3": 1,
    "google/gemma-2-9b": 1,
    "01-ai/Yi-1.5-9B": 1,
    "tiiuae/Falcon3-7B-Base": 1,
    "ibm-granite/granite-3.3-8b-base": 1,
    "zai-org/glm-4-9b-hf": 1,
}
#: JudgeMoE: the six judges (section 4.2), the four experts (Table 3), the larger evaluator (Table 38).
JUDGEMOE = (
    "Qwen/Qwen2.5-7B-Instruct",
    "Qwen/Qwen3.5-9B",
    "google/gemma-2-9b-it",
    "google/gemma-3-12b-it",
    "meta-llama/Llama-3.1-8B-Instruct",
    "mistralai/Ministral-3-8B-Instruct-2512",
    "FacebookAI/roberta-large",
    "google-bert/bert-base-multilingual-cased",
    "Unbabel/wmt22-comet-da",
    "Skywork/Skywork-Reward-Llama-3.1-8B-v0.2",
    "Qwen/Qwen2.5-72B-Instruct",
)


def test_the_papers_run_asks_for_revisions_and_then_plans(clone: Path, tmp_path: Path) -> None:
    refused = snakemake(clone, "-n", "--configfile", "config/paper.yaml")
    assert refused.returncode != 0
    text = refused.stdout + refused.stderr
    assert "these judges have no pinned revision" in text
    assert (
        "command-r7b: <40 digits>  # from https://huggingface.co/CohereLabs/c4ai-command-r7b-12-2024/commits/main"
        in text
    )
    assert "llama-3.1-8b: <40 digits>" not in text
    unpinned = {name: "a" * 40 for name, judge in roster().items() if not judge.revision}
    own = tmp_path / "own.yaml"
    slices = {"default": 2, "gemma-3-12b": 3}
    own.write_text(yaml.safe_dump({"judge": {"revisions": unpinned, "slices": slices}}))
    done = snakemake(clone, "-n", "--configfile", "config/paper.yaml", str(own))
    jobs = planned(done)

    # A shard is one judge and one part of the items of one suite, whatever benchmarks and protocols it judges there.
    shards: dict[str, Counter[str]] = {"paper-rerun": Counter(), "judgemoe-rerun": Counter()}
    lines = (done.stdout + done.stderr).split("Job stats:")[1]
    shard = r"Job \d+: (\S+) judges what is missing of (\S+) \(part (\d+) of (\d+)\)"
    for judge, suite, _, parts in re.findall(shard, lines):
        assert int(parts) == (1 if judge == "claude-sonnet-4.6" else slices.get(judge, 2))
        shards[suite][judge] += 1
    checkpoints = {
        suite: Counter(roster()[judge].judge for judge in judges) for suite, judges in shards.items()
    }
    assert checkpoints == {"paper-rerun": Counter(RAIM), "judgemoe-rerun": Counter(JUDGEMOE)}
    assert all(
        count == (1 if judge == "claude-sonnet-4.6" else slices.get(judge, 2))
        for judges in shards.values()
        for judge, count in judges.items()
    )
    raim, judgemoe = sum(RAIM.values()), len(JUDGEMOE)
    assert jobs["judge"] == 2 * (raim - 1) + 1 + 2 * (judgemoe - 1) + 3
    assert jobs["fetch_weights"] == raim - 1 + judgemoe
    # The tables of both papers: RAIM's of its suite, JudgeMoE's of a pool whose gates are trained in the run.
    assert (jobs["plan"], jobs["export_paper_rerun"], jobs["export_judgemoe_rerun"]) == (2, 1, 1)
    assert (jobs["benchmark_steps"], jobs["tables"], jobs["report"]) == (8, 1, 1)
    assert jobs["judgemoe_train"] == 1
    assert "JudgeMoE tables of judgemoe-rerun" in lines
    assert (jobs["judgemoe_summary"], jobs["judgemoe_report"], jobs["judgemoe_check"]) == (1, 1, 1)
