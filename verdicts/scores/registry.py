"""Finding score datasets: every module of ``verdicts.scores.datasets``. A new dataset is one new file."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from verdicts.scores import datasets
from verdicts.scores.spec import ScoreDataset


@cache
def score_datasets() -> dict[str, ScoreDataset]:
    """All score datasets by name, in alphabetical order."""
    modules = pkgutil.iter_modules(datasets.__path__)
    loaded = (importlib.import_module(f"{datasets.__name__}.{module.name}") for module in modules)
    found = [dataset for module in loaded if isinstance(dataset := module.DATASET, ScoreDataset)]
    return {dataset.name: dataset for dataset in sorted(found, key=lambda dataset: dataset.name)}
