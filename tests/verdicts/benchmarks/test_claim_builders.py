"""Pool balancing of the claim-verification benchmarks, on small sources written here."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from raim.errors import InputError
from verdicts.benchmarks import claims, cnn, expertqa, wice, xsum


def row(claim: str, label: int | None, doc: str = "d", dataset: str = "ExpertQA") -> dict[str, Any]:
    return {"dataset": dataset, "doc": doc, "claim": claim, "label": label}


def test_the_label_is_inverted() -> None:
    items = expertqa.BENCHMARK.build([row("true", 1), row("false", 0)])
    assert {item.candidate: (item.gold, item.uid[-3:], item.category) for item in items} == {
        "true": (0, "pos", "supported"),
        "false": (1, "neg", "not_supported"),
    }


def test_shuffles_come_in_the_stated_order() -> None:
    rows = [row(f"c{i}", int(i % 3 > 0), doc=f"d{i % 5}") for i in range(20)]
    # Written out apart from the builder: supported, unsupported, then both, on one generator.
    generator = random.Random(0)
    supported = [r for r in rows if r["label"] == 1]
    unsupported = [r for r in rows if r["label"] == 0]
    generator.shuffle(supported)
    generator.shuffle(unsupported)
    size = min(len(supported), len(unsupported))
    chosen = supported[:size] + unsupported[:size]
    generator.shuffle(chosen)
    documents = list(dict.fromkeys(r["doc"] for r in chosen))
    items = expertqa.BENCHMARK.build(rows)
    assert [item.candidate for item in items] == [r["claim"] for r in chosen]
    assert [item.cluster for item in items] == [documents.index(r["doc"]) for r in chosen]
    assert [item.uid for item in items] == [
        f"{i}:{'pos' if r['label'] else 'neg'}" for i, r in enumerate(chosen)
    ]


def test_clusters_are_shared_documents_to_the_letter() -> None:
    rows = [row("a", 1, "one"), row("b", 0, "one"), row("c", 0, "one "), row("d", 1, "two")]
    items = expertqa.BENCHMARK.build(rows)
    clusters = {item.candidate: item.cluster for item in items}
    assert clusters["a"] == clusters["b"]
    assert len(set(clusters.values())) == 3
    assert items[0].cluster == 0


def test_question_and_candidate_are_the_claim() -> None:
    item = expertqa.BENCHMARK.build([row("a", 1, "doc a"), row("b", 0, "doc b")])[0]
    assert item.question == item.candidate
    assert item.evidence == (f"doc {item.candidate}",)
    assert item.stratum == "expertqa"


def test_rows_of_other_sets_and_rows_without_label_or_claim_are_dropped() -> None:
    rows = [
        row("a", 1),
        row("b", 0),
        row("no label", None),
        row("", 0),
        row("elsewhere", 0, dataset="Wice"),
        row("elsewhere", 1, dataset="AggreFact-XSum"),
    ]
    assert {item.candidate for item in expertqa.BENCHMARK.build(rows)} == {"a", "b"}
    assert expertqa.BENCHMARK.pool(rows) == {
        "claims": 2, "supported claims": 1, "unsupported claims": 1, "documents": 1
    }  # fmt: skip


@pytest.mark.parametrize(
    ("module", "dataset"),
    [(wice, "Wice"), (xsum, "AggreFact-XSum"), (cnn, "AggreFact-CNN"), (expertqa, "ExpertQA")],
)
def test_each_set_reads_its_own_rows_of_the_shared_split(module: Any, dataset: str) -> None:
    others = [d for d in ("Wice", "AggreFact-XSum", "AggreFact-CNN", "ExpertQA", "RAGTruth") if d != dataset]
    rows = [row(f"{d} {label}", label, dataset=d) for d in [*others, dataset] for label in (0, 1)]
    assert {item.candidate for item in module.BENCHMARK.build(rows)} == {f"{dataset} 0", f"{dataset} 1"}
    assert module.BENCHMARK.source == claims.SOURCE


def test_an_unknown_label_is_named() -> None:
    with pytest.raises(InputError, match="row 1: label 2"):
        expertqa.BENCHMARK.build([row("a", 1), row("b", 2)])


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 1)), max_size=40))
@settings(derandomize=True, max_examples=200)
def test_the_minority_is_kept_whole_and_the_classes_balance(pool: list[tuple[int, int]]) -> None:
    triples = [(f"d{document}", f"c{number}", gold) for number, (document, gold) in enumerate(pool)]
    items = claims.balance(triples, "s")
    golds = Counter(item.gold for item in items)
    size = min(sum(gold for *_, gold in triples), sum(1 - gold for *_, gold in triples))
    assert golds[0] == golds[1] == size
    kept = {(item.evidence[0], item.candidate, item.gold) for item in items}
    assert len(kept) == 2 * size
    assert kept <= set(triples)
    assert len({(item.cluster, item.evidence) for item in items}) == len({item.cluster for item in items})
    assert sorted({item.cluster for item in items}) == list(range(len({item.evidence for item in items})))


# WiCE's upstream rows


def test_wice_joins_sentences_and_deletes_the_meta_data_marks() -> None:
    upstream = {
        "label": "supported",
        "supporting_sentences": [[1]],
        "claim": "C",
        "evidence": ["(meta data) TITLE: T", "One.", "(meta data)PUBLISHER: P", "Two. "],
        "meta": {"id": "test0"},
    }
    assert wice.adapt(upstream) == {
        "dataset": "Wice", "doc": "TITLE: T One. PUBLISHER: P Two.", "claim": "C", "label": 1
    }  # fmt: skip


@pytest.mark.parametrize(
    ("label", "supported"), [("supported", 1), ("partially_supported", 0), ("not_supported", 0)]
)
def test_wice_counts_partial_support_as_none(label: str, supported: int) -> None:
    assert wice.adapt({"label": label, "claim": "C", "evidence": []})["label"] == supported


def test_wice_leaves_the_hubs_rows_and_refuses_other_labels() -> None:
    published = row("a", 1, dataset="Wice")
    assert wice.adapt(published) is published
    with pytest.raises(InputError, match="'entailed'"):
        wice.adapt({"label": "entailed", "claim": "C", "evidence": []})
