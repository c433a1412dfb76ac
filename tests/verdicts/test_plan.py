"""Plans: what is read, drawn, sliced, and refused."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from raim.errors import InputError
from tests.verdicts.making import configuration, items
from verdicts.drawing import Slice, draw, items_of, require_sources
from verdicts.judges.roster import find
from verdicts.plan import Sample, Settings, judges_of
from verdicts.plan_file import read_plan, read_plans

JUDGING: dict[str, Any] = {
    "suite": "mini",
    "benchmarks": ["minipairs"],
    "members": [
        {"judge": "smollm2-135m", "protocol": "constrained"},
        {"judge": "qwen2.5-coder-0.5b", "protocol": "generative", "benchmarks": ["minipairs"]},
        {"judge": "smollm2-135m", "protocol": "generative"},
    ],
}
#: Options that plans share.
SHARED = ("sources", "revisions")


def written(folder: Path, **changes: Any) -> Path:
    shared = {name: changes.pop(name) for name in SHARED if name in changes}
    path = folder / "plan.yaml"
    path.write_text(yaml.safe_dump(configuration({**JUDGING, **changes}, **shared)))
    return path


def test_a_plan_is_read(tmp_path: Path) -> None:
    plan = read_plan(written(tmp_path, sources={"minipairs": "here.csv"}, settings={"batch_size": 3}))
    assert (plan.suite, plan.title) == ("mini", "mini")
    assert [member.name for member in plan.members] == [
        "smollm2-135m.constrained",
        "qwen2.5-coder-0.5b.generative",
        "smollm2-135m.generative",
    ]
    assert [judge.name for judge in plan.judges()] == ["smollm2-135m", "qwen2.5-coder-0.5b"]
    assert plan.settings == Settings(batch_size=3)
    # Paths are those of the folder that the plan lies in.
    assert plan.sources == {"minipairs": tmp_path / "here.csv"}
    assert plan.benchmarks == {"minipairs": Sample()}
    assert not plan.members[1].judges("cnn")
    assert plan.members[0].judges("cnn")


def test_samples_are_read(tmp_path: Path) -> None:
    plan = read_plan(written(tmp_path, benchmarks={"minipairs": {"clusters": 3, "seed": 5}}))
    assert plan.benchmarks == {"minipairs": Sample(3, 5)}
    ((benchmark, drawn),) = items_of(plan)
    assert benchmark.name == "minipairs"
    assert len({item.cluster for item in drawn}) == 3


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"members": [{"judge": "nobody", "protocol": "generative"}]},
            "no judge 'nobody' in the roster; choose one of",
        ),
        ({"members": [{"judge": "smollm2-135m", "protocol": "votes"}]}, "give generative .* constrained"),
        (
            {"members": [{"judge": "smollm2-135m", "protocol": "generative", "benchmarks": ["cnn"]}]},
            "cnn is not among the benchmarks",
        ),
        ({"settings": {"batchsize": 1}}, "did you mean 'batch_size'"),
        ({"revisions": {"llama-3.1-8b": "main"}}, "give the commit in full, 40 digits"),
        ({"revisions": {"smollm2-135m": "0" * 40}}, "not from a hub"),
        ({"revisions": {"nobody": "0" * 40}}, "no judge 'nobody'"),
    ],
)
def test_plans_that_cannot_be_used(tmp_path: Path, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_plan(written(tmp_path, **changes))


SCORES: dict[str, Any] = {
    "suite": "scored",
    "benchmarks": {"summarize_from_feedback": {"pairs": {"train": 20, "validation": 5}}},
    "members": [{"judge": "smollm2-135m", "protocol": "probabilities-1-5"}],
    "settings": {"batch_size": 2},
}


def both(folder: Path, *plans: dict[str, Any], **shared: Any) -> Path:
    path = folder / "plans.yaml"
    path.write_text(yaml.safe_dump(configuration(*plans, **shared)))
    return path


def test_a_configuration_holds_several_plans(tmp_path: Path) -> None:
    path = both(tmp_path, JUDGING, SCORES, sources={"minipairs": "here.csv"})
    plans = read_plans(path)
    assert list(plans) == ["mini", "scored"]
    assert [plan.scored for plan in plans.values()] == [False, True]
    # Each has settings of its own, and all have the sources.
    assert [plan.settings.batch_size for plan in plans.values()] == [8, 2]
    assert {plan.sources["minipairs"] for plan in plans.values()} == {tmp_path / "here.csv"}
    assert plans["scored"].benchmarks["summarize_from_feedback"].pairs == {"train": 20, "validation": 5}
    assert read_plan(path, "scored") == plans["scored"]
    assert [judge.name for judge in judges_of(plans.values())] == ["smollm2-135m", "qwen2.5-coder-0.5b"]


def test_a_command_says_which_plan_it_means(tmp_path: Path) -> None:
    path = both(tmp_path, JUDGING, SCORES)
    with pytest.raises(InputError, match=r"plans the suites mini, scored; say which with --suite"):
        read_plan(path)
    with pytest.raises(InputError, match=r"plans no suite 'other'; it plans mini, scored"):
        read_plan(path, "other")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"suite": "mini"}, "judge: plans: two of them make the suite 'mini'; give each a name of its own"),
        (
            {"members": [{"judge": "nobody", "protocol": "probabilities-1-5"}]},
            "judge: plans: scored: no judge 'nobody' in the roster",
        ),
        (
            {"benchmarks": ["minipairs", "wildbench"]},
            "judge: plans: scored: benchmarks: wildbench ask for scores and the others for verdicts; give each kind a",
        ),
        (
            {"members": [*SCORES["members"], {"judge": "gemma-3-270m", "protocol": "generative"}]},
            "judge: plans: scored: members: gemma-3-270m.generative: the benchmarks ask for scores",
        ),
        (
            {"members": [{**SCORES["members"][0], "benchmarks": ["wildbench"]}], "benchmarks": ["flask"]},
            "judge: plans: scored: members: smollm2-135m.probabilities-1-5: wildbench is not among the benchmarks",
        ),
        (
            {
                "members": [
                    {**SCORES["members"][0], "benchmarks": [name]} for name in ("flask", "wildbench")
                ],
                "benchmarks": ["flask", "wildbench"],
            },
            "members: smollm2-135m.probabilities-1-5: is there 2 times; name all its `benchmarks` in one entry",
        ),
        ({"benchmarks": {"flask": {"pairs": {"train": 3}}}}, "flask: is no dataset of preferences"),
        (
            {"benchmarks": {"summarize_from_feedback": {"pairs": {"test": 3}}}},
            "summarize_from_feedback: pairs: test is none of its splits: train, validation",
        ),
        (
            {"benchmarks": {"mt_bench_human": {"pairs": {"test": 3}}}},
            "mt_bench_human: pairs: test is none of its splits: it has none; draw `clusters`",
        ),
    ],
    ids=["name", "judge", "kinds", "protocol", "benchmark", "twice", "no pairs", "split", "no splits"],
)
def test_a_plan_that_cannot_be_used_is_named(tmp_path: Path, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        read_plans(both(tmp_path, JUDGING, {**SCORES, **changes}))
    assert message in str(caught.value)


def test_sources_that_are_not_there_are_listed_before_anything_is_fetched(tmp_path: Path) -> None:
    plans = [
        {**JUDGING, "benchmarks": ["minipairs", "factscore", "truthfulqa"]},
        {**SCORES, "benchmarks": ["summeval", "flask", "wmt_mqm"]},
    ]
    (tmp_path / "flask.json").touch()
    path = both(tmp_path, *plans, sources={"truthfulqa": "gone.csv", "flask": "flask.json"})
    with pytest.raises(InputError) as caught:
        require_sources(read_plans(path).values())
    message = str(caught.value)
    assert "factscore: not on the hub: get the file from its publisher (" in message
    assert f"truthfulqa: there is no {tmp_path / 'gone.csv'} (" in message
    publisher = "https://github.com/Yale-LILY/SummEval"
    assert f"summeval: not on the hub: get the file from its publisher ({publisher})" in message
    assert not {"minipairs", "flask", "wmt_mqm"} & {
        line.split(":")[0].strip() for line in message.splitlines()
    }
    require_sources([read_plan(written(tmp_path))])


@pytest.mark.parametrize("text", [None, ":", "[]", "suites: [a]", "\xff\xfe"])
def test_files_that_are_no_plan(tmp_path: Path, text: str | None) -> None:
    path = tmp_path / "plan.yaml"
    if text is not None:
        path.write_bytes(text.encode("latin-1"))
    with pytest.raises(InputError, match=r"plan\.yaml: (cannot read|has no `judge` section)"):
        read_plan(path)


def test_an_unknown_benchmark_lists_the_plans(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cnn is not among the plan's benchmarks: minipairs"):
        items_of(read_plan(written(tmp_path)), ["cnn"])


def test_the_shipped_plans_can_be_read(root: Path) -> None:
    for name in ("judge.yaml", "cpu.yaml", "scores.yaml"):
        assert read_plan(root / "config" / name).judges()


def test_a_judge_without_a_revision_is_not_asked(tmp_path: Path) -> None:
    members = [
        {"judge": name, "protocol": "native" if name == "auto-j-13b" else "generative"}
        for name in ("command-r7b", "smollm2-135m", "auto-j-13b", "llama-3.1-8b")
    ]
    with pytest.raises(InputError, match="no pinned revision") as caught:
        read_plan(written(tmp_path, members=members)).judges()
    message = str(caught.value)
    assert (
        "command-r7b: <40 digits>  # from https://huggingface.co/CohereLabs/c4ai-command-r7b-12-2024/commits"
        in message
    )
    assert "auto-j-13b" in message
    assert "smollm2" not in message
    assert "llama" not in message
    # What the message says to write can be written, and is what the records then say.
    revisions = {"command-r7b": "a" * 40, "auto-j-13b": "b" * 40}
    plan = read_plan(written(tmp_path, members=members, revisions=revisions))
    assert [judge.revision[:2] for judge in plan.judges()] == ["aa", "gg", "bb", "0e"]


def test_a_plans_revision_comes_before_the_rosters(tmp_path: Path) -> None:
    members = [{"judge": name, "protocol": "generative"} for name in ("llama-3.1-8b", "qwen2.5-7b")]
    (llama, qwen) = read_plan(written(tmp_path, members=members)).judges()
    assert llama.revision == find("llama-3.1-8b").revision != ""
    (other, same) = read_plan(
        written(tmp_path, members=members, revisions={"llama-3.1-8b": "a" * 40})
    ).judges()
    assert other == replace(llama, revision="a" * 40)
    assert same == qwen


def test_drawing_takes_whole_clusters_in_their_order() -> None:
    everything = items(40, per_cluster=4)
    drawn = draw(everything, Sample(4, seed=1))
    assert Counter(Counter(item.cluster for item in drawn).values()) == {4: 4}
    assert drawn == [item for item in everything if item in drawn]
    assert draw(everything, Sample(4, seed=1)) == drawn
    assert draw(everything, Sample(4, seed=2)) != drawn
    assert (
        draw(everything, Sample(None))
        == draw(everything, Sample(10))
        == draw(everything, Sample(99))
        == everything
    )


def test_the_draw_of_a_seed_is_fixed() -> None:
    """Released samples have to be drawn again by later versions."""
    assert sorted({item.cluster for item in draw(items(40), Sample(5, seed=0))}) == [2, 4, 6, 13, 19]


@settings(derandomize=True, max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    clusters=st.lists(st.integers(0, 6), max_size=30),
    count=st.integers(1, 5),
)
def test_slices_partition_the_items_between_clusters(clusters: list[int], count: int) -> None:
    everything = [
        item.__class__(f"{n}", cluster, 0, "", (), str(n))
        for n, (item, cluster) in enumerate(zip(items(len(clusters)), clusters, strict=True))
    ]
    parts = [Slice(number, count).of(everything) for number in range(1, count + 1)]
    assert sorted(int(item.uid) for part in parts for item in part) == list(range(len(everything)))
    homes = [{item.cluster for item in part} for part in parts]
    assert sum(map(len, homes)) == len(set(clusters))
    assert max(map(len, homes)) - min(map(len, homes)) <= 1
    for part in parts:
        assert [int(item.uid) for item in part] == sorted(int(item.uid) for item in part)


def test_slices_are_written_as_a_part_of_a_number() -> None:
    assert Slice.parse("2/8") == Slice(2, 8)
    for text in (
        "",
        "2",
        "0/2",
        "3/2",
        "1/0",
        "-1/2",
        "1/2/3",
        "a/b",
        "1 / 2",
        "1/" + "9" * 5000,
        "\u0661/\u0662",
    ):
        with pytest.raises(InputError, match="such as 1/4"):
            Slice.parse(text)
