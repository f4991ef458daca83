"""What raw pytrec_eval does on inputs that it cannot take, and that we stand in front of it.

Each row runs twice, in other processes with a time limit. First raw pytrec_eval, each row in a process of its own: it
must still crash, hang or mislead as written, and a row that no longer does is a guard that is no longer needed. Then
ours, all rows in one process, which must come through with the right values and say who computed them.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[2]

RAW = """
import math
import numpy as np
import pytrec_eval

def raw(grades, scores, *measures, **options):
    return pytrec_eval.RelevanceEvaluator(grades, set(measures), **options).evaluate(scores)
"""
OURS = """
import contextlib, io, json
from dataclasses import replace
import numpy as np
from inputs import judged, qrels_of, ranked, run_of
import denominator as dn
from denominator.measures import Measure, parse_measure, parse_measures

def show(qrels, run, measures, **settings):
    for row in dn.evaluate(qrels, run, measures, **settings).rows():
        print(row.query_id, row.measure, "none" if row.value is None else f"{row.value:.4f}", row.engine.split()[0])

def refused(action):
    try:
        action()
    except dn.DenominatorError as error:
        print(type(error).__name__, error)

def every(rows):
    for name, code in rows:
        with contextlib.redirect_stdout(io.StringIO()) as out:
            exec(code, dict(globals()))
        print(json.dumps([name, out.getvalue()]), flush=True)
"""


IN_THE_MIDDLE = """
import gc, threading
import pytrec_eval
threads = []

def between(action):
    def callback(phase, _):
        if phase == 'start' and len(threads) < 5:
            threads.append(threading.Thread(target=action))
            threads[-1].start()
            threads[-1].join(0.1)

    def evaluate(self, scores):
        if threading.current_thread() is not threading.main_thread():
            return plain(self, scores)
        gc.callbacks.append(callback)
        try:
            return plain(self, scores)
        finally:
            gc.callbacks.remove(callback)

    plain, usual = pytrec_eval.RelevanceEvaluator.evaluate, gc.get_threshold()
    gc.set_threshold(20)
    pytrec_eval.RelevanceEvaluator.evaluate = evaluate
    try:
        action()
    finally:
        pytrec_eval.RelevanceEvaluator.evaluate = plain
        gc.set_threshold(*usual)
    for thread in threads:
        thread.join()

