"""Bounds on inputs small enough to work out by hand, and what is refused."""

import math
from itertools import pairwise

import numpy as np
import pytest

from denominator import UsageError, evaluate
from denominator.bounds import floor, ties, unjudged
from denominator.bounds import labels as label_module
from denominator.bounds import open_places as places_module
from denominator.engines import Settings
from denominator.measures import Measure, parse_measure
from inputs import judged, qrels_of, ranked, run_of


def one(found):
    """Return the bounds of the first query of the only measure, as plain numbers."""
    (bounds,) = found.values()
    return tuple(None if part is None else float(part[0]) for part in bounds)


def near(value: float) -> object:
    return pytest.approx(value, abs=1e-12)


def test_ndcg_with_unjudged_documents_as_nonrelevant_is_no_lower_bound():
    """A perfect ranking of the two judged documents falls below 1 when what stands below them is relevant too."""
    qrels, run = judged("q a 1\nq b 1"), ranked("q a b u v")
    low, _, high = one(unjudged(qrels, run, "nDCG@2"))
    assert (low, high) == (1.0, 1.0)  # two places, both filled: labels below the cutoff fill no further place
    low, _, high = one(unjudged(qrels, ranked("q a x b u"), "nDCG@3"))
    ideal = 1 + 1 / math.log2(3) + 1 / 2
    assert (low, high) == (near((1 + 1 / 2) / ideal), 1.0)
    assert low < evaluate(qrels, ranked("q a x b u"), "nDCG@3").means()[0].value


def test_relevant_documents_outside_the_ranking_lower_recall():
    """R@1 is 1/2 of two; three more that were not retrieved make it 1/5, and labels inside raise it as before."""
    qrels, run = judged("q a 1\nq b 1"), ranked("q a u")
    assert one(unjudged(qrels, run, "R@2")) == (0.5, None, near(2 / 3))
    assert one(unjudged(qrels, run, "R@2", max_unjudged_relevant=3)) == (near(1 / 5), None, near(2 / 3))
    assert one(unjudged(qrels, run, "R@1")) == (near(1 / 3), None, 0.5)


def test_the_lowest_average_precision_may_need_several_labels():
    """Relevant at rank 1 of ten, the rest unjudged: three more at the bottom are worse than two, and than four."""
    low, _, high = one(unjudged(judged("q a 1"), ranked("q a " + " ".join(f"u{n}" for n in range(9))), "AP"))
    assert low == near((1 + 2 / 8 + 3 / 9 + 4 / 10) / 4)
    assert high == 1.0


def test_gmax_is_the_highest_grade_in_the_judgments_unless_it_is_said():
    """A label of 1 ahead of a 2 costs less than one of 2; a label below the relevance level costs nothing."""
    qrels, run = judged("q a 2\nr b 1"), ranked("q u a\nr b")
    ideal = {top: 2 + top / math.log2(3) if top < 2 else top + 2 / math.log2(3) for top in (1, 2, 4)}
    for gmax, top in ((None, 2), (1, 1), (4, 4)):
        _, _, high = one(unjudged(qrels, run, "nDCG", gmax=gmax))
        assert high == near((top + 2 / math.log2(3)) / ideal[top])
    assert one(unjudged(qrels, run, "RR", gmax=0)) == (0.5, None, 0.5)
    assert one(unjudged(qrels, run, "RR(rel=2)", gmax=1)) == (0.5, None, 0.5)


def test_a_document_in_the_pool_without_a_grade_is_unjudged():
    """A grade below 0 is no judgment: the document can be relevant."""
    assert one(unjudged(judged("q a 1\nq p -1"), ranked("q p a"), "P@1")) == (0.0, None, 1.0)


def test_a_depth_cuts_the_ranking_before_it_is_labelled_or_shuffled():
    """Under -M 2 the unjudged document at rank 3 has no label; of three tied documents two are looked at."""
    qrels = judged("q a 1")
    assert one(unjudged(qrels, ranked("q a b u"), "R@1")) == (near(1 / 3), None, 1.0)
    assert one(unjudged(qrels, ranked("q a b u"), "R@1", settings=Settings(depth=2))) == (0.5, None, 1.0)
    assert one(unjudged(qrels, ranked("q a b u"), "R@1", settings=Settings(depth=1))) == (1.0, None, 1.0)
    run = run_of(("q", doc, 1.0) for doc in "abc")
    assert one(ties(qrels, run, "R@5", Settings(depth=2))) == (0.0, near(2 / 3), 1.0)
    assert floor(qrels, run, "R@5", settings=Settings(depth=2))[parse_measure("R@5")][0] == near(2 / 3)


