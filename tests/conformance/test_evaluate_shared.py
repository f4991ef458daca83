"""The means of public runs, printed in trec_eval's layout, are the lines that trec_eval prints."""

import gzip
import json

import pytest

from denominator import evaluate, read_qrels, read_run
from denominator.outputs import Options, render

pytestmark = pytest.mark.shared

RUNS = (
    "robust03/aplrob03a",
    "robust03/rutcor03100",
    "cacm/bm25",
    "cast21/org_manual_bm25",
    "dl19/bm25",
    "dl19/bm25-rerank",
    "web12/NLPR03vb10",
)
"""What each adds: many queries, ties everywhere, few queries, more queries than judgments, grades, a second stage."""


def lines_of(path) -> dict[tuple[str, str], str]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        parts = (line.rstrip("\n").split("\t") for line in file)
        return {
            (name.strip(), query): value for name, query, value in parts if name.strip() not in ("runid", "relstring")
        }


@pytest.mark.parametrize("name", RUNS)
@pytest.mark.parametrize(("queries", "expected"), [("judged", "9.0.8-c"), ("answered", "9.0.8")])
def test_summaries_are_trec_evals(shared, name, queries, expected):
    """Every summary line of all_trec: over the judged queries as with -c, over the answered ones as without."""
    data = shared / "data"
    entries = json.loads((data / "runs/manifest.json").read_text())
    found = [
        entry
        for entry in entries
        if entry["run"].startswith(f"runs/{name}.") or f"/{name.split('/')[1]}." in entry["run"]
    ]
    entry = next(one for one in found if not str(one[expected]).startswith("ERROR"))
    theirs = lines_of(data / entry[expected])
    scores = evaluate(
        read_qrels(data / entry["qrels"]), read_run(data / entry["run"]), "all_trec", queries=queries, engine="columnar"
    )
    printed = [line.split("\t") for line in render(scores, "trec", Options(per_query=True)).splitlines()]
    ours = {(measure.strip(), query): value for measure, query, value in printed}
    summaries = {key: value for key, value in theirs.items() if key[1] == "all"}
    assert {key: ours.get(key) for key in summaries} == summaries
    rows = {key: value for key, value in theirs.items() if key[1] != "all"}
    assert {key: ours.get(key) for key in rows} == rows
