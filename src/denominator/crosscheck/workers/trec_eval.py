"""The program trec_eval that is on PATH: ``trec_eval -q -c -l LEVEL -m MEASURE QRELS RUN``."""

from __future__ import annotations

import subprocess

from denominator.crosscheck.workers.channel import Answer, Ask, serve


class Program:
    """One call a measure; it prints four decimals."""

    def version(self) -> str:
        """Return what ``trec_eval --version`` says."""
        found = subprocess.run(["trec_eval", "--version"], capture_output=True, text=True)
        return (found.stdout + found.stderr).strip().removeprefix("trec_eval version").strip()

    def load(self, qrels: str, run: str) -> None:
        """Keep the two paths: the program reads them itself."""
        self.files = [qrels, run]

    def answer(self, ask: Ask) -> Answer:
        """Run the program, and read what it prints."""
        options = [str(one) for one in ask.options.get("arguments", ())]
        found = subprocess.run(
            ["trec_eval", "-q", "-c", *options, "-m", ask.name, *self.files], capture_output=True, encoding="utf-8"
        )
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
        return Answer(values, mean)


if __name__ == "__main__":
    serve(Program())
