"""How qrels, runs and what is made of them show themselves."""

import re

import denominator as dn
from denominator.findings import Finding, Findings, Group, Places
from denominator.formats import read_qrels, read_run
from denominator.hits import match
from denominator.model import Severity


def test_rows_show_their_name_and_size_and_no_array(tmp_path):
    """`print(run)` is a line, whatever the run holds; a name cannot steer the terminal."""
    run, qrels = read_run({"q1": {"d1": 2.0, "d2": 1.0}, "q2": {"d1": 1.0}}), read_qrels({"q1": {"d1": 1}})
    assert repr(run) == str(run) == "<Run dict: 2 queries, 3 rows>"
    assert repr(qrels) == "<Qrels dict: 1 query, 1 row>"
    assert repr(run.ranking) == "<Ranking: 2 queries, 3 rows>"
    assert repr(match(qrels, run)) == "<Hits: 1 query, 1 hit>"
    path = tmp_path / "\x1b[2Jrun"
    path.write_text("".join(f"q{n} Q0 d{n} 1 1.5 t\n" for n in range(2000)))
    assert repr(read_run(path)).endswith("\\x1b[2Jrun: 2,000 queries, 2,000 rows>")


def test_findings_show_as_a_line_each():
    """How many there are and one short line for each, never the columns and functions behind them."""
    qrels = {f"q{n}": {"d": 1} for n in range(9)}
    found = dn.audit(qrels, {"\x1b[2Jbm25": {"q1": {"d": 1.0, "e": 1.0}}, "gone": "no/such.run"})
    first, *lines = repr(found).splitlines()
    assert str(found) == repr(found)
    assert re.fullmatch(r"\d+ findings \((\d+ (error|warning|info)(, )?)+\)", first)
    assert lines[0].startswith("not read: gone: no/such.run")
    assert [line[:4] for line in lines[1:]] == [one.code for one in found]
    assert max(map(len, lines)) < 180
    for shown in (found, *found, *found.groups(), *found.tables, found.tables, found.failures, found.items[0].places):
        assert "0x" not in repr(shown)
        assert "\x1b" not in repr(shown)
    assert repr(dn.audit(qrels, {"a": {"q1": {"d": 1.0}}}, select="F101")) == "no findings"


def test_a_finding_is_printed_whole_and_shown_short():
    """``print(finding)`` says all; a list of them is a list of short lines."""
    finding = Finding("X999", "made", Severity.INFO, "word " * 99 + "end", "", "a.run", Places.nowhere(), {})
    assert str(finding) == f"X999 info a.run: {'word ' * 99}end"
    assert repr(finding).startswith("<X999 info a.run: word word")
    assert repr(finding).endswith("word …>")
    assert len(repr(finding)) < 150
    assert repr(Group((finding, finding))) == repr(finding)[:-1] + "; and 1 more>"
    many = repr(Findings((finding,) * 1000)).splitlines()
    assert len(many) < 50
    assert many[0] == "1,000 findings (1,000 info)"
    assert many[-1] == "and 960 more"
    assert repr(Findings((finding,))).startswith("1 finding (1 info)\nX999")


def test_means_and_scored_runs_show_as_a_short_line():
    """A tuple of means is a list of lines, not of fields; a scored run shows its name and no array."""
    qrels, run = {"q1": {"d": 1}, "q2": {"d": 1}}, {"q1": {"d": 1.0}}
    scores = dn.evaluate(qrels, {"bm25": run, "\x1b[2J": run}, "AP", by={"q1": "en", "q2": "so"})
    line = "AP 0.500 (2 judged: 1 answered, 1 scored 0), 50% of the ceiling 1.000"
    assert repr(scores.means()) == f"(<bm25: {line}>, <\\x1b[2J: {line}>)"
    assert repr(scores.group_means()[0]) == "<bm25, en: AP 1.000 (1 judged, all answered), 100% of the ceiling 1.000>"
    assert str(scores.means()[0]) == line
    assert "array" not in repr(scores.runs[0])
    assert len(repr(scores.runs[0])) < 300
