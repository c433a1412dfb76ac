"""The plan of the paper's whole run: it says what it needs, and plans once it is given."""

from __future__ import annotations

from pathlib import Path

import yaml

from tests.workflow.planning import planned, snakemake
from verdicts.judges.roster import roster


def test_the_papers_run_asks_for_revisions_and_then_plans(clone: Path, tmp_path: Path) -> None:
    refused = snakemake(clone, "-n", "--configfile", "config/paper.yaml")
    assert refused.returncode != 0
    text = refused.stdout + refused.stderr
    assert "these judges have no pinned revision" in text
    assert (
        "command-r7b: <40 digits>  # from https://huggingface.co/CohereLabs/c4ai-command-r7b-12-2024/commits/main"
        in text
    )
    assert "llama-3.1-8b: <40 digits>" not in text
    unpinned = {name: "a" * 40 for name, judge in roster().items() if not judge.revision}
    own = tmp_path / "own.yaml"
    own.write_text(yaml.safe_dump({"judge": {"revisions": unpinned}}))
    jobs = planned(snakemake(clone, "-n", "--configfile", "config/paper.yaml", str(own)))
    # Ten members, a frontier judge behind an API, two larger, five trained, and both arms of eight families.
    assert jobs["judge"] == 10 + 1 + 2 + 5 + 16
    assert jobs["fetch_weights"] == jobs["judge"] - 1
    assert jobs["benchmark_steps"] == 8
    assert (jobs["export"], jobs["tables"]) == (1, 1)
