"""The public release's two shapes, made of votes: files, fields, manifest and lock as its authors write them."""

from __future__ import annotations

import gzip
import hashlib
import json
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from verdicts.benchmarks.registry import find
from verdicts.benchmarks.spec import Benchmark
from verdicts.records.files import read_record_file
from verdicts.records.index import IndexRow
from verdicts.records.schema import Verdict
from verdicts.release.contents import File, contents

Row = dict[str, Any]
#: Verdicts by uid of a member's on a benchmark; None where the release's other files shall be random.
Source = Callable[[str, str], Mapping[str, int | None] | None]

WORDS = {1: "VERDICT: HALLUCINATED", 0: "VERDICT: SUPPORTED", None: "I cannot tell."}


def of_suite(suite: Path) -> Source:
    """The verdicts of a suite's records, whose members are named as an import names them."""

    def verdicts(benchmark: str, member: str) -> Mapping[str, int | None] | None:
        path = suite / "records" / benchmark / f"{member}.jsonl.gz"
        if not path.exists():
            return None
        found = {}
        for record in read_record_file(path).records.values():
            assert isinstance(record.value, Verdict)
            found[record.item.rpartition("/")[2]] = record.value.verdict
        return found

    return verdicts


@dataclass
class Tree:
    """A release in memory: rows by path (without ``.gz``), and summaries."""

    rows: dict[str, list[Row]] = field(default_factory=dict)
    summaries: dict[str, Row] = field(default_factory=dict)
    index: dict[str, list[Row]] = field(default_factory=dict)

    def add(self, benchmark: Benchmark, items: Sequence[IndexRow], source: Source) -> None:
        """Every file that the release has of a benchmark."""
        for file in contents(benchmark):
            if file.members is None:
                (model,) = file.expected.models
                panel = self.rows[file.repeats]
                self.rows[file.path] = [dict(row) for row in panel if row["model"] == model]
                continue
            self.rows[file.path] = list(_rows(file, benchmark, items, source))
            if file.summary:
                self.summaries[file.summary] = _summary(benchmark, self.rows[file.path])
        self.index[str(benchmark.release_name)] = [
            {**_item(item), "stratum": "", "category": "", "src_sha1": item.join} for item in items
        ]

    def write(self, folder: Path, *, packed: bool, with_index: bool = False, source: str = "") -> Path:
        """The votes-only tree with its manifest, or the runs with their lock; returns the repository.

        ``source`` is the digest of the runs that a votes-only tree was made of.
        """
        root = folder / ("verdicts" if packed else "runs")
        for name, rows in self.rows.items():
            write_rows(root / (f"{name}.gz" if packed else name), rows)
        for name, summary in self.summaries.items():
            write_json(root / name, summary)
        if with_index:
            for name, rows in self.index.items():
                write_rows(folder / "index" / f"{name}.jsonl", rows)
        write_list(folder, packed=packed, source=source)
        return folder


def write_rows(path: Path, rows: Iterable[Row]) -> None:
    """Rows as the release writes them: with replies as they are; without, compact and gzipped."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".gz":
        kept = [{name: value for name, value in row.items() if name != "raw"} for row in rows]
        text = "".join(json.dumps(row, separators=(",", ":")) + "\n" for row in kept)
        path.write_bytes(gzip.compress(text.encode("ascii"), 6, mtime=0))
    else:
        path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


def write_json(path: Path, value: Any) -> None:
    """One JSON file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=1), encoding="utf-8")


