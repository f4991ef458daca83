"""evaluate(): every judged query has a row, and every mean says what it is over."""

import copy
import dataclasses
import math
import pickle

import numpy as np
import pytest

import denominator as dn
from denominator.evaluation import named_runs
from inputs import judged, qrels_of, ranked, run_of

QRELS = judged("q2 a 1\nq2 b 2\nq1 c 1\nq10 d 1\nq3 e 0")
RUN = ranked("q1 x c\nq2 a x y b\nq99 a")


def named(run, name):
    return dataclasses.replace(run, source=dataclasses.replace(run.source, name=name))


def mean(measure: str, *, qrels=QRELS, run=RUN, **options):
    (found,) = dn.evaluate(qrels, run, measure, **options).means()
    return found


def test_every_judged_query_has_a_row_in_byte_order():
    """Rows stand in byte order of the query ids, unanswered queries and those without relevant documents included."""
    scores = dn.evaluate(QRELS, RUN, "AP")
    assert scores.queries == ("q1", "q10", "q2", "q3")
    assert [(row.query_id, row.value, row.answered, row.undefined) for row in scores.rows()] == [
        ("q1", 0.5, True, False),
        ("q10", 0.0, False, False),
        ("q2", 0.75, True, False),
        ("q3", 0.0, False, True),
    ]


def test_the_order_of_rows_and_queries_in_the_files_does_not_matter():
    """The same rows backwards give the same scores, bit for bit."""
    judgments = [("q2", "a", 1), ("q2", "b", 2), ("q1", "c", 1), ("q10", "d", 1), ("q3", "e", 0)]
    retrieved = [("q1", "x", 3.0), ("q1", "c", 2.0), ("q2", "a", 9.0), ("q2", "y", 8.0), ("q2", "b", 8.0)]
    one, two = (
        list(dn.evaluate(qrels_of(judgments[::step]), run_of(retrieved[::step]), "AP nDCG P@3").rows())
        for step in (1, -1)
    )
    assert one == two


def test_the_default_mean_is_over_all_judged_queries():
    """An unanswered query scores 0 and counts, as with trec_eval -c; the counts stand beside the mean."""
    found = mean("AP")
    assert found == dn.Mean(
        "test", found.measure, (0.5 + 0 + 0.75 + 0) / 4, 4, 4, 2, 1, 3, ceiling=0.75, queries="judged"
    )
    assert found.share_of_ceiling == pytest.approx(0.3125 / 0.75)
    assert str(found) == "AP 0.312 (4 judged: 2 answered, 2 scored 0), 42% of the ceiling 0.750"


@pytest.mark.parametrize(
    ("queries", "value", "n"),
    [("answered", 0.625, 2), ("answerable", 1.25 / 3, 3), (["q2", "q10"], 0.375, 2), (("q3",), 0.0, 1)],
)
def test_other_query_sets_have_their_own_mean_and_count(queries, value, n):
    """A mean over other queries says so, and the counts of judged and answered queries stay what they are."""
    found = mean("AP", queries=queries)
    name = queries if isinstance(queries, str) else "listed"
    assert (found.value, found.n, found.queries, found.judged, found.answered) == (value, n, name, 4, 2)
    assert dn.evaluate(QRELS, RUN, "AP").means(queries) == (found,)


@pytest.mark.parametrize(
    ("queries", "trec_eval", "dialect"),
    [
        ("judged", "9", "trec_eval-c"),
        ("judged", "10", "trec_eval-10-c"),
        ("answered", "9", "trec_eval-9"),
        ("answered", "10", "trec_eval-10"),
        ("answerable", "9", "trec_eval-answerable"),
        (["q1"], "9", "trec_eval-listed"),
    ],
)
def test_the_dialect_names_the_choices(queries, trec_eval, dialect):
    """The default has trec_eval's name with -c, another query set or version another name."""
    assert dn.evaluate(QRELS, RUN, "AP", queries=queries, trec_eval=trec_eval).dialect == dialect


