"""Family D: every ceiling, denominator and coverage is the number worked by hand, and the one that `score` prints."""

import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import denominator as dn
from audits import AGRI, AGRI_RUN, at, audit, queries, the
from denominator.audit.counted import have, number
from denominator.audit.intervals import half_width, student_t
from denominator.audit.registry import CHECKS
from denominator.model import Severity

MANY = "\n".join([f"q1 a{n:02} 1" for n in range(1, 21)] + ["q2 b1 1"] + [f"q3 c{n} 1" for n in range(1, 5)])
MANY_RUN = "\n".join(
    [
        "q1 " + " ".join(f"a{n:02}" for n in range(1, 11)),
        "q2 x1 x2 b1 x4 x5 x6 x7 x8 x9 x10",
        "q3 c1 y2 y3 y4 y5 c2 y7 y8 y9 y10",
    ]
)


def near(value: float) -> object:
    return pytest.approx(value, abs=5e-7)


def test_c051_recall_stands_beside_its_ceiling():
    """|Rel| is 20, 1 and 4: R@10 is 2/3 of a possible 5/6, and P@10 13/30 of a possible 1/2."""
    recall = the("D101", MANY, MANY_RUN, k=10)
    assert recall.numbers["R@10"] == near(2 / 3)
    assert recall.numbers["ceiling R@10"] == near(5 / 6)
    assert (queries(recall), at(recall, "q1")["ceiling"]) == (["q1"], 0.5)
    assert "0.667" in recall.message
    assert "0.833: 1 of 3 queries has more than 10 relevant documents" in recall.message
    precision = the("D103", MANY, MANY_RUN, k=10)
    assert (precision.numbers["P@10"], precision.numbers["ceiling P@10"]) == (near(13 / 30), near(0.5))
    first = the("D101", MANY, MANY_RUN, k=1)
    assert (first.numbers["R@1"], first.numbers["ceiling R@1"]) == (near(0.1), near(13 / 30))
    capped = the("D109", MANY, MANY_RUN, k=10)
    assert (capped.numbers["RCap@10"], capped.numbers["R@10"]) == (near(5 / 6), near(2 / 3))


def test_c052_a_perfect_top_five_has_an_average_precision_below_one():
    """AP@5 divides by 12 and by 2: 11/24, of a possible 17/24; divided by min(k, |Rel|) it would read 3/4."""
    qrels = "\n".join([f"q1 d{n:02} 1" for n in range(1, 13)] + ["q2 e1 1", "q2 e2 1"])
    found = the("D104", qrels, "q1 d01 d02 d03 d04 d05\nq2 e1 x1 x2 x3 x4", k=5)
    assert found.numbers["AP@5"] == near(0.458333)
    assert found.numbers["ceiling AP@5"] == near(0.708333)
    assert found.numbers["AP@5 by min(k, |Rel|)"] == near(0.75)
    assert "cannot exceed 0.708" in found.message
    assert "it would read 0.750" in found.message


def test_c045_one_document_for_a_cutoff_of_five_has_a_low_ceiling():
    """The ideal is of all five relevant documents: nDCG@5 is 0.339 at best, AP@5 0.2; full lists could reach 1."""
    files = "\n".join(f"q1 d{n} 1" for n in range(1, 6)), "q1 d1"
    ndcg = the("D106", *files, k=5)
    assert ndcg.numbers["ceiling nDCG@5"] == ndcg.numbers["nDCG@5"] == near(0.339160)
    ap = the("D105", *files, k=5)
    assert (ap.numbers["ceiling AP@5"], ap.numbers["ceiling of full lists"]) == (near(0.2), 1.0)
    assert not audit(*files, k=5, select="D107"), "one document is enough for a success"
    assert not audit(*files, k=1, select="D105,D106"), "a list of one is long enough at 1"


def test_as_many_relevant_documents_as_places_cap_nothing():
    """With |Rel| = k recall, precision and AP can all be 1, and no recall has few steps."""
    assert not audit("q1 d1 1\nq1 d2 1", "q1 d2 d1", k=2, select="D101,D103,D104,D105,D106,D107,D108,D109")


