"""CIRAL as data sets of ir_datasets: ``ciral/{ha,so,sw,yo}/{dev,test-a,test-a-pools,test-b}``, and ``…/native``."""

from __future__ import annotations

from denominator.ciral import local_file, qrels_path, topics

__all__ = ["local_file", "qrels_path", "register", "topics"]


def register() -> None:
    """Register CIRAL with ir_datasets, once."""
