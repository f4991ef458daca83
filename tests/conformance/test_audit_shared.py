"""Public runs and qrels, audited: nothing crashes, every oddity is found by the check meant for it, clean files pass.

``pytest -s -k table`` prints the table oddity → code that these tests hold to.
"""

from functools import cache
from pathlib import Path

import pytest

import denominator as dn
from denominator.findings import Findings

pytestmark = pytest.mark.shared

CIRAL = "ciral/qrels/qrels.ciral-v1.0-"

RUNS = {
    **{
        f"runs/{name}.run.gz": f"runs/{name.split('/')[0]}.qrels.gz"
        for name in (
            "cacm/bm25",
            "cast21/org_manual_bm25",
            "clef-tar-2017/ECNU-run2",
            "clef-tar-2017/Padua-m10p10",
            "clef-tar-2017/sis.TMAL30Q_BM25",
            "clef-tar-2018/ECNU_RUN3",
            "codec/document_bm25+rm3-tuned",
            "codec/document_bm25-tuned+t5-maxp",
            "dl19/bm25",
            "dl19/bm25-rerank",
            "dl19/splade",
            "robust03/NLPR03vb10",
            "robust03/UIUC03Rd1",
            "robust03/aplrob03a",
            "robust03/rutcor03100",
            "sigtrec/baseline",
            "sigtrec/result_to_compare2",
            "web12/ql-cata-filtered",
        )
    },
    "formats/compat.run.gz": "formats/compat.qrels",
    "formats/dl19-4col.run.gz": "runs/dl19.qrels.gz",
    "formats/msmarco-3col.run.gz": "formats/msmarco-passage.dev-subset.qrels.gz",
    **{f"formats/ranx/run.{ending}": "formats/ranx/qrels.json" for ending in ("json", "trec", "trec.gz")},
    "formats/ranx/run.parquet": "formats/ranx/qrels.parquet",
}
"""Run → its judgments."""

ODDITIES = [
    ("duplicate documents", "runs/codec/document_bm25+rm3-tuned.run.gz", "R101", 3),
    ("duplicate documents", "runs/clef-tar-2017/sis.TMAL30Q_BM25.run.gz", "R101", 311),
    ("duplicate documents", "runs/clef-tar-2018/ECNU_RUN3.run.gz", "R101", 3_230),
    ("one query id for 30,000 lines", "runs/clef-tar-2018/ECNU_RUN3.run.gz", "R115", None),
    ("CRLF on every line", "runs/clef-tar-2017/ECNU-run2.run.gz", "F102", None),
    ("CRLF on every line", "runs/clef-tar-2018/ECNU_RUN3.run.gz", "F102", None),
    ("ranks from 0", "runs/robust03/aplrob03a.run.gz", "R103", None),
    ("ranks from 0", "runs/web12/ql-cata-filtered.run.gz", "R103", None),
    ("ranks with gaps", "runs/web12/ql-cata-filtered.run.gz", "R104", None),
    ("ranks with gaps", "runs/clef-tar-2017/Padua-m10p10.run.gz", "R104", None),
    ("rank order against score order", "runs/clef-tar-2017/Padua-m10p10.run.gz", "R102", None),
    ("99% tied lines", "runs/robust03/rutcor03100.run.gz", "T101", None),
    ("all scores equal", "runs/sigtrec/result_to_compare2.run.gz", "R111", None),
    ("ragged depth 10-12", "runs/robust03/NLPR03vb10.run.gz", "R112", None),
    ("more queries than judgments", "runs/cast21/org_manual_bm25.run.gz", "D111", None),
    ("negative scores", "runs/robust03/UIUC03Rd1.run.gz", "R116", None),
    ("negative scores", "runs/codec/document_bm25-tuned+t5-maxp.run.gz", "R116", None),
    ("no scores, 3 columns", "formats/msmarco-3col.run.gz", "F121", None),
    ("CRLF", "formats/beir-nfcorpus.test.tsv.gz", "F102", None),
    ("negative grades (-1)", "formats/covid-complete.qrels.gz", "Q107", None),
    ("negative grades (-2)", "formats/microblog2011.qrels.gz", "Q107", None),
    ("grades to 50", "formats/compat.qrels", "Q116", None),
    ("conflicting repeated pairs", "formats/web.201-250.ndeval.qrels.gz", "Q103", None),
    ("queries not in one block", "formats/backgroundlinking18.qrels.gz", "F113", None),
    ("a query with nothing relevant", "formats/backgroundlinking18.qrels.gz", "Q105", None),
    ("no final newline", f"{CIRAL}ha-dev.tsv", "F110", None),
    ("line 406 ends in two tabs", f"{CIRAL}ha-test-a.tsv", "F104", 1),
    ("five lines end in tabs", f"{CIRAL}so-test-a.tsv", "F104", 5),
    ("113 of 114: qid 23 has nothing relevant", f"{CIRAL}sw-test-b.tsv", "D112", 1),
    ("superseded revision under the same label", "ciral/qrels-2023-11", "I109", None),
]
"""What is odd, the file, the check that is meant for it, and how many places it has where that is known."""