def test_a_relevance_level_holds_for_bounds():
    """At level 2 the document of grade 1 is one of those that are not relevant."""
    qrels, run = judged("q a 2\nq b 1"), run_of(("q", doc, 1.0) for doc in "abc")
    assert one(ties(qrels, run, "P@1", Settings(level=2))) == (0.0, near(1 / 3), 1.0)
    assert one(ties(qrels, run, "P(rel=1)@1", Settings(level=2))) == (0.0, near(2 / 3), 1.0)


def test_nan_scores_tie_with_each_other_and_with_nothing_else():
    """Where a leniency let NaN in, the documents rank last, ordered by their names alone: they are tied."""
    qrels = judged("q a 1")
    run = run_of([("q", "a", math.nan), ("q", "b", math.nan), ("q", "c", -math.inf), ("q", "d", math.inf)])
    assert one(ties(qrels, run, "RR")) == (1 / 4, near((1 / 3 + 1 / 4) / 2), 1 / 3)


def test_ties_are_found_in_a_run_that_is_not_in_order():
    """Rows scattered over the file, unsorted, have the same bounds as sorted ones."""
    qrels = judged("q a 1\nr a 1")
    rows = [("q", "a", 1.0), ("r", "b", 3.0), ("q", "b", 2.0), ("r", "a", 3.0), ("q", "c", 1.0), ("r", "c", 4.0)]
    (bounds,) = ties(qrels, run_of(rows), "RR").values()
    assert bounds.low.tolist() == [1 / 3, 1 / 3]
    assert bounds.high.tolist() == [1 / 2, 1 / 2]


def test_an_unanswered_query_is_worth_nothing_in_every_bound():
    """Its bounds are its value, 0, and they are in the mean."""
    scores = evaluate(
        judged("q a 1\nr b 1"),
        run_of([("q", "a", 1.0), ("q", "u", 1.0)]),
        "RR",
        ties=True,
        unjudged="bounds",
        floor=True,
    )
    (mean,) = scores.means()
    assert (mean.ties, mean.unjudged, mean.floor) == ((0.25, 0.375, 0.5), (0.25, None, 0.5), 0.375)
    (answered,) = scores.means("answered")
    assert (answered.ties, answered.unjudged, answered.floor) == ((0.5, 0.75, 1.0), (0.5, None, 1.0), 0.75)


def test_a_query_without_relevant_documents_has_the_bounds_that_labels_give_it():
    """It is worth 0 as it stands, and 1 where the first unjudged document is the only relevant one."""
    for measure in ("AP", "R@2", "nDCG", "RR", "Success@1"):
        assert one(unjudged(judged("q a 0\nr b 1"), ranked("q u a v\nr b"), measure)) == (0.0, None, 1.0)


def test_the_floor_of_a_corpus_falls_with_its_size():
    """One relevant document of N, ten drawn: R is 10/N."""
    qrels, run = judged("q a 1"), ranked("q " + " ".join(f"d{n}" for n in range(10)))
    for size in (10, 100, 8_841_823):
        assert floor(qrels, run, "R@10", size)[parse_measure("R@10")][0] == near(10 / size)


def test_many_relevant_documents_in_one_large_tie_add_up():
    """300 relevant among 5,000 tied: P@k is 0.06 at every k, and AP is that of the closed form, term by term."""
    qrels = qrels_of(("q", f"d{n}", 1) for n in range(300))
    run = run_of(("q", f"d{n}", 1.0) for n in range(5000))
    found = ties(qrels, run, "P@10 P@5000 AP Success@10")
    values = [float(bounds.expected[0]) for bounds in found.values()]
    ap = math.fsum((1 + i * 299 / 4999) / (i + 1) for i in range(5000)) / 5000
    assert values[:3] == [near(0.06), near(0.06), near(ap)]
    assert values[3] == near(1 - math.comb(4700, 10) / math.comb(5000, 10))