def test_a_query_that_is_not_answered_has_no_short_list():
    """Its list is missing, which is another finding: the ceiling is of the lists that are there."""
    assert not audit("q1 d1 1\nq2 e1 1", "q1 d1", k=1, select="D105,D106,D107")
    found = the("D105", "q1 d1 1\nq1 d2 1\nq2 e1 1", "q1 d1", k=2)
    assert (queries(found), found.numbers["ceiling AP@2"]) == (["q1"], 0.75)


def test_c020_missing_queries_change_the_mean():
    """Two of four queries unanswered: AP is 0.375 over all and would read 0.750 over the answered."""
    found = the("D110", "q1 d1 1\nq1 d2 0\nq2 d3 1\nq2 d4 1\nq3 d5 1\nq4 d6 1", "q1 d1 d2\nq2 d3 d9")
    assert (found.numbers["AP"], found.numbers["AP over answered"]) == (0.375, 0.75)
    assert (found.numbers["nDCG@10"], found.numbers["nDCG@10 over answered"]) == (near(0.403287), near(0.806574))
    assert (queries(found), found.severity) == (["q3", "q4"], Severity.WARNING)
    assert "answers 2 of 4 judged queries" in found.message


def test_a_run_that_answers_no_judged_query_is_an_error():
    """`score` refuses it, so it is worse than a warning."""
    assert the("D110", "q1 d1 1", "q7 d1").severity is Severity.ERROR


def test_c021_queries_without_judgments_are_in_no_mean():
    """q3 and q4 are not judged: AP stays 0.75; counted as 0 they would make it 0.375."""
    found = the("D111", "q1 d1 1\nq2 d2 1", "q1 d1\nq2 d9 d2\nq3 d1\nq4 d1")
    assert (found.numbers["AP"], found.numbers["AP with them as 0"]) == (0.75, 0.375)
    assert (queries(found), found.severity) == (["q3", "q4"], Severity.INFO)
    assert the("D111", "q1 d1 1\nq2 d2 1", "q1 d1\nq3 d1").severity is Severity.WARNING


def test_c025_a_query_without_relevant_documents_is_undefined_and_caps_the_mean():
    """One of three queries has nothing relevant: AP 0.5, 0.75 without it, and no system can exceed 2/3."""
    files = "q1 d1 1\nq2 d2 0\nq2 d3 0\nq3 d4 1\nq3 d5 0", "q1 d1\nq2 d2 d9\nq3 d5 d4"
    undefined = the("D102", *files)
    assert (undefined.numbers["AP"], undefined.numbers["AP over answerable"]) == (0.5, 0.75)
    assert (undefined.numbers["R@10"], undefined.numbers["R@10 over answerable"]) == (near(2 / 3), 1.0)
    cap = the("D112", *files)
    assert (cap.numbers["best mean"], queries(cap)) == (near(2 / 3), ["q2"])
    assert "2/3 = 0.6667" in cap.message
    success = the("D107", *files, k=10)
    assert success.numbers["ceiling Success@10"] == near(2 / 3)
    ndcg = the("D106", *files, k=10)
    assert ndcg.numbers["ceiling nDCG@10"] == near(2 / 3)


def test_c094_a_perfect_run_reaches_three_quarters():
    """One of four queries cannot score: the best mean is 0.75 and a perfect run has it, 1.0 over the others."""
    qrels = "1 A#10#0 1\n1 A#11#2 0\n2 B#7#1 1\n2 B#7#2 1\n3 C#5#0 0\n3 C#5#1 0\n4 D#1#9 1"
    run = "1 A#10#0 A#11#2\n2 B#7#1 B#7#2\n3 C#5#0\n4 D#1#9"
    cap = the("D112", qrels, run)
    assert (cap.numbers["best mean"], queries(cap)) == (0.75, ["3"])
    undefined = the("D102", qrels, run, k=100)
    assert (undefined.numbers["R@100"], undefined.numbers["R@100 over answerable"]) == (0.75, 1.0)
    assert the("D106", qrels, run, k=20).numbers == {
        "ceiling nDCG@20": 0.75,
        "queries": 1,
        "nDCG@20": 0.75,
        "share of ceiling": 1.0,
    }


