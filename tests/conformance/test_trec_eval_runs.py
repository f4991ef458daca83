"""Eighteen published runs, odd ones among them: line for line what trec_eval prints for every measure and query."""

import gzip
import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from denominator.cli import main

RUNS = 18
VERSIONS = {"9.0.8": [], "9.0.8-c": ["-c"], "10.0": ["--compat", "10"], "10.0-c": ["--compat", "10", "-c"]}
"""The manifest's key → the options that stand for it."""


@pytest.mark.shared
@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("number", range(RUNS))
def test_prints_every_line_or_refuses_as_trec_eval_does(shared: Path, number: int, version: str) -> None:
    """`-q -m all_trec` equals the expected file; a run that trec_eval refuses is refused with both of its lines."""
    data = shared / "data"
    entry = json.loads((data / "runs" / "manifest.json").read_text(encoding="utf-8"))[number]
    files = [str(data / entry["qrels"]), str(data / entry["run"])]
    result = CliRunner().invoke(main, ["trec_eval", "-q", "-m", "all_trec", *VERSIONS[version], *files])
    if entry[version].startswith("ERROR"):
        assert entry[version].startswith("ERROR rc=4 trec_eval.form_res_qrels: duplicate docs")
        assert result.exit_code == 4
        assert result.stdout == ""
        assert re.search(rf"{re.escape(files[1])}:\d+: .*line \d+", result.stderr), result.stderr[:500]
        return
    assert result.exit_code == 0, result.output[:500]
    expected = gzip.decompress((data / entry[version]).read_bytes()).decode("utf-8")
    assert result.stdout == expected


@pytest.mark.shared
def test_the_manifest_holds_as_many_runs_as_are_tested(shared: Path) -> None:
    """No run of the manifest is left out."""
    entries = json.loads((shared / "data" / "runs" / "manifest.json").read_text(encoding="utf-8"))
    assert len(entries) == RUNS
    assert all(set(VERSIONS) <= set(entry) for entry in entries)
