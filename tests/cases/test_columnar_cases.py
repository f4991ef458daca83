"""Reported confusions, each with the right value worked by hand, through the columnar engine.

Inputs are a few lines, written here. A mean is over all judged queries.
"""

import math

import pytest

from denominator.engines import Settings, columnar
from denominator.measures import parse_measure
from inputs import judged, ranked


def values(qrels: str, run: str, measure: str, **settings) -> list[float]:
    """Return the measure's value of each judged query; the run answers every one of them in these cases."""
    asked = parse_measure(measure)
    return columnar.score(judged(qrels), ranked(run), [asked], Settings(**settings))[asked].tolist()


def mean(qrels: str, run: str, measure: str, **settings) -> float:
    found = values(qrels, run, measure, **settings)
    return math.fsum(found) / len(found)


def near(value: float) -> object:
    return pytest.approx(value, abs=5e-7)


def test_c001_real_gains_count_as_they_are():
    """Real-valued grades are gains: DCG = 0.9 + 1.5/log2 3 + 0.4/2 = 2.046395 of 2.267837; a level is named."""
    qrels = "q a 0.9\nq b 1.5\nq c 0.4"
    assert mean(qrels, "q a b c", "nDCG") == near(0.902355)
    assert mean(qrels, "q a b c", "AP(rel=0.5)") == 1.0
    assert mean(qrels, "q a b c", "AP", level=1.2) == 0.5
    assert mean(qrels, "q a b c", "nDCG(dcg='exp-log2')") == near(0.859868)


def test_c025_a_query_without_relevant_documents_is_zero():
    """|Rel| = 0 counts as 0 in the mean: AP = (1 + 0 + 1/2)/3, R@10 = 2/3, nDCG = (1 + 0 + 1/log2 3)/3."""
    qrels = "q1 a 1\nq2 b 0\nq2 c 0\nq3 d 1\nq3 e 0"
    run = "q1 a\nq2 b x\nq3 e d"
    assert mean(qrels, run, "AP") == 0.5
    assert mean(qrels, run, "R@10") == near(2 / 3)
    assert mean(qrels, run, "nDCG") == near(0.543643)
    for measure in (
        "Rprec",
        "SetR",
        "SetF",
        "SetAP",
        "Bpref",
        "infAP",
        "IPrec@0",
        "11pt_avg",
        "Rndcg",
        "ndcg_rel",
        "G",
    ):
        assert values(qrels, run, measure)[1] == 0.0, measure


def test_c036_the_level_moves_binary_measures_and_not_ndcg():
    """Level 1: AP = (0.805556 + 0.5)/2. Level 2: q1 has |Rel| = 2 at ranks 3 and 4, q2 has none. nDCG stays."""
    qrels = "q1 a 1\nq1 b 2\nq1 c 3\nq1 d 0\nq2 e 1\nq2 f 1"
    run = "q1 a d b c\nq2 e x"
    assert mean(qrels, run, "AP") == near(0.652778)
    assert mean(qrels, run, "RR") == 1.0
    assert mean(qrels, run, "AP", level=2) == near(0.208333)
    assert mean(qrels, run, "RR", level=2) == near(0.166667)
    assert mean(qrels, run, "R@10", level=2) == 0.5
    assert values(qrels, run, "NumRel", level=1) == [3, 2]
    assert values(qrels, run, "NumRel", level=2) == [2, 0]
    assert mean(qrels, run, "nDCG@10", level=2) == mean(qrels, run, "nDCG@10") == near(0.652240)
    assert mean(qrels, run, "AP(rel=2)", level=1) == near(0.208333)
    assert mean(qrels, run, "AP(rel=1)", level=2) == near(0.652778)


def test_c037_linear_and_exponential_gains_differ():
    """Gains 3,2,3,0,1,2 with a 3 and a 2 missed: linear 6.861127/8.740262, exponential 13.848264/18.437739."""
    qrels = "q a 3\nq b 2\nq c 3\nq d 0\nq e 1\nq f 2\nq g 3\nq h 2"
    run = "q a b c d e f"
    assert mean(qrels, run, "nDCG@6") == near(0.785002)
    assert mean(qrels, run, "nDCG") == near(0.756164)
    assert mean(qrels, run, "nDCG(dcg='exp-log2')@6") == near(0.751083)
    assert mean(qrels, run, "nDCG(gains={1:1,2:3,3:7})@6") == near(0.751083)
    assert mean(qrels, run, "AP") == near(0.661905)


