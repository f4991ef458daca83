"""Family Q: what repeated, one-sided, negative and odd grades do to a number, and the number itself."""

import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import denominator as dn
from audits import queries
from denominator.model import Severity
from lines import grades, printed, rows


def near(value: float) -> object:
    return pytest.approx(value, abs=5e-7)


def audit(qrels: str, *runs: str, **options: object) -> dn.Findings:
    named = {f"run{number}": rows(run) for number, run in enumerate(runs, 1)}
    return dn.audit(rows(qrels) if "." in qrels else grades(qrels), named or (), **options)


def the(code: str, qrels: str, *runs: str, **options: object):
    (found,) = audit(qrels, *runs, select=code, **options)
    return found


def written(path, text: str) -> str:
    path.write_text("".join(f"{line.strip()}\n" for line in text.split(";")), encoding="utf-8")
    return str(path)


C031 = "q1 d1 1; q1 d1 1; q1 d2 1; q1 d2 0"


def test_c031_repeats_and_conflicts_have_checks_of_their_own(tmp_path):
    """Line 2 repeats line 1; line 4 contradicts line 3, and P@2 reads 1.0 or 0.5 by which one counts."""
    qrels = written(tmp_path / "qrels", "q1 0 d1 1; q1 0 d1 1; q1 0 d2 1; q1 0 d2 0")
    found = dn.audit(qrels, {"run": rows("q1 d1 9; q1 d2 8")}, select="Q101,Q102,Q103", k=2)
    conflict, repeat = found
    assert (conflict.code, conflict.severity, repeat.code, repeat.severity) == (
        "Q102",
        Severity.ERROR,
        "Q101",
        Severity.INFO,
    )
    assert (conflict.numbers["P@2 first"], conflict.numbers["P@2 last"]) == (1.0, 0.5)
    assert (conflict.numbers["|Rel| first"], conflict.numbers["|Rel| last"]) == (2, 1)
    assert [(place.line, place.doc_id, dict(place.values)) for place in conflict.places] == [
        (4, "d2", {"grade": 0, "first_grade": 1, "first_line": 3})
    ]
    assert [place.line for place in repeat.places] == [2]
    assert (repeat.numbers["|Rel|"], repeat.numbers["|Rel| by lines"]) == (2, 3)


PAIR = st.tuples(st.sampled_from(["q1", "q2", "q10"]), st.sampled_from([f"d{n}" for n in range(6)]))
TWICE = st.lists(st.tuples(PAIR, st.sampled_from([0, 0, 1, 2, -1])), min_size=1, max_size=25)
SCORES = st.dictionaries(PAIR, st.sampled_from([3.0, 2.0, 2.0, 1.0, -1.0]), min_size=1)


@given(TWICE, SCORES)
@settings(max_examples=50)
def test_the_numbers_of_a_conflict_are_those_of_the_leniency(judgments, scores):
    """`score --lenient conflicts=first` and `=last` print what the finding states; without a conflict there is none."""
    if not {query for (query, _), _ in judgments} & {query for query, _ in scores}:
        return
    qrels = [(*pair, grade) for pair, grade in judgments]
    run = [(*pair, score) for pair, score in scores.items()]
    found = dn.audit(qrels, {"a": run}, select="Q101,Q102", k=2)
    seen: dict[object, set[int]] = {}
    for pair, grade in judgments:
        seen.setdefault(pair, set()).add(grade)
    different = {pair for pair, both in seen.items() if len(both) > 1}
    exact = sum(1 for pair, _ in judgments if pair not in different) - len(set(seen) - different)
    assert sum(one.count for one in found.of("Q101")) == exact
    assert [one.numbers["pairs"] for one in found.of("Q102")] == ([len(different)] if different else [])
    for one in found.of("Q102"):
        for choice in ("first", "last"):
            kept = dn.read_qrels(qrels, lenient=f"conflicts={choice}")
            assert one.numbers[f"P@2 {choice}"] == printed(kept, run, ["P@2"])["P@2"]
            assert one.numbers[f"|Rel| {choice}"] == int((kept.relevance >= 1).sum())


def test_only_judgments_that_differ_from_the_first_are_conflicts(tmp_path):
    """Of 1, 0, 1 and 3 the second and the last contradict the first, the last by more."""
    qrels = written(tmp_path / "qrels", "q1 0 a 1; q1 0 a 0; q1 0 a 1; q1 0 a 3")
    (found,) = dn.audit(qrels, select="Q102")
    assert [(place.line, place.values["grade"]) for place in found.places] == [(4, 3), (2, 0)]


