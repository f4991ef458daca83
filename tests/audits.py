"""Audits of a few lines, written in the test: ``query document grade`` and ``query document document …``."""

from typing import Any

import denominator as dn
from denominator.findings import Finding, Findings
from inputs import grades_of, judged, ranked, scores_of

NAMES = ("ours", "theirs", "third")

AGRI = "\n".join(
    f"q_{query} {document} 1"
    for query, documents in {
        "faw": ("m1", "m2", "m3"),
        "store": ("s1", "s2", "s3"),
        "milk": ("d1", "d2", "d3"),
        "broad": ("m1", "m2", "m3", "m4", "m5", "m6", "s1", "s2"),
    }.items()
    for document in documents
)
"""The relevant passages of the four farming questions of ``qrels/agri.qrels``."""
AGRI_RUN = "q_faw m2 x3 m1 p1 d2\nq_store d2 s2 x4 s1 p2\nq_milk d1 s2 x1 d2 x3\nq_broad m1 s1 m2 m3 x1"
"""The first five places of ``runs/agri.run``."""


def audit(qrels: str, *runs: str, truth: str | None = None, **settings: Any) -> Findings:
    """Audit judgments and runs called ours, theirs and third."""
    named = {name: scores_of(ranked(run)) for name, run in zip(NAMES, runs, strict=False)}
    more = None if truth is None else grades_of(judged(truth))
    return dn.audit(grades_of(judged(qrels)), named or (), truth=more, **settings)


def the(code: str, qrels: str, *runs: str, **settings: Any) -> Finding:
    """Return the only finding that one check has."""
    (finding,) = audit(qrels, *runs, select=code, **settings)
    return finding


def at(finding: Finding, query: str) -> dict[str, Any]:
    """Return what a finding measured for a query."""
    (place,) = (place for place in finding.places if place.query_id == query)
    return dict(place.values)


def queries(finding: Finding) -> list[str | None]:
    """Return the queries of a finding, worst first."""
    return [place.query_id for place in finding.places]
