"""Reported confusions about what a mean is over, each with its right value worked by hand, through evaluate().

Inputs are a few lines, written here.
"""

import pytest

from denominator import NoCommonQueriesError, evaluate
from inputs import judged, ranked


def near(value: float) -> object:
    return pytest.approx(value, abs=5e-7)


def means(scores, queries=None) -> dict[str, float]:
    return {str(mean.measure): mean.value for mean in scores.means(queries)}


def messages(scores) -> list[str]:
    return [note.message for note in (*scores.notes, *scores.runs[0].notes)]


def test_c020_missing_queries_are_named_and_both_means_said():
    """Two of four judged queries unanswered: AP is 1.5/4 over all and 1.5/2 over the answered, and both are printed."""
    qrels = judged("q1 d1 1\nq1 d2 0\nq2 d3 1\nq2 d4 1\nq3 d5 1\nq4 d6 1")
    scores = evaluate(qrels, ranked("q1 d1 d2\nq2 d3 d9"), "AP RR R@10 nDCG gm_map NumQ NumRel")
    assert means(scores) == {
        "AP": 0.375,
        "RR": 0.5,
        "R@10": 0.375,
        "nDCG": near(0.403287),
        "gm_map": near(0.002659),
        "NumQ": 4,
        "NumRel": 5,
    }
    answered = means(scores, "answered")
    assert (answered["AP"], answered["RR"], answered["nDCG"], answered["NumQ"]) == (0.75, 1.0, near(0.806574), 2)
    assert messages(scores) == [
        "Run answers 2 of 4 judged queries (missing: q3, q4). AP 0.375 over 4; 0.750 over the 2 answered."
    ]
    assert str(scores.means()[0]).startswith("AP 0.375 (4 judged: 2 answered, 2 scored 0)")


def test_c021_queries_without_judgments_are_ignored_and_named():
    """q3 and q4 cannot be scored and do not enter the mean: AP is (1 + 1/2)/2, not 1.5/4."""
    scores = evaluate(judged("q1 d1 1\nq2 d2 1"), ranked("q1 d1\nq2 d9 d2\nq3 d1\nq4 d1"), "AP RR nDCG R@10 NumQ")
    assert means(scores) == {"AP": 0.75, "RR": 0.75, "nDCG": near(0.815465), "R@10": 1.0, "NumQ": 2}
    assert messages(scores) == ["2 of 4 run queries have no judgments and were ignored: q3, q4."]


def test_c022_no_query_in_common_is_an_error_with_the_cure():
    """The qrels carry a suffix: nothing is scored, an id of each side is shown, and the suffix is named."""
    with pytest.raises(NoCommonQueriesError) as raised:
        evaluate(judged("101.1 d1 1\n102.1 d2 1"), ranked("101 d1\n102 d2"), "AP")
    text = str(raised.value)
    assert '0 of 2 judged queries in the run; e.g. qrels "101.1", run "101"' in text
    assert '2 would match after removing the suffix ".1" from the judged ids' in text


def test_c025_a_query_without_relevant_documents_caps_the_mean():
    """q2 has no relevant document and scores 0 for everyone: AP is (1 + 0 + 1/2)/3 and can at best be 2/3."""
    qrels = judged("q1 d1 1\nq2 d2 0\nq2 d3 0\nq3 d4 1\nq3 d5 0")
    scores = evaluate(qrels, ranked("q1 d1\nq2 d2 d9\nq3 d5 d4"), "AP nDCG R@10")
    assert means(scores) == {"AP": 0.5, "nDCG": near(0.543643), "R@10": near(0.666667)}
    assert means(scores, "answerable") == {"AP": 0.75, "nDCG": near(0.815465), "R@10": 1.0}
    assert [(mean.ceiling, mean.undefined, mean.n, mean.answerable) for mean in scores.means()] == [
        (near(2 / 3), 1, 3, 2)
    ] * 3
    assert messages(scores) == [
        "1 of 3 judged queries (q2) has no relevant document; it scores 0 for every system, "
        "so the best possible mean is 0.667.",
        "AP 0.500 over all 3; 0.750 over those with a relevant document.",
    ]


