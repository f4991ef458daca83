"""CIRAL's own files through ir_datasets: every split, every count, and no other bytes."""

import re
import shutil
import unicodedata
from pathlib import Path

import pytest

import denominator as dn
from denominator.ciral import COUNTS, LANGUAGES, SPLITS, Topic, local_file, qrels_path, topics
from denominator.ciral.files import path_of, pinned_file, superseded_file
from denominator.errors import InputError

pytestmark = pytest.mark.shared
EVERY = [pytest.param(language, split, id=f"{language}-{split}") for language in LANGUAGES for split in SPLITS]


@pytest.fixture(scope="module")
def laid_out(shared, tmp_path_factory):
    """Return a folder laid out as the downloads would lay it, made of copies."""
    folder = tmp_path_factory.mktemp("ciral")
    for name in ("qrels", "topics"):
        shutil.copytree(shared / "data/ciral" / name, folder / name, copy_function=shutil.copyfile)
        (folder / name).chmod(0o755)
    return folder


@pytest.fixture
def ir_datasets(laid_out, monkeypatch):
    """Return ir_datasets with CIRAL in it, reading that folder."""
    monkeypatch.setenv("DENOMINATOR_CIRAL", str(laid_out))
    monkeypatch.delenv("DENOMINATOR_DOWNLOAD", raising=False)
    import ir_datasets

    import denominator.datasets  # noqa: F401  (it registers CIRAL)

    return ir_datasets


@pytest.fixture(scope="session")
def table(shared):
    """Return what the description of the data says of each split: queries, judgments, relevant."""
    text = (shared / "data/README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (ha|so|sw|yo) \| (\S+) \| (\d+) \| (\d+) \| (\d+) \|", text, re.MULTILINE)
    return {(language, split): tuple(map(int, counts)) for language, split, *counts in rows}


@pytest.mark.parametrize(("language", "split"), EVERY)
def test_every_split_loads_through_ir_datasets(ir_datasets, table, language, split):
    """Queries, judgments and positives are as many as described; each judged query but one has a text."""
    dataset = ir_datasets.load(f"ciral/{language}/{split}")
    native = ir_datasets.load(f"ciral/{language}/{split}/native")
    rows = list(dataset.qrels_iter())
    judged = {row.query_id for row in rows}
    found = (len(judged), len(rows), sum(row.relevance > 0 for row in rows))
    assert found == table[language, split] == COUNTS[language, split]
    assert len(dataset.qrels) == found[1]
    assert list(native.qrels_iter()) == rows
    for one in [native] if split == "dev" else [dataset, native]:
        queries = [query.query_id for query in one.queries_iter()]
        assert len(queries) == len(set(queries)) == len(one.queries)
        assert judged - set(queries) == ({"23"} if (language, split) == ("sw", "test-b") else set())
        assert set(queries) <= judged
    qrels = dn.read_qrels(f"ir_datasets:ciral/{language}/{split}")
    assert (len(qrels.queries), len(qrels)) == found[:2]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_english_queries_of_dev_are_said_to_be_unpinned(ir_datasets, language):
    """They are not in the pinned commit: where they go, and what to use instead."""
    with pytest.raises(InputError, match=f"ciral/{language}/dev/native"):
        list(ir_datasets.load(f"ciral/{language}/dev").queries_iter())


@pytest.mark.parametrize(("language", "split"), EVERY)
def test_a_flipped_bit_is_refused_and_the_file_named(laid_out, tmp_path, language, split):
    """Anywhere in the file."""
    for part in ("qrels", "native"):
        path = tmp_path / path_of(language, split, part)
        path.parent.mkdir()
        data = bytearray((laid_out / path_of(language, split, part)).read_bytes())
        data[len(data) // 2] ^= 1
        path.write_bytes(data)
        with pytest.raises(
            InputError, match=rf"{re.escape(path.name)}: not CIRAL v1\.0 .* bytes, as expected, with SHA"
        ):
            local_file(language, split, part, folder=tmp_path)


@pytest.mark.parametrize("language", ["so", "sw", "yo"])
def test_the_revision_of_november_2023_is_named(shared, tmp_path, language):
    """Under the name of the present file it is refused, and said to be what it is."""
    path = tmp_path / path_of(language, "test-a-pools", "qrels")
    path.parent.mkdir()
    old = shared / f"data/ciral/qrels-2023-11/qrels.ciral-v1.0-{language}-test.941921fd.tsv"
    path.write_bytes(old.read_bytes())
    with pytest.raises(InputError, match=r"revision of November 2023, superseded \(\d+ pairs are graded otherwise"):
        qrels_path(language, "test-a-pools", folder=tmp_path)
    assert superseded_file(language).size == old.stat().st_size


def test_the_hausa_file_of_november_2023_is_the_present_one(shared, tmp_path):
    """It never changed, so it is accepted."""
    path = tmp_path / path_of("ha", "test-a-pools", "qrels")
    path.parent.mkdir()
    path.write_bytes((shared / "data/ciral/qrels-2023-11/qrels.ciral-v1.0-ha-test.941921fd.tsv").read_bytes())
    assert qrels_path("ha", "test-a-pools", folder=tmp_path) == path


def test_the_odd_queries_are_read_as_they_were_meant(laid_out):
    """Quotes, edges, U+FEFF, the query id that stands twice; texts that are not in NFC stay as they are."""
    of = {
        (language, split, native): dict(topics(language, split, native=native, folder=laid_out))
        for language in LANGUAGES
        for split in SPLITS
        for native in (False, True)
        if native or split != "dev"
    }
    for texts in of.values():
        assert all(text == text.strip() != "" and "\ufeff" not in text and '""' not in text for text in texts.values())
    assert list(of["sw", "test-b", True]) == list(of["sw", "test-b", False])
    assert of["sw", "test-b", False]["238"].endswith("one parent was from America and other from kenya?")
    assert of["sw", "test-b", True]["238"].startswith("Rais 44 wa America")
    assert of["sw", "test-b", True]["237"].startswith("Ni virusi gani")
    assert of["yo", "test-b", True]["57"].startswith("Àsìkò wo")
    assert '"annobar"' in next(text for text in of["ha", "test-b", False].values() if "annobar" in text)
    loose = sum(unicodedata.normalize("NFC", text) != text for text in of["yo", "test-b", True].values())
    assert loose == 21
    assert isinstance(topics("sw", "dev", native=True, folder=laid_out)[0], Topic)


def test_what_the_table_says_of_topics_is_true(laid_out):
    """Counts of quoted lines, of blanks at edges and of texts that are not in NFC; the last newline."""
    for language in LANGUAGES:
        for split in ("dev", "test-a", "test-b"):
            for part in ("topics", "native"):
                known = pinned_file(language, split, part)
                if known is None:
                    continue
                text = Path(laid_out / known.path).read_text(encoding="utf-8")
                said = " | ".join(known.issues)
                texts = [line.split("\t")[1] for line in text.split("\n") if line]
                assert ("newline" in said) == (not text.endswith("\n"))
                assert ("CSV" in said) == any(one.startswith('"') for one in texts)
                assert ("edge" in said or "at its" in said) == any(
                    one.strip('"') != one.strip('"').strip() for one in texts
                )
                loose = sum(unicodedata.normalize("NFC", one) != one for one in texts)
                assert (f"{loose} texts are not in Unicode form NFC" in said) == (loose > 0)
