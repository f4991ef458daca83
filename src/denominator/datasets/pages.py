"""What is shown of data sets: a list, a page for each, and the same for programs."""

from __future__ import annotations

import re
from textwrap import shorten
from typing import TYPE_CHECKING, Any

from denominator.datasets.holdings import PARTS, known_id
from denominator.quoting import plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from denominator.datasets.holdings import Holding, Needed

__all__ = ["LEGEND", "listing", "page", "record", "size_in_words"]

DESCRIBED = 500
"""Characters of a description that are shown."""

_CELLS = {"here": "here", "partly": "partly", "away": "away", "unknown": "?", None: "-"}

LEGEND = "here: on this machine, partly: some of its files, away: not fetched yet, ?: cannot be told, -: has none"


def listing(found: Sequence[Holding]) -> str:
    """Return a line for each data set: which parts it has, and whether they are on this machine."""
    width = max(len("id"), *(len(one.id) for one in found))
    rows = [f"{'id':<{width}}  {'  '.join(f'{part:<10}' for part in PARTS)}".rstrip()]
    for one in found:
        cells = "  ".join(f"{_CELLS[one.state(part)]:<10}" for part in PARTS)
        rows.append(f"{one.id:<{width}}  {cells}".rstrip())
    return "\n".join([*rows, "", f"{len(found):,} data sets. {LEGEND}."])


def page(one: Holding) -> str:
    """Return everything about a data set: what it is, its files and where they are or are from, what is odd."""
    told = _documentation(one.id)
    lines = [f"{one.id}: {told['pretty_name']}" if "pretty_name" in told else one.id]
    if "desc" in told:
        lines.append(shorten(_text(told["desc"]), DESCRIBED, placeholder=" …"))
    for part, files in one.parts.items():
        lines.append(f"\n{part}: {_CELLS[one.state(part)]}")
        lines.extend(f"  {_line(file)}" for file in files)
    for title, key in (("official measures", "official_measures"), ("known", "known_issues"), ("terms", "data_access")):
        if told.get(key):
            values = [told[key]] if isinstance(told[key], str) else told[key]
            values = [", ".join(values)] if key == "official_measures" else values
            lines.extend(["", f"{title}:", *(f"  {_text(value)}" for value in values)])
    return plain_lines(lines)


def record(one: Holding, *, checked: bool) -> dict[str, Any]:
    """Return the same as JSON holds it; `checked` has the fingerprint of a corpus computed too."""
    return {
        "id": one.id,
        "parts": {
            part: {
                "state": one.state(part),
                "files": [
                    {
                        "path": str(file.path) if file.path else None,
                        "here": file.here,
                        "bytes": file.size,
                        "url": file.url or None,
                        "by_hand": file.by_hand or None,
                        "terms": file.terms or None,
                        "verdict": (_verdict(file) if checked else file.verdict) or None,
                    }
                    for file in files
                ],
            }
            for part, files in one.parts.items()
        },
    }


def size_in_words(files: Iterable[Needed]) -> str:
    """Return how many bytes are to be fetched, as far as that is known beforehand."""
    sizes = [file.size for file in files]
    known = [size for size in sizes if size is not None]
    if not known:
        return "of unknown size"
    return f"{_bytes(sum(known))}{'' if len(known) == len(sizes) else ' and more of unknown size'}"


def _bytes(size: int) -> str:
    """Return a size as it is read: 1.1 GB is 1,057,717,952 bytes."""
    number, units = float(size), ["kB", "MB", "GB", "TB"]
    if size < 1000:
        return f"{size} bytes"
    while number >= 1000 and units:
        number, unit = number / 1000, units.pop(0)
    return f"{number:,.1f} {unit}"


def plain_lines(lines: Iterable[str]) -> str:
    """Return lines that cannot steer a terminal."""
    return "\n".join(plain(line) for text in lines for line in text.split("\n"))


def _line(file: Needed) -> str:
    """Return what is said of one file."""
    if file.here:
        return f"{file.path}{f': {_verdict(file)}' if file.verdict else ''}"
    if file.verdict:
        return f"not used: {file.verdict}"
    size = "" if file.size is None else f", {_bytes(file.size)}"
    if not file.url:
        return f"{file.path}: not there; put it there by hand{size}{f'; {file.by_hand}' if file.by_hand else ''}"
    return f"{file.path or 'read from the network each time'}: from {file.url}{size}"


def _verdict(file: Needed) -> str:
    """Return what is known of the bytes that are here; a corpus is read for it."""
    return file.source.verdict() if type(file.source).__name__ == "CiralDocs" else file.verdict


def _documentation(name: str) -> dict[str, Any]:
    """Return what ir_datasets says of a data set."""
    import ir_datasets

    dataset = ir_datasets.registry._registered[known_id(name)]
    found: dict[str, Any] = dataset.documentation() if hasattr(dataset, "documentation") else {}
    return found


def _text(html: str) -> str:
    """Return a description without its tags."""
    return " ".join(re.sub(r"<[^>]*>", " ", html).split())
