"""Ids that would match after one simple change: the usual reason why a run scores nothing.

Ids are never changed. These functions only say what somebody may have done to one side: read ids as numbers, which
takes the zeros from ``007``, or added a suffix, or changed the case.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from denominator.quoting import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["COMPOSED", "Hint", "hint"]

TRIED = 200
"""How many ids of each side are looked at to find an added prefix or suffix."""


Keys = tuple[Callable[[str], str], Callable[[str], str]]
"""What a change makes of a judged id, and of an id of the run."""


@dataclass(frozen=True, slots=True)
class Hint:
    """One change after which ids of the two sides are equal."""

    change: str
    """Such as ``removing leading zeros``."""
    matches: int
    """How many judged ids would find a partner."""
    judged: str
    run: str
    """An id of each side that would match."""
    keys: Keys = field(default=(str, str), compare=False, repr=False)
    """The change itself: ids match when these make the same of them."""

    def __str__(self) -> str:
        """Return the example: ``judged "7", run "007"``."""
        return f"judged {quoted(self.judged)}, run {quoted(self.run)}"


def hint(judged: Sequence[str], run: Sequence[str], *, affixes: bool = True) -> Hint | None:
    """Return the change that lets most ids of the two sides match, or None where no simple change does.

    Without `affixes` no prefix or suffix is tried: where other ids match as they are, one is more likely chance.

    >>> print(hint(["101.1", "102.1"], ["101", "102"]).change)
    removing the suffix ".1" from the judged ids
    """
    candidates = [
        found for change, key in _changes(judged, run, affixes) if (found := _count(judged, run, change, key))
    ]
    return max(candidates, key=lambda candidate: candidate.matches, default=None)


def _count(judged: Sequence[str], run: Sequence[str], change: str, key: Keys) -> Hint | None:
    """Return how many judged ids match the run's under a change, or None for none."""
    left, right = key
    partner: dict[str, str] = {}
    for text in run:
        partner.setdefault(right(text), text)
    matched = [text for text in judged if left(text) in partner]
    return Hint(change, len(matched), matched[0], partner[left(matched[0])], key) if matched else None


def _without_zeros(text: str) -> str:
    return text.lstrip("0") or text[-1:]


def _without_blanks(text: str) -> str:
    return "".join(text.split())


def _without_point_zero(text: str) -> str:
    return text.removesuffix(".0")


def _unescaped(text: str) -> str:
    from urllib.parse import unquote

    return unquote(text)


def _composed(text: str) -> str:
    import unicodedata

    return unicodedata.normalize("NFC", text)


COMPOSED = "composing Unicode accents (NFC)"

CHANGES: Mapping[str, Callable[[str], str]] = {
    "removing leading zeros": _without_zeros,
    'removing a final ".0"': _without_point_zero,
    "removing blanks": _without_blanks,
    "ignoring case": str.casefold,
    "undoing URL escapes": _unescaped,
    COMPOSED: _composed,
}
"""What is tried on both sides, in this order; of equally good changes the first is named."""


def _changes(judged: Sequence[str], run: Sequence[str], affixes: bool) -> Iterator[tuple[str, Keys]]:
    """Yield every change to try, those of the table first, then affixes found in the ids themselves."""
    for change, key in CHANGES.items():
        yield change, (key, key)
    sides = (("judged ids", judged, run), ("run's ids", run, judged)) if affixes else ()
    for side, longer, shorter in sides:
        for kind, strip in (("prefix", str.removeprefix), ("suffix", str.removesuffix)):
            affix = _affix(longer, shorter, kind)
            if affix:
                take = _taking(strip, affix)
                keys = (take, str) if side == "judged ids" else (str, take)
                yield f"removing the {kind} {quoted(affix)} from the {side}", keys


def _taking(strip: Callable[[str, str], str], affix: str) -> Callable[[str], str]:
    """Return a function that takes an affix from an id."""
    return lambda text: strip(text, affix)


def _affix(longer: Sequence[str], shorter: Sequence[str], kind: str) -> str | None:
    """Return what the longer ids most often have before (or after) a shorter one; digits alone are chance."""
    found: Counter[str] = Counter()
    for long in longer[:TRIED]:
        for short in shorter[:TRIED]:
            if kind == "prefix" and long.endswith(short):
                found[long.removesuffix(short)] += 1
            elif kind == "suffix" and long.startswith(short):
                found[long.removeprefix(short)] += 1
    likely = [(count, affix) for affix, count in found.items() if affix and not affix.isdigit()]
    return max(likely)[1] if likely else None
