"""Plain Python objects: dicts of dicts, tuples, named tuples, dicts."""

from collections import namedtuple
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from pathlib import Path

import ir_measures
import numpy as np
import pytest

from denominator import evaluate
from denominator.errors import FormatError, InputError
from denominator.formats import read_qrels, read_run


def test_dicts_of_dicts_are_rows(as_tuples):
    """pytrec_eval's own input, in the order of the dicts; nothing is changed in them."""
    source = {"q2": {"b": 1, "a": 0}, "q1": {"c": 2}}
    qrels = read_qrels(source)
    assert as_tuples(qrels) == [("q2", "b", 1), ("q2", "a", 0), ("q1", "c", 2)]
    assert qrels.source.name == "dict"
    assert source == {"q2": {"b": 1, "a": 0}, "q1": {"c": 2}}


def test_numpy_numbers_are_numbers(as_tuples):
    """pytrec_eval raises a TypeError for them; a float32 keeps its value."""
    run = read_run({"q": {"a": np.float32(0.1), "b": np.float64(0.1), "c": np.int64(3)}})
    assert [value for _, _, value in as_tuples(run)] == [float(np.float32(0.1)), 0.1, 3.0]
    assert read_qrels({"q": {"a": np.int32(1), "b": 1.0}}).relevance.tolist() == [1, 1]


@pytest.mark.parametrize("value", ["0.5", None, True, np.bool_(True), [1], object()])
def test_other_values_are_faults_that_name_query_and_document(value):
    """A text that looks like a number is not one."""
    with pytest.raises(FormatError, match="query q, document d: the score is"):
        read_run({"q": {"d": value}})


def test_numbers_beyond_their_type_are_faults():
    """A whole number larger than any float, or than 64 bits for a grade."""
    with pytest.raises(FormatError):
        read_run({"q": {"d": 10**400}})
    with pytest.raises(FormatError):
        read_qrels({"q": {"d": 2**70}})


def test_whole_number_ids_are_noted_and_float_ids_refused(as_tuples):
    """As in frames: 7 becomes "7" with a note, 7.0 and None are no ids."""
    run = read_run({7: {np.int64(12): 1.0}})
    assert as_tuples(run) == [("7", "12", 1.0)]
    assert {note.kind for note in run.source.notes} == {"integer-ids"}
    for wrong in (7.0, None, True, b"7"):
        with pytest.raises(FormatError, match="id"):
            read_run({"q": {wrong: 1.0}})


def test_lists_in_a_dict_are_runs_by_position(as_tuples):
    """A ranked list of ids, or of ids with scores."""
    assert as_tuples(read_run({"q": ["b", "a"]})) == [("q", "b", -1.0), ("q", "a", -2.0)]
    assert as_tuples(read_run({"q": [("b", 0.5), ("a", 0.1)]})) == [("q", "b", 0.5), ("q", "a", 0.1)]
    with pytest.raises(FormatError, match="query q holds the list"):
        read_qrels({"q": ["b", "a"]})


def test_iterables_of_tuples_are_read_once(as_tuples):
    """A generator is enough."""
    rows = [("q", "d", 1.0), ("q", "e", 0.5)]
    assert as_tuples(read_run(row for row in rows)) == rows
    assert as_tuples(read_qrels([["q", "d", 1]])) == [("q", "d", 1)]


def test_named_fields_count_not_positions(as_tuples):
    """ir_measures' and ir_datasets' tuples, data classes, and tuples whose fields come in another order."""
    assert as_tuples(read_run([ir_measures.ScoredDoc("q", "d", 0.5)])) == [("q", "d", 0.5)]
    qrels = read_qrels([ir_measures.Qrel("q", "d", 2, "7")])
    assert as_tuples(qrels) == [("q", "d", 2)]
    assert qrels.iteration.values == ("7",)
    turned = namedtuple("Turned", "score doc_id query_id")
    assert as_tuples(read_run([turned(0.5, "d", "q")])) == [("q", "d", 0.5)]

    @dataclass
    class Judgment:
        query_id: str
        doc_id: str
        relevance: int

    assert as_tuples(read_qrels([Judgment("q", "d", 1)])) == [("q", "d", 1)]


