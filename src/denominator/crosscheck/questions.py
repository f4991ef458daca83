"""The measures of a cross-check: ours, and texts that we refuse and other tools may read."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from denominator.crosscheck.answers import Question
from denominator.errors import MeasureError
from denominator.measures import parse_measures

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["DEFAULT", "asked"]

DEFAULT = "P@10 R@10 RR AP nDCG@10"
"""What is asked where no measure is named: measures that nearly every implementation has."""

_CUT = re.compile(r"(?P<name>[A-Za-z_]+?)[_@.](?P<cutoff>[0-9]+)")
"""A name of trec_eval's or ours with a cutoff behind it."""


def asked(measures: object) -> tuple[Question, ...]:
    """Return the questions in some texts or measures.

    A known name with a cutoff that we refuse, such as ``P_0``, is a question too: what other tools make of it is worth
    seeing.

    Raises:
        MeasureError: a text is no measure of anybody's.
    """
    questions: dict[str, Question] = {}
    for one in _parts(measures):
        try:
            for measure in parse_measures([one]):
                questions.setdefault(str(measure), Question(str(measure), measure))
        except MeasureError as error:
            if not isinstance(one, str) or not _is_cut(one):
                raise
            questions.setdefault(one, Question(one, None, str(error)))
    if not questions:
        parse_measures("")  # says what was expected
    return tuple(questions.values())


def _parts(measures: object) -> Iterable[object]:
    """Return single texts and measures."""
    listed = [measures] if isinstance(measures, str) or not hasattr(measures, "__iter__") else list(measures)
    return [part for one in listed for part in (one.split() if isinstance(one, str) and "(" not in one else [one])]


def _is_cut(text: str) -> bool:
    """Return whether a text is a known name with a number behind it."""
    from denominator.measures.registry import REGISTRY, TREC

    found = _CUT.fullmatch(text)
    return found is not None and (found["name"] in REGISTRY or found["name"] in TREC)
