"""Published judgments put one behind the other are known by the bytes of each."""

from pathlib import Path

import pytest

import denominator as dn
from denominator.merged import LARGEST, known_parts, merged

QRELS = Path(__file__).parents[2] / "qrels"
ONE = (QRELS / "agri.qrels").read_bytes()
TWO = (QRELS / "agri-true.qrels").read_bytes()


def names(data: bytes) -> list[str]:
    """Return the names of the parts."""
    return [known.name for known in known_parts(data)]


@pytest.mark.parametrize("between", [b"", b"\n", b"\r\n"])
def test_the_parts_are_named_in_their_order(between):
    """Whatever line end was put between them, and however many they are."""
    assert names(ONE + between + TWO) == ["agri.qrels", "agri-true.qrels"]
    assert names(TWO + between + ONE + between + TWO) == ["agri-true.qrels", "agri.qrels", "agri-true.qrels"]
    assert names(ONE) == ["agri.qrels"]


@pytest.mark.parametrize("data", [b"", b"q 0 d 1\n", ONE + b"q 0 d 1\n", b"x" + ONE + TWO, (ONE + TWO)[:-1]])
def test_bytes_with_anything_else_in_them_are_no_parts(data):
    """Nothing is guessed: one byte more or less is another file."""
    assert names(data) == []


def test_a_file_of_two_is_refused_and_one_alone_is_read(tmp_path):
    """With the name of the file and of both parts, whatever is forgiven."""
    together = tmp_path / "both.qrels"
    together.write_bytes(ONE + TWO)
    for lenient in ("", "conflicts=max"):
        with pytest.raises(dn.InputError, match=r"both\.qrels: judgments that must never be merged .* agri\.qrels"):
            dn.read_qrels(together, lenient=lenient)
    together.write_bytes(ONE)
    assert merged(together) == ""
    assert len(dn.read_qrels(together))


def test_what_is_no_file_is_not_merged(tmp_path):
    """Objects, names of nothing, folders, and files too large to be these."""
    assert merged({"q": {"d": 1}}) == merged("no/such/file") == merged("\0") == merged(tmp_path) == ""
    large = tmp_path / "large"
    large.write_bytes(ONE + TWO)
    with open(large, "ab") as file:
        file.truncate(LARGEST + 1)
    assert merged(large) == ""


def test_the_audit_says_it_as_an_error(tmp_path):
    """Where one published file is information."""
    together = tmp_path / "both.qrels"
    together.write_bytes(ONE + TWO)
    (found,) = dn.audit(together, select="I109")
    assert (found.severity, found.message[:40]) == (dn.Severity.ERROR, "judgments that must never be merged stan")
