"""Tiny models that read a text in one pass, with random weights: an encoder-decoder, encoders, a reward head."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
from transformers import PreTrainedTokenizerFast, T5Config, T5ForConditionalGeneration

SPECIAL = ["<pad>", "</s>", "<unk>", "<s>"]
TEXT = [
    "predict: The river rises in the hills and reaches the sea. The river is long.",
    "0 1 2 3 A claim that no document supports, and one that it does.",
    "Translation, source and reference: the boats carry grain to the towns along the coast.",
]


def piece_tokenizer(ending: str = "$A </s>") -> PreTrainedTokenizerFast:
    """A tokenizer of word pieces with a word-start mark, as T5 and XLM-R have it."""
    made = Tokenizer(models.BPE(unk_token="<unk>"))
    made.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Metaspace(), pre_tokenizers.Digits(individual_digits=True)]
    )
    made.decoder = decoders.Metaspace()
    trainer = trainers.BpeTrainer(
        vocab_size=200, special_tokens=SPECIAL, initial_alphabet=["\N{LOWER ONE EIGHTH BLOCK}"]
    )
    made.train_from_iterator(TEXT * 20, trainer)
    made.add_tokens(["\N{LOWER ONE EIGHTH BLOCK}1"])
    made.post_processor = processors.TemplateProcessing(
        single=ending, special_tokens=[("<s>", 3), ("</s>", 1)]
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=made,
        pad_token="<pad>",
        eos_token="</s>",
        sep_token="</s>",
        unk_token="<unk>",
        bos_token="<s>",
        cls_token="<s>",
    )


def t5(vocabulary: int) -> T5ForConditionalGeneration:
    """Two layers on either side."""
    torch.manual_seed(0)
    config = T5Config(
        vocab_size=vocabulary,
        d_model=32,
        d_kv=8,
        d_ff=64,
        num_layers=2,
        num_heads=4,
        initializer_factor=2.0,
        pad_token_id=0,
        eos_token_id=1,
        decoder_start_token_id=0,
    )
    return T5ForConditionalGeneration(config).eval()


def save(folder: Path, model: Any, tokenizer: Any) -> Path:
    """A checkpoint folder as the hub has them."""
    tokenizer.save_pretrained(folder)
    model.save_pretrained(folder)
    return folder
