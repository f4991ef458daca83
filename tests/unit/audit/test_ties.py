"""Family T: what equal, nearly equal and odd scores do to a number, and the number itself."""

import gzip
import math
import random
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st

import denominator as dn
from audits import queries
from denominator.audit.tied import Groups
from denominator.audit.ties import _decimals
from denominator.model import Severity
from lines import grades, printed, rows


def near(value: float) -> object:
    return pytest.approx(value, abs=5e-7)


def audit(qrels: str, *runs: str, **options: object) -> dn.Findings:
    named = {f"run{number}": rows(run) for number, run in enumerate(runs, 1)}
    return dn.audit(grades(qrels), named, **options)


def the(code: str, qrels: str, *runs: str, **options: object):
    (found,) = audit(qrels, *runs, select=code, **options)
    return found


B_OF_THREE = ("q1 b 1", "q1 b 1.0; q1 a 1.0; q1 c 1.0")


def test_c011_names_decide_the_first_relevant_document():
    """Three documents share the top score and c goes first: RR is 0.5 by name, and 1.0 in the order of the lines."""
    first = the("T107", *B_OF_THREE)
    assert (first.numbers["documents"], first.numbers["RR"]) == (3, 0.5)
    orders = {"lowest": 1 / 3, "expected": pytest.approx(11 / 18), "highest": 1.0}
    assert dict(first.places.at(0).values) == {"documents": 3, "relevant": 1, "RR": 0.5, **orders}
    assert {name: first.numbers[f"RR {name}"] for name in orders} == orders
    lines = the("T108", *B_OF_THREE)
    assert (lines.numbers["RR"], lines.numbers["RR in line order"]) == (0.5, 1.0)
    assert lines.numbers["nDCG@10"] == near(0.630930)
    assert "RR 1.000 instead of 0.500" in lines.message
    assert lines.severity is Severity.WARNING


def test_a_run_of_equal_scores_is_left_to_its_own_check():
    """Where all scores of every query are equal, neither the share of ties nor the digits are to blame."""
    assert not audit(*B_OF_THREE, select="T101,T106").items
    some = audit("q1 b 1", "q1 b 1; q1 a 1; q1 c 1; q2 x 2; q2 y 1.5", select="T101,T106")
    assert [one.code for one in some] == ["T101", "T106"]


C013 = ("q1 d1 1; q1 d7 1", "q1 d1 9; q1 d2 5; q1 d7 5; q1 d8 5; q1 d3 1")


def test_c013_a_tie_crosses_the_cutoff():
    """The score at rank 2 is shared by three documents at ranks 2 to 4, one of them relevant: P@2 reads 0.5."""
    found = the("T102", *C013, k=2)
    assert (found.numbers["P@2"], found.numbers["nDCG@2"]) == (0.5, near(0.613147))
    assert (found.numbers["documents"], found.numbers["relevant"], found.numbers["decided"]) == (3, 1, 1)
    assert dict(found.places.at(0).values) == {
        "k": 2,
        "documents": 3,
        "relevant": 1,
        "first_rank": 2,
        "last_rank": 4,
    }
    assert found.severity is Severity.WARNING


@pytest.mark.parametrize("k", [1, 4, 5, 10])
def test_a_cutoff_that_no_tie_crosses_is_not_named(k):
    """Ranks 1, 4 and 5 end a group of equal scores, and there is no rank 11."""
    assert not audit(*C013, select="T102", k=k).items


def test_a_tie_across_the_cutoff_of_documents_graded_alike_is_information():
    """All of them relevant with one grade, or all without: no measure at k can change."""
    for judgments in ("q1 d1 1; q1 d2 0", "q1 d1 1; q1 d2 1; q1 d7 1; q1 d8 1", "q1 d1 1; q1 d2 -1; q1 d7 0"):
        found = the("T102", judgments, C013[1], k=2)
        assert (found.severity, found.numbers["decided"]) == (Severity.INFO, 0)
    graded = the("T102", "q1 d2 1; q1 d7 1; q1 d8 2", C013[1], k=2)
    assert graded.severity is Severity.WARNING


