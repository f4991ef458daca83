"""JUnit XML as pytest writes it: a test for each check and file, failed where there is something to mend."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from denominator.findings import SEVERITIES
from denominator.outputs.findings.words import places, subject, valued
from denominator.quoting import plain, short

if TYPE_CHECKING:
    from denominator.findings import Findings, Group
    from denominator.outputs.findings import Options

__all__ = ["render"]

_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 cannot hold, in any spelling."""


def render(findings: Findings, options: Options) -> Iterator[str]:
    """Yield the document.

    A check that found nothing has passed. What matters less than `fail_on` has passed too, and is in its system-out.
    A run that could not be read is an error.
    """
    groups = findings.groups()
    silent = [code for code in findings.checked if code not in {group.first.code for group in groups}]
    failed = sum(_has_failed(group, options) for group in groups)
    tests = len(groups) + len(silent) + len(findings.failures)
    about = {
        "name": "denominator audit",
        "errors": str(len(findings.failures)),
        "failures": str(failed),
        "skipped": "0",
        "tests": str(tests),
        "time": "0.000",
        **({"timestamp": options.stamp} if options.stamp else {}),
        **({"hostname": options.host} if options.host else {}),
    }
    yield '<?xml version="1.0" encoding="utf-8"?>\n<testsuites name="denominator audit">\n'
    yield f"<testsuite{_attributes(**about)}>\n"
    for code in silent:
        yield f"<testcase{_attributes(classname=f'denominator.{code}', name=code, time='0.000')} />\n"
    for group in groups:
        yield from _case(group, options)
    for failure in findings.failures:
        message = _text(str(failure.error).replace("\n", "; "))
        yield f"<testcase{_attributes(classname='denominator.read', name=failure.run, time='0.000')}>"
        yield f"<error{_attributes(message=message)}>{escape(message)}</error></testcase>\n"
    yield "</testsuite>\n</testsuites>\n"


def _has_failed(group: Group, options: Options) -> bool:
    """Return whether a group is at least as severe as what fails."""
    return SEVERITIES.index(group.first.severity) <= SEVERITIES.index(options.fail_on)


def _case(group: Group, options: Options) -> Iterator[str]:
    """Yield the test of one check on one file."""
    one = group.first
    name = f"{one.slug}[{one.source}]"
    yield f"<testcase{_attributes(classname=f'denominator.{one.code}', name=name, time='0.000')}>"
    tag, about = ("failure", _attributes(message=one.message)) if _has_failed(group, options) else ("system-out", "")
    yield f"<{tag}{about}>"
    for finding in group.findings:
        yield escape(f"{one.severity.value} {one.code}: {_text(finding.message)}\n")
        for place in places(finding, options):
            where = f"{_text(one.source)}:{place.line}" if place.line is not None else ""
            words = " ".join(part for part in (where, subject(place), valued(place.values)) if part)
            yield escape(f"  {_text(words)}\n")
    yield f"{escape(f'fix: {_text(one.fix)}')}</{tag}></testcase>\n"


def _attributes(**attributes: str) -> str:
    """Return the attributes of a tag, a blank before each."""
    return "".join(f" {name}={quoteattr(_text(value))}" for name, value in attributes.items())


def _text(text: str) -> str:
    """Return a text as XML may hold it: on one line, shortened, with escapes for what may not stand in it."""
    return _ILLEGAL.sub(lambda found: f"\\u{ord(found.group()):04x}", plain(short(text, 4000)))
