"""How measures are written: both grammars, lists, printing, and every refusal."""

import pickle
import subprocess
import sys

import ir_measures
import pytest

from denominator import measures
from denominator.errors import MeasureError
from denominator.measures import (
    AP,
    ERR,
    RBP,
    RR,
    IPrec,
    Judged,
    Measure,
    NumRelRet,
    P,
    R,
    SetF,
    SetP,
    Success,
    nDCG,
    parse_measure,
    parse_measures,
    parse_trec,
    trec_options,
)

SPELLINGS = [
    (nDCG @ 10, ["nDCG@10", "NDCG@10", "ndcg_cut_10", "ndcg_cut.10", "nDCG(dcg='log2')@10", "nDCG(cutoff=10)"]),
    (nDCG(), ["nDCG", "ndcg", "nDCG(gains={1:1})"]),
    (P @ 5, ["P@5", "P_5", "P.5", "P_05", "Precision@5", " P @ 5 ", "P(judged_only=False)@5"]),
    (P(rel=2) @ 5, ["P(rel=2)@5", "P( rel = 2 ) @5", "P(rel=2.0)@5"]),
    (R @ 100, ["R@100", "Recall@100", "recall_100"]),
    (AP(), ["AP", "MAP", "map"]),
    (AP @ 10, ["AP@10", "map_cut_10"]),
    (RR @ 10, ["RR@10", "MRR@10"]),
    (RR(), ["RR", "recip_rank"]),
    (Success @ 1, ["Success@1", "success_1"]),
    (IPrec @ 0.1, ["IPrec@0.1", "IPrec@.1", "IPrec(recall=0.1)", "iprec_at_recall_0.10", "iprec_at_recall..10"]),
    (SetP(relative=True), ["SetP(relative=True)", "SetRelP", "set_relative_P"]),
    (SetF(beta=0.5), ["SetF(beta=0.5)", "set_F_0.5", "set_F..5"]),
    (NumRelRet(rel=2), ["NumRelRet(rel=2)", "NumRet(rel=2)"]),
    (
        nDCG(gains={1: 3, 2: 9, 4: 4.5}),
        ["nDCG(gains={4: 4.5, 2: 9, 1: 3.0})", "ndcg.1=3,2=9,4=4.5", "ndcg_1=3,2=9,4=4.5"],
    ),
    (Measure("utility", a=2), ["utility.2,-1,0,0", "utility_2,-1,0,0", "utility(a=2)"]),
    (Measure("11pt_avg", points=[0.25, 0.5, 0.75]), ["11pt_avg..25,.5,.75", "11pt_avg(points=[0.75,0.25,0.5])"]),
    (Measure("Rprec_mult") @ 5, ["Rprec_mult.5.0", "Rprec_mult_5.00", "Rprec_mult@5"]),
    (Measure("rbp", p=0.5), ["rbp.p=0.5", "rbp_p=0.5", "rbp(p=0.5)"]),
    (Measure("relstring") @ 20, ["relstring.20", "relstring_20", "relstring@20"]),
]


@pytest.mark.parametrize(("measure", "texts"), SPELLINGS, ids=[str(measure) for measure, _ in SPELLINGS])
def test_every_spelling_is_the_same_measure(measure, texts):
    """Texts of either grammar for one measure are equal, and hash alike."""
    for text in texts:
        assert parse_measure(text) == measure, text
        assert hash(parse_measure(text)) == hash(measure), text


PRINTED = {
    "ndcg_cut_10": "nDCG@10",
    "P(rel=2)@5": "P(rel=2)@5",
    "RBP": "RBP(p=0.8)",
    "rbp": "rbp(p=0.9)",
    "rbp_resid": "rbp_resid(p=0.9)",
    "set_F": "SetF(beta=1.0)",
    "ERR@20": "ERR(gmax=4)@20",
    "nDCG(dcg='exp-log2')@5": "nDCG(dcg='exp-log2')@5",
    "ndcg.1=3,2=9": "nDCG(gains={1:3,2:9})",
    "SetRelP": "SetP(relative=True)",
    "11pt_avg": "11pt_avg",
    "11pt_avg..5": "11pt_avg(points=[0.5])",
    "relstring": "relstring@10",
    "gm_map": "gm_map",
    "num_rel_ret": "NumRelRet",
    "P(judged_only=True,rel=3)@5": "P(rel=3,judged_only=True)@5",
}


@pytest.mark.parametrize(("typed", "printed"), PRINTED.items())
def test_a_measure_prints_in_the_grammar_of_ir_measures(typed, printed):
    """Names are ir_measures' where it has the measure, and parameters show where tools have other defaults."""
    assert str(parse_measure(typed)) == printed


