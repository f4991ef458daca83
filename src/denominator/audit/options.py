"""What an audit may be told: cutoffs, the size of the corpus, thresholds, and which checks to run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from denominator.model import Severity

__all__ = ["AuditOptions"]


@dataclass(frozen=True, slots=True)
class AuditOptions:
    """The audit's settings; each is an option of ``denominator audit`` and a key of ``[tool.denominator]``."""

    k: tuple[int, ...] = (10,)
    """Cutoffs at which ceilings, ties and unjudged documents are looked at."""
    level: float = 1
    """The grade from which a document is relevant."""
    corpus_size: int | None = None
    """Documents in the collection, for label coverage."""
    grades: tuple[int, int] | None = None
    """The declared scale, smallest and largest grade, both allowed."""
    min_coverage: float | None = None
    """Label coverage (judged / corpus) below which a query is reported."""
    min_judged: float = 0.8
    """Judged@k below which a run is reported."""
    min_queries: int = 25
    """Queries below which a mean's precision is reported."""
    max_tied: float = 0.5
    """Share of tied neighbours above which a run is reported."""
    collapse: str | None = None
    """What stands between document and chunk in the ids of the runs, which are then audited as documents."""
    near_duplicates: float | None = None
    """The share of three-word runs from which two texts of the corpus are nearly the same."""
    select: tuple[str, ...] = ()
    """Codes or their beginnings to run; empty for all."""
    ignore: tuple[str, ...] = ()
    """Codes or their beginnings to leave out."""
    per_file_ignores: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    """Pattern of file names (``*.run``) → codes or their beginnings to leave out for those files."""
    severities: Mapping[str, Severity] = field(default_factory=lambda: MappingProxyType({}))
    """Code → severity, where it is not the check's own."""

    def wants(self, code: str) -> bool:
        """Return whether a check is to be run; the longest matching prefix decides, `ignore` wins a tie.

        >>> AuditOptions(select=("D",), ignore=("D101",)).wants("D101")
        False
        """
        chosen = max((len(prefix) for prefix in self.select if code.startswith(prefix)), default=-1)
        dropped = max((len(prefix) for prefix in self.ignore if code.startswith(prefix)), default=-1)
        return (not self.select or chosen >= 0) and dropped < max(chosen, 0) if self.select else dropped < 0
