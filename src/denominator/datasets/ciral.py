"""CIRAL as data sets of ir_datasets: ``ciral/{ha,so,sw,yo}/{dev,test-a,test-a-pools,test-b}``, and ``…/native``.

=========================  ========================================================================================
``ciral/sw``               the passages in Swahili, from a local copy
``ciral/sw/test-a``        passages, queries in English, qrels
``ciral/sw/test-a/native`` passages, queries in Swahili, the same qrels
=========================  ========================================================================================

The folder is looked up when something is read, so ``DENOMINATOR_CIRAL`` may be set after the import.
"""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING, Any, NamedTuple

from denominator.ciral import (
    COUNTS,
    ISSUES,
    LANGUAGES,
    LICENCE,
    PASSAGES,
    SPLITS,
    Topic,
    corpus_file,
    local_file,
    needed,
    qrels_path,
    read_topics,
    topics,
)
from denominator.ciral.places import corpus_fingerprint, folder_in_use
from denominator.datasets.download import PinnedDownload
from denominator.errors import InputError
from denominator.quoting import short

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["QREL_DEFS", "CiralDoc", "local_file", "qrels_path", "register", "topics"]

QREL_DEFS = {0: "not relevant: the passage does not answer the query", 1: "relevant: the passage answers the query"}


class CiralDoc(NamedTuple):
    """A passage."""

    doc_id: str
    title: str
    text: str
    url: str

    def default_text(self) -> str:
        """Return title and text."""
        return f"{self.title} {self.text}"


class Documentation:
    """What ir_datasets shows of a data set; its own are read from inside its package."""

    def __init__(self, language: str, split: str = "", native: bool = False) -> None:
        """Speak of a language, or of one of its splits."""
        self.language, self.split, self.native = language, split, native

    def documentation(self) -> dict[str, Any]:
        """Return title, description, official measures, licence, known oddities, and where the files are from."""
        name = LANGUAGES[self.language]
        if not self.split:
            return {
                "pretty_name": f"CIRAL: passages in {name}",
                "desc": f"<p>{PASSAGES[self.language]:,} passages of news in {name}, from a local copy.</p>",
                "data_access": LICENCE,
            }
        queries, judged, relevant = COUNTS[self.language, self.split]
        files = needed(self.language, self.split)
        return {
            "pretty_name": f"CIRAL: {name} {self.split}{f', queries in {name}' if self.native else ''}",
            "desc": (
                f"<p>Queries in {name if self.native else 'English'}, passages in {name}. {queries} judged queries, "
                f"{judged:,} judgments, {relevant:,} relevant.</p>"
            ),
            "official_measures": ["nDCG@20", "R@100"],
            "data_access": LICENCE,
            "known_issues": [*ISSUES, *(f"{file.name}: {issue}" for file in files for issue in file.issues)],
            "published": [file.published for file in files],
        }


def register() -> None:
    """Register CIRAL with ir_datasets; a second time does nothing."""
    import ir_datasets
    from ir_datasets.datasets.base import Dataset
    from ir_datasets.util import MetadataComponent
    from ir_datasets.util.metadata import MetadataProvider

    if "ciral/ha" in list(ir_datasets.registry):
        return
    provider = MetadataProvider(_counts)
    docs, queries, qrels = _handlers()

    def add(name: str, *parts: Any) -> None:
        dataset = Dataset(*parts)
        ir_datasets.registry.register(name, Dataset(MetadataComponent(name, dataset, provider), dataset))

    for language in LANGUAGES:
        passages = docs(language)
        add(f"ciral/{language}", passages, Documentation(language))
        for split in SPLITS:
            judged = qrels(language, split)
            name = f"ciral/{language}/{split}"
            add(name, passages, queries(language, split, False), judged, Documentation(language, split))
            native = Documentation(language, split, native=True)
            add(f"{name}/native", passages, queries(language, split, True), judged, native)


def _counts() -> dict[str, dict[str, dict[str, int]]]:
    """Return how many documents, queries and judgments each id has, as ir_datasets holds such facts."""
    found = {}
    for (language, split), (queries, judged, _) in COUNTS.items():
        docs = {"count": PASSAGES[language]}
        found[f"ciral/{language}"] = {"docs": docs}
        texts = queries - ((language, split) == ("sw", "test-b"))  # query 23 is judged and has no text
        for suffix in ("", "/native"):
            row = {"docs": docs, "queries": {"count": texts}, "qrels": {"count": judged}}
            found[f"ciral/{language}/{split}{suffix}"] = row
    return found


def _handlers() -> tuple[Any, Any, Any]:
    """Return the classes that ir_datasets reads documents, queries and judgments with."""
    from ir_datasets.formats import BaseDocs, BaseQueries, TrecQrels
    from ir_datasets.indices import PickleLz4FullStore
    from ir_datasets.util import use_docstore

    class CiralDocs(BaseDocs):  # type: ignore[misc]  # ir_datasets ships no types
        def __init__(self, language: str) -> None:
            self.language = language

        def docs_path(self, force: bool = True) -> Path:
            return corpus_file(self.language)

        def verdict(self) -> str:
            """Return the fingerprint of the local copy."""
            return f"SHA-256 {corpus_fingerprint(corpus_file(self.language))}; no revision is pinned"

        # ir_datasets ships no types
        @use_docstore  # type: ignore[untyped-decorator]
        def docs_iter(self) -> Iterator[CiralDoc]:
            return _passages(corpus_file(self.language))

        def docs_cls(self) -> type[CiralDoc]:
            return CiralDoc

        def docs_store(self, field: str = "doc_id") -> Any:
            path = corpus_file(self.language)
            digest = corpus_fingerprint(path)  # another copy of the corpus must not be answered from this one's store
            store = folder_in_use("")[0] / f"docs-{self.language}-{digest[:16]}.pklz4"
            return PickleLz4FullStore(str(store), lambda: _passages(path), CiralDoc, field, ["doc_id"])

        def docs_namespace(self) -> str:
            return f"ciral/{self.language}"

        def docs_lang(self) -> str:
            return self.language

    # ir_datasets ships no types
    class CiralQueries(BaseQueries):  # type: ignore[misc]
        def __init__(self, language: str, split: str, native: bool) -> None:
            self.native = native
            self.language = language
            self.download = PinnedDownload(language, split, "native" if native else "topics")

        def queries_path(self) -> Path:
            return self.download.path()

        def queries_iter(self) -> Iterator[Topic]:
            return iter(read_topics(self.download.file()))

        def queries_cls(self) -> type[Topic]:
            return Topic

        def queries_namespace(self) -> str:
            return f"ciral/{self.language}"

        def queries_lang(self) -> str:
            return self.language if self.native else "en"

    def judgments(language: str, split: str) -> Any:
        return TrecQrels(PinnedDownload(language, split, "qrels"), QREL_DEFS)

    return CiralDocs, CiralQueries, judgments


def _passages(path: Path) -> Iterator[CiralDoc]:
    """Yield the passages in the lines of a file."""
    with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            try:
                found = json.loads(line)
                yield CiralDoc(*(str(found[key] or "") for key in ("docid", "title", "text", "url")))
            except (ValueError, RecursionError, KeyError, TypeError) as error:
                raise InputError(
                    f"{path}:{number}: {short(repr(error))}; expected a JSON object with docid, title, text and url"
                ) from None
