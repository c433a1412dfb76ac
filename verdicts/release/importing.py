"""Write the public release as the suite ``paper``: its own votes, in the format of judged records.

The release pins no revision, and the prompts' texts are not in it: a condition here names the release's digest in place
of a revision, and no prompt. Such keys are never those of a request that a run here would make, so that imported
verdicts and judged ones cannot be taken for each other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from raim.errors import InputError
from verdicts.benchmarks.registry import discover
from verdicts.benchmarks.spec import Benchmark
from verdicts.judges.roster import roster
from verdicts.parsing import parse_release
from verdicts.records.files import write_record_file
from verdicts.records.index import IndexRow, write_index
from verdicts.records.lock import write_lock
from verdicts.records.plain import parse
from verdicts.records.schema import Condition, Record, Run, Verdict
from verdicts.records.suite import Suite, SuiteBenchmark, write_suite
from verdicts.release.contents import File, contents, members
from verdicts.release.items import items_of
from verdicts.release.rows import Votes, read_votes
from verdicts.release.tree import Tree, open_tree
from verdicts.suite_folder import refuse_loss, replacement

#: What every caption says of the suite.
LABEL = "the published votes of the paper's authors"
TITLE = "The paper's panel, from its public release"
#: Order of the benchmarks, as in the paper's tables.
ORDER = ("medhallu", "wice", "ragtruth", "xsum", "cnn", "expertqa", "factscore", "truthfulqa")


@dataclass(frozen=True)
class Imported:
    """What an import found.

    Attributes
    ----------
    digest : the release's
    verdicts : by record file, how many it has
    lacking : files that the release has and this download's list does not name
    notes : what a reader must know of the download
    """

    digest: str
    verdicts: Mapping[str, int]
    lacking: tuple[str, ...]
    notes: tuple[str, ...]


def import_release(
    path: Path,
    folder: Path,
    *,
    suite: str = "paper",
    manifest: Path | None = None,
    index: Path | None = None,
    label: str = LABEL,
) -> Imported:
    """Read a download of the release and write it as a suite, whole or not at all.

    Both shapes of one release make the same suite, byte for byte.

    Parameters
    ----------
    path : the tree, or the repository that holds it
    folder : of the suite
    manifest : the manifest or lock, where it does not lie beside the tree
    index : folder of ``<benchmark>.tsv`` in place of the indices that the project ships
    label : what every caption says of the suite

    Raises
    ------
    InputError
        That names the first file, line or item that is not as the release has it, or what the folder would lose.
    """
    tree = open_tree(path, manifest)
    benchmarks = _benchmarks(tree)
    allowed = {file.path for benchmark in benchmarks for file in contents(benchmark)}
    allowed |= {file.summary for benchmark in benchmarks for file in contents(benchmark) if file.summary}
    for name in tree.files:
        if name not in allowed:
            raise InputError(f"{tree.root}: {name}: no file of this release: unknown benchmark, judge or arm")
    verdicts: dict[str, int] = {}
    notes = list(tree.notes)
    with replacement(folder) as new:
        for benchmark in benchmarks:
            rows = items_of(benchmark, tree, index)
            write_index(new / "index" / f"{benchmark.name}.tsv", rows)
            verdicts |= _write_benchmark(benchmark, rows, tree, new, notes)
        write_suite(new, _description(suite, label, benchmarks, verdicts, tree.digest))
        write_lock(new)
        refuse_loss(folder, new)
    lacking = tuple(
        file.path
        for benchmark in benchmarks
        for file in contents(benchmark)
        if file.members is not None and file.path not in tree.files
    )
    return Imported(tree.digest, verdicts, lacking, tuple(notes))


def _benchmarks(tree: Tree) -> list[Benchmark]:
    """The benchmarks whose panel the tree has, in the order of the tables."""
    known = {benchmark.name: benchmark for benchmark in discover().values() if benchmark.release_name}
    found = [known[name] for name in ORDER if f"{known[name].release_name}/experiment.jsonl" in tree.files]
    if not found:
        raise InputError(f"{tree.root}: its list names no <dataset>/experiment.jsonl of a known benchmark")
    return found


def _write_benchmark(
    benchmark: Benchmark, rows: Sequence[IndexRow], tree: Tree, new: Path, notes: list[str]
) -> dict[str, int]:
    items = {row.uid: row for row in rows}
    written: dict[str, int] = {}
    panels: dict[str, Votes] = {}
    for file in contents(benchmark):
        if file.path not in tree.files:
            continue
        votes = _read(file, tree, items, notes)
        if file.members is None:
            _require_repeated(file, tree, votes, panels)
            continue
        if file.path.endswith("_panel.jsonl"):
            panels[file.path] = votes
        for checkpoint, member in file.members.items():
            name = f"records/{benchmark.name}/{member}.jsonl.gz"
            mine = votes.by_model[checkpoint]
            _write(new / name, checkpoint, file, mine, items, tree.digest)
            written[name] = len(mine)
    return written


def _read(file: File, tree: Tree, items: Mapping[str, IndexRow], notes: list[str]) -> Votes:
    path = tree.files[file.path]
    votes = read_votes(
        path,
        file.expected,
        items,
        records=tree.records.get(file.path),
        replies=(not tree.packed) if file.replies else (False if tree.packed else None),
        parse=(lambda text: parse_release(text).verdict) if file.replies else None,
    )
    if 2 * votes.contradicted > votes.replies:
        raise InputError(
            f"{path}: {votes.contradicted} of {votes.replies} verdicts are not what their replies say; labels are "
            f"coded the other way round, or replies and verdicts are not of one run"
        )
    if votes.contradicted:
        notes.append(
            f"{file.path}: {votes.contradicted} of {votes.replies} verdicts are not what the published parser reads in "
            f"their replies; the verdicts stand"
        )
    if file.summary in tree.files:
        _require_summary(tree.files[file.summary], votes)
    return votes


def _require_summary(path: Path, votes: Votes) -> None:
    try:
        stated = parse(path.read_text(encoding="utf-8"))["n"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path}: is no judge's summary ({error}); download it again") from error
    if stated != votes.rows:
        raise InputError(f"{path}: says {stated!r} items, and its rows are {votes.rows}; download both again")


def _require_repeated(file: File, tree: Tree, votes: Votes, panels: Mapping[str, Votes]) -> None:
    if file.repeats not in panels:
        raise InputError(
            f"{tree.root}: has {file.path} and not {file.repeats}, which its rows are assembled into"
        )
    for model, mine in votes.by_model.items():
        if panels[file.repeats].by_model[model] != mine:
            raise InputError(f"{tree.files[file.path]}: its verdicts are not those in {file.repeats}")


def _write(
    path: Path,
    checkpoint: str,
    file: File,
    verdicts: Mapping[str, int | None],
    items: Mapping[str, IndexRow],
    digest: str,
) -> None:
    probe = file.expected.partial
    condition = Condition(
        kind="verdict",
        judge=checkpoint,
        revision=revision(digest),
        frame=f"{file.frame}/release",
        chat=None,
        decoding={"mode": "imported", "protocol": "constrained few-shot" if probe else "greedy"},
    )
    run = Run(run="release", engine="imported")
    records = [
        Record(condition.key(items[uid].content, ""), items[uid].content, "", _verdict(verdict), run.run)
        for uid, verdict in verdicts.items()
    ]
    write_record_file(path, condition, records, [run])


def _verdict(verdict: int | None) -> Verdict:
    return Verdict(
        verdict, rule="imported", finish="imported", prompt_tokens=0, reply_tokens=0, reply_sha256=""
    )


def revision(digest: str) -> str:
    """What stands for the revision that the release does not record."""
    return f"release:{digest}"


def _description(
    suite: str, label: str, benchmarks: Sequence[Benchmark], verdicts: Mapping[str, int], digest: str
) -> Suite:
    licences = {judge.judge: judge.licence for judge in roster().values()}
    asked: dict[str, list[str]] = {}
    for benchmark in benchmarks:
        for file in contents(benchmark):
            for member in (file.members or {}).values():
                asked.setdefault(member, []).append(benchmark.name)
    present = {Path(name).name.removesuffix(".jsonl.gz") for name in verdicts}
    return Suite(
        suite=suite,
        title=TITLE,
        label=label,
        benchmarks={
            benchmark.name: SuiteBenchmark(
                benchmark.title, benchmark.tier, benchmark.frame, benchmark.content
            )
            for benchmark in benchmarks
        },
        members={
            name: replace(member, revision=revision(digest), benchmarks=_restricted(asked[name], benchmarks))
            for name, member in members(licences).items()
            if name in present
        },
    )


def _restricted(asked: Sequence[str], benchmarks: Sequence[Benchmark]) -> tuple[str, ...]:
    """The benchmarks that the release asks a member about; empty for all of these."""
    return () if len(asked) == len(benchmarks) else tuple(asked)