def test_the_size_of_a_block_changes_nothing(monkeypatch):
    """Queries looked at one by one have the bounds that they have together."""
    rng = np.random.default_rng(4)
    rows = {(f"q{q}", f"d{d}"): int(rng.integers(0, 4)) for q in range(12) for d in rng.integers(0, 40, 9)}
    run = run_of((f"q{q}", f"d{d}", float(-d)) for q in range(12) for d in range(3 * q + 1))
    qrels = qrels_of((*pair, grade) for pair, grade in rows.items())
    measures = "AP AP@5 nDCG nDCG@5 nDCG(dcg='exp-log2')"
    together = unjudged(qrels, run, measures)
    monkeypatch.setattr(places_module, "BLOCK", 1)
    for measure, bounds in unjudged(qrels, run, measures).items():
        assert bounds.low.tolist() == pytest.approx(together[measure].low.tolist(), abs=1e-14)
        assert bounds.high.tolist() == pytest.approx(together[measure].high.tolist(), abs=1e-14)


def test_more_labels_never_narrow_the_bounds():
    """A higher gmax, and more documents outside, can only widen them."""
    qrels, run = judged("q a 2\nq b 1\nq c 0"), ranked("q u a v b c w")
    for measure in ("AP", "nDCG", "nDCG@3", "R@3"):
        for wider in ({"gmax": top} for top in range(4)), ({"max_unjudged_relevant": n} for n in range(4)):
            found = [one(unjudged(qrels, run, measure, **how)) for how in wider]
            assert all(after[0] <= before[0] and before[2] <= after[2] for before, after in pairwise(found))


@pytest.mark.parametrize("grade", [3000, 700])
def test_large_grades_as_exponents_stay_finite(grade):
    """2**3000 is no float, and the quotient is one all the same."""
    measure = Measure("nDCG", None, dcg="exp-log2")
    qrels, run = qrels_of([("q", "a", grade), ("q", "b", 1), ("r", "c", 1)]), ranked("q u a b\nr c")
    (bounds,) = unjudged(qrels, run, [measure]).values()
    assert bounds.high.tolist() == [near(1.0), 1.0]
    assert ties(qrels, run, [measure])[measure].expected.tolist() == [near(1 / math.log2(3)), 1.0]


def test_the_highest_grade_is_a_whole_number_where_the_grades_are():
    """gmax=1.5 among whole grades is a grade that no judge gives; among real-valued ones it is one."""
    with pytest.raises(UsageError, match=r"gmax=1\.5: the grades in the judgments are whole numbers"):
        unjudged(judged("q a 1"), ranked("q u a"), "nDCG", gmax=1.5)
    assert one(unjudged(judged("q a 0.5"), ranked("q u a"), "nDCG", gmax=1.5))[2] == 1.0
    assert label_module.highest_grade(np.array([-1]), None) == 0


@pytest.mark.parametrize(
    ("how", "settings", "message"),
    [
        ({"gmax": -1}, Settings(), "gmax=-1: expected the highest grade a document can have, 0 or more"),
        ({"gmax": "3"}, Settings(), "gmax='3': expected"),
        ({"gmax": math.nan}, Settings(), "gmax=nan: expected"),
        ({"max_unjudged_relevant": -1}, Settings(), "max_unjudged_relevant=-1: expected a number of documents, 0 to"),
        ({"max_unjudged_relevant": 1.5}, Settings(), "max_unjudged_relevant=1.5: expected"),
        ({}, Settings(judged_only=True), r"unjudged bounds with judged_only \(-J\): it takes the unjudged"),
    ],
)
def test_label_bounds_that_make_no_sense_are_refused_in_words(how, settings, message):
    """A number that is none, and a condensed list, which has no unjudged documents."""
    with pytest.raises(UsageError, match=message):
        unjudged(judged("q a 1"), ranked("q a"), "P@1", settings=settings, **how)


def test_condensed_lists_under_a_depth_are_refused():
    """Which documents are cut, before the rest is condensed, depends on the order that is asked about."""
    qrels, run, both = judged("q a 1"), ranked("q a b"), Settings(depth=1, judged_only=True)
    with pytest.raises(UsageError, match=r"ties with both depth \(-M\) and judged_only \(-J\)"):
        ties(qrels, run, "P@1", both)
    with pytest.raises(UsageError, match=r"a floor with both depth"):
        floor(qrels, run, "P@1", settings=both)
    with pytest.raises(UsageError, match="a floor over a corpus with judged_only"):
        floor(qrels, run, "P@1", 100, Settings(judged_only=True))
    own = Measure("AP", None, judged_only=True)
    assert ties(qrels, run, [own], Settings(depth=1)) == {own: None}
    assert ties(qrels, run, [own])[own] is not None
    assert unjudged(qrels, run, [own]) == {own: None}


