"""Every number that the article prints, from its four queries written by hand, through every engine that can."""

import pytest

from denominator import evaluate
from denominator.measures import REGISTRY, parse_measure
from inputs import judged, ranked

QRELS = """\
q_faw m1 3
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
UNJUDGED_BUT_RELEVANT = "\nq_broad s3 1\nq_broad x1 1\nq_broad x2 1\nq_broad s4 1"
RUN = """\
q_faw m2 x3 m1 p1 d2 m3 s1 x1 p3 d5
q_store d2 s2 x4 s1 p2 s3 m4 d1 p5 x2
q_milk d1 s2 x1 d2 x3 d3 m1 p4 s4 x2
q_broad m1 s1 m2 m3 x1 m4 m5 m6 s2 d1"""
KEPT = "\n".join(" ".join(line.split()[:6]) for line in RUN.splitlines())
REORDERED = KEPT.replace("d1 s2 x1 d2 x3", "s2 x1 d2 d1 x3")
QUERIES = ("q_broad", "q_faw", "q_milk", "q_store")
ENGINES = ("auto", "pytrec_eval", "columnar", "reference")


def with_engines(*rows):
    """Return the rows (measure, expected …) once for every engine that has the measure."""
    return [
        (engine, *row)
        for row in rows
        for engine in ENGINES
        if engine == "auto" or engine in REGISTRY[parse_measure(row[0]).name].engines
    ]


def values(measure: str, engine: str, run: str = RUN, qrels: str = QRELS) -> dict[str, float]:
    """Return a measure's value for each query, to three decimals."""
    scores = evaluate(judged(qrels), ranked(run), measure, engine=engine)
    return {row.query_id: round(row.value, 3) for row in scores.rows()}


@pytest.mark.parametrize(
    ("engine", "measure", "broad", "faw", "milk", "store"),
    with_engines(
        ("P@5", 0.8, 0.4, 0.4, 0.4),
        ("R@5", 0.5, 0.667, 0.667, 0.667),
        ("RCap@5", 0.8, 0.667, 0.667, 0.667),
        ("RR", 1.0, 1.0, 1.0, 0.5),
        ("RR@5", 1.0, 1.0, 1.0, 0.5),
        ("nDCG@5", 0.88, 0.735, 0.811, 0.536),
        ("NumRel", 8, 3, 3, 3),
        ("R@10", 1.0, 1.0, 1.0, 1.0),
    ),
)
def test_every_query_has_the_articles_value(engine, measure, broad, faw, milk, store):
    """Per query, and the first stage's recall of ten: the numbers of the article, whoever computes them."""
    assert values(measure, engine) == dict(zip(QUERIES, (broad, faw, milk, store), strict=True))


@pytest.mark.parametrize(
    ("engine", "measure", "value"), with_engines(("R@5", 0.625), ("RCap@5", 0.7), ("P@5", 0.5), ("nDCG@5", 0.741))
)
def test_every_mean_is_the_articles(engine, measure, value):
    """The means over the four queries; capped recall is wrong on purpose and says 0.7."""
    (mean,) = evaluate(judged(QRELS), ranked(RUN), measure, engine=engine).means()
    assert (round(mean.value, 3), mean.n, mean.judged, mean.answered) == (value, 4, 4, 4)


@pytest.mark.parametrize("engine", ENGINES)
def test_missing_labels_inflate_recall(engine):
    """With the four unlabelled relevant documents of q_broad, recall at 5 is 5/12, not 4/8: x1 is one of them."""
    assert values("R@5", engine)["q_broad"] == 0.5
    true = values("R@5", engine, qrels=QRELS + UNJUDGED_BUT_RELEVANT)
    assert true == {"q_broad": 0.417, "q_faw": 0.667, "q_milk": 0.667, "q_store": 0.667}


@pytest.mark.parametrize("engine", ENGINES)
def test_the_second_stage_loses_what_the_first_found(engine):
    """Recall of the ten fetched less recall of the five kept: 0.5 of q_broad, a third of the others."""
    fetched, kept = values("R@10", engine), values("R@10", engine, KEPT)
    assert {query: round(fetched[query] - kept[query], 3) for query in QUERIES} == {
        "q_broad": 0.5,
        "q_faw": 0.333,
        "q_milk": 0.333,
        "q_store": 0.333,
    }


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("measure", "reordered", "original"),
    [("P@5", 0.4, 0.4), ("R@5", 0.667, 0.667), ("RR", 0.333, 1.0), ("nDCG@5", 0.481, 0.811)],
)
def test_order_moves_some_measures_and_not_others(engine, measure, reordered, original):
    """Moving d1 from rank 1 to rank 4 leaves P and R alone, and costs RR and nDCG."""
    assert (values(measure, engine, REORDERED)["q_milk"], values(measure, engine, KEPT)["q_milk"]) == (
        reordered,
        original,
    )


def test_ceilings_are_the_articles():
    """R@5 of q_broad is 4/8 and cannot pass 5/8, so 0.5 is 80% of it; P@5 of three relevant stops at 0.6."""
    rows = {(row.query_id, str(row.measure)): row for row in evaluate(judged(QRELS), ranked(RUN), "R@5 P@5").ledger()}
    assert str(rows["q_broad", "R@5"]) == "R@5 0.500 = 4/8, ceiling 0.625 (5/8), 80% of ceiling"
    assert str(rows["q_faw", "R@5"]) == "R@5 0.667 = 2/3, ceiling 1.000 (3/3), 67% of ceiling"
    assert (rows["q_faw", "P@5"].ceiling, rows["q_broad", "P@5"].ceiling) == (0.6, 1.0)
