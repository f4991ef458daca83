"""Strict acceptance and its leniencies: what is refused, what is forgiven, and how it is counted."""

import re

import numpy as np
import pytest

from denominator.errors import FormatError, UsageError
from denominator.formats import LENIENCIES, examine_qrels, examine_run, parse_lenient, read_qrels, read_run
from denominator.model import Severity


def kinds(error: FormatError) -> list[tuple[str, int | None]]:
    """Return what an error is about, and where."""
    return [(fault.kind, fault.line) for fault in error.faults]


def notes(rows) -> dict[str, int]:
    """Return the notes of some rows by kind, with their counts."""
    return {note.kind: note.count for note in rows.source.notes}


def test_all_faults_of_a_file_are_told_at_once(file) -> None:
    """A user mends a file once: every kind of fault, in the order of lines."""
    path = file(
        "q1 Q0 d1 1 9.0 s\n"
        "q1 Q0 d2 2 abc s\n"
        "q1 Q0 d1 3 8.0 s\n"
        "q1 Q0 my doc 4 7.0 s\n"
        "q1 Q0 d5 5 nan s\n"
        "q1 Q0 d6 6 1e999 s\n"
        "q1 Q0 d\0 7 5.0 s\n"
    )
    with pytest.raises(FormatError) as error:
        read_run(path)
    assert kinds(error.value) == [
        *(("score-number", 2), ("duplicate", 3), ("extra-fields", 4), ("nan-score", 5)),
        *(("score-overflow", 6), ("control-character", 7)),
    ]
    assert all(line.startswith(f"{path}:") for line in str(error.value).splitlines())


def test_the_first_twenty_are_shown_and_the_rest_counted(file) -> None:
    """5,000 bad lines make a message of 21 lines that says 4,980 more."""
    with pytest.raises(FormatError) as error:
        read_run(file("q1 Q0 d1 1 1.0 s\n" + "q1 Q0 d1 1\n" * 5000))
    shown = str(error.value).splitlines()
    assert len(shown) == 21
    assert shown[-1].endswith("and 4,980 more")
    assert len(error.value.faults) < 1000


@pytest.mark.parametrize("lines", [1, 30_000])
def test_a_fault_is_on_its_line_in_a_small_and_in_a_large_file(file, lines: int) -> None:
    """The number of the line is right whichever reader finds the fault, however many blocks came before."""
    good = "".join(f"q{n // 100} Q0 doc-{n} {n % 100} {-n} s\n" for n in range(lines))
    with pytest.raises(FormatError) as error:
        read_run(file(good + "q Q0 d1 1\n" + good.replace("doc", "other") + "q Q0 d2 1 x s\n"))
    assert kinds(error.value) == [("field-count", lines + 1), ("score-number", 2 * lines + 2)]


@pytest.mark.parametrize("lines", [3, 60_000])
def test_duplicates_are_found_in_small_and_large_files_grouped_or_not(file, lines: int) -> None:
    """The same document again, next to itself, at the other end of its query, or after other queries."""
    rows = [f"q{n % 3} Q0 doc-{n} 1 {-n}.5 s" for n in range(lines)]
    for again in (rows, sorted(rows)):
        with pytest.raises(FormatError) as error:
            read_run(file("\n".join([*again, again[0]]) + "\n"))
        fault = error.value.faults[-1]
        assert (fault.kind, fault.line) == ("duplicate", lines + 1)
        assert "already appeared on line 1" in fault.message


def test_the_same_document_for_two_queries_is_no_duplicate(file) -> None:
    """Only within a query does a document come twice; q1/1d and q11/d are different pairs."""
    assert len(read_run(file("q1 Q0 1d 1 1 s\nq11 Q0 d 1 1 s\nq2 Q0 1d 1 1 s\n"))) == 3


def test_a_duplicate_without_lines_names_its_row() -> None:
    """Rows from Python have numbers instead of lines."""
    with pytest.raises(FormatError, match=r"row 2: q/d already appeared in row 1"):
        read_run([("q", "d", 1.0), ("q", "d", 2.0)])


def test_diversity_judgments_have_their_own_message(file) -> None:
    """A pair with another grade for another second column is a judgment for each subtopic, as ndeval reads it."""
    path = file("q1 1 d1 1\nq1 1 d2 0\nq1 2 d1 0\nq1 2 d2 0\n")
    with pytest.raises(FormatError, match=r"input:3: q1/d1 is graded 1 on line 1 and 0 on line 3.*\(ndeval\)") as error:
        read_qrels(path)
    assert kinds(error.value) == [("subtopics", 3)]
    qrels = read_qrels(path, lenient="conflicts=max")
    assert dict(zip(qrels.doc_id.to_pylist(), qrels.relevance.tolist(), strict=True)) == {"d1": 1, "d2": 0}


