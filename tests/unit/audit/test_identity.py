"""Family I: ids that almost match, and the number that `score` prints once they do."""

import random
import unicodedata
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import denominator as dn
from audits import audit, the
from denominator.audit.chunks import SEPARATORS
from denominator.audit.self_matches import _without
from denominator.findings import Finding
from denominator.hits import match
from denominator.model import Severity
from inputs import judged, ranked

COMPOSED, TAKEN_APART = "\u00e9", "e\u0301"
RUNS = Path("data/ciral/runs")


def near(value: float) -> object:
    return pytest.approx(value, abs=5e-7)


def means(qrels: object, run: object, *measures: str, **how: object) -> dict[str, float]:
    return {str(one.measure): one.value for one in dn.evaluate(qrels, run, measures, **how).means()}


def test_c022_a_suffix_on_every_judged_query_is_named():
    """No query is common; without ".1" both are perfect, and the error of score stays an error here."""
    found = the("I101", "101.1 d1 1\n102.1 d2 1", "101 d1\n102 d2")
    assert found.severity is Severity.ERROR
    assert found.numbers["queries in common"] == 0
    assert (found.numbers["AP"], found.numbers["AP after the change"]) == (0.0, 1.0)
    assert 'removing the suffix ".1" from the judged ids (judged "101.1", run "101")' in found.message


def test_c063_zeros_lost_from_ids_are_named_on_both_sides():
    """One query id and one document id match without zeros; each alone lifts AP from 1/3 to 2/3."""
    qrels, run = "7 d1 1\n8 d2 1\n9 0012 1", "007 d1\n8 d2\n9 12"
    query, document = the("I101", qrels, run), the("I102", qrels, run)
    for found in (query, document):
        assert found.severity is Severity.WARNING
        assert (found.numbers["AP"], found.numbers["AP after the change"]) == (near(1 / 3), near(2 / 3))
        assert "removing leading zeros" in found.message
    assert [(place.query_id, place.values["run"]) for place in query.places] == [("7", "007")]
    (place,) = document.places
    assert (place.query_id, place.doc_id, place.values["judged"], place.values["rank"]) == ("9", "12", "0012", 1)


def test_c035_a_query_that_retrieves_itself_is_counted_with_and_without():
    """Ten relevant, all found, one of them the query: AP 0.9 and nDCG@10 0.936379 without it."""
    qrels = "\n".join(f"0 {number} 1" for number in range(10))
    found = the("I106", qrels, "0 " + " ".join(map(str, range(10))))
    numbers = found.numbers
    assert [numbers[one] for one in ("AP", "P@10", "R@10", "nDCG@10")] == [1.0] * 4
    assert [numbers[f"{one} without"] for one in ("AP", "P@10", "R@10")] == [near(0.9)] * 3
    assert numbers["nDCG@10 without"] == near(0.936379)
    assert (numbers["queries"], numbers["at rank 1"]) == (1, 1)


def test_c094_passage_ids_with_a_hash_are_no_chunks():
    """Ids such as SITEA#10#0 that are judged as they stand need no change, and nothing is said."""
    qrels = "1 SITEA#10#0 1\n1 SITEA#11#2 0\n2 SITEB#7#1 1\n2 SITEB#7#2 1\n3 SITEC#5#0 0\n4 SITED#1#9 1"
    run = "1 SITEA#10#0 SITEA#11#2\n2 SITEB#7#1 SITEB#7#2\n3 SITEC#5#0\n4 SITED#1#9"
    assert [one.code for one in audit(qrels, run, select="I")] == []


CHANGES = {
    "leading zeros": lambda text: "00" + text,
    '".0"': lambda text: text + ".0",
    "blanks": lambda text: text[:1] + "\u00a0" + text[1:],  # a blank that does not end a field
    "case": str.upper,
    "URL escapes": lambda text: text[:1].replace("d", "%64").replace("q", "%71") + text[1:],
    "prefix": lambda text: "msmarco_" + text,
    "suffix": lambda text: text + "_v2x",
}


