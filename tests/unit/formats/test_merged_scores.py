"""Scores that differ as they are written and are one 64-bit float: they tie, and that is said."""

import io
import json
from decimal import Decimal

import numpy as np
import polars as pl
import pytest

from denominator.formats import read_run
from denominator.formats import trec as trec_format
from denominator.formats.sources import open_content
from denominator.formats.strict import examine
from denominator.formats.table import Options

A, B = 9007199254740993, 9007199254740992
LONG_A, LONG_B = "0.12345678901234567891", "0.12345678901234567892"


def merged(source, **options):
    """Return the notes on merged scores of a run."""
    return [note for note in read_run(source, **options).source.notes if note.kind == "scores-merged"]


def lines(*scores: object) -> io.BytesIO:
    return io.BytesIO("".join(f"q Q0 d{n} {n} {score} t\n" for n, score in enumerate(scores)).encode())


SOURCES = {
    "trec": lambda a, b: lines(a, b),
    "msmarco": lambda a, b: io.BytesIO(f"q\td1\t1\t{a}\nq\td2\t2\t{b}\n".encode()),
    "json": lambda a, b: io.BytesIO(json.dumps({"q": {"d1": a, "d2": b}}).encode()),
    "jsonl": lambda a, b: io.BytesIO(
        b"".join(
            json.dumps({"query_id": "q", "doc_id": d, "score": s}).encode() + b"\n" for d, s in (("1", a), ("2", b))
        )
    ),
    "dict": lambda a, b: {"q": {"d1": a, "d2": b}},
    "frame": lambda a, b: pl.DataFrame({"query_id": ["q", "q"], "doc_id": ["1", "2"], "score": [a, b]}),
}


@pytest.mark.parametrize("name", SOURCES)
def test_whole_numbers_that_become_one_float_are_told(name):
    """In every format that has whole numbers; equal ones, and those that floats hold apart, are not told."""
    (note,) = merged(SOURCES[name](A, B))
    assert f"scores {A} and {B} of query q are one 64-bit float" in note.message
    assert note.count == 2
    assert merged(SOURCES[name](A, A)) == []
    assert merged(SOURCES[name](A - 1, A - 3)) == []


def test_decimals_of_many_digits_that_become_one_float_are_told():
    """More digits than a float has, in the text of a file; zeros at the end are no other number."""
    (note,) = merged(lines(LONG_A, LONG_B, 0.1))
    assert f"scores {LONG_A} and {LONG_B}" in note.message
    assert [note.count for note in merged(lines("0.50000000000000000001", "0.5"))] == [2]
    assert merged(lines("0.50000000000000000000", "0.5")) == []
    assert merged(lines(LONG_A, LONG_A)) == []
    assert merged(lines("1e16", "10000000000000001")) != []


def test_scores_of_different_queries_cannot_merge():
    """Only within a query does a tie decide anything."""
    assert merged(io.BytesIO(f"q Q0 d 1 {A} t\np Q0 d 1 {B} t\n".encode())) == []


@pytest.mark.parametrize(
    ("a", "b", "merge"),
    [
        ("2e-400", "1e-400", True),
        ("1e-400", "0.0", True),
        ("-1E-400", "0", True),
        ("4.9e-324", "5.1e-324", True),
        ("0." + "0" * 400 + "1", "0", True),
        ("0e-400", "0.000", False),
        ("1e-320", "2e-320", False),
        ("1e-300", "1e-301", False),
    ],
)
@pytest.mark.parametrize("separator", [" ", "\t"])
def test_scores_too_near_to_0_to_be_told_apart_are_told(a, b, merge, separator):
    """A float has no room for them; 0 in whatever spelling is 0."""
    text = "".join(f"q Q0 d{n} {n} {score} t\n" for n, score in enumerate([a, b], start=1))
    notes = merged(io.BytesIO(text.replace(" ", separator).encode()))
    assert [note.count for note in notes] == ([2] if merge else [])


def test_numbers_that_are_finer_than_floats_are_told():
    """Decimals, and numpy's long doubles where they are longer."""
    (note,) = merged(
        {"q": {"d1": Decimal("1.0000000000000000000000000002"), "d2": Decimal("1.0000000000000000000000000001")}}
    )
    assert "scores 1.0000000000000000000000000002 and 1.0000000000000000000000000001 of query q" in note.message
    assert merged([("q", "d1", Decimal("1e-400")), ("q", "d2", 0.0)])
    assert not merged({"q": {"d1": Decimal("0.5"), "d2": 0.5, "d3": Decimal("0.10")}})
    longer = np.longdouble(1) + np.finfo(np.longdouble).eps
    assert bool(merged({"q": {"d1": longer, "d2": 1.0}})) == (float(longer) == 1.0)


@pytest.mark.parametrize(("a", "b"), [(A, B), (LONG_A, LONG_B), (LONG_B, "0.123456789012345678"), ("2e-400", "1e-400")])
@pytest.mark.parametrize("small", [0, 1 << 14])
@pytest.mark.parametrize("order", [1, -1])
def test_a_large_file_tells_what_a_small_one_does(a, b, small, order):
    """The fast reader leaves such scores to the exact one, wherever they stand and in whatever order."""
    scores = [*(f"{1000 - n / 7}" for n in range(500)), a, b, *(f"{-n}.5" for n in range(500))][::order]
    with open_content(lines(*scores)) as content:
        table = trec_format.read(content, Options("run"), small=small)
    told = [fault for fault in examine(table, Options("run"), "f", "trec")[1] if fault.kind == "scores-merged"]
    assert [(fault.count, fault.lines) for fault in told] == [(2, (501, 502))]