def test_c038_a_negative_grade_is_pooled_and_not_judged():
    """With a -2 on top, AP = RR = 1/2 and nDCG = 1/log2 3; bpref and -J pass over it; all negative scores 0."""
    qrels, run = "q a -2\nq b 1\nq c 0", "q a b c"
    assert mean(qrels, run, "AP") == mean(qrels, run, "RR") == 0.5
    assert mean(qrels, run, "nDCG") == near(0.63093)
    assert mean(qrels, run, "Bpref") == 1.0
    assert mean(qrels, run, "P@1", judged_only=True) == 1.0
    assert mean(qrels, run, "P(judged_only=True)@1") == 1.0
    assert mean(qrels, run, "P@1") == 0.0
    assert mean(qrels, run, "Judged@2") == mean(qrels, run, "Unjudged@2") == 0.5
    assert values("q1 a -2\nq1 c -1\nq2 a 1", "q1 a b\nq2 a", "AP") == [0.0, 1.0]


def test_c045_one_document_returned_does_not_shorten_the_ideal():
    """One relevant document of five: IDCG@5 = 2.948459, so nDCG@5 = 0.339160; P@5 divides by 5."""
    qrels, run = "q a 1\nq b 1\nq c 1\nq d 1\nq e 1", "q a"
    assert mean(qrels, run, "nDCG@5") == mean(qrels, run, "nDCG") == near(0.33916)
    assert mean(qrels, run, "P@5") == mean(qrels, run, "AP") == mean(qrels, run, "R@5") == 0.2
    assert mean(qrels, run, "Success@5") == mean(qrels, run, "RR") == mean(qrels, run, "SetP") == 1.0


def test_c051_recall_at_k_has_a_ceiling_and_capped_recall_hides_it():
    """|Rel| = 20, 1 and 4: R@10 = (10/20 + 1 + 2/4)/3 = 2/3; capped (10/10 + 1 + 2/4)/3 = 5/6."""
    qrels = "\n".join([f"q1 a{n} 1" for n in range(20)] + ["q2 b 1"] + [f"q3 c{n} 1" for n in range(4)])
    run = "\n".join(
        [
            "q1 " + " ".join(f"a{n}" for n in range(10)),
            "q2 x0 x1 b x3 x4 x5 x6 x7 x8 x9",
            "q3 c0 x1 x2 x3 x4 c1 x6 x7 x8 x9",
        ]
    )
    assert mean(qrels, run, "R@10") == near(2 / 3)
    assert mean(qrels, run, "RCap@10") == near(5 / 6)
    assert mean(qrels, run, "Success@10") == 1.0
    assert mean(qrels, run, "P@10") == near(1.3 / 3)
    assert mean(qrels, run, "R@1") == near(0.1)
    assert mean(qrels, run, "RR") == near(7 / 9)


def test_c052_ap_at_k_divides_by_all_relevant_documents():
    """Five of five relevant with |Rel| = 12 is AP@5 = 5/12; one of |Rel| = 2 at the top is 1/2."""
    qrels = "\n".join([f"q1 d{n} 1" for n in range(12)] + ["q2 e 1", "q2 f 1"])
    run = "q1 d0 d1 d2 d3 d4\nq2 e x1 x2 x3 x4"
    assert mean(qrels, run, "AP@5") == near(0.458333)
    assert mean(qrels, run, "R@5") == near(0.458333)
    assert mean(qrels, run, "nDCG@5") == near(0.806574)


def test_c058_unjudged_documents_count_as_not_relevant_unless_condensed():
    """u1 u2 d1 u3 d3 d2: AP = (1/3 + 2/6)/2; condensed (1 + 2/3)/2; bpref (1 + (1 - 1/2))/2; 2 of 5 judged."""
    qrels, run = "q d1 1\nq d2 1\nq d3 0\nq d4 0", "q u1 u2 d1 u3 d3 d2"
    assert mean(qrels, run, "P@5") == 0.2
    assert mean(qrels, run, "AP") == mean(qrels, run, "RR") == near(1 / 3)
    assert mean(qrels, run, "nDCG") == near(0.524981)
    assert mean(qrels, run, "Judged@5") == 0.4
    assert mean(qrels, run, "Unjudged@5") == mean(qrels, run, "unj@5") == 0.6
    assert mean(qrels, run, "Bpref") == 0.75
    assert mean(qrels, run, "AP", judged_only=True) == near(0.833333)
    assert mean(qrels, run, "AP(judged_only=True)") == near(0.833333)