@pytest.mark.parametrize(
    ("queries", "text"),
    [
        ("all", 'unknown query set "all": expected judged, answered, answerable, or a list of query ids'),
        (["q1", "q7", "q99"], "2 of the listed queries are not judged: q7, q99"),
        (["q1", "q1"], "listed twice among the queries: q1"),
        ([], "an empty list of queries: a mean needs at least one"),
    ],
)
def test_a_query_set_that_cannot_be_is_refused(queries, text):
    """Unknown names, unjudged ids, repeats and an empty list are errors that say which."""
    with pytest.raises(dn.UsageError) as raised:
        dn.evaluate(QRELS, RUN, "AP", queries=queries)
    assert str(raised.value) == text


def test_a_mean_over_nothing_has_no_value():
    """Where no query is answerable there is nothing to average: None, not 0 and not NaN."""
    found = mean("AP", level=9, queries="answerable")
    assert (found.value, found.n, found.ceiling, found.share_of_ceiling) == (None, 0, None, None)
    assert str(found) == "AP has no value (0 answerable of 4 judged, 2 answered)"


def test_measures_for_which_zero_would_be_perfect_have_no_value_for_missing_queries():
    """An unanswered query is not free of unjudged documents: it is marked, has no value, and is not in the mean."""
    scores = dn.evaluate(QRELS, RUN, "Unjudged@2 rbp_resid num_nonrel_judged_ret")
    rows = [(row.value is None, row.undefined, row.engine) for row in scores.rows() if not row.answered]
    assert rows == [(True, True, "unanswered")] * 6
    assert [(found.n, found.judged, found.undefined) for found in scores.means()] == [(2, 4, 2)] * 3
    assert scores.means()[0].value == 0.5
    assert str(scores.means()[0]) == "Unjudged@2 0.500 (2 with a value of 4 judged, 2 answered)"


def test_counts_are_sums_and_count_judgments_of_missing_queries_too():
    """NumRel is of the judgments, so a missing query's relevant documents are in it; NumRet is of the run."""
    scores = dn.evaluate(QRELS, RUN, "NumQ NumRet NumRel NumRelRet NumRel(rel=2)")
    assert [found.value for found in scores.means()] == [4, 6, 4, 3, 1]
    assert [found.value for found in scores.means("answered")] == [2, 6, 3, 3, 1]


def test_geometric_means_take_a_missing_query_as_trec_eval_does():
    """gm_map's rows are logarithms, a missing query is log(1e-5), and the mean is exp of their mean."""
    found = mean("gm_map")
    assert found.value == math.exp((math.log(0.5) + math.log(1e-5) + math.log(0.75) + math.log(1e-5)) / 4)


def test_values_are_added_one_by_one_in_byte_order():
    """The mean is the sequential sum that trec_eval prints, which a pairwise or compensated sum is not."""
    rng = np.random.default_rng(5)
    rows = [(f"q{number}", f"d{position}") for number in range(999) for position in range(9)]
    qrels = qrels_of([(query, document, int(rng.random() < 0.3)) for query, document in rows])
    run = run_of([(query, document, rng.random()) for query, document in rows])
    scores = dn.evaluate(qrels, run, "nDCG", engine="columnar")
    values = [row.value for row in scores.rows()]
    total = 0.0
    for value in values:
        total += value
    assert scores.means()[0].value == total / 999
    assert total != math.fsum(values)
    assert total != np.sum(values)


def test_level_depth_and_judged_only_reach_every_measure():
    """-l, -M and -J change values, and the settings are kept with the scores."""
    assert [row.value for row in dn.evaluate(QRELS, RUN, "RR", level=2).rows()] == [0.0, 0.0, 0.25, 0.0]
    assert [row.value for row in dn.evaluate(QRELS, RUN, "RR", depth=1).rows()] == [0.0, 0.0, 1.0, 0.0]
    assert [row.value for row in dn.evaluate(QRELS, RUN, "RR", judged_only=True).rows()] == [1.0, 0.0, 1.0, 0.0]
    settings = dn.evaluate(QRELS, RUN, "RR", level=2, depth=3, judged_only=True, trec_eval="10").settings
    assert (settings.level, settings.depth, settings.judged_only, settings.trec_eval) == (2, 3, True, "10")


