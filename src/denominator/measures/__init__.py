"""Measures: what can be computed, how it is written, what it is divided by, and when not to trust it.

>>> from denominator.measures import P, nDCG, parse_measures
>>> nDCG @ 10, P(rel=2) @ 5
(nDCG@10, P(rel=2)@5)
>>> parse_measures("ndcg_cut.10 P_5,10")
(nDCG@10, P@5, P@10)
"""

from __future__ import annotations

from denominator.measures.grammar import parse_measure, parse_measures
from denominator.measures.ledger import ceiling, fraction, undefined, worth_unanswered
from denominator.measures.measure import Measure
from denominator.measures.registry import REGISTRY
from denominator.measures.spec import Spec
from denominator.measures.trec import TrecMeasure, parse_trec, trec_options

AP = Measure("AP")
Bpref = Measure("Bpref")
ERR = Measure("ERR")
IPrec = Measure("IPrec")
Judged = Measure("Judged")
NumQ = Measure("NumQ")
NumRel = Measure("NumRel")
NumRelRet = Measure("NumRelRet")
NumRet = Measure("NumRet")
P = Measure("P")
R = Measure("R")
RBP = Measure("RBP")
RCap = Measure("RCap")
RR = Measure("RR")
Rprec = Measure("Rprec")
SetAP = Measure("SetAP")
SetF = Measure("SetF")
SetP = Measure("SetP")
SetR = Measure("SetR")
Success = Measure("Success")
Unjudged = Measure("Unjudged")
infAP = Measure("infAP")  # noqa: N816  (spelled as the field spells it)
nDCG = Measure("nDCG")  # noqa: N816  (spelled as the field spells it)

__all__ = [
    "AP",
    "ERR",
    "RBP",
    "REGISTRY",
    "RR",
    "Bpref",
    "IPrec",
    "Judged",
    "Measure",
    "NumQ",
    "NumRel",
    "NumRelRet",
    "NumRet",
    "P",
    "R",
    "RCap",
    "Rprec",
    "SetAP",
    "SetF",
    "SetP",
    "SetR",
    "Spec",
    "Success",
    "TrecMeasure",
    "Unjudged",
    "ceiling",
    "fraction",
    "infAP",
    "nDCG",
    "parse_measure",
    "parse_measures",
    "parse_trec",
    "trec_options",
    "undefined",
    "worth_unanswered",
]
