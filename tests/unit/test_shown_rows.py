"""How qrels, runs and what is made of them show themselves."""

from denominator.formats import read_qrels, read_run
from denominator.hits import match


def test_rows_show_their_name_and_size_and_no_array(tmp_path):
    """`print(run)` is a line, whatever the run holds; a name cannot steer the terminal."""
    run, qrels = read_run({"q1": {"d1": 2.0, "d2": 1.0}, "q2": {"d1": 1.0}}), read_qrels({"q1": {"d1": 1}})
    assert repr(run) == str(run) == "<Run dict: 2 queries, 3 rows>"
    assert repr(qrels) == "<Qrels dict: 1 query, 1 row>"
    assert repr(run.ranking) == "<Ranking: 2 queries, 3 rows>"
    assert repr(match(qrels, run)) == "<Hits: 1 query, 1 hit>"
    path = tmp_path / "\x1b[2Jrun"
    path.write_text("".join(f"q{n} Q0 d{n} 1 1.5 t\n" for n in range(2000)))
    assert repr(read_run(path)).endswith("\\x1b[2Jrun: 2,000 queries, 2,000 rows>")
