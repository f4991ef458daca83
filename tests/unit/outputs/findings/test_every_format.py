"""What holds for every format of findings."""

import csv
import io
import itertools
import json
import tracemalloc
import unicodedata
from xml.etree import ElementTree

import pytest

from denominator.errors import UsageError
from denominator.findings import Findings, QueryTable
from denominator.model import Severity
from denominator.outputs.findings import FORMATS, Options, render
from unit.outputs.findings.made import finding, line

every_format = pytest.mark.parametrize("form", FORMATS)


def written(findings, form, **options):
    return "".join(render(findings, form, Options(**options)))


@every_format
def test_no_format_writes_what_steers_a_terminal(form, evil):
    """Whatever an id holds, no control, direction or surrogate character is written: only line ends."""
    text = written(evil, form)
    strange = {c for c in set(text) if unicodedata.category(c) in {"Cc", "Cf", "Cs", "Zl", "Zp"}}
    assert strange <= {"\n"}
    text.encode("utf-8")


@pytest.mark.parametrize("form", [form for form in FORMATS if form not in ("json", "csv")])
def test_what_people_read_is_not_flooded_by_one_id(form, evil):
    """An id of ten megabytes is cut and its length told; only json and csv hold it whole."""
    text = written(evil, form)
    assert len(text) < 1_000_000
    assert "10,000,000 characters" in text


@every_format
def test_a_million_places_never_stand_in_memory_at_once(form, million):
    """Pieces are small and come one by one; even all of them need no memory to speak of."""
    tracemalloc.start()
    sizes = [len(piece) for piece in itertools.islice(render(million, form, Options(verbose=True)), 20_000)]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert max(sizes) < 60_000
    assert peak < 20_000_000


@pytest.mark.parametrize("form", ["text", "github", "markdown", "junit"])
def test_without_verbose_a_finding_shows_its_worst_places_only(form, million):
    """A million places are three lines and a count, and a million queries twenty."""
    assert len(written(million, form).splitlines()) < 60


@pytest.mark.parametrize("form", ["text", "github", "markdown", "junit", "sarif"])
def test_verbose_shows_every_place(form, plain):
    """With verbose the fourth and the fifth place are there too (sarif has them anyway, up to a few)."""
    assert "q5" in written(plain, form, verbose=True)
    assert ("q5" in written(plain, form)) == (form == "sarif")


def test_text_is_never_ten_thousand_lines(crowd):
    """Twenty thousand findings are a hundred and a count."""
    text = written(crowd, "text")
    assert len(text.splitlines()) < 1_000
    assert "and 19,900 more; --verbose shows them" in text
    assert len(written(crowd, "text", verbose=True).splitlines()) > 20_000


def test_text_shows_the_first_messages_and_the_first_runs():
    """Of one check and file six messages, of the runs five tables; with verbose all."""
    tables = tuple(QueryTable(f"{number}.run", 1, lambda number: line(query_id=f"q{number}")) for number in range(8))
    findings = Findings(tuple(finding(message=f"R@{k} is low") for k in range(1, 9)), tables=tables)
    text = written(findings, "text")
    assert (text.count("is low"), text.count("query by query")) == (6, 5)
    assert "… 2 more messages" in text
    assert "… and 3 more runs; --verbose shows them" in text
    text = written(findings, "text", verbose=True)
    assert (text.count("is low"), text.count("query by query")) == (8, 8)


@every_format
def test_nothing_found_is_written_too(form):
    """An audit that found nothing gives a whole document."""
    text = written(Findings((), ("D101",)), form)
    assert text.endswith("\n") or not text
    if form in ("json", "sarif"):
        json.loads(text)
    if form == "junit":
        ElementTree.fromstring(text)


def test_an_unknown_format_is_refused_with_the_known_ones():
    """The message lists what there is."""
    with pytest.raises(UsageError, match="expected text, json, sarif"):
        render(Findings(()), "html")


def test_json_has_every_number_place_and_query(plain, evil):
    """What is read back is what was found, ids to the last character; infinity is a text."""
    document = json.loads(written(plain, "json"))
    first = document["findings"][0]
    assert first["numbers"] == {"R@5": 0.5, "queries": 5}
    assert [place["line"] for place in first["places"]] == [1, 2, 3, 4, 5]
    assert first["places"][2]["values"] == {"score": 1.0}
    assert document["queries"][0]["share_of_ceiling"] == 0.8
    assert document["queries"][1]["share_of_ceiling"] is None
    assert document["checked"] == ["D101", "D103", "D104"]
    hostile = json.loads(written(evil, "json"))
    assert hostile["findings"][0]["places"][1]["doc_id"] == "=cmd|'/c calc'!A1"
    assert len(hostile["findings"][14]["places"][0]["query_id"]) == 10_000_000
    assert hostile["findings"][0]["numbers"] == {"x": "inf"}
    assert len(hostile["failed"]) == 14


