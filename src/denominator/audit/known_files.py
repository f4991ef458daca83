"""I: files that are known by their content."""

from __future__ import annotations

from typing import TYPE_CHECKING

from denominator.audit.check import Found, check
from denominator.fingerprints import known_file
from denominator.merged import merged
from denominator.model import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denominator.audit.evidence import Evidence

__all__ = ["CHECKS"]


@check(
    "I109",
    "file-is-published",
    Severity.INFO,
    fix="name the file and its revision beside every number that was computed with it; take several in one apart",
)
def known_files(e: Evidence) -> Iterator[Found]:
    """The bytes of this file are those of a published one, whose name, revision and oddities are known.

    A label such as v1.0 is no revision: two files that carry it can grade the same document differently. One of CIRAL
    was replaced under the same label with 205 of 9,094 grades changed. Known by SHA-256, from a table in the package;
    nothing is looked up elsewhere. It is a warning where another revision has taken the file's place, and an error
    where the file is several published ones, one behind the other: `score` refuses it.

    **Fix**: write name and revision beside the number; get the present revision where this one is superseded; score
    files that were put together one at a time.

    **Ignore** when the number is compared with others on exactly this file.
    """
    for file in (e.qrels, *([e.truth] if e.truth is not None else []), *e.others):
        parts = merged(file.name) if file.raw.has_lines else ""
        if parts:
            yield Found(file.name, parts, severity=Severity.ERROR)
            continue
        known = known_file(file.name) if file.raw.has_lines else None
        if known is not None:
            odd = f": {'; '.join(known.issues)}" if known.issues else ""
            yield Found(
                file.name,
                f"this is {known.name}, {known.revision} ({known.published}){odd}",
                numbers={"known oddities": len(known.issues)},
                severity=Severity.WARNING if known.superseded else None,
            )


CHECKS = (known_files,)
