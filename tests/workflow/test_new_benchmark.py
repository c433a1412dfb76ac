"""A new benchmark is one new file and one entry: the steps of QUICKSTART.md, in a copy of the project."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.workflow.planning import snakemake
from verdicts.records.files import read_record_file
from verdicts.records.index import read_index

#: The judge environment's Python: the real commands over a judge that costs nothing and notes what it is asked.
FAKE = """#!{python}
import os, sys
from pathlib import Path

sys.path.insert(0, os.getcwd())
folder = Path("checkpoint")
folder.mkdir(exist_ok=True)
(folder / "chat_template.jinja").write_text("template")

import verdicts.engines.registry as registry
import verdicts.judges.weights as weights
from raim.cli import main
from tests.verdicts.making import FakeEngine


def note(prompt):
    with open("asked.jsonl", "a") as asked:
        asked.write(__import__("json").dumps(prompt) + "\\n")


def reply(prompt):
    return "VERDICT: " + ("SUPPORTED" if len(prompt) % 3 else "HALLUCINATED")


registry.load = lambda *args: FakeEngine(reply, note)
weights.checkpoint = lambda judge, root: folder
assert sys.argv[1:3] == ["-m", "raim"]
sys.exit(main(sys.argv[3:]))
"""
CONFIG: dict[str, Any] = {
    "suites": ["mine"],
    "check": [],
    "studies": [],
    "judge": {
        "plans": [
            {
                "suite": "mine",
                "benchmarks": ["minipairs"],
                "members": [
                    {"judge": "smollm2-135m", "protocol": "generative"},
                    {"judge": "smollm2-135m", "protocol": "constrained"},
                    {"judge": "qwen2.5-coder-0.5b", "protocol": "generative"},
                ],
            }
        ],
        "python": "./judge-python",
        "store": "store",
        "weights": "weights",
    },
}


def walk_through(root: Path) -> tuple[str, dict[str, Any]]:
    """The Python file and the configuration entry that QUICKSTART.md shows."""
    section = (
        (root / "QUICKSTART.md").read_text(encoding="utf-8").split("## Add a benchmark")[1].split("\n## ")[0]
    )
    (code,) = re.findall(r"```python\n(.*?)```", section, re.DOTALL)
    (entry,) = re.findall(r"```yaml\n(.*?)```", section, re.DOTALL)
    return code, yaml.safe_load(entry)


def tracked(folder: Path) -> str:
    """What a commit would change."""
    shown = subprocess.run(
        [
            "git",
            "status",
            "--short",
            "--untracked-files=all",
            "--",
            "verdicts",
            "analysis",
            "raim",
            "workflow",
        ],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    return shown.stdout.strip()


@pytest.fixture
def project(toy: Path) -> Path:
    """A copy of the project whose judges have judged minipairs already."""
    python = toy / "judge-python"
    python.write_text(FAKE.format(python=sys.executable))
    python.chmod(0o755)
    (toy / "mine.yaml").write_text(yaml.safe_dump(CONFIG))
    done = snakemake(toy, "results/mine/suite/LOCK.json", "--cores", "1", "--configfile", "mine.yaml")
    assert done.returncode == 0, done.stdout + done.stderr
    return toy


def test_one_file_and_one_entry_reach_the_tables(project: Path, root: Path) -> None:
    first = (project / "asked.jsonl").read_text().splitlines()
    assert len(first) == 3 * 144
    before = {
        path.name: path.read_bytes() for path in (project / "results/mine/suite/records/minipairs").iterdir()
    }
    assert tracked(project) == ""

    code, entry = walk_through(root)
    (project / "verdicts" / "benchmarks" / "capitals.py").write_text(code, encoding="utf-8")
    assert tracked(project) == "?? verdicts/benchmarks/capitals.py"
    (project / "data").mkdir()
    rows = [
        {
            "question": f"What is the capital of land {n}?",
            "passage": f"Land {n}'s capital is City {n * n}.",
            "right": f"City {n * n}{'.' * (n % 3)}",
            "wrong": f"City {n * n + 1}{'!' * (n % 2)}",
        }
        for n in range(30)
    ]
    (project / "data" / "capitals.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (plan,), (changed,) = CONFIG["judge"]["plans"], entry["judge"]["plans"]
    config = {**CONFIG, "judge": {**CONFIG["judge"], **entry["judge"], "plans": [{**plan, **changed}]}}
    (project / "mine.yaml").write_text(yaml.safe_dump(config))

    done = snakemake(project, "results/mine/tables/summary.json", "--cores", "1", "--configfile", "mine.yaml")
    assert done.returncode == 0, done.stdout + done.stderr
    asked = [json.loads(line) for line in (project / "asked.jsonl").read_text().splitlines()[len(first) :]]
    assert len(asked) == 3 * 60
    assert all("a geography question" in prompt for prompt in asked)
    suite = project / "results" / "mine" / "suite"
    after = {path.name: path.read_bytes() for path in (suite / "records" / "minipairs").iterdir()}
    assert after == before
    contents = {row.content for row in read_index(suite / "index" / "capitals.tsv")}
    for path in sorted((suite / "records" / "capitals").iterdir()):
        assert set(read_record_file(path).records) == contents
    assert "Capitals" in (project / "results" / "mine" / "tables" / "table22.md").read_text()

    again = snakemake(project, "-n", "results/mine/tables/summary.json", "--configfile", "mine.yaml")
    assert "Nothing to be done" in again.stdout + again.stderr


def test_its_index_holds_the_source_from_then_on(toy: Path, root: Path, tmp_path: Path) -> None:
    code, _ = walk_through(root)
    (toy / "verdicts" / "benchmarks" / "capitals.py").write_text(code, encoding="utf-8")
    source = tmp_path / "capitals.jsonl"
    row = {"question": "Capital?", "passage": "It is A.", "right": "A", "wrong": "B"}
    source.write_text(json.dumps(row) + "\n")
    index = toy / "verdicts" / "benchmarks" / "index" / "capitals.tsv"

    def raim(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "raim", *arguments]
        return subprocess.run(command, cwd=toy, capture_output=True, text=True, check=False)

    assert raim("index", "capitals", "--file", str(source), "--out", str(index)).returncode == 0
    assert raim("verify", "capitals", "--file", str(source)).returncode == 0
    source.write_text(json.dumps({**row, "wrong": "C"}) + "\n")
    changed = raim("verify", "capitals", "--file", str(source))
    assert changed.returncode == 1
    assert "0:neg: content is" in changed.stdout
