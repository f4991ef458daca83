"""The columnar engine on public runs: equal to pytrec_eval, and to what trec_eval 9.0.8 and 10.0 print."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import pytrec_eval

from denominator.engines import Settings, columnar
from denominator.measures import TrecMeasure, parse_trec
from denominator.model import Qrels, Run
from inputs import grades_of, qrels_of, run_of, scores_of

pytestmark = pytest.mark.shared

Printed = dict[str, dict[str, str]]


def lines_of(path: Path) -> Iterator[list[str]]:
    """Return the fields of every line that has any."""
    with gzip.open(path, "rt") if path.suffix == ".gz" else path.open() as text:
        yield from (fields for fields in map(str.split, text) if fields)


def read_qrels(path: Path) -> Qrels:
    return qrels_of((query, document, int(grade)) for query, _, document, grade in lines_of(path))


def read_run(path: Path) -> Run:
    return run_of((fields[0], fields[2], float(fields[4])) for fields in lines_of(path))


def read_printed(path: Path) -> Printed:
    """Return what trec_eval printed: query → name → value as text; relstring is quoted and may hold anything."""
    out: Printed = {}
    for fields in lines_of(path):
        name, query, value = fields[:3]
        if query != "all" and name != "relstring":
            out.setdefault(query, {})[name] = value
    return out


def pairs_of(data: Path) -> list[dict[str, str]]:
    """Return the manifest's entries that trec_eval does not refuse."""
    entries = json.loads((data / "runs" / "manifest.json").read_text())
    return [entry for entry in entries if not entry["9.0.8"].startswith("ERROR")]


def numeric(asked: list[str], trec_eval: str = "9") -> list[TrecMeasure]:
    return [one for one in parse_trec(asked, trec_eval) if not one.measures[0].spec.text_valued]


def as_printed(one: TrecMeasure, value: float) -> str:
    """Return a value as trec_eval prints it: counts whole, all else with four decimals."""
    return f"{value:.0f}" if one.family.startswith("num_") else f"{value:.4f}"


def different(printed: Printed, qrels: Qrels, run: Run, measures: list[TrecMeasure], settings: Settings) -> list[str]:
    """Return every printed value that is not ours, and check that there is one for every query and measure."""
    ours = columnar.score(qrels, run, [measure for one in measures for measure in one.measures], settings)
    answered = [number for number, query in enumerate(qrels.queries) if query in set(run.queries)]
    wrong = []
    for one in measures:
        if one.family in ("num_q", "gm_map", "gm_bpref"):  # printed for all queries together only
            continue
        for measure, name in zip(one.measures, one.names, strict=True):
            for number in answered:
                query = qrels.queries[number]
                text = as_printed(one, ours[measure][number])
                if text != printed[query][name]:
                    wrong.append(f"{query} {name}: {text} is not {printed[query][name]}")
    return wrong


def test_every_value_is_the_one_of_pytrec_eval(shared, capsys):
    """No value of any run, query and measure differs in any bit, at levels 1 and 2 and on the condensed list.

    Where a condensed list is empty pytrec_eval divides 0 by 0 and ours is 0.
    """
    measures = numeric(["all_trec"])
    flat = [measure for one in measures for measure in one.measures]
    names = {one.family for one in measures}
    compared = not_a_number = 0
    different: list[str] = []
    for entry in pairs_of(shared / "data"):
        qrels = read_qrels(shared / "data" / entry["qrels"])
        run = read_run(shared / "data" / entry["run"])
        grades, scores = grades_of(qrels), scores_of(run)
        for level, judged_only in ((1, False), (2, False), (1, True)):
            raw = pytrec_eval.RelevanceEvaluator(
                grades, names, relevance_level=level, judged_docs_only_flag=judged_only
            ).evaluate(scores)
            ours = columnar.score(qrels, run, flat, Settings(level=level, judged_only=judged_only))
            answered = np.array([query in raw for query in qrels.queries])
            for one in measures:
                for measure, name in zip(one.measures, one.names, strict=True):
                    assert np.isnan(ours[measure][~answered]).all()
                    theirs = np.array([raw[query][name] for query in qrels.queries if query in raw])
                    empty = np.isnan(theirs)
                    assert not empty.any() or judged_only
                    same = np.where(empty, ours[measure][answered] == 0, ours[measure][answered] == theirs)
                    compared += len(same)
                    not_a_number += int(empty.sum())
                    different += [f"{entry['run']} {name} at {level}"] * int((~same).sum())
    with capsys.disabled():
        print(
            f"\ncolumnar and pytrec_eval: {compared:,} values compared, {len(different)} different "
            f"({not_a_number} are 0 here and NaN there)"
        )
    assert different == []
    assert compared > 1_000_000


@pytest.mark.parametrize("version", ["9.0.8", "10.0"])
def test_every_value_is_printed_by_trec_eval(shared, capsys, version):
    """Every per-query value that a trec_eval prints for the runs is ours at four decimals."""
    trec_eval = version.split(".")[0]
    measures = numeric(["all_trec"], trec_eval)
    assert ("rbp_resid" in {one.family for one in measures}) == (trec_eval == "10")
    compared, wrong = 0, []
    for entry in pairs_of(shared / "data"):
        qrels = read_qrels(shared / "data" / entry["qrels"])
        run = read_run(shared / "data" / entry["run"])
        printed = read_printed(shared / "data" / entry[f"{version}-c"])
        wrong += [
            f"{entry['run']} {line}" for line in different(printed, qrels, run, measures, Settings(trec_eval=trec_eval))
        ]
        compared += sum(len(printed[query]) for query in set(run.queries) & set(printed))
    with capsys.disabled():
        print(f"\ncolumnar and trec_eval {version}: {compared:,} printed values compared, {len(wrong)} different")
    assert wrong == []
    assert compared > 300_000


PARAMETERS = (
    "iprec_at_recall..10,.20,.25,.75,.50 P.5,7,3 recall.20,2000 Rprec_mult.5.0,0.2,0.35 utility.2,-1,0,0 "
    "11pt_avg..25,.5,.75 ndcg.1=3,2=9,4=4.5 ndcg_cut.10,20,23.4 success.2,5,20"
)
SUITE = {
    "out.test.aq": (["all_trec"], "qrels.test", "results.test", Settings()),
    "out.test.aqc": (["all_trec"], "qrels.test", "results.trunc", Settings()),
    "out.test.aqcM": (["all_trec"], "qrels.test", "results.trunc", Settings(depth=100)),
    "out.test.aql": (["all_trec"], "qrels.rel_level", "results.test", Settings(level=2)),
    "out.test.meas_params": (PARAMETERS.split(), "qrels.test", "results.test", Settings()),
}
"""trec_eval's own tests: expected file → what it asks for, of which files, with which options."""


@pytest.mark.parametrize("version", ["9.0.8", "10.0"])
@pytest.mark.parametrize("expected", SUITE)
def test_trec_evals_own_suite(shared, version, expected):
    """The per-query values of trec_eval's own tests come out: parameters, gains, -l2, -M100."""
    folder = shared / "data" / f"trec_eval-{version}"
    trec_eval = version.split(".")[0]
    asked, qrels, run, given = SUITE[expected]
    settings = Settings(level=given.level, depth=given.depth, trec_eval=trec_eval)
    measures = numeric(asked, trec_eval)
    printed = read_printed(folder / expected)
    assert different(printed, read_qrels(folder / qrels), read_run(folder / run), measures, settings) == []
