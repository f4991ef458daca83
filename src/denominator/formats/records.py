"""JSON objects (or Python mappings) that are rows, or queries with the list of what was retrieved for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from denominator.errors import InputError
from denominator.formats import names
from denominator.formats.described import Pairs, as_json
from denominator.formats.faults import show
from denominator.formats.typed import SCORES_FROM_POSITIONS, Gathered, minus_rank

if TYPE_CHECKING:
    from denominator.formats.table import Options

__all__ = ["Pairs", "Records"]


@dataclass(frozen=True, slots=True)
class _Shape:
    """Where the members of an object with certain keys are, by their place among the keys; or why it cannot be used."""

    query: int = -1
    doc: int = -1
    value: int = -1
    rank: int = -1
    label: int = -1
    retrieved: int = -1
    fault: str = ""


@dataclass(slots=True)
class Records:
    """Objects on their way to rows.

    ``{"query_id", "doc_id", "score" | "relevance"}`` is one row, ``{"query_id", "retrieved": [...]}`` as many as its
    list is long; all spellings of :mod:`~denominator.formats.names` are understood. What has neither shape is a fault.
    """

    options: Options
    rows: Gathered = field(default_factory=Gathered)
    _shapes: dict[tuple[str, ...], _Shape] = field(default_factory=dict)
    """The keys of an object → its shape: a file has a handful of them, and millions of objects."""

    def add(self, record: Any, place: str, line: int | None = None) -> None:
        """Add what one object holds; `place` names it in messages where there is no `line`."""
        members = _members(record)
        if members is None:
            self._lose(f"{as_json(record)} is not an object with query_id, doc_id and a value", place, line)
            return
        keys = tuple([str(key) for key, _ in members])
        shape = self._shapes.get(keys)
        if shape is None:
            shape = self._shapes[keys] = _shape(keys, self.options)
        if shape.fault:
            self._lose(shape.fault, place, line)
        elif shape.retrieved >= 0:
            self.add_retrieved(members[shape.query][1], members[shape.retrieved][1], place, line)
        else:
            self._add_row(members, shape, line)

    def _add_row(self, members: Sequence[tuple[Any, Any]], shape: _Shape, line: int | None) -> None:
        rows = self.rows
        rows.query.append(members[shape.query][1])
        rows.doc.append(members[shape.doc][1])
        if shape.value >= 0:
            rows.value.append(members[shape.value][1])
        else:
            rows.value.append(minus_rank(members[shape.rank][1]))
            rows.note_ranks()
        if line is not None:
            rows.line.append(line)
        if shape.rank >= 0:
            rows.rank.append(members[shape.rank][1])
        if shape.label >= 0:
            label = members[shape.label][1]
            (rows.tag if self.options.kind == "run" else rows.iteration).append(str(label))

    def add_retrieved(self, query: Any, retrieved: Any, place: str, line: int | None = None) -> None:
        """Add one row per element of a list of ids, or of ids with their scores (pairs or objects)."""
        if not isinstance(retrieved, (list, tuple)) or isinstance(retrieved, Pairs):
            self._lose(f"retrieved holds {as_json(retrieved)}, not a list", place, line)
            return
        start = len(self.rows.doc)
        if all(isinstance(element, (str, int)) and not isinstance(element, bool) for element in retrieved):
            self.rows.extend(query, retrieved, range(-1, -len(retrieved) - 1, -1))
            if retrieved:
                self.rows.note_once(SCORES_FROM_POSITIONS)
        else:
            pairs = []
            for number, element in enumerate(retrieved):
                pair = _id_and_score(element)
                if pair is not None:
                    pairs.append(pair)
                    continue
                told = (
                    f"retrieved[{number}] is {as_json(element)}: all elements are ids, or each is an id with its score"
                )
                self._lose(told, place, line)
            self.rows.extend(query, (doc for doc, _ in pairs), (score for _, score in pairs))
        if line is not None:
            self.rows.line.extend([line] * (len(self.rows.doc) - start))

    def _lose(self, message: str, place: str, line: int | None) -> None:
        """Name an object, or an element of one, that cannot become a row."""
        self.rows.lose("json-shape", message if line is not None else f"{place}: {message}", line)


def _shape(keys: tuple[str, ...], options: Options) -> _Shape:
    """Return which of an object's keys play which role."""
    if len(set(keys)) < len(keys):
        twice = next(key for key in keys if keys.count(key) > 1)
        return _Shape(fault=f'the key "{show(twice)}" occurs twice in one object; keep one of the two')
    try:
        query = names.find(keys, names.QUERY, "the object")
        retrieved = names.find(keys, names.RETRIEVED, "the object")
        if query is not None and retrieved is not None and names.find(keys, names.DOC, "the object") is None:
            if options.kind == "qrels":
                return _Shape(fault=f"{show(str(retrieved))}: a list of retrieved documents is a run, not judgments")
            return _Shape(query=keys.index(str(query)), retrieved=keys.index(str(retrieved)))
        roles = names.roles(keys, options.kind, "the object")
    except InputError as error:
        return _Shape(fault=str(error))
    at = {role: keys.index(str(name)) for role, name in roles.items()}
    label = at.get("tag", at.get("iteration", -1))
    return _Shape(at["query"], at["doc"], at.get("value", -1), at.get("rank", -1), label)


def _members(record: Any) -> Sequence[tuple[Any, Any]] | None:
    """Return an object's members, or None for what is no object."""
    if isinstance(record, Pairs):
        return record
    return list(record.items()) if isinstance(record, Mapping) else None


def _id_and_score(element: Any) -> tuple[Any, Any] | None:
    """Return the id and score of an element that is a pair or an object, or None."""
    members = _members(element)
    if members is None:
        return (element[0], element[1]) if isinstance(element, (list, tuple)) and len(element) == 2 else None
    keys = [key for key, _ in members]
    try:
        doc, score = names.find(keys, names.DOC, ""), names.find(keys, names.SCORE, "")
    except InputError:
        return None
    return None if doc is None or score is None else (members[keys.index(doc)][1], members[keys.index(score)][1])
