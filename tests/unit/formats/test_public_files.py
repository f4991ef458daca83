"""Real files from public collections: the same rows whatever they are written in."""

import gzip

import numpy as np
import pytest

from denominator.errors import FormatError, InputError
from denominator.formats import read_qrels, read_run, write_qrels, write_run

pytestmark = pytest.mark.shared


@pytest.fixture
def formats(shared):
    return shared / "data" / "formats"


def test_beirs_table_equals_its_trec_twin(formats, as_tuples):
    """NFCorpus was published as BEIR's tsv and as TREC qrels; both have CR LF."""
    table, trec = (read_qrels(formats / f"beir-nfcorpus.test.{kind}.gz") for kind in ("tsv", "trec.qrels"))
    assert table.source.format == "beir"
    assert trec.source.format == "trec"
    assert as_tuples(table) == as_tuples(trec)
    assert len(table) == 12_334


def test_ranxs_files_hold_the_same_rows(formats, as_tuples):
    """json == trec == parquet == gz, for a run and for qrels; .lz4 is refused with a way out."""
    runs = [read_run(formats / "ranx" / f"run.{kind}") for kind in ("json", "trec", "parquet", "trec.gz")]
    assert [as_tuples(run) for run in runs] == [as_tuples(runs[0])] * 4
    judged = [read_qrels(formats / "ranx" / f"qrels.{kind}") for kind in ("json", "trec", "parquet", "trec.gz")]
    assert [as_tuples(qrels) for qrels in judged] == [as_tuples(judged[0])] * 4
    with pytest.raises(InputError, match=r"save it from ranx as \.json, \.trec or \.parquet"):
        read_run(formats / "ranx" / "run.lz4")


def test_ms_marcos_three_columns(formats):
    """The ranking is the file's order of ranks."""
    run = read_run(formats / "msmarco-3col.run.gz")
    assert (len(run), len(run.queries), run.source.format) == (11_773, 12, "msmarco")
    assert run.score.tolist() == [-rank for rank in run.rank.tolist()]
    assert run.ranking.rows is None


def test_a_run_of_four_columns(formats):
    """43 queries × 1,000, with the score in the fourth column."""
    run = read_run(formats / "dl19-4col.run.gz")
    assert (len(run), len(run.queries)) == (43_000, 43)
    assert run.score[:3].tolist() == [0.861, 0.854, 0.854]


@pytest.mark.parametrize(
    ("name", "rows", "queries"),
    [
        ("compat.qrels", 311, 2),
        ("miracl-yo-dev.qrels.tsv", 1_188, 119),
        ("dbpedia-entity-v2.qrels.gz", 49_280, 467),
        ("car17.qrels.gz", 5_820, 2_125),
        ("covid-complete.qrels.gz", 69_318, 50),
        ("microblog2011.qrels.gz", 60_129, 49),
    ],
)
def test_odd_ids_and_grades_survive_every_format(formats, tmp_path, as_tuples, name, rows, queries):
    """`#`, `<…>`, `%20`, `/`, non-ASCII letters, negative grades and grades up to 50 come back from all writers."""
    qrels = read_qrels(formats / name)
    assert (len(qrels), len(qrels.queries)) == (rows, queries)
    expected = as_tuples(qrels)
    grouped = [expected[row] for row in np.argsort(qrels.query, kind="stable").tolist()]
    for form in ("trec", "json", "jsonl", "parquet"):
        write_qrels(qrels, tmp_path / "out", format=form)
        assert as_tuples(read_qrels(tmp_path / "out")) == (grouped if form == "json" else expected)


def test_a_run_of_a_thousand_documents_survives_every_format(shared, tmp_path, as_tuples):
    """dl19/bm25: scores as they were printed."""
    run = read_run(next((shared / "data" / "runs" / "dl19").glob("bm25.*")))
    for form in ("trec", "json", "jsonl", "parquet"):
        write_run(run, tmp_path / "out", format=form)
        assert as_tuples(read_run(tmp_path / "out")) == as_tuples(run)


def test_prels_are_named_and_not_read(formats):
    """Five columns of judgments for statAP: neither qrels nor a run."""
    with gzip.open(formats / "prels.web.1-50.txt.gz") as file:
        assert len(file.readline().split()) == 5
    with pytest.raises(FormatError, match="prels"):
        read_qrels(formats / "prels.web.1-50.txt.gz")