def test_the_run_that_changes_most_is_named_where_there_are_several():
    """Only the second run has retrieved the document whose grade is in doubt."""
    found = the("Q102", C031, "q1 d1 9; q1 d5 8", "q1 d1 9; q1 d2 8", k=2)
    assert (found.numbers["P@2 first"], found.numbers["P@2 last"]) == (1.0, 0.5)
    assert found.message.endswith("P@2 1.000 or 0.500 for run2")


def test_diversity_judgments_are_told_from_conflicts(tmp_path):
    """Grades of one document that the second column tells apart are no contradiction, but no plain qrels either."""
    differing = written(tmp_path / "a", "q1 1 d1 0; q1 2 d1 1; q1 1 d2 1")
    (found,) = dn.audit(differing, select="Q101,Q102,Q103")
    assert (found.code, found.severity, found.numbers["different"]) == ("Q103", Severity.ERROR, 1)
    assert (found.numbers["|Rel| highest"], found.numbers["|Rel| first"]) == (2, 1)
    alike = written(tmp_path / "b", "q1 1 d1 1; q1 2 d1 1")
    (found,) = dn.audit(alike, select="Q101,Q102,Q103")
    assert (found.code, found.severity) == ("Q103", Severity.INFO)
    same_column = written(tmp_path / "c", "q1 1 d1 1; q1 2 d1 1; q1 2 d1 0")
    assert [one.code for one in dn.audit(same_column, select="Q101,Q102,Q103")] == ["Q102"]


def test_queries_with_one_grade_cannot_discriminate():
    """Every order of three documents of grade 1 has the same nDCG; a single judgment says nothing of orders."""
    found = the("Q104", "q1 a 1; q1 b 1; q1 c 1; q2 a 2; q2 b 1; q3 a 1; q4 a 0; q4 b 0")
    assert (queries(found), found.numbers["of"], found.severity) == (["q1"], 3, Severity.INFO)
    assert the("Q104", "q1 a 1; q1 b 1; q3 a 1").severity is Severity.WARNING
    assert not audit("q1 a 1; q2 b 1", select="Q104").items


def test_no_relevant_document_and_only_negative_ones_are_two_checks():
    """A query is named by one of them: q2 has a grade of 0, q3 none."""
    qrels, run = "q1 a 1; q2 a 0; q2 b -1; q3 a -2", "q1 a 1; q2 a 1; q3 a 1"
    nothing, negative = the("Q105", qrels, run), the("Q106", qrels, run)
    assert (queries(nothing), queries(negative)) == (["q2"], ["q3"])
    assert (nothing.numbers["AP"], nothing.numbers["AP over the others"]) == (near(1 / 3), 0.5)
    assert not audit("q1 a 1; q1 b 0", run, select="Q105,Q106").items


def test_c038_all_negative():
    """q1 has only negative grades: it scores 0, AP is 0.5, and 1.0 over the other query."""
    found = the("Q106", "q1 d1 -2; q1 d3 -1; q2 d1 1", "q1 d1 3; q1 d2 2; q2 d1 3")
    assert (found.numbers["AP"], found.numbers["AP over the others"]) == (0.5, 1.0)
    assert "trec_eval stops" in found.message


C038 = ("q1 d1 -2; q1 d2 1; q1 d3 0", "q1 d1 3; q1 d2 2; q1 d3 1")


def test_c038_negative_grades_both_ways():
    """As not judged, Bpref and P@1 on the condensed list are 1.0; as judged not relevant, 0.0; Judged@2 1/2 or 2/2."""
    found = the("Q107", *C038, k=(1, 2))
    assert (found.numbers["Bpref"], found.numbers["Bpref if judged"]) == (1.0, 0.0)
    name = "P(judged_only=True)@1"
    assert (found.numbers[name], found.numbers[f"{name} if judged"]) == (1.0, 0.0)
    assert (found.numbers["Judged@2"], found.numbers["Judged@2 if judged"]) == (0.5, 1.0)
    assert "1 judgment is negative (-2) and counts as not judged" in found.message
    assert "Bpref 0.000 instead of 1.000" in found.message
    assert found.severity is Severity.WARNING


def test_negative_grades_that_no_run_retrieved_are_information():
    """Nothing that is printed changes where the query keeps its number of judged non-relevant documents."""
    found = the("Q107", "q1 a 1; q2 x -1; q2 y 0; q2 z 0", "q1 a 1; q2 y 1")
    assert (found.severity, "either way" in found.message) == (Severity.INFO, True)
    assert the("Q107", "q1 a 1; q2 x -1").severity is Severity.WARNING


