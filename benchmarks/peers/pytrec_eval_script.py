"""What people write around pytrec_eval: parse the judgments once, then parse, evaluate and average each run."""

import sys

import pytrec_eval

MEASURES = {"map", "ndcg_cut_10", "recall_100", "recip_rank"}


def main(qrels_path: str, run_paths: list[str]) -> None:
    with open(qrels_path, encoding="utf-8") as file:
        qrels = pytrec_eval.parse_qrel(file)
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, MEASURES)
    for run_path in run_paths:
        with open(run_path, encoding="utf-8") as file:
            run = pytrec_eval.parse_run(file)
        results = evaluator.evaluate(run)
        for measure in sorted(MEASURES):
            values = [row[measure] for row in results.values()]
            print(f"{run_path}\t{measure}\t{sum(values) / len(qrels):.4f}")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