def test_exact_repeats_in_qrels_are_counted_and_kept_once(file) -> None:
    """Repeats do no harm, so they are no error; the note says how many and where."""
    qrels = read_qrels(file("q1 0 d1 1\nq1 0 d1 1\nq1 0 d1 1\nq1 0 d2 0\n"))
    assert qrels.doc_id.to_pylist() == ["d1", "d2"]
    assert [qrels.line_of(row) for row in range(2)] == [1, 4]
    assert notes(qrels) == {"repeats": 2}


RUN = "q1 Q0 d1 1 5 a\nq1 Q0 d2 2 9 a\nq1 Q0 d1 3 7 b\nq2 Q0 d1 1 1 a\nq1 Q0 d1 4 7 c\n"


@pytest.mark.parametrize(("choice", "lines"), [("first", [1, 2, 4]), ("last", [2, 4, 5]), ("best", [2, 3, 4])])
def test_duplicates_keep_the_first_last_or_best_row_where_it_stands(file, choice: str, lines: list[int]) -> None:
    """The rows kept stay in their order and keep line, rank and tag; two are left out, and counted."""
    run = read_run(file(RUN), lenient=f"duplicates={choice}")
    assert [run.line_of(row) for row in range(len(run))] == lines
    whole = RUN.splitlines()
    assert [run.rank.tolist()[row] for row in range(3)] == [int(whole[line - 1].split()[3]) for line in lines]
    assert [run.tag.text(row) for row in range(3)] == [whole[line - 1].split()[5] for line in lines]
    assert notes(run)["lenient-duplicates"] == 2
    assert run.source.read_as == "TREC run, 6 columns, 5 rows"


def test_a_query_whose_rows_are_all_dropped_is_gone(file) -> None:
    """No query is left behind without a document, and codes go on counting first appearances."""
    run = read_run(file("q1 Q0 d1 1 nan s\nq2 Q0 d1 1 1 s\nq3 Q0 d1 1 2 s\nq1 Q0 d2 1 nan s\n"), lenient="nan=drop")
    assert (run.queries, run.query.tolist()) == (("q2", "q3"), [0, 1])


def test_best_prefers_any_score_to_nan(file) -> None:
    """With nan=last a copy with a score outlives the copy without."""
    run = read_run(file("q Q0 d 1 nan s\nq Q0 d 2 -inf s\n"), lenient="duplicates=best,nan=last")
    assert run.score.tolist() == [-np.inf]


@pytest.mark.parametrize(
    ("text", "lenient", "kept"),
    [
        ("q Q0 d1 1 x s\nq Q0 d2 2 1e999 s\nq Q0 d3 3 1 s\n", "numbers=drop", ["d3"]),
        ("qid Q0 docid rank score tag\nq Q0 d1 1 1 s\n", "header=skip", ["d1"]),
        ("q Q0 d1 1 1 s\nq Q0 d2 2\n", "fields=skip", ["d1"]),
        ("q Q0 d1 1 1 s\nq Q0 d2 2 0.5 s more words\n", "fields=extra", ["d1", "d2"]),
        ("#q Q0 d1 1 1 s\n", "comments=rows", ["d1"]),
        ("q Q0 d1 1 nan s\nq Q0 d2 2 1 s\n", "nan=drop", ["d2"]),
    ],
)
def test_each_leniency_is_needed_applied_and_noted(file, text: str, lenient: str, kept: list[str]) -> None:
    """Without it the file is refused; with it the rows are there, and the note names it."""
    path = file(text)
    with pytest.raises(FormatError):
        read_run(path)
    run = read_run(path, lenient=lenient)
    assert run.doc_id.to_pylist() == kept
    name = lenient.partition("=")[0]
    assert name == "comments" or any(name in kind or kind == "extra-fields" for kind in notes(run))


def test_a_leniency_forgives_its_own_fault_only(file) -> None:
    """duplicates=first says nothing of NaN."""
    with pytest.raises(FormatError) as error:
        read_run(file("q Q0 d 1 nan s\nq Q0 d 2 1 s\n"), lenient="duplicates=first")
    assert kinds(error.value) == [("nan-score", 1)]


@pytest.mark.parametrize(
    ("lenient", "said"),
    [
        ("dups=first", "dups: not known"),
        ("duplicate=first", "did you mean duplicates?"),
        ("duplicates=frist", "did you mean first?"),
        ("duplicates", "no such choice; there are: first, last, best"),
        ("duplicates=fist", "no such choice; did you mean first? There are: first, last, best"),
        ("duplicates=first,duplicates=last", "cannot both be"),
    ],
)
def test_an_unknown_leniency_names_the_nearest(lenient: str, said: str) -> None:
    """A typo in a leniency never passes for strictness."""
    with pytest.raises(UsageError, match=re.escape(said)):
        parse_lenient(lenient)


