"""The nouns: qrels, run, and the ranking that a run stands for. All immutable.

Ids are strings, always: ``007`` is not ``7``. Rows stay in the order in which they were read; only :func:`order` sorts.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any, Literal, Self, cast

import numpy as np

from denominator import ids
from denominator.cached import cached_property
from denominator.quoting import plain

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    F64 = npt.NDArray[np.float64]
    I64 = npt.NDArray[np.int64]
    I32 = npt.NDArray[np.int32]
    U64 = npt.NDArray[np.uint64]
    Bool = npt.NDArray[np.bool_]

__all__ = ["Fault", "Labels", "Note", "Qrels", "Ranking", "Run", "Severity", "Source", "order"]


class Severity(Enum):
    """How much a fault or finding matters."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True, slots=True)
class Fault:
    """Something wrong or odd in an input, with its place.

    `kind` is a fixed slug such as ``field-count``; `count` says how many places one fault stands for, and `lines` or
    `query_ids` hold the first of them where it is several.
    """

    kind: str
    severity: Severity
    message: str
    source: str = ""
    line: int | None = None
    query_id: str | None = None
    doc_id: str | None = None
    count: int = 1
    lines: tuple[int, ...] = ()
    query_ids: tuple[str, ...] = ()
    remedy: str = ""
    """What an option of this tool does about it: ``--lenient header=skip (…) skips it``."""

    def __str__(self) -> str:
        """Return ``file:line: message; remedy``."""
        place = f"{self.source}:{self.line}" if self.line is not None else self.source
        return plain(f"{place}: {self.words}" if place else self.words)

    @property
    def words(self) -> str:
        """The message with its remedy, if there is one."""
        if not self.remedy:
            return self.message
        return f"{self.message}{',' if self.remedy.startswith('or ') else ';'} {self.remedy}"


@dataclass(frozen=True, slots=True)
class Note:
    """Something a reader or the scoring did or saw that the user should know: a leniency, a stripped BOM, a repeat."""

    kind: str
    message: str
    count: int = 1


@dataclass(frozen=True, slots=True)
class Source:
    """Where rows came from and how they were read.

    `name` is the path as the user gave it (``-`` for standard input), or a word such as ``DataFrame``; `read_as` is the
    sentence that is printed: ``TREC run, 6 columns, 1,000 rows``.
    """

    name: str
    format: str
    read_as: str
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, eq=False)
class Labels:
    """A text column with few distinct values: `values[code]` is the text of a row."""

    values: tuple[str, ...]
    code: I32

    def text(self, row: int) -> str:
        """Return the text of one row."""
        return self.values[int(self.code[row])]


