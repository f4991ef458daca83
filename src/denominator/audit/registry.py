"""The table of checks, assembled from the families. Codes are given once and never used again."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from denominator.audit import (
    chunks,
    collection,
    contents,
    copies,
    coverage,
    denominators,
    depth,
    foreign,
    format,
    grades,
    identity,
    judged_twice,
    judgments,
    known_files,
    query_sets,
    rank_column,
    ranking,
    score_values,
    self_matches,
    shared_ids,
    ties,
    unjudged,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from denominator.audit.check import Check

__all__ = ["CHECKS"]

_FAMILIES = (
    *(format, contents, ranking, rank_column, depth, ties, score_values),
    *(judgments, judged_twice, grades, denominators, query_sets, coverage, unjudged),
    *(identity, foreign, chunks, self_matches, shared_ids, known_files, collection, copies),
)

CHECKS: Mapping[str, Check] = MappingProxyType(
    {one.code: one for one in sorted((one for family in _FAMILIES for one in family.CHECKS), key=lambda one: one.code)}
)
"""Code → check, in the order of the codes."""