@pytest.mark.parametrize("change", CHANGES)
def test_each_change_is_guessed_for_queries_and_for_documents(change):
    """Whatever was done to the run's ids is named, and its number is that of the run before it was done."""
    do = CHANGES[change]
    qrels = {"q1a": {"d1a": 1, "d2a": 1}, "q2a": {"d3a": 1}}
    run = {"q1a": {"d2a": 3.0, "x1a": 2.0}, "q2a": {"y1a": 3.0, "d3a": 2.0}}
    wanted = means(qrels, run, "AP", "nDCG@10")
    by_query = {do(query): documents for query, documents in run.items()}
    by_document = {query: {do(doc): score for doc, score in documents.items()} for query, documents in run.items()}
    for code, changed in (("I101", by_query), ("I102", by_document)):
        (found,) = dn.audit(qrels, changed, select=code)
        assert change in found.message
        assert found.severity is Severity.ERROR
        assert {name: found.numbers[f"{name} after the change"] for name in wanted} == wanted


def test_without_a_guess_an_id_of_each_side_is_shown():
    """No id in common and no simple change: an error with one id of each side."""
    query = the("I101", "q1 d1 1", "z d1")
    document = the("I111", "q1 d1 1", "q1 wsj")
    assert [one.severity for one in (query, document)] == [Severity.ERROR] * 2
    assert query.numbers["would match"] == 0
    assert 'judged "q1", run "z"' in query.message
    assert 'judged "d1", run "wsj"' in document.message


def test_judgments_of_another_collection_are_seen_where_queries_have_a_pool():
    """An error where no query has a judged document; a warning from more than half of those with 5 judged on."""
    pools = "\n".join(f"q{query} a{query}{place} 1" for query in range(4) for place in range(5))
    lists = [f"q{query} a{query}0" for query in range(4)]
    for count, severity in ((4, Severity.ERROR), (3, Severity.WARNING)):
        foreign = "\n".join([f"q{query} wsj{query}" for query in range(count)] + lists[count:])
        found = the("I111", pools, foreign)
        assert (found.severity, found.numbers["queries"], found.numbers["answered"]) == (severity, count, 4)
        assert ("nothing scores" in found.message) == (count == 4)
    half = "\n".join(["q0 wsj0", "q1 wsj1", *lists[2:]])
    assert not audit(pools, half, select="I111")
    sparse = "\n".join(f"q{query} a{query}0 1" for query in range(4))
    assert not audit(sparse, "\n".join(["q0 wsj0", "q1 wsj1", "q2 wsj2", lists[3]]), select="I111")


def test_missing_queries_alone_are_no_matter_of_ids():
    """A run that answers half of the queries, and others that look like none of them, is left to other checks."""
    assert not audit("q1 d1 1\nq2 d2 1", "q1 d1\nzzz d2", select="I")


def test_one_document_that_ends_like_another_is_chance():
    """In a run whose ids match, a judged id that another one happens to end with is not taken for a prefix."""
    qrels = "\n".join(f"q{number} doc{number}x 1" for number in range(9)) + "\nq9 wsj 1"
    run = "\n".join(f"q{number} doc{number}x" for number in range(9)) + "\nq9 ap"
    assert not audit(qrels, run, select="I102")
    assert not audit(qrels + "\nq10 b1x 1\nq11 b2x 1", run.replace("q9 ap", "q9 my_wsj\nq10 zz\nq11 yy"), select="I102")


def test_no_two_documents_become_one():
    """Where two ids would match the same judged one, the best-ranked is it; where it is retrieved already, none is."""
    found = the("I102", "q 7 1\nq 8 1\nq2 5 1", "q 08 07 007 8\nq2 05")
    assert [(place.doc_id, place.values["judged"]) for place in found.places] == [("05", "5"), ("07", "7")]


def test_a_judged_document_that_is_retrieved_is_not_renamed():
    """The id 7 is judged and retrieved; it is not taken for the judged 07 as well."""
    found = the("I102", "q 7 1\nq 07 1\nq2 5 1", "q 7\nq2 05")
    assert [(place.doc_id, place.values["judged"]) for place in found.places] == [("05", "5")]


def test_accents_in_another_normal_form_are_found_in_queries_and_documents():
    """Ids that look alike count as different; written alike AP is 1 and not 1/8."""
    qrels = f"q1 caf{COMPOSED} 1\nq1 d2 1\n{COMPOSED} d3 1"
    found = the("I104", qrels, f"q1 caf{TAKEN_APART} d2\n{TAKEN_APART} d3")
    assert unicodedata.normalize("NFC", TAKEN_APART) == COMPOSED != TAKEN_APART
    assert (found.numbers["query ids"], found.numbers["document ids"]) == (1, 1)
    assert (found.numbers["AP"], found.numbers["AP after the change"]) == (near(1 / 8), 1.0)
    codes = {one.code for one in audit(qrels, f"q1 caf{TAKEN_APART} d2\n{TAKEN_APART} d3", select="I")}
    assert codes == {"I104"}, "the reason is named once"


