"""Two qrels files side by side: shared query ids, contradicting grades, and files that are known."""

import hashlib
import itertools
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import denominator as dn
from denominator import fingerprints, ids
from denominator.findings import Finding
from denominator.fingerprints import KNOWN, known_file
from denominator.model import Severity

ROOT = Path(__file__).parents[3]
LANGUAGES = ("ha", "so", "sw", "yo")
grades = st.dictionaries(
    st.sampled_from(["q", "r", "s"]),
    st.dictionaries(st.sampled_from(["a", "b", "c", "d"]), st.integers(0, 2), min_size=1),
    min_size=1,
)


def both(code: str, *files: object) -> list[Finding]:
    return list(dn.audit(files[0], others=files[1:], select=code))


@given(grades, grades)
def test_conflicting_pairs_are_those_that_a_comparison_pair_by_pair_finds(one, two):
    """Counts, grades and places are those of the plain dictionaries."""
    pairs = [(q, d) for q in one if q in two for d in one[q] if d in two[q]]
    conflicts = {(q, d): (two[q][d], one[q][d]) for q, d in pairs if one[q][d] != two[q][d]}
    found = both("I108", one, two)
    assert len(found) == bool(conflicts)
    for finding in found:
        assert finding.numbers["pairs"] == len(pairs)
        assert finding.numbers["conflicts"] == finding.count == len(conflicts)
        assert finding.numbers["relevant"] == sum(two[q][d] >= 1 for q, d in pairs)
        assert finding.numbers["relevant there"] == sum(one[q][d] >= 1 for q, d in pairs)
        told = {(at.query_id, at.doc_id): (at.values["grade"], at.values["other_grade"]) for at in finding.places}
        assert told == conflicts


def test_two_judges_agree_less_than_their_raw_agreement_says():
    """17 of 20 pairs alike, 4 and 3 relevant: 0.85, and kappa 0.4828; AP is 0.771 by the one and 1 by the other."""
    names = [f"d{number:02}" for number in range(1, 21)]
    human, model = ({"q": {name: int(name in some) for name in names}} for some in (names[:4], ["d01", "d02", "d05"]))
    order = ["d01", "d05", "d02", "d03", "d06", "d04"]
    run = {"q": {name: -float(place) for place, name in enumerate(order)}}
    (found,) = dn.audit(human, run, others=[model], select="I108")
    assert found.numbers["agreement"] == 0.85
    assert found.numbers["kappa"] == pytest.approx(0.482759, abs=5e-7)
    assert found.numbers["AP there"] == pytest.approx((1 + 2 / 3 + 3 / 4 + 4 / 6) / 4)
    assert found.numbers["AP here"] == 1
    assert "85.0% agree, Cohen's kappa 0.483. By these judgments the run has AP 1.000 instead of 0.771" in found.message


def test_kappa_has_no_value_where_chance_explains_everything():
    """Judges who both call everything relevant have nothing to agree on beyond chance: no kappa, not 0/0."""
    (found,) = both("I108", {"q": {"a": 1, "b": 1}}, {"q": {"a": 1, "b": 2}})
    assert found.numbers["kappa"] is None
    assert "kappa" not in found.message


@given(grades, grades)
def test_query_ids_without_a_common_document_are_other_queries(one, two):
    """With few documents a query, sharing less than a tenth is sharing none."""
    apart = {q for q in one if q in two and not set(one[q]) & set(two[q])}
    found = both("I107", one, two)
    assert {at.query_id for finding in found for at in finding.places} == apart
    for finding in found:
        assert finding.numbers["queries"] == len(apart)
        assert finding.numbers["shared query ids"] == len(set(one) & set(two))
        assert finding.numbers["|Rel|"] == sum(grade >= 1 for q in apart for grade in two[q].values())


def test_one_common_document_in_twenty_is_chance():
    """Two queries of twenty documents each that share one are different queries, and that share three are one."""
    one = {"q": {f"a{number}": 1 for number in range(20)}}
    two = {"q": {"a0": 1, **{f"b{number}": 1 for number in range(19)}}}
    same = {"q": {"a0": 1, "a1": 1, "a2": 1, **{f"b{number}": 1 for number in range(17)}}}
    assert [found.numbers["documents in common"] for found in both("I107", one, two)] == [1]
    assert both("I107", one, same) == []


def test_different_pairs_of_one_hash_are_not_the_same(monkeypatch):
    """Where the hashes of two pairs are equal, the ids themselves are compared: the query and the document."""
    monkeypatch.setattr(ids, "hash_pairs", lambda query_hash, query, column: ids.hash_ids(column))
    assert both("I108", {"q": {"a": 1}}, {"r": {"a": 0}, "q": {"z": 1}}) == []
    assert len(both("I108", {"q": {"a": 1}}, {"q": {"a": 0}})) == 1
    monkeypatch.setattr(ids, "hash_pairs", lambda query_hash, query, column: query_hash[query])
    assert both("I108", {"q": {"a": 1}}, {"q": {"z": 0}}) == []


def test_every_two_files_are_compared():
    """Three files are three pairs, each told of the later one."""
    files = [{"q": {name: 1}} for name in "abc"]
    assert len(both("I107", *files)) == 3


