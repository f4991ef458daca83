"""Numbers that real rules make, each worked out here in a few lines of plain Python: the rule is what is found first.

Run with ``-s`` to see the table.
"""

import random
from functools import cache
from math import log2
from pathlib import Path
from statistics import fmean, median

import pytest

from denominator.explain import read_reported
from denominator.explain.searching import explain
from denominator.formats import examine_qrels, examine_run

ROOT = Path(__file__).parents[2]


@cache
def collection():
    """Return judgments and rows of a run in which rules part: ties, gaps, short rankings, bad ranks."""
    some = random.Random(20)
    qrels, rows = {}, []
    for number in range(40):
        query = f"q{number}"
        docs = [f"d{doc}" for doc in range(60)]
        grades = [0] * 8 + [1] * 5 + [2] * 3 + [3] * 2 if number != 7 else [0]
        qrels[query] = {doc: some.choice(grades) for doc in some.sample(docs, some.randint(9, 30))}
        if number in (3, 11, 12):
            continue  # judged, and not answered
        depth = some.choice((3, 4, 8, 20, 20, 30))
        worth = {doc: qrels[query].get(doc, 0) + some.gauss(0, 1.6) for doc in docs}
        ranking = sorted(docs, key=worth.__getitem__, reverse=True)[:depth]
        places = list(range(1, depth + 1))
        if number % 5 == 0:
            some.shuffle(places)
        rows += [(query, doc, place, round(worth[doc], 1)) for doc, place in zip(ranking, places, strict=True)]
    return qrels, rows


def ranked(rows, key=None):
    """Return query → documents, by score and then by id, both descending, or by another key."""
    found = {}
    for row in sorted(rows, key=key or (lambda row: (row[3], row[1].encode())), reverse=key is None):
        found.setdefault(row[0], []).append(row[1])
    return found


def relevant(grades, level=1):
    return {doc for doc, grade in grades.items() if grade >= level}


def over(queries, value):
    return fmean(value(query) for query in queries)


def hits(qrels, run, query, k, level=1):
    return len(relevant(qrels[query], level) & set(run.get(query, [])[:k]))


def recall(qrels, run, query, k, level=1):
    return hits(qrels, run, query, k, level) / max(len(relevant(qrels[query], level)), 1)


def first(qrels, run, query, k=10**6):
    found = relevant(qrels[query])
    return next((1 / rank for rank, doc in enumerate(run.get(query, [])[:k], 1) if doc in found), 0.0)


def ndcg(qrels, run, query, k, gain=lambda grade: grade, ideal=None):
    def dcg(grades):
        return sum(gain(max(grade, 0)) / log2(rank + 1) for rank, grade in enumerate(grades[:k], 1))

    ranking = run.get(query, [])
    grades = [qrels[query].get(doc, 0) for doc in ranking]
    best = dcg(sorted(grades if ideal == "retrieved" else qrels[query].values(), reverse=True))
    return dcg(grades) / best if best else 0.0


def average_precision(qrels, run, query, below):
    found, seen, total = relevant(qrels[query]), 0, 0.0
    for rank, doc in enumerate(run.get(query, []), 1):
        if doc in found:
            seen += 1
            total += seen / rank
    return total / max({"rel": len(found), "retrieved": seen}[below], 1)


def exponential(grade):
    return 2**grade - 1


def binary(grade):
    return float(grade > 0)


def condensed(qrels, run):
    return {query: [doc for doc in docs if doc in qrels[query]] for query, docs in run.items()}


def with_hit(qrels, value):
    return fmean(one for one in map(value, qrels) if one > 0)


