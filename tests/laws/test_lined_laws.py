"""Blocks of clean lines and single odd lines are read to the same columns."""

import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from denominator.formats import lined
from denominator.formats.lined import Lines
from denominator.formats.sources import open_content
from denominator.formats.table import Options

FIELDS = st.sampled_from(["q1", "q2", "d#1", "é", "1", "2", "-3", "0.5", "1e5", "inf", "1_0", "\u2028", "\u00a0", "x"])
ODD_FIELDS = st.one_of(FIELDS, st.sampled_from(["", " ", "a b", "a\tb", "\0"]))
GAPS = st.sampled_from(["\t", " ", "  ", "\t "])
ENDS = st.sampled_from(["\n", "\r\n", " \n", "\n\n", "\r", ""])


@st.composite
def texts(draw):
    """Clean texts, and clean ones with some odd line, end or field among theirs."""
    gap, end = draw(st.sampled_from(["\t", "\t", " "])), draw(st.sampled_from(["\n", "\r\n"]))
    fields = st.lists(FIELDS, min_size=3, max_size=3)
    lines = [gap.join(draw(fields)) + end for _ in range(draw(st.integers(1, 5)))]
    for _ in range(draw(st.sampled_from([0, 0, 1, 2]))):
        odd = draw(GAPS).join(draw(st.lists(ODD_FIELDS, min_size=1, max_size=4))) + draw(ENDS)
        lines.insert(draw(st.integers(0, len(lines))), odd)
    text = "".join(lines)
    return text.removesuffix("\n") if draw(st.booleans()) else text


LAYOUTS = {
    "tabs": (Lines("\t", 3, "3 are expected", {"query": 0, "doc": 1, "value": 2}), Options("qrels")),
    "grades": (
        Lines("\t", 3, "3 are expected", {"query": 0, "doc": 1, "value": 2}),
        Options("qrels", float_grades=True),
    ),
    "scores": (Lines(" \t", 3, "3 are expected", {"doc": 0, "query": 1, "value": 2}), Options("run")),
    "ranks": (Lines(" \t", 3, "3 are expected", {"query": 0, "doc": 1, "rank": 2}), Options("run")),
}


def read(text, layout):
    """Return the table of a text."""
    lines, options = LAYOUTS[layout]
    with open_content(io.BytesIO(text.encode())) as content:
        return lined.read_lines(content, options, lines, "lines")


def shown(table):
    """A table as plain values."""
    return (
        [table.queries[code] for code in table.query.tolist()],
        table.doc_id.to_pylist(),
        [str(value) for value in table.value.tolist()],
        table.value.dtype,
        [str(fault) for fault in table.faults],
        table.lost,
        table.unusable.tolist(),
        None if table.line is None else table.line.tolist(),
        table.rank if isinstance(table.rank, tuple | None) else table.rank.tolist(),
    )


@pytest.mark.parametrize("layout", LAYOUTS)
@settings(max_examples=300, deadline=None)
@given(text=texts())
def test_the_fast_way_and_the_exact_way_are_one(layout, text):
    """Same rows, same faults, same lines, whatever stands in the file."""
    if not text:
        return
    fast = read(text, layout)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lined, "_clean_part", lambda *_: None)
        exact = read(text, layout)
    assert shown(fast) == shown(exact)


def test_a_clean_text_goes_the_fast_way(monkeypatch):
    """The law above compares two ways, not one with itself."""
    monkeypatch.setattr(lined, "_exact_part", None)
    for gap, end in (("\t", "\n"), (" ", "\r\n")):
        assert len(read(gap.join(["q", "é", "1"]) + end, "ranks").query) == 1
