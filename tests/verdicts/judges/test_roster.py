"""The roster as data, and what a chat template adds to a prompt."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from raim.errors import InputError
from tests.verdicts.making import CONDITION, JUDGE, SCORED
from verdicts.judges.chat import chat_of, recorded_chat
from verdicts.judges.roster import find, roster
from verdicts.records.canonical import sha256_text

#: Table 21 of the paper, in its order.
PANEL = [
    ("Llama", "meta-llama/Llama-3.1-8B-Instruct", "Meta"),
    ("Qwen", "Qwen/Qwen2.5-7B-Instruct", "Alibaba"),
    ("Mistral", "mistralai/Mistral-7B-Instruct-v0.3", "Mistral AI"),
    ("Gemma", "google/gemma-2-9b-it", "Google"),
    ("Phi", "microsoft/Phi-4-mini-instruct", "Microsoft"),
    ("Yi", "01-ai/Yi-1.5-9B-Chat-16K", "01.AI"),
    ("Command-R", "CohereLabs/c4ai-command-r7b-12-2024", "Cohere"),
    ("GLM", "zai-org/glm-4-9b-chat-hf", "Zhipu AI"),
    ("Granite", "ibm-granite/granite-3.3-8b-instruct", "IBM"),
    ("Falcon", "tiiuae/Falcon3-7B-Instruct", "TII"),
]


def test_the_papers_panel_is_there_in_its_order() -> None:
    order = {entry[1]: number for number, entry in enumerate(PANEL)}
    found = [judge for judge in roster().values() if judge.judge in order and judge.role == "member"]
    assert [(judge.tag, judge.judge, judge.developer) for judge in found] == PANEL
    # "Every member's native context window covers the 8192-token cap."
    assert all(judge.context >= 8192 and judge.role == "member" and judge.chat for judge in found)


@pytest.mark.parametrize(
    ("judge", "role"),
    [
        ("Qwen/Qwen2.5-32B-Instruct-AWQ", "larger"),
        ("Qwen/Qwen2.5-72B-Instruct-AWQ", "larger"),
        ("Qwen/Qwen2.5-72B-Instruct", "larger"),
        ("claude-sonnet-4-6", "frontier"),
        ("Qwen/Qwen3.5-9B", "member"),
        ("google/gemma-3-12b-it", "member"),
        ("mistralai/Ministral-3-8B-Instruct-2512", "member"),
    ],
)
def test_the_other_judges_of_the_papers(judge: str, role: str) -> None:
    (entry,) = [entry for entry in roster().values() if entry.judge == judge]
    assert entry.role == role


def test_every_entry_is_complete() -> None:
    for name, judge in roster().items():
        assert re.fullmatch(r"[a-z0-9][a-z0-9.-]*", name), name
        assert judge.name == name
        assert all((judge.tag, judge.developer, judge.parameters, judge.licence)), name
        assert judge.dtype in ("float32", "bfloat16", "float16") or judge.weights.kind == "api", name
        pattern = {"hub": "[0-9a-f]{40}|", "pypi": "gguf:[0-9a-f]{64}", "api": "api:.+"}[judge.weights.kind]
        assert re.fullmatch(pattern, judge.revision), name
        assert (judge.weights.kind == "pypi") == bool(judge.weights.packages), name


def test_code_of_a_repository_is_run_for_a_reason_only() -> None:
    assert {name for name, judge in roster().items() if judge.remote_code} == {"bespoke-minicheck-7b"}


def test_every_judges_terms_are_in_the_notice(root: Path) -> None:
    """Source by source: a line a checkpoint, with the licence that the roster states."""
    notice = (root / "NOTICE").read_text(encoding="utf-8")
    for judge in roster().values():
        if judge.weights.kind != "pypi":
            lines = [line for line in notice.splitlines() if line.split(" ")[0] == judge.judge]
            assert len(lines) == 1, judge.judge
            assert lines[0].endswith(f"{judge.developer}. {judge.licence}."), judge.judge


@pytest.mark.parametrize(
    ("name", "context", "licence", "gated"),
    [
        ("llama-3.1-8b", 131072, "Llama 3.1 Community License", True),
        ("qwen2.5-7b", 32768, "Apache-2.0", False),
        ("mistral-7b-v0.3", 32768, "Apache-2.0", False),
        ("gemma-2-9b", 8192, "Gemma terms of use", True),
        ("phi-4-mini", 131072, "MIT", False),
        ("yi-1.5-9b", 16384, "see the model's page", False),
        ("command-r7b", 131072, "CC-BY-NC-4.0", True),
        ("glm-4-9b", 131072, "GLM-4 Model License", False),
        ("granite-3.3-8b", 131072, "Apache-2.0", False),
        ("falcon3-7b", 32768, "TII Falcon-LLM License 2.0", False),
    ],
)
def test_terms_and_windows_of_the_panel(name: str, context: int, licence: str, gated: bool) -> None:
    judge = find(name)
    assert (judge.context, judge.licence, judge.notes.startswith("Gated.")) == (context, licence, gated)
    assert judge.dtype == "bfloat16"


def test_the_small_judges_are_pinned_as_measured() -> None:
    revisions = {name: find(name).revision[5:13] for name in roster() if find(name).weights.kind == "pypi"}
    assert revisions == {
        "smollm2-135m": "b179c952",
        "gemma-3-270m": "a5fd3b62",
        "qwen2.5-coder-0.5b": "1d961463",
        "qwen2.5-coder-1.5b": "cc324af0",
    }


def test_a_checkpoint_of_the_hub_has_one_commit_of_its_own() -> None:
    commits: dict[str, set[str]] = {}
    for judge in roster().values():
        if judge.weights.kind == "hub":
            commits.setdefault(judge.judge, set()).add(judge.revision)
    assert all(len(named) == 1 for named in commits.values())
    pinned = [commit for named in commits.values() for commit in named if commit]
    assert len(set(pinned)) == len(pinned)
    # What no two public sources agree on: a plan gives it.
    assert {checkpoint for checkpoint, named in commits.items() if named == {""}} == {
        "CohereLabs/c4ai-command-r7b-12-2024",
        "GAIR/autoj-13b",
    }


def test_an_unknown_judge_lists_the_known() -> None:
    with pytest.raises(
        InputError, match=r"no judge 'gpt' in the roster; choose one of .*claude-sonnet-4\.6, comet-22"
    ):
        find("gpt")


def test_a_template_is_hashed_where_the_checkpoint_keeps_it(tmp_path: Path) -> None:
    (tmp_path / "tokenizer_config.json").write_text(json.dumps({"chat_template": "in the config"}))
    assert chat_of(JUDGE, tmp_path) == {"template": sha256_text("in the config"), "kwargs": {}}
    named = [{"name": "tool_use", "template": "x"}, {"name": "default", "template": "named"}]
    (tmp_path / "tokenizer_config.json").write_text(json.dumps({"chat_template": named}))
    assert chat_of(JUDGE, tmp_path) == {"template": sha256_text("named"), "kwargs": {}}
    (tmp_path / "chat_template.jinja").write_text("a file")
    assert chat_of(replace(JUDGE, chat_kwargs={"a": 1}), tmp_path) == {
        "template": sha256_text("a file"),
        "kwargs": {"a": 1},
    }
    assert chat_of(replace(JUDGE, chat=False), tmp_path) is None


@pytest.mark.parametrize("config", [None, {}, {"chat_template": [{"name": "tool_use", "template": "x"}]}])
def test_a_chat_judge_needs_a_template(tmp_path: Path, config: Any) -> None:
    if config is not None:
        (tmp_path / "tokenizer_config.json").write_text(json.dumps(config))
    with pytest.raises(
        InputError, match="small has no chat template; fetch its weights again, or mark it `chat: false`"
    ):
        chat_of(JUDGE, tmp_path)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("tokenizer_config.json", b'{"chat_template": "cut'),
        ("tokenizer_config.json", b"[]"),
        ("tokenizer_config.json", b'{"chat_template": ["x"]}'),
        ("tokenizer_config.json", b"\xff\xfe"),
        ("chat_template.jinja", b"\xff\xfe"),
    ],
    ids=["cut", "a list", "templates without names", "no text", "a template that is no text"],
)
def test_a_damaged_template_is_fetched_again(tmp_path: Path, name: str, data: bytes) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(
        InputError, match=r"chat template of small cannot be read \(.*fetch its weights again"
    ):
        chat_of(JUDGE, tmp_path)


def test_a_template_that_prints_todays_date_needs_a_day(tmp_path: Path) -> None:
    (tmp_path / "chat_template.jinja").write_text("Today is {{ strftime_now('%d %b %Y') }}.")
    with pytest.raises(InputError, match=r"prints today's date.*strftime_now"):
        chat_of(JUDGE, tmp_path)
    for kwargs in ({"strftime_now": "2025-04-16"}, {"date_string": "26 Jul 2024"}):
        chat = chat_of(replace(JUDGE, chat_kwargs=kwargs), tmp_path)
        assert chat is not None
        assert chat["kwargs"] == kwargs


def test_the_chat_of_a_store_is_its_records() -> None:
    assert recorded_chat(JUDGE, [CONDITION, replace(SCORED, frame="x/1")]) == CONDITION.chat
    assert recorded_chat(JUDGE, []) is None
    assert recorded_chat(replace(JUDGE, chat=False), [CONDITION]) is None
    for other in ({"judge": "another"}, {"revision": "1" * 40}, {"chat": None}):
        assert recorded_chat(JUDGE, [replace(CONDITION, **other)]) is None
    assert recorded_chat(replace(JUDGE, chat_kwargs={"a": 1}), [CONDITION]) is None
    second = replace(CONDITION, chat={"template": "f" * 64, "kwargs": {}})
    with pytest.raises(InputError, match="asked under 2 chat templates"):
        recorded_chat(JUDGE, [CONDITION, second])
