"""The table of published results: one mechanism, every row with its source."""

import re

from denominator import parse_measure
from denominator.benchmark.published import listing, published, table

LANGUAGES = ("ha", "so", "sw", "yo")


def test_every_row_says_where_it_stands_and_parses_as_a_measure():
    """An address at a commit, a measure of ours spelled as we spell it, and a value that such a measure can have."""
    for row in table():
        assert re.match(r"https://github\.com/[^/]+/[^/]+/(blob|tree)/[0-9a-f]{10,40}(/|$)", row.source), row
        assert str(parse_measure(row.measure)) == row.measure
        assert 0 <= row.value <= 1
        assert row.system == row.system.strip() != ""


def test_no_system_has_two_values_from_one_source():
    """A row is a fact: a source says one number for a system, data set and measure."""
    facts = [(row.id, row.system, row.measure, row.source) for row in table()]
    assert len(facts) == len(set(facts))


def test_the_four_languages_have_what_the_collection_publishes():
    """Every test split has five systems on both official measures, two from two sources; dev has RR@10 as well."""
    for language in LANGUAGES:
        for split in ("test-a", "test-a-pools", "test-b"):
            rows = published(f"ciral/{language}/{split}")
            assert {row.measure for row in rows} == {"nDCG@20", "R@100"}
            assert len({row.counted_as for row in rows}) == 5
            assert not any(row.secondary for row in rows)
        dev = published(f"ciral/{language}/dev")
        assert {"nDCG@20", "R@100", "RR@10"} <= {row.measure for row in dev if not row.secondary}
        assert any(row.secondary for row in dev)


def test_an_average_over_languages_is_in_no_language():
    """The page's averages stand under ``ciral/test-b`` and are the means of the four published values, rounded."""
    averages = published("ciral/test-b")
    assert len(averages) == 10
    for average in averages:
        parts = [
            row.value
            for language in LANGUAGES
            for row in published(f"ciral/{language}/test-b")
            if (row.system, row.measure) == (average.system, average.measure) and "pyserini" in row.source
        ]
        assert len(parts) == 4
        assert abs(sum(parts) / 4 - average.value) <= 0.51 * 10**-average.decimals


def test_what_was_printed_decides_how_far_two_values_can_be_compared():
    """The decimals are those of the source, zeros at the end included."""
    of = {(row.system, row.measure): row for row in published("ciral/so/dev")}
    assert (of["bm25-mono", "RR@10"].value, of["bm25-mono", "RR@10"].decimals) == (0.4, 4)
    assert of["BM25-DT top100", "nDCG@5"].decimals <= 5


def test_two_names_of_one_system_have_the_same_values():
    """Where both names have a value, it is the same to the decimals that both sources give."""
    compared = 0
    for row in table():
        for other in published(row.id):
            if (other.system, other.measure) == (row.same_as, row.measure):
                assert round(other.value, row.decimals) == round(row.value, other.decimals)
                compared += 1
    assert compared == 72


def test_a_data_set_without_published_values_has_none():
    """Nothing is no error, and half an id is not the data set."""
    assert published("cranfield") == published("ciral/sw") == ()


def test_the_listing_counts_what_the_table_holds():
    """Every value is counted once."""
    rows = listing()
    assert [row.id for row in rows] == sorted(row.id for row in rows)
    assert sum(row.values for row in rows) == len(table())
    (test_a,) = [row for row in rows if row.id == "ciral/yo/test-a"]
    assert (test_a.systems, test_a.values, test_a.measures, test_a.secondary) == (5, 14, ("nDCG@20", "R@100"), 0)


def test_a_source_is_named_in_short():
    """Repository, commit and path, as a reader would cite them."""
    assert published("ciral/test-b")[0].origin == "castorini/pyserini@0a0be2960d docs/2cr/ciral.html"
