"""The columnar engine where pytrec_eval cannot go, value by value, worked by hand."""

import math

import numpy as np
import pyarrow as pa
import pytest

from denominator.engines import ENGINES, Settings, columnar, engine, reference
from denominator.errors import EngineError, UsageError
from denominator.hits import match
from denominator.measures import REGISTRY, Measure, parse_measure, parse_measures
from denominator.model import Qrels, Run, Source
from inputs import judged, ranked, run_of

EVERY = [
    measure
    for measure in parse_measures(
        "all_trec Judged@5 Unjudged@5 RBP ERR(gmax=9) RCap@5 nDCG(dcg='exp-log2')", trec_eval="10"
    )
    if not measure.spec.text_valued
]


def value(qrels: str, run: str, measure: str, **settings) -> float:
    """Return the measure's value of the first judged query."""
    return values(qrels, run, measure, **settings)[0]


def values(qrels: str, run: str, measure: str, **settings) -> list[float]:
    asked = parse_measure(measure)
    return columnar.score(judged(qrels), ranked(run), [asked], Settings(**settings))[asked].tolist()


def near(value: float) -> object:
    return pytest.approx(value, abs=1e-12)


# The engine and its settings


def test_every_numeric_measure_of_the_registry_is_computed():
    """Whatever the registry says columnar computes has a function here, and nothing else has."""
    assert set(columnar.MEASURES) == {name for name, spec in REGISTRY.items() if "columnar" in spec.engines}
    assert set(columnar.MEASURES) == {name for name, spec in REGISTRY.items() if not spec.text_valued}


def test_an_engine_is_found_by_name():
    """The table leads to modules with a `score`; an unknown name is refused with the known ones."""
    for name in ENGINES:
        assert callable(engine(name).score)
    assert engine("columnar") is columnar
    with pytest.raises(EngineError, match="unknown engine 'ranx': expected one of pytrec_eval, columnar, reference"):
        engine("ranx")


def test_settings_do_not_change():
    """Settings are a value: nobody changes them under somebody else."""
    with pytest.raises(AttributeError):
        Settings().level = 2


def test_a_query_that_the_run_lacks_is_not_a_number():
    """An unanswered query is NaN for every measure: evaluate says what it is worth. Unjudged queries do not appear."""
    scored = columnar.score(judged("q1 a 1\nq2 b 1"), ranked("q2 b\nq3 c"), EVERY, Settings())
    for measure in EVERY:
        assert math.isnan(scored[measure][0]), str(measure)
        assert not math.isnan(scored[measure][1]), str(measure)


def test_a_text_is_not_computed():
    """relstring and runid are texts: all NaN here."""
    texts = [Measure("relstring"), Measure("runid")]
    scored = columnar.score(judged("q1 a 1"), ranked("q1 a"), texts, Settings())
    assert all(np.isnan(scored[measure]).all() for measure in texts)


def test_hits_matched_before_give_the_same_values():
    """`score_hits` is `score` without the matching, it changes nothing it was given, and hands out fresh arrays."""
    qrels, run = judged("q1 a 2\nq1 b 0\nq1 c -1\nq2 d 1"), ranked("q1 x b c a\nq3 d")
    hits = match(qrels, run)
    first = columnar.score_hits(hits, EVERY, Settings())
    for array in first.values():
        array[:] = -7
    second = columnar.score_hits(hits, EVERY, Settings())
    third = columnar.score(qrels, run, EVERY, Settings())
    assert all(np.array_equal(second[measure], third[measure], equal_nan=True) for measure in EVERY)


# Inputs that pytrec_eval is not given


def test_large_grades_cost_nothing_and_lose_nothing():
    """A grade of 10**12 is a gain like another: nDCG = (1/1 + 10**12/log2 3)/(10**12 + 1/log2 3)."""
    qrels, run = "q a 1000000000000\nq b 1\nq c 2000", "q b a"
    ideal = 1e12 + 2000 / math.log2(3) + 1 / 2
    assert value(qrels, run, "nDCG") == near((1 + 1e12 / math.log2(3)) / ideal)
    assert value(qrels, run, "nDCG(dcg='exp-log2')") == near(1 / math.log2(3))
    assert value(qrels, run, "AP(rel=1000)") == 0.25
    assert value(qrels, run, "G") > 0
    scored = columnar.score(judged(qrels), ranked(run), [m for m in EVERY if m.name != "ERR"], Settings())
    assert all(np.isfinite(array).all() for array in scored.values())


