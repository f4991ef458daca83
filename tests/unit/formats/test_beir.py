"""BEIR's tab-separated qrels: a header, then rows in which only tabs part the fields."""

import pytest

from denominator.errors import FormatError, InputError
from denominator.formats import examine_qrels, read_qrels, read_run


def test_rows_under_beirs_header_are_qrels_and_said_to_be(file, as_tuples):
    """BEIR's header is recognised, its lines may end in CR LF, and what was recognised is in `read_as`."""
    qrels = read_qrels(file("query-id\tcorpus-id\tscore\r\nq1\td1\t2\r\nq1\td2\t0\r\n"))
    assert as_tuples(qrels) == [("q1", "d1", 2), ("q1", "d2", 0)]
    assert qrels.source.format == "beir"
    assert qrels.source.read_as == "BEIR qrels (tab-separated under a header), 3 columns, 2 rows"
    assert [qrels.line_of(row) for row in (0, 1)] == [2, 3]


def test_the_header_says_which_column_is_which(file, as_tuples):
    """Columns may come in another order and under other names, and more of them than are needed."""
    qrels = read_qrels(file("relevance\tdocid\ttopic\tjudge\n1\td1\tq1\tann\n"))
    assert as_tuples(qrels) == [("q1", "d1", 1)]


def test_a_run_may_have_the_header_too(file, as_tuples):
    """The same header over real numbers is a run where a run is wanted."""
    assert as_tuples(read_run(file("query-id\tcorpus-id\tscore\nq1\td1\t0.5\n"))) == [("q1", "d1", 0.5)]


def test_blanks_inside_fields_belong_to_the_ids(file, as_tuples):
    """Only a tab ends a field."""
    assert as_tuples(read_qrels(file("query-id\tcorpus-id\tscore\nq 1\tmy doc\t1\n"))) == [("q 1", "my doc", 1)]


def test_every_bad_line_is_named(file):
    """A wrong number of fields, an empty id, bytes that are not UTF-8 and a grade that is none are all listed."""
    path = file(b"query-id\tcorpus-id\tscore\nq1\td1\nq2\t\t1\nq3\td\xe9\t1\nq4\td4\tx\nq5\td\x005\t1\n")
    with pytest.raises(FormatError) as raised:
        read_qrels(path)
    assert [(fault.line, fault.kind) for fault in raised.value.faults] == [
        (2, "field-count"),
        (3, "document-id"),
        (4, "encoding"),
        (5, "grade-number"),
        (6, "nul"),
    ]
    assert "2 fields, the header names 3: q1 | d1" in str(raised.value)


def test_lines_of_the_wrong_width_can_be_skipped(file, as_tuples):
    """The leniency for field counts is the pipeline's and works here as for TREC."""
    path = file("query-id\tcorpus-id\tscore\nq1\td1\nq2\td2\t1\n")
    assert as_tuples(read_qrels(path, lenient="fields=skip")) == [("q2", "d2", 1)]


def test_blocks_keep_their_lines_and_their_header_is_read_once(file, as_tuples):
    """A file of several blocks has one header, and its last fault has the right line."""
    lines = "".join(f"q{number}\t{'d' * 100}{number}\t1\n" for number in range(20_000))
    path = file("query-id\tcorpus-id\tscore\n" + lines + "q\td\tbad\n")
    with pytest.raises(FormatError, match=r":20002: grade"):
        read_qrels(path)
    assert len(examine_qrels(path).rows) == 20_001


def test_a_forced_format_without_a_header_says_what_is_missing(file):
    """TREC qrels read as BEIR by force: the message names the roles that no column plays."""
    with pytest.raises(InputError, match=r"no query_id \(or qid"):
        read_qrels(file("q1\t0\td1\t1\n"), format="beir")


def test_two_columns_for_one_role_are_refused(file):
    """Nobody can know which of two document columns is meant."""
    with pytest.raises(InputError, match="doc_id and docno may both hold the doc_id"):
        read_qrels(file("qid\tdoc_id\tdocno\tlabel\nq\td\te\t1\n"), format="beir")


def test_comments_before_the_header_are_passed_over(file, as_tuples):
    """A line beginning with # is a comment before the header; afterwards # is part of an id."""
    path = file("# made by hand\nquery-id\tcorpus-id\tscore\n#1\td#1\t1\n")
    assert as_tuples(read_qrels(path)) == [("#1", "d#1", 1)]