def test_ties_that_decide_come_first_and_then_the_largest():
    """q1 has the largest tie, but of documents graded alike; q3 and q2 have one that decides."""
    qrels = "q1 z 1; q2 a 1; q2 b 0; q3 a 1; q3 b 0"
    run = "q1 z 9; q1 a 5; q1 b 5; q1 c 5; q1 d 5; q2 a 2; q2 b 2; q3 a 2; q3 b 2; q3 c 2"
    found = the("T102", f"{qrels}; q1 y 1", run.replace("q2 a", "q2 z 3; q2 a").replace("q3 a", "q3 z 3; q3 a"), k=2)
    assert queries(found) == ["q3", "q2", "q1"]


def test_the_queries_with_most_pairs_come_first():
    """q2 has two pairs of neighbours that are tied in 32 bits, q1 one; q3 two of two that are tied in all."""
    run = "q1 d1 0.99999999; q1 d2 0.99999998; q2 d1 0.99999999; q2 d2 0.99999998; q2 d3 0.999999975"
    assert queries(the("T103", "q1 d1 1", run)) == ["q2", "q1"]
    run = "q1 a .5; q1 b .4; q1 c .4; q2 a .3; q2 b .3; q2 c .3"
    assert queries(the("T101", "q1 a 1", run)) == ["q2", "q1"]
    assert queries(the("T106", "q1 a 1", run)) == ["q2", "q1"]


def test_a_change_in_the_fifth_digit_is_information_and_is_shown():
    """x goes to rank 501 behind y by name, and to 500 by line: AP changes in its sixth digit."""
    run = "; ".join([f"q1 a{n:05} {30_000 - n}" for n in range(499)] + ["q1 x 1; q1 y 1"])
    found = the("T108", "q1 a00000 1; q1 x 1", run)
    assert found.severity is Severity.INFO
    assert found.numbers["AP"] == near((1 + 2 / 501) / 2)
    assert found.numbers["AP in line order"] == near((1 + 2 / 500) / 2)
    assert "AP 0.502000 instead of 0.501996" in found.message


def test_a_change_in_the_fifth_digit_in_32_bits_is_information():
    """x goes from rank 500 to 501, behind y, and AP changes in its sixth digit."""
    run = "; ".join([f"q1 a{n:05} {30_000 - n}" for n in range(499)] + ["q1 x 0.30000001; q1 y 0.3"])
    found = the("T103", "q1 a00000 1; q1 x 1", run)
    assert (found.severity, found.numbers["AP in 32 bits"]) == (Severity.INFO, near((1 + 2 / 501) / 2))


def test_each_cutoff_has_a_finding_and_unjudged_queries_have_none():
    """A tie in a query that nobody judged changes no number."""
    run = f"{C013[1]}; q9 a 1; q9 b 1; q9 c 1"
    found = audit(C013[0], run, select="T102", k=(1, 2, 3))
    assert [(one.places.at(0).values["k"], queries(one)) for one in found] == [(2, ["q1"]), (3, ["q1"])]


C014 = (
    "q1 d1 1; q2 d1 1",
    "q1 d1 0.99999999; q1 d2 0.99999998; q1 d3 0.999999975; q1 d4 0.5; q2 d1 16777217; q2 d2 16777216",
)


def test_c014_pairs_tied_in_single_precision():
    """Four pairs are equal as 32-bit floats, and a tool that keeps those prints RR 0.416667 instead of 1."""
    found = the("T103", *C014)
    assert (found.numbers["pairs"], found.numbers["queries"]) == (4, 2)
    assert (found.numbers["RR"], found.numbers["RR in 32 bits"]) == (1.0, near(0.416667))
    assert found.numbers["AP in 32 bits"] == near(0.416667)
    assert found.numbers["nDCG@10 in 32 bits"] == near(0.565465)
    assert "RR 0.417 instead of 1.000" in found.message
    assert queries(found) == ["q1", "q2"]
    assert found.severity is Severity.WARNING


