"""Dialects against the tools they are named after, on eighteen published runs: the same value for every query."""

import gzip
import json
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from denominator.dialects import DIALECTS, Dialect, apply
from denominator.dialects.inputs import tied_queries
from denominator.formats import examine_run, read_qrels
from denominator.measures import parse_measures
from denominator.model import Qrels, Run
from peers import PEERS, Judged, Ranked

EXACT = 1e-9
LEAST = {"pytrec_eval-raw": 70_000, "ir_measures": 100_000, "ranx": 10_000, "trectools": 35_000, "scikit-learn": 1_000}
"""So many values at least are compared; with fewer the test has lost its point."""


@pytest.fixture(scope="module")
def entries(shared: Path) -> list[dict[str, str]]:
    """Return the manifest of the published runs."""
    found: list[dict[str, str]] = json.loads((shared / "data" / "runs" / "manifest.json").read_text(encoding="utf-8"))
    return found


class Published(NamedTuple):
    """A published run with its judgments, rows as they stand, and both as dictionaries of dictionaries."""

    name: str
    qrels: Qrels
    run: Run
    judged: Judged
    ranked: Ranked


@pytest.fixture(scope="module")
def runs(shared: Path, entries: list[dict[str, str]]) -> list[Published]:
    """Return every run."""
    data = shared / "data"
    qrels = {name: read_qrels(data / name) for name in {entry["qrels"] for entry in entries}}
    read = [(entry["run"], qrels[entry["qrels"]], examine_run(data / entry["run"]).rows) for entry in entries]
    return [Published(name, judged, run, *as_dicts(judged, run)) for name, judged, run in read]


def as_dicts(qrels: Qrels, run: Run) -> tuple[Judged, Ranked]:
    """Return both as dictionaries of dictionaries; of a document that stands twice the last row stays."""
    judged: dict[str, dict[str, int]] = {query: {} for query in qrels.queries}
    for query, doc, grade in zip(qrels.query.tolist(), qrels.doc_id.to_pylist(), qrels.relevance.tolist(), strict=True):
        judged[qrels.queries[query]][doc] = grade
    ranked: dict[str, dict[str, float]] = {query: {} for query in run.queries}
    for query, doc, score in zip(run.query.tolist(), run.doc_id.to_pylist(), run.score.tolist(), strict=True):
        ranked[run.queries[query]][doc] = score
    return judged, ranked


def compared_values(name: str, published: Published) -> Iterator[tuple[str, str, float, float]]:
    """Yield (measure, query, ours, theirs) for every query that the tool has a value for."""
    _, qrels, run, judged, ranked = published
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # theirs: deprecations, and divisions by 0 that they mean
        theirs = PEERS[name][1](judged, ranked)
    measures = parse_measures(list(theirs))
    ours = apply(qrels, run, measures, DIALECTS[name].using(duplicates="last"))
    left_out = set()
    if name == "ranx":
        left_out = {query for query, tied in zip(run.queries, tied_queries(run).tolist(), strict=True) if tied}
    for measure, values in zip(measures, theirs.values(), strict=True):
        for query, value in zip(qrels.queries, ours.values[measure].tolist(), strict=True):
            if query in values and query not in left_out:
                yield str(measure), query, value, values[query]


@pytest.mark.shared
@pytest.mark.timeout(900)  # ranx compiles, and takes minutes where others work too
@pytest.mark.parametrize("name", PEERS)
def test_a_dialect_says_what_its_tool_says(name: str, runs, capsys) -> None:
    """Every query, every measure that both have, every run, odd ones too: no value differs by more than 1e-9."""
    pytest.importorskip(PEERS[name][0], reason="needs the extra [peers]: pip install denominator[peers]")
    compared = 0
    different = []
    for published in runs:
        for measure, query, ours, theirs in compared_values(name, published):
            compared += 1
            if not abs((0.0 if np.isnan(ours) else ours) - theirs) <= EXACT:
                different.append((published.name, measure, query, ours, theirs))
    with capsys.disabled():
        print(f"\n{name}: {compared:,} values compared, {len(different):,} different")
    assert not different, different[:5]
    assert compared >= LEAST[name]


PRINTED = "map gm_map Rprec bpref recip_rank iprec_at_recall_0.10 P_10 recall_100 ndcg ndcg_cut_10 num_rel_ret infAP"


@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "key"), [("trec_eval-c", "9.0.8-c"), ("trec_eval-9", "9.0.8"), ("trec_eval-10", "10.0")]
)
def test_trec_eval_prints_what_its_dialect_says(name: str, key: str, shared: Path, entries, runs, capsys) -> None:
    """Every line of twelve measures, means included, has the same digits; what it refuses, the dialect refuses."""
    measures = {text: parse_measures(text)[0] for text in PRINTED.split()}
    compared = 0
    different = []
    for entry, (_, qrels, run, _, _) in zip(entries, runs, strict=True):
        if entry[key].startswith("ERROR"):
            continue
        applied = apply(qrels, run, list(measures.values()), DIALECTS[name])
        lines = gzip.decompress((shared / "data" / entry[key]).read_bytes()).decode("utf-8").splitlines()
        for line in lines:
            text, query, printed = (part.strip() for part in line.split("\t"))
            if text not in measures:
                continue
            measure = measures[text]
            value = applied.mean(measure) if query == "all" else applied.values[measure][qrels.number_of[query]]
            digits = f"{value:.0f}" if measure.spec.aggregate == "sum" else f"{value:.4f}"
            compared += 1
            if digits != printed:
                different.append((entry["run"], line, value))
    with capsys.disabled():
        print(f"\n{name}: {compared:,} printed lines compared, {len(different):,} different")
    assert not different, different[:5]
    assert compared > 40_000


def test_every_dialect_that_says_it_is_held_is_held_here() -> None:
    """``held="run"`` is a promise of this file; the others carry no such promise."""
    held = {name for name, one in DIALECTS.items() if one.held == "run"}
    assert held == {*PEERS, "trec_eval-c", "trec_eval-9", "trec_eval-10"}
    assert all(isinstance(one, Dialect) and one.source.startswith("https://") for one in DIALECTS.values())
