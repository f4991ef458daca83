"""Reported cases that concern the types of ids, in every format but TREC's; inputs written for these tests."""

import io
import json

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import denominator as dn

QRELS = [("7", "d1", 1), ("8", "d2", 1), ("9", "0012", 1)]
RUN = [("007", "d1", 3.0), ("8", "d2", 3.0), ("9", "12", 3.0)]


def columns(rows, value):
    return dict(zip(("query_id", "doc_id", value), map(list, zip(*rows, strict=True)), strict=True))


def nested(rows):
    return {query: {doc: value} for query, doc, value in rows}


def parquet(rows, value):
    buffer = io.BytesIO()
    pq.write_table(pa.table(columns(rows, value)), buffer)
    return io.BytesIO(buffer.getvalue())


def lines(rows, value):
    names = ("qid", "docno", value)
    return io.BytesIO("".join(json.dumps(dict(zip(names, row, strict=True))) + "\n" for row in rows).encode())


def table(rows, value):
    everything = [("qid", "docno", value), *rows]
    return io.BytesIO("".join(f"{query}\t{doc}\t{cell}\n" for query, doc, cell in everything).encode())


FORMS = {
    "dict": lambda rows, value: nested(rows),
    "tuples": lambda rows, value: rows,
    "json": lambda rows, value: io.BytesIO(json.dumps(nested(rows)).encode()),
    "jsonl": lines,
    "tsv": table,
    "parquet": parquet,
    "pandas": lambda rows, value: pd.DataFrame(columns(rows, value)),
    "polars": lambda rows, value: pl.DataFrame(columns(rows, value)),
    "pyarrow": lambda rows, value: pa.table(columns(rows, value)),
}


@pytest.mark.parametrize("form", FORMS)
def test_c063_zeros_in_front_of_ids_survive_every_format(form):
    """007 is not 7 and 12 is not 0012: one of three judged queries is answered rightly, whatever holds the rows."""
    qrels, run = FORMS[form](QRELS, "relevance"), FORMS[form](RUN, "score")
    scores = dn.evaluate(dn.read_qrels(qrels), dn.read_run(run), ["AP", "RR"])
    assert [mean.value for mean in scores.means()] == [pytest.approx(1 / 3)] * 2


def test_c063_a_golden_set_in_yaml_keeps_its_zeros():
    """YAML's own rules would read 0012 as ten and 007 as seven."""
    golden = b"- query: 7\n  grades: {d1: 1}\n- query: 8\n  grades: {d2: 1}\n- query: 9\n  grades: {0012: 1}\n"
    scores = dn.evaluate(dn.read_qrels(io.BytesIO(golden)), dn.read_run(RUN), ["AP"])
    assert scores.means()[0].value == pytest.approx(1 / 3)


def test_c063_ids_that_pandas_read_as_numbers_are_told_of():
    """A frame that lost the zeros before it came here: the ids are taken as they are, and a note says so."""
    frame = pd.read_csv(io.StringIO("query_id,doc_id,score\n007,0012,3.0\n"))
    run = dn.read_run(frame)
    assert (run.queries, run.doc_of(0)) == (("7",), "12")
    assert all("zeros in front, if there were any, were lost before" in note.message for note in run.source.notes)
    assert len(run.source.notes) == 2