def test_c036_a_level_that_empties_a_query_is_said():
    """At level 2 q2 has nothing relevant: AP = 5/12/2. nDCG does not look at the level."""
    qrels = judged("q1 d1 1\nq1 d2 2\nq1 d3 3\nq1 d4 0\nq2 d5 1\nq2 d6 1")
    run = ranked("q1 d1 d4 d2 d3\nq2 d5 d9")
    one = evaluate(qrels, run, "AP RR nDCG@10 NumRel")
    assert means(one) == {"AP": near(0.652778), "RR": 1.0, "nDCG@10": near(0.65224), "NumRel": 5}
    two = evaluate(qrels, run, "AP RR R@10 nDCG@10 NumRel", level=2)
    assert means(two) == {
        "AP": near(0.208333),
        "RR": near(1 / 6),
        "R@10": 0.5,
        "nDCG@10": near(0.65224),
        "NumRel": 2,
    }
    assert means(two, "answerable")["AP"] == near(0.416667)
    message, over = messages(two)
    assert over == "AP 0.208 over all 2; 0.417 over those with a document at level 2 or above."
    assert message.startswith("1 of 2 judged queries (q2) has no document at relevance level 2 or above")
    assert "(|Rel| 5 → 2)" in message
    assert "nDCG@10 ignores the level" in message


def test_c063_ids_that_lost_their_zeros_are_recognised():
    """007 is not 7 and 12 is not 0012: one of three scores, and the note counts what would match without the zeros."""
    scores = evaluate(judged("7 d1 1\n8 d2 1\n9 0012 1"), ranked("007 d1\n8 d2\n9 12"), "AP RR")
    assert means(scores) == {"AP": near(1 / 3), "RR": near(1 / 3)}
    (message,) = [message for message in messages(scores) if "would match" in message]
    assert message == (
        '1 query id (judged "7", run "007") and 1 document id (judged "0012", run "12") would match after removing '
        "leading zeros. Were ids read as numbers somewhere?"
    )


def test_c094_a_perfect_run_reaches_the_ceiling_and_no_more():
    """Four judged queries, one without a relevant passage: the perfect run scores 0.75, all there is."""
    qrels = judged(
        "1 SITEA#10#0 1\n1 SITEA#11#2 0\n2 SITEB#7#1 1\n2 SITEB#7#2 1\n3 SITEC#5#0 0\n3 SITEC#5#1 0\n4 SITED#1#9 1"
    )
    run = ranked("1 SITEA#10#0 SITEA#11#2\n2 SITEB#7#1 SITEB#7#2\n3 SITEC#5#0\n4 SITED#1#9")
    scores = evaluate(qrels, run, "nDCG@20 R@100")
    assert means(scores) == {"nDCG@20": 0.75, "R@100": 0.75}
    assert [(mean.ceiling, mean.share_of_ceiling) for mean in scores.means()] == [(0.75, 1.0)] * 2
    assert means(scores, "answerable") == {"nDCG@20": 1.0, "R@100": 1.0}


def test_c102_two_judges_give_two_scores_for_one_run():
    """The human labels say AP = (1 + 2/3 + 3/4 + 4/6)/4; the model's labels say 1."""
    run = ranked("q1 d01 d05 d02 d03 d06 d04 d07 d08 d09 d10")
    documents = [f"d{number:02}" for number in range(1, 21)]
    human = judged("\n".join(f"q1 {name} {int(name in ('d01', 'd02', 'd03', 'd04'))}" for name in documents))
    model = judged("\n".join(f"q1 {name} {int(name in ('d01', 'd02', 'd05'))}" for name in documents))
    assert [means(evaluate(qrels, run, "AP"))["AP"] for qrels in (human, model)] == [near(0.770833), 1.0]
