"""JSON lines: a row a line, or a query a line with what was retrieved for it."""

import json

import pytest

from denominator.errors import FormatError
from denominator.formats import read_qrels, read_run


@pytest.mark.parametrize(
    "line",
    [
        '{"query_id": "q1", "doc_id": "d1", "score": 1.5}',
        '{"score": 1.5, "docno": "d1", "qid": "q1", "text": "not needed"}',
        '{"query-id": "q1", "corpus-id": "d1", "score": 1.5}',
        '{"Query_ID": "q1", "docid": "d1", "sim": 1.5}',
    ],
)
def test_a_row_may_be_spelled_as_the_field_spells_it(file, as_tuples, line):
    """The names of ir_measures, PyTerrier, BEIR and trec_eval are all understood, in any order."""
    run = read_run(file(line + "\n"))
    assert as_tuples(run) == [("q1", "d1", 1.5)]
    assert run.source.read_as == "JSON lines run, 1 rows" or run.source.read_as == "JSON lines run, 1 row"


@pytest.mark.parametrize("name", ["relevance", "label", "rel", "grade", "score"])
def test_a_grade_may_have_several_names(file, as_tuples, name):
    """Qrels call their value relevance, label, rel, grade, or as BEIR does score."""
    assert as_tuples(read_qrels(file(f'{{"query_id": "q", "doc_id": "d", "{name}": 2}}'))) == [("q", "d", 2)]


def test_a_list_of_ids_is_ranked_by_position_and_that_is_said(file, as_tuples):
    """Minus the position is the score: -1 for the first."""
    run = read_run(file('{"query_id": "q1", "retrieved": ["b", "a"]}\n{"query_id": "q2", "retrieved": ["c"]}\n'))
    assert as_tuples(run) == [("q1", "b", -1), ("q1", "a", -2), ("q2", "c", -1)]
    assert [note.kind for note in run.source.notes] == ["scores-from-positions"]
    assert [run.line_of(row) for row in range(3)] == [1, 1, 2]


def test_a_list_may_hold_ids_with_scores(file, as_tuples):
    """As objects or as pairs; nothing is made up, so nothing is noted."""
    run = read_run(file('{"qid": "q1", "retrieved": [{"doc_id": "b", "score": 2.5}, ["a", 3]]}'))
    assert as_tuples(run) == [("q1", "b", 2.5), ("q1", "a", 3.0)]
    assert run.source.notes == ()


def test_a_list_longer_than_the_first_look_is_recognised(file):
    """A first line of more than 64 kB does not hide what the file is."""
    for first in ('"query_id": "q1", "retrieved"', '"retrieved"'):
        rest = ', "query_id": "q1"' if first == '"retrieved"' else ""
        line = "{" + first + ": " + json.dumps([{"doc_id": f"d{n}", "score": -n} for n in range(5000)]) + rest + "}"
        assert len(read_run(file(f"{line}\n{line.replace('q1', 'q2')}\n"))) == 10_000


def test_ranks_stand_in_for_scores_and_that_is_said(file, as_tuples):
    """Rows with a rank and no score: minus the rank."""
    run = read_run(file('{"query_id": "q", "doc_id": "d", "rank": 3}'))
    assert as_tuples(run) == [("q", "d", -3.0)]
    assert [note.kind for note in run.source.notes] == ["scores-from-ranks"]


def test_rank_tag_and_iteration_are_kept(file):
    """What TREC's columns hold beside id and value comes along where every row has it."""
    row = '{"query_id": "q", "doc_id": "d%d", "score": 1, "rank": %d, "tag": "bm25"}\n'
    run = read_run(file(row % (1, 1) + row % (2, 2)))
    assert run.rank.tolist() == [1, 2]
    assert run.tag.values == ("bm25",)
    assert read_run(file(row % (1, 1) + '{"query_id": "q", "doc_id": "e", "score": 1}')).tag is None
    qrels = read_qrels(file('{"query_id": "q", "doc_id": "d", "relevance": 1, "iteration": "2"}'))
    assert qrels.iteration.values == ("2",)


def test_whole_numbers_as_ids_become_their_decimal_text_with_a_note(file, as_tuples):
    """12345678901234567890 keeps its digits; zeros that were lost before are mentioned."""
    run = read_run(file('{"query_id": 7, "doc_id": 12345678901234567890, "score": 1}'))
    assert as_tuples(run) == [("7", "12345678901234567890", 1.0)]
    assert [note.message.split(";")[0] for note in run.source.notes] == [
        "1 query id is a number, taken as decimal text",
        "1 document id is a number, taken as decimal text",
    ]


@pytest.mark.parametrize("cell", ["1.5", "null", "true", "[1]"])
def test_other_ids_are_faults(file, cell):
    """A float, null, a truth value: none is an id."""
    with pytest.raises(FormatError, match=r":1: document id"):
        read_run(file(f'{{"query_id": "q", "doc_id": {cell}, "score": 1}}\n'))


def test_every_bad_line_is_named(file):
    """Lines that are no object, lack a member or hold one twice are all listed, each with its number."""
    lines = [
        '{"query_id": "q", "doc_id": "d", "score": 1}',
        "",
        "q Q0 d 1 1 t",
        '{"query_id": "q", "score": 1}',
        '{"query_id": "q", "query_id": "r", "doc_id": "d", "score": 1}',
        '{"query_id": "q", "retrieved": "d"}',
        '{"query_id": "q", "retrieved": ["d", {"doc_id": "e", "score": 1}]}',
        '{"query_id": "q", "doc_id": "d", "qid": "q", "score": 1}',
        "[1]",
    ]
    with pytest.raises(FormatError) as raised:
        read_run(file("\n".join(lines)))
    assert [(fault.line, fault.kind) for fault in raised.value.faults] == [
        (3, "json"),
        (4, "json-shape"),
        (5, "json-shape"),
        (6, "json-shape"),
        (7, "json-shape"),
        (8, "json-shape"),
        (9, "json-shape"),
    ]
    assert "no doc_id (or docno" in str(raised.value)
    assert 'the key "query_id" occurs twice' in str(raised.value)


def test_bytes_that_are_not_utf8_are_named_with_their_line(file):
    """The other lines are read, and a named encoding reads them all."""
    data = '{"query_id": "q", "doc_id": "dé", "score": 1}\n'.encode("latin-1")
    with pytest.raises(FormatError, match=r":1: byte 0xe9 is not UTF-8"):
        read_run(file(data))
    assert read_run(file(data), encoding="latin-1").doc_of(0) == "dé"


def test_retrieved_documents_are_no_judgments(file):
    """A run where qrels are wanted is named as one."""
    with pytest.raises(FormatError, match="is a run, not judgments"):
        read_qrels(file('{"query_id": "q", "retrieved": ["d"]}'))


def test_a_line_separator_inside_a_string_does_not_end_a_line(file, as_tuples):
    """U+2028 may stand in a JSON string as it is."""
    assert as_tuples(read_run(file('{"query_id": "q", "doc_id": "a\u2028b", "score": 1}\n'))) == [("q", "a\u2028b", 1)]
