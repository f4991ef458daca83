"""What an evaluation says beside its numbers."""

import dataclasses

import numpy as np
import pytest

import denominator as dn
from denominator.dialects import dialect
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


def test_no_affix_ends_inside_a_number_or_a_word():
    """PLAIN-7 is before 8 in PLAIN-78, but the prefix is PLAIN-; cut so, or inside a word, ids match by chance."""
    assert hint(["PLAIN-78"], ["8"]) is None
    assert hint(["7-PLAIN"], ["7"]).change == 'removing the suffix "-PLAIN" from the judged ids'
    assert hint(["87-PLAIN"], ["8"]) is None
    assert hint(["topic"], ["pic"]) is None
    assert hint(["PLAIN-78", "PLAIN-79", "PLAIN-8"], ["8", "9", "78"]).change == (
        'removing the prefix "PLAIN-" from the judged ids'
    )


def test_an_affix_without_which_few_ids_match_is_chance():
    """Of the ids of the smaller side half must match; documents that are in one place only are the rule."""
    run = ["1", "2", "3", "4"]
    judged = ["PLAIN-1", "PLAIN-5", "PLAIN-6", "PLAIN-7", "PLAIN-8"]
    assert hint(judged, run) is None
    assert hint(judged, run, share=0).matches == 1
    assert hint([*judged, "PLAIN-2"], run).matches == 2
    assert hint(["01", "x", "y"], run).change == "removing leading zeros"


def test_an_affix_of_documents_must_help_half_of_the_queries_that_find_nothing():
    """One document of one query in three is chance; of two it is a hint."""
    qrels = qrels_of([("q1", "MED-1", 1), ("q2", "MED-2", 1), ("q3", "MED-3", 1)])
    assert "ids-almost-match" not in notes(ranked("q1 1\nq2 x\nq3 y"), qrels)
    text = notes(ranked("q1 1\nq2 2\nq3 y"), qrels)["ids-almost-match"]
    assert 'would match after removing the prefix "MED-" from the judged ids' in text


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


@pytest.mark.parametrize(
    ("grades", "measures", "decides"),
    [
        ("q1 a 1\nq1 b 0", "RR", True),
        ("q1 a 1\nq1 b 1\nq1 c 1\nq1 d 1\nq1 e 1", "AP nDCG", False),  # all of one grade
        ("q1 a 1", "P@1 RR@1", False),  # first of all, tied with none
        ("q1 e 1", "P@3", True),  # behind the cutoff, which goes through its ties
        ("q1 e 1", "P@5", False),  # the ties are all inside
        ("q1 e 1", "RR@3", True),
        ("q1 e 1", "SetP NumRet", False),  # nothing that asks for an order
    ],
)
def test_ties_are_told_where_they_decide_a_number(grades, measures, decides):
    """A tie of one grade decides nothing, nor does one that no measure looks into; bounds say when one does."""
    scored = [("q1", "a", 1.0 if measures == "RR" else 2.0), *(("q1", doc, 1.0) for doc in "bcde")]
    scores = dn.evaluate(judged(grades), run_of(scored), measures, ties=False)
    assert ("ties-decide" in {note.kind for note in scores.runs[0].notes}) is decides
    bounded = dn.evaluate(judged(grades), run_of(scored), measures, ties=True)
    assert "ties-decide" not in {note.kind for note in bounded.runs[0].notes}
    known = [mean.ties for mean in bounded.means() if mean.ties.low is not None]
    assert any(ties.low < ties.high for ties in known) is decides


def test_a_dialect_keeps_the_notes_that_hold_in_it():
    """Queries without relevant documents, grades below 0 and other means are told as the dialect has them."""
    qrels, run = judged("q1 a 1\nq1 b -1\nq2 c 0\nq3 d 1"), ranked("q1 a b\nq2 c")
    plain, said = notes(run, qrels), notes(run, qrels, dialect=dialect("trec_eval-c").using(ap="capped"))
    assert said == {kind: text for kind, text in plain.items() if kind != "ties-decide"}
    assert "AP 0.333 over 3; 0.500 over the 2 answered" in said["queries-missing"]
    dropped = notes(run, qrels, dialect=dialect("trec_eval-c").using(no_relevant="dropped", negative="zero"))
    assert dropped["no-relevant"].endswith("has no relevant document; they are not in the mean.")
    assert dropped["negative-grades"] == "1 judgment has a grade below 0: judged, and taken for 0."
    one = notes(run, qrels, dialect=dialect("trec_eval-c").using(no_relevant="1"))
    assert one["no-relevant"].endswith("it scores 1 for every system.")
    two = dn.evaluate(qrels, run, "R@2 P@2", dialect="ragas").notes
    assert next(note.message for note in two if note.kind == "no-relevant").endswith(
        "that is worth differs by measure."
    )


def test_what_ranks_in_a_dialect_decides_in_its_notes():
    """By rank the ranks decide, and nothing is said of an order of ids that the dialect does not have."""
    run = with_ranks(run_of([("q1", "a", 1.0), ("q1", "b", 2.0), ("q2", "c", 1.0)]), [1, 2, 1])
    by_rank = notes(run, dialect=dialect("trec_eval-c").using(order="rank"))
    assert by_rank["rank-against-score"].endswith("is not the order of the scores; the ranks decide.")
    tied = with_ranks(run_of([("q1", "a", 1.0), ("q1", "b", 1.0)]), [1, 2])
    assert "rank-against-ties" in notes(tied)
    assert "rank-against-ties" not in notes(tied, dialect=dialect("trec_eval-c").using(ties="file"))


@pytest.mark.parametrize("choices", [{}, {"ap": "capped"}])
def test_trec_eval_10_is_said_to_stop_where_it_does(choices):
    """Without -c it prints nothing for a run that lacks a judged query; where none is missing there is no such note."""
    spoken = dialect("trec_eval-10").using(**choices)
    assert notes(ranked("q1 a"), dialect=spoken)["trec_eval-10-stops"] == (
        "trec_eval 10 without -c prints no number here: it stops (exit status 4), as the run lacks 1 judged query. The "
        "means are over those that it answers, as in trec_eval 9."
    )
    assert "trec_eval-10-stops" not in notes(ranked("q1 a\nq2 c"), dialect=spoken)
