"""What people write around ranx: load the judgments once, then load and evaluate each run."""

import sys

from ranx import Qrels, Run, evaluate

MEASURES = ["map", "ndcg@10", "recall@100", "mrr"]


def main(qrels_path: str, run_paths: list[str]) -> None:
    qrels = Qrels.from_file(qrels_path, kind="trec")
    for run_path in run_paths:
        run = Run.from_file(run_path, kind="trec")
        results = evaluate(qrels, run, MEASURES, make_comparable=True)
        for measure, value in results.items():
            print(f"{run_path}\t{measure}\t{value:.4f}")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