def test_python_writes_measures_as_text_does():
    """``@`` sets the cutoff, a call sets parameters, None resets one, and what is read back includes defaults."""
    measure = P(rel=2, judged_only=True) @ 5
    assert (measure.name, measure.cutoff, measure["rel"], measure["judged_only"]) == ("P", 5, 2, True)
    assert measure(rel=None) == P(judged_only=True) @ 5
    assert (nDCG @ 10)(cutoff=5) == nDCG @ 5
    assert measure["cutoff"] == 5
    assert (IPrec @ 0.1)["recall"] == 0.1
    assert (RBP["p"], ERR["gmax"], nDCG["dcg"], nDCG["gains"], P["rel"]) == (0.8, 4, "log2", None, None)
    assert nDCG(gains={2: 5})["gains"] == {2: 5}
    assert Judged.level(3) == 3
    assert measure.level(3) == 2
    with pytest.raises(KeyError, match="gains"):
        P["gains"]


def test_a_measure_cannot_be_changed_and_survives_pickling():
    """It is a value: frozen, hashable, equal after a trip to another process."""
    measure = nDCG(gains={1: 2.5}) @ 10
    with pytest.raises(AttributeError):
        measure.cutoff = 5
    measure["gains"][1] = 100
    assert measure["gains"] == {1: 2.5}
    assert pickle.loads(pickle.dumps(measure)) == measure
    assert len({measure, nDCG(gains={1: 2.5}) @ 10}) == 1


@pytest.mark.parametrize(
    "theirs",
    [
        ir_measures.nDCG @ 10,
        ir_measures.nDCG(dcg="exp-log2") @ 5,
        ir_measures.nDCG(gains={0: 0, 1: 3}) @ 5,
        ir_measures.P(rel=2, judged_only=True) @ 5,
        ir_measures.R(rel=2) @ 5,
        ir_measures.AP(rel=2),
        ir_measures.RR @ 10,
        ir_measures.RBP(p=0.5, rel=1),
        ir_measures.SetF(beta=2.0, judged_only=True),
        ir_measures.SetAP(judged_only=True),
        ir_measures.IPrec(judged_only=True) @ 0.2,
        ir_measures.NumRelRet,
        ir_measures.Judged @ 10,
        ir_measures.SetRelP,
    ],
    ids=str,
)
def test_a_measure_of_ir_measures_is_accepted(theirs):
    """Its object and its text parse to the same Measure, and it prints as it does there."""
    ours = parse_measure(theirs)
    assert ours == parse_measure(str(theirs))
    assert parse_measures([theirs]) == (ours,)
    assert parse_measures(theirs) == (ours,)
    assert str(ours) == str(theirs).replace("NumRet(rel", "NumRelRet(rel")


LISTS = {
    "P.5,10": "P@5 P@10",
    "P_5,10 AP": "P@5 P@10 AP",
    "nDCG@10, R@100,AP": "nDCG@10 R@100 AP",
    "P.10,5,nDCG(gains={1:3,2:9})@5 ndcg.1=3,2=9,map": "P@10 P@5 nDCG(gains={1:3,2:9})@5 nDCG(gains={1:3,2:9}) AP",
    "iprec_at_recall..10,.20": "IPrec@0.1 IPrec@0.2",
    "P.5,11pt_avg": "P@5 11pt_avg",
    "success": "Success@1 Success@5 Success@10",
    "unj": "unj@5 unj@10 unj@20",
    "Rprec_mult": " ".join(f"Rprec_mult@{x / 5}" for x in range(1, 11)),
    "map_cut": " ".join(f"AP@{k}" for k in (5, 10, 15, 20, 30, 100, 200, 500, 1000)),
    "set": "NumQ NumRet NumRel NumRelRet utility SetP SetP(relative=True) SetR SetAP SetF(beta=1.0)",
    "success Success@5": "Success@1 Success@5 Success@10",
}


@pytest.mark.parametrize(("text", "expected"), LISTS.items())
def test_a_list_is_read_in_its_order(text, expected):
    """Commas and blanks separate measures, except between the numbers of one name of trec_eval."""
    assert " ".join(map(str, parse_measures(text))) == expected


def test_lists_may_mix_texts_and_measures():
    """An iterable holds texts of one or several measures, and Measures."""
    assert parse_measures(["P.5,10", AP, "nDCG@10 RR"]) == (P @ 5, P @ 10, AP, nDCG @ 10, RR)


