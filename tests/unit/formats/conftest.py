"""Rows as plain tuples, so that a test shows what was read."""

from collections.abc import Callable
from pathlib import Path

import pytest

from denominator.model import Qrels, Run


def as_tuples(rows: Run | Qrels) -> list[tuple[str, str, float]]:
    values = rows.score if isinstance(rows, Run) else rows.relevance
    return [
        (rows.queries[query], doc, value)
        for query, doc, value in zip(rows.query.tolist(), rows.doc_id.to_pylist(), values.tolist(), strict=True)
    ]


@pytest.fixture(scope="session", name="as_tuples")
def as_tuples_fixture() -> Callable[[Run | Qrels], list[tuple[str, str, float]]]:
    """Return what turns rows into (query, document, value)."""
    return as_tuples


@pytest.fixture
def file(tmp_path: Path) -> Callable[[str | bytes], str]:
    """Return what puts a text into a file whose name says nothing, and gives its path."""

    def put(content: str | bytes, name: str = "input") -> str:
        path = tmp_path / name
        path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
        return str(path)

    return put
