"""What a data set of ir_datasets is made of, and which of it is on this machine: found without opening a file.

ir_datasets has no such question, so the files are looked for in the objects that would read them. Where nothing is
found, as behind code that makes its files when it is called, it is unknown, and said to be.
"""

from __future__ import annotations

import difflib
import types
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from denominator.datasets.download import PinnedDownload
from denominator.errors import InputError, UsageError
from denominator.formats.irds import without_network
from denominator.quoting import short

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["PARTS", "Holding", "Needed", "State", "holding", "holdings", "known_id", "nearest"]

PARTS = ("docs", "queries", "qrels", "scoreddocs")

State = Literal["here", "partly", "away", "unknown"]
"""Of a part's files: all are on this machine, some, none, or it cannot be told."""


@dataclass(frozen=True, slots=True)
class Needed:
    """One file that a part is read from."""

    path: Path | None
    """Where it is, or would be; None for what is read from the network each time."""
    here: bool
    size: int | None
    """Bytes of what would be fetched, where that is known beforehand."""
    url: str
    """Where it is fetched from; empty for what has to be put there by hand."""
    terms: str
    """What its publisher asks to be agreed to, as ir_datasets has it."""
    verdict: str = ""
    """What is known of the bytes in the place, or why they are not used; empty where only ir_datasets looks at them."""
    source: Any = None
    """The object whose ``path()`` puts it there; None where nothing does."""
    by_hand: str = ""
    """Where a person gets it, where that is known and nothing fetches it."""

    @property
    def fetchable(self) -> bool:
        """Whether it is not here and can be fetched."""
        return not self.here and bool(self.url) and self.path is not None


@dataclass(frozen=True, slots=True)
class Holding:
    """A data set: its id, and of each part that it has the files."""

    id: str
    parts: dict[str, tuple[Needed, ...]]

    def state(self, part: str) -> State | None:
        """Return whether a part is on this machine; None where the data set has no such part."""
        if part not in self.parts:
            return None
        found = {needed.here for needed in self.parts[part]}
        if not found:
            return "unknown"
        return "partly" if len(found) == 2 else "here" if found.pop() else "away"


def holdings(words: Sequence[str] = ()) -> Iterator[Holding]:
    """Yield the data sets whose ids hold every one of some words, in any case, in the order of their ids."""
    wanted = [word.casefold() for word in words]
    for name in sorted(_registered()):
        if all(word in name.casefold() for word in wanted):
            yield holding(name)


def holding(name: str) -> Holding:
    """Return what there is of one data set.

    Raises:
        UsageError: no such id; the nearest ones are named.
    """
    known_id(name)
    with without_network(name):  # some make their parts of a list in the network when they are asked which they have
        dataset = _registered()[name]
        handlers = {part: getattr(dataset, f"{part}_handler")() for part in PARTS if dataset.has(part)}
    parts = {}
    for part, handler in handlers.items():
        found: dict[Any, Needed] = {}
        for needed in _files(handler, set()):
            found[needed.path or id(needed.source)] = needed
        parts[part] = tuple(found.values())
    return Holding(name, parts)


def known_id(name: str) -> str:
    """Return an id that ir_datasets knows, or is able to make of what is on this machine.

    Raises:
        UsageError: no such id; the nearest ones are named.
        InputError: it could be one, but the list it would be in is not here.
    """
    import ir_datasets

    try:
        if name not in _registered():
            with without_network(name):  # ids by a pattern, as those of clirmatrix, are made when they are asked for
                ir_datasets.registry[name]
    except KeyError:
        near = nearest([name])
        hint = f"; did you mean {', '.join(near)}?" if near else "; `denominator datasets` lists all"
        raise UsageError(f"{short(name)}: no such data set{hint}") from None
    return name


def nearest(words: Sequence[str]) -> list[str]:
    """Return up to three ids, or parts of ids between slashes, that are spelled nearly as what was asked for is.

    >>> nearest(["nfcorpsu"])[0]
    'nfcorpus'
    """
    ids = sorted(_registered())
    found = difflib.get_close_matches("/".join(words), ids, n=3)
    parts = {part for name in ids for part in name.split("/")}
    for word in () if found else words:
        found += difflib.get_close_matches(word.casefold(), sorted(parts - {word}), n=3)
    return list(dict.fromkeys(found))[:3]