def test_negative_grades_that_change_the_fifth_digit_are_information():
    """One of 20,000 queries has a document more judged, at rank 2 of 2: Judged@10 changes by 0.000025."""
    qrels = [(f"q{number}", "a", 1) for number in range(20_000)]
    run = [(query, document, 2.0) for query, document, _ in qrels]
    (found,) = dn.audit([*qrels, ("q7", "b", -1)], {"run": [*run, ("q7", "b", 1.0)]}, select="Q107")
    assert found.numbers["Judged@10 if judged"] == 1.0
    assert found.numbers["Judged@10"] == near(1 - 0.5 / 20_000)
    assert found.severity is Severity.INFO


GRADED = st.dictionaries(PAIR, st.sampled_from([-2, -1, 0, 1, 1, 2, 4, 8]), min_size=1)


@given(GRADED, SCORES)
@settings(max_examples=50)
def test_the_numbers_of_grades_are_what_score_prints(judgments, scores):
    """With 0 for a negative grade, with exponential gains, and over the other queries: computed, not estimated."""
    if not {query for query, _ in judgments} & {query for query, _ in scores}:
        return
    qrels = [(*pair, grade) for pair, grade in judgments.items()]
    run = [(*pair, score) for pair, score in scores.items()]
    found = dn.audit(qrels, {"a": run}, select="Q", k=2)
    names = ["Bpref", "infAP", "P(judged_only=True)@2", "Judged@2"]
    raised = printed([(query, document, max(grade, 0)) for query, document, grade in qrels], run, names)
    for one in found.of("Q107"):
        ours = printed(qrels, run, names)
        assert {name: one.numbers[name] for name in names} == ours
        assert {name: one.numbers[f"{name} if judged"] for name in names} == raised
    both = printed(qrels, run, ["nDCG@2", "nDCG(dcg='exp-log2')@2"])
    expected = [both] if len({f"{value:.3f}" for value in both.values()}) > 1 else []
    assert [dict(one.numbers) for one in found.of("Q114")] == expected
    for code in ("Q105", "Q106"):
        for one in found.of(code):
            left = sorted({query for query, _ in judgments} - set(queries(one)))
            over = printed(qrels, run, ["AP"], queries=left)["AP"] if left else None  # no mean over no query
            assert one.numbers.get("AP over the others") == over


def test_grades_outside_a_declared_scale_are_errors():
    """A 30 and a -2 are not on a scale from 0 to 3, and the 30 is further out; without a scale nothing is said."""
    qrels = "q1 a 3; q1 b 30; q2 a -2; q2 b 0"
    found = the("Q108", qrels, grades="0-3")
    assert (found.severity, found.numbers["below"], found.numbers["above"]) == (Severity.ERROR, 1, 1)
    assert [place.values["grade"] for place in found.places] == [30, -2]
    assert not audit(qrels, select="Q108").items
    assert not audit(qrels, select="Q108", grades="-2-30").items


def test_grades_that_are_counts_or_run_high():
    """1,000 is a count, 999 only a high grade; each holds its share of the gain."""
    found = the("Q109", "q1 a 1000; q1 b 999; q1 c 1")
    assert (found.numbers["highest"], found.numbers["share of gain"]) == (1000, 0.5)
    high = the("Q116", "q1 a 1000; q1 b 999; q1 c 1")
    assert (high.numbers["grades"], high.numbers["highest"], high.numbers["share of gain"]) == (1, 999, 0.4995)
    assert not audit("q1 a 9; q1 b 1", select="Q109,Q116").items
    assert not audit("q1 a 50; q1 b 1", select="Q116", grades="0-50").items


def test_powers_of_two_are_gains():
    """2, 4, 8 and 16 are; a scale to 4, one with a 3, and one of halves are not."""
    assert the("Q115", "q1 a 2; q1 b 4; q1 c 8; q1 d 16; q1 e 0").numbers["highest"] == 16
    assert the("Q115", "q1 a 2; q1 b 4; q1 c 8").numbers["highest"] == 8
    for other in ("q1 a 1; q1 b 2; q1 c 4", "q1 a 2; q1 b 3; q1 c 8", "q1 a 8; q1 b 16", "q1 a 0.5; q1 b 4; q1 c 8"):
        assert not audit(other, select="Q115", float_grades=True).items


C001 = ("q1 d1 0.9; q1 d2 1.5; q1 d3 0.4", "q1 d1 3.0; q1 d2 2.0; q1 d3 1.0")


