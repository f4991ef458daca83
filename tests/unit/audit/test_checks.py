"""Every check of the registry has all that a check must have."""

import re
from collections import Counter

import pytest

from denominator.audit.check import Check
from denominator.audit.registry import _FAMILIES, CHECKS
from golden.folders import HERE, audited, expected, folders, written

every_check = pytest.mark.parametrize("one", CHECKS.values(), ids=CHECKS)


@every_check
def test_a_check_has_a_golden_folder_that_shows_it(one: Check) -> None:
    """Each check has files that it has something to say about."""
    assert (HERE / one.code / "expected").is_file(), f"write tests/golden/{one.code}/ and regenerate it"
    assert expected(HERE / one.code)


@every_check
def test_no_golden_holds_without_its_check(one: Check) -> None:
    """What a golden folder expects is not found when its check is left out."""
    folder = HERE / one.code
    assert written(audited(folder, select=(), ignore=(one.code,)), one.code) != expected(folder)


@every_check
def test_a_page_says_what_why_how_to_fix_and_when_to_ignore(one: Check) -> None:
    """A page opens with one sentence and has a worked number, a **Fix** and an **Ignore**."""
    first, _, rest = one.page.partition("\n")
    assert first.endswith("."), "the first line is a whole sentence"
    # every page has the three parts
    why, fix, ignore = re.fullmatch(r"(.*)\*\*Fix\*\*(.*)\*\*Ignore\*\*(.*)", rest, re.DOTALL).groups()  # type: ignore[union-attr]
    assert re.search(r"\d", why), "why it matters needs a worked number"
    assert len(fix.strip(": \n")) > 10
    assert len(ignore.strip(": \n")) > 10


@every_check
def test_a_check_has_a_code_a_slug_and_a_fix(one: Check) -> None:
    """Codes are a letter and three digits, slugs words with hyphens, fixes one sentence without a full stop."""
    assert re.fullmatch(r"[A-Z][1-9]\d\d", one.code)
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)+", one.slug)
    assert one.fix
    assert not one.fix.endswith(".")


def test_codes_and_slugs_are_given_once() -> None:
    """No two checks share a code or a slug, within a family or across."""
    every = [one for family in _FAMILIES for one in family.CHECKS]
    assert [name for name, count in Counter(one.code for one in every).items() if count > 1] == []
    assert [name for name, count in Counter(one.slug for one in every).items() if count > 1] == []


def test_no_golden_folder_is_without_a_check() -> None:
    """A golden folder has the code of a check."""
    assert [folder.name for folder in folders() if folder.name not in CHECKS] == []
