"""Reported cases that concern reading, each with the answer worked by hand; inputs written for these tests."""

from pathlib import Path

import numpy as np
import pytest

import denominator as dn
from denominator.errors import FormatError
from denominator.formats import read_qrels, read_run
from denominator.model import Qrels, Run

QRELS = "q1 0 d1 1\nq1 0 d2 1\n"


@pytest.fixture
def put(tmp_path: Path):
    """Return a function that writes a file and returns its path."""

    def write(name: str, text: str) -> str:
        path = tmp_path / name
        path.write_text(text)
        return str(path)

    return write


def mean(qrels: Qrels, run: Run, measure: str) -> float | None:
    """Return the mean of one measure over all judged queries."""
    return dn.evaluate(qrels, run, [measure]).means()[0].value


def test_c001_a_real_grade_is_refused_with_its_line_and_how_many_there_are(put) -> None:
    """0.9 is not silently 0: the error names line 1, the value and that 3 of 3 lines are affected."""
    path = put("qrels.txt", "q1 0 d1 0.9\nq1 0 d2 1.5\nq1 0 d3 0.4\n")
    with pytest.raises(FormatError, match=r'qrels\.txt:1: grade "0\.9" is not a whole number \(3 of 3 lines') as error:
        read_qrels(path)
    assert error.value.faults[0].count == 3


def test_c001_real_gains_are_read_when_asked_for(put) -> None:
    """With float_grades the gains are what the file says."""
    qrels = read_qrels(put("qrels.txt", "q1 0 d1 0.9\nq1 0 d2 1.5\nq1 0 d3 0.4\n"), float_grades=True)
    assert qrels.relevance.tolist() == [0.9, 1.5, 0.4]


def test_c003_comment_lines_are_skipped_and_counted(put) -> None:
    """A first and a last comment leave two judgments, and the note names their lines."""
    qrels = read_qrels(put("qrels.txt", "# pooled to depth 10\nq1 0 d1 1\nq1 0 d2 0\n# end of file\n"))
    assert qrels.doc_id.to_pylist() == ["d1", "d2"]
    assert [qrels.line_of(row) for row in (0, 1)] == [2, 3]
    assert [(note.kind, note.count) for note in qrels.source.notes] == [("comments", 2)]
    assert "lines 1 and 4" in qrels.source.notes[0].message


def test_c003_a_query_id_that_begins_with_a_hash_is_not_lost_silently(put) -> None:
    """A comment that would be a perfect row is warned of with its line, and comments=rows reads it."""
    path = put("qrels.txt", "q1 0 d1 1\n#q2 0 d2 1\n")
    notes = read_qrels(path).source.notes
    assert any(note.kind == "comment-row" and "line 2" in note.message and "#q2" in note.message for note in notes)
    assert read_qrels(path, lenient="comments=rows").queries == ("q1", "#q2")


def test_c004_a_blank_in_a_document_id_is_refused_and_asked_after(put) -> None:
    """Seven fields are never read as the first six."""
    path = put("run.txt", "q1 Q0 d1 1 0.9 sysA\nq1 Q0 my doc 2 0.8 sysA\n")
    with pytest.raises(FormatError) as error:
        read_run(path)
    assert str(error.value) == (
        f"{path}:2: 7 fields, a TREC run has 6: query Q0 doc rank score tag. "
        "Does a document id or a tag contain a blank?"
    )


def test_c005_a_header_is_not_a_query(put) -> None:
    """The error names line 1 as a header; header=skip reads the rest and says so."""
    path = put("qrels.txt", "qid iter docid rel\nq1 0 d1 1\nq1 0 d2 0\n")
    with pytest.raises(FormatError, match=r'qrels\.txt:1: this looks like a header \(the relevance column is "rel"\)'):
        read_qrels(path)
    qrels = read_qrels(path, lenient="header=skip")
    assert qrels.queries == ("q1",)
    assert [(note.kind, note.count) for note in qrels.source.notes] == [("lenient-header", 1)]


C030 = "q1 Q0 d1 1 9.0 sysA\nq1 Q0 d3 2 7.0 sysA\nq1 Q0 d1 3 6.5 sysA\nq1 Q0 d2 4 6.0 sysA\n"


def test_c030_a_document_twice_names_both_lines(put) -> None:
    """The repeat is on line 3, the first on line 1."""
    with pytest.raises(FormatError, match=r"run\.txt:3: q1/d1 already appeared on line 1") as error:
        read_run(put("run.txt", C030))
    fault = error.value.faults[0]
    assert (fault.kind, fault.line, fault.query_id, fault.doc_id) == ("duplicate", 3, "q1", "d1")


@pytest.mark.parametrize(
    ("choice", "documents", "average_precision"),
    [("best", ["d1", "d3", "d2"], (1 + 2 / 3) / 2), ("last", ["d3", "d1", "d2"], (1 / 2 + 2 / 3) / 2)],
)
def test_c030_a_leniency_keeps_one_copy_and_says_so(put, choice: str, documents: list[str], average_precision) -> None:
    """best ranks d1 first (AP 0.8333), last ranks it second (AP 0.5833); either leaves out one row and notes it."""
    path = put("run.txt", C030)
    run = read_run(path, lenient=f"duplicates={choice}")
    assert [run.doc_of(row) for row in np.argsort(-run.score)] == documents
    assert [(note.kind, note.count) for note in run.source.notes] == [("lenient-duplicates", 1)]
    assert mean(read_qrels(put("qrels.txt", QRELS)), run, "AP") == pytest.approx(average_precision)


