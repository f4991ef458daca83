"""Write the package's table of published results anew from the public list: ``regenerate_published.py LIST``.

The list is ``data/ciral/published.csv`` of the public runs beside the checkout: source, system, language, split, metric
and value, as collected from pages and configurations of public repositories. The table names data sets, measures and
sources the way the package does; no value changes, and none is left out.
"""

import csv
import io
import re
import sys
from pathlib import Path

TABLE = Path(__file__).parents[2] / "src" / "denominator" / "benchmark" / "published.csv"
COLUMNS = ("dataset", "split", "system", "measure", "value", "source", "secondary", "same_as", "note")

MEASURES = {"NDCG": "nDCG", "MAP": "AP", "MRR": "RR", "Recall": "R"}
"""The word of a source → the measure's name; other words are the names already."""

AVERAGE = "avg4"
"""What the list calls the page's own average over the four languages."""

_SOURCE = re.compile(r"(?P<repository>[\w-]+/[\w-]+)@(?P<commit>[0-9a-f]+) (?:\((?P<before>.*?)\) )?(?P<path>.*)")

PATHS = {
    "regression/": "src/main/resources/regression/",
    "reproduce/": "src/main/resources/reproduce/",
    "notebook output recorded by pytrec_eval 0.5 (secondary source)": "",
    "README.md (HTML-commented-out section; -c -M 100)": "README.md",
    "docs/2cr/ciral.html (page average)": "docs/2cr/ciral.html",
}
"""How a path of the list begins → how the path in the repository does."""

NOTES = {
    "2023-11-10, unreleased/superseded": "state of 2023-11-10, not on the page any more",
    "2023-11-05": "state of 2023-11-05",
    "notebook": "output of a notebook, by pytrec_eval 0.5",
    "README.md (HTML": "commented out on the page; trec_eval -c -M 100",
    "docs/2cr/ciral.html (page": "the page's average of the four languages",
}
"""How a bracket or a path of the list begins → what the table notes."""

SAME = {
    "BM25 (default) human query translation, native index": "bm25-qt",
    "BM25 (default) document translation NLLB-1.3B, English index": "bm25-dt",
    "BM25 (default) monolingual, native queries": "bm25-mono",
    "Afriberta-DPR": "afriberta-pft-msmarco-ft-mrtydi",
    "BM25-DT top100": "bm25-dt",
}
"""A system → what another source calls it: both have the same values wherever both have one (a test says so)."""


def row(given: dict[str, str]) -> tuple[str, ...]:
    """Return a row of the table."""
    found = _SOURCE.fullmatch(given["source"])
    if found is None:
        sys.exit(f"no repository@commit path: {given['source']}")
    path, before = found["path"], found["before"] or ""
    for begins, real in PATHS.items():
        if path.startswith(begins):
            path = real + path.removeprefix(begins)
    view = "blob" if path else "tree"
    url = f"https://github.com/{found['repository']}/{view}/{found['commit']}/{path}".rstrip("/")
    notes = [note for begins, note in NOTES.items() if before == begins or found["path"].startswith(begins)]
    word, at, cutoff = given["metric"].partition("@")
    dataset = "ciral" if given["language"] == AVERAGE else f"ciral/{given['language']}"
    secondary = "yes" if "secondary" in given["source"] else "no"
    measure = MEASURES.get(word, word) + at + cutoff
    same = SAME.get(given["system"], "")
    return dataset, given["split"], given["system"], measure, given["value"], url, secondary, same, "; ".join(notes)


def table(text: str) -> str:
    """Return the table for a list."""
    out = io.StringIO()
    write = csv.writer(out, lineterminator="\n")
    write.writerow(COLUMNS)
    write.writerows(map(row, csv.DictReader(io.StringIO(text, newline=""))))
    return out.getvalue()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(f"{__doc__}")
    TABLE.write_text(table(Path(sys.argv[1]).read_text(encoding="utf-8")), encoding="utf-8", newline="")
