"""Writers: qrels and runs as TREC, nested JSON, JSON lines or Parquet, so that reading back gives the same rows.

Rows stay in the order in which they are held, except in nested JSON, which groups them by query. Scores are written
with all their digits. The ``rank`` that TREC's format asks for is computed from the ranking; no other format gets one.
"""

from __future__ import annotations

import json
import math
import re
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from denominator.errors import InputError, UsageError
from denominator.formats.placing import placed, split_suffix
from denominator.model import Run

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from os import PathLike

    from denominator.model import I64, Labels, Qrels

__all__ = ["WRITTEN", "write_qrels", "write_run"]

BLOCK = 1 << 16  # rows turned into text at a time

SUFFIXES = {".json": "json", ".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet"}
"""The suffixes that name a format; a name without a suffix, or with one of its own such as ``.run``, is TREC."""

UNWRITTEN = {".arrow", ".csv", ".feather", ".ipc", ".tsv", ".yaml", ".yml"}
"""Suffixes that promise a format which has no writer: better refused than filled with TREC."""

UNHOLDABLE = re.compile(r"[ \t\n\v\f\r\0]")
"""What ends a field, or the text, for a reader of TREC's format."""


def write_run(run: Run, destination: str | PathLike[str], *, format: str | None = None) -> str:
    """Write a run and return the sentence that says what was written: ``TREC run, 6 columns, 1,000 rows``.

    The format is that of the suffix (``.json``, ``.jsonl``, ``.parquet``; otherwise TREC) unless `format` names one of
    :data:`WRITTEN`; a further ``.gz``, ``.bz2``, ``.xz``, ``.zst`` or ``.lz4`` compresses; ``-`` is standard output.
    The file appears whole or not at all. Raises :class:`~denominator.errors.InputError` for a NaN score and for rows
    that the format cannot hold, such as an id with a blank in TREC's.
    """
    nan = np.flatnonzero(np.isnan(run.score))
    if len(nan):
        raise InputError(f"{_row(run, int(nan[0]))}: the score is NaN, which no format here can hold; give it a number")
    return _write(run, str(destination), format)


def write_qrels(qrels: Qrels, destination: str | PathLike[str], *, format: str | None = None) -> str:
    """Write judgments and return the sentence that says what was written; otherwise as :func:`write_run`."""
    return _write(qrels, str(destination), format)


def _write(rows: Run | Qrels, destination: str, format: str | None) -> str:
    """Write rows in the format that was asked for, or that the destination's name stands for."""
    kind = "run" if isinstance(rows, Run) else "qrels"
    suffix, compression = split_suffix(destination)
    if format is None and suffix in UNWRITTEN:
        raise UsageError(
            f"{destination}: {suffix} names a format that is not written; choose one of {', '.join(WRITTEN)} (--to)"
        )
    name = format or SUFFIXES.get(suffix, "trec")
    if name not in WRITTEN:
        raise UsageError(f"{name}: not a format that is written; choose one of {', '.join(WRITTEN)}")
    if name == "parquet" and compression:
        raise UsageError(f"{destination}: Parquet compresses its columns itself; leave {compression} away")
    with placed(destination) as file:
        words = WRITTEN[name](rows, file)
    return f"{words.format(kind=kind)}, {len(rows):,} {'row' if len(rows) == 1 else 'rows'}"


def _trec(rows: Run | Qrels, file: IO[bytes]) -> str:
    """Write ``query Q0 doc rank score tag``, or ``query iteration doc relevance``."""
    for query in rows.queries:
        _refuse_unholdable(query, "query id", rows)
    columns = _trec_run(rows) if isinstance(rows, Run) else _trec_qrels(rows)
    for low, docs in _blocks(rows):
        if UNHOLDABLE.search("".join(docs)) or "" in docs:
            for doc in docs:
                _refuse_unholdable(doc, "document id", rows)
        file.write("".join(columns(low, docs)).encode("utf-8"))
    return "TREC run, 6 columns" if isinstance(rows, Run) else "TREC qrels, 4 columns"


def _trec_run(run: Run) -> Callable[[int, list[str]], Iterator[str]]:
    """Return what turns a block of rows of a run into lines."""
    rank = _ranks(run)
    tags = _one_word(run.tag, "run")

    def lines(low: int, docs: list[str]) -> Iterator[str]:
        part = slice(low, low + len(docs))
        cells = zip(
            run.query[part].tolist(), docs, rank[part].tolist(), run.score[part].tolist(), tags(part), strict=True
        )
        return (f"{run.queries[query]} Q0 {doc} {at} {score!r} {tag}\n" for query, doc, at, score, tag in cells)

    return lines


def _trec_qrels(qrels: Qrels) -> Callable[[int, list[str]], Iterator[str]]:
    """Return what turns a block of judgments into lines."""
    iterations = _one_word(qrels.iteration, "0")

    def lines(low: int, docs: list[str]) -> Iterator[str]:
        part = slice(low, low + len(docs))
        cells = zip(qrels.query[part].tolist(), iterations(part), docs, qrels.relevance[part].tolist(), strict=True)
        return (f"{qrels.queries[query]} {second} {doc} {grade!r}\n" for query, second, doc, grade in cells)

    return lines


