"""The sample collections are what their descriptions say."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HARVEST = sorted(
    path.relative_to(ROOT).as_posix()
    for pattern in ("qrels/harvest.*", "runs/harvest-*.run")
    for path in ROOT.glob(pattern)
)


def qrels(name: str) -> dict[str, dict[str, int]]:
    judged: dict[str, dict[str, int]] = defaultdict(dict)
    for line in (ROOT / "qrels" / f"{name}.qrels").read_text(encoding="utf-8").splitlines():
        query, _, document, grade = line.split()
        assert document not in judged[query]
        judged[query][document] = int(grade)
    return dict(judged)


def run(name: str) -> dict[str, list[str]]:
    """Each query's documents; ranks count from 1 and scores never rise on the way."""
    rows: dict[str, list[tuple[str, int, float]]] = defaultdict(list)
    for line in (ROOT / "runs" / f"{name}.run").read_text(encoding="utf-8").splitlines():
        query, _, document, rank, score, tag = line.split()
        assert tag == name
        rows[query].append((document, int(rank), float(score)))
    for ranked in rows.values():
        assert [rank for _, rank, _ in ranked] == list(range(1, len(ranked) + 1))
        scores = [score for _, _, score in ranked]
        assert scores == sorted(scores, reverse=True)
    return {query: [document for document, _, _ in ranked] for query, ranked in rows.items()}


def test_keep5_is_the_first_five_of_the_run():
    full = run("agri")
    assert {len(documents) for documents in full.values()} == {10}
    assert run("agri-keep5") == {query: documents[:5] for query, documents in full.items()}


def test_reordered_moves_one_document_of_one_query():
    kept, reordered = run("agri-keep5"), run("agri-reordered")
    assert [query for query in kept if kept[query] != reordered[query]] == ["q_milk"]
    assert kept["q_milk"] == ["d1", "s2", "x1", "d2", "x3"]
    assert reordered["q_milk"] == ["s2", "x1", "d2", "d1", "x3"]


def test_true_judgments_add_four_documents_to_the_broad_query():
    judged, true = qrels("agri"), qrels("agri-true")
    added = {query: {doc: grade for doc, grade in true[query].items() if doc not in judged[query]} for query in judged}
    assert added == {"q_faw": {}, "q_store": {}, "q_milk": {}, "q_broad": {"s3": 1, "x1": 1, "x2": 1, "s4": 1}}
    assert {query: len(grades) for query, grades in judged.items()} == {
        "q_faw": 3,
        "q_store": 3,
        "q_milk": 3,
        "q_broad": 8,
    }


def test_the_duplicate_example_repeats_d1():
    assert run("agri-dupe") == {"q_dupe": ["d1", "d1", "x3", "d2", "x1"]}
    assert qrels("agri-dupe") == {"q_dupe": {"d1": 3, "d2": 2, "d3": 1}}


@pytest.fixture(scope="module")
def remade(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("harvest")
    subprocess.run([sys.executable, ROOT / "qrels" / "make_harvest.py", folder], check=True)
    return folder


def test_harvest_is_remade_in_full(remade: Path):
    made = sorted(path.relative_to(remade).as_posix() for path in remade.rglob("*") if path.is_file())
    assert made == HARVEST
    assert len(made) == 8


@pytest.mark.parametrize("name", HARVEST)
def test_harvest_is_remade_byte_for_byte(remade: Path, name: str):
    assert (remade / name).read_bytes() == (ROOT / name).read_bytes()
    assert (ROOT / name).stat().st_size < 1_000_000


def test_harvest_has_what_its_script_promises():
    judged = qrels("harvest")
    names = [Path(name).stem for name in HARVEST if name.endswith(".run")]
    runs = {name: run(name) for name in names}
    assert len(judged) == 318
    assert {grade for grades in judged.values() for grade in grades.values()} == {0, 1, 2, 3}
    relevant = [sum(grade > 0 for grade in grades.values()) for grades in judged.values()]
    assert relevant.count(0) == 5
    assert sum(count > 10 for count in relevant) == 28
    missing = {name: len(judged.keys() - answered.keys()) for name, answered in runs.items()}
    assert missing == {
        "harvest-bm25": 0,
        "harvest-dense": 7,
        "harvest-fused": 0,
        "harvest-rerank": 0,
        "harvest-sparse": 0,
        "harvest-translated": 6,
    }
    assert runs["harvest-bm25"].keys() - judged.keys() == {"en-080", "yo-080"}
    unjudged = {
        name: sum(doc not in judged[query] for query in judged for doc in answered.get(query, [])[:10])
        for name, answered in runs.items()
    }
    assert unjudged["harvest-sparse"] > 1_000 > unjudged["harvest-bm25"] == 0
    fused, reranked = runs["harvest-fused"], runs["harvest-rerank"]
    assert all(set(reranked[query]) < set(fused[query]) for query in judged)
    ties = {name: tied_rows(name) for name in names}
    assert ties["harvest-rerank"] > 0.9 > ties["harvest-bm25"] > 0.3 > ties["harvest-sparse"] > 0.0


def tied_rows(name: str) -> float:
    """The share of a run's rows whose score another row of the same query has too."""
    lines = (ROOT / "runs" / f"{name}.run").read_text(encoding="utf-8").splitlines()
    counts = Counter((line.split()[0], line.split()[4]) for line in lines)
    return sum(count for count in counts.values() if count > 1) / len(lines)


def test_harvest_groups_name_a_language_for_every_judged_query():
    lines = (ROOT / "qrels" / "harvest.groups").read_text(encoding="utf-8").splitlines()
    groups = dict(line.split("\t") for line in lines)
    assert list(groups) == list(qrels("harvest"))
    assert Counter(groups.values()) == {"English": 79, "Hausa": 80, "Swahili": 80, "Yoruba": 79}
