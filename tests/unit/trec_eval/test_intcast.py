"""The four measures with gains, one ranking at a time, against the engine; and trec_eval's order of the gains."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from denominator.engines import Settings
from denominator.engines.columnar import score
from denominator.measures import parse_measure
from denominator.trec_eval import intcast
from inputs import qrels_of, run_of

NAMES = {"ndcg": "nDCG", "ndcg_rel": "ndcg_rel", "Rndcg": "Rndcg", "G": "G"}
"""trec_eval's name → ours."""


@pytest.mark.parametrize("name", intcast.MEASURES)
@settings(deadline=None)  # the first example imports the engine
@given(
    judged=st.lists(st.integers(0, 3), min_size=1, max_size=8).filter(any),
    retrieved=st.lists(st.integers(0, 11), min_size=1, max_size=12, unique=True),
    gains=st.lists(st.sampled_from([0.5, 1.5, 2.0, 4.5]), min_size=3, max_size=3),
)
def test_one_ranking_at_a_time_gives_what_the_engine_gives(
    name: str, judged: list[int], retrieved: list[int], gains: list[float]
) -> None:
    """With the ideal ranking in the right order, the plain loops and the vectorised engine agree."""
    qrels = qrels_of(("q", f"d{number:02}", grade) for number, grade in enumerate(judged))
    run = run_of(("q", f"d{number:02}", -float(rank)) for rank, number in enumerate(retrieved))
    worth = dict(enumerate([0.0, *gains]))
    measure = parse_measure(f"{NAMES[name]}(gains={{1:{gains[0]},2:{gains[1]},3:{gains[2]}}})")
    found = [worth[judged[number]] if number < len(judged) else 0.0 for number in retrieved]
    ideal = sorted((worth[grade] for grade in judged if worth[grade] > 0), reverse=True)
    ours = float(score(qrels, run, [measure], Settings())[measure][0])
    assert math.isclose(intcast.MEASURES[name](found, ideal), ours, rel_tol=1e-12)


@pytest.mark.parametrize(
    ("given_gains", "counts", "expected"),
    [
        ([(1, 3.0), (2, 9.0)], [4, 1, 1], None),
        ([(1, 0.2), (2, 0.5), (3, 0.9)], [4, 1, 1, 1], []),
        ([(1, 0.9), (2, 1.5)], [0, 2, 1], None),
        ([(2, 1.5), (1, 0.9)], [0, 2, 1], []),
        ([(3, 2.5), (2, 1.9)], [0, 3, 1, 1], [1.9, 2.5, 1.0, 1.0, 1.0]),
        ([(3, 1.2), (2, 0.7), (1, -0.5)], [0, 1, 1, 1], [0.7, 1.2]),
        ([(1, 0.5)], [0, 1, 2], None),
    ],
)
def test_the_comparator_sees_only_whole_differences(
    given_gains: list[tuple[int, float]], counts: list[int], expected: list[float] | None
) -> None:
    """Each ideal ranking was followed by hand through a merge sort whose comparator cuts differences to ints."""
    assert intcast.ideal_gains(given_gains, counts) == expected
