"""The experts' engines on tiny models of the same architectures, against plain loops over the same models."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="needs the judge environment")

import yaml  # noqa: E402
from transformers import (  # noqa: E402
    LlamaConfig,
    LlamaForSequenceClassification,
    RobertaConfig,
    RobertaModel,
    XLMRobertaConfig,
)

from raim.errors import InputError  # noqa: E402
from tests.verdicts.engines import tiny, tiny_readers  # noqa: E402
from verdicts.engines import registry  # noqa: E402
from verdicts.engines.base import Overflow, Rating, RatingEngine  # noqa: E402
from verdicts.engines.bertscore_engine import BertScoreEngine, greedy_match  # noqa: E402
from verdicts.engines.comet_engine import CometEngine, RegressionMetric, sparsemax  # noqa: E402
from verdicts.engines.reward_engine import RewardEngine  # noqa: E402
from verdicts.judges.roster import find  # noqa: E402
from verdicts.plan import Settings  # noqa: E402
from verdicts.records.canonical import sha256_text  # noqa: E402

PAIRS = [
    ("The river is long.", "The river rises in the hills and reaches the sea."),
    ("A claim.", "A claim."),
    ("The boats carry grain to the towns along the coast.", "Source and reference."),
]
SIZES: dict[str, Any] = {
    "hidden_size": 32,
    "intermediate_size": 64,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "max_position_embeddings": 80,
    "initializer_range": 0.5,
    "pad_token_id": 0,
}


@pytest.fixture(scope="module")
def roberta(tmp_path_factory: pytest.TempPathFactory) -> Path:
    tokenizer = tiny_readers.piece_tokenizer("<s> $A </s>")
    torch.manual_seed(0)
    model = RobertaModel(RobertaConfig(vocab_size=len(tokenizer), **SIZES)).eval()
    return tiny_readers.save(tmp_path_factory.mktemp("roberta"), model, tokenizer)


def bertscore(folder: Path, layer: int = 2, context: int = 64, batch_size: int = 4) -> BertScoreEngine:
    return BertScoreEngine(folder, layer=layer, context=context, dtype="float32", batch_size=batch_size)


def plain_f1(folder: Path, candidate: str, reference: str, layer: int) -> float:
    """BERTScore as its paper defines it, token by token, one text at a time."""
    tokenizer = tiny_readers.piece_tokenizer("<s> $A </s>")
    model = RobertaModel.from_pretrained(folder).eval()

    def vectors(text: str) -> list[list[float]]:
        ids = tokenizer(text, return_tensors="pt").input_ids
        with torch.no_grad():
            return model(ids, output_hidden_states=True).hidden_states[layer][0].tolist()  # type: ignore[no-any-return]

    def cosine(a: list[float], b: list[float]) -> float:
        dot = sum(x * y for x, y in zip(a, b, strict=True))
        return dot / (sum(x * x for x in a) ** 0.5 * sum(x * x for x in b) ** 0.5)

    def best(own: list[list[float]], other: list[list[float]]) -> float:
        inner = own[1:-1]  # without the two special tokens, which the other side's may be matched with
        return sum(max(cosine(vector, match) for match in other) for vector in inner) / len(inner)

    mine, theirs = vectors(candidate), vectors(reference)
    precision, recall = best(mine, theirs), best(theirs, mine)
    return 2 * precision * recall / (precision + recall)


@pytest.mark.parametrize("layer", [0, 2, 3])
def test_bertscore_is_greedy_matching_of_a_layer(roberta: Path, layer: int) -> None:
    requests = [{"candidate": candidate, "reference": reference} for candidate, reference in PAIRS]
    found = bertscore(roberta, layer).rate(requests)
    for rating, pair in zip(found, PAIRS, strict=True):
        assert rating.score == pytest.approx(plain_f1(roberta, *pair, layer), abs=1e-5)
        assert rating.removed == 0
    assert found[1].score == pytest.approx(1.0, abs=1e-6)
    one = bertscore(roberta, layer, batch_size=1).rate(requests)
    assert [rating.score for rating in one] == pytest.approx([rating.score for rating in found], abs=1e-5)


def test_greedy_matching_by_hand() -> None:
    """Two tokens against three: (1, 0) and (0, 1) with (1, 0), (0.6, 0.8) and an uncounted (0, 1)."""
    candidate = torch.tensor([[1.0, 0.0], [0.0, 1.0]])
    reference = torch.tensor([[1.0, 0.0], [0.6, 0.8], [0.0, 1.0]])
    counted = torch.tensor([True, True]), torch.tensor([True, True, False])
    precision, recall, f1 = greedy_match(candidate, reference, *counted)
    assert (precision, recall) == pytest.approx((1.0, 0.9))
    assert f1 == pytest.approx(2 * 0.9 / 1.9)
    assert greedy_match(candidate, reference, torch.tensor([False, False]), counted[1])[2] != f1


def test_bertscore_cuts_the_end_of_a_long_text_and_counts_it(roberta: Path) -> None:
    long = "river sea " * 60
    (whole,) = bertscore(roberta, context=64).rate([{"candidate": "A claim.", "reference": long}])
    assert whole.removed > 0
    short = tiny_readers.piece_tokenizer("<s> $A </s>").encode("A claim.")
    assert whole.prompt_tokens == 64 + len(short)
    (empty,) = bertscore(roberta).rate([{"candidate": "", "reference": "A claim."}])
    assert empty.score != empty.score


def test_bertscore_refuses_a_layer_that_is_not_there(roberta: Path) -> None:
    with pytest.raises(InputError, match="has 3 layers, and none numbered 17"):
        bertscore(roberta, layer=17)


@pytest.fixture(scope="module")
def reward(tmp_path_factory: pytest.TempPathFactory) -> Path:
    tokenizer = tiny.tokenizer(tiny.PLAIN)
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        num_key_value_heads=2,
        num_labels=1,
        **{**SIZES, "num_hidden_layers": 2, "max_position_embeddings": 256, "pad_token_id": None},
    )
    model = LlamaForSequenceClassification(config).eval()
    return tiny_readers.save(tmp_path_factory.mktemp("reward"), model, tokenizer)


CHAT = {"template": sha256_text(tiny.PLAIN), "kwargs": {}}


def rewards(folder: Path, context: int = 256, batch_size: int = 4, chat: Any = CHAT) -> RewardEngine:
    return RewardEngine(folder, chat=chat, context=context, dtype="float32", batch_size=batch_size)


def test_a_reward_is_the_heads_output_at_the_last_token(reward: Path) -> None:
    tokenizer = tiny.tokenizer(tiny.PLAIN)
    model = LlamaForSequenceClassification.from_pretrained(reward).eval()
    found = rewards(reward).rate([{"request": request, "response": response} for request, response in PAIRS])
    for rating, (request, response) in zip(found, PAIRS, strict=True):
        text = f"<bos><|user|>{request}<|end|><|assistant|>{response}<|end|>"
        ids = tokenizer(text, return_tensors="pt", add_special_tokens=False).input_ids
        with torch.no_grad():
            hidden = model.model(ids).last_hidden_state[0, -1]
            expected = float(model.score(hidden))
        assert isinstance(rating, Rating)
        assert rating.score == pytest.approx(expected, abs=1e-5)
        assert rating.prompt_tokens == ids.shape[1]


def test_a_reward_without_room_is_an_overflow(reward: Path) -> None:
    requests = [{"request": request, "response": response} for request, response in PAIRS]
    lengths = [rating.prompt_tokens for rating in rewards(reward).rate(requests)]
    found = rewards(reward, context=max(lengths) - 1).rate(requests)
    assert [isinstance(rating, Overflow) for rating in found] == [n == max(lengths) for n in lengths]


def test_what_is_no_reward_model_is_refused(reward: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="reads a conversation"):
        rewards(reward, chat=None)
    tokenizer = tiny.tokenizer(tiny.PLAIN)
    config = LlamaConfig(vocab_size=len(tokenizer), num_labels=2, **{**SIZES, "num_hidden_layers": 1})
    tiny_readers.save(tmp_path, LlamaForSequenceClassification(config), tokenizer)
    with pytest.raises(InputError, match="gives 2 numbers"):
        rewards(tmp_path)


PARAMETERS: dict[str, Any] = {
    "class_identifier": "regression_metric",
    "encoder_model": "XLM-RoBERTa",
    "pretrained_model": "xlm-roberta-large",
    "layer": "mix",
    "layer_norm": False,
    "layer_transformation": "sparsemax",
    "pool": "avg",
    "final_activation": None,
    "hidden_sizes": [48, 16],
    "activations": "Tanh",
}


def comet_folder(folder: Path, **changes: Any) -> Path:
    """A checkpoint as the package leaves it, beside the encoder's configuration and tokenizer."""
    tokenizer = tiny_readers.piece_tokenizer("<s> $A </s>")
    config = XLMRobertaConfig(vocab_size=len(tokenizer), **SIZES)
    tokenizer.save_pretrained(folder / "encoder")
    config.save_pretrained(folder / "encoder")
    parameters = {**PARAMETERS, **changes}
    (folder / "hparams.yaml").write_text(yaml.safe_dump(parameters))
    torch.manual_seed(1)
    model = RegressionMetric(config, PARAMETERS)
    state = {name: torch.randn_like(tensor.float()) * 0.3 for name, tensor in model.state_dict().items()}
    state["encoder.model.embeddings.position_ids"] = torch.arange(80)[None]
    (folder / "checkpoints").mkdir()
    torch.save({"state_dict": state, "epoch": 1}, folder / "checkpoints" / "model.ckpt")
    return folder


