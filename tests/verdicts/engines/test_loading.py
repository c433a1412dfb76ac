"""Checkpoints that are damaged or not whole: nothing is judged with numbers that nobody trained."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="needs the judge environment")

from safetensors.torch import load_file, save_file  # noqa: E402
from transformers import RobertaConfig, RobertaForMaskedLM  # noqa: E402

from raim.errors import InputError  # noqa: E402
from tests.verdicts.engines import tiny, tiny_readers  # noqa: E402
from verdicts.engines.bertscore_engine import BertScoreEngine  # noqa: E402
from verdicts.engines.reward_engine import RewardEngine  # noqa: E402
from verdicts.engines.seq2seq_engine import Seq2SeqEngine  # noqa: E402
from verdicts.engines.transformers_engine import TransformersEngine  # noqa: E402

WEIGHTS = "model.safetensors"


def decoder(folder: Path) -> Path:
    tokenizer = tiny.tokenizer(None)
    return tiny_readers.save(folder, tiny.llama(len(tokenizer)), tokenizer)


def both_ways(folder: Path) -> Path:
    tokenizer = tiny_readers.piece_tokenizer()
    return tiny_readers.save(folder, tiny_readers.t5(len(tokenizer)), tokenizer)


def load_decoder(folder: Path) -> object:
    return TransformersEngine(folder, chat=None, context=64, dtype="float32", batch_size=1)


def load_both_ways(folder: Path) -> object:
    return Seq2SeqEngine(folder, chat=None, context=64, dtype="float32", batch_size=1)


JUDGES = {"decoder": (decoder, load_decoder), "seq2seq": (both_ways, load_both_ways)}


def cut(name: str, length: int) -> Callable[[Path], object]:
    return lambda folder: (folder / name).write_bytes((folder / name).read_bytes()[:length])


def hold(name: str, data: bytes) -> Callable[[Path], object]:
    return lambda folder: (folder / name).write_bytes(data)


def say(**changes: object) -> Callable[[Path], object]:
    def change(folder: Path) -> None:
        path = folder / "config.json"
        path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))

    return change


DAMAGE: dict[str, Callable[[Path], object]] = {
    "weights cut in their header": cut(WEIGHTS, 1000),
    "weights cut at their end": cut(WEIGHTS, -100),
    "no bytes": hold(WEIGHTS, b""),
    "other bytes": hold(WEIGHTS, b"x" * 500),
    "a configuration that is a list": hold("config.json", b"[]"),
    "sizes that are not the weights'": say(vocab_size=10),
    "heads in words": say(num_attention_heads="four", num_heads="four"),
    "an empty tokenizer": hold("tokenizer.json", b"{}"),
    "a tokenizer's list": hold("tokenizer_config.json", b"[]"),
    "a generation's list": hold("generation_config.json", b"[]"),
}


@pytest.mark.parametrize("judge", JUDGES)
@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_checkpoint_is_fetched_again(judge: str, damage: str, tmp_path: Path) -> None:
    make, load = JUDGES[judge]
    folder = make(tmp_path / "judge")
    DAMAGE[damage](folder)
    with pytest.raises(
        InputError, match=r"judge: cannot load the judge \((?s:.*)\); fetch its weights again"
    ):
        load(folder)


@pytest.mark.parametrize("judge", JUDGES)
def test_parameters_are_never_made_up(judge: str, tmp_path: Path) -> None:
    """The libraries would draw what a checkpoint lacks at random, and go on."""
    make, load = JUDGES[judge]
    folder = make(tmp_path / "judge")
    load(folder)
    state = load_file(folder / WEIGHTS)
    lost = [name for name in state if ".1." in name]
    assert lost
    kept = {name: tensor for name, tensor in state.items() if name not in lost}
    save_file(kept, folder / WEIGHTS, metadata={"format": "pt"})
    with pytest.raises(
        InputError, match=rf"judge: lacks {len(lost)} of the model's parameters, such as .*\.1\."
    ):
        load(folder)


def test_more_layers_than_the_checkpoint_has_are_not_made_up(tmp_path: Path) -> None:
    folder = decoder(tmp_path / "judge")
    say(num_hidden_layers=3, layer_types=None)(folder)
    with pytest.raises(InputError, match=r"lacks 9 of the model's parameters, such as model\.layers\.2\."):
        load_decoder(folder)


def test_a_decoder_is_no_reward_model(tmp_path: Path) -> None:
    """Its head would be random numbers, and every reward with it."""
    folder = decoder(tmp_path / "judge")
    say(num_labels=1, id2label={"0": "reward"}, label2id={"reward": 0})(folder)
    chat = {"template": "t", "kwargs": {}}
    with pytest.raises(InputError, match=r"lacks 1 of the model's parameters, such as score\.weight"):
        RewardEngine(folder, chat=chat, context=64, dtype="float32", batch_size=1)


def test_an_encoder_needs_no_pooler(tmp_path: Path) -> None:
    """BERTScore reads hidden states: checkpoints that were trained on masked words have nothing else."""
    tokenizer = tiny_readers.piece_tokenizer("<s> $A </s>")
    sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}
    config = RobertaConfig(vocab_size=len(tokenizer), pad_token_id=0, max_position_embeddings=80, **sizes)
    torch.manual_seed(0)
    folder = tiny_readers.save(tmp_path / "judge", RobertaForMaskedLM(config), tokenizer)

    def load() -> BertScoreEngine:
        return BertScoreEngine(folder, layer=2, context=64, dtype="float32", batch_size=2)

    requests = [{"candidate": "the river", "reference": "the river is long"}]
    first, second = (load().rate(requests)[0].score for _ in range(2))
    assert first == second
    state = load_file(folder / WEIGHTS)
    kept = {name: tensor for name, tensor in state.items() if "layer.1" not in name}
    save_file(kept, folder / WEIGHTS, metadata={"format": "pt"})
    with pytest.raises(InputError, match="lacks 16 of the model's parameters"):
        load()