def test_a_query_judged_negative_throughout_is_scored():
    """Nothing is relevant, yet num_ret, utility, unj and rbp_resid are not 0: all that was retrieved is unjudged."""
    qrels, run = "q a -1\nq b -2", "q a b x"
    expected = {"NumRet": 3, "utility": -3, "unj@5": 0.6, "Unjudged@2": 1, "NumQ": 1, "rbp_resid": 1}
    expected |= {"gm_map": math.log(1e-5), "gm_bpref": math.log(1e-5)}
    zero = [measure for measure in EVERY if measure.name not in {parse_measure(name).name for name in expected}]
    assert len(zero) > 90
    for measure in zero:
        assert value(qrels, run, str(measure)) == 0.0, str(measure)
    for name, worth in expected.items():
        assert value(qrels, run, name) == near(worth), name


def test_a_query_with_an_empty_set_of_judgments_is_scored():
    """A query in the judgments without a single one disturbs nobody, and what it retrieved is all unjudged."""
    qrels = Qrels(
        ("empty", "q"),
        np.array([1], dtype=np.int32),
        pa.array(["a"], type=pa.large_string()),
        Source("test", "dict", "test"),
        relevance=np.array([1]),
    )
    run = ranked("empty a b\nq a")
    scored = columnar.score(qrels, run, EVERY, Settings())
    alone = columnar.score(judged("q a 1"), ranked("q a"), EVERY, Settings())
    for measure in EVERY:
        assert scored[measure][1] == alone[measure][0], str(measure)
    assert scored[parse_measure("NumRet")][0] == 2
    assert scored[parse_measure("rbp_resid")][0] == near(1)
    assert scored[parse_measure("AP")][0] == scored[parse_measure("NumRel")][0] == 0


@pytest.mark.parametrize("run", [run_of([]), ranked("q2 a"), ranked("q1 x")])
def test_a_run_without_a_judged_document_is_scored(run: Run):
    """No row, no judged query or no judged document: arrays of the right shape, without a warning."""
    scored = columnar.score(judged("q1 a 1"), run, EVERY, Settings())
    for measure in EVERY:
        assert scored[measure].shape == (1,)
        assert scored[measure].dtype == np.float64
        assert math.isnan(scored[measure][0]) == ("q1" not in run.queries)


def test_a_condensed_list_without_a_document_scores_zero():
    """Where -J leaves nothing trec_eval divides 0 by 0; here interpolated precision is 0."""
    for measure in EVERY:
        if measure.name not in ("NumQ", "NumRel", "gm_map", "gm_bpref"):
            assert value("q a 1", "q x y", str(measure), judged_only=True) == 0.0, str(measure)


def test_depth_comes_before_condensing():
    """-M and -J together: the list is cut first, then condensed, as in trec_eval."""
    assert value("q a 1\nq b 0", "q x b a", "AP", depth=2, judged_only=True) == 0.0
    assert value("q a 1\nq b 0", "q x b a", "AP", depth=3, judged_only=True) == 0.5
    assert value("q a 1\nq b 0", "q x b a", "NumRet", depth=2) == 2


def test_a_level_below_zero_never_calls_an_unjudged_document_relevant():
    """In the pool and not judged stays not relevant, whatever the level."""
    assert value("q a -1\nq b 0", "q a b", "P@2", level=-5) == 0.5
    assert value("q a -1\nq b 0", "q a b", "NumRel", level=-5) == 1


# trec_eval 10


def test_recall_points_are_truncated_in_9_and_rounded_in_10():
    """A recall of 0.3 with 4 relevant documents is 1.2 of them: trec_eval 9 waits for the second, 10 for the first."""
    qrels, run = "q a 1\nq b 1\nq c 1\nq d 1", "q a x b x2 x3 c x4 x5 x6 d"
    assert value(qrels, run, "IPrec@0.3", trec_eval="9") == near(2 / 3)  # int(1.2 + 0.9) = 2
    assert value(qrels, run, "IPrec@0.3", trec_eval="10") == 1.0  # round(1.2) = 1
    assert value(qrels, run, "IPrec@0.625", trec_eval="10") == near(1 / 2)  # round(2.5) = 3, halves go up
    assert value(qrels, run, "11pt_avg(points=[0.3])", trec_eval="9") == near(2 / 3)
    assert value(qrels, run, "11pt_avg(points=[0.3])", trec_eval="10") == 1.0


def test_graded_rbp_divides_by_the_top_of_the_scale():
    """Grades 2 and 1 at ranks 1 and 3 of a scale to 2: 0.1 (1 + 0.81/2). Gains within 0 and 1 stay as they are."""
    qrels, run = "q a 2\nq b 1\nq c 0", "q a c b"
    assert value(qrels, run, "rbp") == near(0.1 * (1 + 0.81 / 2))
    assert value(qrels, run, "rbp(p=0.5)") == near(0.5 * (1 + 0.25 / 2))
    assert value(qrels, run, "rbp(gains={1:0.2,2:0.6})") == near(0.1 * (0.6 + 0.81 * 0.2))
    assert value(qrels, run, "rbp(gains={1:4})") == near(0.1 * (2 / 4 + 0.81))
    assert value(qrels, run, "rbp(gains={0:-1,1:1,2:1})") == near(0.1 * (1 + 0.9 * 0 + 0.81))
    assert value("q a 3", "q a", "rbp(gains={3:0.5})") == near(0.1 * 0.5 / 2)  # grade 2 is on the scale, and worth 2
    assert value(qrels, "q x a", "rbp(gains={0:-1,1:1,2:1})") == near(0.1 * 0.9)  # unjudged is 0, not stretched