TRIPLE = {"candidate": PAIRS[0][0], "reference": PAIRS[0][1], "source": PAIRS[2][0]}


@pytest.mark.parametrize("transformation", ["softmax", "sparsemax"])
def test_comet_is_the_documented_regression(tmp_path: Path, transformation: str) -> None:
    """The score again from the raw parameters: layers mixed, tokens averaged, six features, three linear maps."""
    folder = comet_folder(tmp_path, layer_transformation=transformation)
    engine = CometEngine(folder, encoder=str(folder / "encoder"), context=64, batch_size=2)
    requests = [TRIPLE, {**TRIPLE, "candidate": PAIRS[0][1]}]
    found = engine.rate(requests)

    state = torch.load(folder / "checkpoints" / "model.ckpt")["state_dict"]
    tokenizer = tiny_readers.piece_tokenizer("<s> $A </s>")
    encoder = engine._model.encoder.model
    scalars = torch.cat([state[f"layerwise_attention.scalar_parameters.{i}"] for i in range(4)])
    if transformation == "softmax":
        weights = scalars.exp() / scalars.exp().sum()
    else:
        # The projection onto the simplex by bisection on its threshold.
        low, high = scalars.min() - 1, scalars.max()
        for _ in range(100):
            middle = (low + high) / 2
            low, high = (middle, high) if (scalars - middle).clamp(min=0).sum() > 1 else (low, middle)
        weights = (scalars - low).clamp(min=0)

    def vector(text: str) -> Any:
        with torch.no_grad():
            states = encoder(
                tokenizer(text, return_tensors="pt").input_ids, output_hidden_states=True
            ).hidden_states
        mixed = sum(w * s[0] for w, s in zip(weights, states, strict=True))
        return state["layerwise_attention.gamma"] * mixed.mean(dim=0)

    for rating, request in zip(found, requests, strict=True):
        mt, ref, src = (vector(request[name]) for name in ("candidate", "reference", "source"))
        x = torch.cat([mt, ref, mt * ref, (mt - ref).abs(), mt * src, (mt - src).abs()])
        for layer in (0, 3):
            x = torch.tanh(state[f"estimator.ff.{layer}.weight"] @ x + state[f"estimator.ff.{layer}.bias"])
        expected = float((state["estimator.ff.6.weight"] @ x + state["estimator.ff.6.bias"])[0])
        assert rating.score == pytest.approx(expected, abs=1e-4)
    assert found[0].score != found[1].score


