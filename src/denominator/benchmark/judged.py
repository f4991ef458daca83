"""The judgments of a data set: where they are, which revision they are, and which measures its makers compare by."""

from __future__ import annotations

import contextlib
import os
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from denominator.benchmark.together import never_together
from denominator.ciral import qrels_path, split_id
from denominator.errors import DenominatorError, InputError, UsageError
from denominator.fingerprints import KNOWN, Known, known_file
from denominator.formats import read_qrels
from denominator.measures import parse_measure
from denominator.quoting import quoted

if TYPE_CHECKING:
    from denominator.measures import Measure
    from denominator.model import Qrels

__all__ = ["Judged", "judged"]

CIRAL = ("nDCG@20", "R@100")
CIRAL_DEV = (*CIRAL, "RR@10")
ELSEWHERE = ("nDCG@10", "R@100")
"""Where the makers of a data set name no measure."""

_NAMED = re.compile(r"qrels\.ciral-v1\.0-(\w\w)-(dev|test-a-pools|test-a|test-b|test)\.tsv$")


class Judged(NamedTuple):
    """A data set as it is scored."""

    dataset: str
    """Its id; empty where the judgments are of no known data set."""
    qrels: Qrels
    official: tuple[Measure, ...]
    named: bool
    """Whether the official measures are the makers' own choice."""
    known: Known | None = None
    """The published file that the judgments are, by its bytes."""
    namesake: Known | None = None
    """A published file of the same name with other bytes."""


def judged(dataset: Any, ciral_dir: str | os.PathLike[str] | None = None) -> Judged:
    """Return the judgments of a data set: of an id, of a file, or of what :func:`denominator.read_qrels` reads.

    Raises:
        UsageError: several data sets, or none.
        InputError: the judgments are not there, or not those that the id promises.
    """
    if isinstance(dataset, list | tuple | set | frozenset) and dataset and all(isinstance(one, str) for one in dataset):
        raise UsageError(never_together(tuple(dataset)))
    if not isinstance(dataset, str | os.PathLike):
        return _judged("", read_qrels(dataset))
    text = os.fspath(dataset)
    if os.path.isfile(text):
        return _of_file(text)
    several = [part for part in re.split(r"[,+\s]+", text) if part]
    if len(several) > 1 and all("/" in part for part in several):
        raise UsageError(never_together(tuple(several)))
    name = text.removeprefix("ir_datasets:")
    if name.partition("/")[0] == "ciral":
        language, split, _ = split_id(name)
        path = str(qrels_path(language, split, folder=ciral_dir))
        return _judged(f"ciral/{language}/{split}", read_qrels(path), known=known_file(path))
    if os.sep in text and text.endswith((".qrels", ".tsv", ".txt", ".gz", ".json", ".jsonl")):
        raise InputError(f"{quoted(text)}: no such file, and no data set's id either; `--list` shows some")
    return _judged(name, read_qrels(f"ir_datasets:{name}"))


def _of_file(path: str) -> Judged:
    """Return the judgments of a file, which say by their bytes whose they are."""
    known = known_file(path)
    qrels = read_qrels(path)
    if known is not None:
        return _judged(_dataset_of(known), qrels, known=known)
    base = os.path.basename(path)
    namesake = next((one for one in KNOWN.values() if one.commit and os.path.basename(one.path) == base), None)
    return _judged("", qrels, namesake=namesake, like=_dataset_of(namesake) if namesake else "")


def _judged(dataset: str, qrels: Qrels, *, like: str = "", **files: Known | None) -> Judged:
    """Return judgments with the official measures of their data set, or of the one they are `like`."""
    texts = _official(dataset or like)
    return Judged(dataset, qrels, tuple(map(parse_measure, texts or ELSEWHERE)), bool(texts), **files)


def _dataset_of(known: Known) -> str:
    """Return the id of the data set that a known file judges; before 2024 the pools were called test."""
    found = _NAMED.search(known.path)
    if found is None:
        return ""
    return f"ciral/{found[1]}/{'test-a-pools' if found[2] == 'test' else found[2]}"


def _official(dataset: str) -> tuple[str, ...]:
    """Return the measures that the makers of a data set name, as we type them; none where they name none of ours."""
    if dataset.startswith("ciral/"):
        return CIRAL_DEV if dataset.endswith("/dev") else CIRAL
    if not dataset:
        return ()
    import ir_datasets

    documented = ir_datasets.load(dataset).documentation() or {}
    return tuple(text for one in documented.get("official_measures", ()) if (text := _typed(str(one))))


def _typed(text: str) -> str:
    """Return a measure as we type it, or the empty text where it is none of ours."""
    with contextlib.suppress(DenominatorError):
        return str(parse_measure(text))
    return ""
