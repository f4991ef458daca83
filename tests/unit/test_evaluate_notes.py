"""What an evaluation says beside its numbers."""

import dataclasses

import numpy as np
import pytest

import denominator as dn
from denominator.hints import hint
from denominator.noticed import QUERIES_SEARCHED, ROWS_SEARCHED
from inputs import judged, qrels_of, ranked, run_of

QRELS = judged("q1 a 1\nq1 b 1\nq2 c 1")


def notes(run, qrels=QRELS, **options) -> dict[str, str]:
    scores = dn.evaluate(qrels, run, "AP", **options)
    return {note.kind: note.message for note in (*scores.notes, *scores.runs[0].notes)}


def with_ranks(run, ranks):
    return dataclasses.replace(run, rank=np.array(ranks, dtype=np.int64) if isinstance(ranks, list) else ranks)


def test_a_clean_run_has_nothing_to_say():
    """Notes are for what is odd."""
    assert notes(with_ranks(ranked("q1 a b\nq2 c"), [1, 2, 1])) == {}


def test_long_lists_are_cut_with_a_count():
    """Five ids and how many more."""
    qrels = qrels_of([(f"q{number}", "a", 1) for number in range(9)])
    assert "(missing: q1, q2, q3, q4, q5 and 3 more)" in notes(ranked("q0 a"), qrels)["queries-missing"]


def test_negative_grades_are_counted():
    """Below 0 a document is in the pool but not judged."""
    text = notes(ranked("q1 a"), judged("q1 a 1\nq1 b -1\nq1 c -2"))["negative-grades"]
    assert text == "2 judgments have grades below 0: in the pool, but not judged."


def test_the_best_possible_mean_is_not_claimed_where_empty_queries_are_left_out():
    """Over the answerable queries the ceiling is not lowered, and the note says that they are not in the mean."""
    qrels = judged("q1 a 1\nq2 c 0")
    assert "best possible mean is 0.500" in notes(ranked("q1 a"), qrels)["no-relevant"]
    assert notes(ranked("q1 a"), qrels, queries="answerable")["no-relevant"] == (
        "1 of 2 judged queries (q2) has no relevant document; they are not in the mean."
    )
    assert "no-relevant" not in notes(ranked("q1 a"), qrels, queries=["q1"])


def test_a_rank_column_against_the_scores_is_counted_by_query():
    """The scores decide; where the ranks say otherwise, the user may have meant them."""
    run = run_of([("q1", "a", 1.0), ("q1", "b", 2.0), ("q2", "c", 1.0)])
    assert notes(with_ranks(run, [1, 2, 1]))["rank-against-score"] == (
        "In 1 of 2 queries the rank column is not the order of the scores; the scores decide."
    )


def test_a_rank_column_against_the_tie_rule_is_told_apart():
    """Equal scores go by document id descending, so ranks that list them ascending differ only by the tie rule."""
    run = run_of([("q1", "a", 1.0), ("q1", "b", 1.0), ("q2", "c", 1.0)])
    found = notes(with_ranks(run, [1, 2, 1]))
    assert found == {
        "rank-against-ties": (
            "In 1 of 2 queries equal scores are ranked otherwise than by document id descending, which decides."
        )
    }


def test_a_query_against_both_rules_is_counted_once():
    """Where scores and ranks part anyway, ties are not counted as well."""
    run = run_of([("q1", "a", 1.0), ("q1", "b", 1.0), ("q1", "c", 2.0), ("q2", "c", 1.0)])
    assert set(notes(with_ranks(run, [1, 2, 3, 1]))) == {"rank-against-score"}


@pytest.mark.parametrize("ranks", [None, ("1st", "2nd", "1st"), [2, 1, 1]])
def test_lines_out_of_order_are_counted(ranks):
    """Without ranks, or with ranks that follow the scores, the order of the lines is what is odd."""
    run = run_of([("q1", "a", 1.0), ("q1", "b", 2.0), ("q2", "c", 1.0)])
    assert notes(with_ranks(run, ranks)) == {
        "resorted": "In 1 of 2 queries the lines were not in ranked order; they were sorted by score."
    }


def test_equal_ranks_and_gaps_are_not_against_the_scores():
    """A constant rank column, ranks from 0 and ranks with gaps say nothing against the scores."""
    for ranks in ([0, 0, 0], [0, 1, 0], [3, 70, 9]):
        assert notes(with_ranks(ranked("q1 a b\nq2 c"), ranks)) == {}