def test_pairs_tied_in_single_precision_that_move_nothing_are_information():
    """The relevant document is not among them."""
    found = the("T103", "q1 d4 1; q2 d9 1", C014[1])
    assert found.severity is Severity.INFO
    assert "either way" in found.message
    assert not audit(C014[0], "q1 d1 1.0; q1 d2 1.0; q2 d1 2; q2 d2 1", select="T103").items


CLOSE = st.sampled_from([0.30000001, 0.3, 0.29999999, 16777217.0, 16777216.0, 1.0, 2.0])
PAIR = st.tuples(st.sampled_from(["q1", "q2", "q10"]), st.sampled_from([f"d{n}" for n in range(8)]))


@given(st.dictionaries(PAIR, st.sampled_from([0, 1, 2]), min_size=1), st.dictionaries(PAIR, CLOSE, min_size=1))
@settings(max_examples=50)
def test_the_number_of_32_bits_is_what_a_tool_of_32_bits_prints(judgments, scores):
    """pytrec_eval, given the scores as they are, says what the finding says it does."""
    found = dn.audit([(*pair, one) for pair, one in judgments.items()], {"a": [(*p, s) for p, s in scores.items()]})
    nested: dict[str, dict[str, dict[str, float]]] = {"qrels": {}, "run": {}}
    for name, pairs in (("qrels", judgments), ("run", scores)):
        for (query, document), value in pairs.items():
            nested[name].setdefault(query, {})[document] = value
    asked = {"recip_rank": "RR", "map": "AP", "ndcg_cut_10": "nDCG@10"}
    result = pytrec_eval.RelevanceEvaluator(nested["qrels"], {"recip_rank", "map", "ndcg_cut.10"}).evaluate(
        nested["run"]
    )
    for one in found.of("T103"):
        for theirs, ours in asked.items():
            mean = sum(result.get(query, {theirs: 0.0})[theirs] for query in nested["qrels"]) / len(nested["qrels"])
            assert one.numbers[f"{ours} in 32 bits"] == pytest.approx(mean, abs=1e-9)


@given(st.dictionaries(PAIR, st.sampled_from([0, 1, 2]), min_size=1), st.dictionaries(PAIR, CLOSE, min_size=1))
@settings(max_examples=50)
def test_the_number_of_the_line_order_is_that_of_scores_that_fall_with_it(judgments, scores):
    """Sorting the rows by score, stably, and scoring them as n - rank gives the number that the finding states."""
    qrels = [(*pair, one) for pair, one in judgments.items()]
    run = [(*pair, score) for pair, score in scores.items()]
    stable = sorted(run, key=lambda row: -row[2])
    falling = [(query, document, float(len(run) - at)) for at, (query, document, _) in enumerate(stable)]
    if not {query for query, _ in judgments} & {query for query, _ in scores}:
        return
    expected = printed(qrels, falling, ["RR", "AP", "nDCG@3"])
    ours = printed(qrels, run, ["RR", "AP", "nDCG@3"])
    found = dn.audit(qrels, {"a": run}, select="T108", k=3)
    assert bool(found.items) == (ours != expected)
    for one in found:
        assert {name: one.numbers[f"{name} in line order"] for name in expected} == expected


