"""Write a simulated suite: description, item index, records and lock, in the format of judged records.

Whatever could be taken for a measurement says that it is none: the suite's label, the judges' revision, the judge and
the frame of every condition, the rule of every verdict and the content of every item. The suite's description names the
checkpoints whose scores the members have, so that costs and published rows find them.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from analysis.arrays import Floats
from analysis.simulation.build import Simulated
from analysis.simulation.items import Items
from analysis.simulation.targets import BESIDE_FILE, PANEL_FILE, Judge, Targets
from verdicts.records.canonical import sha256_file
from verdicts.records.files import write_record_file
from verdicts.records.index import IndexRow, write_index
from verdicts.records.lock import write_lock
from verdicts.records.schema import Condition, Record, Run, Verdict
from verdicts.records.suite import Suite, SuiteBenchmark, SuiteMember, write_suite

#: What every caption says of the suite.
LABEL = "SIMULATED"
REVISION = "simulation/1"
_RUN = Run(run="simulation", engine=REVISION)


def write(targets: Targets, simulated: Iterable[tuple[str, Simulated]], folder: Path, seed: int) -> str:
    """Write the suite's folder, replacing an earlier one's records and index; returns the release digest."""
    shutil.rmtree(folder / "records", ignore_errors=True)
    shutil.rmtree(folder / "index", ignore_errors=True)
    benchmarks = {}
    for name, one in simulated:
        target = targets.benchmarks[name]
        benchmarks[name] = SuiteBenchmark(title=target.title, tier=target.tier, frame=target.frame)
        write_index(folder / "index" / f"{name}.tsv", _index(name, one.items))
        for member, condition, votes in _answers(targets, one, seed):
            path = folder / "records" / name / f"{member}.jsonl.gz"
            write_record_file(path, condition, _records(condition, name, one.items, votes), [_RUN])
    write_suite(folder, _description(targets, benchmarks))
    return write_lock(folder)


def member_name(checkpoint: str, protocol: str = "generative") -> str:
    """Name of a judge in the suite: its checkpoint with the protocol. The order is that of the checkpoints."""
    return f"{checkpoint.replace('/', '--')}.{protocol}"


def judge_name(judge: Judge) -> str:
    """Name of a judge of the targets in the suite."""
    return member_name(judge.checkpoint, judge.protocol)


def arm_name(checkpoint: str) -> str:
    """Name of a judge's second arm in the suite."""
    return f"{member_name(checkpoint)}.def_on"


def _answers(targets: Targets, one: Simulated, seed: int) -> Iterator[tuple[str, Condition, Floats]]:
    """Name in the suite, condition and votes of every judge and arm of a benchmark."""
    for judge in targets.judges:
        if judge.checkpoint in one.votes:
            files = [PANEL_FILE, *([BESIDE_FILE] if judge.role == "purpose_trained" else [])]
            condition = _condition(judge.checkpoint, "simulated", seed, files)
            yield judge_name(judge), condition, one.votes[judge.checkpoint]
    if one.second is not None:
        for checkpoint, votes in one.second.votes.items():
            condition = _condition(checkpoint, "simulated/def_on", seed, [PANEL_FILE, BESIDE_FILE])
            yield arm_name(checkpoint), condition, votes


def _description(targets: Targets, benchmarks: dict[str, SuiteBenchmark]) -> Suite:
    return Suite(
        suite="sim",
        title="Simulated panel of the paper's size",
        label=LABEL,
        benchmarks=benchmarks,
        members={judge_name(judge): _member(judge) for judge in targets.judges} | _arms(targets),
    )


def _member(judge: Judge) -> SuiteMember:
    return SuiteMember(
        tag=judge.tag,
        judge=judge.checkpoint,
        revision=REVISION,
        protocol=judge.protocol,
        developer=judge.developer,
        parameters=judge.parameters,
        role=judge.role,
        needs_document=judge.needs_document,
    )


def _arms(targets: Targets) -> dict[str, SuiteMember]:
    """The second arms, in the order of their judges, with the benchmarks that they are asked about."""
    asked = {
        judge: tuple(
            name
            for name, one in targets.benchmarks.items()
            if one.second_frame is not None and judge.checkpoint in one.second_frame.scores
        )
        for judge in targets.judges
    }
    return {
        arm_name(judge.checkpoint): replace(
            _member(judge), role="def_on", arm_of=judge_name(judge), benchmarks=names
        )
        for judge, names in asked.items()
        if names
    }


def _condition(checkpoint: str, frame: str, seed: int, files: Sequence[Path]) -> Condition:
    """The condition of votes that were fitted to what stands in ``files``."""
    return Condition(
        kind="verdict",
        judge=f"simulated/{checkpoint}",
        revision=REVISION,
        frame=frame,
        chat=None,
        decoding={
            "mode": "simulated",
            "seed": seed,
            **{file.stem: sha256_file(file) for file in files},
        },
    )


def _content(benchmark: str, uid: str) -> str:
    """In place of a content hash: there is no content."""
    return f"simulated/{benchmark}/{uid}"


def _index(benchmark: str, items: Items) -> list[IndexRow]:
    return [
        IndexRow(uid, str(cluster), int(gold), _content(benchmark, uid), "")
        for uid, cluster, gold in zip(items.uids, items.cluster, items.gold, strict=True)
    ]


def _records(condition: Condition, benchmark: str, items: Items, votes: Floats) -> Iterable[Record]:
    for uid, vote in zip(items.uids, votes, strict=True):
        item = _content(benchmark, uid)
        verdict = None if np.isnan(vote) else int(vote)
        value = Verdict(
            verdict, rule="simulated", finish="simulated", prompt_tokens=0, reply_tokens=0, reply_sha256=""
        )
        yield Record(key=condition.key(item, ""), item=item, prompt="", value=value, run=_RUN.run)
