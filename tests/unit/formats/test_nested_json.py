"""Nested JSON ``{query: {document: value}}``: typed values, keys that occur once, and no guess about the rest."""

import math

import pytest

from denominator.errors import FormatError
from denominator.formats import examine_qrels, examine_run, read_qrels, read_run


def test_nested_objects_are_rows_in_their_order(file, as_tuples):
    """Queries and documents keep the order of the text, whether on one line or many."""
    for text in ('{"q2": {"b": 1, "a": 0}, "q1": {"c": 2}}', '{\n "q2": {\n  "b": 1, "a": 0},\n "q1": {"c": 2}\n}\n'):
        qrels = read_qrels(file(text))
        assert as_tuples(qrels) == [("q2", "b", 1), ("q2", "a", 0), ("q1", "c", 2)]
        assert qrels.source.read_as == "nested JSON qrels, 3 rows"


def test_a_query_may_be_called_what_a_column_is_called(file, as_tuples):
    """An object under the key query_id is that query's documents, for a column would hold no object."""
    assert as_tuples(read_qrels(file('{\n"query_id": {"doc_id": 1}\n}\n'))) == [("query_id", "doc_id", 1)]


def test_numbers_keep_all_their_digits(file, as_tuples):
    """Scores are the 64-bit floats of the text, infinities included where they are called so."""
    run = read_run(file('{"q": {"a": 0.30000000000000004, "b": 1e-300, "c": Infinity, "d": -Infinity, "e": 7}}'))
    assert [value for _, _, value in as_tuples(run)] == [0.1 + 0.2, 1e-300, math.inf, -math.inf, 7.0]


def test_nan_is_the_usual_fault(file):
    """The token NaN is a score that is refused, and can be forgiven, as in any format."""
    path = file('{"q": {"a": NaN, "b": 1.0}}')
    with pytest.raises(FormatError, match="NaN"):
        read_run(path)
    assert len(read_run(path, lenient="nan=drop")) == 1


@pytest.mark.parametrize(
    ("cell", "words"),
    [("true", "truth value true"), ("null", "missing"), ('"0.5"', 'text "0.5"'), ("[1]", "list"), ("{}", "Pairs")],
)
def test_values_that_are_no_numbers_are_faults_that_name_query_and_document(file, cell, words):
    """A truth value, null, a text, a list: none is a score, and the message says whose score it was to be."""
    with pytest.raises(FormatError) as raised:
        read_run(file('{"q1": {"d1": 1.0, "d2": %s}}' % cell))  # noqa: UP031  (braces are JSON's here)
    (fault,) = raised.value.faults
    assert (fault.kind, fault.query_id, fault.doc_id) == ("score-number", "q1", "d2")
    assert "query q1, document d2" in fault.message
    assert words in fault.message or words == "Pairs"


def test_rows_without_a_number_can_be_dropped(file, as_tuples):
    """The leniency for numbers reaches typed values too."""
    path = file('{"q1": {"d1": 1, "d2": "1", "d3": 2}}')
    assert as_tuples(read_qrels(path, lenient="numbers=drop")) == [("q1", "d1", 1), ("q1", "d3", 2)]


def test_a_document_twice_in_one_object_is_a_duplicate(file):
    """Most readers keep the last and say nothing; both rows are seen here."""
    path = file('{"q1": {"d1": 2.0, "d1": 1.0}}')
    assert len(examine_run(path).rows) == 2
    with pytest.raises(FormatError, match="d1"):
        read_run(path)
    assert read_run(path, lenient="duplicates=best").score.tolist() == [2.0]


def test_a_query_twice_in_one_object_is_a_fault(file):
    """Two members of the same name, even with different documents: a reader of JSON would lose the first."""
    with pytest.raises(FormatError, match='query "q1" is a key twice'):
        read_qrels(file('{"q1": {"d1": 1}, "q1": {"d2": 1}}'))


def test_what_holds_no_object_is_named(file):
    """A query whose value is a number is no query with documents."""
    with pytest.raises(FormatError, match='query "q2" holds 3, not an object'):
        read_qrels(file('{"q1": {"d1": 1}, "q2": 3}'))


