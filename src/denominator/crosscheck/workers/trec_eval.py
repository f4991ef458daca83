"""The program trec_eval that is on PATH: ``trec_eval -q -c -l LEVEL -m MEASURE QRELS RUN``."""

from __future__ import annotations

import os
import re
import subprocess
import sys

from denominator.crosscheck.workers.channel import Answer, Ask, serve


class Program:
    """One call a measure; it prints four decimals."""

    def version(self) -> str:
        """Return what ``trec_eval --version`` says."""
        found = subprocess.run(["trec_eval", "--version"], capture_output=True, text=True)
        number = re.search(r"[0-9]+\.[0-9][0-9A-Za-z.]*", found.stdout + found.stderr)
        return number.group().rstrip(".") if number else ""

    def load(self, qrels: str, run: str) -> None:
        """Keep the two paths: the program reads them itself; and note the judged queries."""
        self.files = [qrels, run]
        with open(qrels, encoding="utf-8") as file:
            self.judged = {line.split()[0] for line in file if line.strip() and not line.startswith("#")}

    def answer(self, ask: Ask) -> Answer:
        """Run the program, and read what it prints.

        Version 9 has no line for a query that the run lacks, and counts it 0 in its mean under ``-c``.
        """
        options = [str(one) for one in ask.options.get("arguments", ())]
        found = subprocess.run(
            ["trec_eval", "-q", "-c", *options, "-m", ask.name, *self.files], capture_output=True, encoding="utf-8"
        )
        if found.returncode < 0:  # end as it ended, with its last words: that is what is reported then
            sys.stderr.write(found.stderr)
            sys.stderr.flush()
            os.kill(os.getpid(), -found.returncode)
        if found.returncode:
            words = found.stderr.strip() or f"exit status {found.returncode}"
            raise RuntimeError(words)
        values, mean = {}, None
        for line in found.stdout.splitlines():
            _, query, value = line.split("\t")
            if query.strip() == "all":
                mean = float(value)
            else:
                values[query.strip()] = float(value)
        return Answer({**dict.fromkeys(self.judged - values.keys(), 0.0), **values}, mean)


if __name__ == "__main__":
    serve(Program())
