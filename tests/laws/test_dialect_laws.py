"""Laws of dialects: trec_eval's are the engine to the bit, and every choice is what a textbook in Python says it is."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from denominator import evaluate
from denominator.dialects import CHOICES, DIALECTS, apply, dialect
from denominator.dialects.formulas import SHARED_PLACES
from denominator.engines import Settings, columnar
from denominator.errors import InputError, UndefinedError
from denominator.measures import parse_measures
from inputs import qrels_of, run_of

QUERIES = ["q1", "q2", "q10"]
DOCUMENTS = [f"d{number}" for number in range(7)]
SCORES = [3.0, 2.0, 1.0, 0.99999999, 0.99999998]
PAIR = st.tuples(st.sampled_from(QUERIES), st.sampled_from(DOCUMENTS))
QRELS = st.dictionaries(PAIR, st.sampled_from([-1, 0, 0, 1, 2, 3]), min_size=1, max_size=14)
RUN = st.dictionaries(PAIR, st.sampled_from(SCORES), min_size=1, max_size=16)
ROWS = st.lists(st.tuples(PAIR, st.sampled_from(SCORES), st.integers(1, 4)), min_size=1, max_size=16)
MEASURES = parse_measures("P@3 R@3 RCap@3 AP AP@3 RR RR@2 nDCG nDCG@3 Success@2 RBP(p=0.5) NumRet")
ALONE = {name: [value for value in choice.values if value not in SHARED_PLACES] for name, choice in CHOICES.items()}
CHOSEN = st.fixed_dictionaries({name: st.sampled_from(values) for name, values in ALONE.items() if name != "level"})


def flat(pairs):
    return [(*pair, value) for pair, value in pairs.items()]


def with_ranks(rows):
    """Return a run with scores and a rank column, rows as they stand."""
    run = run_of([(*pair, score) for pair, score, _ in rows])
    return replace(run, rank=np.array([rank for _, _, rank in rows], dtype=np.int64))


@given(QRELS, RUN, st.sampled_from([1, 2]), st.sampled_from(["9", "10"]))
def test_trec_eval_dialect_is_the_columnar_engine(judgments, scores, level, version):
    """Every answered query has the engine's very double, for every measure of trec_eval's."""
    qrels, run = qrels_of(flat(judgments)), run_of(flat(scores))
    measures = parse_measures("all_trec")
    measures = [one for one in measures if not one.spec.text_valued]
    applied = apply(qrels, run, measures, dialect("trec_eval-c").using(level=level, trec_eval=version))
    engine = columnar.score(qrels, run, measures, Settings(level=level, trec_eval=version))
    answered = np.isin(qrels.queries, run.queries)
    for measure in measures:
        np.testing.assert_array_equal(applied.values[measure][answered], engine[measure][answered])


@given(CHOSEN, st.randoms())
def test_the_order_of_choices_does_not_matter(choices, random):
    """However they are given, at once or one after the other, the dialect is the same."""
    base = DIALECTS[random.choice(sorted(DIALECTS))]
    names = list(choices)
    random.shuffle(names)
    at_once = base.using(**{name: choices[name] for name in names})
    one_by_one = base
    for name in names:
        one_by_one = one_by_one.using(**{name: choices[name]})
    assert at_once == one_by_one == base.using(**choices)


@pytest.mark.parametrize("name", DIALECTS)
def test_a_choice_made_again_changes_nothing(name):
    """The value that holds for every measure already leaves the dialect as it is, name included."""
    one = DIALECTS[name]
    for choice in CHOICES:
        everywhere = [some[choice] for some in one.overrides.values() if choice in some]
        if all(value == getattr(one, choice) for value in everywhere):
            assert one.using(**{choice: getattr(one, choice)}) is one


def ranking_of(rows, query, choices):
    """Return a query's documents, best first, from rows of (pair, score, rank)."""
    found = [(doc, score, rank, at) for at, ((q, doc), score, rank) in enumerate(rows) if q == query]
    twice = len({doc for doc, *_ in found}) < len(found)
    if twice and choices["duplicates"] in ("first", "last"):
        ordered = found if choices["duplicates"] == "first" else found[::-1]
        kept = {}
        for row in ordered:
            kept.setdefault(row[0], row)
        found = sorted(kept.values(), key=lambda row: row[3])
    keys = {
        "score64": lambda row: -row[1],
        "score32": lambda row: -float(np.float32(row[1])),
        "rank": lambda row: row[2],
        "file": lambda row: row[3],
    }
    if choices["ties"] in ("id-descending", "id-ascending"):
        found.sort(key=lambda row: row[0], reverse=choices["ties"] == "id-descending")
    documents = [row[0] for row in sorted(found, key=keys[choices["order"]])]
    return list(dict.fromkeys(documents)) if choices["duplicates"] == "best" else documents