@dataclass(frozen=True, eq=False, repr=False)
class _Rows:
    """What qrels and runs have in common: rows of (query, document), with their line in the source."""

    queries: tuple[str, ...]
    """The distinct query ids, in order of first appearance."""
    query: I32
    """Per row, the index of its query in `queries`. Shape (n,)."""
    doc_id: Any
    """Per row, the document id: an Arrow ``large_string`` array of length n."""
    source: Source
    line: I64 | None = field(default=None, kw_only=True)
    """Per row, its line in the source, from 1; None when row i is line i + 1 or there are no lines."""
    has_lines: bool = field(default=False, kw_only=True)
    """Whether the source is a text file, so that a row has a line to point at."""

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.query)

    def __repr__(self) -> str:
        """Return ``<Run bm25.run: 43 queries, 43,000 rows>``."""
        queries, rows = _counted(len(self.queries), "query", "queries"), _counted(len(self), "row", "rows")
        return f"<{type(self).__name__} {plain(self.source.name)}: {queries}, {rows}>"

    def to_arrow(self, names: Literal["ir_datasets", "ir_measures", "pyterrier"] = "ir_datasets") -> Any:
        """Return the rows as a pyarrow Table, its columns called as ir_datasets or PyTerrier calls them.

        :mod:`denominator.formats.framed` documents the columns and their types.

        Raises:
            UsageError: nobody's names.
        """
        from denominator.formats import framed

        return framed.to_arrow(self, names)

    def to_pandas(self, names: Literal["ir_datasets", "ir_measures", "pyterrier"] = "ir_datasets") -> Any:
        """Return the rows as a DataFrame, ids of type ``string``; see `to_arrow`."""
        from denominator import tables

        return tables.to_pandas(self.to_arrow(names))

    def to_polars(self, names: Literal["ir_datasets", "ir_measures", "pyterrier"] = "ir_datasets") -> Any:
        """Return the rows as a polars DataFrame; see `to_arrow`."""
        from denominator import tables

        return tables.to_polars(self.to_arrow(names))

    @classmethod
    def from_pandas(cls, frame: Any, **options: Any) -> Self:
        """Read a pandas frame: columns or levels of the index, by any of their usual names; category types too.

        Ids that are whole numbers become their decimal text, which is noted in ``source.notes``; floats are refused.
        `options` are those of :func:`denominator.read_run` and :func:`denominator.read_qrels`.

        Raises:
            InputError: not a frame of pandas, or one without the columns.
            FormatError: rows that are wrong, each named.
        """
        return cls._from(frame, "pandas", options)

    @classmethod
    def from_polars(cls, frame: Any, **options: Any) -> Self:
        """Read a polars frame; see `from_pandas`."""
        return cls._from(frame, "polars", options)

    @classmethod
    def from_arrow(cls, table: Any, **options: Any) -> Self:
        """Read a pyarrow Table or RecordBatch; see `from_pandas`."""
        return cls._from(table, "pyarrow", options)

    @classmethod
    def _from(cls, frame: Any, library: str, options: dict[str, Any]) -> Self:
        """Read a frame of one library."""
        from denominator.formats import framed

        return cast("Self", framed.from_frame(cls, frame, library, options))

    def query_of(self, row: int) -> str:
        """Return the query id of one row."""
        return self.queries[int(self.query[row])]

    def doc_of(self, row: int) -> str:
        """Return the document id of one row."""
        return str(self.doc_id[row].as_py())

    @cached_property
    def number_of(self) -> dict[str, int]:
        """Query id → its index in `queries`."""
        return dict(zip(self.queries, range(len(self.queries)), strict=True))

    def numbers_of(self, queries: Sequence[str]) -> I64:
        """Return the index in `queries` of each of some query ids, -1 where it is not there. Shape (q,)."""
        found = map(self.number_of.get, queries, itertools.repeat(-1))
        return np.fromiter(found, dtype=np.int64, count=len(queries))

    @cached_property
    def begins(self) -> I64:
        """The rows whose query is not that of the row before, the first row among them, in order."""
        code = self.query
        found = np.flatnonzero(code[1:] != code[:-1])
        found += 1
        return np.concatenate([np.zeros(min(len(code), 1), dtype=np.int64), found])

    @property
    def is_grouped(self) -> bool:
        """Whether the rows of every query stand together: codes count first appearances, so they never step back."""
        code = self.query[self.begins]
        return not (code[1:] < code[:-1]).any()

    def line_of(self, row: int) -> int | None:
        """Return the line of one row in its file, from 1; None when it did not come from a text file."""
        if self.line is not None:
            return int(self.line[row])
        return row + 1 if self.has_lines else None

    @cached_property
    def pair_hash(self) -> U64:
        """Per row, a 64-bit hash of its (query, document) pair; equal pairs have equal hashes, in every file."""
        return ids.hash_pairs(ids.hash_texts(self.queries), self.query, self.doc_id)

    @cached_property
    def repeated_rows(self) -> I64:
        """The rows whose (query, document) pair occurs more than once, in row order."""
        suspects = self._rows_of_equal_hashes()
        groups: dict[tuple[int, str], list[int]] = {}
        for row, query, doc in zip(
            suspects.tolist(), self.query[suspects].tolist(), ids.strings_at(self.doc_id, suspects), strict=True
        ):
            groups.setdefault((query, doc), []).append(row)
        rows = [row for group in groups.values() if len(group) > 1 for row in group]
        return np.array(sorted(rows), dtype=np.int64)

    def _rows_of_equal_hashes(self) -> I64:
        """Return the rows that share their pair's hash with another row, in row order.

        A pair can only repeat within its query: rows that are grouped by query are sorted in pieces that fit a cache.
        """
        found = []
        for low, high in _query_chunks(self.begins, len(self), ids.BLOCK) if self.is_grouped else [(0, len(self))]:
            part = self.pair_hash[low:high]
            ordered = np.sort(part)
            same = ordered[1:] == ordered[:-1]
            if same.any():
                doubled = ordered[1:][same]
                at = np.minimum(np.searchsorted(doubled, part), len(doubled) - 1)
                found.append(np.flatnonzero(doubled[at] == part) + low)
        return np.concatenate(found) if found else np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, eq=False, repr=False)
