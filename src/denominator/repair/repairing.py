"""How a repair goes: which repairs are wanted, one after the other, and what is to be said of it."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from denominator.audit.counted import number
from denominator.audit.registry import CHECKS
from denominator.errors import InputError, UsageError
from denominator.quoting import quoted
from denominator.repair.rows import rank_rows
from denominator.repair.table import CHANGES, REPAIRS, Repair

if TYPE_CHECKING:
    from denominator.formats.table import Kind
    from denominator.repair.text import Keep, Lines, Mended

__all__ = ["SORT", "Outcome", "repaired", "wanted"]

SORT = "--sort"
"""What stands for a code where rows are put in ranked order: no check finds fault with another order."""
SORTING = Repair("run", rank_rows, "rows", "moved")


@dataclass(frozen=True, eq=False)
class Outcome:
    """A file before and after, and what was done in between."""

    before: Lines
    after: Lines
    mended: tuple[tuple[str, Mended], ...]
    """(code, what it made) of the repairs that had something to do, in the order in which they were made."""
    offered: tuple[tuple[str, Mended], ...]
    """The same of repairs that would change scores and were not selected by their whole code: what they would do."""

    def told(self) -> list[str]:
        """Return a line for each repair that was made: its code, what was changed and how often."""
        lines = []
        for code, mended in self.mended:
            repair, name = (REPAIRS[code], f"{code} {CHECKS[code].slug}") if code != SORT else (SORTING, code)
            remark = f" ({mended.remark})" if mended.remark else ""
            lines.append(f"{name}: {number(mended.count, repair.unit)} {repair.done}{remark}")
        return lines

    def told_offered(self) -> list[str]:
        """Return a line for each repair that was not made for want of its code."""
        return [
            f"not done, for it changes scores: {number(mended.count, REPAIRS[code].unit)} {REPAIRS[code].done} by "
            f"--select {code}"
            for code, mended in self.offered
        ]

    @property
    def queries(self) -> list[str]:
        """The queries whose ranking or judgments are not what they were, in byte order."""
        return sorted(frozenset[str]().union(*(mended.queries for _, mended in self.mended)))


def wanted(select: Iterable[str], kind: Kind) -> list[str]:
    """Return the codes of the repairs that codes and beginnings of codes select; without any, all that change no score.

    Raises:
        UsageError: a word that selects no repair of such a file, with the nearest that does.
    """
    able = [code for code in REPAIRS if _fits(code, kind)]
    words = list(select)
    chosen = {code for code in able if not words and not REPAIRS[code].asked}
    for word in words:
        if word in able:
            chosen.add(word)
            continue
        those = [code for code in able if word and code.startswith(word)]
        harmless = [code for code in those if not REPAIRS[code].asked]
        if not harmless:
            raise UsageError(_refusal(word, kind, able, those))
        chosen.update(harmless)
    return [code for code in able if code in chosen]


def _refusal(word: str, kind: Kind, able: list[str], asked: list[str]) -> str:
    """Say why a word selects nothing, and what would."""
    a_kind = "a run" if kind == "run" else "qrels"
    if asked:
        return f"--select {word}: {', '.join(asked)} must be selected by the whole code: {REPAIRS[asked[0]].asked}"
    near = difflib.get_close_matches(word, able, n=3, cutoff=0.5)
    there = f"did you mean {' or '.join(near)}?" if near else f"what can be mended in {a_kind}: {', '.join(able)}"
    if word in REPAIRS:
        return f"--select {word}: mends {REPAIRS[word].kinds}, and this is {a_kind}; {there}"
    if word in CHECKS:
        return f"--select {word}: {CHECKS[word].slug} is not mended by rewriting {a_kind}: {CHECKS[word].fix}; {there}"
    return f"--select {quoted(word)}: not the code of a repair; {there}"


def repaired(file: Lines, codes: Iterable[str], *, keep: Keep | None = None, sort: bool = False) -> Outcome:
    """Make some repairs, one after the other in the order of the table.

    `keep` says which of several rows of one query and document stays; `sort` asks for rows in ranked order as well.

    Raises:
        FormatError: the file cannot be read.
        UsageError: a repair that needs to be told which row stays.
        InputError: no row would be left.
    """
    chosen = [code for code in REPAIRS if code in frozenset(codes)]
    before, done = file, []
    for code, repair in [*((code, REPAIRS[code]) for code in chosen), *([(SORT, SORTING)] if sort else [])]:
        mended = repair.mend(file, keep)
        file = mended.file
        if mended.count or mended.remark:
            done.append((code, mended))
        if not any(map(file.is_text, file.lines)):
            raise InputError(f"{file.name}: {code} would leave no row; nothing was written")
    open_ones = [code for code, repair in REPAIRS.items() if repair.asked == CHANGES and code not in chosen]
    tried = [(code, REPAIRS[code].mend(file, keep or "first")) for code in open_ones if _fits(code, file.kind)]
    return Outcome(before, file, tuple(done), tuple((code, mended) for code, mended in tried if mended.count))


def _fits(code: str, kind: Kind) -> bool:
    """Return whether a repair is one of runs, or of qrels."""
    return kind in REPAIRS[code].kinds.split()
