"""One file per implementation, each run as a process of its own: ``python -m denominator.crosscheck.workers.ranx``.

A worker reads what it is asked on standard input, loads the two files the way users of its library do, and answers
measure by measure on standard output (see `channel`). It imports its library and nothing else of weight: what aborts,
hangs or fills the memory there ends the worker, and no more.
"""