def test_a_list_of_ids_is_a_run_by_position(file, as_tuples):
    """``{query: [document, ...]}``: minus the position is the score, and a note says so."""
    run = read_run(file('{"q1": ["b", "a"]}'))
    assert as_tuples(run) == [("q1", "b", -1.0), ("q1", "a", -2.0)]
    assert any(note.kind == "scores-from-positions" for note in run.source.notes)
    with pytest.raises(FormatError, match="a list"):
        read_qrels(file('{"q1": ["b", "a"]}'), format="json")


def test_a_query_without_documents_is_noted(file):
    """No row can stand for it, so it is named."""
    qrels = read_qrels(file('{"q1": {"d1": 1}, "q2": {}}'))
    assert [note.message for note in qrels.source.notes] == ["1 query holds no document (q2)"]


def test_an_array_of_rows_is_read_and_its_odd_elements_are_named(file, as_tuples):
    """``[{"query_id", "doc_id", "relevance"}, ...]`` holds the same rows as JSON lines do."""
    path = file('[{"query_id": "q1", "doc_id": "d1", "relevance": 1}, {"qid": "q1", "docno": "d2", "label": 0}]')
    assert as_tuples(read_qrels(path)) == [("q1", "d1", 1), ("q1", "d2", 0)]
    with pytest.raises(FormatError, match="element 2: 5 is not an object"):
        read_qrels(file('[{"query_id": "q1", "doc_id": "d1", "relevance": 1}, 5]'))


def test_broken_json_is_refused_with_line_and_column(file):
    """The place is where the text stops being JSON."""
    with pytest.raises(FormatError, match=r":3: not JSON: .*, at column"):
        read_qrels(file('{"q1": {"d1": 1},\n "q2": {"d1": 1}\n "q3": {}}'))


def test_deep_nesting_and_huge_numbers_are_refused_without_a_traceback(file):
    """A text made to exhaust the stack, and a whole number of ten thousand digits, end in a sentence."""
    for text in ('{"q": {"d": ' + "[" * 100_000 + "]" * 100_000 + "}}", '{"q": {"d": ' + "1" * 10_000 + "}}"):
        with pytest.raises(FormatError):
            read_run(file(text))


def test_half_a_surrogate_pair_in_an_id_is_a_fault(file):
    r"""``"\ud800"`` is valid JSON and no character; pytrec_eval would crash on it."""
    with pytest.raises(FormatError, match="surrogate"):
        read_qrels(file('{"q1": {"d\\ud800": 1}}'))


def test_fractions_are_grades_only_when_asked_for(file):
    """A grade of 0.5 is refused unless real grades are allowed; 1.0 is the whole number 1."""
    path = file('{"q1": {"d1": 0.5, "d2": 1.0}}')
    with pytest.raises(FormatError, match="grade"):
        read_qrels(path)
    assert read_qrels(path, float_grades=True).relevance.tolist() == [0.5, 1.0]
    assert examine_qrels(file('{"q1": {"d2": 1.0}}')).rows.relevance.dtype == "int64"


@pytest.mark.parametrize("text", ['{"q": {"c": 1e999, "d": 1}}', '{"q": {"c": 1%s, "d": 1}}' % ("0" * 400)])
def test_a_number_beyond_floats_is_refused_as_in_every_format(file, text):
    """1e999 is no infinity in TREC's format, so it is none in JSON; the query and document are named."""
    with pytest.raises(FormatError, match="beyond the largest 64-bit float") as error:
        read_run(file(text))
    assert [fault.kind for fault in error.value.faults] == ["score-overflow"]
    assert read_run(file(text), lenient="numbers=drop").doc_id.to_pylist() == ["d"]
    with pytest.raises(FormatError, match="beyond a 64-bit whole number") as error:
        read_qrels(file(text))
    assert [fault.kind for fault in error.value.faults] == ["grade-overflow"]


def test_a_value_that_is_no_number_is_shown_as_json(file):
    """What the parser makes of an object is no business of the user."""
    with pytest.raises(FormatError, match=r'the score is the object \{"score": 1\}; a number is expected'):
        read_run(file('{"q": {"d": {"score": 1}}}'))
    with pytest.raises(FormatError, match=r"the grade is the list \[1, 2\]"):
        read_qrels(file('{"q": {"d": [1, 2]}}'))
