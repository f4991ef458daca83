"""Explanations of reported numbers written down: one file per format, and none of them computes anything.

To add a format, write ``outputs/explained/<name>.py`` with ``render(answers, explanation) -> str`` and add a row to
`FORMATS`.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from denominator.errors import UsageError
from denominator.quoting import quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from denominator.explain import Explanation, Verdict

__all__ = ["FORMATS", "render"]

FORMATS = {
    "text": "to read: what the number is, or why it cannot be",
    "json": "one document with everything that was found",
}
"""Format → what it is. The module of a format has its name."""


def render(verdicts: Sequence[Verdict], explanation: Explanation | None = None, form: str = "text") -> str:
    """Return verdicts on reported numbers, and what explains them where files were searched, in a format of `FORMATS`.

    Raises:
        UsageError: an unknown format.
    """
    if form not in FORMATS:
        raise UsageError(f"unknown output format {quoted(form)}: expected {', '.join(FORMATS)}")
    written: str = importlib.import_module(f"denominator.outputs.explained.{form}").render(verdicts, explanation)
    return written