C031 = "q1 0 d1 1\nq1 0 d1 1\nq1 0 d2 1\nq1 0 d2 0\n"


def test_c031_contradictory_judgments_are_refused_with_both_lines(put) -> None:
    """d2 is 1 on line 3 and 0 on line 4; the exact repeat of d1 is no error."""
    with pytest.raises(FormatError) as error:
        read_qrels(put("qrels.txt", C031))
    assert str(error.value).endswith("qrels.txt:4: q1/d2 graded 0, but line 3 graded it 1")


@pytest.mark.parametrize(
    ("choice", "grades", "precision"),
    [("first", [1, 1], 1.0), ("last", [1, 0], 0.5), ("max", [1, 1], 1.0), ("min", [1, 0], 0.5)],
)
def test_c031_a_leniency_settles_the_conflict_and_repeats_count_once(put, choice: str, grades, precision) -> None:
    """P@2 is 1 when the first or highest grade wins, 0.5 when the last or lowest does."""
    path = put("qrels.txt", C031)
    qrels = read_qrels(path, lenient=f"conflicts={choice}")
    assert qrels.relevance.tolist() == grades
    assert {(note.kind, note.count) for note in qrels.source.notes} == {("repeats", 1), ("lenient-conflicts", 1)}
    run = put("run.txt", "q1 Q0 d1 1 9.0 sysA\nq1 Q0 d2 2 8.0 sysA\n")
    assert mean(qrels, read_run(run), "P@2") == precision


def test_c063_ids_keep_their_zeros(put) -> None:
    """007 is not 7 and 12 is not 0012: one of three judged queries is answered rightly."""
    qrels = put("qrels.txt", "7 0 d1 1\n8 0 d2 1\n9 0 0012 1\n")
    run = put("run.txt", "007 Q0 d1 1 3.0 sysA\n8 Q0 d2 1 3.0 sysA\n9 Q0 12 1 3.0 sysA\n")
    assert read_run(run).queries == ("007", "8", "9")
    assert read_qrels(qrels).doc_id.to_pylist() == ["d1", "d2", "0012"]
    assert mean(read_qrels(qrels), read_run(run), "RR") == pytest.approx(1 / 3)


C069 = (
    "q1 Q0 d1 1 nan sysA\nq1 Q0 d2 2 0.5 sysA\nq1 Q0 d3 3 0.4 sysA\n"
    "q2 Q0 d1 1 -inf sysA\nq2 Q0 d2 2 inf sysA\nq2 Q0 d3 3 0.4 sysA\n"
)


def test_c069_nan_is_refused_and_infinity_is_kept(put) -> None:
    """NaN has no place in an order; ±inf have."""
    with pytest.raises(FormatError, match=r"run\.txt:1: score is NaN \(line 1; 1 query\)") as error:
        read_run(put("run.txt", C069))
    assert [fault.kind for fault in error.value.faults] == ["nan-score"]


def test_c069_nan_ranks_last_when_asked(put) -> None:
    """Both queries rank d1 third, so RR is 1/3; the note counts one row, and another the two infinite scores."""
    run = put("run.txt", C069)
    notes = read_run(run, lenient="nan=last").source.notes
    assert {(note.kind, note.count) for note in notes} == {("lenient-nan", 1), ("infinite-score", 2)}
    assert "lines 4 and 5" in next(note.message for note in notes if note.kind == "infinite-score")
    qrels = put("qrels.txt", "q1 0 d1 1\nq2 0 d1 1\n")
    assert mean(read_qrels(qrels), read_run(run, lenient="nan=last"), "RR") == pytest.approx(1 / 3)
    assert read_run(run, lenient="nan=drop").doc_id.to_pylist() == ["d2", "d3", "d1", "d2", "d3"]


def test_c094_tabs_and_hashes_inside_ids_are_plain(put) -> None:
    """A CIRAL id has # inside; the query without a relevant passage holds the mean at 3/4."""
    qrels = put(
        "qrels.txt",
        "1\tQ0\tA#10#0\t1\n1\tQ0\tA#11#2\t0\n2\tQ0\tB#7#1\t1\n3\tQ0\tC#5#0\t0\n4\tQ0\tD#1#9\t1",
    )
    run = put("run.txt", "1 Q0 A#10#0 1 2.0 s\n2 Q0 B#7#1 1 2.0 s\n3 Q0 C#5#0 1 2.0 s\n4 Q0 D#1#9 1 2.0 s\n")
    read = read_qrels(qrels)
    assert read.doc_id.to_pylist() == ["A#10#0", "A#11#2", "B#7#1", "C#5#0", "D#1#9"]
    assert read.source.notes == ()
    assert mean(read, read_run(run), "nDCG@20") == 0.75