def test_the_article():
    """k = 5, 24 passages: q_broad can reach 0.625; the mean 0.625 would read 0.700 capped; P@5 is at most 0.6."""
    recall = the("D101", AGRI, AGRI_RUN, k=5)
    assert at(recall, "q_broad") == {"k": 5, "rel": 8, "ceiling": 0.625, "R@5": 0.5}
    capped = the("D109", AGRI, AGRI_RUN, k=5)
    assert (capped.numbers["RCap@5"], capped.numbers["R@5"]) == (near(0.7), near(0.625))
    assert at(the("D103", AGRI, AGRI_RUN, k=5), "q_milk")["ceiling"] == 0.6
    assert queries(the("D108", AGRI, AGRI_RUN, k=5)) == ["q_faw", "q_milk", "q_store"]
    coverage = the("D113", AGRI, AGRI_RUN, corpus_size=24)
    assert at(coverage, "q_broad")["relevant_share"] == near(8 / 24)
    assert at(coverage, "q_faw")["relevant_share"] == 0.125
    assert "3 to 8 (17.7% in the mean) are judged" in coverage.message
    low = the("D114", AGRI, AGRI_RUN, corpus_size=24, min_coverage=0.2)
    assert (queries(low), low.numbers["lowest"]) == (["q_faw", "q_milk", "q_store"], 0.125)


def test_coverage_needs_a_size_and_a_minimum():
    """Without the size of the collection nothing is said of coverage, without a minimum no coverage is too low."""
    assert not audit(AGRI, AGRI_RUN, select="D113,D114,D116", min_coverage=0.9)
    assert not audit(AGRI, AGRI_RUN, select="D114", corpus_size=24)
    assert not audit(AGRI, AGRI_RUN, select="D114", corpus_size=24, min_coverage=0.125)


def test_coverage_counts_judged_documents_only():
    """A grade below 0 is in the pool and not judged."""
    assert at(the("D113", "q1 d1 1\nq1 d2 0\nq1 d3 -1", corpus_size=8), "q1")["coverage"] == 0.25


def test_a_corpus_smaller_than_its_judgments_is_an_error():
    """Three distinct documents are judged, one of them twice: a collection of two cannot be, one of three can."""
    qrels = "q1 d1 1\nq1 d2 0\nq2 d1 1\nq2 d3 1"
    found = the("D116", qrels, corpus_size=2)
    assert (found.severity, found.numbers["judged documents"]) == (Severity.ERROR, 3)
    assert not audit(qrels, corpus_size=3, select="D116")


def test_the_level_decides_what_is_relevant():
    """At level 2 one query loses its only relevant document, and nDCG, which ignores the level, does not."""
    qrels = "q1 d1 1\nq2 d2 2\nq2 d3 2"
    found = the("D112", qrels, "q1 d1\nq2 d2", level=2)
    assert (found.numbers["best mean"], found.numbers["best nDCG"], queries(found)) == (0.5, 1.0, ["q1"])
    assert not audit(qrels, "q1 d1\nq2 d2", select="D112")
    assert the("D101", qrels, "q1 d1\nq2 d2", level=2, k=1).numbers["R@1"] == 0.25
    ndcg = the("D106", "q1 d1 0\nq2 d2 2", "q1 d1\nq2 d2", level=3)
    assert ndcg.numbers["ceiling nDCG@10"] == 0.5
    assert "exceed 0.500: 1 of 2 queries has nothing to find." in ndcg.message
    assert the("D107", qrels, "q1 d1\nq2 d2", level=2).numbers["ceiling Success@10"] == 0.5


def test_ceilings_need_no_run():
    """The judgments and the cutoff decide a ceiling: it is told of the judgments when there is no run."""
    found = audit("q1 d1 1\nq1 d2 1\nq1 d3 1\nq2 d4 1", k=2, select="D")
    ceilings = {one.code: one.numbers for one in found}
    assert ceilings["D101"]["ceiling R@2"] == near(5 / 6)
    assert ceilings["D103"]["ceiling P@2"] == 0.75
    assert ceilings["D104"]["ceiling AP@2"] == near(5 / 6)
    assert set(ceilings) == {"D101", "D103", "D104", "D108", "D115"}
    assert {one.source for one in found} == {"dict"}
    undefined = the("D102", "q1 d1 0\nq2 d2 1")
    assert (undefined.numbers, queries(undefined)) == ({"queries": 1}, ["q1"])


