"""The audit of the four sample queries shows every number of the article that they are from."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

import denominator as dn
from denominator.cli import main

ROOT = Path(__file__).parents[3]


@pytest.fixture(autouse=True)
def at_the_root(monkeypatch):
    monkeypatch.chdir(ROOT)


def printed(name: str, *options: str) -> dict[str, str]:
    """Return query → its line, and the line under it, of the text that `denominator audit` prints."""
    arguments = ["audit", f"qrels/{name}.qrels", f"runs/{name}.run", "-k", "5", "--corpus-size", "24", *options]
    result = CliRunner().invoke(main, arguments, catch_exceptions=False)
    assert max(map(len, result.stdout.splitlines())) <= 80
    table = result.stdout.partition("query by query:\n")[2]
    return {text.split()[0]: " ".join(text.split()) for text in re.split(r"\n(?=  \S)", f"\n{table}")[1:]}


def test_the_broad_query_reaches_four_fifths_of_its_ceiling():
    """8 of 24 are relevant, 5 places hold 5 of them, 4 are there: 4/8 of 5/8."""
    line = printed("agri")["q_broad"]
    assert line.startswith("q_broad |Rel|=8 k=5 labels=33.3% ceiling=0.625 R@k=0.500 (80% of ceiling)")
    assert "P@5" not in line


@pytest.mark.parametrize("query", ["q_faw", "q_store", "q_milk"])
def test_a_narrow_query_cannot_fill_five_places(query):
    """3 of 24 are relevant, 2 of them among the first 5, which can be 60% relevant at most."""
    line = printed("agri")[query]
    assert line.startswith(f"{query} |Rel|=3 k=5 labels=12.5% ceiling=1.000 R@k=0.667 (67% of ceiling)")
    assert "P@5 max 0.60" in line


def test_the_duplicate_is_counted_once_and_its_copies_are_told():
    """d1 twice and d2 once are three hits by position and two documents."""
    line = printed("agri-dupe")["q_dupe"]
    assert line.startswith("q_dupe |Rel|=3 k=5 labels=12.5% ceiling=1.000 R@k=0.667 (67% of ceiling)")
    assert "P@5 max 0.60; duplicates d1: 3 positional hits, 2 distinct" in line


def test_every_number_is_there(shared):
    """The article's own list of its numbers, each found in the table and in what is printed."""
    wanted = json.loads((shared / "seed" / "expected.json").read_text())["audit_k5_corpus24"]
    lines = {}
    for name in ("agri", "agri-dupe"):
        found = dn.audit(f"qrels/{name}.qrels", f"runs/{name}.run", k=5, corpus_size=24)
        lines |= {line.query_id: line for line in found.tables[0]}
    assert set(lines) == set(wanted)
    texts = printed("agri") | printed("agri-dupe")
    for query, numbers in wanted.items():
        line, text = lines[query], texts[query]
        assert line.rel == numbers["Rel"]
        assert f"labels={numbers['labels']} " in text
        assert line.ceiling == numbers["ceiling"]
        assert round(line.recall, 3) == numbers["R@5"]
        assert f"({numbers['of_ceiling']} of ceiling)" in text
        assert line.precision_ceiling == numbers.get("P@5_max", 1.0)
        assert list(line.duplicates) == numbers.get("duplicates", [])
        assert line.positional_hits == numbers.get("positional_hits", line.distinct_hits)
        assert line.distinct_hits == numbers.get("distinct_hits", line.positional_hits)


def test_more_complete_judgments_show_what_partial_ones_hide():
    """With the truth given, some finding has recall 0.500 as judged and 0.417 as it is for the broad query."""
    found = dn.audit("qrels/agri.qrels", "runs/agri.run", k=5, truth="qrels/agri-true.qrels", select="J")
    values = [
        {round(value, 3) for value in place.values.values() if isinstance(value, float)}
        for one in found
        for place in one.places
        if place.query_id == "q_broad"
    ]
    assert any({0.5, 0.417} <= one for one in values)