def test_a_corpus_holds_what_is_judged_and_retrieved():
    """A corpus smaller than either is none."""
    qrels, run = judged("q a 1\nq b 1\nq c 0"), ranked("q a d e f")
    with pytest.raises(UsageError, match='corpus_size=2: query "q" alone has 3 documents judged'):
        floor(qrels, run, "P@1", 2)
    with pytest.raises(UsageError, match='corpus_size=3: query "q" alone has 4 documents retrieved by test'):
        floor(qrels, run, "P@1", 3)
    with pytest.raises(UsageError, match="corpus_size=0: expected a number of documents, 1 or more"):
        floor(qrels, run, "P@1", 0)


def test_own_gains_need_whole_grades_and_few_of_them():
    """With gains= every grade up to gmax is looked up."""
    measure = Measure("nDCG", None, gains={1: 2})
    with pytest.raises(UsageError, match=r"gmax at most 1,000; found gmax=5,000"):
        unjudged(judged("q a 1"), ranked("q u a"), [measure], gmax=5000)
    with pytest.raises(UsageError, match="found grades with fractions"):
        unjudged(judged("q a 0.5"), ranked("q u a"), [measure])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"gmax": 2}, 'gmax=2 is the highest grade of an unjudged document: it goes with unjudged="bounds"'),
        ({"max_unjudged_relevant": 0}, 'max_unjudged_relevant=0 is how many .* it goes with unjudged="bounds"'),
        ({"corpus_size": 9}, "corpus_size=9 is what the floor draws from: it goes with floor=True"),
        ({"unjudged": "removed"}, "unjudged='removed': expected \"bounds\", or None"),
    ],
)
def test_arguments_of_evaluate_that_go_with_nothing_are_refused(arguments, message):
    """A number without the question that it belongs to is a mistake, and no silence."""
    with pytest.raises(UsageError, match=message):
        evaluate(judged("q a 1"), ranked("q a"), "P@1", **arguments)


def test_frames_hold_the_bounds_that_were_asked_for():
    """Long rows and means have their columns, empty where a measure is not bounded; without asking there are none."""
    qrels, run = judged("q a 1"), run_of([("q", "a", 1.0), ("q", "b", 1.0)])
    scores = evaluate(qrels, run, "RR Bpref", ties=True, floor=True)
    for form in ("long", "means"):
        frame = scores.to_pandas(form)
        assert frame["ties_low"].tolist()[0] == 0.5
        assert frame["ties_expected"].tolist()[0] == frame["floor"].tolist()[0] == 0.75
        assert frame[["ties_low", "ties_high", "floor"]].iloc[1].isna().all()
        assert "unjudged_low" not in frame
        assert frame.attrs["settings"]["bounds"]["ties"] is True
    assert "ties_low" not in evaluate(qrels, run, "RR").to_pandas("long")


def test_groups_and_macro_means_have_bounds_too():
    """A group's bounds are over its own queries; the macro mean's are the means of the groups'."""
    qrels = judged("q a 1\nr a 1\ns a 1")
    run = run_of([("q", "a", 1.0), ("q", "b", 1.0), ("r", "a", 1.0), ("s", "a", 1.0)])
    scores = evaluate(qrels, run, "RR", ties=True, floor=True, by={"q": "A", "r": "B", "s": "B"})
    assert [mean.ties for mean in scores.group_means()] == [(0.5, 0.75, 1.0), (1.0, 1.0, 1.0)]
    (macro,) = scores.macro_means()
    assert (macro.ties, macro.floor) == ((0.75, 0.875, 1.0), 0.875)


def test_no_grade_above_0_says_nothing_of_how_high_one_may_be():
    """Where all judgments are 0 the bounds need to be told the highest grade; told, they are from nothing to all."""
    qrels, run = judged("q a 0"), ranked("q a b")
    with pytest.raises(UsageError, match=r"no judgment has a grade above 0.*--gmax 1 \(in Python gmax=1\)"):
        evaluate(qrels, run, "P@2", unjudged="bounds")
    assert evaluate(qrels, run, "P@2", unjudged="bounds", gmax=1).means()[0].value == 0