def textbook(measure, grades, documents, choices):
    """Return the value of a measure for one answered query, from its judgments and its ranking."""
    if choices["negative"] == "removed":
        grades = {doc: grade for doc, grade in grades.items() if grade >= 0}
    if choices["negative"] == "zero":
        grades = {doc: max(grade, 0) for doc, grade in grades.items()}
    if choices["unjudged"] == "removed":
        documents = [doc for doc in documents if grades.get(doc, -1) >= 0]
    relevant = sum(grade >= 1 for grade in grades.values())
    k = measure.cutoff or 10**6
    hits = [grades.get(doc, 0) >= 1 for doc in documents]
    found = sum(hits[:k])
    share = {"rel": relevant, "micro": relevant, "capped": min(relevant, k), "k": k, "retrieved": sum(hits)}
    if measure.name == "NumRet":
        return len(documents)
    if measure.name == "P":
        return found / k if choices["precision"] == "k" else found / max(min(len(documents), k), 1)
    if measure.name == "RCap":
        return found / max(min(relevant, k), 1)
    if measure.name == "R":
        return float(found > 0) if choices["recall"] == "hit" else found / max(share[choices["recall"]], 1)
    if measure.name == "Success":
        return float(found > 0)
    if measure.name == "RR":
        return next((1 / rank for rank, hit in enumerate(hits[:k], 1) if hit), 0.0)
    if measure.name == "AP":
        total = sum(sum(hits[:rank]) / rank for rank in range(1, min(k, len(hits)) + 1) if hits[rank - 1])
        below = {"rel": relevant, "capped": min(relevant, k), "retrieved": found}[choices["ap"]]
        return total / below if below else 0.0
    if measure.name == "RBP":
        worth = [grades.get(doc, 0) if choices["rbp"] == "graded" else 1 for doc in documents]
        return 0.5 * sum(0.5**at * w for at, (hit, w) in enumerate(zip(hits, worth, strict=True)) if hit)
    gain = {"linear": float, "exponential": lambda g: 2.0**g - 1, "binary": lambda g: float(g >= 1)}[choices["gain"]]
    gains = [gain(max(grades.get(doc, 0), 0)) for doc in documents]
    everything = sorted((gain(max(grade, 0)) for grade in grades.values()), reverse=True)
    filled = min(k, len(documents))
    ideal = {
        "judged": everything,
        "retrieved": sorted(gains, reverse=True),
        "top": sorted(gains[:k], reverse=True),
        "returned": everything[:filled],
        "full": [1.0] * filled,
    }[choices["ideal"]]
    return dcg(gains[:k]) / dcg(ideal[:k]) if dcg(ideal[:k]) else 0.0


def dcg(gains):
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, 1))


@given(QRELS, ROWS, CHOSEN)
@settings(max_examples=250)
def test_every_choice_is_what_the_textbook_says(judgments, rows, choices):
    """P, R, AP, RR, nDCG, Success and RBP of every query equal a few lines of Python that know no engine."""
    qrels, run = qrels_of(flat(judgments)), with_ranks(rows)
    chosen = dialect("trec_eval-c").using(**choices)
    pairs = [pair for pair, *_ in rows]
    if choices["duplicates"] == "refuse" and len(set(pairs)) < len(pairs):
        with pytest.raises(InputError, match="more than once"):
            apply(qrels, run, MEASURES, chosen)
        return
    if choices["ties"] == "unstable":
        choices = {**choices, "ties": "file"}
    try:
        applied = apply(qrels, run, MEASURES, chosen)
    except UndefinedError:
        assume(choices["no_relevant"] != "error")
        raise
    for query in qrels.queries:
        grades = {doc: grade for (q, doc), grade in judgments.items() if q == query}
        documents = ranking_of(rows, query, choices)
        for measure in MEASURES:
            ours = float(applied.values[measure][qrels.number_of[query]])
            if not math.isnan(ours) and choices["no_relevant"] in ("0", "dropped", "unfound"):
                expected = textbook(measure, grades, documents, choices)
                assert ours == pytest.approx(expected, abs=1e-12), (measure, query, documents, grades)