"""
"""Do something, and the same in another thread when the garbage collector runs in the middle of evaluating."""


@dataclass(frozen=True)
class Row:
    """One input: what raw pytrec_eval does with it, and what ours prints."""

    name: str
    raw: str
    does: str
    """``hangs``, ``crashes``, ``crashes or hangs``, or a pattern found in what it prints or raises."""
    ours: str
    prints: str
    """A pattern for the whole of what ours prints."""
    limit: float = 60
    """Seconds that raw pytrec_eval is given."""


ROWS = (
    Row(
        "all judgments negative, after another query: ndcg never returns",
        "for n in range(100):\n"  # what it reads was never written, so it takes a few tries
        "    raw({'r': {str(grade): grade for grade in range(n + 1)}}, {'r': {'a': 1.0}}, 'ndcg')\n"
        "    raw({'q': {'a': -1}}, {'q': {'a': 1.0, 'b': 2.0, 'c': 0.0}}, 'map', 'ndcg', 'ndcg_rel')",
        "crashes or hangs",
        "show(judged('q a -1\\nr a 3'), ranked('r a\\nq b a c'), 'nDCG NumRet')",
        r"q nDCG 0\.0000 columnar\nr nDCG 1\.0000 pytrec_eval\n"
        r"q NumRet 3\.0000 columnar\nr NumRet 1\.0000 pytrec_eval\n",
        limit=5,
    ),
    Row(
        "all judgments below -1, after another query: every measure ends the interpreter",
        "raw({'q': {'a': -2}, 'r': {'a': 1}}, {'r': {'a': 1.0}, 'q': {'a': 1.0}}, 'map')",
        "crashes",
        "show(judged('q a -2\\nr a 1'), ranked('r a\\nq a'), 'AP')",
        r"q AP 0\.0000 columnar\nr AP 1\.0000 pytrec_eval\n",
    ),
    Row(
        "all judgments negative, first query: nothing was retrieved, it says",
        "print(raw({'q': {'a': -1}}, {'q': {'a': 1.0, 'b': 2.0}}, 'num_ret'))",
        r"'num_ret': 0\.0",
        "show(judged('q a -1'), ranked('q a b'), 'NumRet')",
        r"q NumRet 2\.0000 columnar\n",
    ),
    Row(
        "a grade of 200,000: time grows with its square",
        "raw({'q': {'a': 200_000}}, {'q': {'a': 1.0}}, 'ndcg')",
        "hangs",
        "show(judged('q a 200000\\nq b 0\\nr a 1'), ranked('q b a\\nr a'), 'nDCG')",
        r"q nDCG 0\.6309 columnar\nr nDCG 1\.0000 pytrec_eval\n",
        limit=4,
    ),
    Row(
        "utility with coefficients is 0",
        "print(raw({'q': {'a': 1}}, {'q': {'a': 1.0}}, 'utility_2,1,1,1'))",
        r"'utility': 0\.0",
        "show(judged('q a 1'), ranked('q a'), [Measure('utility', a=2.0)])",
        r"q utility\(a=2\.0\) 2\.0000 columnar\n",
    ),
    *(
        Row(
            f"gains for {name} end the interpreter",
            f"raw({{'q': {{'a': 1}}}}, {{'q': {{'a': 1.0}}}}, '{name}.1=5')\n"  # the mapping is dropped …
            f"raw({{'q': {{'a': 1}}}}, {{'q': {{'a': 1.0}}}}, '{name}_5')",  # … and the digits abort
            "crashes",
            f"show(judged('q a 1\\nq b 2'), ranked('q a b'), '{name}.1=5')",
            rf"q \S+ {value} columnar\n",
        )
        for name, value in {"ndcg": r"1\.0000", "G": r"\d\.\d+", "ndcg_rel": r"\d\.\d+", "Rndcg": r"\d\.\d+"}.items()
    ),
    Row(
        "relstring and runid are memory, not numbers",
        "print(raw({'q': {'a': 1}}, {'q': {'a': 1.0}}, 'relstring', 'runid'))",
        r"'relstring': 0\.0|'runid': [0-9.e+-]+",
        "from denominator.engines import Settings, pytrec\n"
        "for name in ('relstring', 'runid'):\n"
        "    measure = parse_measure(name)\n"
        "    print(pytrec.score(judged('q a 1'), ranked('q a'), [measure], Settings())[measure])",
        r"\[nan\]\n\[nan\]\n",
    ),
    Row(
        "recall points without a leading zero are refused, or become 10 and 20",
        "try:\n    raw({'q': {'a': 1}}, {'q': {'a': 1.0}}, 'iprec_at_recall..10')\nexcept ValueError as error:\n"
        "    print(error)\n"
        "print(raw({'q': {'a': 1}}, {'q': {'a': 1.0}}, 'iprec_at_recall.10,.20'))",
        r"unsupported measure(.|\n)*'iprec_at_recall_10\.00'",
        "show(judged('q a 1'), ranked('q a'), parse_measures('iprec_at_recall..10,.20'))\n"
        "show(judged('q a 1\\nq b 1'), ranked('q a x b'), parse_measures('11pt_avg..25,.75'))",
        r"q IPrec@0\.1 1\.0000 pytrec_eval\nq IPrec@0\.2 1\.0000 pytrec_eval\n"
        r"q 11pt_avg\(points=\[0\.25,0\.75\]\) 0\.8333 pytrec_eval\n",
    ),
    *(
        Row(
            f"cutoffs {raw}: the interpreter aborts",
            f"raw({{'q': {{'a': 1}}}}, {{'q': {{'a': 1.0}}}}, {raw})",
            "crashes",
            f"refused(lambda: show(judged('q a 1'), ranked('q a'), {ours!r}))",
            prints,
        )
        for raw, ours, prints in (
            ("'P_0'", "P_0", r"MeasureError .*cutoff.*\n"),
            ("'ndcg_cut_0'", "nDCG@0", r"MeasureError .*cutoff.*\n"),
            ("'P_5', 'P_05'", "P_5 P_05", r"(q P@5 0\.2000 pytrec_eval\n|MeasureError .*\n)"),
        )
    ),
    Row(
        "recall points 0.1 and 0.10 are one cutoff given twice: the interpreter aborts",
        "raw({'q': {'a': 1}}, {'q': {'a': 1.0}}, 'iprec_at_recall_0.1', 'iprec_at_recall_0.10')",
        "crashes",
        "show(judged('q a 1'), ranked('q a'), [parse_measure('IPrec@0.1'), parse_measure('IPrec(rel=1)@0.10')])",
        r"q IPrec@0\.1 1\.0000 pytrec_eval\nq IPrec\(rel=1\)@0\.1 1\.0000 pytrec_eval\n",
    ),
    Row(
        "recall points 0.125 and 0.12 are answered under one name",
        "print(len(raw({'q': {'a': 1}}, {'q': {'a': 1.0}}, 'iprec_at_recall_0.125', 'iprec_at_recall_0.12')['q']))",
        r"^1\n",
        "show(qrels_of(('q', f'd{n}', 1) for n in range(8)), ranked('q d0 x d1'), 'IPrec@0.25 IPrec@0.252')",
        r"q IPrec@0\.25 0\.6667 pytrec_eval\nq IPrec@0\.252 0\.6667 pytrec_eval\n",
    ),
    Row(
        "a lone surrogate in an id ends the interpreter",
        "raw({'q': {'a\\ud800': 1}}, {'q': {'a\\ud800': 1.0}}, 'map')",
        "crashes",
        "refused(lambda: dn.read_run({'q': {'a\\ud800': 1.0}}))",
        r"FormatError (.|\n)*surrogate(.|\n)*",
    ),
    Row(
        "a NUL in an id cuts it off: another document is found",
        "print(raw({'q': {'a': 1}}, {'q': {'a\\0b': 1.0}}, 'map'))",
        r"'map': 1\.0",
        "refused(lambda: dn.read_run({'q': {'a\\0b': 1.0}}))",
        r"FormatError (.|\n)*NUL(.|\n)*",
    ),
    Row(
        "a judged query missing from the run has no row",
        "print(raw({'q': {'a': 1}, 'r': {'b': 1}}, {'q': {'a': 1.0}}, 'map'))",
        r"^\{'q': \{'map': 1\.0\}\}\n$",
        "show(judged('q a 1\\nr b 1'), ranked('q a'), 'AP')",
        r"q AP 1\.0000 pytrec_eval\nr AP 0\.0000 unanswered\n",
    ),
    Row(
        "a query without judgments vanishes",
        "print(raw({'q': {}, 'r': {'b': 1}}, {'q': {'a': 1.0}, 'r': {'b': 1.0}}, 'num_ret'))",
        r"^\{'r': \{'num_ret': 1\.0\}\}\n$",
        "qrels = judged('r b 1')\nshow(replace(qrels, queries=('r', 'q')), ranked('q a\\nr b'), 'NumRet AP')",
        r"q NumRet 1\.0000 columnar\nr NumRet 1\.0000 pytrec_eval\nq AP 0\.0000 columnar\nr AP 1\.0000 pytrec_eval\n",
    ),
    Row(
        "an empty ranking, first: no document was judged relevant, it says",
        "print(raw({'q': {'a': 1}}, {'q': {}}, 'num_rel'))",
        r"'num_rel': 0\.0",
        "run = ranked('r b')\nshow(judged('q a 1\\nr b 1'), replace(run, queries=('r', 'q')), 'NumRel')",
        r"q NumRel 1\.0000 columnar\nr NumRel 1\.0000 pytrec_eval\n",
    ),
    Row(
        "the query id no_query is answered from the query before it",
        "raw({'r': {'b': 1}}, {'r': {'b': 1.0}}, 'num_ret')\n"
        "print(raw({'no_query': {'a': 1}}, {'no_query': {'x': 3.0, 'y': 2.0, 'a': 1.0}}, 'num_ret', 'map'))",
        r"'num_ret': 1\.0, 'map': 1\.0",
        "show(judged('r b 1'), ranked('r b'), 'NumRet')\n"
        "show(judged('no_query a 1'), ranked('no_query x y a'), 'NumRet AP')",
        r"r NumRet 1\.0000 pytrec_eval\nno_query NumRet 3\.0000 pytrec_eval\nno_query AP 0\.3333 pytrec_eval\n",
    ),
    Row(
        "NumPy and string scores raise a TypeError that names neither",
        "for score in (np.float32(1), '1.0'):\n"
        "    try:\n        raw({'q': {'a': 1}}, {'q': {'a': score}}, 'map')\n"
        "    except TypeError as error:\n        print(error)",
        r"^(Unable to extract query/object scores\.\n){2}$",
        "show(judged('q a 1'), dn.read_run({'q': {'x': np.float32(2), 'a': np.float64(1)}}), 'RR')\n"
        "refused(lambda: dn.read_run({'q': {'a': 'one'}}))",
        r"q RR 0\.5000 pytrec_eval\nFormatError (.|\n)*one(.|\n)*",
    ),
    Row(
        "relevance_level=0 raises a TypeError, and -1 calls nothing relevant",
        "try:\n    raw({'q': {'a': 1}}, {'q': {'a': 1.0}}, 'map', relevance_level=0)\n"
        "except TypeError as error:\n    print('TypeError')\n"
        "print(raw({'q': {'a': 1}}, {'q': {'a': 1.0}}, 'map', relevance_level=-1))",
        r"^TypeError\n.*'map': 0\.0",
        "from denominator.engines import Settings, pytrec\n"
        "for level in (0, -1):\n"
        "    print(pytrec.unsupported(parse_measure('AP'), Settings(level=level)))",
        r"(pytrec_eval takes relevance levels above 0 only\n){2}",
    ),
    Row(
        "a level far above the grades reads past the end of a table",
        "raw({'q': {'a': 1, 'b': 0}}, {'q': {'a': 1.0, 'b': 0.0}}, 'bpref', relevance_level=10**9)",
        "crashes",
        "show(judged('q a 1\\nq b 0'), ranked('q b a'), 'Bpref NumRel', level=10**9)",
        r"q Bpref 0\.0000 pytrec_eval\nq NumRel 0\.0000 pytrec_eval\n",
    ),
    Row(
        "the same document twice is an AssertionError without a message",
        "try:\n    pytrec_eval.parse_run(['q Q0 a 1 2.0 t', 'q Q0 b 2 1.5 t', 'q Q0 a 3 1.0 t'])\n"
        "except AssertionError as error:\n    print(repr(str(error)))",
        r"^''\n$",
        "import os, pathlib, tempfile\n"
        "os.chdir(tempfile.mkdtemp())\n"
        "pathlib.Path('twice.run').write_text('q Q0 a 1 2.0 t\\nq Q0 b 2 1.5 t\\nq Q0 a 3 1.0 t\\n')\n"
        "refused(lambda: dn.read_run('twice.run'))",
        r"FormatError twice\.run:3: .*\ba\b.*\b1\b.*\n",
    ),
    Row(
        "scores that differ as 64-bit floats tie as 32-bit floats",
        "print(raw({'q': {'a': 1}}, {'q': {'a': 0.99999999, 'b': 0.99999998}}, 'recip_rank'))",
        r"'recip_rank': 0\.5",
        "show(judged('q a 1'), run_of([('q', 'a', 0.99999999), ('q', 'b', 0.99999998)]), 'RR')",
        r"q RR 1\.0000 pytrec_eval\n",
    ),
    Row(
        "whole numbers above 16,777,216 tie, so a longer ranking cannot be handed over",
        "print(raw({'q': {'a': 1}}, {'q': {'a': 16_777_217, 'b': 16_777_216}}, 'recip_rank'))",
        r"'recip_rank': 0\.5",
        "from denominator.engines import pytrec\n"
        "print(pytrec.LONGEST_RANKING)\n"
        "pytrec.LONGEST_RANKING = 2\n"
        "show(judged('q a 1\\nr a 1'), ranked('q x y a\\nr x a'), 'RR')\n"
        "pytrec.LONGEST_RANKING = 1 << 24",
        r"16777216\nq RR 0\.3333 columnar\nr RR 0\.5000 pytrec_eval\n",
    ),
    Row(
        "a grade that is no whole number is refused",
        "try:\n    raw({'q': {'a': 0.5}}, {'q': {'a': 1.0}}, 'ndcg')\nexcept TypeError as error:\n    print(error)",
        r"^Expected relevance to be integer\.\n$",
        "show(judged('q a 0.5\\nq b 1'), ranked('q a b'), 'nDCG')",
        r"q nDCG 0\.8597 columnar\n",
    ),
    Row(
        "judged documents only, and none retrieved: 0 divided by 0",
        "print(raw({'q': {'a': 1}}, {'q': {'x': 1.0}}, 'iprec_at_recall_0', '11pt_avg', judged_docs_only_flag=1))",
        r"'iprec_at_recall_0\.00': nan(.|\n)*|'11pt_avg': nan",
        "show(judged('q a 1'), ranked('q x'), 'IPrec@0.0 11pt_avg', judged_only=True)",
        r"q IPrec@0\.0 0\.0000 columnar\nq 11pt_avg 0\.0000 columnar\n",
    ),
    Row(
        "a cutoff for recip_rank is accepted and ignored",
        "print(raw({'q': {'a': 1}}, {'q': {'x': 2.0, 'a': 1.0}}, 'recip_rank_1'))",
        r"'recip_rank': 0\.5",
        "show(judged('q a 1'), ranked('q x a'), 'RR@1 RR')",
        r"q RR@1 0\.0000 pytrec_eval\nq RR 0\.5000 pytrec_eval\n",
    ),
    *(
        [
            Row(
                "two evaluations at once: the garbage collector lets the second into the middle of the first",
                IN_THE_MIDDLE + "grades = {str(q): {str(d): d % 2 for d in range(30)} for q in range(500)}\n"
                "scores = {str(q): {str(d): float(d) for d in range(30)} for q in range(500)}\n"
                "turns = ['P_1,2,3,7,9,11', 'P_5'] * 3\n"
                "between(lambda: raw(grades, scores, 'map', turns.pop()))",
                "crashes",
                IN_THE_MIDDLE + "from denominator.engines import Settings, pytrec\n"
                "qrels = judged('\\n'.join(f'{q} {d} {d % 2}' for q in range(500) for d in range(30)))\n"
                "run = ranked('\\n'.join(' '.join(map(str, [q, *range(30)])) for q in range(500)))\n"
                "turns = ['P@5', 'P@1 P@2 P@3 P@7 P@9 P@11'] * 3\n"
                "def act():\n"
                "    found = pytrec.score(qrels, run, parse_measures(turns.pop()), Settings())\n"
                "    seen.update((str(measure), value) for measure in found for value in found[measure].tolist())\n"
                "seen = set()\n"
                "between(act)\n"
                "print(len(threads), *sorted(seen))",
                r"5 \('P@1', 0\.0\) \('P@11', 0\.45454545454545453\) \('P@2', 0\.5\) \('P@3', 0\.3333333333333333\) "
                r"\('P@5', 0\.4\) \('P@7', 0\.42857142857142855\) \('P@9', 0\.4444444444444444\)\n",
            )
        ]
        if sys.version_info < (3, 12)  # from there on, collections wait for Python code
        else []
    ),
)


def run_python(code: str, limit: float) -> subprocess.CompletedProcess[str] | None:
    """Run code in a process of its own; None when it does not end within the limit."""
    path = os.pathsep.join(filter(None, [str(TESTS), os.environ.get("PYTHONPATH")]))
    try:
        return subprocess.run(
            [sys.executable, "-W", "error", "-c", code],
            capture_output=True,
            text=True,
            timeout=limit,
            env={**os.environ, "PYTHONPATH": path},
        )
    except subprocess.TimeoutExpired:
        return None


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_raw_pytrec_eval_still_needs_the_guard(row: Row):
    """It crashes, hangs or misleads on this input."""
    done = run_python(RAW + row.raw, row.limit)
    if done is None:
        assert row.does in ("hangs", "crashes or hangs")
    elif "crashes" in row.does:
        assert done.returncode < 0, done.stdout + done.stderr
    else:
        assert done.returncode == 0, done.stderr
        assert re.search(row.does, done.stdout), done.stdout


@pytest.fixture(scope="module")
def printed() -> dict[str, str]:
    """What ours prints for each row, all in one process; rows after one that ends the process are missing."""
    done = run_python(OURS + f"every({[(row.name, row.ours) for row in ROWS]!r})", 120)
    assert done is not None, "did not end within two minutes"
    assert not done.stderr
    return dict(json.loads(line) for line in done.stdout.splitlines())


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_ours_does_the_right_thing(row: Row, printed: dict[str, str]):
    """The right value, and who computed it; or an error of ours."""
    assert row.name in printed, "the process ended at this row or before it"
    assert re.fullmatch(row.prints, printed[row.name]), printed[row.name]