class Qrels(_Rows):
    """Relevance judgments: one row per (query, document, relevance).

    Units: `relevance` is a whole number (int64) unless real-valued gains were asked for (float64). Below 0 a document
    is in the pool but not judged, as in trec_eval; 0 is judged non-relevant.
    """

    relevance: I64 | F64 = field(kw_only=True)
    iteration: Labels | None = field(default=None, kw_only=True)
    """The second column as read (subtopics in diversity judgments), or None."""

    @cached_property
    def by_hash(self) -> tuple[I64, U64]:
        """The rows in the order of their hashes, and the hashes in that order: sorted once for many runs."""
        order = np.argsort(self.pair_hash, kind="stable")
        return order, self.pair_hash[order]

    @cached_property
    def grades_by_query(self) -> I64 | F64:
        """The grades grouped by query, highest first within a query. Shape (n,)."""
        grades: I64 | F64 = self.relevance[np.lexsort((-self.relevance, self.query))]
        return grades


@dataclass(frozen=True, eq=False, repr=False)
class Run(_Rows):
    """A system's output: one row per (query, document, score), as it was read.

    The `rank` column is kept for the audit and never decides the order; `ranking` does, from the scores.
    """

    score: F64 = field(kw_only=True)
    rank: I32 | I64 | tuple[str, ...] | None = field(default=None, kw_only=True)
    """The rank column: whole numbers (of 32 bits where all are below 2**30), or its texts where one is not a whole
    number; None where there is none."""
    tag: Labels | None = field(default=None, kw_only=True)

    @cached_property
    def ranking(self) -> Ranking:
        """The run in ranked order: see :func:`order`."""
        return order(self)

    @property
    def name(self) -> str:
        """The run's name: its source."""
        return self.source.name


@dataclass(frozen=True, eq=False, repr=False)
class Ranking:
    """A run's rows grouped by query and in ranked order.

    Query `q` (an index into ``run.queries``) holds positions ``offsets[q]`` to ``offsets[q + 1]``; the run's row at a
    position is ``rows[position]``, or the position itself when `rows` is None because the run was already in order.
    """

    offsets: I64
    rows: I32 | I64 | None
    unordered: Bool
    """Per query, whether its rows were not in ranked order as read."""
    scattered: bool = False
    """Whether the rows of some query do not stand together."""

    @property
    def resorted(self) -> int:
        """How many queries were not in ranked order as read."""
        return int(self.unordered.sum())

    def positions(self, rows: I64, query: I32 | I64) -> I64:
        """Return the position within its query's ranking, from 0, of some rows; `query` is their query. Shapes (m,)."""
        place = rows.copy()
        if self.rows is not None:
            moved = np.ones(len(rows), dtype=np.bool_) if self.scattered else self.unordered[query]
            some = np.zeros(len(self.unordered), dtype=np.bool_)
            some[query[moved]] = True
            among = self._at(np.flatnonzero(some))
            order = np.argsort(self.rows[among])
            place[moved] = among[order[np.searchsorted(self.rows[among], rows[moved], sorter=order)]]
        position: I64 = place - self.offsets[query]
        return position

    def _at(self, queries: I64) -> I64:
        """Return the places that some queries hold, one query after the other."""
        size = self.offsets[queries + 1] - self.offsets[queries]
        places: I64 = np.arange(int(size.sum())) + np.repeat(self.offsets[queries] - (np.cumsum(size) - size), size)
        return places

    def __repr__(self) -> str:
        """Return ``<Ranking: 43 queries, 43,000 rows>``."""
        queries = _counted(len(self.offsets) - 1, "query", "queries")
        return f"<Ranking: {queries}, {_counted(int(self.offsets[-1]), 'row', 'rows')}>"

    def rows_of(self, query: int) -> I64:
        """Return the run's rows of one query, best first."""
        return self.rows_at(np.arange(self.offsets[query], self.offsets[query + 1]))

    def rows_at(self, places: I64) -> I64:
        """Return the run's rows at some places: offsets of queries plus positions. Shapes (m,)."""
        return places if self.rows is None else self.rows[places].astype(np.int64)

    def in_order(self) -> I64:
        """Return all the run's rows, in the order of the ranking. Shape (n,)."""
        return np.arange(self.offsets[-1]) if self.rows is None else self.rows.astype(np.int64)


