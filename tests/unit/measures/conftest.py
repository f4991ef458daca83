"""Hits from a line of grades: the input of every measure, without files or documents."""

import numpy as np
import pytest

from denominator.hits import Hits


def _hits_of(*queries):
    query, position, grade, judged, offsets, retrieved, answered = [], [], [], [], [0], [], []
    for number, (ranking, others) in enumerate(queries):
        signs = [] if ranking is None else ranking.split()
        seen = [(rank, int(sign)) for rank, sign in enumerate(signs) if sign != "-"]
        query += [number] * len(seen)
        position += [rank for rank, _ in seen]
        grade += [own for _, own in seen]
        judged += sorted([own for _, own in seen] + [int(sign) for sign in others.split()], reverse=True)
        offsets.append(len(judged))
        retrieved.append(len(signs))
        answered.append(ranking is not None)
    names = tuple(f"q{number}" for number in range(len(queries)))
    integers = [np.array(column, dtype=np.int64) for column in (retrieved, query, position, grade, offsets, judged)]
    return Hits(names, np.array(answered, dtype=np.bool_), *integers)


@pytest.fixture(scope="session")
def hits_of():
    """Return a function from (grades by rank, grades not retrieved) per query to hits.

    ``hits_of(("2 - 0 1 -", "1"))``: ``-`` is a document without a judgment; a ranking of None is an unanswered query.
    """
    return _hits_of
