"""From a plan with purpose-trained judges to records, a suite, and a panel that tells why a judge is not in it."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from analysis.panel.suites import NOT_APPLICABLE, load_panel
from raim.errors import InputError
from tests.verdicts.engines.test_truncation import Characters
from tests.verdicts.making import JUDGE, FakeEngine, benchmark, items, plan_of, run
from verdicts import plan as plan_module
from verdicts.comparators.registry import find
from verdicts.engines.base import Failed, LabelLogprobs, Overflow, Reply
from verdicts.engines.encoding import Encoder
from verdicts.engines.truncation import MARK
from verdicts.export import export_suite
from verdicts.judges import roster
from verdicts.judges.roster import Judge
from verdicts.plan import Member, Plan, Sample, Settings
from verdicts.protocols import native, protocol
from verdicts.readings import compare, reread
from verdicts.records.canonical import canonical
from verdicts.records.schema import Condition, Distribution, Verdict
from verdicts.records.suite import read_suite
from verdicts.runs import judge_missing
from verdicts.store import Store

PUBLISHED = {
    "prometheus-2-7b": ("prometheus2", 8192, 7552),
    "judgelm-7b": ("judgelm", 2048, 1720),
    "auto-j-13b": ("autoj", 4096, 2944),
}


DEFAULTS = Settings()


class Local(FakeEngine):
    """A fake engine with a tokenizer whose tokens are characters; answers from a table of masses, then repeats."""

    def __init__(self, *masses: Sequence[float], reply: str = "7") -> None:
        super().__init__(lambda prompt: reply)
        self.encoder = Encoder(Characters(), None, Path())
        self._masses = list(masses)

    def score(self, prompts, prefix, labels):  # type: ignore[no-untyped-def]
        self._take(prompts)
        assert prefix == ""
        tokens = tuple((number,) for number in range(len(labels)))
        answers: list[Any] = []
        for number, prompt in enumerate(prompts):
            masses = self._masses[number % len(self._masses)]
            logprobs = tuple((math.log(mass) if mass else -math.inf,) for mass in masses)
            answers.append(LabelLogprobs(logprobs, tokens, len(prompt)))
        return answers


def judge(name: str) -> Judge:
    return replace(roster.find(name), revision="0" * 40)


def condition(name: str, frame: str = "claimcheck/1", settings: Settings = DEFAULTS) -> Condition:
    return native.condition(judge(name), frame, None, settings)


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_graders_condition_is_the_published_one(name: str) -> None:
    adapter, context, budget = PUBLISHED[name]
    made = condition(name, "def_on/1", Settings(context=512, max_new_tokens=16))
    assert (made.kind, made.frame, made.chat) == ("verdict", f"{adapter}-def_on/1", None)
    # The window, the answer and the rule are the judge's own, whatever the plan gives the panel.
    assert made.decoding == {
        "mode": "greedy",
        "max_new_tokens": context - budget - 128,
        "context": context,
        "truncation": "middle_out",
        "dtype": "bfloat16",
    }


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_graders_long_prompt_loses_its_middle(name: str) -> None:
    _, _, budget = PUBLISHED[name]
    engine = Local(reply="7 [RESULT] 4 [[9]]")
    (found,) = native.ask(engine, ["x" * 9000], condition(name))
    assert isinstance(found, Verdict)
    assert found.truncated == 9000 - budget
    assert engine.asked == ["x" * (budget // 2) + MARK + "x" * (budget - budget // 2)]


@pytest.mark.parametrize(
    ("name", "reply", "verdict", "score"),
    [
        ("prometheus-2-7b", "[RESULT] 3", 0, 3.0),
        ("prometheus-2-7b", "[RESULT] 2", 1, 2.0),
        ("judgelm-7b", "5.5", 0, 5.5),
        ("judgelm-7b", "5", 1, 5.0),
        ("auto-j-13b", "[[6]]", 0, 6.0),
        ("auto-j-13b", "[[5]]", 1, 5.0),
        ("auto-j-13b", "VERDICT: HALLUCINATED", None, None),
    ],
)
def test_the_midpoint_and_more_is_supported(
    name: str, reply: str, verdict: int | None, score: float | None
) -> None:
    (found,) = native.ask(Local(reply=reply), ["p"], condition(name))
    assert isinstance(found, Verdict)
    assert (found.verdict, found.score) == (verdict, score)
    assert found.rule == ("grade" if score is not None else "no_grade")
    # The panel's parsers never read a grade, in neither reading.
    assert [reread(found, condition(name), reading) for reading in ("paper", "release")] == [found, found]


@pytest.mark.parametrize(
    ("answer", "rule"),
    [(Overflow(9000), "overflow"), (Reply("7", "not_finite", 5, 1), "not_finite")],
    ids=["overflow", "not_finite"],
)
def test_what_is_no_answer_has_no_grade(answer: Reply | Overflow, rule: str) -> None:
    engine = Local()
    engine.generate = lambda prompts, new: [answer]  # type: ignore[method-assign]
    (found,) = native.ask(engine, ["p"], condition("judgelm-7b"))
    assert isinstance(found, Verdict)
    assert (found.verdict, found.rule, found.score) == (None, rule, None)


def test_a_failed_prompt_stays_failed() -> None:
    engine = Local()
    engine.generate = lambda prompts, new: [Failed("no")]  # type: ignore[assignment,method-assign,return-value]
    assert list(native.ask(engine, ["p"], condition("judgelm-7b"))) == [Failed("no")]
    engine.score = lambda *asked: [Failed("no")]  # type: ignore[assignment,method-assign]
    prompt = canonical(["a", "b", "c"])
    assert list(native.ask(engine, [prompt], condition("minicheck-flan-t5"))) == [Failed("no")]


def test_checkers_have_one_condition_for_both_frames() -> None:
    for name, chunk, context in (
        ("minicheck-flan-t5", "500 words", 2048),
        ("bespoke-minicheck-7b", "30000 tokens", 32768),
    ):
        made = condition(name)
        assert made == condition(name, "def_on/1")
        assert made.labels == ("SUPPORTED", "HALLUCINATED")
        assert (made.decoding["chunks"], made.decoding["context"]) == (chunk, context)
        assert made.frame == f"{roster.find(name).adapter}-claimcheck/1"


def test_minicheck_is_the_softmax_of_its_two_pieces() -> None:
    engine = Local((0.2, 0.6))
    prompt = canonical(["predict: ", "A document.", "</s>A claim."])
    (found,) = native.ask(engine, [prompt], condition("minicheck-flan-t5"))
    assert isinstance(found, Distribution)
    assert engine.asked == ["predict: A document.</s>A claim."]
    assert found.probabilities == pytest.approx((0.75, 0.25))
    assert found.off_label_mass == pytest.approx(0.2)
    assert (found.rule, found.score_source) == ("scored", "token_probabilities")


def test_bespoke_counts_all_but_yes_against_the_claim() -> None:
    prompt = canonical(["a", "b", "c"])
    (found,) = native.ask(Local((0.3, 0.1, 0.2, 0.0)), [prompt], condition("bespoke-minicheck-7b"))
    assert isinstance(found, Distribution)
    assert found.probabilities == pytest.approx((0.4, 0.6))
    assert found.off_label_mass == pytest.approx(0.4)


def test_the_chunk_that_supports_most_decides() -> None:
    first, second = "One " + "word " * 298 + "here.", "Two " + "word " * 298 + "there."
    prompt = canonical(["predict: ", f"{first} {second}", "</s>A claim."])
    engine = Local((0.9, 0.1), (0.3, 0.7))
    (found,) = native.ask(engine, [prompt], condition("minicheck-flan-t5"))
    assert isinstance(found, Distribution)
    assert engine.asked == [f"predict: {first}</s>A claim.", f"predict: {second}</s>A claim."]
    assert found.probabilities == pytest.approx((0.7, 0.3))
    assert found.prompt_tokens == sum(map(len, engine.asked))


def test_a_chunk_without_an_answer_leaves_the_item_without_one() -> None:
    engine = Local((0.0, 0.0))
    prompt = canonical(["a", "b", "c"])
    (found,) = native.ask(engine, [prompt], condition("minicheck-flan-t5"))
    assert found == Distribution(None, None, "token_probabilities", "not_finite", 3)
    engine.score = lambda *asked: [Overflow(3000)]  # type: ignore[method-assign]
    (found,) = native.ask(engine, [prompt], condition("minicheck-flan-t5"))
    assert found == Distribution(None, None, "token_probabilities", "overflow", 3000)
    engine.score = lambda *asked: []  # type: ignore[method-assign]
    with pytest.raises(ValueError, match="0 answers to 1 chunks"):
        native.ask(engine, [prompt], condition("minicheck-flan-t5"))


def test_a_judge_without_an_interface_has_no_native_protocol() -> None:
    with pytest.raises(InputError, match="small has no interface of its own"):
        native.condition(JUDGE, "def_on/1", None, Settings())
    assert protocol("native") == (native.condition, native.ask)


SECTION: dict[str, Any] = {
    "suite": "mini",
    "benchmarks": ["medhallu", "wice", "truthfulqa"],
}


def planned(**member: Any) -> Plan:
    return plan_of({**SECTION, "members": [member]})


def test_a_checker_is_asked_about_grounded_benchmarks_alone() -> None:
    (member,) = planned(judge="minicheck-flan-t5", protocol="native").members
    assert member.benchmarks == ("medhallu", "wice")
    (member,) = planned(judge="minicheck-flan-t5", protocol="native", benchmarks=["wice"]).members
    assert member.benchmarks == ("wice",)
    (member,) = planned(judge="judgelm-7b", protocol="native").members
    assert member.benchmarks is None


@pytest.mark.parametrize(
    ("member", "message"),
    [
        (
            {"judge": "minicheck-flan-t5", "protocol": "native", "benchmarks": ["truthfulqa"]},
            "against a document, which truthfulqa does not supply",
        ),
        ({"judge": "judgelm-7b", "protocol": "generative"}, "give judgelm-7b the protocol native"),
        (
            {"judge": "smollm2-135m", "protocol": "native"},
            "give smollm2-135m a protocol of judges that are asked in words",
        ),
    ],
    ids=["document", "adapter", "panel"],
)
def test_what_cannot_be_asked_is_refused_in_the_plan(member: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        planned(**member)


def test_from_a_plan_to_a_panel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Verdicts reach the panel; what is not applicable, missing or abstained is told apart."""
    judges = {
        "small": JUDGE,
        **{name: judge(name) for name in ("minicheck-flan-t5", "judgelm-7b", "auto-j-13b")},
    }
    monkeypatch.setattr(plan_module, "find", judges.__getitem__)
    members = (
        Member("small", "generative"),
        Member("minicheck-flan-t5", "native", ("toy",)),
        Member("judgelm-7b", "native"),
        Member("auto-j-13b", "native", ("toy",)),
    )
    benchmarks = [
        (benchmark("toy"), items(8)),
        (replace(benchmark("alone", "def_on"), tier="ungrounded"), items(8, "alone")),
    ]
    settings = Settings(batch_size=4, context=512)
    plan = Plan("mini", "Toys", {"toy": Sample(), "alone": Sample()}, members, {}, settings)
    store = Store(tmp_path / "store")
    for name, engine in (
        ("small", FakeEngine()),
        ("minicheck-flan-t5", Local((0.4, 0.5), (0.5, 0.4))),
        ("judgelm-7b", Local(reply="8")),
        ("auto-j-13b", Local(reply="no rating")),
    ):
        mine = [(member, judges[name], None) for member in members if member.judge == name]
        judge_missing(store, mine, benchmarks, settings, run(f"run-{name}"), lambda engine=engine: engine)
    export_suite(plan, benchmarks, store, tmp_path / "suite")

    described = read_suite(tmp_path / "suite").members
    assert described["minicheck-flan-t5.native"].needs_document
    assert described["minicheck-flan-t5.native"].role == "purpose_trained"
    written = json.loads((tmp_path / "suite" / "suite.json").read_text())["members"]
    assert "needs_document" not in written["small.generative"]

    toy = load_panel(tmp_path / "suite", "toy")
    assert sorted(np.unique(toy.comparators["minicheck-flan-t5.native"])) == [0.0, 1.0]
    assert (toy.comparators["judgelm-7b.native"] == 0).all()
    assert toy.left_out == {"auto-j-13b.native": "committed on none of 8 items"}
    alone = load_panel(tmp_path / "suite", "alone")
    assert alone.left_out == {
        "minicheck-flan-t5.native": NOT_APPLICABLE,
        "auto-j-13b.native": "not asked about this benchmark",
    }
    # Grades are kept with the verdict, and read again by the rule that gave them.
    shard = store.shard(condition("judgelm-7b", "def_on/1", settings))
    records = list(shard.records())
    assert {record.value.score for record in records} == {8.0}
    found = compare(records, shard.condition)
    assert (found.replies, found.differ) == (8, 0)
    assert found.committed == {"stored": 8, "today": 8}


