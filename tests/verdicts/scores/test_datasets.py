"""Score datasets, built from small sources in the shapes that their publishers document."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from raim.errors import InputError
from verdicts.benchmarks import hub
from verdicts.scores import load
from verdicts.scores.items import ScoreItem
from verdicts.scores.load import load_scores
from verdicts.scores.pairs import draw_pairs, pair_items
from verdicts.scores.registry import score_datasets

DATASETS = score_datasets()


def written(path: Path, rows: Sequence[Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(rows) if path.suffix == ".json" else "".join(json.dumps(row) + "\n" for row in rows)
    path.write_text(text, encoding="utf-8")
    return path


def built(name: str, path: Path, parts: Sequence[str] = ()) -> list[ScoreItem]:
    return load_scores(DATASETS[name], path, parts)


def test_all_datasets_are_found() -> None:
    assert sorted(DATASETS) == [
        "flask",
        "helpsteer2",
        "helpsteer2_validation",
        "mt_bench_human",
        "roscoe_esnli",
        "summarize_from_feedback",
        "summeval",
        "topicalchat",
        "wildbench",
        "wmt_mqm",
    ]
    for name, dataset in DATASETS.items():
        assert dataset.name == name
        assert dataset.source.page
        assert bool(dataset.source.hub) == bool(dataset.source.revision)


def summary(document: str, system: str, coherence: Sequence[int]) -> dict[str, Any]:
    experts = [{"coherence": c, "consistency": 5, "fluency": 5, "relevance": 1} for c in coherence]
    return {
        "id": document,
        "model_id": system,
        "text": f"text of {document}",
        "decoded": f"summary of {document} by {system}",
        "expert_annotations": experts,
        "turker_annotations": [],
    }


def test_summeval_regroups_systems_by_document(tmp_path: Path) -> None:
    written(tmp_path / "s" / "M1.jsonl", [summary("d1", "M1", (1, 2, 3)), summary("d2", "M1", (5, 5, 5))])
    written(tmp_path / "s" / "M2.jsonl", [summary("d1", "M2", (1, 1, 1)), summary("d2", "M2", (1, 1, 2))])
    items = built("summeval", tmp_path / "s", ["coherence"])
    assert [item.uid for item in items] == [f"{d}:{m}:coherence" for d in ("d1", "d2") for m in ("M1", "M2")]
    assert [item.target for item in items] == pytest.approx([0.25, 0.0, 1.0, 1 / 12])
    assert [item.cluster for item in items] == ["d1", "d1", "d2", "d2"]
    assert len(built("summeval", tmp_path / "s")) == 16
    assert {item.criterion.split()[0] for item in built("summeval", tmp_path / "s")} == {
        "Coherence",
        "Consistency",
        "Fluency",
        "Relevance",
    }


def test_topicalchat_maps_each_aspect_from_its_own_scale(tmp_path: Path) -> None:
    scores = {
        "understandability": 1.0,
        "naturalness": 2.0,
        "coherence": 1.0,
        "engagingness": 3.0,
        "groundedness": 0.6666666667,
        "overall": 2.3333333333,
    }
    row = {"source": "hi\nhello\n", "context": "a fact", "system_output": "ok", "scores": scores}
    other = {**row, "system_output": "well"}
    items = built("topicalchat", written(tmp_path / "t.json", [row, other]))
    assert [item.target for item in items[:6]] == pytest.approx([1.0, 0.5, 0.0, 1.0, 2 / 3, 1 / 3])
    assert {item.cluster for item in items} == {0}
    assert [item.part for item in items if "a fact" in item.source] == ["groundedness"] * 2


def chain(number: int, premise: str, score: object) -> dict[str, Any]:
    task = (
        f"For this task ... CONTEXT with a Claim.\n\nCONTEXT:\nSituation (Premise): {premise}\n\nClaim (Hypothesis): h"
        f"{number}.\n\nIs the Claim supported by the Situation?\n\nCorrect Relationship (Yes or No): yes\n\n"
        f"GENERATED RESPONSE:\nStep 1 - s{number}\nStep 2 - t\nJudge the generated response:\n"
    )
    return {"id": number, "instance": task, "annotations": {"Overall Quality": {"mean_human": score}}}


def test_roscoe_takes_context_and_chain_out_of_the_task(tmp_path: Path) -> None:
    rows = [chain(1, "A dog.", 5), chain(2, "A dog.", 2), chain(3, "A cat.", 1.5)]
    items = built("roscoe_esnli", written(tmp_path / "r.json", {"dataset": "x", "instances": rows}))  # type: ignore[arg-type]
    assert [item.target for item in items] == [1.0, 0.25, 0.125]
    assert [item.cluster for item in items] == [0, 0, 1]
    assert items[0].candidate == "Step 1 - s1\nStep 2 - t"
    assert items[0].source.startswith("Situation (Premise): A dog.")
    assert items[0].source.endswith("Correct Relationship (Yes or No): yes")


def helpful(prompt: str, helpfulness: int) -> dict[str, Any]:
    return {
        "prompt": prompt,
        "response": f"r{helpfulness}",
        "helpfulness": helpfulness,
        "correctness": 4,
        "coherence": 2,
        "complexity": 0,
        "verbosity": 1,
    }


@pytest.mark.parametrize("name", ["helpsteer2", "helpsteer2_validation"])
def test_helpsteer2_has_five_attributes_a_response(tmp_path: Path, name: str) -> None:
    path = written(tmp_path / "h.jsonl", [helpful("q", 4), helpful("p", 3), helpful("q", 1)])
    items = built(name, path, ["helpfulness"])
    assert [(item.uid, item.split, item.target, item.cluster) for item in items] == [
        ("0:helpfulness", None, 1.0, 0),
        ("1:helpfulness", None, 0.75, 1),
        ("2:helpfulness", None, 0.25, 0),
    ]
    assert len(built(name, path)) == 15


def test_helpsteer2s_splits_are_two_datasets() -> None:
    both = [DATASETS[name] for name in ("helpsteer2", "helpsteer2_validation")]
    assert [dataset.source.split for dataset in both] == ["train", "validation"]
    # Table 9.
    assert sum(dataset.published or 0 for dataset in both) == 106_810


def test_wmt_mqm_places_penalties_on_the_scale(tmp_path: Path) -> None:
    rows = [
        {"lp": "en-de", "src": "a", "mt": f"m{score}", "ref": ref, "score": score, "system": "s"}
        for score, ref in ((0, "r"), (-5.0, None), ("-25", "r"), (-40, "r"))
    ]
    items = built("wmt_mqm", written(tmp_path / "w.jsonl", [*rows, {**rows[0], "lp": "zh-en"}]))
    assert [item.target for item in items] == pytest.approx([1.0, 0.8, 0.0, 0.0, 1.0])
    assert [item.cluster for item in items] == [0, 0, 0, 0, 1]
    assert [item.reference for item in items[:2]] == ["r", ""]


def flask_prompt(response: str) -> str:
    return (
        "###Task Description: ...\n\n###The instruction to evaluate:\nDo it.\n\n###Response to evaluate:\n"
        f"{response}\n\n###Reference Answer (Score 5):\nDone.\n\n###Score Rubrics:\n[Is it done?]\nScore 1: no\n"
        "Score 2: hardly\nScore 3: half\nScore 4: nearly\nScore 5: yes\n\n###Feedback:"
    )


FLASK = {"query": "q", "response": "r", "reference_answer": "a", "rubric": "Be good.", "human_score": [3]}
RUBRIC = "[Is it done?]\nScore 1: no\nScore 2: hardly\nScore 3: half\nScore 4: nearly\nScore 5: yes"


def test_flask_is_read_from_the_prompts_of_prometheus_and_from_the_hubs_columns(tmp_path: Path) -> None:
    """One file and its copy say the same: the same items, and so the same records."""
    published = [
        {
            "idx": 12,
            "instruction": flask_prompt(said),
            "criteria": "completeness",
            "response_source": "vicuna",
            "human_score": scores,
            "gpt4_score": [5, 5, 5],
        }
        for said, scores in (("It is.", [4, 5, 5]), ("It\n\nis not.", [1, 1, 2]))
    ]
    copied = [
        {
            "query": "Do it.",
            "response": said,
            "reference_answer": "Done.",
            "natural_unit_test": "Is the response complete?",
            "rubric": RUBRIC,
            "human_score": scores,
            "gpt4_score": [5.0, 5.0, 5.0],
            "label": 4.67,
        }
        for said, scores in (("It is.", [4, 5, 5]), ("It\n\nis not.", [1, 1, 2]))
    ]
    items = built("flask", written(tmp_path / "flask_eval.json", published))
    assert items == built("flask", written(tmp_path / "flask.jsonl", copied))
    assert [item.candidate for item in items] == ["It is.", "It\n\nis not."]
    assert {(item.source, item.reference, item.criterion) for item in items} == {
        ("Do it.", "Done.", "Is it done?")
    }
    assert items[0].rubric == RUBRIC.partition("\n")[2]
    assert [item.target for item in items] == pytest.approx([(14 / 3 - 1) / 4, (4 / 3 - 1) / 4])
    assert {item.cluster for item in items} == {0}


def test_flask_from_parquet_as_the_hub_keeps_it(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="reads Parquet")
    pyarrow = pytest.importorskip("pyarrow", reason="reads Parquet")
    row = {
        "query": "q",
        "response": "r",
        "reference_answer": "a",
        "rubric": "Be good.",
        "human_score": [3, 3, 3],
    }
    parquet.write_table(pyarrow.Table.from_pylist([row]), tmp_path / "test-00000-of-00001.parquet")
    (item,) = built("flask", tmp_path / "test-00000-of-00001.parquet")
    assert (item.target, item.criterion, item.rubric) == (0.5, "", "Be good.")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"instruction": "Do it."}, "row 0: `instruction` holds no evaluation prompt of Prometheus"),
        ({"human_score": []}, "row 0: `human_score` is \\[\\], not a list of humans' scores"),
        ({"human_score": 4.5}, "row 0: `human_score` is 4.5, not a list"),
        ({"human_score": [4, 6]}, "row 0: the human score of skill is 6, not on 1 to 5"),
        ({"human_score": [4, "N/A"]}, "row 0: the human score of skill is 'N/A', not a number"),
    ],
    ids=["prompt", "none", "mean", "range", "text"],
)
def test_flask_of_another_shape_is_refused(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    row = {"instruction": flask_prompt("It is."), "human_score": [4, 5, 5], **change}
    with pytest.raises(InputError, match=f"flask: .*: {message}"):
        built("flask", written(tmp_path / "flask_eval.json", [row]))


def test_flask_without_a_file_says_which_file_to_give() -> None:
    with pytest.raises(
        InputError,
        match=r"^flask: has no pinned source: get eval/benchmark/data/flask_eval.json .*columns query, .*and "
        r"give its path \(`sources` in the configuration\)",
    ):
        load_scores(DATASETS["flask"])


def task(name: str, length: int, **more: Any) -> dict[str, Any]:
    turns = [{"role": "user", "content": "x" * length}]
    return {"session_id": name, "conversation_input": turns, "references": {"gpt-4": "answer"}, **more}


def test_wildbench_leaves_out_what_is_too_long_and_asks_for_the_score(tmp_path: Path) -> None:
    rows = [task("a", 10, human_score=5.5), task("b", 6_001, human_score=1), task("c", 6_000, human_score=10)]
    long = {**task("d", 5, human_score=3), "references": {"gpt-4": "y" * 8_001}}
    items = built("wildbench", written(tmp_path / "w.jsonl", [*rows, long]))
    assert [(item.uid, item.target) for item in items] == [("a", 0.5), ("c", 1.0)]
    with pytest.raises(
        InputError,
        match=r"row 0: has no `human_score`: .* only `avg_score` .*columns session_id, conversation_input, references",
    ):
        built("wildbench", written(tmp_path / "v.jsonl", [task("a", 10, avg_score=4.2, var_score=1.0)]))


def said(*texts: str) -> list[dict[str, str]]:
    return [{"role": ("user", "assistant")[i % 2], "content": text} for i, text in enumerate(texts)]


def test_mt_bench_makes_two_items_a_pair_and_leaves_ties_out(tmp_path: Path) -> None:
    row = {
        "question_id": 81,
        "model_a": "m",
        "model_b": "n",
        "judge": "expert_0",
        "winner": "model_b",
        "conversation_a": said("q", "a1", "q2", "a2"),
        "conversation_b": said("q", "b1", "q2", "b2"),
        "turn": 1,
    }
    rows = [row, {**row, "winner": "tie"}, {**row, "winner": "model_a", "turn": 2}]
    items = built("mt_bench_human", written(tmp_path / "m.jsonl", rows))
    assert [(item.uid, item.target, item.candidate) for item in items] == [
        ("81:0:a", 0.0, "a1"),
        ("81:0:b", 1.0, "b1"),
        ("81:2:a", 1.0, "a2"),
        ("81:2:b", 0.0, "b2"),
    ]
    assert [item.source for item in items[:3]] == ["q", "q", "USER: q\n\nASSISTANT: a1\n\nUSER: q2"]
    assert {item.cluster for item in items} == {"81"}
    with pytest.raises(InputError, match="winner 'both'"):
        built("mt_bench_human", written(tmp_path / "n.jsonl", [{**row, "winner": "both"}]))


def test_summarize_from_feedback_pairs_posts_and_articles(tmp_path: Path) -> None:
    post = {
        "id": "t3_1",
        "post": "It rained.",
        "title": "Rain",
        "subreddit": "r",
        "site": None,
        "article": None,
    }
    summaries = [{"text": "wet", "policy": "x", "note": None}, {"text": "rain", "policy": "y", "note": None}]
    rows = [
        {"info": post, "summaries": summaries, "choice": 1, "split": "valid1"},
        {
            "info": {"id": "cnn", "article": "News.", "post": None, "title": None},
            "summaries": summaries,
            "choice": 0,
        },
    ]
    items = built("summarize_from_feedback", written(tmp_path / "s" / "validation.jsonl", rows).parent)
    assert [(item.uid, item.target) for item in items] == [
        ("validation:0:a", 0.0),
        ("validation:0:b", 1.0),
        ("validation:1:a", 1.0),
        ("validation:1:b", 0.0),
    ]
    assert [item.source for item in items[::2]] == ["Rain\n\nIt rained.", "News."]
    assert {item.split for item in items} == {"validation"}
    written(tmp_path / "s" / "extra.jsonl", rows)
    with pytest.raises(InputError, match=r"extra.jsonl is named after none of the splits"):
        built("summarize_from_feedback", tmp_path / "s")


def test_pairs_are_drawn_whole_and_by_split() -> None:
    sides = [
        item
        for split, count in (("train", 9), ("validation", 5), ("other", 3))
        for n in range(count)
        for item in pair_items(f"{split}:{n}", n, [("s", "x"), ("s", f"{n}")], n % 2, "quality", split=split)
    ]
    drawn = draw_pairs(sides, {"train": 4, "validation": 99}, seed=0)
    assert Counter(item.split for item in drawn) == {"train": 8, "validation": 10, "other": 6}
    assert drawn == [item for item in sides if item in drawn]
    assert Counter(Counter(item.uid[:-2] for item in drawn).values()) == {2: 12}
    assert draw_pairs(sides, {"train": 4, "validation": 99}, seed=0) == drawn
    assert draw_pairs(sides, {"train": 4, "validation": 99}, seed=1) != drawn
    # A run's sample has to be drawn again by later versions.
    assert [item.uid for item in drawn[:8:2]] == ["train:2:a", "train:4:a", "train:5:a", "train:6:a"]
    assert draw_pairs(sides, {}, seed=0) == sides


def test_each_split_is_asked_of_the_hub(monkeypatch: pytest.MonkeyPatch) -> None:
    name, asked = "summarize_from_feedback", []
    monkeypatch.setattr(load, "hub_rows", lambda source: asked.append(source) or [])
    with pytest.raises(InputError, match="holds no rows"):
        load_scores(DATASETS[name])
    assert [source.split for source in asked] == ["train", "validation"]
    assert {source.revision for source in asked} == {DATASETS[name].source.revision}


def test_a_dataset_that_is_not_on_the_hub_names_its_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load, "hub_rows", hub.hub_rows)
    with pytest.raises(InputError, match=r"get the file from its publisher \(https://github.com/Yale-LILY"):
        load_scores(DATASETS["summeval"])


@pytest.mark.parametrize(
    ("name", "rows", "message"),
    [
        ("topicalchat", [], "holds no rows"),
        ("topicalchat", [{"source": "s"}], "lacks the columns"),
        ("roscoe_esnli", [{"id": 1, "instance": "?", "annotations": {}}], "row 0: holds no CONTEXT"),
        ("roscoe_esnli", [chain(1, "A", 6)], "not on 1 to 5"),
        ("roscoe_esnli", [chain(1, "A", "good")], "not a number"),
        ("roscoe_esnli", [chain(1, "A", 5), chain(1, "A", 5)], "item 1 occurs 2 times"),
        ("roscoe_esnli", [{**chain(1, "A", 5), "annotations": {}}], "do not have the shape"),
        ("flask", [{**FLASK, "response": "half \ud83d"}], "item 0: a text holds half a character"),
    ],
    ids=["empty", "columns", "task", "range", "text", "twice", "shape", "surrogate"],
)
def test_a_source_of_another_shape_is_refused(tmp_path: Path, name: str, rows: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        built(name, written(tmp_path / "x.json", rows))


def test_an_unknown_aspect_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="choose from coherence, consistency"):
        built("summeval", tmp_path, ["beauty"])


def test_a_source_of_another_size_is_taken_with_a_warning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    built("roscoe_esnli", written(tmp_path / "r.json", [chain(1, "A", 5)]))
    assert "1 items; the paper counts 151" in caplog.text


def test_the_real_sources(shared_data: Path) -> None:
    scores = shared_data / "scores"
    roscoe = built("roscoe_esnli", scores / "roscoe_esnli.json")
    assert len(roscoe) == 151
    topical = built("topicalchat", scores / "topical_chat_usr.json")
    assert len(topical) == 2_160
    assert len({item.cluster for item in topical}) == 60
    summeval = built("summeval", scores / "summeval")
    assert len(summeval) == 4 * 1_200
    assert Counter(Counter(item.cluster for item in summeval).values()) == {48: 100}
    for items in (roscoe, topical, summeval):
        assert min(item.target for item in items) == 0.0
        assert max(item.target for item in items) == 1.0
        assert not any("GENERATED RESPONSE" in item.source for item in items)
