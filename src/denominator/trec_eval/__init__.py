"""trec_eval's own command line, number for number: what the C program would print for two files.

`columns` turns the arguments of ``-m`` into the lines of the printout, `tabulate` fills them. The rest of the package
puts trec_eval's slips right; here they are kept, and `Table.notes` names each one.
"""

from __future__ import annotations

from denominator.trec_eval.columns import Column, columns, ignored
from denominator.trec_eval.options import Options
from denominator.trec_eval.queries import MissingQueryError
from denominator.trec_eval.table import Table, tabulate

__all__ = ["Column", "MissingQueryError", "Options", "Table", "columns", "ignored", "tabulate"]
