"""Write a made-up look-alike of CIRAL: judgments, queries and three systems' runs, always the same bytes.

    python notebooks/make_ciral.py FOLDER

For readers without the real files. Paths, ids, splits and numbers of queries are those of CIRAL v1.0, the contents are
invented; as the checksums are others, it is never taken for CIRAL: name its files, not ids such as ``ciral/sw/test-a``.
It has the oddities that make the real files easy to get wrong:

- query ids are numbers, and other queries in other languages; seven Hausa ids of dev are other queries in test-a;
- document ids hold ``#`` (``VOA#7460#0``), and some are passages of two languages;
- test-a judges about 20 passages a query and test-a-pools about four times as many; some pairs have other grades there,
  and in Hausa and Somali some pairs of test-a are missing there;
- sw test-b has a query 23 whose one judgment is 0, without a text, so that no mean can reach 1;
- lines that end in tabs (ha and so test-a), no newline at the end (dev);
- queries with CSV quotes inside tab-separated text, blanks at the edges, Yoruba that is not in form NFC, a U+FEFF
  inside a word (yo test-b, native), and the id 237 twice (sw test-b, native).

The queries are crop words, no sentences. The systems are those of no paper: ``lexical`` and ``dense`` find what was
judged and much that was not, ``reranked`` puts the first 50 of ``lexical`` into a better order. Test-a judges every
second of the first 40 of ``lexical``; the pools hold its first 70 and the first ten of ``dense``. Only
`random.random()` and plain arithmetic are used, which give the same bits on every platform and Python version.
"""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Iterable, Mapping
from pathlib import Path
from random import Random
from typing import NamedTuple

Grades = dict[str, int]
Judgments = dict[str, Grades]
Ranking = list[tuple[str, float]]

SEED = 2024
DEPTH = 100
RERANKED = 50
CANDIDATES = 240
"""Passages that look like an answer to a query."""


class Language(NamedTuple):
    """What the files of a language have in common."""

    sources: tuple[str, ...]
    """What its document ids begin with."""
    words: tuple[str, ...]
    """Maize, beans, rice, milk, water."""
    queries: Mapping[str, int]
    """Split → how many queries."""
    taken_back: tuple[int, int]
    """Pairs of test-a that are 1 and in the pools 0, and the other way round."""
    unpooled: int = 0
    """Pairs of test-a that the pools lack."""
    tabs: tuple[int, ...] = ()
    """Lines of test-a that end in two tabs."""


ENGLISH = ("maize", "beans", "rice", "milk", "water")
LANGUAGES = {
    "ha": Language(
        ("LEGITNG", "DAILYTRUST", "PREMIUMTIMES", "VOA"),
        ("masara", "wake", "shinkafa", "madara", "ruwa"),
        {"dev": 10, "test-a": 80, "test-b": 312},
        taken_back=(56, 42),
        unpooled=20,
        tabs=(406,),
    ),
    "so": Language(
        ("CAASIMADA", "GEESKA", "OODWEYNE", "VOA"),
        ("galley", "digir", "bariis", "caano", "biyo"),
        {"dev": 10, "test-a": 99, "test-b": 239},
        taken_back=(177, 37),
        unpooled=81,
        tabs=(97, 245, 880, 970, 1559),
    ),
    "sw": Language(
        ("TAIFALEO", "MTANZANIA", "TUKO", "VOA"),
        ("mahindi", "maharagwe", "mchele", "maziwa", "maji"),
        {"dev": 10, "test-a": 85, "test-b": 113},
        taken_back=(4, 43),
    ),
    "yo": Language(
        ("BBC", "ASEJERE", "ALAROYE", "VON"),
        ("àgbàdo", "ẹ̀wà", "ìrẹsì", "wàrà", "omi"),
        {"dev": 10, "test-a": 100, "test-b": 554},
        taken_back=(107, 7),
    ),
}


def noise(random: Random) -> float:
    """A bell-shaped draw, mean 0, standard deviation 1: three uniform draws, stretched."""
    return 2.0 * (random.random() + random.random() + random.random() - 1.5)


