"""trec_eval's names: what -m means there, what is printed, in which order."""

import pytest

from denominator.errors import MeasureError
from denominator.measures import REGISTRY, parse_measure, parse_trec
from denominator.measures.registry import TREC
from denominator.measures.trec import ORDER, expand

# words as trec_eval prints them
K = "5 10 15 20 30 100 200 500 1000".split()  # noqa: SIM905  (as trec_eval prints them)
# words as trec_eval prints them
POINTS = "0.00 0.10 0.20 0.30 0.40 0.50 0.60 0.70 0.80 0.90 1.00".split()  # noqa: SIM905
# words as trec_eval prints them
MULTIPLES = "0.20 0.40 0.60 0.80 1.00 1.20 1.40 1.60 1.80 2.00".split()  # noqa: SIM905

NINE = [
    # words as trec_eval prints them
    *"runid num_q num_ret num_rel num_rel_ret map gm_map Rprec bpref recip_rank".split(),  # noqa: SIM905
    *(f"iprec_at_recall_{x}" for x in POINTS),
    *(f"P_{k}" for k in K),
    "relstring",
    *(f"recall_{k}" for k in K),
    *("infAP", "gm_bpref"),
    *(f"Rprec_mult_{x}" for x in MULTIPLES),
    # words as trec_eval prints them
    *"utility 11pt_avg binG G ndcg ndcg_rel Rndcg".split(),  # noqa: SIM905
    *(f"ndcg_cut_{k}" for k in K),
    *(f"map_cut_{k}" for k in K),
    *(f"relative_P_{k}" for k in K),
    *("success_1", "success_5", "success_10"),
    # words as trec_eval prints them
    *"set_P set_relative_P set_recall set_map set_F num_nonrel_judged_ret".split(),  # noqa: SIM905
]
"""All that trec_eval 9.0.8 prints under -m all_trec, written by hand in its order."""
TEN = [*NINE, "rbp", "rbp_resid", "unj_5", "unj_10", "unj_20"]


@pytest.mark.parametrize("name", TEN)
def test_every_printed_name_is_read_and_printed_again(name):
    """What all_trec prints parses to one measure, whose trec_eval name is that name."""
    measure = parse_measure(name)
    assert measure.spec.trec_name(measure) == name


@pytest.mark.parametrize(("version", "names"), [("9", NINE), ("10", TEN)])
def test_all_trec_prints_every_name_in_its_order(version, names):
    """The order is that of measures.c, and version 10 adds its three at the end."""
    assert [name for one in parse_trec("all_trec", version) for name in one.names] == names


def test_the_hand_written_list_is_what_trec_eval_printed(shared):
    """trec_eval's own expected output has these names and no others (relstring is printed per query only)."""
    for version, names in (("9.0.8", NINE), ("10.0", TEN)):
        lines = (shared / "data" / f"trec_eval-{version}" / "out.test.a").read_text().splitlines()
        assert [line.split()[0] for line in lines] == [name for name in names if name != "relstring"]


def test_parameters_print_as_trec_eval_prints_them():
    """Cutoffs are sorted and normalised, other parameters printed as typed: the commands of its own quick test."""
    asked = [
        "iprec_at_recall..10,.20,.25,.75,.50",
        "P.5,7,3",
        "recall.20,2000",
        "Rprec_mult.5.0,0.2,0.35",
        "utility.2,-1,0,0",
        "11pt_avg..25,.5,.75",
        "ndcg.1=3,2=9,4=4.5",
        "ndcg_cut.10,20,23.4",
        "success.2,5,20",
        "relstring.20",
    ]
    found = parse_trec(asked)
    assert [name for one in found for name in one.names] == [
        *(f"iprec_at_recall_{x}" for x in ("0.10", "0.20", "0.25", "0.50", "0.75")),
        *("P_3", "P_5", "P_7", "relstring_20", "recall_20", "recall_2000"),
        *("Rprec_mult_0.20", "Rprec_mult_0.35", "Rprec_mult_5.00", "utility_2,-1,0,0", "11pt_avg_.25,.5,.75"),
        *("ndcg_1=3,2=9,4=4.5", "ndcg_cut_10", "ndcg_cut_20", "ndcg_cut_23", "success_2", "success_5", "success_20"),
    ]
    by_family = {one.family: one.measures for one in found}
    assert str(by_family["ndcg"][0]) == "nDCG(gains={1:3,2:9,4:4.5})"
    assert [str(measure) for measure in by_family["ndcg_cut"]] == ["nDCG@10", "nDCG@20", "nDCG@23"]
    assert all(len(one.names) == len(one.measures) for one in found)


def test_a_nickname_takes_the_parameters_given_beside_it():
    """As in `-m all_trec -m relstring.20`, and the first parameters of a name hold."""
    names = [name for one in parse_trec(["P.5", "official", "P.10"]) for name in one.names]
    assert [name for name in names if name.startswith("P_")] == ["P_5"]
    assert names[0] == "runid"


def test_parameters_of_a_measure_without_any_are_ignored_as_there():
    """recip_rank.10 is recip_rank in the drop-in; in our own grammar it is an error."""
    assert parse_trec("recip_rank.10")[0].names == ("recip_rank",)


@pytest.mark.parametrize(
    ("asked", "version", "message"),
    [
        ("P.", "9", "expected after the point"),
        ("P.0", "9", "1 or more"),
        ("P.abc", "9", "1 or more"),
        ("P.5,05", "9", "given twice"),
        ("iprec_at_recall.0.1,.1", "9", "given twice"),
        ("rbp", "9", "version 10 has"),
        ("unj.5", "9", "version 10 has"),
        ("official.5", "9", "takes no parameters"),
        ("prefs_simp", "9", "preference judgments"),
        ("all_prefs", "10", "preference judgments"),
        ("qrels_jg", "9", "several judges"),
        ("yaap", "9", "does not compute yaap"),
        ("nDCG@10", "9", "trec_eval has no measure"),
        ("ndcg_cot.5", "9", "did you mean ndcg_cut"),
        ("utility.1", "9", "1 numbers, expected 4"),
    ],
)
def test_what_trec_eval_cannot_mean_is_refused(asked, version, message):
    """Errors name the argument, and the nearest name or what is missing."""
    with pytest.raises(MeasureError, match=message):
        parse_trec(asked, version)


def test_order_and_registry_hold_the_same_names():
    """Every name of trec_eval has its place in the printing order, and belongs to one row of the registry."""
    assert sorted(ORDER) == sorted(TREC)
    assert sum(len(spec.trec) for spec in REGISTRY.values()) == len(TREC)
    for family in ORDER:
        for measure in expand(family):
            assert measure.spec.trec_name(measure) is not None