def test_few_queries_are_told_with_their_interval():
    """Recall 1 and 0 over two queries is 0.5 ± 12.706 · 0.7071/√2 = 6.353; one query has no interval."""
    found = the("D115", "q1 d1 1\nq2 d2 1", "q1 d1\nq2 x1", k=1)
    assert (found.numbers["R@1"], found.numbers["R@1 ±"]) == (0.5, pytest.approx(6.353, abs=5e-4))
    assert "R@1 is 0.500 ± 6.353" in found.message
    assert "95% t-interval" in found.message
    assert the("D115", "q1 d1 1", "q1 d1", k=1).numbers["R@1 ±"] is None
    assert not audit("q1 d1 1\nq2 d2 1", "q1 d1\nq2 x1", select="D115", min_queries=2)


@pytest.mark.parametrize(
    ("degrees", "t"),
    [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (9, 2.262), (24, 2.064), (30, 2.042), (120, 1.980)],
)
def test_students_t_is_the_printed_table(degrees: int, t: float):
    """The two-sided 95% points are those of the tables."""
    assert round(student_t(degrees), 3) == t


def test_the_interval_is_t_times_the_standard_error():
    """Ten values with s = 0.112 have ±0.080; equal values have no width; one value has no interval."""
    values = np.array([-1.0, 1.0] * 5)
    values *= 0.112 / values.std(ddof=1)
    assert half_width(values) == pytest.approx(0.080, abs=5e-4)
    assert half_width(np.array([0.5, 0.5])) == 0.0
    assert half_width(np.array([0.5])) is None


def test_counts_read_as_sentences():
    """One has, two have; one query, two queries."""
    assert have(1, 1, "documents", ("is", "are")) == "1 of 1 document is"
    assert have(2, 2_000) == "2 of 2,000 queries have"
    assert (number(0, "queries"), number(1, "queries")) == ("0 queries", "1 query")


QUERIES = ["q1", "q2", "q10", "9"]
ROWS = st.tuples(st.sampled_from(QUERIES), st.sampled_from([f"d{n}" for n in range(12)]))
QRELS = st.dictionaries(ROWS, st.sampled_from([-2, -1, 0, 0, 1, 1, 2, 3]), min_size=1, max_size=40)
RUN = st.dictionaries(ROWS, st.sampled_from([3.0, 2.0, 2.0, 1.0, 0.0, -1.5, math.inf, -math.inf]), max_size=40)
SETTINGS = st.fixed_dictionaries(
    {"k": st.sampled_from([(1,), (2, 5), (10,)]), "level": st.sampled_from([1, 2]), "min_queries": st.just(9)}
)


def rows(pairs: dict[tuple[str, str], float], shuffled: random.Random | None = None) -> list[tuple[str, str, float]]:
    listed = [(*pair, value) for pair, value in pairs.items()]
    if shuffled is not None:
        shuffled.shuffle(listed)
    return listed


def told(found: dn.Findings) -> list[tuple[object, ...]]:
    return [
        (one.code, one.source, one.severity, one.message, dict(one.numbers), [repr(place) for place in one.places])
        for one in found
    ]


@given(QRELS, RUN, RUN, QRELS, SETTINGS, st.randoms(use_true_random=False))
@settings(max_examples=80, deadline=None)
def test_findings_do_not_depend_on_the_order_of_rows(judgments, ours, theirs, truth, chosen, shuffle):
    """The same rows in another order have the same findings, places and numbers, to the last bit."""
    both = []
    for order in (None, shuffle):
        runs = {name: rows(run, order) for name, run in (("a", ours), ("b", theirs)) if run}
        more = {"corpus_size": 5, "min_coverage": 0.9, "truth": rows(truth, order)}
        both.append(told(dn.audit(rows(judgments, order), runs or (), select="D,J", **more, **chosen)))
    assert both[0] == both[1]


