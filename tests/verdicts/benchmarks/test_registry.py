"""Discovery: a benchmark is one file, and nothing registers it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from raim.errors import InputError
from verdicts.benchmarks.registry import discover, find
from verdicts.frames import FRAMES

PAPER = {"medhallu", "wice", "ragtruth", "xsum", "cnn", "expertqa", "factscore", "truthfulqa"}

#: A whole benchmark in one file, as a user would write it.
OWN = """
from pathlib import Path

from verdicts.benchmarks.items import Item
from verdicts.benchmarks.spec import Benchmark, Source
from verdicts.frames import Task


def build(rows):
    return [
        Item(f"{n}:{kind}", n, gold, row["q"], (row["passage"],), row[kind])
        for n, row in enumerate(rows)
        for gold, kind in ((0, "pos"), (1, "neg"))
    ]


BENCHMARK = Benchmark(
    name="NAME",
    title="Own",
    tier="grounded",
    frame="def_on",
    task=Task("a question of mine", "Reference knowledge"),
    content="mine",
    source=Source(page="here", columns=("q", "passage", "pos", "neg")),
    build=build,
)
"""


def own(path: Path, name: str = "own") -> Path:
    path.write_text(OWN.replace("NAME", name), encoding="utf-8")
    return path


def test_the_papers_eight_and_minipairs_are_found() -> None:
    found = discover()
    assert set(found) == PAPER | {"minipairs"}
    assert list(found) == sorted(found)
    assert all(name == benchmark.name and benchmark.frame in FRAMES for name, benchmark in found.items())


def test_declarations_agree_with_tables_14_and_18() -> None:
    found = discover()
    tiers = {
        "core grounded": {"medhallu", "wice", "ragtruth", "xsum"},
        "grounded": {"cnn", "expertqa", "minipairs"},
        "ungrounded": {"factscore", "truthfulqa"},
    }
    for tier, names in tiers.items():
        assert {name for name, benchmark in found.items() if benchmark.tier == tier} == names
    claim_sets = {"wice", "xsum", "cnn", "expertqa"}
    assert {name for name, benchmark in found.items() if benchmark.frame == "claimcheck"} == claim_sets
    assert sum(b.expected.items for n, b in found.items() if n in PAPER and b.expected) == 7_670
    for name in PAPER:
        benchmark = found[name]
        assert benchmark.release_name == (f"aggrefact_{name}" if name in claim_sets else name)
        assert (benchmark.task.evidence_heading is None) == (benchmark.tier == "ungrounded")
        assert (benchmark.source.hub is None) == (name == "factscore")
        assert benchmark.source.gated == (name in claim_sets)
        assert benchmark.source.hub is None or len(benchmark.source.revision or "") == 40
        assert benchmark.expected is not None
        assert sum(benchmark.expected.balance) == benchmark.expected.items


def test_the_noun_phrases_and_headings_are_the_papers() -> None:
    found = discover()
    phrases = {name: (b.task.noun_phrase, b.task.evidence_heading) for name, b in found.items()}
    assert phrases["medhallu"] == ("a medical research question", "Reference knowledge")
    assert phrases["ragtruth"] == ("a retrieval-augmented question", "Retrieved passages")
    assert phrases["truthfulqa"] == ("a general-knowledge question", None)
    assert phrases["factscore"] == ("a biographical claim", None)
    assert phrases["wice"] == phrases["expertqa"] == ("a grounded claim", "Grounding document")


def test_a_file_from_outside_is_one_more(tmp_path: Path) -> None:
    assert find("own", [own(tmp_path / "own.py")]).title == "Own"
    assert set(discover([own(tmp_path / "own.py")])) == PAPER | {"minipairs", "own"}


def test_a_file_dropped_into_the_folder_is_found(tmp_path: Path, root: Path) -> None:
    for package in ("verdicts", "raim"):
        shutil.copytree(root / package, tmp_path / package)
    own(tmp_path / "verdicts" / "benchmarks" / "dropped.py", "dropped")
    script = "from verdicts.benchmarks.registry import find; print(find('dropped').title)"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True,
        env={"PYTHONPATH": str(tmp_path)},
    )  # fmt: skip
    assert done.stdout == "Own\n"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("x = 1\n", "exports no BENCHMARK"),
        ("BENCHMARK = 'medhallu'\n", "exports no BENCHMARK"),
        ("def f(:\n", r"cannot be imported \(SyntaxError"),
        ("import nothing_of_the_kind\n", r"cannot be imported \(ModuleNotFoundError"),
        (OWN.replace("NAME", "medhallu"), "a benchmark named 'medhallu' is in verdicts.benchmarks.medhallu"),
    ],
)
def test_a_bad_file_is_named(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "own.py"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=message) as raised:
        discover([path])
    assert str(path) in str(raised.value)


@pytest.mark.parametrize("name", ["none.py", "own.txt"])
def test_what_is_no_python_file_is_refused(tmp_path: Path, name: str) -> None:
    if name.endswith(".txt"):
        own(tmp_path / name)
    with pytest.raises(InputError, match="not a Python file"):
        discover([tmp_path / name])


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(InputError, match="choose one of: cnn, expertqa"):
        find("medhalu")
