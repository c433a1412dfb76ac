"""The counts of docs/publication.md are those of the committed numbers."""

from __future__ import annotations

import json
from pathlib import Path

from analysis.pipeline.derived import Derived
from analysis.publication.entries import count
from analysis.publication.keys import Source
from analysis.publication.printed_tables import compare_tables
from analysis.publication.release import compare_release


def test_the_simulated_suite_beside_the_tables_as_printed(root: Path) -> None:
    entries = compare_tables(Source(Derived(root / "derived" / "sim")))
    equal, differ, absent = count(entries)
    text = (root / "docs" / "publication.md").read_text(encoding="utf-8")
    assert (
        f"of {len(entries)} printed numbers {equal} are equal, {differ} differ, {absent} are lacking" in text
    )


def test_the_simulated_suite_beside_the_release(root: Path, shared_spec: Path) -> None:
    reference = json.loads((shared_spec / "raim_release_reference.json").read_text(encoding="utf-8"))
    entries = compare_release(Source(Derived(root / "derived" / "sim")), reference)
    equal, differ, absent = count(entries)
    text = (root / "docs" / "publication.md").read_text(encoding="utf-8")
    assert f"of {len(entries):,} at full precision {equal:,}, {differ:,} and {absent:,}." in text
