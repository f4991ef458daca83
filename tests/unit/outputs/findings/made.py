"""Findings and lines of the per-query table, made of a few words."""

from types import MappingProxyType

from denominator.audit.registry import CHECKS
from denominator.findings import Finding, Places, QueryLine, QueryTable
from denominator.model import Severity


def finding(source="runs/a.run", severity=Severity.ERROR, places=None, message="R@5 is 0.5", code="D101", **numbers):
    check = CHECKS[code]
    places = Places.nowhere() if places is None else places
    return Finding(code, check.slug, severity, message, check.fix, source, places, MappingProxyType(numbers))


def at(*places):
    return Places(len(places), lambda number: places[number])


def line(**changes):
    known = {
        "run": "runs/a.run",
        "query_id": "q1",
        "k": 5,
        "rel": 8,
        "answered": True,
        "coverage": None,
        "recall": 0.5,
        "ceiling": 0.625,
        "precision_ceiling": 1.0,
        "duplicates": (),
        "positional_hits": 4,
        "distinct_hits": 4,
    }
    return QueryLine(**{**known, **changes})


def table(*lines):
    return QueryTable(lines[0].run, len(lines), lambda number: lines[number])