def order(run: Run) -> Ranking:
    """Rank a run: score descending compared as 64-bit floats, ties by document id descending in byte order.

    This is what trec_eval (the tag ``trec_eval-9.0.8`` of 2023, and 10.0) does, and the only place that sorts. The rank
    column has no say. NaN, where a leniency let it in, ranks last. The same document twice keeps the order of its rows.
    """
    n, queries = len(run), len(run.queries)
    code, score = run.query, run.score
    rows: I64 | None = None
    if not run.is_grouped:
        rows = np.argsort(code, kind="stable")
        code, score = code[rows], score[rows]
    offsets = np.zeros(queries + 1, dtype=np.int64)
    if rows is None and len(run.begins) == queries:
        offsets[:-1], offsets[-1] = run.begins, n
    else:
        np.cumsum(np.bincount(code, minlength=queries), out=offsets[1:])
    unordered = np.zeros(queries, dtype=np.bool_)
    for low in range(0, n - 1, ids.BLOCK):
        some, scores = code[low : low + ids.BLOCK + 1], score[low : low + ids.BLOCK + 1]
        above = np.flatnonzero(~(scores[1:] < scores[:-1]) & (some[1:] == some[:-1]))  # few: a score that does not fall
        tied = scores[above + 1] == scores[above]
        unordered[some[above[~tied]]] = True
        above = above[tied]
        above = above[~unordered[some[above]]] + low
        left, right = (above, above + 1) if rows is None else (rows[above], rows[above + 1])
        if len(above):
            unordered[code[above[_is_less(run.doc_id, left, right)]]] = True
    if not unordered.any():
        return Ranking(offsets, rows, unordered, rows is not None)
    scattered = rows is not None
    if rows is None:
        rows = np.arange(n, dtype=np.int32 if n < 1 << 31 else np.int64)
    positions = np.flatnonzero(unordered[code])
    begins = np.flatnonzero(np.diff(code[positions], prepend=-1))
    for low, high in _query_chunks(begins, len(positions), 1 << 20):
        at = positions[low:high]
        words = ids.order_words(run.doc_id, rows[at])
        keys: list[Any] = [~word for word in reversed(words)]
        rows[at] = rows[at][np.lexsort((*keys, -score[at], code[at]))]
    return Ranking(offsets, rows, unordered, scattered)


def _is_less(column: Any, left: I64, right: I64) -> Bool:
    """Return, pair by pair, whether the left id sorts before the right one in byte order."""
    both = ids.order_words(column, np.concatenate([left, right]))
    undecided = np.ones(len(left), dtype=np.bool_)
    less = np.zeros(len(left), dtype=np.bool_)
    for words in both:
        a, b = words[: len(left)], words[len(left) :]
        less |= undecided & (a < b)
        undecided &= a == b
    return less


def _counted(number: int, one: str, many: str) -> str:
    """Return a number with its noun."""
    return f"{number:,} {one if number == 1 else many}"


def _query_chunks(begins: I64, n: int, size: int) -> list[tuple[int, int]]:
    """Split n rows, grouped by query, into ranges of about `size` rows that never cut a query.

    `begins` are the rows with which a query begins, in order.
    """
    cuts = [0]
    while cuts[-1] < n:
        at = int(np.searchsorted(begins, cuts[-1] + size))
        cuts.append(int(begins[at]) if at < len(begins) else n)
    return list(itertools.pairwise(cuts))
