"""Write the made-up collection `harvest`: judgments, groups, and six runs, always the same bytes.

    python qrels/make_harvest.py [FOLDER]

320 queries in four languages, each with up to 160 candidate passages. It is made to have what real collections have:

- grades 0 to 3; most queries have a few relevant passages, 28 have more than ten;
- five queries whose judged passages are all grade 0, so that their recall is undefined: two have nothing relevant,
  for three the pool missed it;
- judgments only for the pool: the top 12 of three of the runs. `harvest-sparse` gave nothing to the pool, so many of
  its passages are unjudged; the relevant ones that it alone found are missing from the judgments;
- rounded scores, so ties: few in `harvest-sparse`, a third of the rows of `harvest-bm25`, nearly all of
  `harvest-rerank`, whose scores are whole numbers. Rank columns follow the score before rounding;
- `harvest-fused` merges bm25 and dense; `harvest-rerank` keeps 20 of its 30 passages: the stages of one pipeline;
- queries that a run did not answer, and two that `harvest-bm25` answered though nobody judged them.

Only `random.random()` and plain arithmetic are used: both give the same bits on every platform and Python version.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import NamedTuple

SEED = 1908
LANGUAGES = {"en": "English", "ha": "Hausa", "sw": "Swahili", "yo": "Yoruba"}
QUERIES_PER_LANGUAGE = 80
PASSAGES_PER_LANGUAGE = 2_000
CANDIDATES = 160
DEPTH = 30
KEPT = 20
POOL_DEPTH = 12
UNANSWERABLE = {"ha-017", "yo-008"}
UNJUDGED = {"en-080", "yo-080"}


class System(NamedTuple):
    """A retriever: how well it tells relevant from not in each language, and how it prints a score."""

    skill: dict[str, float]
    offset: float  # the score of a passage that looks like nothing in particular
    scale: float
    decimals: int
    pooled: bool  # its top passages were shown to the assessor
    unanswered: frozenset[str] = frozenset()


SYSTEMS = {
    "bm25": System({"en": 1.0, "ha": 0.8, "sw": 0.9, "yo": 0.7}, offset=12.0, scale=4.0, decimals=1, pooled=True),
    "dense": System(
        {"en": 1.7, "ha": 1.0, "sw": 1.3, "yo": 0.9},
        offset=0.7,
        scale=0.06,
        decimals=3,
        pooled=True,
        unanswered=frozenset({"ha-003", "ha-044", "sw-029", "yo-012", "yo-031", "yo-055", "yo-077"}),
    ),
    "translated": System(
        {"en": 0.6, "ha": 0.4, "sw": 0.5, "yo": 0.2},
        offset=30.0,
        scale=6.0,
        decimals=2,
        pooled=True,
        unanswered=frozenset({"ha-009", "ha-010", "yo-001", "yo-002", "yo-003", "yo-064"}),
    ),
    "sparse": System({"en": 1.8, "ha": 1.5, "sw": 1.6, "yo": 1.4}, offset=20.0, scale=5.0, decimals=4, pooled=False),
}


class Query(NamedTuple):
    """A query with its candidates: the true grade of each, and how much it looks relevant to any system."""

    query_id: str
    language: str
    grades: dict[str, int]
    lure: dict[str, float]


Ranking = list[tuple[str, float]]
Rankings = dict[str, Ranking]


def noise(random: Random) -> float:
    """A bell-shaped draw, mean 0, standard deviation 1: twelve uniform draws, less six."""
    total = -6.0
    for _ in range(12):  # not sum(): it rounds differently from Python 3.12 on
        total += random.random()
    return total


def below(random: Random, limit: int) -> int:
    """A whole number from 0 to limit - 1."""
    return int(random.random() * limit)


def make_query(random: Random, query_id: str, language: str) -> Query:
    """Draw the candidates of a query; the first ones drawn are the relevant ones."""
    candidates: dict[str, None] = {}
    while len(candidates) < CANDIDATES:
        candidates[f"{language}-{below(random, PASSAGES_PER_LANGUAGE):04d}"] = None
    broad = random.random() < 0.08
    relevant = 25 + below(random, 35) if broad else 2 + below(random, 5) + below(random, 6)
    if query_id in UNANSWERABLE:
        relevant = 0
    hard = 0.6 + 0.8 * random.random()
    grades = dict.fromkeys(candidates, 0)
    lure = {}
    for number, passage in enumerate(candidates):
        if number < relevant:
            grades[passage] = (3, 2, 2, 1, 1, 1)[below(random, 6)]
        lure[passage] = grades[passage] * hard + 0.7 * noise(random)
    return Query(query_id, language, grades, lure)


def rank(scored: Iterable[tuple[str, float]], depth: int) -> Ranking:
    """The best first, to a depth."""
    return sorted(scored, key=lambda pair: (-pair[1], pair[0]))[:depth]


def retrieve(random: Random, system: System, query: Query) -> Ranking:
    """Rank a query's candidates with the system's skill; scores are not rounded yet."""
    skill = system.skill[query.language]
    scored = ((passage, skill * lure + noise(random)) for passage, lure in query.lure.items())
    return [(passage, system.offset + system.scale * value) for passage, value in rank(scored, DEPTH)]


def fuse(rankings: Iterable[Ranking]) -> Ranking:
    """Reciprocal rank fusion with the usual constant of 60."""
    total: dict[str, float] = {}
    for ranking in rankings:
        for place, (passage, _) in enumerate(ranking, start=1):
            total[passage] = total.get(passage, 0.0) + 1.0 / (60 + place)
    return rank(total.items(), DEPTH)


def rerank(random: Random, ranking: Ranking, query: Query) -> Ranking:
    """Grade each passage from 0 to 10, as a language model asked for a number does, and keep the best."""
    graded = ((passage, 3.0 + 1.6 * query.lure[passage] + 1.2 * noise(random)) for passage, _ in ranking)
    return rank(((passage, min(10.0, max(0.0, value))) for passage, value in graded), KEPT)


def pool(query: Query, rankings: Iterable[Ranking]) -> set[str]:
    """The passages that an assessor was shown for a query."""
    return {passage for ranking in rankings for passage, _ in ranking[:POOL_DEPTH] if passage in query.grades}


def run_lines(name: str, rankings: Rankings, decimals: int) -> list[str]:
    """A run as TREC lines."""
    return [
        f"{query_id} Q0 {passage} {place} {score:.{decimals}f} harvest-{name}\n"
        for query_id, ranking in rankings.items()
        for place, (passage, score) in enumerate(ranking, start=1)
    ]


def make() -> dict[str, list[str]]:
    """Every file of the collection: its path and its lines."""
    random = Random(SEED)
    queries = [
        make_query(random, f"{code}-{number:03d}", code)
        for code in LANGUAGES
        for number in range(1, QUERIES_PER_LANGUAGE + 1)
    ]
    runs: dict[str, Rankings] = {
        name: {
            query.query_id: retrieve(random, system, query)
            for query in queries
            if query.query_id not in system.unanswered and (name == "bm25" or query.query_id not in UNJUDGED)
        }
        for name, system in SYSTEMS.items()
    }
    judged = [query for query in queries if query.query_id not in UNJUDGED]
    runs["fused"] = {
        query.query_id: fuse(runs[name].get(query.query_id, []) for name in ("bm25", "dense")) for query in judged
    }
    runs["rerank"] = {query.query_id: rerank(random, runs["fused"][query.query_id], query) for query in judged}
    shown = {
        query.query_id: pool(
            query, (runs[name].get(query.query_id, []) for name, system in SYSTEMS.items() if system.pooled)
        )
        for query in judged
    }
    decimals = {name: system.decimals for name, system in SYSTEMS.items()} | {"fused": 5, "rerank": 0}
    files = {f"runs/harvest-{name}.run": run_lines(name, rankings, decimals[name]) for name, rankings in runs.items()}
    files["qrels/harvest.qrels"] = [
        f"{query.query_id} 0 {passage} {query.grades[passage]}\n"
        for query in judged
        for passage in sorted(shown[query.query_id])
    ]
    files["qrels/harvest.groups"] = [f"{query.query_id}\t{LANGUAGES[query.language]}\n" for query in judged]
    return files


def main(folder: Path) -> None:
    """Write the collection below a folder."""
    for name, lines in make().items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes("".join(lines).encode())


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[1])
