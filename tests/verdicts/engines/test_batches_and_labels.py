"""Which prompts go together, and what the labels' token probabilities say."""

from __future__ import annotations

import math
from itertools import product

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from verdicts.engines.batches import by_length, by_prefix, by_same_length, common_prefix
from verdicts.engines.labels import label_masses, normalise

SEQUENCES = st.lists(st.lists(st.integers(0, 2), min_size=1, max_size=8), max_size=12)
LAW = settings(
    derandomize=True, max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)


@LAW
@given(sequences=SEQUENCES, size=st.integers(1, 4))
@pytest.mark.parametrize("batching", [by_length, by_prefix, by_same_length])
def test_batches_hold_every_prompt_once(batching, sequences: list[list[int]], size: int) -> None:  # type: ignore[no-untyped-def]
    batches = batching(sequences, size)
    assert sorted(i for batch in batches for i in batch) == list(range(len(sequences)))
    assert all(1 <= len(batch) <= size for batch in batches)


def test_the_longest_come_first() -> None:
    assert by_length([[1], [1] * 5, [1] * 3, [1] * 4], 2) == [[1, 3], [2, 0]]


@LAW
@given(sequences=SEQUENCES, size=st.integers(1, 4))
@pytest.mark.parametrize("batching", [by_prefix, by_same_length])
def test_rows_of_one_length_are_not_padded(batching, sequences: list[list[int]], size: int) -> None:  # type: ignore[no-untyped-def]
    assert all(len({len(sequences[i]) for i in batch}) == 1 for batch in batching(sequences, size))


def test_same_lengths_go_together() -> None:
    assert by_same_length([[1] * 9, [1] * 4, [2] * 9, [1] * 5, [3] * 9], 2) == [[0, 2], [4], [3], [1]]


def tokens_computed(batches: list[list[int]], sequences: list[list[int]]) -> int:
    """Tokens that the engine runs: the shared part where it changes, and each row padded to the longest."""
    kept: list[int] = []
    total = 0
    for batch in batches:
        rows = [sequences[i] for i in batch]
        shared = min(min(common_prefix(rows[0], row) for row in rows), min(map(len, rows)) - 1)
        prefix = rows[0][:shared]
        total += shared - common_prefix(kept, prefix)
        total += len(rows) * (max(map(len, rows)) - shared)
        kept = prefix
    return total


def test_prompts_over_one_document_share_it() -> None:
    frame, documents = [9] * 20, ([1] * 40, [2] * 40)
    sequences = [[*frame, *document, claim, 7] for claim, document in product(range(4), documents)]
    batches = by_prefix(sequences, 8)
    assert sorted(map(sorted, batches)) == [[0, 2, 4, 6], [1, 3, 5, 7]]
    assert tokens_computed(batches, sequences) == 20 + 2 * 40 + 8 * 2


@LAW
@given(sequences=SEQUENCES, size=st.integers(1, 4))
def test_batching_by_prefix_never_costs_more_than_no_sharing(sequences: list[list[int]], size: int) -> None:
    assert tokens_computed(by_prefix(sequences, size), sequences) <= sum(map(len, sequences))


@pytest.mark.parametrize(
    ("first", "second", "length"), [([], [1], 0), ([1, 2], [1, 2, 3], 2), ([1, 2], [1, 3], 1)]
)
def test_common_prefix(first: list[int], second: list[int], length: int) -> None:
    assert common_prefix(first, second) == common_prefix(second, first) == length


@LAW
@given(data=st.data())
def test_label_masses_against_the_tree_of_all_texts(data: st.DataObject) -> None:
    """Draw a random language of three tokens and add up, text by text, whose longest label begins it."""
    labels = data.draw(
        st.lists(
            st.lists(st.integers(0, 2), min_size=1, max_size=3).map(tuple),
            min_size=1,
            max_size=6,
            unique=True,
        )
    )
    raw = st.lists(st.floats(0.05, 1.0), min_size=3, max_size=3)
    tree = {
        node: [w / sum(weights) for w in weights]
        for depth in range(3)
        for node in product(range(3), repeat=depth)
        for weights in [data.draw(raw)]
    }
    expected = dict.fromkeys(labels, 0.0)
    for text in product(range(3), repeat=3):
        probability = math.prod(tree[text[:i]][text[i]] for i in range(3))
        begins = [label for label in labels if text[: len(label)] == label]
        if begins:
            expected[max(begins, key=len)] += probability
    logprobs = [[math.log(tree[label[:i]][label[i]]) for i in range(len(label))] for label in labels]
    assert label_masses(logprobs, labels) == pytest.approx(list(expected.values()), abs=1e-12)


@pytest.mark.parametrize("masses", [[math.nan, 0.5], [math.inf, 0.1], [0.0, 0.0], [-0.0]])
def test_masses_that_are_no_probabilities(masses: list[float]) -> None:
    assert normalise(masses) == (None, None)


def test_masses_are_normalised_and_what_is_off_them_kept() -> None:
    probabilities, off = normalise([0.1, 0.3])
    assert probabilities == pytest.approx((0.25, 0.75))
    assert off == pytest.approx(0.6)
    assert normalise([0.6, 0.6])[1] == 0.0


def test_a_logit_that_is_no_number_spoils_the_masses() -> None:
    assert all(math.isnan(m) for m in label_masses([[math.nan], [math.nan, -1.0]], [(1,), (2, 3)]))