def below(random: Random, limit: int) -> int:
    """A whole number from 0 to limit - 1."""
    return int(random.random() * limit)


def query_ids(language: str, split: str) -> list[str]:
    """The ids of a split: numbers with gaps, which other languages use too."""
    begin = {"dev": 402, "test-a": 4, "test-b": 11}[split]
    ids = [str(begin + 2 * number) for number in range(LANGUAGES[language].queries[split])]
    if (language, split) == ("ha", "dev"):
        return [*query_ids(language, "test-a")[:7], *ids[7:]]
    if (language, split) == ("sw", "test-b"):  # 23 has no text
        return [query for query in ids if query != "23"] + ["237"]
    return ids


def passages(random: Random, language: str) -> list[str]:
    """The candidates of a query, up to three of an article; articles of one agency have the ids of other languages."""
    sources, own = LANGUAGES[language].sources, list(LANGUAGES).index(language)
    found: dict[str, None] = {}
    while len(found) < CANDIDATES:
        article = f"{sources[below(random, 4)]}#{4 * below(random, 5_000) + own}"
        if random.random() < 0.0005:
            article = f"VOA#{7460 + below(random, 9)}"
        for part in range(1 + below(random, 3)):
            found[f"{article}#{part}"] = None
    return list(found)[:CANDIDATES]


class Query(NamedTuple):
    """A query: the true grade of each candidate, and what each retriever makes of it."""

    grades: Grades
    lexical: Ranking
    dense: Ranking


def make_query(random: Random, language: str) -> Query:
    """Draw a query whose relevant passages are the first candidates."""
    candidates = passages(random, language)
    relevant = 1 + below(random, 14) + below(random, 14) + (below(random, 50) if random.random() < 0.3 else 0)
    grades = {passage: int(number < relevant) for number, passage in enumerate(candidates)}
    return Query(grades, retrieve(random, grades, 0.8, 12.0), retrieve(random, grades, 1.3, 0.8))


def retrieve(random: Random, grades: Grades, skill: float, scale: float) -> Ranking:
    """Rank passages by a score that knows the grade as well as the skill allows."""
    return rank((passage, scale * (2.0 + skill * grade + noise(random))) for passage, grade in grades.items())


def rank(scored: Iterable[tuple[str, float]]) -> Ranking:
    """The best first, to the depth of a run."""
    return sorted(scored, key=lambda pair: (-pair[1], pair[0]))[:DEPTH]


def judge(query: Query, rows: Ranking) -> Grades:
    """The true grades of the passages in some rows, as an assessor sees them; one relevant passage at the least."""
    seen = dict.fromkeys(passage for passage, _ in rows)
    if not any(query.grades[passage] for passage in seen):
        seen[next(iter(query.grades))] = None
    return {passage: query.grades[passage] for passage in sorted(seen, key=lambda one: -query.grades[one])}


def disagree(random: Random, shallow: Judgments, pools: Judgments, language: Language) -> None:
    """Let the pools grade some pairs of test-a otherwise and lack some, and never lose a query's last relevant one."""
    down, up = language.taken_back
    pairs = [(query, passage) for query, grades in shallow.items() for passage in grades]
    left = {1: down, 0: up, None: language.unpooled}
    while any(left.values()):
        query, passage = pairs.pop(below(random, len(pairs)))
        grade, pool = shallow[query][passage], pools[query]
        if grade and sum(pool.values()) < 2:
            continue
        if left[grade]:
            left[grade] -= 1
            pool[passage] = 1 - grade
        elif left[None] and not grade:
            left[None] -= 1
            del pool[passage]


