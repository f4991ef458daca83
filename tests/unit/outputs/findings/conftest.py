"""Findings to write down: ordinary ones, ones that are out to do harm, and a million."""

import pytest

from denominator.errors import InputError
from denominator.findings import Findings, Place, Places, QueryTable, Unread
from denominator.model import Severity, Source
from denominator.quoting import quoted
from unit.outputs.findings.made import at, finding, line, table

EVIL = (
    *("=cmd|'/c calc'!A1", "+1", "-1", "@SUM(A1)", "<script>alert(1)</script>", "\x1b[2J\x1b]0;owned\x07", "a|b`c`"),
    *("\r\n::error::x", "%0A::add-mask::x", "[link](http://x.example)", "{0}", "\ufffe\ud800", "\u202egnp", "\x00\x0b"),
    "x" * 10_000_000,
)
"""Ids that mean something to a spreadsheet, a page, a terminal, a runner, a parser; and ten megabytes."""


SOURCES = (Source("a.qrels", "trec", "TREC qrels"), Source("runs/a.run", "trec", "TREC run"))


@pytest.fixture
def plain():
    """An error with lines, a remark about a whole file, and a warning with fewer places than are shown."""
    rows = at(*(Place(number, f"q{number}", "d1", {"score": number / 3}) for number in range(1, 6)))
    items = (
        finding(places=rows, **{"R@5": 0.5, "queries": 5}),
        finding("b,c:d.run", Severity.WARNING, at(Place(7, "q7"))),
        finding("a.qrels", Severity.INFO, code="D103"),
    )
    return Findings(items, ("D101", "D103", "D104"), SOURCES, (table(line(), line(query_id="q2", recall=None, rel=0)),))


@pytest.fixture
def evil():
    """Every evil id as query, document and value, in messages as checks write them, and as the name of a file."""
    items = [
        finding(
            one[:200],
            places=at(Place(1, one, "d1", {"was": one[:200], "x": float("nan")}), Place(2, "q1", one[:200])),
            message=f"query {quoted(one)} is odd",
            x=float("inf"),
        )
        for one in EVIL
    ]
    lines = [line(query_id=one, duplicates=(one,), run=one[:200], precision_ceiling=0.6) for one in EVIL]
    failures = tuple(Unread(one[:200], InputError(f"{one[:200]}: there is no such file\nat all")) for one in EVIL[:-1])
    return Findings(tuple(items), ("D101",), SOURCES, (table(*lines),), failures)


@pytest.fixture
def million():
    """One finding with a million places, and a run of a million queries."""
    many = Places(1_000_000, lambda number: Place(number + 1, f"q{number}", "d1", {"score": 0.5}))
    lines = QueryTable("runs/a.run", 1_000_000, lambda number: line(query_id=f"q{number}"))
    return Findings((finding(places=many),), ("D101",), SOURCES, (lines,))


@pytest.fixture
def crowd():
    """Twenty thousand findings, each about a file of its own."""
    return Findings(tuple(finding(f"runs/{number}.run") for number in range(20_000)), ("D101",), SOURCES)