@given(QRELS, RUN, CHOSEN)
@settings(max_examples=80)
def test_the_queries_of_a_mean_are_those_that_were_chosen(judgments, scores, choices):
    """A query is in the mean exactly when the choices of queries and of those without relevant documents say so."""
    assume(choices["no_relevant"] != "error")
    qrels, run = qrels_of(flat(judgments)), run_of(flat(scores))
    chosen = dialect("trec_eval-c").using(queries=choices["queries"], no_relevant=choices["no_relevant"])
    applied = apply(qrels, run, "P@3 AP", chosen)
    relevant = {query for (query, _), grade in judgments.items() if grade >= 1}
    found = {pair[0] for pair, grade in judgments.items() if grade >= 1 and pair in scores}
    wanted = {
        "judged": set(qrels.queries),
        "answered": set(qrels.queries) & set(run.queries),
        "answerable": relevant,
        "run": set(qrels.queries) & set(run.queries),
    }[choices["queries"]]
    if choices["no_relevant"] in ("dropped", "unfound"):
        wanted &= found if choices["no_relevant"] == "unfound" else relevant
    more = len(set(run.queries) - set(qrels.queries)) if choices["queries"] == "run" else 0
    for measure, values in applied.values.items():
        within = {query for query, value in zip(qrels.queries, values.tolist(), strict=True) if not math.isnan(value)}
        assert within == wanted
        assert applied.n(measure) == len(wanted) + more
        if applied.n(measure):
            total = sum(value for value in values.tolist() if not math.isnan(value))
            assert applied.mean(measure) == pytest.approx(total / applied.n(measure))


@given(QRELS, RUN, st.sampled_from(["linear", "exponential", "binary"]))
@settings(max_examples=60)
def test_averaged_ties_are_the_mean_over_every_order(judgments, scores, gain):
    """nDCG and RBP with ties=averaged equal the mean over all permutations of tied documents."""
    assume(all(sum(1 for q, _ in scores if q == query) <= 5 for query in QUERIES))
    qrels, run = qrels_of(flat(judgments)), run_of(flat(scores))
    measures = parse_measures("nDCG nDCG@2 RBP(p=0.5)")
    applied = apply(qrels, run, measures, dialect("trec_eval-c").using(ties="averaged", gain=gain))
    choices = {**{name: choice.default for name, choice in CHOICES.items()}, "gain": gain}
    for query in set(qrels.queries) & set(run.queries):
        grades = {doc: grade for (q, doc), grade in judgments.items() if q == query}
        mine = {doc: score for (q, doc), score in scores.items() if q == query}
        blocks = [list(block) for _, block in itertools.groupby(sorted(mine, key=lambda d: -mine[d]), mine.__getitem__)]
        orders = [list(itertools.chain(*one)) for one in itertools.product(*map(itertools.permutations, blocks))]
        for measure in measures:
            mean = sum(textbook(measure, grades, order, choices) for order in orders) / len(orders)
            assert applied.values[measure][qrels.number_of[query]] == pytest.approx(mean, abs=1e-12)


@given(QRELS, RUN)
def test_micro_recall_is_all_that_was_found_over_all_there_is(judgments, scores):
    """Its mean is one fraction over all queries."""
    qrels, run = qrels_of(flat(judgments)), run_of(flat(scores))
    applied = apply(qrels, run, "R@7", dialect("trec_eval-c").using(recall="micro"))
    relevant = [pair for pair, grade in judgments.items() if grade >= 1]
    found = sum(pair in scores for pair in relevant)
    (measure,) = applied.values
    assert applied.mean(measure) == (found / len(relevant) if relevant else None)


@given(QRELS, ROWS, CHOSEN, st.sampled_from([None, 1, 2]))
def test_a_value_is_its_fraction_and_below_its_ceiling(judgments, rows, choices, depth):
    """Whatever is chosen: numerator / denominator is the value, and no ranking beats the ceiling."""
    chosen = dialect("trec_eval-c").using(**choices)
    try:
        scores = evaluate(qrels_of(flat(judgments)), with_ranks(rows), MEASURES, dialect=chosen, depth=depth)
    except (InputError, UndefinedError):
        assume(False)
    for row in scores.ledger():
        if row.value is None:
            continue
        if row.ceiling is not None:
            assert row.value <= row.ceiling + 1e-12
        if row.denominator:
            assert row.value == pytest.approx(row.numerator / row.denominator)
            assert row.ceiling is None or row.ceiling == pytest.approx(row.best / row.denominator)
