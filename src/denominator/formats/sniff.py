"""Recognising the format of a file from its first lines, and naming what is none of ours.

Nothing is guessed silently: what was recognised is printed (``read as: TREC run, 6 columns, 1,000 rows``), and a file
that is known but not usable here is refused with a sentence about what it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from denominator.errors import UsageError
from denominator.formats.faults import show
from denominator.formats.known import FORMATS
from denominator.formats.sources import refusal

if TYPE_CHECKING:
    from denominator.formats.sources import Head
    from denominator.formats.table import Kind

__all__ = ["claimed_by", "known_format", "recognise", "wrong_format"]


def known_format(name: str, kind: Kind) -> str:
    """Return the name of a format that was asked for; refuse one that is unknown or cannot hold such rows."""
    if name in FORMATS and kind in FORMATS[name].kinds:
        return name
    able = [known for known, format in FORMATS.items() if kind in format.kinds and known != "ranx-lz4"]
    if name in FORMATS:
        raise UsageError(f"format {name}: cannot hold {_A[kind]}; choose from {', '.join(able)}")
    import difflib  # only an error needs it

    near = difflib.get_close_matches(name, able, n=1)
    meant = f"did you mean {near[0]}? " if near else ""
    raise UsageError(f"format {show(name)}: not known; {meant}there are: {', '.join(able)}")


def recognise(head: Head, kind: Kind) -> str:
    """Return the name of the format of a file; raise :class:`FormatError` for one that is known and not usable."""
    if _OWN[kind](head):  # the common case, and no other format has such rows: spare the import of all the others
        _refuse_binary(head)
        return "trec"
    name = claimed_by(head, kind)
    if name == "trec":
        refuse_known(head, kind)
    return name


def claimed_by(head: Head, kind: Kind) -> str:
    """Return the first format that takes the file for its own."""
    if _OWN[kind](head):
        return "trec"
    name = next(name for name, format in FORMATS.items() if kind in format.kinds and format.sniff(head, kind))
    return _meant_as_json(head, kind) or name if name == "trec" else name


_JSON_NAME = re.compile(r"\.(json|jsonl|ndjson)(\.(gz|bz2|xz|zst|lz4))?$", re.IGNORECASE)


def _meant_as_json(head: Head, kind: Kind) -> str:
    """Return which JSON a text is that is no good JSON, by its first character or its name; nothing for other texts.

    Ids may begin with brackets: a text in which some line is a row of TREC's format is none.
    """
    named = _JSON_NAME.search(head.name)
    width, at, number = _ROW[kind]
    if any(len(fields) == width and re.fullmatch(number, fields[at]) for fields in head.fields) or not (
        named or head.data.lstrip()[:1] in (b"[", b"{")
    ):
        return ""
    return "json" if named is None or named[1].lower() == "json" else "jsonl"


def refuse_known(head: Head, kind: Kind) -> None:
    """Refuse what no format claims and TREC's readers would only find full of faults."""
    _refuse_binary(head)
    for looks_like, sentence in (*_ANY, *_OF[kind]):
        if looks_like(head):
            raise refusal(head.name, "format", sentence)


_A = {"run": "a run", "qrels": "qrels"}

_CONTROL = bytes([*range(9), *range(14, 27), *range(28, 32)])


CONTROLS = 8
"""So many control characters, and one byte in fifty, make a file binary; the reader names fewer, line by line."""