def test_documents_of_a_query_in_another_form_are_counted_as_well():
    """Where the query's id has the other form too, its documents are compared under the judged id."""
    found = the("I104", f"{COMPOSED} {COMPOSED} 1", f"{TAKEN_APART} {TAKEN_APART}")
    assert (found.numbers["query ids"], found.numbers["document ids"]) == (1, 1)
    assert found.numbers["AP after the change"] == 1.0


def test_ids_in_the_same_form_are_left_alone():
    """Ids beyond ASCII that are equal, or different letters, are no finding."""
    assert not audit(f"q1 {COMPOSED} 1\nq1 ö 1", f"q1 {COMPOSED} e o", select="I104")


@pytest.mark.parametrize("mark", SEPARATORS)
def test_chunks_are_told_from_documents_at_any_separator(mark):
    """The separator is named, and the number is what score prints with --collapse."""
    qrels = {"q1": {"a": 1, "b": 0}, "q2": {"c": 1}}
    run = {"q1": {f"b{mark}2": 3.0, f"a{mark}7": 2.0, f"b{mark}1": 1.0}, "q2": {f"z{mark}1": 2.0, f"c{mark}1": 1.0}}
    (found,) = dn.audit(qrels, run, select="I105")
    assert f'--collapse "{mark}"' in found.message
    collapsed = means(qrels, run, "AP", "nDCG@10", collapse=mark)
    assert {name: found.numbers[f"{name} collapsed"] for name in collapsed} == collapsed
    assert found.numbers["AP"] == 0.0
    assert collapsed["AP"] == 0.5


def test_the_last_separator_is_meant():
    """A document id may hold the separator itself: SITE#10#0 is passage 0 of SITE#10."""
    found = the("I105", "q SITE#10 1", "q SITE#10#0 SITE#11#4")
    assert found.numbers["AP collapsed"] == 1.0


def test_an_id_that_begins_with_a_judged_one_is_chance():
    """Where most judged ids are retrieved as they are, a longer one is another document."""
    qrels = "q New_York 1\nq Boston 1\nq Paris 0"
    assert not audit(qrels, "q Boston New_York_City Paris", select="I")


def test_chunk_ids_are_no_suffix():
    """The numbers of chunks are not taken for a suffix that was added to every id."""
    found = audit("q1 a 1\nq2 b 1", "q1 a#0\nq2 b#0", select="I")
    assert [one.code for one in found] == ["I105"]


def test_an_audit_of_collapsed_chunks_is_one_of_documents():
    """With collapse there is nothing to say of chunks, and every number is that of the documents."""
    found = audit("q1 a 1\nq2 b 1", "q1 x#1 a#0 a#3\nq2 b#0", select="I105,D103", collapse="#", k=2)
    assert [one.code for one in found] == ["D103"]
    assert found.items[0].numbers["P@2"] == 0.5


def test_hits_without_the_query_itself_are_those_of_a_run_without_it():
    """Positions, counts and answered queries are those of the run with its rows taken out."""
    qrels = judged("q a 1\nq b 1\nq q 0\nr r 1")
    whole, without = ranked("q a q b\nr r"), ranked("q a b")
    found, wanted = _without(match(qrels, whole), np.array([1, 0])), match(qrels, without)
    for name in ("answered", "retrieved", "query", "position", "grade"):
        assert getattr(found, name).tolist() == getattr(wanted, name).tolist()


documents = st.lists(st.sampled_from(["q", "r", "d1", "d2", "d3", "q#1"]), unique=True, max_size=5)
rankings = st.dictionaries(st.sampled_from(["q", "r"]), documents, min_size=1)
grades = st.dictionaries(
    st.sampled_from(["q", "r", "s"]),
    st.dictionaries(st.sampled_from(["q", "r", "d1", "d2", "d4"]), st.integers(0, 2), min_size=1),
    min_size=1,
)


