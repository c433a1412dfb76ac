"""How many processes, GPUs and threads each judge of a plan takes."""

from __future__ import annotations

from typing import Any

import pytest

from raim.errors import InputError
from verdicts.jobs import Job, jobs_of

LOCAL, LARGE, API = "llama-3.1-8b", "qwen2.5-72b-awq", "claude-sonnet-4.6"


def jobs(*judges: str, **options: Any) -> dict[str, Job]:
    members = [{"judge": judge, "protocol": protocol} for judge in judges for protocol in ("a", "b")]
    return jobs_of({"plans": [{"members": members}], **options})


def test_without_options_one_process_takes_the_machine() -> None:
    assert jobs(LOCAL) == {LOCAL: Job(LOCAL, 1, 0, None, False)}


def test_one_number_is_for_all_judges() -> None:
    found = jobs(LOCAL, LARGE, slices=3, gpus=2)
    assert list(found.values()) == [Job(LOCAL, 3, 2, 4, False), Job(LARGE, 3, 2, 4, False)]
    assert found[LOCAL].parts == ["1of3", "2of3", "3of3"]


def test_a_judge_may_have_its_own() -> None:
    found = jobs(LOCAL, LARGE, slices={LARGE: 2}, gpus={"default": 1, LARGE: 4}, threads=8)
    assert list(found.values()) == [Job(LOCAL, 1, 1, 8, False), Job(LARGE, 2, 4, 8, False)]


def test_a_judge_behind_an_api_takes_no_gpu() -> None:
    assert jobs(API, slices=8, gpus=1, threads=16)[API] == Job(API, 1, 0, 1, True)
    assert jobs(API, slices={API: 2, "default": 8})[API].slices == 2


@pytest.mark.parametrize("option", ["slices", "gpus"])
def test_a_judge_that_is_no_member_is_named(option: str) -> None:
    with pytest.raises(InputError, match=f"judge: {option}: lama is not among the members' judges: {LOCAL}"):
        jobs(LOCAL, **{option: {"lama": 2, "default": 1}})


def test_a_judge_that_the_roster_lacks() -> None:
    with pytest.raises(InputError, match="no judge 'nobody' in the roster"):
        jobs("nobody")
