"""Second arms and the probe, from a plan to a suite; the shipped plan of the paper's whole run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from analysis.panel.suites import load_panel
from raim.errors import InputError
from tests.verdicts.making import CHAT, JUDGE, FakeEngine, benchmark, items, plan_of, run
from verdicts import plan as plan_module
from verdicts.arms import with_examples
from verdicts.export import export_suite
from verdicts.judges.roster import roster
from verdicts.plan import Member, Plan, Sample, Settings, judges_of
from verdicts.plan_file import plans_of, read_plan
from verdicts.records.suite import read_suite
from verdicts.runs import condition_of, judge_missing
from verdicts.store import Store

CLAIMS = ("wice", "xsum", "cnn", "expertqa")


@pytest.fixture
def paper(root: Path) -> Plan:
    return read_plan(root / "config" / "paper.yaml", "paper-rerun")


def test_the_papers_run_is_planned_whole(paper: Plan) -> None:
    """Ten members, a frontier and two larger judges, five trained ones, eleven second arms, eight pairs of twins."""
    kinds: dict[tuple[str, str], list[Member]] = {}
    for member in paper.members:
        role = "def_on" if member.arm_of else plan_module.find(member.judge).role
        kinds.setdefault((role, member.protocol), []).append(member)
    assert {kind: len(members) for kind, members in kinds.items()} == {
        ("member", "generative"): 10,
        ("frontier", "generative"): 1,
        ("larger", "generative"): 2,
        ("purpose_trained", "native"): 5,
        ("def_on", "generative"): 11,
        ("probe_base", "probe"): 8,
        ("probe_instruct", "probe"): 8,
    }
    assert all(member.benchmarks == CLAIMS for member in kinds["def_on", "generative"])
    assert set(paper.benchmarks) == {
        *CLAIMS,
        "medhallu",
        "ragtruth",
        "factscore",
        "truthfulqa",
    }
    assert all(sample == Sample() for sample in paper.benchmarks.values())
    settings = paper.settings
    assert (settings.engine, settings.context, settings.max_new_tokens) == ("vllm", 8192, 384)
    assert (settings.truncation, settings.dtype) == ("middle_out", "bfloat16")
    twins = {
        arm: [plan_module.find(m.judge).tag for m in kinds[f"probe_{arm}", "probe"]]
        for arm in ("base", "instruct")
    }
    assert twins["base"] == twins["instruct"]
    assert len(set(twins["base"])) == 8


def test_what_the_run_needs_is_listed_and_can_be_given(paper: Plan, root: Path) -> None:
    with pytest.raises(InputError, match="no pinned revision") as caught:
        paper.judges()
    asked = [line.split(":")[0].strip() for line in str(caught.value).splitlines()[3:]]
    text = (root / "config" / "paper.yaml").read_text(encoding="utf-8")
    # The file's own placeholders are those that the message asks for.
    assert [line.split(":")[0].strip("# ") for line in text.splitlines() if "<40 digits>" in line] == sorted(
        asked, key=lambda name: text.index(f"#  {name}:")
    )
    section = yaml.safe_load(text)["judge"] | {"revisions": dict.fromkeys(asked, "a" * 40)}
    given = {plan_module.find(name).judge for name in asked}
    for judge in judges_of(plans_of(section, root).values()):
        assert judge.revision == ("a" * 40 if judge.judge in given else plan_module.find(judge.name).revision)


def test_twins_of_one_checkpoint_share_its_revision() -> None:
    section: dict[str, Any] = {
        "suite": "s",
        "benchmarks": ["medhallu"],
        "members": [
            {"judge": "llama-3.1-8b", "protocol": "generative"},
            {"judge": "llama-3.1-8b-probe", "protocol": "probe"},
        ],
    }
    plan = plan_of(section, revisions={"llama-3.1-8b": "b" * 40})
    assert [judge.revision for judge in plan.judges()] == ["b" * 40] * 2


@pytest.mark.parametrize(
    ("members", "message"),
    [
        (
            [{"judge": "llama-3.1-8b", "protocol": "generative", "frame": "def_on", "benchmarks": ["cnn"]}],
            "llama-3.1-8b.generative.def_on: is a second arm under def_on; give the same judge",
        ),
        (
            [
                {"judge": "llama-3.1-8b", "protocol": "generative"},
                {"judge": "llama-3.1-8b", "protocol": "generative", "frame": "def_on"},
            ],
            "asked under def_on anyway: medhallu; name the others in its `benchmarks`",
        ),
    ],
    ids=["no first arm", "the same frame"],
)
def test_second_arms_that_cannot_be_used(members: list[dict[str, Any]], message: str) -> None:
    section = {"suite": "s", "benchmarks": ["medhallu", "cnn"], "members": members}
    with pytest.raises(InputError, match=message):
        plan_of(section)


def test_arms_reach_the_suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bare = replace(JUDGE, name="small-base", tag="Small", judge="example/base", chat=False, role="probe_base")
    judges = {"small": JUDGE, "small-base": bare}
    monkeypatch.setattr(plan_module, "find", judges.__getitem__)
    members = (
        Member("small", "generative"),
        Member("small", "generative", ("claims",), "def_on"),
        Member("small-base", "probe", ("claims",)),
    )
    everything = items(40, "claims")
    benchmarks = [
        (with_examples(benchmark("claims"), everything), everything),
        (benchmark("qa", "def_on"), items(8, "qa")),
    ]
    plan = Plan(
        "s", "S", {"claims": Sample(), "qa": Sample()}, members, {}, Settings(batch_size=4, context=512)
    )
    store = Store(tmp_path / "store")
    for judge, chat in ((JUDGE, CHAT), (bare, None)):
        mine = [(member, judge, chat) for member in members if member.judge == judge.name]
        judge_missing(store, mine, benchmarks, plan.settings, run(f"run-{judge.name}"), FakeEngine)
    first, second = (condition_of(m, JUDGE, CHAT, "claimcheck", plan.settings) for m in members[:2])
    assert (first.frame, second.frame) == ("claimcheck/1", "def_on/1")
    covered = export_suite(plan, benchmarks, store, tmp_path / "suite")
    left = len({e.cluster for e in benchmarks[0][0].examples})
    assert covered == {
        "records/claims/small.generative.jsonl.gz": (40, 40),
        "records/qa/small.generative.jsonl.gz": (8, 8),
        "records/claims/small.generative.def_on.jsonl.gz": (40, 40),
        "records/claims/small-base.probe.jsonl.gz": (40 - 2 * left, 40 - 2 * left),
    }
    described = read_suite(tmp_path / "suite").members
    assert described["small.generative.def_on"].role == "def_on"
    assert described["small.generative.def_on"].arm_of == "small.generative"
    assert described["small-base.probe"].role == "probe_base"
    panel = load_panel(tmp_path / "suite", "claims")
    assert panel.votes.members == ("small.generative",)
    assert set(panel.comparators) == {"small.generative.def_on", "small-base.probe"}


def test_the_twins_of_the_roster() -> None:
    """Appendix D: every family of the panel but Phi and Command-R, which publish no base checkpoint."""
    arms = {
        role: {judge.tag: judge.judge for judge in roster().values() if judge.role == role}
        for role in ("probe_base", "probe_instruct")
    }
    panel = {judge.tag: judge.judge for judge in list(roster().values()) if judge.name in PANEL}
    assert set(arms["probe_base"]) == set(arms["probe_instruct"]) == set(panel) - {"Phi", "Command-R"}
    same = {tag for tag, checkpoint in arms["probe_instruct"].items() if checkpoint == panel[tag]}
    assert same == set(arms["probe_base"]) - {"Yi"}
    assert arms["probe_instruct"]["Yi"] == "01-ai/Yi-1.5-9B-Chat"
    assert not set(arms["probe_base"].values()) & set(arms["probe_instruct"].values())
    assert all(not judge.chat for judge in roster().values() if judge.role.startswith("probe"))


PANEL = (
    "llama-3.1-8b",
    "qwen2.5-7b",
    "mistral-7b-v0.3",
    "gemma-2-9b",
    "phi-4-mini",
    "yi-1.5-9b",
    "command-r7b",
    "glm-4-9b",
    "granite-3.3-8b",
    "falcon3-7b",
)