def test_nicknames_stand_for_what_the_version_prints():
    """all_trec has rbp, rbp_resid and unj in version 10 only; texts are left out where numbers are wanted."""
    nine, ten = (set(parse_measures("all_trec", trec_eval=version)) for version in ("9", "10"))
    assert {str(measure) for measure in ten - nine} == {"rbp(p=0.9)", "rbp_resid(p=0.9)", "unj@5", "unj@10", "unj@20"}
    assert len(nine) == 93
    assert len(parse_measures("official")) == 4 + 5 + 11 + 9
    assert not any(measure.spec.text_valued for measure in nine)


REFUSED = {
    "P": "P needs a cutoff: write P@10 or P.5,10",
    "Recall": "R needs a cutoff: write R@10 or recall.5,10",
    "IPrec": "IPrec needs a recall: write IPrec@0.1",
    "P@0": "1 or more",
    "P_0": "1 or more",
    "P@-5": "1 or more",
    "P@5.5": "a whole number",
    "ndcg_cut.10,23.4": "a whole number",
    "P@99999999999999999999": "at most 9223372036854775807",
    "P@x": "'x' after @ is not a number",
    "P.5,5": "the cutoff 5 is given twice",
    "P_5 P_05": "asked for twice: as 'P_5' and as 'P_05'",
    "nDCG@10 ndcg_cut.10": "nDCG@10 is asked for twice",
    "P@5(cutoff=5)": "after @ is not a number",
    "P(cutoff=5)@5": "the cutoff is given twice",
    "P(x=1)@5": "P has no parameter 'x'; its parameters: rel, judged_only",
    "P(rel=0)@5": "a grade above 0",
    "P(rel=-1)@5": "a grade above 0",
    "P(rel=True)@5": "a grade above 0",
    "P(rel='2')@5": "a grade above 0",
    "P(judged_only=1)@5": "True or False",
    "P(5)": "every parameter needs its name",
    "P(rel)@5": "every parameter needs its name",
    "P(rel=f())@5": "cannot read",
    "P(rel=1)+(2)@5": "cannot read",
    "P(rel=1)(rel=2)@5": "cannot read",
    "P(rel=1,rel=2)@5": "rel= is given twice",
    "P(**{'rel':1})@5": "is not possible here",
    "nDCG(gains={[]:1})": "cannot read",
    "P(rel=2": "not a measure",
    "nDCG(dcg='log3')": "'log2' or 'exp-log2'",
    "nDCG(dcg='exp-log2',gains={1:3})": "one of the two",
    "nDCG(gains={-1:3})": "whole grades, 0 or more",
    "nDCG(gains=3)": "a mapping",
    "nDCG(gains={1:'x'})": "a mapping",
    "ndcg.1=3,1=4": "the gain of grade 1 is given twice",
    "nDCG(gains={1:2,1:3})@5": "gains= names 1 twice",
    "nDCG(gains={1:2,1.0:3})@5": "gains= names 1.0 twice",
    "nDCG(gains={1:1e16})@5": "gains of at most",
    "P@٥": "'٥' after @ is not a number",
    "P@1_0": "'1_0' after @ is not a number",
    "P(rel=1_0)@5": "write numbers without _",
    "P.٥": "is not a number|unknown measure",
    "P.5,,10": "nothing stands between two commas",
    "AP,,P@5": "nothing stands between two commas",
    "ndcg.1=x": "'x' is not a number",
    "ndcg.x=3": "'x=3' is unknown, expected grade=gain",
    "ndcg_10": "for a cutoff write nDCG@10",
    "rbp.p=2": "above 0 and below 1",
    "RBP(p=1)": "above 0 and below 1",
    "SetF(beta=-1)": "0 or more",
    "ERR(gmax=0)@5": "1 or more",
    "ERR(gmax=2.5)@5": "a whole number",
    "IPrec@1.5": "a recall from 0 to 1",
    "Rprec_mult@0": "a multiple of |Rel| above 0",
    "11pt_avg(points=[])": "a list of different numbers",
    "11pt_avg(points=[0.5,0.5])": "a list of different numbers",
    "11pt_avg(points=[2])": "from 0 to 1",
    "11pt_avg(points='1')": "a list of different numbers",
    "utility.1,2": "2 numbers, expected 4",
    "utility(a='x')": "a number",
    "utility(docs=-1)": "0 or more",
    "recip_rank.10": "did you mean RR@10?",
    "recip_rank_10": "did you mean RR@10?",
    "map_10": "did you mean AP@10?",
    "Rprec@10": "Rprec takes no cutoff, found @10; did you mean P@10?",
    "Bpref@10": "Bpref takes no cutoff",
    "ndcg@10": "did you mean nDCG@10?",
    "ndgc_cut_10": "unknown measure.*did you mean ndcg_cut",
    "ndcg10": "did you mean nDCG@10?",
    "P_@0": "did you mean P@10?",
    "precision@5": "did you mean P@5?",
    "hit_rate@3": "did you mean Success@3?",
    "HITS@1": "did you mean Success@1?",
    "mrr": "did you mean RR?",
    "F1@10": "did you mean SetF, without a cutoff?",
    "Hole@10": "did you mean Unjudged@10?",
    "Prec@10": "did you mean P@10?",
    "recall_at_10": "did you mean R@10?",
    "average_precision_score": "did you mean AP?",
    "top_k_accuracy": "did you mean Success@10?",
    "f1": "did you mean SetF?",
    "setAp@7": "did you mean AP@7?",
    "Bprefs": "did you mean Bpref, bpref",
    "map_cutt": "did you mean map_cut",
    "P@5,10": "write P@5 P@10",
    "BPM@10": "ir_measures that denominator does not compute",
    "zzz": "unknown measure 'zzz'. `denominator measures` lists them all",
    "": "no measure is named",
    " , ": "no measure is named",
    "5": "unknown measure|not a measure",
    "@5": "not a measure",
}