def language_files(random: Random, name: str) -> dict[str, str]:
    """The judgments, queries and runs of a language: path and text."""
    language = LANGUAGES[name]
    drawn = {split: {query: make_query(random, name) for query in query_ids(name, split)} for split in language.queries}
    judged = {
        split: {query: judge(one, one.lexical[:40:2]) for query, one in some.items()} for split, some in drawn.items()
    }
    pools = {query: judge(one, [*one.lexical[:70], *one.dense[:10]]) for query, one in drawn["test-a"].items()}
    judged["test-a-pools"] = {query: {**pool, **judged["test-a"][query]} for query, pool in pools.items()}
    disagree(random, judged["test-a"], judged["test-a-pools"], language)
    if name == "sw":
        judged["test-b"] = {"23": {"VOA#7460#0": 0}, **judged["test-b"]}
    files = {
        f"qrels/qrels.ciral-v1.0-{name}-{split}.tsv": qrels_text(name, split, some) for split, some in judged.items()
    }
    for split, some in drawn.items():
        path = f"topics/topics.ciral-v1.0-{name}-{split}"
        files[f"{path}.tsv"] = topics_text(random, list(some), ENGLISH)
        files[f"{path}-native.tsv"] = native_text(random, name, split, list(some))
    lexical = {query: one.lexical for query, one in drawn["test-a"].items()}
    runs = {
        "lexical": lexical,
        "dense": {query: one.dense for query, one in drawn["test-a"].items()},
        "reranked": {query: rerank(random, one) for query, one in drawn["test-a"].items()},
    }
    files |= {f"runs/{name}-test-a-{system}.run": run_text(system, some) for system, some in runs.items()}
    return files


def rerank(random: Random, query: Query) -> Ranking:
    """The first of the lexical ranking in a better order, and the rest below them as it was."""
    first = {passage: query.grades[passage] for passage, _ in query.lexical[:RERANKED]}
    better = [(passage, 50.0 + score) for passage, score in retrieve(random, first, 1.6, 3.0)]
    return [*better, *((passage, score - 50.0) for passage, score in query.lexical[RERANKED:])]


def qrels_text(name: str, split: str, judged: Judgments) -> str:
    """Judgments as lines, with the odd ends that some files have."""
    rows = [(query, passage, grade) for query, grades in judged.items() for passage, grade in grades.items()]
    odd = LANGUAGES[name].tabs if split == "test-a" else ()
    lines = [
        f"{query}\tQ0\t{passage}\t{grade}" + ("\t\t" if number in odd else "")
        for number, (query, passage, grade) in enumerate(rows, 1)
    ]
    return "\n".join(lines) + ("" if split == "dev" else "\n")


def topics_text(random: Random, ids: list[str], words: tuple[str, ...]) -> str:
    """Queries as lines; every tenth has a word in CSV's quotes, every seventh a blank behind it."""
    lines = []
    for number, query in enumerate(ids, 1):
        first, second = words[below(random, 5)], words[below(random, 5)]
        text = f'"{first} ""{second}"""' if number % 10 == 0 else f"{first} {second}"
        lines.append(f"{query}\t{text}{' ' if number % 7 == 0 else ''}\n")
    return "".join(lines)


def native_text(random: Random, name: str, split: str, ids: list[str]) -> str:
    """Queries in the language of the passages, with what is odd about them."""
    words = LANGUAGES[name].words
    if name == "yo":  # some words in form NFD
        words = tuple(unicodedata.normalize("NFD" if number % 2 else "NFC", word) for number, word in enumerate(words))
    if (name, split) == ("yo", "test-b"):
        words = (f"{words[0][:2]}\ufeff{words[0][2:]}", *words[1:])
    if (name, split) == ("sw", "test-b"):
        ids = ["237" if query == "235" else query for query in ids]
    return topics_text(random, ids, words)


def run_text(system: str, rankings: dict[str, Ranking]) -> str:
    """A run as TREC lines."""
    return "".join(
        f"{query} Q0 {passage} {place} {score:.4f} made-{system}\n"
        for query, ranking in rankings.items()
        for place, (passage, score) in enumerate(ranking, 1)
    )


def make_ciral(folder: Path) -> Path:
    """Write the look-alike below a folder, and return the folder."""
    for number, name in enumerate(LANGUAGES):
        for path, text in language_files(Random(SEED + number), name).items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(text.encode())
    return folder


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    make_ciral(Path(sys.argv[1]))
