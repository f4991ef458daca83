"""Small printouts worked out by hand: layout, order, sums and texts, without any outside file."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from denominator.cli import main

QRELS = """\
q2 0 a 1
q1 0 a 1
q1 0 b 0
q1 0 c 2
q1 0 e -1
q10 0 d 1
"""
RUN = """\
q2 Q0 a 1 5.0 first
q2 Q0 z 2 5.0 first
q1 Q0 c 9 3 first
q1 Q0 b 8 2 first
q1 Q0 a 7 1e0 first
q1 Q0 e 6 0.5 last
"""
# q1 is ranked c (2), b (0), a (1), e (-1): AP (1 + 2/3) / 2. In q2 the tie puts z before a: AP and reciprocal rank 1/2.
# nDCG of q1 is (2 + 1/2) / (2 + 1/log2 3) = 0.9502. The run lacks q10, which stands between q1 and q2 in byte order.

QUERY_1 = """\
num_ret               	q1	4
num_rel               	q1	2
map                   	q1	0.8333
recip_rank            	q1	1.0000
P_2                   	q1	0.5000
relstring             	q1	'201.'
ndcg                  	q1	0.9502
"""
QUERY_10 = """\
num_ret               	q10	0
num_rel               	q10	1
map                   	q10	0.0000
recip_rank            	q10	0.0000
P_2                   	q10	0.0000
relstring             	q10	''
ndcg                  	q10	0.0000
"""
QUERY_2 = """\
num_ret               	q2	2
num_rel               	q2	1
map                   	q2	0.5000
recip_rank            	q2	0.5000
P_2                   	q2	0.5000
relstring             	q2	'-1'
ndcg                  	q2	0.6309
"""
OVER_2 = """\
runid                 	all	last
num_q                 	all	2
num_ret               	all	6
num_rel               	all	3
map                   	all	0.6667
gm_map                	all	0.6455
recip_rank            	all	0.7500
P_2                   	all	0.5000
ndcg                  	all	0.7906
"""
OVER_3 = """\
runid                 	all	last
num_q                 	all	3
num_ret               	all	6
num_rel               	all	4
map                   	all	0.4444
gm_map                	all	0.0161
recip_rank            	all	0.5000
P_2                   	all	0.3333
ndcg                  	all	0.5271
"""
MEASURES = "ndcg num_q num_ret num_rel runid map gm_map relstring P.2 recip_rank"


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("-q", QUERY_1 + QUERY_2 + OVER_2),
        ("", OVER_2),
        ("-q -n", QUERY_1 + QUERY_2),
        ("-n", ""),
        ("-q -c", QUERY_1 + QUERY_2 + OVER_3),
        ("-q -c --compat 10", QUERY_1 + QUERY_10 + QUERY_2 + OVER_3),
    ],
)
def test_prints_queries_in_byte_order_and_then_the_summary(tmp_path: Path, options: str, expected: str) -> None:
    """9 leaves out the query that the run lacks, -c averages over it all the same, 10 prints it."""
    assert _printed(tmp_path, options, MEASURES.split()) == expected


def test_a_name_repeats_its_parameters_as_they_were_typed(tmp_path: Path) -> None:
    """Cutoffs are sorted and rewritten; parameters of one value are copied letter for letter."""
    asked = [
        "P.3,02",
        "iprec_at_recall..50,.25",
        "utility.+1,-1.0,0,0",
        "ndcg.1=03,2=9",
        "relstring.2.9",
        "11pt_avg..5",
        "set_F.1",
    ]
    names = [line.split()[0] for line in _printed(tmp_path, "-q -n", asked).splitlines()[:9]]
    assert names == [
        "iprec_at_recall_0.25",
        "iprec_at_recall_0.50",
        "P_2",
        "P_3",
        "relstring_2.9",
        "utility_+1,-1.0,0,0",
        "11pt_avg_.5",
        "ndcg_1=03,2=9",
        "set_F_1",
    ]


def test_without_measures_the_official_ones_are_printed(tmp_path: Path) -> None:
    """The default is `-m official`: 30 lines, from runid to P_1000, and no relstring."""
    lines = _printed(tmp_path, "", []).splitlines()
    assert lines == _printed(tmp_path, "", ["official"]).splitlines()
    assert len(lines) == 30
    assert (lines[0].split("\t")[0].strip(), lines[-1].split("\t")[0].strip()) == ("runid", "P_1000")


def test_the_collection_size_counts_what_was_rightly_left_out(tmp_path: Path) -> None:
    """utility.0,0,0,1 with -N 100 is 100 - num_ret - num_rel + num_rel_ret: 98 for q1, 98 for q2."""
    printed = _printed(tmp_path, "-q -n -N100", ["utility.0,0,0,1"])
    assert [line.split("\t")[2] for line in printed.splitlines()] == ["96.0000", "98.0000"]


def test_depth_level_and_condensing_change_what_is_counted(tmp_path: Path) -> None:
    """-M1 keeps the first document, -l2 takes grade 2 alone as relevant, -J drops z and e."""
    assert "num_ret               \tall\t2\n" in _printed(tmp_path, "-M1", ["num_ret"])
    assert "num_rel               \tall\t1\n" in _printed(tmp_path, "-l2", ["num_rel"])
    assert "recip_rank            \tq2\t1.0000\n" in _printed(tmp_path, "-q -J", ["recip_rank"])
    assert "num_ret               \tall\t4\n" in _printed(tmp_path, "-J", ["num_ret"])


def _printed(folder: Path, options: str, measures: list[str]) -> str:
    """Return what is printed on standard output."""
    (folder / "qrels").write_text(QRELS, encoding="utf-8")
    (folder / "run").write_text(RUN, encoding="utf-8")
    asked = [word for measure in measures for word in ("-m", measure)]
    result = CliRunner().invoke(
        main, ["trec_eval", *options.split(), *asked, str(folder / "qrels"), str(folder / "run")]
    )
    assert result.exit_code == 0, result.output
    return result.stdout
