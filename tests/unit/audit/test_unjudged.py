"""Family J: what is unjudged is counted as it is, and what it may hide is said with both ends."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import denominator as dn
from audits import AGRI, AGRI_RUN, at, audit, queries, the
from denominator.audit.registry import CHECKS
from denominator.model import Severity

C058 = "q1 d1 1\nq1 d2 1\nq1 d3 0\nq1 d4 0", "q1 u1 u2 d1 u3 d3 d2"
TRUE = "\n".join([AGRI, *(f"q_broad {document} 1" for document in ("s3", "x1", "x2", "s4"))])


def near(value: float) -> object:
    return pytest.approx(value, abs=5e-7)


def test_c058_three_of_the_top_five_are_unjudged():
    """Judged@5 is 0.4; P@5 is 0.2 if none of the three is relevant and 0.8 if all are."""
    low = the("J101", *C058, k=5)
    assert (low.numbers["Judged@5"], at(low, "q1")["judged"]) == (0.4, 0.4)
    top = the("J102", *C058, k=5)
    assert (top.numbers["P@5"], top.numbers["P@5 if all were relevant"]) == (0.2, 0.8)
    assert at(top, "q1") == {"k": 5, "unjudged": 3, "lowest": 0.2, "highest": 0.8}
    assert "3 of 5 documents are unjudged in the top 5" in top.message


def test_c058_the_condensed_list_scores_otherwise():
    """AP is 1/3 as the list stands, and 5/6 without the unjudged documents."""
    found = the("J104", *C058, k=5)
    assert (found.numbers["AP"], found.numbers["AP judged_only"]) == (near(1 / 3), near(5 / 6))
    assert "AP 0.833 instead of 0.333" in found.message


def test_min_judged_decides_what_is_few():
    """At a minimum of 0.4 a Judged@5 of 0.4 is enough."""
    assert not audit(*C058, k=5, min_judged=0.4, select="J101")


def test_a_query_that_is_not_answered_is_neither_judged_nor_unjudged():
    """Judged@k is over the answered queries: a missing one does not lower it."""
    found = the("J101", C058[0] + "\nq2 e1 1", C058[1], k=5)
    assert (found.numbers["Judged@5"], queries(found)) == (0.4, ["q1"])
    assert not audit("q1 d1 1\nq2 e1 1", "q1 d1", k=5, select="J")


def test_a_negative_grade_is_not_a_judgment():
    """A document with a grade below 0 is in the pool and unjudged."""
    found = the("J102", "q1 d1 1\nq1 d2 -1", "q1 d1 d2", k=2)
    assert (found.numbers["P@2"], found.numbers["P@2 if all were relevant"]) == (0.5, 1.0)


def test_the_level_decides_the_lower_end():
    """At level 2 the document of grade 1 is not relevant, judged as it is."""
    found = the("J102", "q1 d1 1\nq1 d2 2", "q1 d1 u1", k=2, level=2)
    assert (found.numbers["P@2"], found.numbers["P@2 if all were relevant"]) == (0.0, 0.5)


def test_a_run_that_is_less_judged_than_another_is_named():
    """60% of one run's top 5 are unjudged and 20% of the other's: its nDCG@5 is lower, its condensed one higher."""
    found = the("J103", C058[0], "q1 d3 d1 d4 d2 u9", C058[1], k=5)
    assert (found.source, found.severity) == ("theirs", Severity.WARNING)
    assert (found.numbers["Unjudged@5"], found.numbers["Unjudged@5 of the other"]) == (near(0.6), near(0.2))
    assert found.numbers["nDCG@5"] < found.numbers["nDCG@5 of the other"]
    assert found.numbers["nDCG@5 judged_only"] > found.numbers["nDCG@5 judged_only of the other"]
    assert "60.0% of the top 5 are unjudged, 20.0% in ours: less judged, not worse" in found.message
    assert at(found, "q1") == {"k": 5, "unjudged": near(0.6), "other": near(0.2)}


def test_one_run_is_compared_with_none_and_equals_are_not_apart():
    """A single run has nothing to be less judged than; nor has one with the same share; nor a run without answers."""
    assert not audit(*C058, k=5, select="J103")
    assert not audit(*C058, C058[1], k=5, select="J103")
    assert not audit(*C058, "q9 d1", k=5, select="J103")


def test_the_residual_of_rank_biased_precision():
    """u u r n: RBP is 0.2 · 0.64 = 0.128, the unjudged could add 0.36, and 0.8⁴ lies below the end of the list."""
    found = the("J105", C058[0], "q1 u1 u2 d1 d3")
    assert found.numbers["RBP(p=0.8)"] == near(0.128)
    assert found.numbers["RBP(p=0.8) if all were relevant"] == near(0.488)
    assert found.numbers["residual"] == near(0.36 + 0.8**4)


def test_the_residual_of_a_list_that_is_all_judged_is_its_tail():
    """trec_eval gives 0 to a list without unjudged documents; what it did not retrieve is unknown all the same."""
    found = the("J105", "q1 d1 1\nq2 d2 1", "q1 d1\nq2 u1 d2")
    assert found.numbers["residual"] == near((0.8 + (0.2 + 0.64)) / 2)
    assert queries(found) == ["q2"]
    assert not audit("q1 d1 1", "q1 d1", select="J105")


def test_the_article_labels_inflate_recall():
    """q_broad reads 4/8 = 0.500 on the labels and 5/12 = 0.417 on the truth, the means 0.625 and 0.604."""
    found = the("J106", AGRI, AGRI_RUN, truth=TRUE, k=5)
    assert at(found, "q_broad") == {"k": 5, "rel": 8, "true_rel": 12, "recall": 0.5, "true_recall": near(0.416667)}
    assert (found.numbers["R@5"], found.numbers["true R@5"]) == (near(0.625), near(0.604167))
    assert (found.numbers["relevant"], found.numbers["true relevant"]) == (17, 21)
    assert (queries(found), found.severity) == (["q_broad"], Severity.WARNING)


def test_a_truth_is_compared_on_the_queries_of_both():
    """A truth for one of four queries says something of that one; the same judgments, or others', say nothing."""
    only_broad = "\n".join(line for line in TRUE.splitlines() if line.startswith("q_broad"))
    found = the("J106", AGRI, AGRI_RUN, truth=only_broad, k=5)
    assert (found.numbers["R@5"], found.numbers["true R@5"], found.numbers["queries of both"]) == (0.5, near(5 / 12), 1)
    assert not audit(AGRI, AGRI_RUN, truth=AGRI, k=5, select="J106")
    assert not audit(AGRI, AGRI_RUN, truth="q9 d1 1", k=5, select="J106")
    assert not audit(AGRI, AGRI_RUN, k=5, select="J106")


