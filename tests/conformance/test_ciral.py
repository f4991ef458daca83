"""CIRAL: the values recorded for dev runs in four languages, whose ids hold `#` and repeat between the languages."""

import csv
from collections import defaultdict
from pathlib import Path

import pytest

import denominator as dn

NAMES = {"NDCG": "nDCG", "MAP": "AP", "MRR": "RR", "Recall": "R"}
"""The word of the record → the measure's name."""
RECORDED = 273


@pytest.mark.shared
def test_every_recorded_value_is_reproduced(shared: Path) -> None:
    """All 273 values come out to the five decimals of the record."""
    folder = shared / "data" / "ciral"
    recorded: dict[str, dict[str, float]] = defaultdict(dict)
    with open(folder / "runs-expected.csv", encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            word, cutoff = row["metric"].split("@")
            recorded[row["run_file"]][f"{NAMES[word]}@{cutoff}"] = float(row["recorded_value"])
    assert sum(map(len, recorded.values())) == RECORDED
    apart = []
    for name, values in recorded.items():
        qrels = folder / "qrels" / f"qrels.ciral-v1.0-{name.split('.')[0]}.tsv"
        means = {
            str(mean.measure): mean.value for mean in dn.evaluate(qrels, folder / "runs" / name, list(values)).means()
        }
        apart += [(name, one, means[one], value) for one, value in values.items() if abs(means[one] - value) > 5.1e-6]
    assert apart == []


@pytest.mark.shared
def test_every_run_of_the_four_languages_is_read_and_scored(shared: Path) -> None:
    """All 25 dev runs answer all ten queries of their language."""
    folder = shared / "data" / "ciral"
    runs = sorted((folder / "runs").glob("*.trec"))
    assert len(runs) == 25
    for run in runs:
        qrels = folder / "qrels" / f"qrels.ciral-v1.0-{run.name.split('.')[0]}.tsv"
        (mean,) = dn.evaluate(qrels, run, ["nDCG@20"]).means()
        assert mean.judged == mean.answered == 10
