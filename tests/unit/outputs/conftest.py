"""Scores to write down: one run, two runs with groups, and one whose ids are out to do harm."""

import dataclasses

import pytest

from denominator import evaluate
from inputs import judged, qrels_of, ranked, run_of

QRELS = judged("q1 a 1\nq1 b 1\nq2 c 1\nq3 d 0")
EVIL = ["=1+1", "a|b", "[bold]x[/bold]", "50%_{x}\\", "<b>", "q\x1b[2J", "-5"]


def named(run, name):
    return dataclasses.replace(run, source=dataclasses.replace(run.source, name=name, read_as="lines"))


@pytest.fixture
def one():
    """A run that answers two of three judged queries; the third has no relevant document."""
    return evaluate(QRELS, named(ranked("q1 a x b\nq2 x c"), "runs/one.run"), "P@2 AP Unjudged@2 NumRelRet")


@pytest.fixture
def two():
    """Two runs of one folder, with groups."""
    runs = [named(ranked("q1 a\nq2 c"), "runs/one.run"), named(ranked("q1 x"), "runs/two.run")]
    return evaluate(QRELS, runs, "P@2 AP", by={"q1": "A", "q2": "B"})


@pytest.fixture
def evil():
    """Query ids and a run name that mean something to a spreadsheet, a terminal, markdown, LaTeX or rich."""
    qrels = qrels_of([(query, "d", 1) for query in EVIL])
    run = run_of([(query, "d", 1.0) for query in EVIL])
    return evaluate(qrels, named(run, "=cmd|'/c calc'!A1 \x1b]0;title\x07"), "P@1")