def test_c001_fractions_and_what_is_left_of_them():
    """trec_eval scores 0, 1, 0 and prints nDCG 0.6309; the real-valued gains give 0.902355."""
    found = the("Q110", *C001)
    assert (found.severity, found.numbers["grades"]) == (Severity.ERROR, 3)
    assert (found.numbers["nDCG@10"], found.numbers["nDCG@10 cut"]) == (near(0.902355), near(0.630930))
    assert (found.numbers["AP cut"], found.numbers["RR cut"]) == (0.5, 0.5)
    assert [place.values["grade"] for place in found.places] == [0.9, 1.5, 0.4]
    assert "0.631 instead of 0.902" in found.message
    real = printed(dn.read_qrels(rows(C001[0]), float_grades=True), rows(C001[1]), ["AP", "nDCG@10"])
    assert {name: found.numbers[name] for name in real} == real
    cut = printed(grades("q1 d1 0; q1 d2 1; q1 d3 0"), rows(C001[1]), ["AP", "nDCG@10"])
    assert {name: found.numbers[f"{name} cut"] for name in cut} == cut


def test_fractions_that_were_asked_for_are_none_of_its_business():
    """Real-valued gains were chosen; binary measures then follow the level: at 0.5, AP is 1.0."""
    assert not audit(*C001, select="Q110", float_grades=True).items
    found = the("Q110", *C001, level=0.5)
    assert (found.numbers["AP"], found.numbers["AP cut"]) == (1.0, 0.5)


def test_only_relevant_documents_are_judged():
    """Bpref is recall then; one judged non-relevant document in another query makes it information."""
    qrels, run = "q1 a 1; q1 b 1; q2 a 1; q3 a 0", "q1 x 3; q1 a 2; q2 y 2; q2 a 1; q3 a 1"
    found = the("Q111", qrels, run, k=2)
    assert (found.numbers["Bpref"], found.numbers["SetR"], found.numbers["Judged@2"]) == (0.75, 0.75, 0.5)
    assert (queries(found), found.numbers["of"], found.severity) == (["q1", "q2"], 2, Severity.WARNING)
    other = the("Q111", f"{qrels}; q2 z 0", run)
    assert (queries(other), other.severity) == (["q1"], Severity.INFO)
    assert the("Q111", "q1 a 1; q1 b -1").numbers == {"queries": 1, "of": 1}
    assert the("Q111", "q1 a 1; q1 b 2").numbers == {"queries": 1, "of": 1}
    assert not audit("q1 a 1; q1 b 2", select="Q111", level=2).items


C036 = (
    "q1 d1 1; q1 d2 2; q1 d3 3; q1 d4 0; q2 d5 1; q2 d6 1",
    "q1 d1 4; q1 d4 3; q1 d2 2; q1 d3 1; q2 d5 4; q2 d9 3",
)


def test_c036_the_level_empties_a_query():
    """At level 2, |Rel| falls from 5 to 2 and q2 is empty: AP 0.208333, and 0.416667 over q1."""
    found = the("Q112", *C036, level=2)
    assert queries(found) == ["q2"]
    assert (found.numbers["queries"], found.numbers["of"]) == (1, 2)
    assert (found.numbers["positive"], found.numbers["|Rel|"]) == (5, 2)
    assert (found.numbers["AP"], found.numbers["AP over the others"]) == (near(0.208333), near(0.416667))
    assert "1 of 2 queries has no document of grade 2 or more" in found.message
    assert "|Rel| 5 → 2" in found.message
    assert not audit(*C036, select="Q112").items
    assert not audit(*C036, select="Q105,Q106", level=2).items


def test_c037_the_gain_changes_ndcg():
    """Linear gains give nDCG@6 0.785002, exponential ones 0.751083; binary grades give one number."""
    qrels = "q1 d1 3; q1 d2 2; q1 d3 3; q1 d4 0; q1 d5 1; q1 d6 2; q1 d7 3; q1 d8 2"
    run = "q1 d1 6; q1 d2 5; q1 d3 4; q1 d4 3; q1 d5 2; q1 d6 1"
    found = the("Q114", qrels, run, k=6)
    assert found.numbers["nDCG@6"] == near(0.785002)
    assert found.numbers["nDCG(dcg='exp-log2')@6"] == near(0.751083)
    assert "0.785" in found.message
    assert "0.751" in found.message
    assert not audit("q1 d1 1; q1 d2 1", run, select="Q114").items
    worse = the("Q114", f"{qrels}; q2 a 3; q2 b 1", f"{run}; q2 b 2; q2 a 1", k=6)
    assert queries(worse) == ["q2", "q1"]