def test_c069_infinite_scores_are_kept_and_nan_is_an_error():
    """q2 is d2, d3, d1 with RR 1/3; d1 of q1 is last with nan=last (RR 1/3) and nowhere with nan=drop."""
    run = "q1 d1 nan; q1 d2 0.5; q1 d3 0.4; q2 d1 -inf; q2 d2 inf; q2 d3 0.4"
    infinite, nan = audit("q1 d1 1; q2 d1 1", run, select="T104,T105").of("T104") + audit(
        "q1 d1 1; q2 d1 1", run, select="T105"
    ).of("T105")
    assert (infinite.numbers["plus"], infinite.numbers["minus"], infinite.severity) == (1, 1, Severity.WARNING)
    assert [(place.doc_id, place.values["score"]) for place in infinite.places] == [("d2", "+inf"), ("d1", "-inf")]
    assert (nan.numbers["scores"], nan.severity) == (1, Severity.ERROR)
    assert (nan.numbers["RR nan=last"], nan.numbers["RR nan=drop"]) == (near(1 / 3), near(1 / 6))
    assert [(place.query_id, place.doc_id) for place in nan.places] == [("q1", "d1")]


def test_a_score_that_is_no_number_is_not_called_nan(tmp_path):
    """Only what was written as NaN is: the line of the other is the reader's to name."""
    (tmp_path / "run").write_text("q1 Q0 a 1 nan x\nq1 Q0 b 2 many x\nq1 Q0 c 3 1.0 x\n")
    found = dn.audit([("q1", "a", 1)], str(tmp_path / "run"), select="T105")
    assert [[place.line for place in one.places] for one in found] == [[1]]


@pytest.mark.parametrize("choice", ["last", "drop"])
def test_the_numbers_of_nan_are_those_of_the_leniency(tmp_path, choice):
    """`score --lenient nan=…` prints what the finding states."""
    (tmp_path / "run").write_text(
        "q1 Q0 a 1 nan x\nq1 Q0 b 2 0.5 x\nq1 Q0 c 3 0.4 x\nq2 Q0 a 1 nan x\nq3 Q0 a 1 nan x\nq3 Q0 b 1 0 x\n"
    )
    qrels = grades("q1 a 1; q1 c 1; q2 a 1; q3 b 1; q4 a 1")
    (found,) = dn.audit(qrels, str(tmp_path / "run"), select="T105")
    run = dn.read_run(tmp_path / "run", lenient=f"nan={choice}")
    means = printed(qrels, run, ["RR", "AP", "nDCG@10"])
    assert {name: found.numbers[f"{name} nan={choice}"] for name in means} == means


def test_the_share_of_tied_neighbours_is_reported_above_a_threshold():
    """Three of five pairs of neighbours are tied: above 0.5, not above 0.6."""
    run = "q1 a 1; q1 b 1; q1 c 1; q1 e .5; q2 d 2; q2 a 2; q2 b 1"
    found = the("T101", "q1 a 1", run)
    assert (found.numbers["share"], found.numbers["tied"], found.numbers["neighbours"]) == (0.6, 3, 5)
    assert queries(found) == ["q1", "q2"]
    assert not audit("q1 a 1", run, select="T101", max_tied=0.6).items


@pytest.mark.parametrize(
    ("scores", "decimals"),
    [([3, 2, 2], 0), ([0.1, 0.7], 1), ([1.25, -3.5, 1e300], 2), ([0.000001], 6), ([1 / 3], None), ([], 0)],
)
def test_decimals_are_counted(scores, decimals):
    """The fewest decimals that write all scores exactly; none where they are more than six."""
    assert _decimals(np.array(scores, dtype=np.float64)) == decimals


def test_few_digits_are_named_only_where_half_of_the_documents_are_tied():
    """One decimal, and four of five documents share their score; with more digits they do not."""
    found = the("T106", "q1 a 1", "q1 a .8; q1 b .8; q1 c .7; q1 d .7; q1 e .6")
    assert (found.numbers["decimals"], found.numbers["values"], found.numbers["share"]) == (1, 3, 0.8)
    assert not audit("q1 a 1", "q1 a .8; q1 b .7; q1 c .7; q1 d .6; q1 e .5", select="T106").items
    third = 1 / 3
    assert not audit("q1 a 1", f"q1 a {third}; q1 b {third}; q1 c .7; q1 d .7; q1 e .6", select="T106").items


