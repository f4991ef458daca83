"""Repairs: a copy of a run or of qrels without the faults that can be mended by rewriting the file.

A repair mends what one check of the audit finds, and has its code. It changes what it is about and not a byte besides.
What changes a score is done only where it is asked for by its code.
"""