def test_relevant_documents_that_no_run_retrieved_are_counted_over_all_runs():
    """b and f are in neither run; a query that nobody answered counts whole."""
    qrels = "q1 a 1; q1 b 1; q1 c 2; q1 d 0; q2 e 1; q2 f 1; q3 g 1"
    found = the("Q113", qrels, "q1 a 2; q1 x 1; q2 e 1", "q1 c 1; q2 e 1; q2 a 1")
    assert (found.numbers["missing"], found.numbers["|Rel|"], found.numbers["judged"]) == (3, 6, 4)
    assert queries(found) == ["q3", "q2", "q1"]
    assert not audit("q1 a 1; q1 d 0", "q1 a 1", select="Q113").items
    assert not audit("q1 a 1", select="Q113").items


ODD = st.sampled_from([-1.0, 0.0, 1.0, 2.0, 0.5, 1000.0, 5e18, 16.0, 8.0])


@given(
    st.dictionaries(PAIR, ODD, min_size=1),
    st.dictionaries(PAIR, st.sampled_from([2.0, 1.0, math.inf, math.nan])),
    st.sampled_from([0.5, 1, 2]),
    st.randoms(use_true_random=False),
)
@settings(max_examples=50)
def test_findings_do_not_depend_on_the_order_of_rows(judgments, scores, level, shuffle: random.Random):
    """Shuffled rows without repeats have the same findings, and nothing that can be read makes a check fail."""
    both = []
    for mixed in (False, True):
        qrels, run = ([(*pair, value) for pair, value in pairs.items()] for pairs in (judgments, scores))
        if mixed:
            shuffle.shuffle(qrels)
            shuffle.shuffle(run)
        found = dn.audit(qrels, {"a": run} if run else (), select="Q", k=(1, 3), level=level, grades="0-3")
        both.append(
            [(one.code, one.severity, one.message, str(one.numbers), list(map(str, one.places))) for one in found]
        )
    assert both[0] == both[1]


def test_a_grade_that_is_no_number_is_no_judgment(tmp_path):
    """The other lines are audited without it: nDCG and Bpref are as if it were not there."""
    qrels = written(tmp_path / "qrels", "q1 0 a x; q1 0 b -1; q1 0 a 2; q1 0 c 1; q1 0 c y")
    found = dn.audit(qrels, {"run": rows("q1 b 4; q1 a 3; q1 c 2")}, select="Q")
    assert not found.of("Q101")
    assert not found.of("Q102")
    expected = printed(grades("q1 b -1; q1 a 2; q1 c 1"), rows("q1 b 4; q1 a 3; q1 c 2"), ["nDCG@10", "Bpref"])
    assert found.of("Q114")[0].numbers["nDCG@10"] == expected["nDCG@10"]
    assert found.of("Q107")[0].numbers["Bpref"] == expected["Bpref"]


def test_a_pair_of_which_one_grade_is_no_number_is_judged_once(tmp_path):
    """Only d1 has two judgments; that of d2 for subtopic 2 cannot be read."""
    qrels = written(tmp_path / "qrels", "q1 1 d1 0; q1 2 d1 1; q1 1 d2 1; q1 2 d2 x")
    (found,) = dn.audit(qrels, select="Q101,Q102,Q103")
    assert (found.code, found.numbers["pairs"], found.numbers["|Rel| highest"]) == ("Q103", 1, 2)


PUBLIC = {
    "formats/covid-complete.qrels.gz": {"Q107": {"judgments": 2, "lowest": -1}},
    "formats/microblog2011.qrels.gz": {"Q107": {"judgments": 116, "lowest": -2}},
    "formats/compat.qrels": {"Q116": {"grades": 10, "highest": 50}},
    "formats/backgroundlinking18.qrels.gz": {"Q115": {"highest": 16}, "Q105": {"queries": 1, "of": 50}},
    "formats/web.201-250.ndeval.qrels.gz": {"Q103": {"pairs": 7489, "different": 2782}},
    "formats/msmarco-passage.dev-subset.qrels.gz": {"Q111": {"queries": 6980, "of": 6980}, "Q104": {"queries": 390}},
    "ciral/qrels/qrels.ciral-v1.0-sw-test-b.tsv": {"Q105": {"queries": 1, "of": 114}},
    "runs/sigtrec.qrels.gz": {"Q104": {"queries": 2000}, "Q111": {"queries": 2000}},
}


@pytest.mark.shared
@pytest.mark.parametrize("name", PUBLIC)
def test_the_oddities_of_public_judgments_are_found(shared, name):
    """Each is found by the check that is meant for it, counted, and no other speaks."""
    found = dn.audit(shared / "data" / name, select="Q")
    assert {one.code for one in found} == set(PUBLIC[name])
    for code, numbers in PUBLIC[name].items():
        (one,) = found.of(code)
        assert {key: one.numbers[key] for key in numbers} == numbers
