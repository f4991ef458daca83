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


@pytest.mark.parametrize("length", [511, 512, 513, 520, 5000])
def test_every_byte_of_a_long_id_counts(length: int) -> None:
    """Beyond the length that is handled word by word, the hash and the order still see every byte."""
    base = "x" * length
    others = [base[:at] + "y" + base[at + 1 :] for at in (0, 505, length - 1)] + [base + "x"]
    assert len(set(ids.hash_ids(column(["a", base, *others])).tolist())) == 6


def test_a_very_long_id_costs_no_more_than_its_bytes() -> None:
    """An id of ten megabytes among a thousand is hashed, ordered and compared at once: not a million words for each."""
    import time

    import numpy as np

    texts = ["x" * 10_000_000, *(f"d{n}" for n in range(1000)), "x" * 10_000_000]
    held, rows = column(texts), np.arange(1002)
    began = time.process_time()
    hashes = ids.hash_ids(held)
    words = ids.order_words(held, rows)
    same = ids.same_ids(held, rows, held, rows[::-1])
    assert time.process_time() - began < 5
    assert hashes[0] == hashes[-1]
    assert [texts[row][:9] for row in np.argsort(words[0], kind="stable")] == sorted(text[:9] for text in texts)
    assert np.flatnonzero(same).tolist() == [0, 1001]


@given(TEXTS, st.data())
def test_same_ids_is_equality_of_strings(texts: list[str], data: st.DataObject) -> None:
    """Two columns are compared pair by pair, ids at the very end of their bytes included."""
    import numpy as np

    others = data.draw(st.lists(st.sampled_from([*texts, "", "x"]), min_size=len(texts), max_size=len(texts)))
    rows = np.arange(len(texts))
    same = ids.same_ids(column(texts), rows, column(others), rows)
    assert same.tolist() == [one == other for one, other in zip(texts, others, strict=True)]


@given(TEXTS, TEXTS, TEXTS)
def test_a_stretch_of_rows_comes_out_as_it_went_in(before: list[str], texts: list[str], after: list[str]) -> None:
    """Rows taken as a stretch are the texts themselves, ASCII or not."""
    stretch = ids.strings_between(column(before + texts + after), len(before), len(before) + len(texts))
    assert stretch == texts


REPEATED = st.tuples(
    st.sampled_from(["a", "b", "", "12345678", "12345679", "123456789", "é" * 300, "é" * 300 + "x"]),
    st.sampled_from([1, 1, 1, 2, 100]),
)


@given(st.lists(REPEATED, min_size=1))
def test_runs_of_equal_texts_begin_where_a_text_differs(repeated: list[tuple[str, int]]) -> None:
    """A row begins a run exactly when it is the first or unlike the row before, however long and many the texts are."""
    import numpy as np

    texts = [text for text, times in repeated for _ in range(times)]
    data = [text.encode() for text in texts]
    ends = np.cumsum([0, *map(len, data)])
    octets = np.frombuffer(b"".join(data), dtype=np.uint8)
    first = ids.first_of_runs(ends, octets)
    assert first.tolist() == [at for at in range(len(texts)) if at == 0 or texts[at] != texts[at - 1]]
