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
SHARE = 0.5
"""Of the ids of the smaller side: where fewer match without a prefix or suffix, they match by chance."""


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


def hint(judged: Sequence[str], run: Sequence[str], *, affixes: bool = True, share: float = SHARE) -> Hint | None:
    """Return the change that lets most ids of the two sides match, or None where no simple change does.

    Without `affixes` no prefix or suffix is tried: where other ids match as they are, one is more likely chance, and so
    it is where fewer than a `share` of the ids of the smaller side would match. Most documents need not be on both
    sides, so for them the share is 0.

    >>> print(hint(["101.1", "102.1"], ["101", "102"]).change)
    removing the suffix ".1" from the judged ids
    """
    found = [_count(judged, run, change, (key, key)) for change, key in CHANGES.items()]
    if affixes:
        enough = share * min(len(judged), len(run))
        taken = [_count(judged, run, change, keys) for change, keys in _affixes(judged, run)]
        found += [one for one in taken if one is not None and one.matches >= enough]
    return max((one for one in found if one is not None), key=lambda one: one.matches, default=None)


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
"""What is tried on both sides, in this order, and then affixes; of equally good changes the first is named."""


def _affixes(judged: Sequence[str], run: Sequence[str]) -> Iterator[tuple[str, Keys]]:
    """Yield the taking away of each affix that is found in the ids themselves."""
    for side, longer, shorter in (("judged ids", judged, run), ("run's ids", run, judged)):
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
                cut = len(long) - len(short)
                affix = long[:cut]
            elif kind == "suffix" and long.startswith(short):
                cut = len(short)
                affix = long[cut:]
            else:
                continue
            if not _is_inside(long, cut):
                found[affix] += 1
    likely = [(count, affix) for affix, count in found.items() if affix and not affix.isdigit()]
    return max(likely)[1] if likely else None


def _is_inside(text: str, cut: int) -> bool:
    """Return whether a cut parts a number or a word: ``PLAIN-7`` is no prefix of ``PLAIN-78``."""
    left, right = text[cut - 1 : cut], text[cut : cut + 1]
    return (left.isdigit() and right.isdigit()) or (left.isalpha() and right.isalpha())