def test_the_residual_of_rbp_is_what_unjudged_documents_could_add():
    """Unjudged at ranks 2 and 4 of 4: 0.1 (0.9 + 0.729) + 0.9**4. All judged: 0. A deep tail stays above 0."""
    assert value("q a 1\nq b 0", "q a x b y", "rbp_resid") == near(0.1 * (0.9 + 0.9**3) + 0.9**4)
    assert value("q a 1\nq b 0", "q a x b y", "rbp_resid(p=0.5)") == near(0.5 * (0.5 + 0.5**3) + 0.5**4)
    assert value("q a 1\nq b 0", "q a b", "rbp_resid") == 0.0
    assert value("q a 1\nq b -1", "q a b", "rbp_resid") == near(0.1 * 0.9 + 0.81)
    deep = " ".join(f"d{n}" for n in range(900))
    qrels = "\n".join(f"q d{n} 0" for n in range(899))
    assert value(qrels, f"q {deep}", "rbp_resid") == pytest.approx(0.9**900 + 0.1 * 0.9**899, rel=1e-9)


def test_unjudged_at_k_divides_by_k_in_trec_eval_and_by_what_there_is_here():
    """One unjudged of three retrieved: unj@5 = 1/5, Unjudged@5 = 1/3, Judged@5 = 2/3; without k, of all."""
    qrels, run = "q a 1\nq b 0", "q a x b"
    assert value(qrels, run, "unj@5") == 0.2
    assert value(qrels, run, "Unjudged@5") == near(1 / 3)
    assert value(qrels, run, "Judged@5") == value(qrels, run, "Judged") == near(2 / 3)
    assert value(qrels, run, "Judged@1") == 1.0
    assert value(qrels, run, "Unjudged@1") == 0.0


# Gains


def test_gains_less_than_one_apart_keep_their_order():
    """A perfect ranking is worth 1 whatever the gains; trec_eval's comparator cuts 0.9 - 0.5 to 0 and prints 0."""
    qrels, run = "q a 3\nq b 2\nq c 1", "q a b c"
    for measure in ("nDCG", "ndcg_rel", "Rndcg"):
        assert value(qrels, run, f"{measure}(gains={{1:0.2,2:0.5,3:0.9}})") == near(1.0), measure
    assert value(qrels, "q c b a", "nDCG(gains={1:0.2,2:0.5,3:0.9})") == near(
        (0.2 + 0.5 / math.log2(3) + 0.9 / 2) / (0.9 + 0.5 / math.log2(3) + 0.2 / 2)
    )


def test_a_gain_may_be_negative_and_grade_zero_may_have_one():
    """A negative gain costs and is not in the ideal; grade 0 with a gain counts; unjudged documents stay worth 0."""
    qrels = "q a 2\nq b 1\nq c 0"
    assert value(qrels, "q b a", "nDCG(gains={1:-1})") == near((-1 + 2 / math.log2(3)) / 2)
    assert value(qrels, "q c x", "nDCG(gains={0:1,1:0,2:0})") == 1.0
    assert value("q a -1\nq b 1", "q a b", "nDCG(gains={0:5})") == near(1 / math.log2(3))
    assert value(qrels, "q a b", "nDCG(gains={0:-1,1:0,2:0})") == 0.0
    assert value(qrels, "q a b", "Rndcg(gains={0:-1,1:0,2:0})") == 0.0


def test_ndcg_at_relevant_documents_counts_missed_ones_at_the_end():
    """Gains 1 and 2 at ranks 1 and 3, a 1 missed: nDCG at each, and once more the last, over three."""
    qrels, run = "q a 2\nq b 1\nq c 1", "q b x a"
    ideal = [2, 2 + 1 / math.log2(3), 2 + 1 / math.log2(3) + 1 / 2]
    last = (1 + 2 / 2) / ideal[2]
    assert value(qrels, run, "ndcg_rel") == near((1 / ideal[0] + last + last) / 3)


def test_ndcg_where_the_ideal_gain_drops():
    """Ideal gains 2, 1, 1: nDCG at ranks 1 and 3, and at 5 since the ranking goes on below rank 4."""
    qrels = "q a 2\nq b 1\nq c 1"
    end = 2 + 1 / math.log2(3) + 1 / 2
    at_three = (1 + 2 / math.log2(3)) / end
    assert value(qrels, "q b a x c", "Rndcg") == near((1 / 2 + at_three) / 2)
    last = (1 + 2 / math.log2(3) + 1 / math.log2(5)) / end
    assert value(qrels, "q b a x c y", "Rndcg") == near((1 / 2 + at_three + last) / 3)
    assert value(qrels, "q b a x c y", "Rndcg", level=3) == 0.0  # no relevant document at the evaluation's level