def _registered() -> dict[str, Any]:
    """Return id → data set. Asking the registry one by one would warn of each deprecated one."""
    import ir_datasets

    found: dict[str, Any] = ir_datasets.registry._registered
    return found


_KEPT = {
    "Cache": "_path",
    "TarExtractAll": "_extract_path",
    "ZipExtractCache": "extract_path",
    "Download": "_cache_path",
}
"""Kinds of ir_datasets' objects that keep what they make → the attribute with its path."""
_BY_HAND = {"LocalDownload": "_path", "ExpectedFile": "_path"}
"""The same, of what a person has to put there."""
_ALWAYS_THERE = {"PackageDataFile", "StringFile"}
_DEEP = 12
"""How far objects are followed into one another."""


def _files(node: Any, seen: set[int], depth: int = 0) -> Iterator[Needed]:
    """Yield the files below an object: what is kept already, or else what it is made from."""
    if id(node) in seen or depth > _DEEP:
        return
    seen.add(id(node))
    kind = type(node).__name__
    if isinstance(node, PinnedDownload):
        yield _pinned(node)
    elif kind == "CiralDocs":
        yield _passages(node)
    elif not type(node).__module__.startswith("ir_datasets") or kind not in {*_KEPT, *_BY_HAND, *_ALWAYS_THERE}:
        for child in _children(node):
            yield from _files(child, seen, depth + 1)
    elif kind not in _ALWAYS_THERE:
        yield from _kept(node, kind, seen, depth)


def _kept(node: Any, kind: str, seen: set[int], depth: int) -> Iterator[Needed]:
    """Yield the file that an object keeps, or, where it is not kept yet, what it comes from."""
    where = getattr(node, (_KEPT | _BY_HAND)[kind], None)
    path = Path(where) if where else None
    if path is not None and path.exists():
        yield Needed(path, True, None, "", "")
    elif kind in _BY_HAND:
        yield Needed(path, False, None, "", "")
    elif kind == "Download":
        url = next((str(url) for mirror in node.mirrors if (url := getattr(mirror, "url", ""))), "")
        terms = " ".join(str(node.dua or "").split())
        stays = path is not None and not node._stream
        yield Needed(path if stays else None, False, node._size_hint, url, terms, source=node)
    else:
        for needed in _files(node._streamer if hasattr(node, "_streamer") else node.dlc, seen, depth + 1):
            streamed = needed.path is None  # and kept as what is made of it
            yield Needed(path, False, needed.size, needed.url, needed.terms, source=node) if streamed else needed


def _pinned(node: PinnedDownload) -> Needed:
    """Return a file of CIRAL."""
    from denominator.ciral.files import LICENCE, pinned_file
    from denominator.ciral.places import TOPICS_OF_DEV, folder_in_use

    path = node.path(force=False)
    known = pinned_file(node.language, node.split, node.part)
    size = known.size if known else None
    here, verdict = node.verdict() if path.is_file() else (False, "")
    if known is None or folder_in_use()[1]:
        return Needed(path, here, size, "", "", verdict, by_hand=known.url if known else TOPICS_OF_DEV)
    return Needed(path, here, size, known.url, LICENCE, verdict, node)


def _passages(node: Any) -> Needed:
    """Return a corpus of CIRAL, which is never fetched."""
    from denominator.ciral.files import CORPORA, CORPUS_PLACE
    from denominator.ciral.places import folder_in_use

    try:
        path = node.docs_path()
    except InputError:
        name = CORPORA[node.language]
        return Needed(folder_in_use()[0] / name, False, None, "", "", by_hand=f"{name} of {CORPUS_PLACE}")
    return Needed(path, True, None, "", "", "no revision is pinned", node)


def _children(node: Any) -> list[Any]:
    """Return the objects that an object holds on to."""
    if isinstance(node, list | tuple | set):
        return list(node)
    if isinstance(node, dict):
        return list(node.values())
    if isinstance(node, types.FunctionType):
        return [cell.cell_contents for cell in node.__closure__ or () if _filled(cell)]
    if isinstance(node, types.MethodType):
        return [node.__self__]
    ours = type(node).__module__.startswith(("ir_datasets", "denominator.datasets"))
    return list(vars(node).values()) if ours and hasattr(node, "__dict__") else []


def _filled(cell: Any) -> bool:
    """Return whether a closure's variable has a value yet."""
    try:
        return cell.cell_contents is not cell
    except ValueError:
        return False
