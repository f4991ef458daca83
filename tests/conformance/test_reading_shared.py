"""Public runs and qrels: how many rows they have, and which are refused and why."""

import json
from pathlib import Path

import pytest

from denominator.errors import FormatError
from denominator.formats import read_qrels, read_run

pytestmark = pytest.mark.shared

RUNS = {
    "runs/cacm/bm25.run.gz": (1_920, {}),
    "runs/cast21/org_manual_bm25.run.gz": (18_570, {}),
    "runs/clef-tar-2017/ECNU-run2.run.gz": (30_000, {"crlf": 30_000}),
    "runs/clef-tar-2017/Padua-m10p10.run.gz": (14_349, {}),
    "runs/codec/document_bm25-tuned+t5-maxp.run.gz": (42_000, {}),
    "runs/dl19/bm25-rerank.run.gz": (4_300, {}),
    "runs/dl19/bm25.run.gz": (4_300, {}),
    "runs/dl19/splade.run.gz": (4_300, {}),
    "runs/robust03/NLPR03vb10.run.gz": (1_004, {}),
    "runs/robust03/UIUC03Rd1.run.gz": (100_000, {}),
    "runs/robust03/aplrob03a.run.gz": (100_000, {}),
    "runs/robust03/rutcor03100.run.gz": (100_000, {}),
    "runs/sigtrec/baseline.run.gz": (30_412, {}),
    "runs/sigtrec/result_to_compare2.run.gz": (39_890, {}),
    "runs/web12/ql-cata-filtered.run.gz": (8_060, {}),
}
"""Run → rows and notes."""

REFUSED = {
    "runs/codec/document_bm25+rm3-tuned.run.gz": (42_000, 3),
    "runs/clef-tar-2017/sis.TMAL30Q_BM25.run.gz": (117_862, 311),
    "runs/clef-tar-2018/ECNU_RUN3.run.gz": (30_000, 3_230),
}
"""Run → rows, and rows that name a document again."""


def test_every_public_run_is_in_one_of_the_tables(shared: Path) -> None:
    """The 18 runs of the manifest are all tested here."""
    manifest = json.loads((shared / "data/runs/manifest.json").read_text())
    assert sorted(entry["run"] for entry in manifest) == sorted([*RUNS, *REFUSED])


@pytest.mark.parametrize("name", RUNS)
def test_a_public_run_is_read_whole(shared: Path, name: str) -> None:
    """As many rows as the file has lines, and the notes it deserves."""
    rows, notes = RUNS[name]
    run = read_run(shared / "data" / name)
    assert len(run) == rows
    assert run.source.read_as == f"TREC run, 6 columns, {rows:,} rows"
    assert {note.kind: note.count for note in run.source.notes} == notes


@pytest.mark.parametrize("name", REFUSED)
def test_a_public_run_with_duplicates_is_refused_for_them_alone(shared: Path, name: str) -> None:
    """trec_eval stops at each of these at the first document; here every repeat is counted, and best reads the rest."""
    path = shared / "data" / name
    with pytest.raises(FormatError) as error:
        read_run(path)
    assert {fault.kind for fault in error.value.faults} == {"duplicate"}
    again = sum(fault.count for fault in error.value.faults)
    rows = REFUSED[name][0]
    assert again == REFUSED[name][1]
    assert len(read_run(path, lenient="duplicates=best")) == rows - again


QRELS = {
    "runs/cacm.qrels.gz": 796,
    "runs/clef-tar-2018.qrels.gz": 759,
    "runs/robust03.qrels.gz": 128_796,
    "formats/backgroundlinking18.qrels.gz": 8_508,
    "formats/beir-nfcorpus.test.trec.qrels.gz": 12_334,
    "formats/car17.qrels.gz": 5_820,
    "formats/compat.qrels": 311,
    "formats/covid-complete.qrels.gz": 69_318,
    "formats/dbpedia-entity-v2.qrels.gz": 49_280,
    "formats/microblog2011.qrels.gz": 60_129,
    "formats/miracl-yo-dev.qrels.tsv": 1_188,
    "formats/msmarco-passage.dev-subset.qrels.gz": 7_437,
    "formats/web.201-250.qrels.gz": 14_474,
    "formats/ranx/qrels.trec": 5,
    "formats/ranx/qrels.trec.gz": 5,
    "trec_eval-10.0/qrels.test.with-comments": 3_681,
}


@pytest.mark.parametrize("name", QRELS)
def test_public_qrels_are_read_whole(shared: Path, name: str) -> None:
    """Negative grades, grades to 50, second columns with rounds, ids with < > % / and # are all plain."""
    qrels = read_qrels(shared / "data" / name)
    assert len(qrels) == QRELS[name]
    assert qrels.source.read_as == f"TREC qrels, 4 columns, {QRELS[name]:,} rows"


def test_odd_grades_and_ids_are_what_the_files_say(shared: Path) -> None:
    """-2 in microblog, -1 in covid, 50 and more in compat; a # in MIRACL's query ids; < in dbpedia's documents."""
    folder = shared / "data/formats"
    assert read_qrels(folder / "microblog2011.qrels.gz").relevance.min() == -2
    assert read_qrels(folder / "covid-complete.qrels.gz").relevance.min() == -1
    assert read_qrels(folder / "compat.qrels").relevance.max() >= 50
    assert read_qrels(folder / "miracl-yo-dev.qrels.tsv").queries[0] == "10020#0"
    assert read_qrels(folder / "dbpedia-entity-v2.qrels.gz").doc_of(0) == "<dbpedia:Afghan_cuisine>"


@pytest.mark.parametrize("name", ["formats/web.201-250.ndeval.qrels.gz", "trec_eval-10.0/qrels.123"])
def test_qrels_with_subtopics_or_judges_are_named(shared: Path, name: str) -> None:
    """Several judgments of a pair, told apart by the second column, are no plain qrels."""
    with pytest.raises(FormatError, match="diversity judgments") as error:
        read_qrels(shared / "data" / name)
    assert "subtopics" in {fault.kind for fault in error.value.faults}


@pytest.mark.parametrize(
    ("name", "judged"),
    [("ha-dev", 165), ("ha-test-a", 1_447), ("so-test-a", 1_798), ("sw-test-b", 2_175), ("yo-test-a-pools", 8_311)],
)
def test_ciral_qrels_are_read_whole(shared: Path, name: str, judged: int) -> None:
    """Tabs, a # in every document id, trailing tabs on some lines, no final newline."""
    qrels = read_qrels(shared / f"data/ciral/qrels/qrels.ciral-v1.0-{name}.tsv")
    assert len(qrels) == judged
    assert all("#" in doc for doc in qrels.doc_id.to_pylist())


def test_trec_evals_truncated_results_need_a_leniency(shared: Path) -> None:
    """Its own test file has words behind the tag, which trec_eval ignores; here that is asked for, and counted."""
    path = shared / "data/trec_eval-9.0.8/results.trunc"
    with pytest.raises(FormatError, match="9 fields, a TREC run has 6"):
        read_run(path)
    run = read_run(path, lenient="fields=extra")
    assert len(run) == sum(1 for line in path.read_text().splitlines() if line.strip())