@pytest.mark.parametrize(
    ("theirs", "ours", "change", "matches"),
    [
        (["007", "010"], ["7", "10"], "removing leading zeros", 2),
        (["000"], ["0"], "removing leading zeros", 1),
        (["12.0", "13.0"], ["12", "13"], 'removing a final ".0"', 2),
        (["Q1"], ["q1"], "ignoring case", 1),
        (["q1 ", "q 2"], ["q1", "q2"], "removing blanks", 2),
        (["a%20b"], ["a b"], "undoing URL escapes", 1),
        (["o\u0323"], ["\u1ecd"], "composing Unicode accents (NFC)", 1),
        (["101.1", "102.1"], ["101", "102"], 'removing the suffix ".1" from the judged ids', 2),
        (["101", "102"], ["topic-101", "topic-102"], 'removing the prefix "topic-" from the run\'s ids', 2),
        (["MB101"], ["101"], 'removing the prefix "MB" from the judged ids', 1),
    ],
)
def test_the_change_that_would_make_ids_match_is_found(theirs, ours, change, matches):
    """Each of the usual accidents is recognised, with how many ids it would cure and an example."""
    found = hint(theirs, ours)
    assert (found.change, found.matches, found.judged, found.run) == (change, matches, theirs[0], ours[0])


@pytest.mark.parametrize(("theirs", "ours"), [(["q1"], ["x2"]), (["101"], ["1"]), (["1"], ["1001"]), ([], ["q"])])
def test_chance_is_not_a_hint(theirs, ours):
    """Ids that merely end in the same digits have nothing to do with each other."""
    assert hint(theirs, ours) is None


def test_the_change_that_cures_most_is_named():
    """Two ids want their zeros, one its case: the zeros are named."""
    assert hint(["01", "02", "A"], ["1", "2", "a"]).change == "removing leading zeros"


def test_no_common_query_without_a_cure_asks_for_the_collection():
    """Nothing simple would help, so the message does not pretend."""
    with pytest.raises(dn.NoCommonQueriesError, match="Are these the judgments of another collection"):
        dn.evaluate(judged("alpha d 1"), ranked("7 d"), "AP")


def test_document_ids_that_almost_match_are_counted_over_queries():
    """Where no judged document was retrieved at all, the reason may be the ids."""
    qrels = qrels_of([(f"q{number}", "0012", 1) for number in range(3)])
    text = notes(ranked("q0 12 13\nq1 12\nq2 0012"), qrels)["ids-almost-match"]
    assert text.startswith('2 document ids (judged "0012", run "12") would match after removing leading zeros')


def test_different_changes_are_said_apart():
    """A query suffix and document case are two accidents."""
    qrels, run = judged("1.x D 1\n2 D 1"), ranked("1 d\n2 d")
    scores = dn.evaluate(qrels, run, "AP")
    found = [note.message for note in scores.runs[0].notes if note.kind == "ids-almost-match"]
    assert found == [
        '1 query id (judged "1.x", run "1") would match after removing the suffix ".x" from the judged ids.',
        '1 document id (judged "D", run "d") would match after ignoring case.',
    ]


def test_the_search_for_document_ids_is_bounded():
    """A large run that finds nothing is not compared id by id to its end, in queries or in depth."""
    count = QUERIES_SEARCHED + 30
    qrels = qrels_of([(f"q{number:03}", "0012", 1) for number in range(count)])
    run = run_of([(f"q{number:03}", "12", 1.0) for number in range(count)])
    assert f"{QUERIES_SEARCHED} document ids" in notes(run, qrels)["ids-almost-match"]
    for above, found in ((ROWS_SEARCHED - 1, True), (ROWS_SEARCHED, False)):
        deep = run_of([*(("q1", f"x{at}", -at) for at in range(above)), ("q1", "12", -above)])
        assert ("ids-almost-match" in notes(deep, judged("q1 0012 1"))) == found


def test_ids_are_shown_without_control_characters():
    """An id from a file cannot steer the terminal."""
    text = notes(run_of([("q1", "a", 1.0), ("q\x1b[31m", "a", 1.0)]))["queries-ignored"]
    assert "\x1b" not in text
    assert "q\\x1b[31m" in text
