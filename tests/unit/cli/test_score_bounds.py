"""``denominator score`` with --ties, --unjudged bounds and --floor, as a person types it."""

import csv
import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from denominator.cli import main

ROOT = Path(__file__).parents[3]
ASKED = ("--ties", "--unjudged", "bounds", "--floor")
LINE = "RR 0.500 [ties 0.333–1.000] [unjudged 0.500–1.000] floor 0.611 ceiling 1.000"
COLUMNS = ["ties_low", "ties_expected", "ties_high", "unjudged_low", "unjudged_high", "floor"]


@pytest.fixture(autouse=True)
def tied(tmp_path, monkeypatch):
    """Three documents with one score; the second by name is relevant."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)
    Path("q").write_text("q1 0 b 1\n", encoding="utf-8")
    Path("r").write_text("".join(f"q1 Q0 {doc} 1 1.0 s\n" for doc in "bac"), encoding="utf-8")


def run(*arguments):
    return CliRunner().invoke(main, ["score", "q", "r", "-m", "RR", *arguments])


def printed(*arguments):
    """Return what is printed, all in a line."""
    result = run(*arguments)
    assert result.exit_code == 0, result.stderr
    return " ".join(result.stdout.split())


def test_the_text_has_a_line_of_bounds_with_the_parts_that_were_asked_for():
    """Whole, or only the ties, and nothing without asking; what they are over is said below."""
    assert LINE in printed(*ASKED)
    assert "RR 0.500 [ties 0.333–1.000] ceiling 1.000" in printed("--ties")
    assert "RR 0.500 [unjudged 0.500–1.000] ceiling 1.000" in printed("--unjudged", "bounds")
    assert "RR 0.500 floor 0.611 ceiling 1.000" in printed("--floor")
    assert "[" not in printed()
    assert "floor" not in printed()
    text = printed(*ASKED, "--max-unjudged-relevant", "2", "--gmax", "4")
    assert "all orders of documents with equal scores" in text
    assert "any grade from 0 to 4, and so can 2 outside it. R, AP and nDCG that take them for 0 are no lower" in text
    assert "same documents in random order" in text


def test_every_query_has_its_bounds():
    """-q: behind the value and its fraction."""
    assert "q1 0.500 [ties 0.333–1.000] [unjudged 0.500–1.000] floor 0.611" in printed("-q", *ASKED)
    assert "1.000 (1/1) [ties 0.000–1.000]" in " ".join(run("-q", "--ties", "-m", "P@2 R@2").stdout.split())


def test_several_runs_have_their_names_before_the_line():
    """And a measure that is not bounded says so."""
    Path("s").write_text("q1 Q0 b 1 1.0 s\n", encoding="utf-8")
    result = CliRunner().invoke(main, ["score", "q", "r", "s", "-m", "RR Bpref", "--ties"])
    text = " ".join(result.stdout.split())
    assert "r: RR 0.500 [ties 0.333–1.000] ceiling 1.000 s: RR 1.000 [ties 1.000–1.000] ceiling 1.000" in text
    assert "Bpref 1.000 [ties not bounded] ceiling 1.000" in text
    assert "Not bounded: Bpref; bounds are known for P, R, RR, Success, AP, nDCG, RBP." in text


@pytest.mark.parametrize("form", ["csv", "tsv", "json", "jsonl", "parquet"])
def test_machine_formats_have_fields(form):
    """One field each, in means and queries; null where a measure is not bounded; none without asking."""
    for asked in (ASKED, ()):
        result = run("-m", "Bpref", "-q", "-f", form, "-o", "out", *asked)
        assert result.exit_code == 0, result.stderr
        rows = read(form, Path("out"))
        for row in rows:
            found = {name: row[name] for name in COLUMNS if name in row}
            if not asked:
                assert found == {}
            elif row["measure"] == "Bpref":
                assert list(found.values()) == [None] * 6
            else:
                assert [round(value, 3) for value in found.values()] == [0.333, 0.611, 1.0, 0.5, 1.0, 0.611]


def read(form, path):
    """Return the rows of a written file, means and queries."""
    if form == "parquet":
        import pyarrow.parquet as pq

        return pq.read_table(path).to_pylist()
    text = path.read_text(encoding="utf-8")
    if form == "json":
        (one,) = json.loads(text)["runs"]
        return [*one["means"], *one["per_query"]]
    if form == "jsonl":
        return [row for row in map(json.loads, text.splitlines()) if row["row"] in ("mean", "query")]
    rows = csv.DictReader(io.StringIO(text), delimiter="," if form == "csv" else "\t")
    return [
        {name: float(cell) if cell and name in COLUMNS else cell or None for name, cell in row.items()} for row in rows
    ]


def test_json_says_what_the_bounds_rest_on():
    """The highest label is the highest grade in the judgments where it was not said."""
    document = json.loads(run("-f", "json", *ASKED).stdout)
    assert document["bounds"] == {
        "ties": True,
        "unjudged": True,
        "gmax": 1,
        "max_unjudged_relevant": 0,
        "floor": True,
        "corpus_size": None,
    }
    assert "bounds" not in json.loads(run("-f", "json").stdout)


def test_tables_for_pages_have_columns():
    """Markdown and LaTeX: behind the others."""
    assert "| ties | unjudged | floor | | --- |" in printed("-f", "markdown", *ASKED)
    assert "| 0.333–1.000 | 0.500–1.000 | 0.611 |" in printed("-f", "markdown", *ASKED)
    assert "& 0.333--1.000 & 0.500--1.000 & 0.611" in printed("-f", "latex", *ASKED)


def test_a_corpus_makes_the_floor_fall():
    """Three documents of 1,000 at random hardly ever hold the one that is relevant."""
    text = printed("--floor", "--corpus-size", "1000")
    assert "floor 0.002" in text
    assert "as many documents drawn at random from 1,000" in text


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--gmax", "2"], "--gmax 2: it goes with --unjudged bounds; give that too"),
        (["--max-unjudged-relevant", "2"], "--max-unjudged-relevant 2: it goes with --unjudged bounds"),
        (["--corpus-size", "9"], "--corpus-size 9: it goes with --floor; give that too"),
        (["--unjudged", "bounds", "--gmax", "-1"], "--gmax -1: expected the highest grade a document can have"),
        (["--unjudged", "bounds", "--gmax", "0.5"], "gmax=0.5: the grades in the judgments are whole numbers"),
        (["--unjudged", "bounds", "--max-unjudged-relevant", "x"], "--max-unjudged-relevant x: expected a number of"),
        (["--floor", "--corpus-size", "0"], "corpus_size=0: expected a number of documents, 1 or more"),
        (["--floor", "--corpus-size", "2"], 'corpus_size=2: query "q1" alone has 3 documents retrieved by r'),
        (["--unjudged", "bounds", "-J"], "unjudged bounds with judged_only (-J)"),
        (["--ties", "-J", "-M", "2"], "ties with both depth (-M) and judged_only (-J)"),
        (["--ties", "-f", "trec"], "trec_eval's layout has no place for bounds"),
    ],
)
def test_what_makes_no_sense_is_refused_in_words(options, message):
    """Exit status 2, and what to do."""
    result = run(*options)
    assert result.exit_code == 2
    assert message in " ".join(result.stderr.split())


def test_condensed_lists_have_tie_bounds():
    """-J takes the two unjudged documents out: b is tied with nothing that is left."""
    assert "RR 1.000 [ties 1.000–1.000] floor 1.000 ceiling 1.000" in printed("--ties", "--floor", "-J")
