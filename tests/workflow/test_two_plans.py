"""One configuration, two plans: verdicts to RAIM's tables and scores to JudgeMoE's, in one run."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.workflow.planning import planned, snakemake
from verdicts.records.lock import compare_lock
from verdicts.store import Store

#: The judge environment's Python: the real commands over judges that cost nothing, and gates that are drawn.
FAKE = '''#!{python}
import json, os, runpy, sys, zlib
from pathlib import Path

sys.path.insert(0, os.getcwd())
folder = Path("checkpoint")
folder.mkdir(exist_ok=True)
(folder / "chat_template.jinja").write_text("template")

import numpy as np

import analysis.judgemoe.studies.gate_book as gate_book
import verdicts.engines.registry as registry
import verdicts.judges.weights as weights
from tests.analysis.judgemoe.test_studies import drawn_gate
from tests.verdicts.making import FakeEngine
from verdicts.engines.base import LabelLogprobs


class Judge(FakeEngine):
    """Label probabilities that follow from judge and prompt."""

    def __init__(self, name):
        super().__init__()
        self._name = name
        with open("loaded.jsonl", "a") as loaded:
            loaded.write(json.dumps([name, *sys.argv[4:]]) + "\\n")

    def score(self, prompts, prefix, labels):
        self._take(prompts)
        tokens = tuple((number,) for number in range(len(labels)))
        rows = [np.random.default_rng(zlib.crc32((self._name + prompt).encode())) for prompt in prompts]
        masses = [0.9 * rng.dirichlet(np.ones(len(labels))) for rng in rows]
        return [LabelLogprobs(tuple((float(np.log(m)),) for m in mass), tokens, 9) for mass in masses]


registry.load = lambda judge, *args: Judge(judge.name)
weights.checkpoint = lambda judge, root: folder
gate_book.train_gate = drawn_gate
if sys.argv[1] == "-m":
    from raim.cli import main

    sys.exit(main(sys.argv[3:]))
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
'''
JUDGES = ("smollm2-135m", "gemma-3-270m")
VERDICTS = {
    "suite": "mine",
    "benchmarks": {"minipairs": {"clusters": 30}},
    "members": [{"judge": judge, "protocol": "constrained"} for judge in JUDGES],
}
SCORES = {
    "suite": "my-scores",
    "title": "My scores",
    "benchmarks": {
        "summeval": {"aspects": ["coherence"]},
        "summarize_from_feedback": {"pairs": {"train": 20, "validation": 8}},
    },
    "members": [{"judge": judge, "protocol": "probabilities-1-5"} for judge in JUDGES],
}


@pytest.fixture
def project(toy: Path) -> Path:
    """A copy of the project with sources of scores and preferences, and a configuration of two plans."""
    python = toy / "judge-python"
    python.write_text(FAKE.format(python=sys.executable))
    python.chmod(0o755)
    data = toy / "my data"
    (data / "pairs").mkdir(parents=True)
    aspects = ("coherence", "consistency", "fluency", "relevance")
    rows: list[Any] = [
        {
            "id": f"d{d}",
            "model_id": f"M{s}",
            "text": f"Source {d}.",
            "decoded": f"Summary {d} by {s}.",
            "expert_annotations": [dict.fromkeys(aspects, 1 + (3 * d + s + e) % 5) for e in range(3)],
        }
        for d in range(20)
        for s in range(3)
    ]
    (data / "summeval.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    for split, count in (("train", 30), ("validation", 10)):
        rows = [
            {
                "info": {"id": f"{split}{n}", "post": f"Post {n}.", "title": "T", "article": None},
                "summaries": [{"text": f"good {n}"}, {"text": f"bad {n}"}],
                "choice": n % 2,
            }
            for n in range(count)
        ]
        (data / "pairs" / f"{split}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    write(toy)
    return toy


def write(project: Path, **changes: Any) -> None:
    judge = {
        "plans": [VERDICTS, SCORES],
        "sources": {"summeval": "my data/summeval.jsonl", "summarize_from_feedback": "my data/pairs"},
        "python": "./judge-python",
        "store": "store",
        "weights": "weights",
        "slices": {"default": 1, "smollm2-135m": 2},
    }
    config = {"suites": ["mine"], "check": [], "studies": ["judgemoe"], "judge": {**judge, **changes}}
    (project / "mine.yaml").write_text(yaml.safe_dump(config))


def test_both_kinds_reach_their_tables(project: Path) -> None:
    options = ("--cores", "1", "--configfile", "mine.yaml")
    # The study's other pools and RAIM's estimators take minutes: they are planned, and what is of two plans is made.
    whole = planned(snakemake(project, "-n", *options))
    assert (whole["judge"], whole["fetch_weights"]) == (3 + 3, 2 + 2)
    assert (whole["export_mine"], whole["export_my_scores"], whole["judgemoe_train"]) == (1, 1, 1)
    assert whole["judgemoe_check"] == whole["judgemoe_report"] == whole["report"] == 1
    pool = "results/judgemoe/my-scores"
    targets = ("results/mine/derived/overview.json", f"{pool}/tables/summary.json")
    done = snakemake(project, *targets, *options)
    assert done.returncode == 0, done.stdout + done.stderr

    # A process loads its judge once, for all benchmarks and protocols of its part.
    loads = [json.loads(line) for line in (project / "loaded.jsonl").read_text().splitlines()]
    assert len(loads) == 3 + 3
    # All plans write to one store: of each judge the verdicts, and the scores of both datasets, which share a prompt.
    conditions = [shard.condition for shard in Store(project / "store").shards()]
    assert sorted(condition.labels or () for condition in conditions) == sorted(
        2 * [("1", "2", "3", "4", "5"), ("SUPPORTED", "HALLUCINATED")]
    )
    for suite in ("mine", "my-scores"):
        lock = compare_lock(project / "results" / suite / "suite")
        assert (lock.missing, lock.changed, lock.untracked) == ((), (), ())
    panel = json.loads((project / "results" / "mine" / "derived" / "overview.json").read_text())
    assert list(panel["benchmarks"]) == ["minipairs"]
    overview = json.loads((project / "results/judgemoe/derived/my-scores/overview.json").read_text())
    assert (overview["suite"], overview["title"], overview["label"]) == (
        "my-scores",
        "My scores",
        "Measured.",
    )
    assert overview["original"] == ["summeval@1-5"]
    pairs = json.loads((project / "results/judgemoe/derived/my-scores/pairwise.json").read_text())
    assert {name: (row["train_pairs"], row["test_pairs"]) for name, row in pairs["cells"].items()} == {
        "summarize_from_feedback@1-5": (20, 8),
    }
    table = (project / pool / "tables" / "table43.md").read_text()
    assert "summarize" in table
    assert "Suite my-scores: Measured." in table
    gates = project / "results" / "judgemoe" / "trained" / "my-scores" / "gates"
    assert {path.name for path in gates.glob("*.safetensors")} == {
        "summeval@1-5.safetensors",
        "direct@1-5.safetensors",
    }
    assert planned(snakemake(project, "-n", *targets, *options)) == {}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"plans": [VERDICTS, {**SCORES, "suite": "mine"}]},
            "judge: plans: two of them make the suite 'mine'",
        ),
        (
            {"plans": [{**SCORES, "suite": "mine"}]},
            "config: suites: mine: holds scores, which JudgeMoE's study reads",
        ),
        (
            {"plans": [VERDICTS, {**SCORES, "suite": "sim"}]},
            "judge: plans: sim: a pool of JudgeMoE has that name",
        ),
        ({"plans": [{**VERDICTS, "suite": "judgemoe"}]}, "judge: plans: judgemoe: a study has that name"),
    ],
    ids=["one suite", "scores among the suites", "a pool's name", "a study's name"],
)
def test_plans_that_get_in_each_others_way(project: Path, changes: dict[str, Any], message: str) -> None:
    write(project, **changes)
    done = snakemake(project, "-n", "--configfile", "mine.yaml")
    assert done.returncode != 0
    assert message in done.stdout + done.stderr


def test_missing_sources_stop_the_run_before_weights_are_fetched(project: Path) -> None:
    write(project, sources={"summarize_from_feedback": "gone"})
    done = snakemake(
        project, "results/my-scores/suite/LOCK.json", "--cores", "1", "--configfile", "mine.yaml"
    )
    assert done.returncode != 0
    text = done.stdout + done.stderr
    assert (
        "summeval: not on the hub: get the file from its publisher (https://github.com/Yale-LILY/SummEval)"
        in text
    )
    assert f"summarize_from_feedback: there is no {project / 'gone'}" in text
    assert not (project / "loaded.jsonl").exists()
    assert not (project / "results" / "my-scores" / "judged").exists()


def test_a_suite_of_ones_own_is_a_pool(toy: Path) -> None:
    """Scores that were judged elsewhere: named in the configuration, with gates that are trained for them."""
    config = {"suites": ["toy"], "check": [], "studies": ["judgemoe"]}
    sources = {"elsewhere": {"suite": "suites/scores"}}
    (toy / "mine.yaml").write_text(yaml.safe_dump({**config, "judgemoe": {"sources": sources}}))
    plan = planned(snakemake(toy, "-n", "--configfile", "mine.yaml"))
    assert plan["judgemoe_train"] == 1
    assert "judge" not in plan
    # Without it the released gates are enough.
    (toy / "mine.yaml").write_text(yaml.safe_dump(config))
    assert "judgemoe_train" not in planned(snakemake(toy, "-n", "--configfile", "mine.yaml"))
