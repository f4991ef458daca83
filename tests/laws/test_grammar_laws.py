"""Laws of the grammar, over every measure of the registry with every kind of parameter."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denominator.errors import MeasureError
from denominator.measures import REGISTRY, Measure, parse_measure, parse_measures, parse_trec, trec_options
from denominator.measures.registry import TREC

ABOVE_ZERO = st.floats(1e-3, 1e3)
BELOW_ONE = st.floats(1e-6, 1 - 1e-6)
VALUES = {
    "rel": st.integers(1, 5) | ABOVE_ZERO,
    "judged_only": st.booleans(),
    "relative": st.booleans(),
    "dcg": st.sampled_from(["log2", "exp-log2"]),
    "gains": st.dictionaries(st.integers(0, 5), st.integers(-3, 9) | st.floats(-9, 9), max_size=4),
    "points": st.lists(st.floats(0, 1), min_size=1, max_size=4, unique=True),
    "p": BELOW_ONE,
    "beta": st.floats(0, 1e3),
    "gmax": st.integers(1, 10),
    "a": st.floats(-9, 9),
    "b": st.floats(-9, 9),
    "c": st.floats(-9, 9),
    "d": st.floats(-9, 9),
    "docs": st.integers(0, 10**9),
}
CUTOFFS = {"cutoff": st.integers(1, 10**6), "recall": st.floats(0, 1), "multiple": ABOVE_ZERO}


@st.composite
def measures(draw):
    """Draw a complete measure: any row of the registry, any of its parameters."""
    spec = draw(st.sampled_from(list(REGISTRY.values())))
    names = draw(st.sets(st.sampled_from(sorted(spec.params)))) if spec.params else set()
    given_ = {name: draw(VALUES[name]) for name in sorted(names)}
    if given_.get("dcg") == "exp-log2":
        given_.pop("gains", None)
    cutoff = None
    if spec.cutoff == "required" or (spec.cutoff == "optional" and draw(st.booleans())):
        cutoff = draw(CUTOFFS[spec.cutoff_word])
    return Measure(spec.name, cutoff, **given_)


@given(measures())
def test_a_measure_is_what_its_text_says(measure):
    """Parsing what a measure prints gives that measure back, alone and in a list, and so does pickling."""
    text = str(measure)
    assert parse_measure(text) == measure
    assert str(parse_measure(text)) == text
    assert parse_measures(f" {text}, ") == (measure,)
    assert pickle.loads(pickle.dumps(measure)) == measure
    assert hash(parse_measure(text)) == hash(measure)


@given(st.lists(measures(), min_size=1, max_size=5, unique=True), st.sampled_from([" ", ",", ", ", "\n"]))
def test_a_list_of_texts_is_the_list_of_measures(several, between):
    """However measures are separated, a list is read as its members, in order."""
    assert parse_measures(between.join(map(str, several))) == tuple(several)
    assert parse_measures(several) == tuple(several)


@given(measures())
def test_the_name_trec_eval_prints_is_the_same_measure(measure):
    """Where trec_eval has the measure, its printed name parses to it, but for options and rounded recalls."""
    name = measure.spec.trec_name(measure)
    if name is None or measure.spec.text_valued:
        return
    plain = measure(**{option: None for option in ("rel", "judged_only", "docs") if option in measure.spec.params})
    assert bool(trec_options(measure)) == (plain != measure)
    if plain.spec.cutoff_word == "cutoff":
        assert parse_measure(name) == plain
    else:
        assert name.endswith(f"{plain.cutoff:.2f}")


@given(measures())
def test_a_measure_equals_itself_with_its_defaults_spelled_out(measure):
    """Saying a default changes nothing."""
    defaults = {name: param.default for name, param in measure.spec.params.items() if param.default is not None}
    assert measure(**{**defaults, **dict(measure.params)}) == measure


@given(st.sets(st.integers(1, 2000), min_size=1, max_size=6), st.sampled_from(["P", "recall", "ndcg_cut", "map_cut"]))
def test_cutoffs_of_one_name_are_its_measures(cutoffs, family):
    """`family.a,b` means family_a and family_b: in our order as typed, in trec_eval's ascending."""
    typed = list(cutoffs)
    text = f"{family}.{','.join(map(str, typed))}"
    assert parse_measures(text) == tuple(parse_measure(f"{family}_{cutoff}") for cutoff in typed)
    (found,) = parse_trec(text)
    assert found.names == tuple(f"{family}_{cutoff}" for cutoff in sorted(typed))
    assert found.measures == tuple(parse_measure(name) for name in found.names)


@given(st.text(alphabet="nDCGPR@().,=0123456789_ {}[]'-:abcdefgilmrstu%\x00é", max_size=24))
def test_no_text_ends_in_anything_but_measures_or_a_measure_error(text):
    """Whatever is typed is read, or refused in words."""
    try:
        found = parse_measures(text)
    except MeasureError:
        return
    assert all(measure.complete for measure in found)


@given(st.sampled_from(sorted(TREC)), st.text(alphabet="0123456789.,=-p ", max_size=8))
def test_parameters_of_trec_eval_never_slip_through(family, typed):
    """A name of trec_eval with anything behind it is complete measures, or an error in both readers."""
    for read in (parse_measures, parse_trec):
        try:
            found = read(f"{family}.{typed}" if typed.strip() else family)
        except MeasureError:
            continue
        assert found


@pytest.mark.parametrize("name", sorted(REGISTRY))
def test_every_measure_is_drawn_with_values_for_its_parameters(name):
    """The laws know a strategy for each parameter of the registry."""
    assert set(REGISTRY[name].params) <= set(VALUES)
