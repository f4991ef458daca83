"""Data sets of ir_datasets by their id: ``ir_datasets:cranfield`` is its qrels, or as a run its scored documents.

Nothing is downloaded unless the environment variable ``DENOMINATOR_DOWNLOAD`` is 1: what a score depends on should be
on the machine already, and stay there.
"""

from __future__ import annotations

import contextlib
import os
import threading
from typing import TYPE_CHECKING, Any, NoReturn

from denominator.errors import AbsentError, InputError, MissingExtraError
from denominator.formats.faults import show
from denominator.formats.mappings import add_objects
from denominator.formats.records import Records

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denominator.formats.table import Options, Table

__all__ = ["DOWNLOAD", "accepts", "documents", "name", "queries", "read", "without_network"]

PREFIX = "ir_datasets:"

DOWNLOAD = "DENOMINATOR_DOWNLOAD"
"""The environment variable that allows downloads, when it is 1."""

_ONE_AT_A_TIME = threading.Lock()
"""Held while ir_datasets is kept from the network: that is done to its classes, which all threads share."""


def accepts(source: object) -> bool:
    """Return whether a text names a data set."""
    return isinstance(source, str) and source.startswith(PREFIX)


def name(source: object) -> str:
    """Return what messages call the data set: its id as given."""
    return show(str(source), 200)


def read(source: object, options: Options) -> Table:
    """Read the qrels or the scored documents of a data set whose files are on this machine."""
    records = Records(options)
    part = "qrels" if options.kind == "qrels" else "scoreddocs"
    with _told(str(source), part):
        add_objects(getattr(_loaded(str(source), part), f"{part}_iter")(), records)
    return records.rows.table(options, f"ir_datasets {part}")


def documents(source: str) -> Iterator[tuple[str, str]]:
    """Yield the id and the text of every document of a data set whose files are on this machine."""
    with _told(source, "docs"):
        for document in _loaded(source, "docs").docs_iter():
            yield document.doc_id, document.default_text()


def queries(source: str) -> Iterator[tuple[str, str]]:
    """Yield the id and the text of every query of a data set whose files are on this machine."""
    with _told(source, "queries"):
        for query in _loaded(source, "queries").queries_iter():
            yield query.query_id, query.default_text()


def _loaded(source: str, part: str) -> Any:
    """Return a data set that has some part; CIRAL's are known too."""
    try:
        import ir_datasets

        import denominator.datasets  # noqa: F401  (it registers what ir_datasets lacks)
    except ImportError:
        raise MissingExtraError(f"{source}: needs ir_datasets: pip install ir_datasets") from None
    try:
        dataset = ir_datasets.load(source.removeprefix(PREFIX))
    except KeyError:
        import difflib  # only an error needs it

        near = difflib.get_close_matches(source.removeprefix(PREFIX), list(ir_datasets.registry), n=3)
        hint = f"; did you mean {', '.join(near)}?" if near else ""
        raise InputError(f"{name(source)}: ir_datasets knows no such data set{hint}") from None
    if not dataset.has(part):
        have = [kind.value for kind in ir_datasets.EntityType if dataset.has(kind)]
        raise InputError(f"{name(source)}: has no {part}; it has {', '.join(have)}")
    return dataset


@contextlib.contextmanager
def without_network(source: str) -> Iterator[None]:
    """Keep ir_datasets from the network for a block that only looks; some ids fetch lists when they are looked up."""
    try:
        with _ONE_AT_A_TIME, _offline():
            yield
    except _WantsNetwork as wanted:
        raise InputError(
            f"{name(source)}: the list of what it is made of is not on this machine ({show(str(wanted), 200)}), and "
            f"nothing is downloaded unasked; `ir_datasets export {name(source)} qrels` fetches it"
        ) from None


class _WantsNetwork(BaseException):
    """Raised in place of a download; no ``except Exception`` on the way out may take it for a failure to be retried."""


@contextlib.contextmanager
def _told(source: str, part: str) -> Iterator[None]:
    """Keep ir_datasets from the network unless downloads are allowed, and say what it lacked."""
    allowed = os.environ.get(DOWNLOAD) == "1"
    try:
        if allowed:
            yield
        else:
            with _ONE_AT_A_TIME, _offline():
                yield
    except _WantsNetwork as wanted:
        dataset = source.removeprefix(PREFIX)
        raise AbsentError(
            f"{name(source)}: not on this machine ({show(str(wanted), 200)}), and nothing is downloaded unasked; run "
            f"`denominator datasets {dataset} --download`, set {DOWNLOAD}=1, or run `ir_datasets "
            f"export {dataset} {part}` and give the file",
            dataset,
            part,
        ) from None
    except (OSError, RuntimeError) as error:  # what ir_datasets raises for files it cannot fetch, find or take apart
        raise InputError(f"{name(source)}: ir_datasets could not provide it ({show(str(error), 200)})") from None


@contextlib.contextmanager
def _offline() -> Iterator[None]:
    """Let every download of ir_datasets raise instead, for the length of the block."""
    from ir_datasets.util import download

    def refuse(self: Any) -> NoReturn:
        raise _WantsNetwork(getattr(self, "url", getattr(self, "uri", "")))

    kinds: list[Any] = [kind for kind in vars(download).values() if isinstance(kind, type)]
    kept = {kind: kind.stream for kind in kinds if issubclass(kind, download.BaseDownload) and "stream" in vars(kind)}
    kept.pop(download.LocalDownload)
    try:
        for kind in kept:
            kind.stream = refuse
        with _quiet():
            yield
    finally:
        for kind, stream in kept.items():
            kind.stream = stream


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Keep ir_datasets' news of what it opens, and fails to, from standard error: the error that follows says it."""
    import logging

    from ir_datasets.log import TqdmHandler

    kept = TqdmHandler.emit

    def emit(self: Any, record: Any) -> None:
        if record.levelno >= logging.WARNING:
            kept(self, record)

    try:
        TqdmHandler.emit = emit
        yield
    finally:
        TqdmHandler.emit = kept
