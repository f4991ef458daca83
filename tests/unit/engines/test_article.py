"""The article's numbers, to the three decimals it prints, from every engine that has the measure."""

from __future__ import annotations

import pytest

from denominator import evaluate
from denominator.engines import ENGINES, Settings, engine
from denominator.measures import parse_measure
from denominator.model import Qrels, Run
from inputs import judged, ranked

JUDGED = """q_faw m1 3
q_faw m2 2
q_faw m3 1
q_store s1 3
q_store s2 2
q_store s3 1
q_milk d1 3
q_milk d2 2
q_milk d3 1
q_broad m1 3
q_broad m2 3
q_broad m3 2
q_broad m4 2
q_broad m5 1
q_broad m6 1
q_broad s1 2
q_broad s2 1"""
TRULY_RELEVANT = f"{JUDGED}\nq_broad s3 1\nq_broad x1 1\nq_broad x2 1\nq_broad s4 1"
RANKED = """q_faw m2 x3 m1 p1 d2 m3 s1 x1 p3 d5
q_store d2 s2 x4 s1 p2 s3 m4 d1 p5 x2
q_milk d1 s2 x1 d2 x3 d3 m1 p4 s4 x2
q_broad m1 s1 m2 m3 x1 m4 m5 m6 s2 d1"""
REORDERED = "q_milk s2 x1 d2 d1 x3"

PER_QUERY = {
    "P@5": [0.4, 0.4, 0.4, 0.8],
    "R@5": [0.667, 0.667, 0.667, 0.5],
    "RCap@5": [0.667, 0.667, 0.667, 0.8],
    "RR": [1.0, 0.5, 1.0, 1.0],
    "nDCG@5": [0.735, 0.536, 0.811, 0.88],
    "R@10": [1.0, 1.0, 1.0, 1.0],
}
MEANS = {"R@5": 0.625, "RCap@5": 0.7, "P@5": 0.5, "nDCG@5": 0.741}
MOVED = {"P@5": 0.4, "R@5": 0.667, "RR": 0.333, "nDCG@5": 0.481}


def having(table: dict[str, object]) -> list[tuple[str, str]]:
    """Return each measure with each engine that has it."""
    return [(name, measure) for measure in table for name in ENGINES if name in parse_measure(measure).spec.engines]


def values(name: str, qrels: Qrels, run: Run, measure: str) -> list[float]:
    """Return an engine's values to three decimals, in the order of the judgments."""
    one = parse_measure(measure)
    return [round(value, 3) for value in engine(name).score(qrels, run, [one], Settings())[one].tolist()]


@pytest.mark.parametrize(("name", "measure"), having(PER_QUERY))
def test_every_query_has_the_articles_number(name: str, measure: str):
    """q_faw, q_store, q_milk and q_broad."""
    assert values(name, judged(JUDGED), ranked(RANKED), measure) == PER_QUERY[measure]


@pytest.mark.parametrize(("name", "measure"), having(MEANS))
def test_every_mean_is_the_articles(name: str, measure: str):
    """Over the four queries; capping the denominator of recall turns 0.625 into 0.7."""
    (mean,) = evaluate(judged(JUDGED), ranked(RANKED), measure, engine=name).means()
    assert (round(mean.value, 3), mean.n) == (MEANS[measure], 4)


@pytest.mark.parametrize(("name", "measure"), having(MOVED))
def test_moving_one_document_moves_rr_and_ndcg_only(name: str, measure: str):
    """The same five documents for q_milk, with d1 down from rank 1 to rank 4."""
    milk = judged("\n".join(line for line in JUDGED.splitlines() if line.startswith("q_milk")))
    assert values(name, milk, ranked(REORDERED), measure) == [MOVED[measure]]


@pytest.mark.parametrize("name", ENGINES)
def test_partial_labels_inflate_recall(name: str):
    """With all twelve relevant documents judged, q_broad's R@5 is 0.417 and not 0.5."""
    found = values(name, judged(TRULY_RELEVANT), ranked(RANKED), "R@5")
    assert found == [0.667, 0.667, 0.667, 0.417]


@pytest.mark.parametrize("name", ENGINES)
def test_what_is_lost_between_the_stages(name: str):
    """R@10 of the fetch less R@5 of what is kept: a third for three queries, half for q_broad."""
    qrels, run = judged(JUDGED), ranked(RANKED)
    fetched, kept = values(name, qrels, run, "R@10"), values(name, qrels, run, "R@5")
    assert [round(a - b, 3) for a, b in zip(fetched, kept, strict=True)] == [0.333, 0.333, 0.333, 0.5]