def test_sparsemax_is_a_projection() -> None:
    assert sparsemax(torch.tensor([0.5, 0.5])).tolist() == pytest.approx([0.5, 0.5])
    assert sparsemax(torch.tensor([3.0, 0.0, -1.0])).tolist() == pytest.approx([1.0, 0.0, 0.0])
    assert sparsemax(torch.tensor([0.6, 0.4, -2.0])).tolist() == pytest.approx([0.6, 0.4, 0.0])


def test_a_checkpoint_of_another_kind_is_refused(tmp_path: Path) -> None:
    folder = comet_folder(tmp_path, class_identifier="unified_metric", pool="cls")
    with pytest.raises(
        InputError, match="class_identifier 'unified_metric', pool 'cls', which this engine does not"
    ):
        CometEngine(folder, encoder=str(folder / "encoder"), context=64, batch_size=2)
    (folder / "hparams.yaml").write_text(yaml.safe_dump(PARAMETERS))
    (folder / "checkpoints" / "model.ckpt").write_bytes(b"broken")
    with pytest.raises(InputError, match="cannot be read as plain parameters"):
        CometEngine(folder, encoder=str(folder / "encoder"), context=64, batch_size=2)
    (folder / "hparams.yaml").unlink()
    with pytest.raises(InputError, match=r"hparams\.yaml: cannot be read"):
        CometEngine(folder, encoder=str(folder / "encoder"), context=64, batch_size=2)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ("[]", r"hparams\.yaml: cannot be read \(it is no mapping\)"),
        ("\x00", r"hparams\.yaml: cannot be read"),
        ({"hidden_sizes": None}, "hidden_sizes None, which this engine does not compute"),
        ({"hidden_sizes": [48, "16"]}, "hidden_sizes .*, which this engine does not compute"),
        ({"activations": "__doc__"}, "activations '__doc__', which this engine does not compute"),
        ({"activations": ["Tanh"]}, "activations .*, which this engine does not compute"),
        ({"hidden_sizes": [48]}, "its parameters are not those of"),
    ],
    ids=["a list", "no text", "no sizes", "a size in words", "no function", "functions", "other sizes"],
)
def test_parameters_of_another_shape_are_refused(
    tmp_path: Path, parameters: str | dict[str, Any], message: str
) -> None:
    folder = comet_folder(tmp_path)
    text = parameters if isinstance(parameters, str) else yaml.safe_dump({**PARAMETERS, **parameters})
    (folder / "hparams.yaml").write_text(text)
    with pytest.raises(InputError, match=message):
        CometEngine(folder, encoder=str(folder / "encoder"), context=64, batch_size=2)


@pytest.mark.parametrize("saved", [[], {"state_dict": [1]}, {"state_dict": {1: 2}}, {}], ids=str)
def test_a_checkpoint_without_parameters_is_refused(tmp_path: Path, saved: Any) -> None:
    folder = comet_folder(tmp_path)
    torch.save(saved, folder / "checkpoints" / "model.ckpt")
    with pytest.raises(InputError, match=r"model\.ckpt: cannot be read as plain parameters"):
        CometEngine(folder, encoder=str(folder / "encoder"), context=64, batch_size=2)


def test_experts_are_loaded_by_the_registry(roberta: Path, reward: Path, tmp_path: Path) -> None:
    settings = Settings(batch_size=2, dtype="float32")
    folders = {"bertscore": roberta, "skywork-reward-8b": reward, "comet-22": comet_folder(tmp_path)}
    for name, folder in folders.items():
        judge = find(name)
        judge = replace(judge, context=64, options={**judge.options, "layer": 2} if judge.options else {})
        engine = registry.load(judge, folder, CHAT if judge.chat else None, settings, 1)
        assert isinstance(engine, RatingEngine)
        assert engine.name == judge.engine
        with pytest.raises(InputError, match="has no checkpoint"):
            registry.load(judge, None, None, settings, 1)