def write_list(folder: Path, *, packed: bool, source: str = "") -> None:
    """The manifest or lock of what lies there now."""
    root = folder / ("verdicts" if packed else "runs")
    files = {
        path.relative_to(root).as_posix(): _entry(path)
        for path in sorted(root.rglob("*"))
        if path.is_file() and path.parent != root
    }
    shown = "".join(f"{name} {files[name]['sha256']}\n" for name in sorted(files))
    digest = hashlib.sha256(shown.encode()).hexdigest()
    total = hashlib.sha256()
    for path in sorted((folder / "index").glob("*.jsonl")):
        total.update(path.name.encode())
        total.update(hashlib.sha256(path.read_bytes()).hexdigest().encode())
    index = total.hexdigest() if (folder / "index").is_dir() else None
    common = {"note": "", "generator": "tests", "generated": "2026-01-01T00:00:00Z", "n_files": len(files)}
    if packed:
        quoted = {"release_digest": source or None, "dataset_index_digest": index}
        body = {**common, "keep_raw": False, "dropped_fields": ["raw"], "source": quoted, "files": files}
        write_json(root / "MANIFEST.json", body)
    else:
        lock = {"dataset_index_digest": index, "includes_shards": False, "release_digest": digest}
        write_json(folder / "verdicts.lock.json", {**common, **lock, "files": files})


def _entry(path: Path) -> dict[str, Any]:
    data = path.read_bytes()
    text = gzip.decompress(data) if path.suffix == ".gz" else data
    records = text.count(b"\n") + (not text.endswith(b"\n"))
    return {"sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data), "records": records}


def _rows(file: File, benchmark: Benchmark, items: Sequence[IndexRow], source: Source) -> Iterable[Row]:
    """Judge by judge in the order of the file, items inside."""
    assert file.members is not None
    asked = without_examples(items) if file.expected.partial else items
    models = dict.fromkeys(file.expected.models.values())
    for model in models:
        member = file.members[model]
        verdicts = source(benchmark.name, member) or _drawn(f"{file.path} {model}", asked)
        for item in asked:
            yield _row(file, model, item, verdicts[item.uid])


def _drawn(seed: str, items: Sequence[IndexRow]) -> dict[str, int | None]:
    drawn = np.random.default_rng(zlib.crc32(seed.encode())).choice(3, len(items), p=[0.48, 0.48, 0.04])
    return {item.uid: (1, 0, None)[position] for item, position in zip(items, drawn, strict=True)}


def _row(file: File, model: str, item: IndexRow, verdict: int | None) -> Row:
    constants = file.expected.constants
    row: Row = {**_item(item), "stratum": "", "category": "", "model": model}
    if "judge" in constants:
        package = "minicheck" in constants["judge"]
        low, high, threshold = (0.25, 0.75, 0.5) if package else (1.0, 5.0, 3.0)
        if package:
            verdict = 1 if verdict is None else verdict
        score = None if verdict is None else low if verdict else high
        return {
            **row,
            **constants,
            "score": score,
            "threshold": threshold,
            "pred": verdict,
            "raw": None if package else "prose",
        }
    if "scorer" in constants:
        yes = None if verdict is None else 0.25 if verdict else 0.5
        return {**row, **constants, "frame": "qa", "paraphrase": "p0", "pred": verdict, "prob_yes": yes}
    return {**row, **constants, "pred": verdict, "raw": WORDS[verdict]}


def _item(item: IndexRow) -> Row:
    kind = "neg" if item.gold else "pos"
    return {"uid": item.uid, "row_id": int(item.cluster), "kind": kind, "gold": item.gold}


def without_examples(items: Sequence[IndexRow]) -> list[IndexRow]:
    """Without the first six records, from which the prompt's worked examples come."""
    examples = list(dict.fromkeys(item.cluster for item in items))[:6]
    return [item for item in items if item.cluster not in examples]


def _summary(benchmark: Benchmark, rows: Sequence[Row]) -> Row:
    committed = sum(row["pred"] is not None for row in rows)
    coverage = committed / len(rows)
    return {
        "dataset": benchmark.release_name,
        "judge": rows[0]["model"],
        "n": len(rows),
        "coverage": coverage,
    }


def tree_of(items: Mapping[str, Sequence[IndexRow]], source: Source = lambda benchmark, member: None) -> Tree:
    """A release of these benchmarks."""
    tree = Tree()
    for name, rows in items.items():
        tree.add(find(name), rows, source)
    return tree
