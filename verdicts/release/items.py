"""The items of a benchmark for an import: the index that the project ships, joined with what the release says of them.

RAGTruth and ExpertQA have no index here: their items are those of the release's own index, where the download has one,
else of the panel's rows. The text is then unknown, and the item's content hash stands for itself only.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

from raim.errors import InputError
from verdicts.benchmarks.compare import shipped_index
from verdicts.benchmarks.spec import Benchmark
from verdicts.records.index import NO_TEXT, IndexRow, read_index
from verdicts.release.rows import KINDS, read_rows
from verdicts.release.tree import Tree


def items_of(benchmark: Benchmark, tree: Tree, own: Path | None) -> list[IndexRow]:
    """The benchmark's items, in the index's order.

    Parameters
    ----------
    own : folder of ``<benchmark>.tsv`` indices that take the place of the shipped ones

    Raises
    ------
    InputError
        If the release's index says something else of an item than the index here, or the items are not those of
        Table 18.
    """
    path = own / f"{benchmark.name}.tsv" if own is not None else shipped_index(benchmark.name)
    rows = read_index(path) if path is not None and path.is_file() else []
    published = _published(benchmark, tree)
    if rows and published:
        _require_joined(benchmark, rows, published)
    if not rows:
        rows = list((published or _of_panel(benchmark, tree)).values())
        _require_table_18(benchmark, rows)
    return rows


def _published(benchmark: Benchmark, tree: Tree) -> dict[str, IndexRow]:
    """The release's own index, by uid; empty where the download has none."""
    folders = [folder for folder in (tree.root / "index", tree.root.parent / "index") if folder.is_dir()]
    path = folders[0] / f"{benchmark.release_name}.jsonl" if folders else None
    if path is None or not path.is_file():
        return {}
    _require_index_digest(folders[0], tree)
    return _rows(benchmark, path, "src_sha1")


def _of_panel(benchmark: Benchmark, tree: Tree) -> dict[str, IndexRow]:
    name = f"{benchmark.release_name}/experiment.jsonl"
    return _rows(benchmark, tree.files[name], "src_key")


def _rows(benchmark: Benchmark, path: Path, key: str) -> dict[str, IndexRow]:
    found: dict[str, IndexRow] = {}
    for number, row in read_rows(path):
        uid, cluster, kind, gold = (row.get(name) for name in ("uid", "row_id", "kind", "gold"))
        join = row.get(key, "")
        if (
            not isinstance(uid, str)
            or type(cluster) is not int
            or not isinstance(kind, str)
            or type(gold) is not int
            or KINDS.get(kind) != gold
            or not isinstance(join, str)
        ):
            raise InputError(
                f"{path}, line {number}: uid {uid!r}, row_id {cluster!r}, kind {kind!r}, gold {gold!r} name no item; "
                f"pos has gold 0 (supported), neg has 1 (hallucinated)"
            )
        item = IndexRow(uid, str(cluster), gold, f"{NO_TEXT}{benchmark.name}/{uid}", join)
        if found.setdefault(uid, item) != item:
            raise InputError(
                f"{path}, line {number}: item {uid!r} has another row_id, gold or {key} than before"
            )
    return found


def _require_joined(benchmark: Benchmark, rows: list[IndexRow], published: Mapping[str, IndexRow]) -> None:
    here = {row.uid: row for row in rows}
    odd = sorted(here.keys() ^ published.keys())
    if odd:
        raise InputError(
            f"{benchmark.name}: item {odd[0]!r} is in one of the release's index and the index here only"
        )
    for uid, row in here.items():
        other = published[uid]
        for what, ours, theirs in (
            ("join key", row.join, other.join),
            ("cluster", row.cluster, other.cluster),
            ("gold", row.gold, other.gold),
        ):
            if ours not in ("", theirs):
                raise InputError(
                    f"{benchmark.name}: {what} of item {uid!r} is {theirs} in the release, {ours} here"
                )


def _require_table_18(benchmark: Benchmark, rows: list[IndexRow]) -> None:
    if benchmark.expected is None:
        return
    hallucinated = sum(row.gold for row in rows)
    found = (len(rows), len({row.cluster for row in rows}), (len(rows) - hallucinated, hallucinated))
    wanted = (benchmark.expected.items, benchmark.expected.clusters, benchmark.expected.balance)
    if found != wanted:
        raise InputError(
            f"{benchmark.name}: the release has {found[0]} items in {found[1]} clusters, by class {found[2]}; Table 18 "
            f"has {wanted[0]}, {wanted[1]} and {wanted[2]}"
        )


def _require_index_digest(folder: Path, tree: Tree) -> None:
    """The rule of the release: sha256 over the names and the files' hex sha256, by name."""
    if not tree.index_digest:
        return
    total = hashlib.sha256()
    for path in sorted(folder.glob("*.jsonl"), key=lambda path: path.name):
        total.update(path.name.encode("utf-8"))
        total.update(hashlib.sha256(path.read_bytes()).hexdigest().encode("ascii"))
    if total.hexdigest() != tree.index_digest:
        raise InputError(
            f"{folder}: digest {total.hexdigest()[:16]} is not the one that the release states, "
            f"{tree.index_digest[:16]}; download the index again"
        )