RULES = {
    "capped recall": (
        "recall@5",
        lambda q, r, _: over(q, lambda x: hits(q, r, x, 5) / max(min(len(relevant(q[x])), 5), 1)),
        {"recall": "capped"},
    ),
    "hit rate called recall": (
        "recall@5",
        lambda q, r, _: over(q, lambda x: hits(q, r, x, 5) > 0),
        {"recall": "hit"},
    ),
    "micro recall": (
        "recall@5",
        lambda q, r, _: sum(hits(q, r, x, 5) for x in q) / sum(len(relevant(q[x])) for x in q),
        {"recall": "micro"},
    ),
    "precision called recall": (
        "recall@5",
        lambda q, r, _: over(q, lambda x: hits(q, r, x, 5) / 5),
        {"recall": "k"},
    ),
    "recall at relevance level 2": (
        "recall@5",
        lambda q, r, _: over(q, lambda x: recall(q, r, x, 5, level=2)),
        {"level": 2},
    ),
    "recall@10 called recall@5": (
        "recall@5",
        lambda q, r, _: over(q, lambda x: recall(q, r, x, 10)),
        ("cutoff", "R@10"),
    ),
    "off by one: recall@4": (
        "recall@5",
        lambda q, r, _: over(q, lambda x: recall(q, r, x, 4)),
        ("cutoff", "R@4"),
    ),
    "P over returned": (
        "P@5",
        lambda q, r, _: over(q, lambda x: hits(q, r, x, 5) / max(len(r.get(x, [])[:5]), 1)),
        {"precision": "returned"},
    ),
    "recall called P": (
        "P@5",
        lambda q, r, _: over(q, lambda x: recall(q, r, x, 5)),
        ("name", "R@5"),
    ),
    "condensed lists": (
        "P@5",
        lambda q, r, _: over(q, lambda x: hits(q, condensed(q, r), x, 5) / 5),
        {"unjudged": "removed"},
    ),
    "MRR over answered": (
        "MRR@10",
        lambda q, r, _: over(set(q) & set(r), lambda x: first(q, r, x, 10)),
        {"queries": "answered"},
    ),
    "MRR over queries with a hit": (
        "MRR@10",
        lambda q, r, _: with_hit(q, lambda x: first(q, r, x, 10)),
        ("statistic", "RR@10"),
    ),
    "median RR": (
        "MRR@10",
        lambda q, r, _: median(first(q, r, x, 10) for x in q),
        ("statistic", "RR@10"),
    ),
    "AP over retrieved": (
        "MAP",
        lambda q, r, _: over(q, lambda x: average_precision(q, r, x, "retrieved")),
        {"ap": "retrieved"},
    ),
    "exponential gain": (
        "nDCG@5",
        lambda q, r, _: over(q, lambda x: ndcg(q, r, x, 5, exponential)),
        {"gain": "exponential"},
    ),
    "binary gain": (
        "nDCG@5",
        lambda q, r, _: over(q, lambda x: ndcg(q, r, x, 5, binary)),
        {"gain": "binary"},
    ),
    "ideal of the retrieved": (
        "nDCG@5",
        lambda q, r, _: over(q, lambda x: ndcg(q, r, x, 5, ideal="retrieved")),
        {"ideal": "retrieved"},
    ),
    "order of the rank column": (
        "nDCG@5",
        lambda q, _, rows: over(q, lambda x: ndcg(q, ranked(rows, key=lambda row: row[2]), x, 5)),
        {"order": "rank"},
    ),
    "ties by ascending id": (
        "nDCG@5",
        lambda q, _, rows: over(q, lambda x: ndcg(q, ranked(rows, key=lambda row: (-row[3], row[1])), x, 5)),
        {"ties": "id-ascending"},
    ),
    "capped recall over answered": (
        "recall@5",
        lambda q, r, _: over(set(q) & set(r), lambda x: hits(q, r, x, 5) / max(min(len(relevant(q[x])), 5), 1)),
        {"queries": "answered", "recall": "capped"},
    ),
    "exponential gain, ideal of the retrieved": (
        "nDCG@5",
        lambda q, r, _: over(q, lambda x: ndcg(q, r, x, 5, exponential, "retrieved")),
        {"gain": "exponential", "ideal": "retrieved"},
    ),
}
"""Name of a rule → what it is reported as, the rule, and what is to be found: changes, or a reading and its measure."""


