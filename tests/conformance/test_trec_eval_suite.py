"""trec_eval's own quick test: the same commands print the same text."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from denominator.cli import main

SUITE = {
    "out.test": "qrels.test results.test",
    "out.test.a": "-m all_trec qrels.test results.test",
    "out.test.aq": "-m all_trec -q qrels.test results.test",
    "out.test.aqc": "-m all_trec -q -c qrels.test results.trunc",
    "out.test.aqcM": "-m all_trec -q -c -M100 qrels.test results.trunc",
    "out.test.aql": "-m all_trec -mrelstring.20 -q -l2 qrels.rel_level results.test",
    "out.test.meas_params": (
        "-q -miprec_at_recall..10,.20,.25,.75,.50 -m P.5,7,3 -m recall.20,2000 -m Rprec_mult.5.0,0.2,0.35 "
        "-mutility.2,-1,0,0 -m 11pt_avg..25,.5,.75 -mndcg.1=3,2=9,4=4.5 -mndcg_cut.10,20,23.4 -msuccess.2,5,20 "
        "qrels.test results.test"
    ),
}
"""Expected output → the command's arguments."""
COMMENTS = {
    "out.test": "qrels.test.with-comments results.test",
    "out.comment.test": "qrels.comment.test results.comment.test",
}
"""The same for what version 10 added."""


def _text(folder: Path, command: str) -> str:
    """Return what the command prints on standard output, its files taken from the folder."""
    *options, qrels, run = command.split()
    result = CliRunner().invoke(main, ["trec_eval", *options, str(folder / qrels), str(folder / run)])
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.mark.shared
@pytest.mark.parametrize("expected", SUITE)
def test_prints_what_version_9_prints(shared: Path, expected: str) -> None:
    """Every command of 9.0.8's quick test gives the text that comes with it."""
    folder = shared / "data" / "trec_eval-9.0.8"
    assert _text(folder, SUITE[expected]) == (folder / expected).read_text(encoding="utf-8")


@pytest.mark.shared
@pytest.mark.parametrize(("expected", "command"), [*SUITE.items(), *COMMENTS.items()])
def test_prints_what_version_10_prints(shared: Path, expected: str, command: str) -> None:
    """Every command of 10.0's quick test, comment files included, gives the text that comes with it."""
    folder = shared / "data" / "trec_eval-10.0"
    assert _text(folder, f"--compat 10 {command}") == (folder / expected).read_text(encoding="utf-8")