def _refuse_binary(head: Head) -> None:
    """Refuse what is no text, with the place of the first byte that says so."""
    data = head.data
    if len(data) - len(data.translate(None, _CONTROL)) < max(CONTROLS, len(data) // 50):
        return
    for first, encoding in ((1, "utf-16-le"), (0, "utf-16-be")):
        if data[first::2].count(0) > len(data) * 0.4 and data[1 - first :: 2].count(0) < len(data) // 50:
            remedy = f'or name it: --encoding {encoding} (in Python encoding="{encoding}")'
            words = "every second byte is 0, as in UTF-16 without a byte order mark; convert it"
            raise refusal(head.name, "format", words, 1, remedy)
    at = re.search(rb"[%s]" % re.escape(_CONTROL), data).start()  # type: ignore[union-attr]  # there are eight and more
    line = data.count(b"\n", 0, at) + 1
    column = at - data.rfind(b"\n", 0, at)
    place = f"byte {column:,} of the line is 0x{data[at]:02x}, the first of many"
    words = "binary data that no format here claims; a run or qrels in TREC's format are text"
    if re.search(r"\.(gz|bz2|xz|zst|lz4)$", head.name, re.IGNORECASE):
        words += ", or was the compressed file damaged on its way?"
    raise refusal(head.name, "format", f"{words} ({place})", line)


def _is_page(head: Head) -> bool:
    return bool(re.match(rb"\s*<(!doctype|html|\?xml)", head.data[:200], re.IGNORECASE))


def _is_pointer(head: Head) -> bool:
    return head.data.startswith(b"version https://git-lfs.github.com/spec/")


def _is_comma_separated(head: Head) -> bool:
    return head.width == 1 and len(head.lines) > 0 and all(line.count(",") >= 2 for line in head.lines)


def _all_rows(head: Head, width: int, numbers: dict[int, str]) -> bool:
    """Return whether all first lines have so many fields, and numbers in some of them."""
    return len(head.fields) > 0 and all(
        len(fields) == width and all(re.fullmatch(pattern, fields[at]) for at, pattern in numbers.items())
        for fields in head.fields
    )


_WHOLE, _REAL = r"[+-]?\d+", r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?"


def _is_qrels(head: Head) -> bool:
    return _all_rows(head, 4, {3: _WHOLE})


def _is_run(head: Head) -> bool:
    return _all_rows(head, 6, {4: _REAL})


def _is_prels(head: Head) -> bool:
    return _all_rows(head, 5, {2: _WHOLE, 3: _WHOLE, 4: _REAL})


def _is_preferences(head: Head) -> bool:
    return _all_rows(head, 5, {4: _REAL})


def _is_yaml(head: Head) -> bool:
    return FORMATS["yaml"].sniff(head, "qrels")


_ROW: dict[Kind, tuple[int, int, str]] = {"run": (6, 4, _REAL), "qrels": (4, 3, _WHOLE)}
"""How many fields a line of TREC's format has, and which of them is a number."""

_OWN: dict[str, Callable[[Head], bool]] = {"run": _is_run, "qrels": _is_qrels}
"""Whether every first line is a row of TREC's format."""

Refusals = tuple[tuple["Callable[[Head], bool]", str], ...]

_ANY: Refusals = (
    (_is_pointer, "a Git LFS pointer, not the file itself; fetch it with `git lfs pull`"),
    (_is_page, "a web page or XML, not qrels or a run; was a download answered with a page?"),
    (
        _is_comma_separated,
        "values between commas; TREC's format has blanks or tabs between its fields: convert it, or read it as a frame",
    ),
)
_OF: dict[str, Refusals] = {
    "run": (
        (
            _is_qrels,
            "these look like TREC qrels (4 columns: query iteration doc relevance), where a run is wanted "
            "(6 columns: query Q0 doc rank score tag). Are the two files swapped?",
        ),
        (
            _is_yaml,
            "this looks like golden YAML (query and grades), which holds judgments: qrels may be YAML, a run may not",
        ),
    ),
    "qrels": (
        (
            _is_run,
            "this looks like a TREC run (6 columns: query Q0 doc rank score tag), where qrels are wanted "
            "(4 columns: query iteration doc relevance). Are the two files swapped?",
        ),
        (
            _is_prels,
            "these are prels (5 columns: query doc relevance method probability), judgments of a sampled pool for "
            "statAP and MTC; the measures here need qrels (4 columns: query iteration doc relevance)",
        ),
        (
            _is_preferences,
            "5 columns: these look like preference or judgment-group qrels (query group iteration doc relevance), "
            "which are not read yet; the measures here need qrels (4 columns: query iteration doc relevance)",
        ),
    ),
}
"""What to look for in a file that no format claimed, and what to say."""


def wrong_format(asked: str, head: Head, kind: Kind) -> str:
    """Return a sentence on a format that was asked for and did not fit, or nothing."""
    looks = claimed_by(head, kind)
    if looks == asked:
        return ""
    return f"read as {asked}, as asked; it looks like {FORMATS[looks].title}"
