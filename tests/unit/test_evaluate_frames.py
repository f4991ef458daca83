"""Scores as tables of Arrow and pandas."""

import dataclasses

import pytest

import denominator as dn
from inputs import judged, ranked

QRELS = judged("007 a 1\n10 b 1\n7 c 1")


@pytest.fixture
def scores():
    run = ranked("007 a\n7 x c")
    other = dataclasses.replace(run, source=dataclasses.replace(run.source, name="other"))
    return dn.evaluate(QRELS, [run, other], "P@2 Unjudged@2 AP")


def test_the_arrow_table_holds_every_row_with_its_type(scores):
    """Ids are strings, values doubles, missing is null, and the counts of the fractions are there."""
    table = scores.to_arrow()
    assert {field.name: str(field.type) for field in table.schema} == {
        "run": "string",
        "query_id": "string",
        "measure": "string",
        "value": "double",
        "answered": "bool",
        "undefined": "bool",
        "engine": "string",
        "numerator": "int64",
        "denominator": "int64",
        "best": "int64",
        "ceiling": "double",
    }
    rows = [tuple(row.values())[:6] for row in table.to_pylist()]
    assert rows == [tuple(row._replace(measure=str(row.measure)))[:6] for row in scores.rows()]
    assert table.schema.metadata[b"dialect"] == b"trec_eval-c"


def test_long_pandas_goes_to_arrow_and_back(scores):
    """The long frame holds what the Arrow table holds."""
    pa = pytest.importorskip("pyarrow")
    table = scores.to_arrow()
    frame = scores.to_pandas()
    again = pa.Table.from_pandas(frame, schema=table.schema.remove_metadata(), preserve_index=False)
    assert again.to_pylist() == table.to_pylist()
    assert frame["query_id"].tolist()[:3] == ["007", "10", "7"]


def test_wide_pandas_has_a_column_for_each_measure(scores):
    """Indexed by run and query, NaN where there is no value; the means over columns are the means."""
    frame = scores.to_pandas("wide")
    assert frame.index.names == ["run", "query_id"]
    assert list(frame.columns) == ["P@2", "Unjudged@2", "AP"]
    assert frame.loc[("other", "7"), "AP"] == 0.5
    assert frame["Unjudged@2"].isna().tolist() == [False, True, False] * 2
    for mean in scores.means():
        assert frame.loc[mean.run, str(mean.measure)].mean() == pytest.approx(mean.value)


def test_another_form_is_refused(scores):
    """Only the two."""
    with pytest.raises(dn.UsageError, match="form='tall'"):
        scores.to_pandas("tall")


def test_the_repr_is_the_means(scores):
    """What a notebook shows first is the means with what they are over."""
    assert repr(scores).splitlines()[0].startswith("test: P@2 0.333 (3 judged: 2 answered, 1 scored 0), 67% of the")