@given(st.lists(st.booleans(), max_size=30))
def test_groups_are_the_stretches_of_equal_neighbours(same):
    """Every position with an equal neighbour is in one group, and no other."""
    groups = Groups.of(np.array(same, dtype=np.bool_))
    inside = groups.holding(np.arange(len(same) + 1))
    for at in range(len(same) + 1):
        assert (inside[at] >= 0) == (same[at - 1 : at] == [True] or same[at : at + 1] == [True])
    for at, equal in enumerate(same):
        assert equal == (inside[at] >= 0 and inside[at] == inside[at + 1])


SCORES = st.sampled_from([3.0, 2.0, 2.0, 1.0, 1.00000001, math.inf, -math.inf, math.nan])


@given(
    st.dictionaries(PAIR, st.sampled_from([-1, 0, 1, 2]), min_size=1, max_size=20),
    st.dictionaries(PAIR, SCORES, min_size=1, max_size=20),
    st.randoms(use_true_random=False),
)
@settings(max_examples=50)
def test_findings_do_not_depend_on_the_order_of_rows(judgments, scores, shuffle: random.Random):
    """All but T108, which is about the order of the lines, say the same of shuffled rows."""
    both = []
    for mixed in (False, True):
        qrels, run = ([(*pair, value) for pair, value in pairs.items()] for pairs in (judgments, scores))
        if mixed:
            shuffle.shuffle(qrels)
            shuffle.shuffle(run)
        found = dn.audit(qrels, {"a": run}, select="T", ignore="T108", k=(1, 3))
        both.append(
            [(one.code, one.severity, one.message, str(one.numbers), list(map(str, one.places))) for one in found]
        )
    assert both[0] == both[1]


@pytest.mark.shared
def test_the_oddities_of_public_runs_are_found(shared):
    """99% of rutcor03100's lines are tied; all scores of result_to_compare2 are equal, which T101 leaves to another."""
    data = shared / "data" / "runs"
    found = dn.audit(data / "robust03.qrels.gz", data / "robust03" / "rutcor03100.run.gz", select="T")
    assert [one.code for one in found] == ["T101", "T102", "T106", "T107", "T108"]
    assert found.of("T101")[0].numbers["share"] == near(99_545 / 99_900)
    assert (found.of("T106")[0].numbers["decimals"], found.of("T106")[0].numbers["values"]) == (6, 66)
    same = dn.audit(data / "sigtrec.qrels.gz", data / "sigtrec" / "result_to_compare2.run.gz", select="T")
    assert [one.code for one in same] == ["T102", "T107", "T108"]
    assert same.of("T108")[0].numbers["RR in line order"] == near(
        reciprocal_rank_by_line(data / "sigtrec.qrels.gz", data / "sigtrec" / "result_to_compare2.run.gz")
    )


def reciprocal_rank_by_line(qrels: Path, run: Path) -> float:
    """Return the mean RR of a run whose lines stand in blocks, best first."""
    with gzip.open(qrels, "rt", encoding="utf-8") as lines:
        grade = {(query, document): int(text) for query, _, document, text in map(str.split, lines)}
    rank: Counter[str] = Counter()
    found: dict[str, float] = {}
    with gzip.open(run, "rt", encoding="utf-8") as lines:
        for query, _, document, *_ in map(str.split, lines):
            rank[query] += 1
            if grade.get((query, document), 0) > 0:
                found.setdefault(query, 1 / rank[query])
    return sum(found.values()) / len({query for query, _ in grade})


@pytest.mark.shared
@pytest.mark.parametrize(("qrels", "run"), [("cacm", "cacm/bm25"), ("dl19", "dl19/bm25")])
def test_clean_public_runs_have_no_error(shared, qrels, run):
    """Nothing in these files makes a number wrong."""
    data = shared / "data" / "runs"
    found = dn.audit(data / f"{qrels}.qrels.gz", data / f"{run}.run.gz", select="T,Q")
    assert found.at_least(Severity.ERROR) == ()