def test_ids_of_a_type_of_text_are_what_they_hold(as_tuples):
    """Not what they print as, which of an enumeration is the name of the member."""

    class Id(str, Enum):  # noqa: UP042  (whose members print their names)
        FIRST = "q1"

    assert as_tuples(read_qrels({Id.FIRST: {np.str_("d1"): 1}})) == [("q1", "d1", 1)]
    assert as_tuples(read_run([(Id.FIRST, Id.FIRST, 1.0)])) == [("q1", "q1", 1.0)]
    scores = evaluate({Id.FIRST: {"d1": 1}}, {"q1": {"d1": 1.0}}, "RR", queries=[Id.FIRST], by={Id.FIRST: Id.FIRST})
    assert [(mean.group, mean.value) for mean in scores.group_means()] == [("q1", 1.0)]


def test_dicts_in_a_list_are_rows(as_tuples):
    """Records, with the names that files may have."""
    assert as_tuples(read_run([{"qid": "q", "docno": "d", "score": 1.0}])) == [("q", "d", 1.0)]


def test_elements_that_are_no_rows_are_named():
    """Each with its number; the rest is read on."""
    with pytest.raises(FormatError) as raised:
        read_run([("q", "d", 1.0), ("q", "d"), "q d 1", {"qid": "q"}])
    assert [fault.message.split(":")[0] for fault in raised.value.faults] == ["element 2", "element 3", "element 4"]


def test_a_query_without_documents_is_noted():
    """pytrec_eval lets such a query vanish or disturb its neighbours."""
    assert [note.kind for note in read_qrels({"q": {"d": 1}, "r": {}}).source.notes] == ["empty-query"]


def test_nothing_is_refused_with_a_sentence():
    """An empty dict, an empty list."""
    for source in ({}, []):
        with pytest.raises(FormatError, match="no rows"):
            read_run(source)


def test_paths_and_numbers_are_not_taken_for_rows():
    """A path is opened, a number is nothing."""
    with pytest.raises(InputError, match="no such file"):
        read_run(Path("nowhere.run"))
    with pytest.raises(InputError, match="int"):
        read_run(5)


@pytest.mark.parametrize("grade", [np.float64(1.5), np.float32(1.5), np.float16(1.5), Decimal("1.5")])
def test_a_number_of_any_type_is_shown_as_a_number(grade):
    """Python writes np.float32(1.5), which no user typed and no conversion reads."""
    for source in ({"q": {"d": grade}}, [("q", "d", grade)]):
        with pytest.raises(FormatError, match=r'grade "1\.5" is not a whole number .* would silently use 1\.'):
            read_qrels(source)


def test_a_number_beyond_its_type_is_shown_as_a_number():
    """As str() writes it, not as repr() does."""
    with pytest.raises(FormatError, match='grade "18446744073709551615" is beyond'):
        read_qrels({"q": {"d": np.uint64(2**64 - 1)}})
    with pytest.raises(FormatError, match=r'score "1E\+400" is beyond'):
        read_run({"q": {"d": Decimal("1E+400")}})


def test_a_tuple_is_called_one():
    """It is no list, and Python writes it in round brackets."""
    with pytest.raises(FormatError, match=r"query id is the tuple \('q', 1\), an id is text"):
        read_run({("q", 1): {"d": 1.0}})


def test_grades_that_contradict_each_other_are_shown_as_they_are():
    """A whole one without decimals, whatever it is held as."""
    with pytest.raises(FormatError, match=r"q/d graded 2, but row 1 graded it 1\.5$"):
        read_qrels([("q", "d", 1.5), ("q", "d", 2.0)], float_grades=True)
