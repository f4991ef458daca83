"""The look-alike of CIRAL is always the same, never taken for CIRAL, and as odd as the real files are."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

import pytest

import denominator as dn
from denominator import ciral
from denominator.errors import InputError

SCRIPT = Path(__file__).parents[2] / "notebooks" / "make_ciral.py"
DIGEST = "92daffb74021eedecfb5030d14cdd2088615838cdfe2be76c01a871b55c1dccf"
"""SHA-256 over the paths and bytes of all files, in the order of their paths."""


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    """The files, made once by the command."""
    folder = tmp_path_factory.mktemp("made")
    subprocess.run([sys.executable, SCRIPT, folder], check=True)
    return folder


def qrels(made: Path, language: str, split: str) -> Path:
    return made / f"qrels/qrels.ciral-v1.0-{language}-{split}.tsv"


def paths(made: Path) -> list[str]:
    return sorted(path.relative_to(made).as_posix() for path in made.rglob("*") if path.is_file())


@pytest.fixture(scope="module")
def audited(made) -> dict[str, dict[str, int]]:
    """Code → file → places, of all sixteen files of judgments."""
    first = qrels(made, "sw", "test-b")  # others are not taken apart
    others = sorted(set((made / "qrels").iterdir()) - {first})
    found: dict[str, dict[str, int]] = {}
    for one in dn.audit(first, others=others):
        name = Path(one.source).stem.removeprefix("qrels.ciral-v1.0-")
        of = found.setdefault(one.code, {})
        of[name] = of.get(name, 0) + one.count
    return found


def test_it_is_the_same_everywhere_and_always(made):
    """Byte for byte, on every platform and Python version; a change of the script is a change of this number."""
    digest = hashlib.sha256()
    for path in paths(made):
        digest.update(path.encode() + b"\0" + (made / path).read_bytes())
    assert digest.hexdigest() == DIGEST


def test_it_is_laid_out_as_the_real_files_are(made):
    """Every path that the pinned commit has, the English queries of dev, and runs for test-a."""
    pinned = {
        file.path for language in ciral.LANGUAGES for split in ciral.SPLITS for file in ciral.needed(language, split)
    }
    there = {path for path in paths(made) if not path.startswith("runs/")}
    assert there - pinned == {f"topics/topics.ciral-v1.0-{language}-dev.tsv" for language in ciral.LANGUAGES}
    assert pinned <= there
    assert len(paths(made)) - len(there) == 12


@pytest.mark.parametrize("language", list(ciral.LANGUAGES))
@pytest.mark.parametrize("split", ciral.SPLITS)
def test_it_has_as_many_queries_as_the_real_one(made, language, split):
    """And judgments of the same order: shallow ones about 20 a query, pooled ones about four times as many."""
    read = dn.read_qrels(qrels(made, language, split))
    queries, judgments, _ = ciral.COUNTS[language, split]
    assert len(read.queries) == queries
    assert 0.75 < len(read) / judgments < 1.25


def test_the_ids_promise_other_bytes(made):
    """It is refused under CIRAL's ids, and nothing that is published is set beside a run on it."""
    with pytest.raises(InputError, match="not CIRAL"):
        ciral.qrels_path("sw", "test-a", folder=made)
    (part,) = dn.benchmark(qrels(made, "sw", "test-a"), made / "runs/sw-test-a-dense.run").parts
    assert part.official == ("nDCG@20", "R@100")
    assert [one for one in part.standings if one.beside] == []
    assert "unknown-revision" in [note.kind for note in part.notes]


def test_the_audit_finds_lines_that_end_in_tabs_and_files_without_a_last_newline(audited):
    """In the very files, and as many, as in the real ones."""
    assert audited["F104"] == {"ha-test-a": 1, "so-test-a": 5}
    assert set(audited["F110"]) == {"ha-dev", "so-dev", "sw-dev", "yo-dev"}


def test_the_audit_finds_the_query_that_nobody_can_answer(audited):
    """Query 23 of sw test-b: judged, nothing relevant; no mean can be above 113/114."""
    assert audited["Q105"] == {"sw-test-b": 1}
    assert "D112" in audited


def test_the_audit_finds_pairs_that_the_pools_grade_otherwise(audited):
    """As many in each language as in the real files, and no others."""
    assert audited["I108"] == {"ha-test-a": 98, "so-test-a": 214, "sw-test-a": 47, "yo-test-a": 114}


def test_the_audit_finds_query_ids_that_languages_share(audited):
    """In every split of every language but the first that is looked at."""
    assert len(audited["I107"]) >= 12


def test_seven_hausa_ids_of_dev_are_other_queries_in_test_a(made):
    """And no other two splits of a language share an id, but for test-a and its pools."""
    for language in ciral.LANGUAGES:
        dev, shallow, pools, last = (set(dn.read_qrels(qrels(made, language, split)).queries) for split in ciral.SPLITS)
        assert shallow == pools
        assert (len(dev & shallow), dev & last, shallow & last) == (7 if language == "ha" else 0, set(), set())


def test_document_ids_hold_a_hash_and_some_are_those_of_two_languages(made):
    """Written as in the real files: SOURCE#article#passage."""
    documents = {
        language: {
            document
            for split in ciral.SPLITS
            for document in dn.read_qrels(qrels(made, language, split)).doc_id.to_pylist()
        }
        for language in ciral.LANGUAGES
    }
    assert all(document.count("#") == 2 for some in documents.values() for document in some)
    assert documents["ha"] & documents["sw"]


def test_queries_are_read_as_they_were_meant(made):
    """Without CSV's quotes, blanks and a U+FEFF; the id that stands twice is an error that names the line."""
    topics = ciral.read_topics(made / "topics/topics.ciral-v1.0-yo-test-b-native.tsv")
    raw = (made / "topics/topics.ciral-v1.0-yo-test-b-native.tsv").read_text(encoding="utf-8")
    assert "\ufeff" in raw
    assert '""' in raw
    assert not [one for one in topics if "\ufeff" in one.text or '""' in one.text or one.text != one.text.strip()]
    with pytest.raises(InputError, match=r":\d+: query 237 again"):
        ciral.read_topics(made / "topics/topics.ciral-v1.0-sw-test-b-native.tsv")
    assert "23" not in {one.query_id for one in ciral.read_topics(made / "topics/topics.ciral-v1.0-sw-test-b.tsv")}