def _json(rows: Run | Qrels, file: IO[bytes]) -> str:
    """Write ``{query: {document: value}}``, one line per query, as pytrec_eval, BEIR and ranx read it."""
    repeated = rows.repeated_rows
    if len(repeated):
        raise InputError(f"{_row(rows, int(repeated[0]))}: occurs more than once; a JSON object holds a key once")
    values = rows.score if isinstance(rows, Run) else rows.relevance
    grouped = np.argsort(rows.query, kind="stable")
    ends = np.cumsum(np.bincount(rows.query, minlength=len(rows.queries))).tolist()
    quoted = _quote()
    docs = rows.doc_id.take(grouped)
    file.write(b"{")
    start = 0
    for number, (query, end) in enumerate(zip(rows.queries, ends, strict=True)):
        cells = zip(docs[start:end].to_pylist(), values[grouped[start:end]].tolist(), strict=True)
        inside = ", ".join(f"{quoted(doc)}: {_number(value)}" for doc, value in cells)
        file.write(f"{',' if number else ''}\n{quoted(query)}: {{{inside}}}".encode())
        start = end
    file.write(b"\n}\n")
    return "nested JSON {kind}"


def _jsonl(rows: Run | Qrels, file: IO[bytes]) -> str:
    """Write ``{"query_id", "doc_id", "score" | "relevance"}``, one object a line, with the tag or iteration if any."""
    value_name, values = ("score", rows.score) if isinstance(rows, Run) else ("relevance", rows.relevance)
    label_name, labels = ("tag", rows.tag) if isinstance(rows, Run) else ("iteration", rows.iteration)
    quoted = _quote()
    queries = [quoted(query) for query in rows.queries]
    ends = [f', "{label_name}": {quoted(text)}' for text in labels.values] if labels is not None else [""]
    for low, docs in _blocks(rows):
        part = slice(low, low + len(docs))
        codes = labels.code[part].tolist() if labels is not None else [0] * len(docs)
        cells = zip(rows.query[part].tolist(), docs, values[part].tolist(), codes, strict=True)
        text = "".join(
            f'{{"query_id": {queries[query]}, "doc_id": {quoted(doc)}, "{value_name}": {_number(value)}{ends[code]}}}\n'
            for query, doc, value, code in cells
        )
        file.write(text.encode("utf-8"))
    return "JSON lines {kind}"


def _parquet(rows: Run | Qrels, file: IO[bytes]) -> str:
    """Write the columns query_id, doc_id, score or relevance, and the tag or iteration if there is one."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = {"query_id": _decoded(rows.queries, rows.query), "doc_id": rows.doc_id}
    if isinstance(rows, Run):
        columns["score"] = pa.array(rows.score)
        label_name, labels = "tag", rows.tag
    else:
        columns["relevance"] = pa.array(rows.relevance)
        label_name, labels = "iteration", rows.iteration
    if labels is not None:
        columns[label_name] = _decoded(labels.values, labels.code)
    pq.write_table(pa.table(columns), file, compression="zstd")
    return f"Parquet {{kind}}, {len(columns)} columns"


WRITTEN: dict[str, Callable[[Any, IO[bytes]], str]] = {
    "trec": _trec,
    "json": _json,
    "jsonl": _jsonl,
    "parquet": _parquet,
}
"""The formats that are written, by name."""


def _decoded(values: tuple[str, ...], code: Any) -> Any:
    """Return a text column from its distinct values and codes, as an Arrow array of texts."""
    import pyarrow as pa

    return pa.DictionaryArray.from_arrays(pa.array(code), pa.array(values, pa.large_string())).dictionary_decode()


def _blocks(rows: Run | Qrels) -> Iterator[tuple[int, list[str]]]:
    """Yield (first row, document ids) for blocks of rows."""
    for low in range(0, len(rows), BLOCK):
        yield low, rows.doc_id[low : low + BLOCK].to_pylist()


def _ranks(run: Run) -> I64:
    """Return, per row, its rank in its query's ranking, from 1."""
    ranking = run.ranking
    place = np.arange(len(run))
    if ranking.rows is not None:
        place[ranking.rows] = np.arange(len(run))
    rank: I64 = place - ranking.offsets[run.query] + 1
    return rank


def _one_word(labels: Labels | None, otherwise: str) -> Callable[[slice], list[str]]:
    """Return what gives the labels of a range of rows, each as one word: a blank would begin a new column."""
    if labels is None:
        return lambda part: [otherwise] * (part.stop - part.start)
    words = [UNHOLDABLE.sub("_", text) or otherwise for text in labels.values]
    return lambda part: [words[code] for code in labels.code[part].tolist()]


def _refuse_unholdable(text: str, what: str, rows: Run | Qrels) -> None:
    """Raise for an id that would not come back from a TREC file."""
    if UNHOLDABLE.search(text) or not text:
        why = "has a blank" if text else "is empty"
        raise InputError(f"{rows.source.name}: {what} {text!r} {why}, and TREC's columns end at blanks; use --to jsonl")
    if text.startswith("\ufeff") and what == "query id":
        raise InputError(
            f"{rows.source.name}: query id {text!r} begins with U+FEFF, a byte order mark where a line begins; "
            "use --to jsonl"
        )
    if text.startswith("#") and what == "query id":
        raise InputError(
            f"{rows.source.name}: query id {text!r} begins with #, which makes the line a comment in TREC's format; "
            "use --to jsonl"
        )


def _row(rows: Run | Qrels, row: int) -> str:
    """Return where a row is, in words."""
    return f"{rows.source.name}: query {rows.query_of(row)!r}, document {rows.doc_of(row)!r}"


def _quote() -> Callable[[str], str]:
    """Return what writes a text as a JSON string, its letters as they are."""
    return json.JSONEncoder(ensure_ascii=False).encode


def _number(value: float) -> str:
    """Return a number in JSON; for infinity, which JSON lacks, the word that Python and JavaScript have.

    >>> _number(0.1 + 0.2), _number(float("-inf")), _number(3)
    ('0.30000000000000004', '-Infinity', '3')
    """
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return repr(value)
