"""The table of repairs: the code of a check, and what mends the file that it finds fault with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from denominator.repair import lines, rows
from denominator.repair.ranks import CONCERNED, renumber

if TYPE_CHECKING:
    from denominator.repair.text import Keep, Lines, Mended

__all__ = ["REPAIRS", "Repair"]


@dataclass(frozen=True, slots=True)
class Repair:
    """One repair."""

    kinds: str
    """``run``, ``qrels``, or both with a blank between."""
    mend: Callable[[Lines, Keep | None], Mended]
    unit: str
    """What is counted, in the plural."""
    done: str
    """What becomes of it: ``left out``."""
    asked: str = ""
    """Why it is done only where its whole code is selected; empty where it is not: no score changes then."""


BOTH = "run qrels"
CHANGES = "it changes scores"
LOSES = "rows may be lost with these lines"
LOOK_FIRST = {
    "R105": "the scores may stand in the rank column",
    "R107": "judgments may stand in the rank column",
}
JUDGE = "what these judgments mean is not in the file"
REPLACES = "the scores themselves are lost"

REPAIRS: Mapping[str, Repair] = MappingProxyType(
    {
        "F103": Repair(BOTH, lines.strip_bom, "byte order marks", "taken away"),
        "F102": Repair(BOTH, lines.end_in_lf, "lines", "made to end in LF"),
        "F107": Repair(BOTH, lines.drop_header, "header lines", "left out"),
        "F108": Repair(BOTH, lines.drop_comments, "comment lines", "left out"),
        "F109": Repair(BOTH, lines.drop_possible_rows, "lines", "left out", LOSES),
        "F115": Repair(BOTH, lines.drop_blank_lines, "blank lines", "left out"),
        "F104": Repair(BOTH, lines.strip_ends, "lines", "stripped at their ends"),
        "F101": Repair(BOTH, lines.one_delimiter, "lines", "parted anew"),
        "F111": Repair(BOTH, lines.cut_fields, "lines", "cut", "a blank inside an id makes more fields as well"),
        "F105": Repair("run", lines.add_tag, "lines", "given a tag"),
        "F112": Repair(BOTH, lines.drop_short_lines, "lines", "left out", LOSES),
        "F106": Repair("run", lines.one_tag, "tags", "replaced", "there may be several systems in the file"),
        "F116": Repair("run", rows.drop_words, "rows", "left out", CHANGES),
        "F117": Repair("run", rows.drop_overflows, "rows", "left out", CHANGES),
        "F118": Repair("qrels", rows.drop_words, "judgments", "left out", CHANGES),
        "F119": Repair("qrels", rows.drop_overflows, "judgments", "left out", CHANGES),
        "T105": Repair("run", rows.drop_nan, "rows", "left out", CHANGES),
        "R110": Repair(
            "run", rows.negate_scores, "scores", "negated", "nobody but you knows whether these are distances"
        ),
        "R101": Repair("run", rows.keep_one_copy, "rows", "left out", CHANGES),
        "R111": Repair("run", rows.scores_from_ranks, "scores", "replaced", REPLACES),
        "T108": Repair("run", rows.scores_from_lines, "scores", "replaced", REPLACES),
        "T103": Repair("run", rows.scores_from_places, "scores", "replaced", REPLACES),
        "Q101": Repair("qrels", rows.collapse_repeats, "judgments", "left out"),
        "Q103": Repair("qrels", rows.collapse_subtopics, "judgments", "left out", CHANGES),
        "Q102": Repair("qrels", rows.settle_conflicts, "judgments", "left out", CHANGES),
        "Q107": Repair("qrels", rows.raise_to_zero, "grades", "made 0", JUDGE),
        "Q105": Repair("qrels", rows.drop_nothing_relevant, "judgments", "left out", JUDGE),
        "Q106": Repair("qrels", rows.drop_all_negative, "judgments", "left out", JUDGE),
        "F113": Repair(BOTH, rows.group_queries, "rows", "moved"),
        **{code: Repair("run", renumber(code), "ranks", "changed", LOOK_FIRST.get(code, "")) for code in CONCERNED},
        "F110": Repair(BOTH, lines.add_newline, "lines", "ended"),
    }
)
"""Code → repair, in the order in which they are made: lines first, then which rows stay, then their order and ranks."""
