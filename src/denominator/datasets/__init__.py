"""Data sets by their id: CIRAL beside those of ir_datasets.

Importing this package imports ir_datasets and registers CIRAL with it::

    import denominator.datasets
    import ir_datasets

    ir_datasets.load("ciral/sw/test-a")

What needs no ir_datasets is in :mod:`denominator.ciral`, which is faster to import. The stock command ``ir_datasets``
does not import this package, and so cannot see CIRAL.
"""

from __future__ import annotations

from denominator.datasets.ciral import register

__all__ = ["register"]

register()
