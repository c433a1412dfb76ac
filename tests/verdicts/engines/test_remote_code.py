"""Code that lies beside a checkpoint's weights is run for a judge with a reason in the roster, and for no other."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="needs the judge environment")
pytest.importorskip("transformers", reason="needs the judge environment")

from raim.errors import InputError
from tests.verdicts.making import JUDGE
from verdicts.engines.transformers_engine import load
from verdicts.judges.chat import chat_of
from verdicts.plan import Settings

CODE = """
from pathlib import Path
from transformers import LlamaForCausalLM

(Path({folder!r}) / "ran").touch()

class Changed(LlamaForCausalLM):
    pass
"""


@pytest.fixture
def folder(
    checkpoints: Mapping[str, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> Path:
    """A checkpoint whose configuration names code of its own."""
    # Where the library copies such code before it runs it.
    monkeypatch.setattr("transformers.dynamic_module_utils.HF_MODULES_CACHE", str(tmp_path / "modules"))
    made = Path(shutil.copytree(checkpoints["llama"], tmp_path / f"judge_{request.node.callspec.id}"))
    (made / "modeling_changed.py").write_text(CODE.format(folder=str(made)))
    config = json.loads((made / "config.json").read_text())
    config["auto_map"] = {"AutoModelForCausalLM": "modeling_changed.Changed"}
    (made / "config.json").write_text(json.dumps(config))
    return made


@pytest.mark.parametrize("reason", ["", "transformers lacks it"], ids=["no reason", "a reason"])
def test_code_of_a_checkpoint_needs_a_reason(folder: Path, reason: str) -> None:
    judge = replace(JUDGE, remote_code=reason)
    engine = load(judge, folder, chat_of(judge, folder), Settings(context=128), 1)
    assert type(engine._model).__name__ == ("Changed" if reason else "LlamaForCausalLM")
    assert (folder / "ran").exists() == bool(reason)


@pytest.mark.parametrize("kind", ["unknown"])
def test_a_judge_that_cannot_be_loaded_without_is_refused(folder: Path, kind: str) -> None:
    config = json.loads((folder / "config.json").read_text())
    config |= {
        "model_type": kind,
        "auto_map": {"AutoConfig": "modeling_changed.Changed", **config["auto_map"]},
    }
    (folder / "config.json").write_text(json.dumps(config))
    with pytest.raises(InputError, match="cannot load the judge"):
        load(JUDGE, folder, chat_of(JUDGE, folder), Settings(context=128), 1)
    assert not (folder / "ran").exists()
