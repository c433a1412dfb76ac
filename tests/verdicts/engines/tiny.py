"""Tiny checkpoints with random weights: the real architectures, a tokenizer trained here, nothing downloaded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import (
    Gemma3ForCausalLM,
    Gemma3TextConfig,
    LlamaConfig,
    LlamaForCausalLM,
    PreTrainedTokenizerFast,
)

PLAIN = (
    "{{ bos_token }}{% for m in messages %}<|{{ m['role'] }}|>{{ m['content'] }}<|end|>{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)
DEFAULT_SYSTEM = (
    "{% if messages[0]['role'] != 'system' %}<|system|>You are a helpful judge.<|end|>{% endif %}" + PLAIN
)
DATED = "<|system|>Today is {{ strftime_now('%d %b %Y') }}.<|end|>" + PLAIN
SPECIAL = ["<pad>", "<bos>", "<eos>", "<|user|>", "<|assistant|>", "<|system|>", "<|end|>"]
TEXT = [
    "VERDICT: SUPPORTED",
    "VERDICT: HALLUCINATED",
    "Determine whether the claim below is fully supported by the document.",
    "# Document\nThe river rises in the hills and reaches the sea after forty miles.\n# Claim\nThe river is long.",
    "Score: 1 2 3 4 5 6 7 8 9 10 12 15 100",
]


def tokenizer(template: str | None) -> PreTrainedTokenizerFast:
    """A byte-level tokenizer in which labels are several tokens and digits are tokens of their own."""
    made = Tokenizer(models.BPE(unk_token=None))
    made.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    made.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=320, special_tokens=SPECIAL, initial_alphabet=pre_tokenizers.ByteLevel.alphabet()
    )
    made.train_from_iterator(TEXT * 20, trainer)
    return PreTrainedTokenizerFast(
        tokenizer_object=made, bos_token="<bos>", eos_token="<eos>", pad_token="<pad>", chat_template=template
    )


def llama(vocabulary: int, **changes: Any) -> LlamaForCausalLM:
    """Two layers with grouped queries."""
    config = LlamaConfig(
        vocab_size=vocabulary,
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=2048,
        initializer_range=0.3,
        pad_token_id=0,
        bos_token_id=1,
        eos_token_id=[2, 6],
        **changes,
    )
    torch.manual_seed(0)
    return LlamaForCausalLM(config).eval()


def gemma(vocabulary: int, window: int = 12) -> Gemma3ForCausalLM:
    """Three layers, two of which see a window, by default of 12 tokens, far less than the tests' prompts."""
    config = Gemma3TextConfig(
        vocab_size=vocabulary,
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=3,
        num_attention_heads=4,
        num_key_value_heads=2,
        head_dim=8,
        sliding_window=window,
        layer_types=["sliding_attention", "sliding_attention", "full_attention"],
        max_position_embeddings=2048,
        initializer_range=0.3,
        query_pre_attn_scalar=8,
        pad_token_id=0,
        bos_token_id=1,
        eos_token_id=[2, 6],
    )
    torch.manual_seed(0)
    return Gemma3ForCausalLM(config).eval()


def save(folder: Path, model: Any, template: str | None) -> Path:
    """A checkpoint folder as the hub has them."""
    tokenizer(template).save_pretrained(folder)
    model.save_pretrained(folder)
    return folder
