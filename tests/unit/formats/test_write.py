"""Writers: a file appears whole or not at all, reads back the same, and what does not fit is refused."""

import gzip
import io
import json
import math
import os
import sys

import numpy as np
import pyarrow.parquet as pq
import pytest

from denominator.errors import InputError, UsageError
from denominator.formats import examine_run, read_qrels, read_run, write_qrels, write_run

RUN = [("q1", "b", 0.25), ("q1", "a", 0.5), ("q2", "c", -1.0)]
QRELS = [("q1", "a", 2), ("q1", "b", -1), ("q2", "c", 0)]


def test_trec_runs_keep_their_rows_and_get_the_ranks_of_their_scores(tmp_path):
    """Rows stay where they are; the rank column is what the scores say, ties by descending id."""
    told = write_run(read_run([*RUN, ("q1", "c", 0.5)]), tmp_path / "out.run")
    assert told == "TREC run, 6 columns, 4 rows"
    assert (tmp_path / "out.run").read_text() == (
        "q1 Q0 b 3 0.25 run\nq1 Q0 a 2 0.5 run\nq2 Q0 c 1 -1.0 run\nq1 Q0 c 1 0.5 run\n"
    )


def test_trec_qrels_have_four_columns(tmp_path):
    """The second column is the iteration, 0 where there was none."""
    assert write_qrels(read_qrels(QRELS), tmp_path / "out.qrels") == "TREC qrels, 4 columns, 3 rows"
    assert (tmp_path / "out.qrels").read_text() == "q1 0 a 2\nq1 0 b -1\nq2 0 c 0\n"
    rows = [{"query_id": "q", "doc_id": "d", "relevance": 1, "iteration": "my pool"}]
    write_qrels(read_qrels(rows), tmp_path / "out.qrels")
    assert (tmp_path / "out.qrels").read_text() == "q my_pool d 1\n"


def test_tags_become_one_word(tmp_path):
    """A blank in a tag would be a seventh column."""
    rows = [{"query_id": "q", "doc_id": "d", "score": 1, "tag": "BM25 + RM3"}]
    write_run(read_run(rows), tmp_path / "out")
    assert (tmp_path / "out").read_text() == "q Q0 d 1 1.0 BM25_+_RM3\n"