@given(grades, rankings)
def test_what_is_said_without_self_matches_is_what_score_prints(qrels, lists):
    """Taking the query's own id out of its ranking gives the numbers that the finding states."""
    run = {q: {doc: float(-at) for at, doc in enumerate(docs)} for q, docs in lists.items() if docs}
    without = {q: {doc: s for doc, s in docs.items() if doc != q} for q, docs in run.items()}
    without = {q: docs for q, docs in without.items() if docs}
    if not run:
        return
    found = dn.audit(qrels, run, select="I106", k=3)
    if not any(q in docs for q, docs in run.items() if q in qrels):
        assert not found
    elif set(without) & set(qrels):
        wanted = means(qrels, without, "AP", "P@3", "R@3", "nDCG@3")
        assert {name: found.items[0].numbers[f"{name} without"] for name in wanted} == wanted


@given(st.randoms(use_true_random=False))
def test_findings_do_not_depend_on_the_order_of_rows(rng: random.Random):
    """Shuffled lines give the same findings, numbers and places."""
    qrels = [
        ("q7", "d1", 1),
        ("q8", "0012", 1),
        ("q8", COMPOSED, 1),
        ("10", "d", 1),
        ("q9", "9", 0),
        ("q9", "d", 1),
        ("q9", "q9", 1),
    ]
    rows = [
        ("q7", "d1#1", 2.0),
        ("q8", "12", 2.0),
        ("q8", TAKEN_APART, 2.0),
        ("010", "d", 1.0),
        ("Q9", "q9", 1.0),
        ("q9", "q9", 3.0),
    ]
    rows += [("q9", "d#3", 3.0), ("q9", "d#2", 3.0), ("q7", "d1#4", 5.0)]

    def said(grades: list[tuple[str, str, int]], run: list[tuple[str, str, float]]) -> list[object]:
        items = list(dn.audit(grades, run, select="I"))
        return [(one.code, one.message, dict(one.numbers), [_place(at) for at in one.places]) for one in items]

    usual = said(qrels, rows)
    assert len(usual) > 2
    rng.shuffle(qrels)
    rng.shuffle(rows)
    assert said(qrels, rows) == usual


def _place(at: object) -> tuple[object, ...]:
    # places have these fields
    return at.query_id, at.doc_id, tuple(at.values.items())  # type: ignore[attr-defined]


@given(
    st.dictionaries(st.sampled_from(["1", "02", "3x"]), st.sets(st.sampled_from(["7", "08", "9"]), min_size=1)),
    st.dictionaries(
        st.sampled_from(["01", "2", "3x"]), st.lists(st.sampled_from(["07", "8", "9", "007"]), unique=True, min_size=1)
    ),
)
def test_what_is_said_of_documents_is_what_score_prints_after_renaming_them(relevant, rankings):
    """Writing the ids at the named places as the judged ones gives the number that is stated."""
    qrels = {query: dict.fromkeys(sorted(docs), 1) for query, docs in relevant.items()}
    run = {query: {doc: float(-at) for at, doc in enumerate(docs)} for query, docs in rankings.items()}
    if not qrels or not run:
        return
    for found in dn.audit(qrels, run, select="I101,I102"):
        if found.numbers.get("AP after the change") is not None:
            assert means(qrels, _renamed(found, run), "AP")["AP"] == found.numbers["AP after the change"]


def _renamed(found: Finding, run: dict[str, dict[str, float]]) -> dict[str, dict[str, float]]:
    if found.code == "I101":
        names = {place.values["run"]: place.query_id for place in found.places}
        return {names.get(query, query): docs for query, docs in run.items()}
    ids = {(place.query_id, place.doc_id): place.values["judged"] for place in found.places}
    return {q: {ids.get((q, doc), doc): score for doc, score in docs.items()} for q, docs in run.items()}


def test_hostile_ids_are_shown_as_escapes():
    """What steers a terminal is written out in every message."""
    found = audit("q\x1b[2J1 d\x1b[2J1 1\nq2 d 1", "q2 z", "zz D\x1b[2J1", select="I")
    assert found
    assert not any("\x1b" in one.message for one in found)


@pytest.mark.shared
def test_no_id_of_the_ciral_dev_runs_is_suspected(shared):
    """Public runs with their own judgments have matching ids: nothing is said but that the file is known."""
    for lang in ("ha", "so", "sw", "yo"):
        runs = sorted((shared / RUNS).glob(f"{lang}-dev.*"))
        qrels = shared / "data/ciral/qrels" / f"qrels.ciral-v1.0-{lang}-dev.tsv"
        found = dn.audit(str(qrels), [str(run) for run in runs], select="I")
        assert {one.code for one in found} == {"I109"}
        assert len(runs) >= 5