@pytest.mark.parametrize(("text", "message"), REFUSED.items())
def test_what_makes_no_sense_is_refused_with_a_reason(text, message):
    """Nothing wrong gets past parsing: the C code behind pytrec_eval would abort, or ignore it in silence."""
    with pytest.raises(MeasureError, match=message.replace("|Rel|", "[|]Rel[|]").replace("?", "[?]")):
        parse_measures(text)


def test_one_measure_is_not_several():
    """parse_measure refuses a list, and says how many measures it is."""
    with pytest.raises(MeasureError, match="stands for 2 measures"):
        parse_measure("P.5,10")
    with pytest.raises(MeasureError, match="stands for 9 measures"):
        parse_measure("recall")


def test_objects_are_checked_as_texts_are():
    """A Measure without its cutoff, or something else altogether, does not get past parsing either."""
    for wrong in (P, [nDCG @ 10, R]):
        with pytest.raises(MeasureError, match="needs a cutoff"):
            parse_measures(wrong)
    with pytest.raises(MeasureError, match="needs a cutoff"):
        parse_measure(P)
    with pytest.raises(MeasureError, match="is a int, expected a measure"):
        parse_measures([10])
    with pytest.raises(MeasureError, match="asked for twice"):
        parse_measures([P @ 5, P @ 5])
    for cutoff in (0, 2.5, True, "5"):
        with pytest.raises(MeasureError):
            P @ cutoff


def test_ir_measures_is_never_imported_by_us():
    """Its objects are recognised through sys.modules."""
    code = (
        "import sys; from denominator.measures import parse_measures; parse_measures('P@5');"
        "print('ir_measures' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_options_of_trec_eval_that_its_names_cannot_show():
    """-l, -J and -N come from rel=, judged_only= and docs=."""
    assert trec_options(P(rel=2, judged_only=True) @ 5) == ("-l2", "-J")
    assert trec_options(Measure("utility", d=1, docs=1000)) == ("-N1000",)
    assert trec_options(P @ 5) == ()


def test_public_names_are_sorted_and_true():
    """__all__ names what is there, each once."""
    assert len(set(measures.__all__)) == len(measures.__all__)
    for name in measures.__all__:
        value = getattr(measures, name)
        if isinstance(value, Measure):
            assert value.name == name


def test_every_text_that_is_no_measure_is_named_at_once():
    """One line each, the first twenty of many, and none longer than a screen can hold."""
    with pytest.raises(MeasureError) as caught:
        parse_measures("zzz AP P yyy@5")
    assert [line.split()[:3] for line in str(caught.value).splitlines()] == [
        ["unknown", "measure", "'zzz'."],
        ["P", "needs", "a"],
        ["unknown", "measure", "'yyy@5'."],
    ]
    with pytest.raises(MeasureError, match="and 30 more that are no measures"):
        parse_measures([f"zzz{number}@5" for number in range(50)])


@pytest.mark.parametrize("text", ["x" * 10_000, "P@" + "9" * 5_000, "P(rel=" + "9" * 5_000 + ")@5", "P." + "9" * 5_000])
def test_a_long_text_is_not_echoed_in_full(text):
    """A message stays readable, and digits that Python does not read are refused in words."""
    for parse in (parse_measure, parse_measures, parse_trec):
        with pytest.raises(MeasureError) as caught:
            parse(text)
        assert len(str(caught.value)) < 500


def test_a_measure_says_so_where_a_number_cannot_be_printed():
    """Python writes no number of 5,000 digits."""
    with pytest.raises(MeasureError, match="a number of more than 4,300 digits"):
        P @ 10**5000
    for gains in ({1: 10**400}, ((1, 2), (1, 3))):
        with pytest.raises(MeasureError, match="gains"):
            nDCG(gains=gains)
