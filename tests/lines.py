"""Rows written in a line, and the means that `score` prints of them, by the measure's text."""

from collections.abc import Sequence
from typing import Any

import denominator as dn


def rows(text: str) -> list[tuple[str, str, float]]:
    """Return rows from ``query document number; query document number; …``."""
    return [(query, document, float(number)) for query, document, number in map(str.split, text.split(";"))]


def grades(text: str) -> list[tuple[str, str, int]]:
    """Return rows as :func:`rows` does, with whole numbers."""
    return [(query, document, int(number)) for query, document, number in rows(text)]


def printed(qrels: Any, run: Any, measures: Sequence[str], **settings: Any) -> dict[str, float | None]:
    """Return the mean of each measure."""
    scores = dn.evaluate(qrels, run, measures, **settings)
    return {str(mean.measure): mean.value for mean in scores.means()}
