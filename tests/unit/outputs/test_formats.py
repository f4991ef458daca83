"""The formats for machines and for pages: the same rows, each safe where it will be opened."""

import csv
import io
import json

import pyarrow.parquet as pq
import pytest

from denominator import UsageError, evaluate
from denominator.outputs import FORMATS, Options, render
from denominator.outputs.csv import guarded, safe, unguarded
from denominator.outputs.records import COLUMNS, records

ALL = Options(per_query=True)


def test_an_unknown_format_is_refused(one):
    """The message lists those there are."""
    with pytest.raises(UsageError, match='unknown output format "xml": expected text, trec, json'):
        render(one, "xml")


@pytest.mark.parametrize("form", [form for form in FORMATS if form not in ("trec", "parquet")])
def test_every_format_prints_the_choice_and_the_counts_with_the_means(one, form):
    """Dialect, query set and the number of judged queries are in each of them."""
    text = render(one, form)
    assert "trec_eval-c" in text.replace("\\_", "_").replace("\\", "")
    assert "judged" in text
    assert ("0.333" in text) or ("0.3333" in text)


def test_records_hold_means_groups_and_queries(two):
    """A record for every mean, group mean, macro mean and row, all with the same columns."""
    rows = list(records(two, per_query=True))
    assert {tuple(row) for row in rows} == {tuple(COLUMNS)}
    kinds = [row["row"] for row in rows]
    assert {kind: kinds.count(kind) for kind in kinds} == {"mean": 4, "group": 12, "macro": 4, "query": 12}
    group = next(row for row in rows if row["row"] == "group")
    assert (group["group"], group["value"], group["n"], group["dialect"]) == ("A", 0.5, 1, "trec_eval-c")


def test_the_rows_are_left_out_unless_asked_for(one):
    """Without -q there are means only."""
    assert {row["row"] for row in records(one, per_query=False)} == {"mean"}
    assert "per_query" not in json.loads(render(one, "json"))["runs"][0]


def test_json_is_one_document_with_everything(one):
    """Settings, engines, sources, notes, means and rows; a missing value is null."""
    document = json.loads(render(one, "json", ALL))
    assert (document["dialect"], document["queries"], document["judged"]) == ("trec_eval-c", "judged", 3)
    assert document["settings"] == {"level": 1, "depth": None, "judged_only": False, "trec_eval": "9", "collapse": None}
    (run,) = document["runs"]
    assert (run["name"], run["read_as"], run["notes"][0]["kind"]) == ("runs/one.run", "lines", "queries-missing")
    assert [mean["measure"] for mean in run["means"]] == ["P@2", "AP", "Unjudged@2", "NumRelRet"]
    row = next(row for row in run["per_query"] if (row["query_id"], row["measure"]) == ("q1", "P@2"))
    assert (row["value"], row["numerator"], row["denominator"], row["ceiling"]) == (0.5, 1, 2, 1.0)
    assert (
        next(row for row in run["per_query"] if row["measure"] == "Unjudged@2" and not row["answered"])["value"] is None
    )


def test_jsonl_is_an_object_a_line(two):
    """Each line says what it is."""
    lines = [json.loads(line) for line in render(two, "jsonl", ALL).splitlines()]
    assert lines[0]["row"] == "settings"
    assert {line["row"] for line in lines} == {"settings", "mean", "group", "macro", "query", "note"}


@pytest.mark.parametrize(("form", "delimiter"), [("csv", ","), ("tsv", "\t")])
def test_separated_values_read_back_bit_for_bit(one, form, delimiter):
    """Every number comes back as the very double, and nothing is empty but what has no value."""
    rows = list(csv.DictReader(io.StringIO(render(one, form, ALL)), delimiter=delimiter))
    for row, record in zip(rows, records(one, per_query=True), strict=True):
        for name, kind in COLUMNS.items():
            if record[name] is None:
                assert row[name] == ""
            else:
                assert {"text": str, "real": float, "count": int, "flag": "True".__eq__}[kind](row[name]) == record[
                    name
                ]


@pytest.mark.parametrize("form", ["csv", "tsv"])
def test_a_cell_that_looks_like_a_formula_is_text(evil, form):
    """A spreadsheet shows the id and runs nothing; numbers are left alone."""
    rows = list(csv.DictReader(io.StringIO(render(evil, form, ALL)), delimiter="," if form == "csv" else "\t"))
    assert {row["query_id"] for row in rows} >= {"'=1+1", "'-5", "a|b"}
    assert all(row["run"].startswith("'=cmd") for row in rows)


def test_parquet_holds_types_and_settings(one, tmp_path):
    """Numbers are numbers, missing is null, and the settings travel in the schema."""
    (tmp_path / "scores.parquet").write_bytes(render(one, "parquet", ALL))
    table = pq.read_table(tmp_path / "scores.parquet")
    assert table.to_pylist() == list(records(one, per_query=True))
    assert json.loads(table.schema.metadata[b"denominator"])["dialect"] == "trec_eval-c"


def test_markdown_escapes_what_it_would_take_for_its_own(evil):
    """Pipes, brackets, stars and tags are shown as they are, and the table keeps its columns."""
    text = render(evil, "markdown", ALL)
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    assert "| a\\|b | 1.000 (1/1) |" in rows
    assert "\\<b\\>" in text
    assert "\x1b" not in text


def test_latex_escapes_what_it_would_take_for_its_own(evil):
    """Percent signs, braces, underscores and backslashes are printed; a comment cannot be broken out of."""
    text = render(evil, "latex", ALL)
    assert r"50\%\_\{x\}\textbackslash{} & 1.000 (1/1) \\" in text
    assert r"\textless{}b\textgreater{}" in text
    assert text.count(r"\begin{tabular}") == 2
    assert "\x1b" not in text


@pytest.mark.parametrize("form", ["json", "jsonl"])
def test_json_cannot_steer_a_terminal(evil, form):
    """Control characters are escaped."""
    assert "\x1b" not in render(evil, form, ALL)


@pytest.mark.parametrize(("form", "delimiter"), [("csv", ","), ("tsv", "\t")])
@pytest.mark.parametrize("query", ["a\rb", "a\nb", "a\r\nb", 'a"b', "a\tb", "a,b", "=1", "'=1", "''", "\r"])
def test_every_id_comes_back_from_separated_values(query, form, delimiter):
    """Line ends, delimiters, quotes and the apostrophe of the guard: one row, and the very id once it is taken away."""
    scores = evaluate({query: {"d": 1}}, {query: {"d": 1.0}}, "P@1")
    text = render(scores, form, ALL)
    rows = list(csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter))
    assert [unguarded(row["query_id"]) for row in rows] == ["", query]


def test_no_two_ids_share_a_cell():
    """=1 and '=1 are two queries, and what was guarded is listed."""
    ids = ["=1", "'=1", "''=1", "q"]
    scores = evaluate({query: {"d": 1} for query in ids}, {query: {"d": 1.0} for query in ids}, "P@1")
    assert len({safe(query) for query in ids}) == len(ids)
    assert sorted(guarded(scores, ALL)) == ["''=1", "'=1", "=1"]
    assert list(guarded(scores, Options())) == []