OPTIONS = {
    "": {},
    "over answered": {"queries": "answered"},
    "over answerable": {"queries": "answerable"},
    "judged_only": {"judged_only": True},
}


def judged_queries(judgments) -> set[str]:
    return {query for query, _ in judgments}


@given(QRELS, RUN, SETTINGS)
@settings(max_examples=80, deadline=None)
def test_every_stated_mean_is_what_score_prints(judgments, scores, chosen):
    """A number under a measure's name is its mean; over answered, over answerable and judged_only are the options."""
    if not judged_queries(judgments) & judged_queries(scores):
        return
    found = dn.audit(rows(judgments), {"a": rows(scores)}, select="D,J", **chosen)
    stated = [
        (one.code, *name.partition(" ")[::2], value)
        for one in found
        for name, value in one.numbers.items()
        if name.startswith(("AP", "R@", "RCap@", "P@", "nDCG@", "Success@"))
    ]
    for words, option in OPTIONS.items():
        some = [(code, name, value) for code, name, rest, value in stated if rest == words]
        if some:
            names = list(dict.fromkeys(name for _, name, _ in some))
            files = rows(judgments), {"a": rows(scores)}
            printed = dn.evaluate(*files, names, level=chosen["level"], engine="columnar", **option).means()
            means = {str(mean.measure): mean.value for mean in printed}
            assert [one for one in some if means[one[1]] != one[2]] == []


@given(QRELS, RUN, SETTINGS)
@settings(max_examples=60, deadline=None)
def test_no_value_is_above_its_ceiling(judgments, scores, chosen):
    """Of the mean and of every query, the ceiling is at least the value."""
    found = dn.audit(rows(judgments), {"a": rows(scores)} if scores else (), select="D", **chosen)
    for one in found:
        share = one.numbers.get("share of ceiling")
        assert share is None or 0 <= share <= 1 + 1e-12
        for place in one.places:
            value = next((v for name, v in place.values.items() if "@" in name), 0.0)
            assert value <= place.values.get("ceiling", math.inf) + 1e-12


def test_every_code_of_the_family_is_held_here():
    """The codes are given once and stay."""
    assert [code for code in CHECKS if code[0] == "D"] == [f"D{number}" for number in range(101, 117)]


@pytest.mark.shared
def test_ciral_swahili_test_b_cannot_reach_one(shared):
    """Query 23 has one judgment and nothing relevant: the best mean is 113/114 = 0.9912."""
    (cap,) = dn.audit(shared / "data/ciral/qrels/qrels.ciral-v1.0-sw-test-b.tsv", select="D112")
    assert (queries(cap), at(cap, "23")["judged"]) == (["23"], 1)
    assert "1 of 114 judged queries has no relevant document" in cap.message
    assert "113/114 = 0.9912" in cap.message
    assert cap.numbers["best mean"] == 113 / 114


@pytest.mark.shared
def test_pooled_judgments_lower_the_ceiling_of_recall(shared):
    """Swahili test-a: R@10 can reach 0.980 on the shallow judgments and 0.472 on the pooled ones."""
    best = []
    for split in ("test-a", "test-a-pools"):
        (found,) = dn.audit(shared / f"data/ciral/qrels/qrels.ciral-v1.0-sw-{split}.tsv", select="D101", k=10)
        best.append(round(found.numbers["ceiling R@10"], 3))
    assert best == [0.980, 0.472]


@pytest.mark.shared
def test_clean_public_files_have_no_error(shared):
    """Nothing that families D and J say of cacm, dl19 and the CIRAL dev runs is an error."""
    data = shared / "data"
    pairs = [(data / f"runs/{name}.qrels.gz", [data / f"runs/{name}/bm25.run.gz"]) for name in ("cacm", "dl19")]
    pairs += [
        (data / f"ciral/qrels/qrels.ciral-v1.0-{language}-dev.tsv", sorted((data / "ciral/runs").glob(f"{language}-*")))
        for language in ("ha", "so", "sw", "yo")
    ]
    for qrels, runs in pairs:
        found = dn.audit(qrels, runs, k=(5, 10, 100), select="D,J")
        assert len(runs) >= 1
        assert len(found)
        assert found.at_least(Severity.ERROR) == ()