@pytest.fixture(scope="module")
def odd(tmp_path_factory):
    """Return the collection as files are read."""
    qrels, rows = collection()
    folder = tmp_path_factory.mktemp("odd")
    judged = "".join(f"{query} 0 {doc} {grade}\n" for query, some in qrels.items() for doc, grade in some.items())
    ranking = "".join(f"{query} Q0 {doc} {place} {score} odd\n" for query, doc, place, score in rows)
    (folder / "odd.qrels").write_text(judged)
    (folder / "odd.run").write_text(ranking)
    return examine_qrels(folder / "odd.qrels").rows, examine_run(folder / "odd.run").rows


def found_first(name, text, qrels, run):
    """Return the first explanation, and print the row of the table."""
    answer = explain([read_reported(text)], qrels, run).answers[0]
    assert answer.candidates, (text, answer.nearest)
    one = answer.candidates[0]
    tools = f" ({', '.join(one.tools[:3])})" if one.tools else ""
    print(f"| {name} | `{text}` | {answer.value:.4f} | {one.words}{tools} | {len(answer.candidates)} |")
    return one


@pytest.mark.parametrize("name", RULES)
def test_the_rule_behind_a_number_is_found_first(name, odd):
    """To four decimals, of all that is tried the rule that made the number stands first."""
    said, rule, wanted = RULES[name]
    qrels, rows = collection()
    one = found_first(name, f"{said}={rule(qrels, ranked(rows), rows):.4f}", *odd)
    if isinstance(wanted, dict):
        assert {change.choice: change.value for change in one.changes} == wanted
        assert one.reading is None
    else:
        assert one.changes == ()
        assert one.reading is not None
        assert (one.reading.kind, str(one.measure)) == wanted


@pytest.mark.parametrize("said", ["recall@5", "P@5", "MRR@10", "MAP", "nDCG@5"])
def test_what_is_as_it_is_said_is_found_first_too(said, odd):
    """The number of the textbook is explained by nothing."""
    qrels, rows = collection()
    run = ranked(rows)
    rules = {
        "recall@5": lambda x: recall(qrels, run, x, 5),
        "P@5": lambda x: hits(qrels, run, x, 5) / 5,
        "MRR@10": lambda x: first(qrels, run, x, 10),
        "MAP": lambda x: average_precision(qrels, run, x, "rel"),
        "nDCG@5": lambda x: ndcg(qrels, run, x, 5),
    }
    one = found_first("as it is", f"{said}={over(qrels, rules[said]):.4f}", *odd)
    assert not one.is_changed
    assert "trec_eval-c" in one.tools


def sample(name):
    """Return a sample of the article, as plain Python and as it is read."""
    qrels, rows = {}, []
    for line in (ROOT / "qrels" / f"{name}.qrels").read_text().splitlines():
        query, _, doc, grade = line.split()
        qrels.setdefault(query, {})[doc] = int(grade)
    for line in (ROOT / "runs" / f"{name}.run").read_text().splitlines():
        query, _, doc, place, score, _ = line.split()
        rows.append((query, doc, int(place), float(score)))
    read = examine_qrels(ROOT / "qrels" / f"{name}.qrels").rows, examine_run(ROOT / "runs" / f"{name}.run").rows
    return qrels, rows, read


def test_the_article_s_capped_recall_is_found_first():
    """0.70 is what capped recall gives, where recall is 0.625."""
    qrels, rows, read = sample("agri")
    value = RULES["capped recall"][1](qrels, ranked(rows), rows)
    one = found_first("capped recall (article)", f"recall@5={value:.2f}", *read)
    assert one.words == "recall capped at k"
    assert one.tools == ("beir recall_cap",)


def test_the_article_s_duplicate_is_found_first():
    """Three places hold something relevant, one document stands there twice, and three documents are relevant: 1.0."""
    qrels, rows, read = sample("agri-dupe")
    found = relevant(qrels["q_dupe"])
    value = sum(row[1] in found for row in rows[:5]) / len(found)
    one = found_first("positional counting (article)", f"recall@5={value:.1f}", *read)
    assert {change.choice: change.value for change in one.changes} == {"duplicates": "positional"}
    assert "positional counting" in one.words
