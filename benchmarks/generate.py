"""Write the collections that the benchmarks time, always the same bytes for the same sizes.

    python benchmarks/generate.py --workloads A,C
    python benchmarks/generate.py --queries 500 --depth 100 --judged 20 --graded --runs 3 --name mine

Each query has a hidden list of candidate documents, best first. A run is that list with noise, cut at its depth;
judgments are drawn from the same list, mostly near its top. So runs and judgments overlap as those of a real
collection do: some judged documents are never retrieved, most retrieved documents are unjudged.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from pyarrow import csv

from workloads import DATA, WORKLOADS, Workload

SEED = 20
DOCUMENTS = 11_999_987  # a prime, and 2 modulo 3: see `documents`. Ids have 1 to 8 digits
QUERY_IDS = 2_000_000
BLOCK_ROWS = 1_000_000
VERSION = 1  # raise it when the bytes change, so that old files are written anew

Ints = npt.NDArray[np.int64]


class Collection:
    """The hidden truth behind a workload: its query ids, and each query's candidates from best to worst."""

    def __init__(self, workload: Workload) -> None:
        """Draw query ids and candidate lists; the name is no part of the seed, so D's first run is C's."""
        self.workload = workload
        self.candidates = max(2 * workload.depth, 2 * int(np.ceil(workload.judged)) + 2)
        rng = np.random.default_rng([SEED, workload.queries, workload.depth])
        self.query_ids = rng.choice(max(QUERY_IDS, workload.queries), workload.queries, replace=False) + 1
        self._starts = rng.integers(0, DOCUMENTS, workload.queries)
        self._strides = rng.integers(1, DOCUMENTS, workload.queries)

    def documents(self, queries: Ints, candidates: Ints) -> Ints:
        """Name the documents at these places (queries × n) of the queries' candidate lists."""
        slots = (self._starts[queries, None] + candidates * self._strides[queries, None]) % DOCUMENTS
        # A stride never visits a slot twice modulo a prime, and cubing shuffles the slots when the prime is 2 modulo 3.
        cubes: Ints = slots * slots % DOCUMENTS * slots % DOCUMENTS
        return cubes

    def blocks(self) -> Iterator[Ints]:
        """Query positions, a block at a time, so that memory stays flat."""
        step = max(1, BLOCK_ROWS // self.candidates)
        for start in range(0, self.workload.queries, step):
            yield np.arange(start, min(start + step, self.workload.queries))


def run_table(collection: Collection, queries: Ints, rng: np.random.Generator, tag: str) -> pa.Table:
    """Rank these queries' candidates with noise: six TREC columns in rank order, six decimals, very few ties."""
    depth = collection.workload.depth
    noise = rng.normal(0.0, 0.8, (len(queries), collection.candidates))
    keys = np.log(np.arange(1, collection.candidates + 1)) + noise
    chosen = np.argsort(keys, axis=1)[:, :depth]
    top = rng.uniform(15.0, 40.0, (len(queries), 1))
    falls = rng.exponential(1.0, (len(queries), depth)) / np.arange(4, depth + 4) ** 0.7
    scores = np.round(top - np.cumsum(falls, axis=1) * top / 40, 6)
    ranks = np.tile(np.arange(1, depth + 1), len(queries))
    rows = len(ranks)
    return pa.table(
        {
            "query": np.repeat(collection.query_ids[queries], depth),
            "Q0": pa.repeat("Q0", rows),
            "document": collection.documents(queries, chosen).ravel(),
            "rank": ranks,
            "score": scores.ravel(),
            "tag": pa.repeat(tag, rows),
        }
    )


def qrels_table(collection: Collection, queries: Ints, rng: np.random.Generator) -> pa.Table:
    """Judge some candidates of these queries, those near the top of the hidden list more often."""
    workload = collection.workload
    most = int(np.ceil(workload.judged))
    share = workload.judged - (most - 1)
    counts = np.where(rng.random(len(queries)) < share, most, most - 1)
    places = np.arange(1, collection.candidates + 1)
    # The smallest of exponential waiting times: a draw without replacement, weighted by 1/place.
    waits = rng.exponential(1.0, (len(queries), collection.candidates)) * places
    chosen = np.argsort(waits, axis=1)[:, :most]
    grades = np.ones_like(chosen)
    if workload.graded:
        good = 3.2 * np.exp(-chosen / (0.35 * most)) + rng.normal(0.0, 0.7, chosen.shape)
        grades = np.clip(np.round(good), 0, 3).astype(np.int64)
    kept = np.arange(most) < counts[:, None]
    return pa.table(
        {
            "query": np.repeat(collection.query_ids[queries], counts),
            "0": pa.repeat("0", int(counts.sum())),
            "document": collection.documents(queries, chosen)[kept],
            "grade": grades[kept],
        }
    )


def write(path: Path, tables: Iterator[pa.Table]) -> None:
    """Write tables as lines of blank-separated columns."""
    options = csv.WriteOptions(include_header=False, delimiter=" ", quoting_style="none")
    first = next(tables)
    with csv.CSVWriter(str(path), first.schema, write_options=options) as writer:
        writer.write_table(first)
        for table in tables:
            writer.write_table(table)


def generate(workload: Workload, folder: Path = DATA) -> None:
    """Write one workload's qrels and runs into the folder, unless the same ones lie there already."""
    stamp = folder / f"{workload.name}.json"
    described = json.dumps({**asdict(workload), "seed": SEED, "version": VERSION}, indent=1) + "\n"
    if stamp.exists() and stamp.read_text(encoding="utf-8") == described:
        return
    folder.mkdir(parents=True, exist_ok=True)
    stamp.unlink(missing_ok=True)
    collection = Collection(workload)
    rng = np.random.default_rng([SEED, 0])
    write(workload.qrels_path(folder), (qrels_table(collection, block, rng) for block in collection.blocks()))
    for number, path in enumerate(workload.run_paths(folder), start=1):
        rng = np.random.default_rng([SEED, number])
        tag = f"system{number:02d}"
        write(path, (run_table(collection, block, rng, tag) for block in collection.blocks()))
    stamp.write_text(described, encoding="utf-8")


def main(arguments: list[str] | None = None) -> None:
    """Generate the named workloads, or one of the sizes given."""
    parser = argparse.ArgumentParser(description="Write benchmark collections.")
    parser.add_argument("--workloads", default=",".join(WORKLOADS), help="comma-separated names (default: all)")
    parser.add_argument("--folder", type=Path, default=DATA, help="where to write (default: benchmarks/data)")
    parser.add_argument("--name", default="custom", help="name of a workload of your own sizes")
    parser.add_argument("--queries", type=int, help="queries of your own workload; replaces --workloads")
    parser.add_argument("--depth", type=int, default=100)
    parser.add_argument("--judged", type=float, default=10.0, help="mean judged documents per query")
    parser.add_argument("--graded", action="store_true", help="grades 0-3 instead of 1")
    parser.add_argument("--runs", type=int, default=1)
    options = parser.parse_args(arguments)
    if options.queries is not None:
        sizes = (options.queries, options.depth, options.judged)
        workloads = [Workload(options.name, *sizes, graded=options.graded, runs=options.runs)]
    else:
        names = [name for name in options.workloads.split(",") if name]
        if unknown := [name for name in names if name not in WORKLOADS]:
            parser.error(f"no workload {', '.join(unknown)}: choose from {', '.join(WORKLOADS)}")
        workloads = [WORKLOADS[name] for name in names]
    for workload in workloads:
        generate(workload, options.folder)


if __name__ == "__main__":
    main()
