"""Family R: documents that stand twice, ranks that say something else than the scores, lists of odd lengths."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import denominator as dn
from denominator.audit.auditing import run_checks
from denominator.audit.evidence import Evidence, QrelsEvidence, RunEvidence
from denominator.audit.options import AuditOptions
from denominator.audit.ranks import Ranks, contradicting
from denominator.errors import FormatError
from denominator.model import Severity
from inputs import qrels_of, run_of

JUDGED = {"q1": {"d1": 1, "d2": 1}, "q2": {"d3": 1}}


@pytest.fixture
def put(tmp_path):
    """Return a function that writes a run of six columns and returns its path."""

    def write(text: str, name: str = "run") -> str:
        path = tmp_path / name
        path.write_text("".join(f"{line.strip()}\n" for line in text.split(";")))
        return str(path)

    return write


def the(code: str, qrels, run, **options):
    (found,) = dn.audit(qrels, {"run": run}, select=code, **options)
    return found


def codes(qrels, run, **options) -> list[str]:
    return sorted(one.code for one in dn.audit(qrels, {"run": run}, select="R", **options))


def mean(qrels, run, measure: str, **how) -> float:
    return dn.evaluate(dn.read_qrels(qrels), run, [measure], **how).means()[0].value


C030 = "q1 Q0 d1 1 9.0 sysA; q1 Q0 d3 2 7.0 sysA; q1 Q0 d1 3 6.5 sysA; q1 Q0 d2 4 6.0 sysA"


def test_c030_duplicates_have_the_numbers_of_all_readings(put):
    """Lines 1 and 3 name d1: AP 0.833 with the best copy, 0.583 with the last, 1.208 by rows; R@4 1.5 by rows."""
    found = the("R101", {"q1": {"d1": 1, "d2": 1}}, put(C030), k=(2, 4, 10))
    assert found.severity is Severity.ERROR
    assert found.numbers["AP"] == pytest.approx(5 / 6)
    assert found.numbers["AP last copy"] == pytest.approx(7 / 12)
    assert found.numbers["AP by rows"] == pytest.approx(29 / 24)
    assert found.numbers["nDCG@10"] == pytest.approx(0.919721, abs=1e-6)
    assert (found.numbers["R@4 by rows"], found.numbers["R@10"], found.numbers["P@2"]) == (1.5, 1.0, 0.5)
    assert [(place.line, place.query_id, place.doc_id, place.values["first_line"]) for place in found.places] == [
        (3, "q1", "d1", 1)
    ]


def test_what_is_said_of_copies_is_what_score_prints_with_a_leniency(put):
    """The best copy and the last one are `duplicates=best` and `duplicates=last`, in every measure."""
    path = put(f"{C030}; q2 Q0 d3 1 1.0 s; q2 Q0 d9 2 2.0 s; q2 Q0 d3 3 3.0 s; q2 Q0 d3 4 0.5 s")
    found = the("R101", JUDGED, path, k=2)
    with pytest.raises(FormatError):
        dn.read_run(path)
    for name in ("AP", "P@2", "R@2", "nDCG@2"):
        assert found.numbers[name] == mean(JUDGED, dn.read_run(path, lenient="duplicates=best"), name)
        assert found.numbers[f"{name} last copy"] == mean(JUDGED, dn.read_run(path, lenient="duplicates=last"), name)


def test_three_relevant_rows_may_be_two_documents(put):
    """d1 twice and d2 once among the first five rows: three by rows, two distinct; below the cutoff nothing counts."""
    qrels = {"q": {"d1": 1, "d2": 1, "d3": 1}}
    path = put(
        "q Q0 d1 1 9 s; q Q0 x1 2 8 s; q Q0 d1 3 7 s; q Q0 d2 4 6 s; q Q0 x2 5 5 s; q Q0 d1 6 4 s; q Q0 d3 7 3 s"
    )
    found = the("R101", qrels, path, k=5)
    assert (found.numbers["hits@5 by rows"], found.numbers["hits@5 distinct"]) == (3, 2)
    assert "3 relevant rows in the top 5 are 2 documents" in found.message
    assert [(place.line, place.values["rank"], place.values["relevant"]) for place in found.places] == [
        (3, 3, 1),
        (6, 6, 1),
    ]


def test_copies_of_relevant_documents_come_first(put):
    """A copy that a measure counts is worse than one higher up that nobody judged."""
    found = the("R101", JUDGED, put("q1 Q0 x 1 9 s; q1 Q0 x 2 8 s; q1 Q0 d1 3 7 s; q1 Q0 d1 4 6 s"), k=2)
    assert [(place.doc_id, place.values["relevant"]) for place in found.places] == [("d1", 1), ("x", 0)]


ROWS = st.lists(
    st.tuples(
        st.sampled_from(["q1", "q2", "q3"]),
        st.sampled_from([f"d{n}" for n in range(5)]),
        st.sampled_from([1.0, 2.0, 3.0]),
    ),
    min_size=1,
    max_size=15,
)


@given(ROWS, st.integers(1, 5))
def test_hits_by_rows_and_distinct_are_those_that_counting_gives(rows, k):
    """Counted naively, row by row of the ranking, the relevant rows and documents are the same."""
    run = run_of(rows)
    judged = qrels_of([("q1", "d1", 1), ("q1", "d2", 2), ("q2", "d3", 1), ("q9", "d1", 1)])
    relevant = {("q1", "d1"), ("q1", "d2"), ("q2", "d3")}
    by_rows = distinct = 0
    for code, query in enumerate(run.queries):
        found = [(query, run.doc_of(row)) for row in run.ranking.rows_of(code)[:k].tolist()]
        by_rows += sum(pair in relevant for pair in found)
        distinct += len(set(found) & relevant)
    (found,) = of(judged, run, "R101", k=(k,)) or [None]
    assert (found is None) == (len({row[:2] for row in rows}) == len(rows))
    if found is not None:
        assert (found.numbers[f"hits@{k} by rows"], found.numbers[f"hits@{k} distinct"]) == (by_rows, distinct)


def of(qrels, run, select: str, **options):
    """Return the findings of some checks about rows that were not read."""
    judged = QrelsEvidence(qrels, ())
    chosen = AuditOptions(select=(select,), **options)
    return list(run_checks(Evidence(judged, (RunEvidence(run, (), judged, chosen.level),), chosen)))


SCORED = st.lists(
    st.tuples(
        st.sampled_from(["q1", "q2"]),
        st.sampled_from([0.0, 1.0, 2.0, float("nan"), float("inf")]),
        st.sampled_from([0, 1, 2, 3, 9, 2**62, -(2**63), 2**63 - 1]),
    ),
    min_size=1,
    max_size=14,
)


def ranked_run(rows):
    run = run_of([(query, f"d{number}", score) for number, (query, score, _) in enumerate(rows)])
    return replace(run, rank=np.array([rank for _, _, rank in rows], dtype=np.int64))


@settings(max_examples=300)
@given(SCORED)
def test_a_contradiction_is_a_pair_of_documents_in_two_orders(rows):
    """By all pairs of a query: the higher score has the larger rank. NaN ranks last, and ties contradict nothing."""
    run = ranked_run(rows)
    ranks = Ranks.of(run)

    def key(score: float) -> float:
        return -np.inf if np.isnan(score) else score

    for code, query in enumerate(run.queries):
        mine = [(score, rank) for one, score, rank in rows if one == query]
        clash = False
        for (a, rank_a), (b, rank_b) in itertools.permutations(mine, 2):
            below_nan = np.isnan(b) and not np.isnan(a)
            clash |= (below_nan or key(a) > key(b)) and rank_a > rank_b
        assert contradicting(run, ranks.value)[code] == clash


@settings(max_examples=300)
@given(SCORED)
def test_distinct_and_missing_ranks_are_those_that_sets_give(rows):
    """Counted with a set, query by query, the distinct and the missing ranks are the same, for huge ranks too."""
    run = ranked_run(rows)
    ranks = Ranks.of(run)
    for code, query in enumerate(run.queries):
        mine = {rank for one, _, rank in rows if one == query}
        assert ranks.distinct[code] == len(mine)
        span = max(mine) - min(mine) + 1
        assert ranks.missing[code] == (span - len(mine) if span < 2**53 else 2**53)
        assert ranks.up_to(2)[code] == sum(one == query and rank <= 2 for one, _, rank in rows)


def test_by_the_rank_column_is_what_score_prints_for_such_scores(put):
    """Where ranks and scores disagree the numbers by rank are those of a run whose score is minus the rank."""
    text = "q1 Q0 d1 1 0.2 s; q1 Q0 d9 2 0.9 s; q1 Q0 d2 3 0.5 s; q2 Q0 d3 1 1.0 s"
    by_rank = "q1 Q0 d1 1 -1 s; q1 Q0 d9 2 -2 s; q1 Q0 d2 3 -3 s; q2 Q0 d3 1 -1 s"
    found = the("R102", JUDGED, put(text), k=2)
    assert (found.numbers["queries"], found.numbers["of"], found.severity) == (1, 2, Severity.WARNING)
    for name in ("RR", "AP", "nDCG@2"):
        assert found.numbers[name] == mean(JUDGED, dn.read_run(put(text)), name)
        assert found.numbers[f"{name} by rank"] == mean(JUDGED, dn.read_run(put(by_rank)), name)


def test_ties_contradict_no_rank_but_documents_around_them_do(put):
    """Equal scores may have any ranks; a document above the tie must not have a larger rank than one in it."""
    fine = "q1 Q0 d1 1 3 s; q1 Q0 d2 3 2 s; q1 Q0 d3 2 2 s; q1 Q0 d4 4 1 s"
    assert "R102" not in codes(JUDGED, put(fine))
    wrong = "q1 Q0 d1 2 3 s; q1 Q0 d2 1 2 s; q1 Q0 d3 3 2 s"
    assert "R102" in codes(JUDGED, put(wrong))


@pytest.mark.parametrize(
    ("ranks", "code"),
    [
        ((0, 1, 2), "R103"),
        ((1, 2, 7), "R104"),
        ((0.5, 0.25, 0.125), "R105"),
        ((1, 1, 1), "R106"),
        ((1, 0, 1), "R107"),
        ((1, 2, 2), "R108"),
        (("one", "two", "three"), "R109"),
        ((1, 2, 3), None),
        ((7, 7, 7), "R106"),
        ((5, 6, 7), "R103"),
    ],
)
def test_each_oddity_of_a_rank_column_has_one_check(put, ranks, code):
    """Ranks from 0, with gaps, fractional, constant, 0 and 1 only, repeated, no numbers: each is named by itself."""
    text = "; ".join(f"q1 Q0 {doc} {rank} {9 - at} s" for at, (doc, rank) in enumerate(zip("abc", ranks, strict=True)))
    odd = {f"R10{number}" for number in range(2, 10)}
    assert [one for one in codes({"q1": {"a": 1}}, put(text), k=1) if one in odd] == ([code] if code else [])


def test_two_documents_with_ranks_0_and_1_are_ranked_from_0(put):
    """Zeros and ones are a label only where a query has more than two documents."""
    assert "R103" in codes(JUDGED, put("q1 Q0 d1 0 2 s; q1 Q0 d2 1 1 s"))
    assert "R107" not in codes(JUDGED, put("q1 Q0 d1 0 2 s; q1 Q0 d2 1 1 s"))


def test_a_label_that_is_the_judgment_is_shown_as_such(put):
    """Of the three judged documents retrieved the column agrees with all: the judgments have got into the run."""
    qrels = {"q1": {"d1": 1, "d2": 0, "d3": 1}}
    found = the("R107", qrels, put("q1 Q0 d1 1 4 s; q1 Q0 d2 0 3 s; q1 Q0 x 0 2 s; q1 Q0 d3 1 1 s"))
    assert (found.numbers["agree"], found.numbers["judged"], found.numbers["ones"]) == (3, 3, 2)


def test_exchanged_rank_and_score_give_the_numbers_of_the_right_columns(put):
    """With the score in the rank column, what is stated is what `score` prints after exchanging the two."""
    found = the("R105", JUDGED, put("q1 Q0 d1 0.9 1 s; q1 Q0 x 0.8 2 s; q1 Q0 y 0.7 3 s; q2 Q0 d3 0.5 1 s"), k=2)
    right = dn.read_run(put("q1 Q0 d1 1 0.9 s; q1 Q0 x 2 0.8 s; q1 Q0 y 3 0.7 s; q2 Q0 d3 1 0.5 s"))
    assert found.numbers["RR by the rank column"] == mean(JUDGED, right, "RR") == 1.0
    assert found.numbers["RR"] == pytest.approx(2 / 3)


@pytest.mark.parametrize("rank", ["{at}", "0"])
def test_distances_have_the_numbers_of_their_negatives(put, rank):
    """Scores that rise along the ranks (or the lines, where ranks say nothing): negated, they are what is stated."""
    rows = [("q1", "d1", 0.1), ("q1", "x", 0.2), ("q1", "y", 0.4), ("q2", "d3", 0.3), ("q2", "z", 0.6)]

    def run(sign: int) -> str:
        return "; ".join(f"{q} Q0 {d} {rank.format(at=at)} {sign * s} s" for at, (q, d, s) in enumerate(rows, 1))

    found = the("R110", JUDGED, put(run(1)), k=2)
    assert found.numbers["queries"] == 2
    for name in ("RR", "AP", "nDCG@2"):
        assert found.numbers[name] == mean(JUDGED, dn.read_run(put(run(1))), name)
        assert found.numbers[f"{name} negated"] == mean(JUDGED, dn.read_run(put(run(-1))), name)
    assert "R110" not in codes(JUDGED, put(run(-1)))


def test_scores_in_disorder_are_no_distances(put):
    """One query that rises among three that fall says nothing of distances."""
    text = "q1 Q0 a 1 1 s; q1 Q0 b 2 2 s; q1 Q0 c 3 3 s; q2 Q0 a 1 2 s; q2 Q0 b 2 1 s; q3 Q0 a 1 2 s; q3 Q0 b 2 1 s"
    assert "R110" not in codes(JUDGED, put(text))


def test_equal_scores_have_the_numbers_of_the_rank_column(put):
    """d1 has rank 1 and the same score as the others: RR is 1/3 by name and 1 by rank."""
    found = the("R111", {"q1": {"d1": 1}}, put("q1 Q0 d1 1 0.5 s; q1 Q0 d2 2 0.5 s; q1 Q0 d3 3 0.5 s"))
    assert found.numbers["RR"] == pytest.approx(1 / 3)
    assert found.numbers["RR by the rank column"] == 1.0
    assert (found.numbers["queries"], found.numbers["of"], found.severity) == (1, 1, Severity.WARNING)


def test_a_single_document_is_no_tie(put):
    """Queries with one document each have nothing to tie."""
    assert "R111" not in codes(JUDGED, put("q1 Q0 d1 1 0.5 s; q2 Q0 d3 1 0.5 s"))


def test_c045_precision_over_what_was_returned_reads_1(put):
    """One relevant document returned at k = 5: P@5 is 0.2 and would read 1.0; `score -M 5 -m SetP` prints that."""
    qrels = {"q1": {f"d{n}": 1 for n in range(1, 6)}}
    run = put("q1 Q0 d1 1 1.0 sysA")
    found = the("R113", qrels, run, k=5)
    assert (found.numbers["P@5"], found.numbers["P@5 over returned"]) == (0.2, 1.0)
    assert found.numbers["P@5 over returned"] == mean(qrels, dn.read_run(run), "SetP", depth=5)
    (place,) = found.places
    assert (place.query_id, place.values["documents"], place.values["rel"]) == ("q1", 1, 5)
    assert "R113" not in codes(qrels, run, k=1)


def test_ragged_depths_are_counted(put):
    """Lists of 1, 3 and 3: three is usual, and the shortest comes first."""
    text = "q1 Q0 a 1 1 s; q2 Q0 a 1 3 s; q2 Q0 b 2 2 s; q2 Q0 c 3 1 s; q3 Q0 a 1 3 s; q3 Q0 b 2 2 s; q3 Q0 c 3 1 s"
    found = the("R112", JUDGED, put(text))
    assert dict(found.numbers) == {"shortest": 1, "longest": 3, "usual": 3, "queries": 1, "of": 3}
    assert [(place.query_id, place.values["depth"]) for place in found.places] == [("q1", 1)]


def test_empty_lists_are_named_and_cost_half_the_mean():
    """q2 is judged and answered with nothing, q7 is not judged."""
    found = the("R114", {"q1": {"d1": 1}, "q2": {"d3": 1}}, {"q1": {"d1": 2.0}, "q2": {}, "q7": {}})
    assert dict(found.numbers) == {"queries": 2, "judged": 1, "AP": 0.5, "AP answered": 1.0}
    assert [place.query_id for place in found.places] == ["q2", "q7"]
    assert found.numbers["AP answered"] == mean(
        {"q1": {"d1": 1}, "q2": {"d3": 1}}, {"q1": {"d1": 2.0}}, "AP", queries="answered"
    )


def test_one_query_for_all_lists_is_told_by_its_ranks_and_documents(put):
    """Two lists under one id: ranks begin anew once, and d3 is relevant for q2."""
    found = the("R115", JUDGED, put("q1 Q0 d1 1 9 s; q1 Q0 x 2 8 s; q1 Q0 d3 1 7 s; q1 Q0 y 2 6 s"))
    assert (found.numbers["lists"], found.numbers["documents relevant elsewhere"], found.numbers["other queries"]) == (
        2,
        1,
        1,
    )
    assert found.numbers["AP"] * 2 == found.numbers["AP answered"] == 0.5
    assert "R115" not in codes({"q1": {"d1": 1}}, put("q1 Q0 d1 1 9 s"))


def test_negative_scores_are_counted_unless_they_stand_for_ranks(put):
    """Two of three scores are below 0; scores that this tool made from ranks are not meant."""
    found = the("R116", JUDGED, put("q1 Q0 d1 1 1 s; q1 Q0 d2 2 -0.5 s; q1 Q0 d3 3 -inf s"))
    assert dict(found.numbers) == {"scores": 2, "rows": 3, "lowest": -0.5}
    assert "R116" not in codes(JUDGED, {"q1": ["d1", "d9"]})


@settings(max_examples=200)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["q1", "q2", "q3"]),
            st.sampled_from([f"d{n}" for n in range(6)]),
            st.sampled_from([0.0, 1.0, -2.0, float("nan"), float("inf"), float("-inf")]),
            st.sampled_from(["0", "1", "2", "1.5", "x", "nan", "99999999999999999999", "-9223372036854775808"]),
        ),
        min_size=1,
        max_size=12,
        unique_by=lambda row: row[:2],
    ),
    st.sampled_from(["whole", "texts", "none"]),
    st.randoms(use_true_random=False),
)
def test_any_run_is_audited_alike_in_any_order_of_its_rows(rows, kind, shuffler):
    """No rank column, score or length makes a check of the family fail; the order of distinct rows changes nothing."""
    judged = qrels_of([("q1", "d1", 1), ("q1", "d2", 0), ("q2", "d3", -1), ("q9", "d1", 1)])

    def found(rows):
        run = run_of([row[:3] for row in rows])
        whole = all(row[3].lstrip("-").isdigit() and len(row[3]) < 20 for row in rows)
        if kind == "whole" and whole:
            run = replace(run, rank=np.array([int(row[3]) for row in rows]))
        elif kind == "texts":
            run = replace(run, rank=tuple(row[3] for row in rows))
        by_lines = {"R110", "R111"} if run.rank is None or not (Ranks.of(run) and Ranks.of(run).counts) else set()
        return [
            (
                one.code,
                one.severity,
                one.message,
                str(dict(one.numbers)),
                str([(p.query_id, p.doc_id) for p in one.places]),
            )
            for one in of(judged, run, "R", k=(1, 3))
            if one.code not in by_lines
        ]

    assert found(rows) == found(shuffler.sample(rows, len(rows)))


@pytest.mark.shared
@pytest.mark.parametrize(
    ("qrels", "run", "code", "numbers"),
    [
        ("codec", "codec/document_bm25+rm3-tuned", "R101", {"rows": 3, "documents": 3, "queries": 3}),
        ("clef-tar-2017", "clef-tar-2017/sis.TMAL30Q_BM25", "R101", {"rows": 311, "queries": 1}),
        ("clef-tar-2018", "clef-tar-2018/ECNU_RUN3", "R101", {"rows": 3230, "queries": 1}),
        ("clef-tar-2017", "clef-tar-2017/Padua-m10p10", "R102", {"queries": 30, "of": 30}),
        ("robust03", "robust03/aplrob03a", "R103", {"queries": 100, "smallest": 0, "rank<=10": 1100, "top 10": 1000}),
        ("clef-tar-2018", "clef-tar-2018/ECNU_RUN3", "R103", {"queries": 1, "smallest": 0}),
        ("web12", "web12/ql-cata-filtered", "R103", {"queries": 40, "of": 50}),
        ("web12", "web12/ql-cata-filtered", "R104", {"queries": 50, "of": 50}),
        ("clef-tar-2017", "clef-tar-2017/Padua-m10p10", "R104", {"queries": 30}),
        ("clef-tar-2017", "clef-tar-2017/Padua-m10p10", "R108", {"queries": 30}),
        ("clef-tar-2018", "clef-tar-2018/ECNU_RUN3", "R108", {"rows": 29000, "rank<=10": 330}),
        ("sigtrec", "sigtrec/result_to_compare2", "R111", {"queries": 2000, "of": 2000}),
        ("clef-tar-2017", "clef-tar-2017/sis.TMAL30Q_BM25", "R111", {"queries": 30, "of": 30}),
        ("robust03", "robust03/NLPR03vb10", "R112", {"shortest": 10, "longest": 12, "queries": 3}),
        ("clef-tar-2018", "clef-tar-2018/ECNU_RUN3", "R115", {"rows": 30000, "judged": 30, "lists": 30}),
        ("robust03", "robust03/UIUC03Rd1", "R116", {"scores": 100_000}),
        ("codec", "codec/document_bm25-tuned+t5-maxp", "R116", {"scores": 42_000}),
        ("web12", "web12/ql-cata-filtered", "R116", {"scores": 8060}),
    ],
)
def test_what_the_public_runs_show_is_found(shared, qrels, run, code, numbers):
    """Each oddity of a public run is found by its check, with its count."""
    data = shared / "data/runs"
    found = the(code, str(data / f"{qrels}.qrels.gz"), str(data / f"{run}.run.gz"))
    assert {name: found.numbers[name] for name in numbers} == numbers


@pytest.mark.shared
def test_runs_in_order_have_no_contradiction(shared):
    """Of the public runs only two have ranks that contradict their scores, though ties are ranked otherwise in many."""
    data = shared / "data/runs"
    wrong = [
        path.parent.name
        for path in sorted(data.glob("*/*.run.gz"))
        if dn.audit(str(data / f"{path.parent.name}.qrels.gz"), str(path), select="R102").items
    ]
    assert wrong == ["clef-tar-2017", "clef-tar-2018"]