def test_leniencies_may_be_a_mapping() -> None:
    """From Python a dict is as good as the text."""
    assert parse_lenient({"nan": "last"}) == parse_lenient(" nan = last ,")
    assert all(choices for choices in LENIENCIES.values())


def test_a_query_that_comes_back_is_noted(file) -> None:
    """Rows need not be grouped by query, but whoever reads only blocks would be wrong."""
    path = file("q1 0 d1 1\nq2 0 d1 1\nq1 0 d2 1\n")
    assert notes(read_qrels(path)) == {"split-query": 1}
    fault = examine_qrels(path).faults[0]
    assert (fault.kind, fault.severity, fault.line, fault.query_id) == ("split-query", Severity.WARNING, 3, "q1")


def test_harmless_oddities_are_told(file) -> None:
    """CR LF, blank lines, padded lines, several ways of parting fields, no final newline, several tags."""
    reading = examine_run(file("q Q0 d1 1 5 a\r\n\n  q\tQ0\td2\t2\t4\tb \nq  Q0 d3 3 3 a"))
    assert {fault.kind: fault.count for fault in reading.faults} == {
        "crlf": 1,
        "blank-lines": 1,
        "padded-lines": 1,
        "delimiters": 2,
        "final-newline": 1,
        "several-tags": 2,
    }
    assert all(fault.severity is Severity.INFO for fault in reading.faults)
    assert "padded-lines" not in notes(reading.rows)


def test_examining_shows_every_row_and_every_fault(file) -> None:
    """Duplicates and NaN stand as they are; nothing is raised."""
    reading = examine_run(file("q Q0 d 1 nan s\nq Q0 d 2 1 s\nq Q0 e 3 x s\n"))
    assert reading.rows.doc_id.to_pylist() == ["d", "d", "e"]
    assert [(fault.kind, fault.line) for fault in reading.faults] == [
        *(("nan-score", 1), ("duplicate", 2), ("score-number", 3))
    ]


def test_examining_stops_where_a_line_is_no_row(file) -> None:
    """Rows that are not all there would make every count wrong; the error lists all that was found."""
    with pytest.raises(FormatError) as error:
        examine_run(file("q Q0 d 1 1 s\nq Q0 d 2 1 s\nq Q0 my doc 3 1 s\n"))
    assert kinds(error.value) == [("duplicate", 2), ("extra-fields", 3)]
    with pytest.raises(UsageError, match="every row is shown as it stands"):
        examine_run(file("q Q0 d 1 1 s\n"), lenient="duplicates=first")


def test_messages_escape_what_a_terminal_would_obey(file) -> None:
    """An id with control sequences is shown, not obeyed; so is a path."""
    with pytest.raises(FormatError) as error:
        read_run(file("\x1b[2Jq Q0 \u202ed 1 1 s\n\x1b[2Jq Q0 \u202ed 2 2 s\n"))
    assert str(error.value).isprintable()
    assert r"\x1b[2Jq/\u202ed already appeared" in str(error.value)


def test_ten_megabytes_on_a_line_make_a_short_message(file) -> None:
    """Neither a long id nor a line of a million words floods the terminal."""
    with pytest.raises(FormatError) as error:
        read_run(
            file("q Q0 " + "x" * 10_000_000 + " 1 abc s\n" + "w " * 1_000_000 + "\n" + "q Q0 d 1 " + "9" * 400 + " s\n")
        )
    assert len(str(error.value)) < 1000
    assert kinds(error.value) == [("score-number", 1), ("extra-fields", 2), ("score-overflow", 3)]


def test_ranks_that_are_no_whole_numbers_stay_texts(file) -> None:
    """The rank column has no say, so it is no reason to refuse; it is kept for the audit."""
    assert read_run(file("q Q0 d1 1 5 s\nq Q0 d2 2 4 s\n")).rank.tolist() == [1, 2]
    assert read_run(file("q Q0 d1 1 5 s\nq Q0 d2 second 4 s\n")).rank == ("1", "second")


def test_rows_without_a_usable_id_are_no_duplicates(as_tuples) -> None:
    """Two documents without an id are two faults; they are not the same document twice."""
    with pytest.raises(FormatError) as error:
        read_run([("q", None, 1.0), ("q", "", 2.0), ("q", "d", 3.0)])
    assert {fault.kind for fault in error.value.faults} == {"document-id"}
    with pytest.raises(FormatError) as error:
        read_qrels([(None, "d", 1), ("", "d", 0)])
    assert {fault.kind for fault in error.value.faults} == {"query-id"}