def test_csv_cells_are_shown_and_not_run(evil, plain):
    """No cell begins as a formula does; a finding about a whole file has one row without a place."""
    limit = csv.field_size_limit(20_000_000)
    rows = list(csv.reader(io.StringIO(written(evil, "csv"), newline="")))
    csv.field_size_limit(limit)
    assert len({len(row) for row in rows}) == 1
    assert not [cell for row in rows for cell in row if cell[:1] in ("=", "+", "-", "@", "\t", "\r")]
    read = list(csv.DictReader(io.StringIO(written(plain, "csv"))))
    assert [row["line"] for row in read] == ["1", "2", "3", "4", "5", "7", ""]
    assert json.loads(read[0]["numbers"]) == {"R@5": 0.5, "queries": 5}
    assert float(json.loads(read[0]["values"])["score"]) == 1 / 3


def test_markdown_shows_markup_as_text(evil, plain):
    """A script, a link and a bar of an id stay what they are; every line of a table has as many bars."""
    text = written(evil, "markdown")
    assert "\\<script\\>" in text
    assert "<script>" not in text.replace("\\<", "")
    assert "\\[link\\]" in text
    bars = {line.replace("\\|", "").count("|") for line in text.splitlines() if line.startswith("| ")}
    assert bars == {7}
    table = [line for line in written(plain, "markdown").splitlines() if line.startswith("| ")]
    assert len(table) == 5
    assert "line 1 q1 d1 score=0.333<br>" in table[2]


def test_text_is_laid_out_for_eighty_columns(plain):
    """The counts stand first and last; between them code, file and count, the sentence, the places, once the fix."""
    first, blank, *lines = written(plain, "text").splitlines()
    assert (first, blank) == (lines[-1], "")
    assert lines[0] == "error D101 cutoff-caps-recall runs/a.run (5 places)"
    assert lines[1] == "  R@5 is 0.5."
    assert lines[2] == "    runs/a.run:1 q1 d1 score=0.333"
    assert lines[5] == "    … 2 more"
    assert max(map(len, lines)) <= 80
    assert [line.split()[1] for line in lines if line.startswith("  fix:")] == ["raise", "report"], "once a code"
    assert "  q1 |Rel|=8 k=5 ceiling=0.625 R@k=0.500 (80% of ceiling)" in lines
    assert "  q2 |Rel|=0 k=5 R@k undefined: nothing relevant is judged" in lines
    assert lines[-1] == "1 error, 1 warning, 1 info, by 3 checks of 2 files"


def test_a_long_file_name_has_a_line_of_its_own_and_stays_whole():
    """The head of a finding is wrapped before it; a name can be copied."""
    name = "/data/" + "x" * 90 + ".run"
    lines = written(Findings((finding(name),)), "text").splitlines()
    assert lines[2:4] == ["error D101 cutoff-caps-recall", f"    {name}"]


def test_text_fills_the_width_and_is_coloured_on_demand_only(plain):
    """A wider terminal has longer lines; escapes are written where colours are asked for."""
    assert max(map(len, written(plain, "text", width=60).splitlines())) <= 60
    assert "\x1b" not in written(plain, "text")
    assert "\n\x1b[31;1merror\x1b[0m D101" in written(plain, "text", colour=True)


def test_github_commands_cannot_be_forged(evil, plain):
    """Every line is one of our commands; per cent, line ends, and in properties colons and commas are encoded."""
    lines = written(evil, "github").splitlines()
    assert all(line.startswith("::error file=") for line in lines)
    lines = written(plain, "github").splitlines()
    assert lines[0].startswith("::error file=runs/a.run,line=1,title=D101 cutoff-caps-recall::R@5 is 0.5. At q1 d1")
    assert lines[3].startswith("::warning file=b%2Cc%3Ad.run,line=7,title=")
    assert lines[4].startswith("::notice file=a.qrels,title=")
    assert "%250A" in written(evil, "github")


@pytest.mark.parametrize(("fail_on", "failures"), [("error", 1), ("warning", 2), ("info", 3)])
def test_junit_counts_what_it_holds(plain, fail_on, failures):
    """The counts of the suite are those of its cases; what matters less than fail_on has passed and is told."""
    root = ElementTree.fromstring(
        written(plain, "junit", fail_on=Severity(fail_on), stamp="2026-01-31T12:00:00+00:00", host="here")
    )
    (suite,) = root
    assert (root.tag, suite.tag) == ("testsuites", "testsuite")
    cases = list(suite)
    assert suite.attrib == {
        "name": "denominator audit",
        "errors": "0",
        "failures": str(failures),
        "skipped": "0",
        "tests": "4",
        "time": "0.000",
        "timestamp": "2026-01-31T12:00:00+00:00",
        "hostname": "here",
    }
    assert len(cases) == 4
    assert {frozenset(case.attrib) for case in cases} == {frozenset({"classname", "name", "time"})}
    assert len(root.findall(".//failure")) == failures
    assert len(root.findall(".//system-out")) == 3 - failures
    assert root.find(".//failure").get("message") == "R@5 is 0.5"
    assert "runs/a.run:1 q1 d1" in root.find(".//failure").text


def test_junit_holds_what_xml_cannot(evil):
    """Characters that XML has no way to write are written as escapes, and unreadable runs are errors."""
    root = ElementTree.fromstring(written(evil, "junit"))
    assert len(root.findall(".//error")) == 14
    assert any("\\x1b[2J" in case.get("name") for case in root.iter("testcase"))
    assert any("\\ufffe" in case.get("name") for case in root.iter("testcase"))
