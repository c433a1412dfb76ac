"""Members whose templates have no system role, print a date, or open a reasoning block: by their own template's lines.

Each template is quoted as far as it decides the matter; the tokenizer and the weights are tiny.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="needs the judge environment")

from raim.errors import InputError  # noqa: E402
from tests.verdicts.engines import tiny  # noqa: E402
from verdicts.engines.encoding import Encoder  # noqa: E402
from verdicts.engines.transformers_engine import TransformersEngine  # noqa: E402
from verdicts.judges.chat import chat_of  # noqa: E402
from verdicts.judges.roster import find  # noqa: E402
from verdicts.parsing import parse  # noqa: E402
from verdicts.records.canonical import sha256_text  # noqa: E402

#: google/gemma-2-9b-it, whole: it has no system role, and says so to whoever sends one.
GEMMA = (
    "{{ bos_token }}{% if messages[0]['role'] == 'system' %}{{ raise_exception('System role not supported') }}"
    "{% endif %}{% for message in messages %}{% if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}"
    "{{ raise_exception('Conversation roles must alternate user/assistant/user/assistant/...') }}{% endif %}"
    "{% if (message['role'] == 'assistant') %}{% set role = 'model' %}{% else %}{% set role = message['role'] %}"
    "{% endif %}{{ '<start_of_turn>' + role + '\n' + message['content'] | trim + '<end_of_turn>\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{'<start_of_turn>model\n'}}{% endif %}"
)
#: meta-llama/Llama-3.1-8B-Instruct: the lines of its system turn, which stands there though nobody sent one.
LLAMA = (
    "{{- bos_token }}\n"
    '{%- if not date_string is defined %}\n    {%- set date_string = "26 Jul 2024" %}\n{%- endif %}\n'
    '{{- "<|start_header_id|>system<|end_header_id|>\\n\\n" }}\n'
    '{{- "Cutting Knowledge Date: December 2023\\n" }}\n'
    '{{- "Today Date: " + date_string + "\\n\\n" }}\n'
    '{{- "<|eot_id|>" }}\n'
    "{%- for message in messages %}\n"
    "        {{- '<|start_header_id|>' + message['role'] + '<|end_header_id|>\\n\\n'+ message['content'] | trim + "
    "'<|eot_id|>' }}\n"
    "{%- endfor %}\n"
    "{%- if add_generation_prompt %}\n"
    "    {{- '<|start_header_id|>assistant<|end_header_id|>\\n\\n' }}\n"
    "{%- endif %}\n"
)
#: ibm-granite/granite-3.3-8b-instruct: the line that reads the clock, and the turns.
GRANITE = (
    "{%- set system_message = \"Knowledge Cutoff Date: April 2024.\\nToday's Date: \" + strftime_now('%B %d, %Y') + "
    '".\\nYou are Granite, developed by IBM." %}\n'
    "{{- '<|start_of_role|>system<|end_of_role|>' + system_message + '<|end_of_text|>\\n' }}\n"
    "{%- for message in messages %}\n"
    "    {{- '<|start_of_role|>' + message['role'] + '<|end_of_role|>' + message['content'] + '<|end_of_text|>\\n' }}\n"
    "{%- endfor %}\n"
    "{%- if add_generation_prompt %}{{- '<|start_of_role|>assistant<|end_of_role|>' }}{%- endif %}"
)
#: Qwen/Qwen3.5-9B: a reasoning block that is open unless `enable_thinking` is false, and then closed at once.
QWEN = (
    "{%- for message in messages %}"
    "{{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>' + '\\n' }}"
    "{%- endfor %}\n"
    "{%- if add_generation_prompt %}\n"
    "    {{- '<|im_start|>assistant\\n' }}\n"
    "    {%- if enable_thinking is defined and enable_thinking is false %}\n"
    "        {{- '<think>\\n\\n</think>\\n\\n' }}\n"
    "    {%- else %}\n"
    "        {{- '<think>\\n' }}\n"
    "    {%- endif %}\n"
    "{%- endif %}"
)
MEMBERS = {"gemma-2-9b": GEMMA, "llama-3.1-8b": LLAMA, "granite-3.3-8b": GRANITE, "qwen3.5-9b": QWEN}


def encoder(template: str, kwargs: dict[str, Any]) -> Encoder:
    return Encoder(tiny.tokenizer(template), {"template": sha256_text(template), "kwargs": kwargs}, Path())


def read(name: str, prompt: str = "Is it? ") -> str:
    """What the member of the roster reads, decoded again."""
    template = MEMBERS[name]
    tokens = encoder(template, dict(find(name).chat_kwargs)).tokens(prompt)
    return str(tiny.tokenizer(template).decode(tokens))


def test_no_system_turn_is_sent_to_a_template_without_one() -> None:
    assert read("gemma-2-9b") == "<bos><start_of_turn>user\nIs it?<end_of_turn>\n<start_of_turn>model\n"
    with pytest.raises(Exception, match="System role not supported"):
        tiny.tokenizer(GEMMA).apply_chat_template([{"role": "system", "content": "Hello"}], tokenize=False)


def test_llamas_date_is_the_rosters() -> None:
    assert read("llama-3.1-8b") == (
        "<bos><|start_header_id|>system<|end_header_id|>\n\nCutting Knowledge Date: December 2023\n"
        "Today Date: 26 Jul 2024\n\n<|eot_id|><|start_header_id|>user<|end_header_id|>\n\nIs it?<|eot_id|>"
        "<|start_header_id|>assistant<|end_header_id|>\n\n"
    )


def test_granites_clock_is_stopped_at_the_rosters_day(tmp_path: Path) -> None:
    assert read("granite-3.3-8b", "Is it?") == (
        "<|start_of_role|>system<|end_of_role|>Knowledge Cutoff Date: April 2024.\nToday's Date: April 16, 2025.\n"
        "You are Granite, developed by IBM.<|end_of_text|>\n<|start_of_role|>user<|end_of_role|>Is it?<|end_of_text|>\n"
        "<|start_of_role|>assistant<|end_of_role|>"
    )
    (tmp_path / "chat_template.jinja").write_text(GRANITE, encoding="utf-8")
    with pytest.raises(InputError, match="prints today's date"):
        chat_of(replace(find("granite-3.3-8b"), chat_kwargs={}), tmp_path)
    assert chat_of(find("granite-3.3-8b"), tmp_path) == {
        "template": sha256_text(GRANITE),
        "kwargs": {"strftime_now": "2025-04-16"},
    }


def test_reasoning_is_off_in_the_roster() -> None:
    assert read("qwen3.5-9b", "Is it?") == (
        "<|im_start|>user\nIs it?<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\n"
    )
    assert encoder(QWEN, dict(find("qwen3.5-9b").chat_kwargs)).opening == ""
    assert [encoder(template, {}).opening for template in (GEMMA, LLAMA)] == ["", ""]


def test_reasoning_that_the_template_opens_belongs_to_the_reply(tmp_path: Path) -> None:
    """The block that the prompt opens is opened in the reply too, so that its end is looked for."""
    tokenizer = tiny.tokenizer(QWEN)
    folder = tiny.save(tmp_path, tiny.llama(len(tokenizer)), QWEN)
    chat = {"template": sha256_text(QWEN), "kwargs": {}}
    engine = TransformersEngine(folder, chat=chat, context=512, dtype="float32", batch_size=2)
    assert engine.encoder.opening == "<think>"
    (reply,) = engine.generate(["Is it?"], 5)
    assert reply.text.startswith("<think>")
    assert reply.reply_tokens <= 5
    assert parse("<think>VERDICT: HALLUCINATED").verdict is None
