"""From a plan of scores to the suite that JudgeMoE's analysis reads."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from analysis.judgemoe.suites.recorded import recorded_suite
from raim.errors import InputError
from tests.verdicts.making import FakeEngine, plan_of, run
from verdicts.drawing import items_of
from verdicts.engines.base import LabelLogprobs, Overflow
from verdicts.export import export_suite
from verdicts.plan import Plan
from verdicts.records.canonical import sha256_text
from verdicts.records.files import read_record_file
from verdicts.records.lock import compare_lock
from verdicts.records.scored_index import read_scored_index
from verdicts.runs import judge_missing
from verdicts.store import Store

CHAT = {"template": sha256_text("template"), "kwargs": {}}
JUDGES: Mapping[str, Any] = {"smollm2-135m": CHAT, "gemma-3-270m": None}
RANGES = ("probabilities-1-5", "probabilities-1-10")


def source(folder: Path) -> Path:
    """Six documents by three systems; two systems say the same of every other document."""
    for s in range(3):
        rows = [
            {
                "id": f"d{d}",
                "model_id": f"M{s}",
                "text": f"The secret source {d}.",
                "decoded": f"summary {d} by {0 if d % 2 and s == 1 else s}",
                "expert_annotations": [
                    dict.fromkeys(
                        ("coherence", "consistency", "fluency", "relevance"), 1 + (d + s + expert) % 5
                    )
                    for expert in range(3)
                ],
            }
            for d in range(6)
        ]
        folder.mkdir(exist_ok=True)
        (folder / f"M{s}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return folder


def planned(tmp_path: Path, **changes: Any) -> Plan:
    entry = {
        "suite": "toy_scores",
        "benchmarks": {"summeval": {"aspects": ["coherence"]}},
        "members": [{"judge": judge, "protocol": name} for judge in JUDGES for name in RANGES],
        "settings": {"batch_size": 4, "dtype": "float32"},
        **changes,
    }
    return plan_of(entry, tmp_path, sources={"summeval": str(source(tmp_path / "summeval"))})


class ScoringEngine(FakeEngine):
    """Probabilities that follow from the prompt; digits are tokens, and '10' is two."""

    def score(
        self, prompts: Sequence[str], prefix: str, labels: Sequence[str]
    ) -> list[LabelLogprobs | Overflow]:
        self._take(prompts)
        tokens = tuple(tuple(int(digit) for digit in label) for label in labels)
        answers: list[LabelLogprobs | Overflow] = []
        for prompt in prompts:
            masses = np.random.default_rng(len(prompt)).dirichlet(np.ones(len(labels))) * 0.9
            whole = {label: float(mass) for label, mass in zip(labels, masses, strict=True)}
            first = whole.get("1", 0.0) + whole.get("10", 0.0)
            rows = tuple(
                (np.log(first), np.log(whole["10"] / first))
                if label == "10"
                else (np.log(first if label == "1" else whole[label]),)
                for label in labels
            )
            answers.append(LabelLogprobs(rows, tokens, len(prompt)))
        return answers


def judged(plan: Plan, store: Store, engine: FakeEngine, judge: str) -> int:
    members = [(member, plan.judge(judge), JUDGES[judge]) for member in plan.members if member.judge == judge]
    return judge_missing(store, members, items_of(plan), plan.settings, run(judge), lambda: engine)


def test_ranges_are_asked_by_turns_over_a_document(tmp_path: Path) -> None:
    plan, engine = planned(tmp_path), ScoringEngine()
    assert judged(plan, Store(tmp_path / "store"), engine, "smollm2-135m") == 2 * 15
    asked = [("10" if "1 to 10" in p else "5", p.split("source ")[1][0]) for p in engine.asked]
    turns = [turn for i, turn in enumerate(asked) if i == 0 or turn != asked[i - 1]]
    assert [document for _, document in turns[::2]] == [document for _, document in turns[1::2]]
    assert sorted({document for _, document in turns}) == ["0", "1", "2", "3", "4", "5"]
    assert len(turns) == 12
    assert max(engine.batches) <= 3
    # Nothing is asked twice, by whichever range.
    assert judged(plan, Store(tmp_path / "store"), ScoringEngine(), "smollm2-135m") == 0


def test_the_suite_is_what_the_analysis_reads(tmp_path: Path) -> None:
    plan, store = planned(tmp_path), Store(tmp_path / "store")
    for judge in JUDGES:
        judged(plan, store, ScoringEngine(), judge)
    covered = export_suite(plan, items_of(plan), store, tmp_path / "suite")
    assert covered == {
        f"records/summeval/{judge}.{name}.jsonl.gz": (15, 15) for judge in JUDGES for name in RANGES
    }
    lock = compare_lock(tmp_path / "suite")
    assert (lock.missing, lock.changed, lock.untracked) == ((), (), ())
    index = read_scored_index(tmp_path / "suite" / "scores" / "summeval.tsv")
    assert len(index) == 18
    assert len({row.content for row in index}) == 15
    shipped = [path for path in (tmp_path / "suite").rglob("*") if path.is_file()]
    for path in shipped:
        assert b"secret source" not in path.read_bytes()
    file = read_record_file(
        tmp_path / "suite" / "records" / "summeval" / "gemma-3-270m.probabilities-1-10.jsonl.gz"
    )
    assert file.condition.frame == "summarization-default/1"
    assert file.condition.labels == tuple(str(label) for label in range(1, 11))

    suite = recorded_suite(tmp_path / "suite")
    assert sorted(cell.name for cell in suite.cells) == ["summeval@1-10", "summeval@1-5"]
    for cell in suite.cells:
        assert len(cell.items) == 18
        assert len(cell.judges) == 2
        assert cell.present.all()


def test_a_part_of_the_judges_makes_a_suite(tmp_path: Path) -> None:
    plan, store = planned(tmp_path), Store(tmp_path / "store")
    judged(plan, store, ScoringEngine(), "gemma-3-270m")
    export_suite(plan, items_of(plan), store, tmp_path / "suite")
    assert sorted(path.name for path in (tmp_path / "suite" / "records" / "summeval").iterdir()) == [
        f"gemma-3-270m.{name}.jsonl.gz" for name in ("probabilities-1-10", "probabilities-1-5")
    ]


def test_documents_are_drawn_whole(tmp_path: Path) -> None:
    drawn = planned(tmp_path, benchmarks={"summeval": {"clusters": 2, "seed": 1, "aspects": ["coherence"]}})
    ((dataset, items),) = items_of(drawn)
    assert dataset.name == "summeval"
    assert len(items) == 6
    assert len({item.cluster for item in items}) == 2


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"benchmarks": ["summeval", "minipairs"]}, "summeval ask for scores and the others for verdicts"),
        (
            {"members": [{"judge": "smollm2-135m", "protocol": "generative"}]},
            "smollm2-135m.generative: the benchmarks ask for scores: give a protocol such as probabilities-1-5",
        ),
        (
            {
                "benchmarks": ["minipairs"],
                "members": [{"judge": "smollm2-135m", "protocol": "decoded-1-5"}],
            },
            "decoded-1-5: the benchmarks ask for verdicts",
        ),
        (
            {
                "benchmarks": {"minipairs": {"aspects": ["coherence"]}},
                "members": [{"judge": "smollm2-135m", "protocol": "generative"}],
            },
            "only datasets of scores have `aspects`",
        ),
    ],
    ids=["mixed", "verdict protocol", "score protocol", "aspects"],
)
def test_a_plan_of_two_kinds_is_refused(tmp_path: Path, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        planned(tmp_path, **changes)


def test_sampled_scores_are_read_again_as_they_are_exported(tmp_path: Path) -> None:
    """The parser may change after judging: a suite says what the replies say today."""
    members = [{"judge": "smollm2-135m", "protocol": "decoded-1-5"}]
    plan, store = planned(tmp_path, members=members), Store(tmp_path / "store")
    judged(plan, store, FakeEngine(lambda prompt: f"Score: {1 + len(prompt) % 5}"), "smollm2-135m")
    (shard,) = store.shards()
    older = [
        replace(r, value=replace(r.value, probabilities=None, rule="unparsed", readings=(None,)))  # type: ignore[type-var]
        for r in shard.records()
    ]
    again = Store(tmp_path / "again")
    with again.shard(shard.condition).writer(run()) as writer:
        writer.append(older)
    for kept, name in ((store, "suite"), (again, "other")):
        export_suite(plan, items_of(plan), kept, tmp_path / name)
    path = Path("records") / "summeval" / "smollm2-135m.decoded-1-5.jsonl.gz"
    values = [
        {item: r.value for item, r in read_record_file(tmp_path / name / path).records.items()}
        for name in ("suite", "other")
    ]
    assert len(values[0]) == 15
    assert values[0] == values[1]
    assert {value.rule for value in values[1].values()} == {"scored"}
    with pytest.raises(InputError, match="scores have one reading; export without --reading release"):
        export_suite(plan, items_of(plan), store, tmp_path / "third", reading="release")
    assert not (tmp_path / "third").exists()