PAIRS = st.dictionaries(
    st.tuples(st.sampled_from(["q1", "q2", "q3"]), st.sampled_from([f"d{n}" for n in range(9)])),
    st.sampled_from([-1, 0, 1, 2]),
    min_size=1,
    max_size=20,
)


@given(PAIRS, PAIRS, st.sampled_from([1, 3, 10]))
@settings(max_examples=60, deadline=None)
def test_judging_all_unjudged_as_relevant_gives_the_upper_ends(judgments, run, k):
    """P@k and RBP reach what is stated when every unjudged document of the run is judged relevant."""
    found = {one.code: one.numbers for one in dn.audit(rows(judgments), {"a": rows(run)}, k=k, select="J102,J105")}
    held = {query for query, _ in judgments}
    full = {**{pair: 1 for pair in run if pair[0] in held and judgments.get(pair, -1) < 0}}
    more = {**judgments, **full}
    if not held & {query for query, _ in run}:
        return
    if "J102" in found:
        after = dn.evaluate(rows(more), {"a": rows(run)}, f"P@{k}").means()[0].value
        assert found["J102"][f"P@{k} if all were relevant"] == pytest.approx(after, abs=1e-12)
    if "J105" in found:
        scores = dn.evaluate(rows(more), {"a": rows(run)}, "RBP(p=0.8)", queries="answered")
        assert found["J105"]["RBP(p=0.8) if all were relevant"] == pytest.approx(scores.means()[0].value, abs=1e-12)


def rows(pairs):
    return [(*pair, value) for pair, value in pairs.items()]


def test_every_code_of_the_family_is_held_here():
    """The codes are given once and stay."""
    assert [code for code in CHECKS if code[0] == "J"] == [f"J{number}" for number in range(101, 107)]


@pytest.mark.shared
def test_splade_is_less_judged_than_bm25(shared):
    """On dl19 7.4% of splade's top 10 are unjudged and none of bm25's, whose pool it was not in."""
    runs = [shared / f"data/runs/dl19/{name}.run.gz" for name in ("splade", "bm25")]
    (found,) = dn.audit(shared / "data/runs/dl19.qrels.gz", runs, k=10, select="J103")
    assert found.source.endswith("splade.run.gz")
    assert found.numbers["Unjudged@10"] == pytest.approx(32 / 430)
    assert found.numbers["nDCG@10 judged_only"] > found.numbers["nDCG@10"]