def test_g_discounts_by_what_the_ideal_is_ahead():
    """Ideal 2 then 1, found 1 then 2: (1/log2(2 + 2 - 1) + 2/log2(2 + 3 - 3)) / 3; a rank costs at least 1."""
    qrels = "q a 2\nq b 1"
    assert value(qrels, "q b a", "G") == near((1 / math.log2(3) + 2 / math.log2(2)) / 3)
    assert value(qrels, "q x b y a", "G") == near((1 / math.log2(2 + 3 - 1) + 2 / math.log2(2 + 5 - 3)) / 3)
    assert value(qrels, "q b a", "G(gains={1:0.25,2:0.5})") == near(
        (0.25 / math.log2(2 + 1 - 0.25) + 0.5 / math.log2(2 + 2 - 0.75)) / 0.75
    )


# Sets and the rest


def test_utility_weighs_the_four_cells():
    """1 relevant and 2 others retrieved, 1 relevant missed, 6 others in a collection of 10."""
    qrels, run = "q a 1\nq b 1\nq c 0", "q a c x"
    assert value(qrels, run, "utility") == -1
    assert value(qrels, run, "utility(a=2,b=-0.5,c=-3)") == 2 - 1 - 3
    assert value(qrels, run, "utility(d=0.5,docs=10)") == 1 - 2 + 0.5 * 6
    assert value("q a 1\nq b 2", "q a b", "utility(rel=2)") == 0


def test_set_f_weighs_recall():
    """P = 1/3, R = 1/2: F = 2PR/(P + R); with x = 3 4PR/(R + 3P)."""
    qrels, run = "q a 1\nq b 1", "q a x y"
    p, r = 1 / 3, 1 / 2
    assert value(qrels, run, "SetF") == near(2 * p * r / (p + r))
    assert value(qrels, run, "SetF(beta=3)") == near(4 * p * r / (r + 3 * p))
    assert value(qrels, run, "SetP") == near(p)
    assert value(qrels, run, "SetP(relative=True)") == near(1 / 2)
    assert value(qrels, run, "SetAP") == near(p * r)


def test_a_cutoff_that_trec_eval_lacks():
    """RR@k and AP@k look at the first k only; RBP@k too."""
    qrels, run = "q a 1\nq b 1", "q x a b"
    assert value(qrels, run, "RR@1") == 0.0
    assert value(qrels, run, "RR@2") == 0.5
    assert value(qrels, run, "AP@2") == 0.25
    assert value(qrels, run, "RBP(p=0.5)@2") == near(0.5 * 0.5)
    assert value(qrels, run, "RBP(p=0.5)") == near(0.5 * (0.5 + 0.25))
    assert value("q a 1\nq b 2", run, "RBP(p=0.5,rel=2)") == near(0.5 * 0.25)


def test_the_cascade_of_err():
    """On a scale to 1 each relevant document satisfies at 1/2: at ranks 1 and 3, 1/2 + 1/3 · 1/2 · 1/2 = 7/12."""
    assert value("q a 1\nq b 1", "q a x b", "ERR(gmax=1)") == near(7 / 12)
    assert value("q a 1\nq b 1", "q a x b", "ERR(gmax=1)@2") == 0.5
    assert value("q a -2\nq b 1", "q a b", "ERR(gmax=1)") == 0.25
    assert value("q a 2000\nq b 1", "q b a", "ERR(gmax=2000)") == near(0.5)
    with pytest.raises(UsageError, match=r"ERR\(gmax=1\): query q2 has a grade of 2, expected at most gmax=1;"):
        value("q a 1\nq2 b 2", "q a", "ERR(gmax=1)")


@pytest.mark.parametrize("seed", range(5))
def test_the_textbook_gives_the_same(seed):
    """RBP, ERR and exponential nDCG equal the textbook's on rankings drawn at random."""
    random = np.random.default_rng(seed)
    grades = {f"d{n}": int(random.integers(-1, 5)) for n in range(40)} | {"top": 4}
    ranking = [f"d{n}" for n in random.permutation(60)[:30]]
    qrels = "\n".join(f"q {document} {grade}" for document, grade in grades.items())
    run = "q " + " ".join(ranking)
    assert value(qrels, run, "ERR(gmax=4)@20") == reference.err(ranking, grades, 20, max_grade=4)
    assert value(qrels, run, "RBP(p=0.8,rel=2)@20") == near(reference.rbp(ranking, grades, 0.8, 20, level=2))