def test_trec_eval_10_rounds_where_9_cuts():
    """0.4 of three relevant documents is 1.2 of them: two (2/3 at rank 3) by trec_eval 9, one (1/1 at rank 1) by 10."""
    qrels, run = judged("q a 1\nq b 1\nq c 1"), ranked("q a x b")
    nine, ten = (mean("IPrec@0.4", qrels=qrels, run=run, trec_eval=version).value for version in ("9", "10"))
    assert (nine, ten) == (2 / 3, 1.0)


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"level": 0}, "level=0: expected a grade above 0; a document of grade 0 is judged non-relevant"),
        ({"level": "1"}, "level='1': expected a grade above 0; a document of grade 0 is judged non-relevant"),
        ({"depth": 0}, "depth=0: expected a number of documents, 1 or more"),
        ({"depth": 2.5}, "depth=2.5: expected a number of documents, 1 or more"),
        ({"trec_eval": 9}, 'trec_eval=9: expected "9" or "10"'),
        ({"engine": "ranx"}, 'unknown engine "ranx": expected auto, pytrec_eval, columnar, reference'),
    ],
)
def test_an_argument_that_makes_no_sense_is_refused(options, text):
    """The message says what was found and what was expected, before anything is computed."""
    with pytest.raises(dn.UsageError) as raised:
        dn.evaluate(QRELS, RUN, "AP", **options)
    assert str(raised.value) == text


@pytest.mark.parametrize("measure", ["runid", "relstring"])
def test_a_measure_that_is_a_text_is_refused(measure):
    """Texts have no mean."""
    with pytest.raises(dn.MeasureError):
        dn.evaluate(QRELS, RUN, [measure])


def test_measures_come_in_every_spelling():
    """A text with several, a list, our Measure and ir_measures' are all accepted, in the order given."""
    # in the extra [peers]
    ir_measures = pytest.importorskip("ir_measures")
    scores = dn.evaluate(QRELS, RUN, ["AP ndcg_cut_10", dn.parse_measure("P@5"), ir_measures.R @ 7])
    assert [str(measure) for measure in scores.measures] == ["AP", "nDCG@10", "P@5", "R@7"]


def test_a_document_twice_is_refused_with_its_place():
    """Rows that never went through a reader are checked too."""
    with pytest.raises(dn.InputError, match=r'query "q1" holds document "c" more than once \(2 such rows\)'):
        dn.evaluate(QRELS, run_of([("q1", "c", 2.0), ("q1", "c", 1.0)]), "AP")
    with pytest.raises(dn.InputError, match=r'query "q1" holds document "c" more than once'):
        dn.evaluate(qrels_of([("q1", "c", 1), ("q1", "c", 1)]), RUN, "AP")


def test_nothing_to_score_is_an_error():
    """No rows, or no run, is an error and not an empty table."""
    with pytest.raises(dn.InputError, match="no rows"):
        dn.evaluate(QRELS, run_of([]), "AP")
    with pytest.raises(dn.UsageError, match="no run to score"):
        dn.evaluate(QRELS, [], "AP")


def test_many_runs_come_out_in_the_order_given():
    """Several runs are scored at a time and still stand in input order, each as if it were alone."""
    runs = [named(ranked(f"q1 {'x ' * number}c".replace("x", f"x{number}", 1)), f"run {number}") for number in (1, 0)]
    runs += [
        named(run_of([("q1", f"x{at}", -at) for at in range(1, n)] + [("q1", "c", -n)]), f"r{n}") for n in range(2, 30)
    ]
    scores = dn.evaluate(QRELS, runs, "RR", queries=["q1"])
    assert [run.name for run in scores.runs] == ["run 1", "run 0", *(f"r{n}" for n in range(2, 30))]
    assert [found.value for found in scores.means()] == [0.5, 1.0, *(1 / n for n in range(2, 30))]


def test_a_bad_run_does_not_lose_the_good_ones():
    """The run that cannot be scored is named with its error; the others have their scores."""
    bad = named(ranked("other c"), "bad")
    scores = dn.evaluate(QRELS, [named(RUN, "a"), bad, named(RUN, "b")], "AP")
    assert [run.name for run in scores.runs] == ["a", "b"]
    ((name, error),) = [(failure.run, failure.error) for failure in scores.failures]
    assert name == "bad"
    assert isinstance(error, dn.NoCommonQueriesError)


