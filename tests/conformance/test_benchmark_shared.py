"""Runs beside the published baselines of CIRAL: recorded values come out again, and files say what they are."""

import csv
import json
from collections import defaultdict
from pathlib import Path

import pytest
from click.testing import CliRunner

import denominator as dn
from denominator.benchmark import benchmark_ciral
from denominator.benchmark.published import published
from denominator.ciral import COUNTS, LANGUAGES, SPLITS
from denominator.cli import main

pytestmark = pytest.mark.shared

NAMES = {"NDCG": "nDCG", "MAP": "AP", "MRR": "RR", "Recall": "R"}
"""The word of the record → the measure's name."""


@pytest.fixture
def ciral(shared: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder with the collection's files, which the environment names."""
    monkeypatch.setenv("DENOMINATOR_CIRAL", str(shared / "data" / "ciral"))
    return shared / "data" / "ciral"


def values(*arguments: str) -> list[dict[str, dict]]:
    """Run ``denominator ciral`` and return, for each run, the means by measure."""
    done = CliRunner().invoke(main, ["ciral", *arguments, "-f", "json"])
    assert done.exit_code == 0, done.stderr
    runs = [run for part in json.loads(done.stdout)["datasets"] for run in part["runs"]]
    return [{mean["measure"]: mean for mean in run["means"]} for run in runs]


def perfect(language: str, split: str, ciral: Path) -> dict[str, dict[str, float]]:
    """Return a run that has every relevant document first, made from the judgments."""
    qrels = dn.read_qrels(ciral / "qrels" / f"qrels.ciral-v1.0-{language}-{split}.tsv")
    run: dict[str, dict[str, float]] = defaultdict(dict)
    for row in range(len(qrels)):
        run[qrels.query_of(row)][qrels.doc_of(row)] = float(qrels.relevance[row])
    return run


def test_every_recorded_value_is_reproduced(ciral: Path) -> None:
    """``denominator ciral`` gives the 273 values of 21 dev runs, to the five decimals of the record."""
    recorded: dict[str, dict[str, float]] = defaultdict(dict)
    with open(ciral / "runs-expected.csv", encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            word, cutoff = row["metric"].split("@")
            recorded[row["run_file"]][f"{NAMES[word]}@{cutoff}"] = float(row["recorded_value"])
    assert len(recorded) == 21
    assert sum(map(len, recorded.values())) == 273
    for name, expected in recorded.items():
        path = str(ciral / "runs" / name)
        (found,) = values(path, "--lang", name[:2], "--split", "dev", "-m", " ".join(expected))
        for measure, value in expected.items():
            assert abs(found[measure]["value"] - value) < 5.1e-6, (name, measure)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_published_values_of_document_translation_are_reproduced(ciral: Path, language: str) -> None:
    """BM25 on translated documents, dev: nDCG@20, R@100 and RR@10 differ from the published values by nothing."""
    (found,) = values(str(ciral / "runs" / f"{language}-dev.retrieval.trec"), "--lang", language, "--split", "dev")
    for measure in ("nDCG@20", "R@100", "RR@10"):
        (row,) = [one for one in found[measure]["published"] if (one["system"], one["secondary"]) == ("bm25-dt", False)]
        assert row["difference"] == 0
        assert round(found[measure]["value"], 4) == row["value"]
        assert found[measure]["official"]
        assert found[measure]["rank"]["tied"] >= 1


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_perfect_run_reaches_the_ceiling(ciral: Path, language: str, split: str) -> None:
    """Made from the judgments, it scores the stated ceiling by every measure: 1.0, unless the judgments forbid it."""
    (part,) = dn.benchmark(f"ciral/{language}/{split}", perfect(language, split, ciral)).parts
    assert part.known is not None
    for one in part.standings:
        assert one.mean.value == pytest.approx(one.mean.ceiling, abs=1e-12), one.mean.measure
        assert one.rank is None or (one.rank.place, one.rank.tied) == (1, 0)
        if one.official:
            assert one.mean.value == (pytest.approx(113 / 114) if (language, split) == ("sw", "test-b") else 1.0)
    queries, _, relevant = COUNTS[language, split]
    assert len(part.scores.queries) == queries
    words = " ".join(note.message for note in part.notes)
    assert f"|Rel| {relevant / queries:.1f}" in words


def test_the_query_without_relevant_documents_is_said(ciral: Path) -> None:
    """Swahili test-b: no mean can have more than 113/114, and the text says so and why."""
    found = dn.benchmark("ciral/sw/test-b", perfect("sw", "test-b", ciral))
    (note,) = [note for note in found.parts[0].notes if note.kind == "ceiling"]
    assert note.message.startswith("nDCG@20, R@100")
    assert "113/114 = 0.9912" in note.message
    assert "(23)" in note.message


@pytest.mark.parametrize(("language", "changed"), [("so", 205), ("sw", 47), ("yo", 93)])
def test_the_revision_of_november_2023_is_named(ciral: Path, language: str, changed: int, tmp_path: Path) -> None:
    """Given as a file it is recognised by its bytes; put in the place of the present one it is refused by its name."""
    (old,) = (ciral / "qrels-2023-11").glob(f"*-{language}-test.*")
    (part,) = dn.benchmark(old, perfect(language, "test-a-pools", ciral)).parts
    assert part.dataset == f"ciral/{language}/test-a-pools"
    assert part.known is not None
    assert part.known.superseded
    note = part.notes[0]
    assert note.kind == "superseded"
    assert "revision of November 2023, superseded" in note.message
    assert f"{changed} pairs" in note.message
    place = tmp_path / "qrels" / f"qrels.ciral-v1.0-{language}-test-a-pools.tsv"
    place.parent.mkdir()
    place.write_bytes(old.read_bytes())
    with pytest.raises(dn.InputError, match="revision of November 2023, superseded"):
        dn.benchmark(f"ciral/{language}/test-a-pools", perfect(language, "test-a", ciral), ciral_dir=tmp_path)


@pytest.mark.parametrize(
    ("files", "names"),
    [
        (("sw-test-a", "sw-test-a-pools"), ("Swahili test-a ", "Swahili test-a-pools")),
        (("ha-test-b", "so-test-b"), ("Hausa test-b", "Somali test-b")),
        (("ha-dev", "yo-dev"), ("Hausa dev", "Yoruba dev")),
        (("ha-test-a", "so-test-a", "sw-test-a", "yo-test-a"), ("Hausa test-a", "Yoruba test-a")),
    ],
)
@pytest.mark.parametrize("between", [b"", b"\n"])
def test_merged_judgments_are_refused(ciral: Path, tmp_path: Path, files, names, between: bytes) -> None:
    """Two sets of judgments in one file are refused by everything that scores, with their names; the audit finds them.

    Put together byte for byte, or with a line end between them; leniency does not help.
    """
    together = tmp_path / "merged.tsv"
    parts = [(ciral / "qrels" / f"qrels.ciral-v1.0-{file}.tsv").read_bytes() for file in files]
    together.write_bytes(between.join(parts))
    run = str(ciral / "runs" / "sw-dev.retrieval.trec")
    for verb in (["score"], ["score", "--lenient", "conflicts=max,fields=skip"], ["benchmark"]):
        done = CliRunner().invoke(main, [*verb, str(together), run])
        assert done.exit_code == 2
        assert "judgments that must never be merged stand in it" in done.stderr
        for name in names:
            assert name in done.stderr
    with pytest.raises(dn.InputError, match="never be merged"):
        dn.evaluate(together, run, "AP")


def test_the_audit_finds_merged_judgments(ciral: Path, tmp_path: Path) -> None:
    """As an error, where a present file is information."""
    together = tmp_path / "merged.tsv"
    parts = [(ciral / "qrels" / f"qrels.ciral-v1.0-sw-{split}.tsv").read_bytes() for split in ("test-a", "test-b")]
    together.write_bytes(b"".join(parts))
    (found,) = dn.audit(together, select="I109")
    assert found.severity is dn.Severity.ERROR
    assert "Swahili test-a " in found.message
    assert "Swahili test-b" in found.message


def test_languages_are_scored_each_by_its_own_judgments(ciral: Path) -> None:
    """The macro mean is that of the four means, with n = 4; and the page's own averages are used where they exist."""
    runs = {language: ciral / "runs" / f"{language}-dev.retrieval.trec" for language in LANGUAGES}
    found = benchmark_ciral(runs, "dev", ciral_dir=ciral)
    alone = [dn.benchmark(f"ciral/{language}/dev", run).parts[0] for language, run in runs.items()]
    for number, one in enumerate(found.macro):
        means = [part.standings[number].mean for part in alone]
        assert {mean.measure for mean in means} == {one.mean.measure}
        assert one.mean.value == pytest.approx(sum(mean.value or 0.0 for mean in means) / 4, abs=1e-15)
        assert (one.mean.n, one.mean.judged) == (4, 40)
    test_b = {language: perfect(language, "test-b", ciral) for language in LANGUAGES}
    (first, *_) = benchmark_ciral(test_b, "test-b", ciral_dir=ciral).macro
    own = {row.system: row.value for row in published("ciral/test-b") if row.measure == "nDCG@20"}
    assert own.items() <= {one.row.system: one.row.value for one in first.beside}.items()
    assert first.mean.value == pytest.approx((3 + 113 / 114) / 4)
    assert first.rank is not None
    assert (first.rank.place, first.rank.of) == (1, 6)


def test_two_data_sets_are_refused_with_the_reason(ciral: Path) -> None:
    """On the command line and in Python, whichever way somebody tries to name two."""
    run = str(ciral / "runs" / "sw-dev.retrieval.trec")
    for arguments, reason in (
        (["ciral/sw/test-a", "ciral/sw/test-a-pools", run], "47 pairs are graded otherwise"),
        (["ciral/sw/test-a,ciral/sw/test-a-pools", run], "47 pairs are graded otherwise"),
        (["ciral/ha/dev", "ciral/sw/dev", run], "Hausa, Swahili are never merged: the query ids of one language"),
        (["ciral/ha/dev+ciral/ha/test-a", run], "Query ids of one split can be those of other queries"),
        (["ciral/ha/dev,cranfield/x", run], "the same query id may mean another query"),
    ):
        done = CliRunner().invoke(main, ["benchmark", *arguments])
        assert done.exit_code == 2
        assert reason in done.stderr
    with pytest.raises(dn.UsageError, match="114 pairs are graded otherwise"):
        dn.benchmark(["ciral/yo/test-a", "ciral/yo/test-a-pools"], run)
    done = CliRunner().invoke(main, ["ciral", "--all", run, "--split", "dev"])
    assert done.exit_code == 2
    assert "One file is never scored in several languages: the query ids of one language" in done.stderr
