"""Ids as columns of bytes."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from denominator import ids

TEXTS = st.lists(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=40), max_size=30)


def column(texts: list[str]) -> pa.Array:
    """Return the texts as the model holds them."""
    return pa.array(texts, type=pa.large_string())


@given(TEXTS)
def test_equal_ids_have_equal_hashes_and_different_ids_do_not(texts: list[str]) -> None:
    """A hash tells ids apart exactly as string equality does (a collision by chance would be 1 in 2**64)."""
    hashes = ids.hash_ids(column(texts)).tolist()
    assert len(set(zip(texts, hashes, strict=True))) == len(set(texts)) == len(set(hashes))


@given(TEXTS, TEXTS)
def test_a_hash_depends_on_the_id_alone(before: list[str], texts: list[str]) -> None:
    """Neighbouring rows, blocks and Arrow slices leave an id's hash as it is."""
    assert ids.hash_ids(column(before + texts)[len(before) :]).tolist() == ids.hash_ids(column(texts)).tolist()


@given(TEXTS)
def test_order_words_sort_as_the_bytes_do(texts: list[str]) -> None:
    """Sorting by the words is sorting by UTF-8 bytes."""
    import numpy as np

    words = ids.order_words(column(texts), np.arange(len(texts)))
    keys = [tuple(int(word[row]) for word in words) for row in range(len(texts))]
    ranked = sorted(range(len(texts)), key=lambda row: (keys[row], row))
    assert [texts[row] for row in ranked] == sorted(texts, key=lambda text: text.encode())


@pytest.mark.parametrize("length", [0, 1, 7, 8, 9, 15, 16, 17, 64])
def test_every_byte_of_an_id_counts_at_every_length(length: int) -> None:
    """Changing any one byte, or the length by one, changes the hash: word boundaries hide nothing."""
    base = "x" * length
    others = [base[:at] + "y" + base[at + 1 :] for at in range(length)] + [base + "x"]
    hashes = ids.hash_ids(column([base, *others])).tolist()
    assert len(set(hashes)) == length + 2


def test_blocks_do_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hashes are the same whatever the number of rows per step."""
    texts = [f"doc-{number * number}" for number in range(1000)]
    whole = ids.hash_ids(column(texts)).tolist()
    monkeypatch.setattr(ids, "BLOCK", 7)
    assert ids.hash_ids(column(texts)).tolist() == whole


def test_taken_rows_are_a_column_of_their_own():
    """Any rows in any order, of a slice too, empty ids and letters of several bytes among them."""
    column = pa.array(["x", "", "d1", "ọ̀", "a longer one"], type=pa.large_string()).slice(1)
    for rows in ([], [3], [3, 0, 1, 1, 2]):
        taken = ids.taken(column, np.array(rows, dtype=np.int64))
        taken.validate(full=True)
        assert taken.to_pylist() == [column.to_pylist()[row] for row in rows]


def test_a_column_of_texts_is_what_arrow_would_make():
    """The same array, without asking pandas."""
    texts = ["d1", "", "ọ̀", "a longer one"]
    column = ids.column_of(texts)
    column.validate(full=True)
    assert column.equals(pa.array(texts, type=pa.large_string()))