PLAIN = ["formats/dbpedia-entity-v2.qrels.gz", "formats/car17.qrels.gz", "formats/miracl-yo-dev.qrels.tsv"]
"""Ids with blanks written %20, slashes, # and letters of other alphabets: odd to look at, and nothing is wrong."""


@cache
def audited(shared: Path, name: str) -> Findings:
    """Return what an audit finds in a file: a run with its judgments, or judgments alone."""
    path = shared / "data" / name
    if path.is_dir():
        path = min(path.glob("*-so-*"))
    judgments = RUNS.get(name)
    return dn.audit(path) if judgments is None else dn.audit(shared / "data" / judgments, path)


@pytest.mark.parametrize("name", RUNS)
def test_every_public_run_is_audited(shared: Path, name: str) -> None:
    """No run makes an audit fail, and every finding has its numbers and a place that can be written down."""
    found = audited(shared, name)
    assert found.failures == ()
    for one in found:
        assert one.message
        assert len(one.places.first(3)) <= 3


def test_the_tables_hold_every_public_run_and_format(shared: Path) -> None:
    """A file that is added to the folders is missed here."""
    there = {str(path.relative_to(shared / "data")) for path in (shared / "data" / "runs").glob("*/*.run.gz")}
    there |= {str(path.relative_to(shared / "data")) for path in (shared / "data" / "formats").rglob("*run*")}
    assert there - {"formats/ranx/run.lz4"} == {name for name in RUNS if name.startswith(("runs/", "formats/"))}


def test_what_ranx_packs_twice_is_refused_in_words(shared: Path) -> None:
    """The audit says what the reader says: how to save the run so that it can be read."""
    with pytest.raises(dn.InputError, match=r"save it from ranx as \.json, \.trec or \.parquet"):
        dn.audit(shared / "data/formats/ranx/qrels.json", shared / "data/formats/ranx/run.lz4")


def test_every_file_of_judgments_is_audited(shared: Path) -> None:
    """All judgments of the formats' folder are audited, but prels, which are refused by name."""
    files = [path for path in sorted((shared / "data" / "formats").rglob("*")) if path.is_file()]
    for path in files:
        if "run" in path.name:
            continue
        if "prels" in path.name:
            with pytest.raises(dn.FormatError, match="these are prels"):
                dn.audit(path)
        else:
            assert dn.audit(path).checked


@pytest.mark.parametrize(("what", "name", "code", "count"), ODDITIES, ids=[f"{one[2]}-{one[0]}" for one in ODDITIES])
def test_every_oddity_is_found_by_its_check(shared: Path, what: str, name: str, code: str, count: int | None) -> None:
    """The check that is meant for an oddity reports it, with as many places as the data's description says."""
    found = audited(shared, name).of(code)
    assert found, what
    assert count is None or sum(one.count for one in found) == count


@pytest.mark.parametrize("name", PLAIN)
def test_ids_that_only_look_odd_are_no_error(shared: Path, name: str) -> None:
    """Blanks as %20, #, angle brackets and other alphabets in ids make no number wrong."""
    assert {one.code for one in audited(shared, name).at_least(dn.Severity.ERROR)} == set()


@pytest.mark.parametrize("name", ["runs/cacm/bm25.run.gz", "runs/dl19/bm25.run.gz"])
def test_clean_runs_have_no_error(shared: Path, name: str) -> None:
    """What nothing is wrong with gives no finding of severity ERROR."""
    audited(shared, name).raise_for_errors()


def test_ciral_dev_runs_have_no_error(shared: Path) -> None:
    """All 25 dev runs, each with the judgments of its language, have no finding of severity ERROR."""
    runs = sorted((shared / "data" / "ciral" / "runs").iterdir())
    assert len(runs) == 25
    for path in runs:
        (language,) = {one for one in ("ha", "so", "sw", "yo") if one in path.name.replace(".", "-").split("-")}
        dn.audit(shared / "data" / f"{CIRAL}{language}-dev.tsv", path).raise_for_errors()


def test_judgments_of_another_split_are_an_error(shared: Path) -> None:
    """The dev run of Hausa against test-a: 7 query ids match and no document does, an error and no low score."""
    run = shared / "data/ciral/runs/ha-dev.retrieval.trec"
    (found,) = dn.audit(shared / "data" / f"{CIRAL}ha-test-a.tsv", run).at_least(dn.Severity.ERROR)
    assert found.code == "I111"
    assert "7 of 7 answered queries have not one judged document in the run" in found.message


def test_table_of_oddities(shared: Path) -> None:
    """Every oddity has its row: the file, and what its check says."""
    lines = ["| oddity | file | code | message |", "| --- | --- | --- | --- |"]
    for what, name, code, _ in ODDITIES:
        found = audited(shared, name).of(code)
        said = next((one for one in found if one.source.endswith(name)), found[0]).message
        lines.append(f"| {what} | {name} | {code} | {said.replace(str(shared / 'data') + '/', '')} |")
    print("\n" + "\n".join(lines))
    assert len(lines) == len(ODDITIES) + 2
