"""COMET (Rei et al., 2022): a translation's score from an XLM-R encoder and a small regression head.

The architecture is that of the package's RegressionMetric (https://github.com/Unbabel/COMET), which pins libraries that
the judge environment cannot have: a mixture of the encoder's layers, averaged over the tokens; the features of
candidate, reference and source, their products and their differences; a feed-forward estimator. The checkpoint is the
package's own (``checkpoints/model.ckpt`` beside ``hparams.yaml``); the encoder's configuration and tokenizer are read
from the folder ``encoder`` there, or from the hub's repository that the roster's options name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import torch
import yaml
from torch import nn
from transformers import AutoConfig, AutoModel, AutoTokenizer

from raim.errors import InputError
from verdicts.engines.base import Rating
from verdicts.engines.checkpoints import OnePass, prepared, without_end
from verdicts.engines.loading import loaded
from verdicts.judges.roster import Judge
from verdicts.plan import Settings

_TEXTS = ("candidate", "reference", "source")
#: The functions between an estimator's layers, by the names of the package's parameters.
_ACTIVATIONS: Mapping[str, Callable[[], Any]] = {"Tanh": nn.Tanh, "Sigmoid": nn.Sigmoid, "ReLU": nn.ReLU}


def load(
    judge: Judge, folder: Path | None, chat: Mapping[str, Any] | None, settings: Settings, threads: int
) -> CometEngine:
    """The engine with a COMET checkpoint; the roster's options name its ``encoder`` and that one's commit."""
    folder = prepared(judge, folder, "comet", threads)
    local = folder / "encoder"
    return CometEngine(
        folder,
        encoder=str(local) if local.is_dir() else judge.options["encoder"],
        encoder_revision=None if local.is_dir() else judge.options.get("encoder_revision"),
        context=settings.context_of(judge),
        batch_size=settings.batch_size,
    )


class CometEngine(OnePass):
    """A regression metric over three texts, in float32.

    Raises InputError where a file is missing or cannot be read, or the checkpoint is of another kind of metric.
    """

    name = "comet"

    def __init__(
        self,
        folder: Path,
        *,
        encoder: str,
        context: int,
        batch_size: int,
        encoder_revision: str | None = None,
    ) -> None:
        super().__init__(batch_size)
        parameters = _parameters(folder / "hparams.yaml")
        source = {"revision": encoder_revision} if encoder_revision else {}
        self._tokenizer = loaded(encoder, lambda: AutoTokenizer.from_pretrained(encoder, **source))
        config = loaded(encoder, lambda: AutoConfig.from_pretrained(encoder, **source))
        model = RegressionMetric(config, parameters)
        state = _state(folder / "checkpoints" / "model.ckpt")
        try:
            model.load_state_dict(state, strict=True)
        except RuntimeError as error:
            raise InputError(
                f"{folder}: its parameters are not those of {encoder} under its hparams.yaml ({error}); fetch the "
                f"checkpoint again, or give the encoder that it was trained from"
            ) from error
        self._model = loaded(folder, lambda: model.to(self._device).eval())
        self._context = context

    def rate(self, requests: Sequence[Mapping[str, str]]) -> list[Rating]:
        """The score of each ``candidate`` beside its ``reference`` and ``source``; tokens of all three are counted."""
        texts = sorted({request[name] for request in requests for name in _TEXTS})
        tokens = {text: self._tokenizer.encode(text) for text in texts}
        kept = {text: without_end(ids, self._context) for text, ids in tokens.items()}
        vectors = dict(zip(texts, self.in_batches([kept[text] for text in texts], self._embed), strict=True))
        ratings = []
        for request in requests:
            three = [request[name] for name in _TEXTS]
            with torch.inference_mode():
                score = float(self._model.estimate(*(vectors[text] for text in three)))
            removed = sum(len(tokens[text]) - len(kept[text]) for text in three)
            ratings.append(Rating(score, sum(len(kept[text]) for text in three), removed))
        return ratings

    def _embed(self, batch: list[list[int]]) -> list[torch.Tensor]:
        return list(self._model.embed(*self.padded(batch, self._tokenizer.pad_token_id)))


class RegressionMetric(nn.Module):  # type: ignore[misc]
    """The model under the names that the package's checkpoints have; made empty, filled by ``load_state_dict``."""

    def __init__(self, config: Any, parameters: Mapping[str, Any]) -> None:
        super().__init__()
        self.encoder = nn.Module()
        self.encoder.model = AutoModel.from_config(config, add_pooling_layer=False)
        self.layerwise_attention = nn.Module()
        self.layerwise_attention.scalar_parameters = nn.ParameterList(
            [nn.Parameter(torch.zeros(1)) for _ in range(config.num_hidden_layers + 1)]
        )
        self.layerwise_attention.gamma = nn.Parameter(torch.ones(1))
        sizes = [6 * config.hidden_size, *parameters["hidden_sizes"]]
        layers: list[nn.Module] = []
        for inner, outer in pairwise(sizes):
            layers += [nn.Linear(inner, outer), _ACTIVATIONS[parameters["activations"]](), nn.Dropout(0.0)]
        self.estimator = nn.Module()
        self.estimator.ff = nn.Sequential(*layers, nn.Linear(sizes[-1], 1))
        self._sparse = parameters["layer_transformation"] == "sparsemax"

    def embed(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """(rows, d) the layers' mixture, averaged over each row's tokens."""
        states = self.encoder.model(
            input_ids=ids, attention_mask=mask, output_hidden_states=True
        ).hidden_states
        weights = torch.cat(list(self.layerwise_attention.scalar_parameters))
        weights = sparsemax(weights) if self._sparse else torch.softmax(weights, dim=0)
        mixed = self.layerwise_attention.gamma * sum(w * s for w, s in zip(weights, states, strict=True))
        kept = mask.unsqueeze(-1).to(mixed.dtype)
        return (mixed * kept).sum(dim=1) / kept.sum(dim=1)

    def estimate(
        self, candidate: torch.Tensor, reference: torch.Tensor, source: torch.Tensor
    ) -> torch.Tensor:
        """The score of one translation, from its texts' vectors (d,)."""
        features = [
            candidate,
            reference,
            candidate * reference,
            (candidate - reference).abs(),
            candidate * source,
            (candidate - source).abs(),
        ]
        return self.estimator.ff(torch.cat(features)).squeeze()


def sparsemax(scores: torch.Tensor) -> torch.Tensor:
    """The Euclidean projection of scores (n,) onto the simplex (Martins and Astudillo, 2016, algorithm 1)."""
    ordered = scores.sort(descending=True).values
    sums = ordered.cumsum(dim=0)
    count = torch.arange(1, len(scores) + 1, device=scores.device)
    size = int((1 + count * ordered > sums).sum())
    return (scores - (sums[size - 1] - 1) / size).clamp(min=0.0)


def _parameters(path: Path) -> Mapping[str, Any]:
    """The metric's hyper-parameters. Raises InputError where they are not of a metric that this engine computes."""
    try:
        found = yaml.safe_load(path.read_text(encoding="utf-8"))
        if not isinstance(found, dict):
            raise ValueError("it is no mapping")
    except (OSError, ValueError, yaml.YAMLError) as error:
        raise InputError(f"{path}: cannot be read ({error}); fetch the checkpoint again") from error
    wanted = {
        "class_identifier": ("regression_metric",),
        "encoder_model": ("XLM-RoBERTa",),
        "layer": ("mix",),
        "layer_norm": (False,),
        "layer_transformation": ("softmax", "sparsemax"),
        "pool": ("avg",),
        "final_activation": (None,),
    }
    odd = [f"{name} {found.get(name)!r}" for name, values in wanted.items() if found.get(name) not in values]
    sizes = found.get("hidden_sizes")
    if not isinstance(sizes, list) or not all(type(size) is int and size > 0 for size in sizes):
        odd.append(f"hidden_sizes {sizes!r}")
    if str(found.get("activations")) not in _ACTIVATIONS:
        odd.append(f"activations {found.get('activations')!r}")
    if odd:
        raise InputError(
            f"{path}: a metric with {', '.join(odd)}, which this engine does not compute; it computes regression "
            f"metrics over XLM-R such as Unbabel/wmt22-comet-da"
        )
    return found


def _state(path: Path) -> Mapping[str, torch.Tensor]:
    """The checkpoint's parameters, read without running code that a pickle may hold."""
    try:
        checkpoint = torch.load(path, map_location="cpu", weights_only=True)
        # Position ids were once saved with the parameters.
        return {
            name: tensor
            for name, tensor in checkpoint["state_dict"].items()
            if not name.endswith("position_ids")
        }
    # A file that is no pickle can make the reader fail in any way.
    except Exception as error:
        raise InputError(
            f"{path}: cannot be read as plain parameters ({error}); fetch the checkpoint again, or save its state_dict "
            f'alone: torch.save({{"state_dict": ...}}, path)'
        ) from error