@pytest.mark.shared
@pytest.mark.parametrize(("language", "conflicts"), [("ha", 98), ("so", 214), ("sw", 47), ("yo", 114)])
def test_ciral_shallow_and_pooled_judgments_contradict_each_other(shared, language, conflicts):
    """As many pairs of test-a and test-a-pools are graded differently as the data's description says."""
    first, second = (_ciral(shared, language, split) for split in ("test-a", "test-a-pools"))
    (found,) = both("I108", first, second)
    assert found.numbers["conflicts"] == found.count == conflicts


@pytest.mark.shared
def test_ciral_languages_use_the_same_query_ids(shared):
    """Four languages audited together: of each two, all shared query ids are reported, here 43 to 10 of test-a."""
    files = [_ciral(shared, language, "test-a") for language in LANGUAGES]
    found = both("I107", *files)
    counts = [one.numbers["queries"] for one in found]
    assert counts == [one.numbers["shared query ids"] for one in found]
    assert sorted(counts) == sorted([43, 34, 10, 41, 16, 16])


@pytest.mark.shared
def test_ciral_ha_dev_and_test_share_seven_query_ids(shared):
    """The 7 query ids of both are different queries."""
    (found,) = both("I107", _ciral(shared, "ha", "dev"), _ciral(shared, "ha", "test-a"))
    assert (found.numbers["queries"], found.numbers["documents in common"]) == (7, 0)


def _ciral(shared: Path, language: str, split: str) -> str:
    return str(shared / f"data/ciral/qrels/qrels.ciral-v1.0-{language}-{split}.tsv")


def test_the_fingerprints_of_our_own_samples_are_true():
    """The table knows the sample judgments by their bytes."""
    for name in ("agri.qrels", "agri-true.qrels"):
        known = known_file(str(ROOT / "qrels" / name))
        assert known is not None
        assert known.name == name
    labelled, relevant = (dn.read_qrels(str(ROOT / "qrels" / name)) for name in ("agri.qrels", "agri-true.qrels"))
    counts = [sum(rows.query_of(row) == "q_broad" for row in range(len(rows))) for rows in (labelled, relevant)]
    assert counts == [8, 12]
    assert "of the 12 passages that are relevant to q_broad 8 are labelled" in KNOWN[_digest("agri.qrels")].issues[0]


def test_every_qrels_file_of_an_audit_is_looked_up():
    """The truth and the files beside the judgments are told too; a run is not, and what was no file is not."""
    first, second = (str(ROOT / "qrels" / name) for name in ("agri.qrels", "agri-true.qrels"))
    found = dn.audit(first, truth=second, others=[second, {"q": {"d": 1}}], select="I109")
    assert sorted(one.source for one in found) == sorted([first, second, second])


def _digest(name: str) -> str:
    return hashlib.sha256((ROOT / "qrels" / name).read_bytes()).hexdigest()


@pytest.mark.shared
def test_every_ciral_file_is_known(shared):
    """All 16 files are known without a warning, and the 3 of November 2023 that were replaced with one."""
    for language, split in itertools.product(LANGUAGES, ("dev", "test-a", "test-a-pools", "test-b")):
        (found,) = both("I109", _ciral(shared, language, split))
        assert found.severity is Severity.INFO
        assert f"{split}, " in found.message
    old = sorted((shared / "data/ciral/qrels-2023-11").glob("*.tsv"))
    found = {path.name[17:19]: both("I109", str(path))[0] for path in old}
    assert {language for language, one in found.items() if one.severity is Severity.WARNING} == {"so", "sw", "yo"}


@pytest.mark.shared
@pytest.mark.parametrize(("language", "changed"), [("so", 205), ("sw", 47), ("yo", 93)])
def test_what_is_known_of_the_superseded_files_is_so(shared, language, changed):
    """The number of changed grades in the table is the number that the two files differ in."""
    (old,) = (shared / "data/ciral/qrels-2023-11").glob(f"*-{language}-*")
    (found,) = both("I108", str(old), _ciral(shared, language, "test-a-pools"))
    (known,) = both("I109", str(old))
    assert found.numbers["conflicts"] == changed
    assert f"{changed} pairs are graded otherwise in the present revision" in known.message


@pytest.mark.shared
def test_the_ceiling_of_swahili_test_b_is_known(shared):
    """Query 23 and its 113/114 are told with the file."""
    (known,) = both("I109", _ciral(shared, "sw", "test-b"))
    assert "query 23 has one judgment" in known.message
    assert "113/114 = 0.9912" in known.message


def test_other_bytes_are_not_known(tmp_path):
    """One byte more, and it is another file; a name that is no path is none either."""
    changed = tmp_path / "agri.qrels"
    changed.write_bytes((ROOT / "qrels/agri.qrels").read_bytes() + b"\n")
    assert known_file(str(changed)) is None
    assert [known_file(name) for name in ("-", "DataFrame", "a\0b", str(tmp_path), "x" * 10_000)] == [None] * 5


def test_large_files_are_not_looked_at(tmp_path, monkeypatch):
    """Beyond a limit nothing is hashed."""
    monkeypatch.setattr(fingerprints, "LARGEST", 10)
    assert known_file(str(ROOT / "qrels/agri.qrels")) is None