def test_when_every_run_is_bad_the_first_error_is_raised():
    """One bad run alone, or all of them, is an error of the call."""
    with pytest.raises(dn.NoCommonQueriesError, match="first"):
        dn.evaluate(QRELS, [named(ranked("other c"), "first"), named(ranked("more c"), "second")], "AP")


def test_progress_is_told_after_each_run():
    """A caller can draw a bar: (done, in all) after each run, bad ones included."""
    told = []
    runs = [named(RUN, "a"), named(ranked("other c"), "bad"), named(RUN, "b")]
    dn.evaluate(QRELS, runs, "AP", progress=lambda done, total: told.append((done, total)))
    assert told == [(1, 3), (2, 3), (3, 3)]


def test_runs_are_told_apart_by_name():
    """A mapping gives names; a second run of the same name gets a number; a function is called for its run."""
    scores = dn.evaluate(QRELS, {"one": RUN, "two": lambda: RUN}, "AP")
    assert [run.name for run in scores.runs] == ["one", "two"]
    assert [name for name, _ in named_runs([RUN, RUN, "runs/a.run"])] == ["test", "test (2)", "runs/a.run"]


@pytest.mark.parametrize(
    ("runs", "names"),
    [
        ({"q1": {"d1": 1.0}}, ["dict"]),
        ({"bm25": {"q1": {"d1": 1.0}}, "dense": {"q1": {"d1": 1.0}}}, ["bm25", "dense"]),
        ({"bm25": [("q1", "d1", 1.0)]}, ["bm25"]),
        ({"q1": [("d1", 1.0)]}, ["dict"]),
        ([("q1", "d1", 1.0), ("q1", "d2", 0.5)], ["list"]),
        ([{"q1": {"d1": 1.0}}, {"q1": {"d2": 1.0}}], ["dict", "dict (2)"]),
        (["a.run", "b.run"], ["a.run", "b.run"]),
        ("a.run", ["a.run"]),
    ],
)
def test_one_run_is_told_from_many(runs, names):
    """A dict of queries is a run, a dict of dicts of queries is several; rows are a run, a list of paths is several."""
    assert [name for name, _ in named_runs(runs)] == names


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"measures": None}, "None is a NoneType, expected a measure"),
        ({"measures": 5}, "5 is a int, expected a measure"),
        ({"queries": None}, "queries=None: expected judged, answered, answerable, or a list"),
        ({"queries": 5}, "queries=5: expected judged"),
        ({"queries": b"q1"}, "queries=b'q1': expected judged"),
        ({"engine": None}, "engine=None: expected auto, pytrec_eval"),
        ({"engine": []}, r"engine=\[\]: expected auto"),
        ({"by": 5}, "by=5: expected a mapping"),
        ({"by": ""}, "by='': expected a mapping"),
        ({"progress": 5}, "progress=5: expected a function"),
        ({"level": float("nan")}, "level=nan: expected a grade above 0"),
        ({"level": float("inf")}, "level=inf: expected a grade above 0"),
        ({"level": 10**5000}, "level=a number of more than 4,300 digits"),
        ({"depth": 10**30}, "depth=10{30}: expected a number of documents, 1 to 9,223,372,036,854,775,807"),
        ({"depth": 10**5000}, "depth=a number of more than 4,300 digits"),
        ({"measures": "nDCG(gains={1:-1})@5"}, "a gain below 0"),
    ],
)
def test_an_argument_that_makes_no_sense_is_refused_in_words(arguments, message):
    """Each is a UsageError that says what was found and what is expected."""
    given = {"measures": "AP", **arguments}
    with pytest.raises(dn.UsageError, match=message):
        dn.evaluate({"q1": {"d": 1}}, {"q1": {"d": 1.0}}, **given)


def test_a_file_open_as_text_is_refused(tmp_path):
    """Bytes are read as they are; a text file has been decoded by then, nobody knows how."""
    run = tmp_path / "x.run"
    run.write_text("q1 Q0 d 1 1 x\n")
    with run.open("rb") as file:
        assert dn.evaluate({"q1": {"d": 1}}, file, "AP").means()[0].value == 1.0
    with run.open() as file, pytest.raises(dn.InputError, match=r"x\.run: open as text"):
        dn.evaluate({"q1": {"d": 1}}, file, "AP")
    with run.open() as file, pytest.raises(dn.InputError, match=r"x\.run: open as text"):
        dn.evaluate(file, {"q1": {"d": 1.0}}, "AP")