def test_a_run_says_how_many_prompts_were_cut(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    long = replace(items(1)[0], uid="long", evidence=("x" * 9000,))
    member, asked = Member("judgelm-7b", "native"), judge("judgelm-7b")
    settings = Settings(batch_size=4)
    wide = replace(asked, context=6000)  # in characters, which are the tokens here
    for name, given in (("short", items(3)), ("both", [*items(3), long])):
        caplog.clear()
        store = Store(tmp_path / name)
        judge_missing(
            store, [(member, wide, None)], [(benchmark(), given)], settings, run(), lambda: Local(reply="8")
        )
        told = [message for message in caplog.messages if "cut" in message]
        assert told == (
            ["toy, judgelm-7b.native: 1 of 4 prompts were too long and cut"] if name == "both" else []
        )


def test_every_adapter_of_the_roster_exists_and_is_purpose_trained() -> None:
    named = [judge for judge in roster.roster().values() if judge.adapter and judge.role != "expert"]
    assert len({judge.adapter for judge in named}) == len(named) >= 5
    for judge in named:
        assert find(judge.adapter).name == judge.adapter
        assert (judge.role, judge.chat) == ("purpose_trained", False)
    assert {j.name for j in named if j.needs_document} == {"minicheck-flan-t5", "bespoke-minicheck-7b"}