@pytest.mark.parametrize("id", ["my doc", "a\tb", "a\nb", "a\rb", "a\vb", "a\fb"])
def test_ids_with_blanks_do_not_fit_into_trec(tmp_path, id):
    """The reader would end the id at the blank: refused, and nothing is written."""
    with pytest.raises(InputError, match=r"document id .* has a blank.*--to jsonl"):
        write_run(read_run([("q", id, 1.0)]), tmp_path / "out")
    with pytest.raises(InputError, match=r"query id .* has a blank"):
        write_qrels(read_qrels([(id, "d", 1)]), tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_a_query_that_would_be_a_comment_does_not_fit_into_trec(tmp_path):
    """A line that begins with # is a comment; a document may begin with it."""
    with pytest.raises(InputError, match="comment"):
        write_run(read_run([("#1", "d", 1.0)]), tmp_path / "out")
    with pytest.raises(InputError, match="byte order mark"):
        write_run(read_run([("\ufeffq", "d", 1.0)]), tmp_path / "out")
    with pytest.raises(InputError, match="byte order mark"):
        write_run(read_run([("p", "d", 1.0), ("\ufeffq", "d", 1.0)]), tmp_path / "out")
    write_run(read_run([("q", "#1", 1.0)]), tmp_path / "out")


def test_nan_is_written_nowhere(tmp_path):
    """No format here gives it back; the row is named."""
    run = read_run([("q", "d", 1.0), ("q", "e", math.nan)], lenient="nan=last")
    for name in ("out.run", "out.json", "out.jsonl", "out.parquet"):
        with pytest.raises(InputError, match="query 'q', document 'e': the score is NaN"):
            write_run(run, tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_nested_json_is_json_and_holds_a_document_once(tmp_path):
    """Infinity is the word that Python and JavaScript have for it, and reads back as infinite."""
    told = write_run(read_run([("q", "d", math.inf), ("q", "é", 0.1 + 0.2)]), tmp_path / "out.json")
    assert told == "nested JSON run, 2 rows"
    text = (tmp_path / "out.json").read_text(encoding="utf-8")
    assert text == '{\n"q": {"d": Infinity, "é": 0.30000000000000004}\n}\n'
    assert json.loads(text) == {"q": {"d": math.inf, "é": 0.1 + 0.2}}
    twice = examine_run([("q", "d", 1.0), ("q", "d", 2.0)]).rows
    with pytest.raises(InputError, match="occurs more than once"):
        write_run(twice, tmp_path / "twice.json")


def test_json_lines_hold_what_rows_hold(tmp_path):
    """Tag and iteration where there are any, and nothing that was not there."""
    assert write_run(read_run(RUN), tmp_path / "out.jsonl") == "JSON lines run, 3 rows"
    first = json.loads((tmp_path / "out.jsonl").read_text().splitlines()[0])
    assert first == {"query_id": "q1", "doc_id": "b", "score": 0.25}
    rows = [{"query_id": "q", "doc_id": "d", "relevance": 1, "iteration": "s1"}]
    write_qrels(read_qrels(rows), tmp_path / "out.ndjson")
    assert json.loads((tmp_path / "out.ndjson").read_text()) == rows[0]


def test_parquet_has_the_fields_columns(tmp_path):
    """Names and types that other tools expect."""
    assert write_run(read_run(RUN), tmp_path / "out.parquet") == "Parquet run, 3 columns, 3 rows"
    table = pq.read_table(tmp_path / "out.parquet")
    assert table.to_pydict() == {
        "query_id": ["q1", "q1", "q2"],
        "doc_id": ["b", "a", "c"],
        "score": [0.25, 0.5, -1.0],
    }
    write_qrels(read_qrels(QRELS), tmp_path / "out.parquet")
    assert str(pq.read_schema(tmp_path / "out.parquet").field("relevance").type) == "int64"


@pytest.mark.parametrize("suffix", ["", ".gz", ".bz2", ".xz", ".zst", ".lz4"])
@pytest.mark.parametrize("name", ["out.run", "out.json", "out.jsonl"])
def test_the_name_says_format_and_compression(tmp_path, as_tuples, name, suffix):
    """What is written is what the name promises, and reads back."""
    path = tmp_path / (name + suffix)
    write_run(read_run(RUN), path)
    magic = {".gz": b"\x1f\x8b", ".bz2": b"BZh", ".xz": b"\xfd7z", ".zst": b"\x28\xb5\x2f", ".lz4": b"\x04\x22\x4d"}
    assert path.read_bytes().startswith(magic.get(suffix, b"q1" if name == "out.run" else b"{"))
    run = read_run(path)
    assert as_tuples(run) == RUN
    assert run.source.format == {"out.run": "trec", "out.json": "json", "out.jsonl": "jsonl"}[name]


def test_equal_rows_give_equal_files(tmp_path):
    """Compressed or not: no clock and no name goes into a file."""
    for name in ("a.run.gz", "b.run.gz"):
        write_run(read_run(RUN), tmp_path / name)
    assert (tmp_path / "a.run.gz").read_bytes() == (tmp_path / "b.run.gz").read_bytes()
    assert gzip.decompress((tmp_path / "a.run.gz").read_bytes()).startswith(b"q1 Q0")


def test_a_format_can_be_named(tmp_path):
    """It counts more than the suffix; one that is not written is refused with those that are."""
    write_run(read_run(RUN), tmp_path / "out.json", format="trec")
    assert (tmp_path / "out.json").read_text().startswith("q1 Q0")
    with pytest.raises(UsageError, match="xml: not a format that is written; choose one of trec, json"):
        write_run(read_run(RUN), tmp_path / "out", format="xml")
    with pytest.raises(UsageError, match=r"\.csv names a format that is not written"):
        write_run(read_run(RUN), tmp_path / "out.csv")
    with pytest.raises(UsageError, match="Parquet compresses its columns itself"):
        write_run(read_run(RUN), tmp_path / "out.parquet.gz")


def test_what_fails_half_way_leaves_what_was_there(tmp_path):
    """A bad id in the last row, or Ctrl-C: the old file stays as it was and nothing lies beside it."""
    path = tmp_path / "out.run"
    path.write_text("old")
    many = [("q", f"d{number}", float(-number)) for number in range(70_000)]
    with pytest.raises(InputError, match="blank"):
        write_run(read_run([*many, ("q", "a b", -1e6)]), path)
    assert path.read_text() == "old"

    class Interrupting(np.ndarray):
        def tolist(self):
            raise KeyboardInterrupt

    run = read_run(RUN)
    object.__setattr__(run, "score", run.score.view(Interrupting))
    with pytest.raises(KeyboardInterrupt):
        write_run(run, path, format="jsonl")
    assert path.read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["out.run"]


def test_a_file_that_is_replaced_keeps_its_rights_and_its_links(tmp_path):
    """A symbolic link goes on pointing at the file; its mode stays."""
    path, link = tmp_path / "real.run", tmp_path / "link.run"
    path.write_text("old")
    path.chmod(0o640)
    link.symlink_to(path)
    write_run(read_run(RUN), link)
    assert link.is_symlink()
    assert path.read_text().startswith("q1 Q0")
    assert path.stat().st_mode & 0o777 == 0o640


def test_places_that_cannot_be_written_are_named(tmp_path):
    """A folder, and a folder that is not there."""
    with pytest.raises(InputError, match="is a folder"):
        write_run(read_run(RUN), tmp_path)
    with pytest.raises(InputError, match="there is no folder"):
        write_run(read_run(RUN), tmp_path / "none" / "out.run")


def test_what_is_no_regular_file_is_written_straight():
    """/dev/null stays what it is."""
    write_run(read_run(RUN), os.devnull)
    assert not os.path.isfile(os.devnull)


def test_a_dash_is_standard_output(monkeypatch):
    """Bytes go out as they are, whatever the terminal's encoding."""
    out = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", out)
    write_qrels(read_qrels([("q", "é", 1)]), "-")
    assert out.buffer.getvalue().decode("utf-8") == "q 0 é 1\n"
