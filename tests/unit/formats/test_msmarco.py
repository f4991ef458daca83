"""MS MARCO's runs: three columns and no score, or four."""

import pytest

from denominator.errors import FormatError
from denominator.formats import read_qrels, read_run


def test_three_columns_score_minus_the_rank_and_say_so(file, as_tuples):
    """query doc rank: the ranking is kept by making the score of each row minus its rank."""
    run = read_run(file("q1\td1\t1\nq1\td2\t2\nq2\td3\t1\n"))
    assert as_tuples(run) == [("q1", "d1", -1), ("q1", "d2", -2), ("q2", "d3", -1)]
    assert run.rank.tolist() == [1, 2, 1]
    assert run.tag is None
    assert "score is minus the rank" in run.source.read_as
    assert [note.kind for note in run.source.notes] == ["scores-from-ranks"]


def test_four_columns_hold_a_score_that_counts(file, as_tuples):
    """query doc rank score: the score decides, blanks or tabs between."""
    run = read_run(file("q1 d1 1 0.5\nq1 d2 2 0.7\n"))
    assert as_tuples(run) == [("q1", "d1", 0.5), ("q1", "d2", 0.7)]
    assert run.source.read_as.startswith("run, 4 columns (query doc rank score)")


@pytest.mark.parametrize(
    "text", ["q1 d1 5\nq1 d2 4\n", "q1 d1 5\nq1 d2 9\n", "q1 d1 1\nq1 d2 0.5\n", "q1 d1 1\nq1 d2 1\n"]
)
def test_a_third_column_that_is_no_rank_is_not_taken_for_one(file, text):
    """Scores in the third column would turn the ranking upside down: such a file is refused."""
    with pytest.raises(FormatError, match="3 fields"):
        read_run(file(text))


def test_three_columns_can_be_forced(file, as_tuples):
    """Who knows that the third column is a rank can say so."""
    assert as_tuples(read_run(file("q1 d1 5\nq1 d2 9\n"), format="msmarco")) == [("q1", "d1", -5), ("q1", "d2", -9)]


def test_a_spoilt_line_is_named_and_does_not_hide_the_format(file):
    """One rank that is no number among many that are."""
    lines = [f"q1 d{number} {number}" for number in range(1, 9)]
    with pytest.raises(FormatError, match=r':9: score "x" is not a number') as raised:
        read_run(file("\n".join([*lines, "q1 d9 x", "q1 d10"]) + "\n"))
    assert ":10: 2 fields, 3 are expected: query doc rank" in str(raised.value)


def test_qrels_of_four_columns_are_not_taken_for_a_run(file):
    """Judgments where a run is wanted: the third column does not count up from 1."""
    with pytest.raises(FormatError):
        read_run(file("1 0 17 1\n1 0 18 0\n1 0 19 1\n"))
    with pytest.raises(FormatError):
        read_qrels(file("q1\td1\t1\nq1\td2\t2\n"))


def test_ranks_that_are_no_whole_numbers_keep_their_text(file):
    """The audit sees what stood there."""
    text = "q1 d1 1 0.5\nq1 d2 2 0.4\nq1 d3 3 0.3\nq1 d4 4 0.2\nq1 d5 1e1 0.1\n"
    assert read_run(file(text)).rank == ("1", "2", "3", "4", "1e1")


def test_a_file_of_several_blocks_is_read_as_one(file):
    """Lines are counted through, also where a block has to be read line by line."""
    lines = [f"query{number // 1000}\tdocument{number}\t{number % 1000 + 1}" for number in range(100_000)]
    run = read_run(file("\n".join(lines)))
    assert (len(run), len(run.queries)) == (100_000, 100)
    assert run.doc_of(99_999) == "document99999"
    lines[70_000] += "\textra"
    with pytest.raises(FormatError, match=r":70001: 4 fields"):
        read_run(file("\n".join(lines)))