@pytest.mark.parametrize("options", [{}, {"dialect": "ranx"}, {"ties": True, "unjudged": "bounds"}, {"level": 2}])
def test_scores_can_be_copied_and_sent_to_another_process(options):
    """A copy has every mean and every value, whatever was asked for; joblib and multiprocessing send such copies."""
    scores = dn.evaluate(QRELS, RUN, ["P@5", "nDCG@5"], **options)
    for other in (copy.deepcopy(scores), pickle.loads(pickle.dumps(scores))):
        assert repr(other) == repr(scores)
        assert other.measures == scores.measures
        assert [mean.value for mean in other.means()] == [mean.value for mean in scores.means()]
        assert other.to_arrow().equals(scores.to_arrow())


@pytest.mark.parametrize("dialect", [None, "ranx"])
@pytest.mark.parametrize(
    ("queries", "value", "n", "undefined"),
    [
        ("judged", 1 / 4, 4, 2),
        ("answered", 1 / 2, 2, 1),
        ("answerable", 1 / 2, 2, 0),
        ("run", 1 / 3, 3, 1),
        (["q1", "q2"], 1 / 2, 2, 1),
    ],
)
def test_undefined_counts_the_queries_that_the_mean_is_over(dialect, queries, value, n, undefined):
    """q1 is found, q2 and q4 have nothing relevant, q3 is not answered, q9 not judged: the same in every dialect."""
    qrels = {"q1": {"a": 1}, "q2": {"b": 0}, "q3": {"c": 1}, "q4": {"d": 0}}
    run = {"q1": {"a": 1.0}, "q2": {"b": 1.0}, "q9": {"x": 1.0}}
    (found,) = dn.evaluate(qrels, run, "AP", queries=queries, dialect=dialect).means()
    assert (found.value, found.n, found.undefined) == (pytest.approx(value), n, undefined)


def test_scores_with_a_run_that_failed_can_be_copied_too():
    """What was wrong with it, line by line, is in the copy."""
    bad = [("q1", "d1", 1.0), ("q1", "d1", 2.0)]
    scores = dn.evaluate({"q1": {"d1": 1}}, {"good": {"q1": {"d1": 2.0}}, "bad": bad}, "RR")
    for other in (copy.deepcopy(scores), pickle.loads(pickle.dumps(scores))):
        assert str(other.failures[0].error) == str(scores.failures[0].error)
        assert other.failures[0].error.faults == scores.failures[0].error.faults
        assert [mean.value for mean in other.means()] == [1.0]
    absent = dn.errors.AbsentError("no docs", "ciral/sw", "docs")
    assert vars(pickle.loads(pickle.dumps(absent))) == vars(absent)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"by": {}}, "by is empty"),
        ({"by": {"q1": None}}, "by holds None: expected query ids and names of groups"),
        ({"by": {"q1": float("nan")}}, "by holds nan"),
        ({"by": {"q1": True}}, "by holds True"),
        ({"judged_only": "no"}, "judged_only='no': expected True or False"),
        ({"judged_only": 2}, "judged_only=2: expected True or False"),
        ({"ties": "x"}, "ties='x': expected True or False"),
        ({"floor": 3, "corpus_size": 100}, "floor=3: expected True or False"),
    ],
)
def test_what_is_neither_true_nor_false_nor_a_group_is_refused(options, words):
    """A text that happens to be true turns nothing on; a group has a name."""
    with pytest.raises(dn.UsageError, match=words):
        dn.evaluate(QRELS, RUN, "AP", **options)


def test_groups_may_be_numbers():
    """Years, and ids that a frame holds as numbers, are their decimal texts."""
    scores = dn.evaluate({"1": {"a": 1}, "2": {"b": 1}}, {"1": {"a": 1.0}}, "AP", by={1: 2023, np.int64(2): 2024})
    assert {mean.group: mean.value for mean in scores.group_means()} == {"2023": 1.0, "2024": 0.0}
