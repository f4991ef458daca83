"""Scores as tables of Arrow and pandas."""

import dataclasses
import sys

import pyarrow as pa
import pytest

import denominator as dn
from denominator.frames import TABLES
from denominator.tables import PANDAS
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
    types = {"text": "string", "real": "double", "count": "int64", "flag": "bool"}
    assert {field.name: str(field.type) for field in table.schema} == {
        name: types[kind.rstrip("?")] for name, kind in TABLES["scores"].items()
    }
    rows = [tuple(row.values())[:6] for row in table.to_pylist()]
    assert rows == [tuple(row._replace(measure=str(row.measure)))[:6] for row in scores.rows()]
    assert table.schema.metadata[b"dialect"] == b"trec_eval-c"


@pytest.mark.parametrize(("table", "form"), [("scores", "long"), ("means", "means")])
def test_every_documented_column_has_its_documented_type(scores, table, form):
    """In every version of pandas, with rows and without a group, a count or a ceiling."""
    assert {name: str(kind) for name, kind in scores.to_pandas(form).dtypes.items()} == {
        name: PANDAS[kind] for name, kind in TABLES[table].items()
    }


def test_the_ledger_has_its_documented_types(scores):
    """The counts are whole numbers that may be missing, in long form and in wide form."""
    ledger = scores.ledger()
    frame = ledger.to_pandas()
    assert {name: str(kind) for name, kind in frame.dtypes.items()} == {
        name: PANDAS[kind] for name, kind in TABLES["ledger"].items()
    }
    assert len(frame) == len(ledger) == len(list(ledger)) == 18
    wide = ledger.to_pandas("wide")
    parts = ["", " numerator", " denominator", " best", " ceiling"]
    some = [f"{measure}{part}" for measure in ("P@2", "Unjudged@2") for part in parts]
    assert list(wide) == [*some[:-1], "AP", "AP ceiling"]
    assert wide.loc[("other", "7"), ["P@2 numerator", "P@2 denominator", "P@2 best"]].tolist() == [1, 2, 1]
    assert str(wide.dtypes["P@2 best"]) == "Int64"
    with pytest.raises(dn.UsageError, match='form=\'means\': expected "long" or "wide"'):
        ledger.to_pandas("means")


def test_the_index_of_a_wide_form_is_text(scores):
    """007 stays what it is among the labels of the index too."""
    wide = scores.to_pandas("wide")
    assert [str(level.dtype) for level in wide.index.levels] == ["string", "string"]
    assert ("other", "007") in wide.index


def test_means_are_rows_with_what_they_are_over(scores):
    """Value, n and the counts of every mean; groups and their macro mean follow."""
    frame = scores.to_pandas("means")
    assert frame["value"].tolist() == [pytest.approx(mean.value) for mean in scores.means()]
    by = dn.evaluate(QRELS, ranked("007 a\n7 x c"), "P@2", by={"007": "x", "7": "x", "10": "y"})
    rows = by.to_pandas("means").fillna({"group": ""})
    assert rows[["group", "over", "n"]].values.tolist() == [
        ["", "queries", 3],
        ["x", "queries", 2],
        ["y", "queries", 1],
        ["", "groups", 2],
    ]
    assert by.to_pandas()["group"].tolist() == ["x", "y", "x"]


def test_what_all_rows_share_is_in_the_attributes(scores):
    """Dialect and settings, as plain values."""
    attrs = scores.to_pandas("wide").attrs
    assert attrs["dialect"] == "trec_eval-c"
    assert attrs["settings"]["level"] == 1


@pytest.mark.parametrize("form", ["long", "wide", "means"])
def test_polars_holds_what_arrow_holds(scores, form):
    """Every row and type, whatever the form."""
    # no dependency: polars is the caller's
    polars = pytest.importorskip("polars")
    frame = scores.to_polars(form)
    assert frame.to_dicts() == scores.to_arrow(form).to_pylist()
    assert frame.schema["run"] == polars.String
    assert scores.ledger().to_polars().to_dicts() == scores.ledger().to_arrow().to_pylist()


def test_without_polars_the_pip_line_is_said(scores, monkeypatch):
    """What is missing, and what installs it."""
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(dn.MissingExtraError, match="pip install polars"):
        scores.to_polars()


def test_a_file_name_that_is_not_utf_8_does_not_lose_the_table():
    """The name is shown with escapes, as everywhere."""
    run = ranked("007 a")
    run = dataclasses.replace(run, source=dataclasses.replace(run.source, name="bm\udc80.run"))
    assert set(dn.evaluate(QRELS, run, "AP").to_pandas()["run"]) == {"bm\\udc80.run"}


def test_long_pandas_goes_to_arrow_and_back(scores):
    """The long frame holds what the Arrow table holds."""
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
