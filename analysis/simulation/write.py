"""Write a simulated suite: description, item index, records and lock, in the format of judged records.

Whatever could be taken for a measurement says that it is none: the suite's label, the judges' revision, the judge and
the frame of every condition, the rule of every verdict and the content of every item. The suite's description names the
checkpoints whose scores the members have, so that costs and published rows find them.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from analysis.arrays import Floats
from analysis.simulation.build import Simulated
from analysis.simulation.items import Items
from analysis.simulation.targets import Judge, Targets
from verdicts.records.canonical import sha256_file
from verdicts.records.files import write_record_file
from verdicts.records.index import IndexRow, write_index
from verdicts.records.lock import write_lock
from verdicts.records.schema import Condition, Record, Run, Verdict
from verdicts.records.suite import Suite, SuiteBenchmark, SuiteMember, write_suite

#: What every caption says of the suite.
LABEL = "SIMULATED"
REVISION = "simulation/1"
PROTOCOL = "generative"
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
        for judge in targets.judges:
            condition = _condition(judge, seed)
            records = _records(condition, name, one.items, one.votes[judge.checkpoint])
            path = folder / "records" / name / f"{member_name(judge.checkpoint)}.jsonl.gz"
            write_record_file(path, condition, records, [_RUN])
    write_suite(folder, _description(targets, benchmarks))
    return write_lock(folder)


def member_name(checkpoint: str) -> str:
    """Name of a judge in the suite: its checkpoint with the protocol. The order is that of the checkpoints."""
    return f"{checkpoint.replace('/', '--')}.{PROTOCOL}"


def _description(targets: Targets, benchmarks: dict[str, SuiteBenchmark]) -> Suite:
    return Suite(
        suite="sim",
        title="Simulated panel of the paper's size",
        label=LABEL,
        benchmarks=benchmarks,
        members={
            member_name(judge.checkpoint): SuiteMember(
                tag=judge.tag,
                judge=judge.checkpoint,
                revision=REVISION,
                protocol=PROTOCOL,
                developer=judge.developer,
                parameters=judge.parameters,
                role=judge.role,
            )
            for judge in targets.judges
        },
    )


def _condition(judge: Judge, seed: int) -> Condition:
    return Condition(
        kind="verdict",
        judge=f"simulated/{judge.checkpoint}",
        revision=REVISION,
        frame="simulated",
        chat=None,
        decoding={
            "mode": "simulated",
            "seed": seed,
            "targets": sha256_file(Path(__file__).parent / "targets.json"),
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
