"""What the papers print and what their rows come from, as data: one YAML file a subject, each naming its source."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

FOLDER = Path(__file__).parent


def read_published(name: str) -> Any:
    """The values of ``<name>.yaml``."""
    return yaml.safe_load((FOLDER / f"{name}.yaml").read_text(encoding="utf-8"))
