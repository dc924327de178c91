"""Scores sets of predictions, independently of the program that it is a test of.

A line of standard input is {"gold": "all" | "source", "tasks": [{"id", "repo",
"gold": [[path, label], ...], "predicted": [path, ...] or null}, ...]}; a line of
standard output has the scores, or null where no task has a gold file.
"""

import json
import math
import sys
from fractions import Fraction
from posixpath import normpath
from statistics import NormalDist

Z = NormalDist().inv_cdf(0.975)


def normal(paths):
    return list(dict.fromkeys(normpath(p.strip().replace("\\", "/")) for p in paths))


def wilson(x, n):
    p = x / n
    middle = (p + Z * Z / (2 * n)) / (1 + Z * Z / n)
    half = Z / (1 + Z * Z / n) * math.sqrt(p * (1 - p) / n + Z * Z / (4 * n * n))
    return [max(0, middle - half), min(1, middle + half)]


def harmonic(p, r):
    return 2 * p * r / (p + r) if p + r else Fraction(0)


def score(tasks):
    n = len(tasks)
    sums = {"precision": Fraction(0), "recall": Fraction(0), "f1": Fraction(0)}
    extremes = {"P=0": 0, "R=0": 0, "R=1": 0, "F1=1": 0}
    hits_all = predicted_all = gold_all = 0
    ranked = {k: [0.0] * 4 for k in (1, 3, 5)}
    for gold, predicted in tasks:
        hits = len(gold & set(predicted))
        p = Fraction(hits, len(predicted)) if predicted else Fraction(0)
        r = Fraction(hits, len(gold))
        f = harmonic(p, r)
        for name, value in (("precision", p), ("recall", r), ("f1", f)):
            sums[name] += value
        for name, is_so in (("P=0", p == 0), ("R=0", r == 0), ("R=1", r == 1), ("F1=1", f == 1)):
            extremes[name] += is_so
        hits_all, predicted_all, gold_all = hits_all + hits, predicted_all + len(predicted), gold_all + len(gold)
        for k, total in ranked.items():
            found = [name in gold for name in predicted[:k]]
            best = min(len(gold), k)
            total[0] += sum(found) == len(gold)
            total[1] += sum(found) / len(gold)
            total[2] += sum(sum(found[: i + 1]) / (i + 1) for i, hit in enumerate(found) if hit) / best
            total[3] += sum(1 / math.log2(i + 2) for i, hit in enumerate(found) if hit) / sum(1 / math.log2(i + 2) for i in range(best))
    p = Fraction(hits_all, predicted_all) if predicted_all else Fraction(0)
    r = Fraction(hits_all, gold_all)
    return {
        "tasks": n,
        "mean": {name: float(total / n) for name, total in sums.items()},
        "micro": {"precision": float(p), "recall": float(r), "f1": float(harmonic(p, r))},
        "extremes": {name: [count, *wilson(count, n)] for name, count in extremes.items()},
        "ranked": {k: [x / n for x in total] for k, total in ranked.items()},
    }


for line in sys.stdin:
    request = json.loads(line)
    by_repository, everything = {}, []
    for task in request["tasks"]:
        wanted = {p for p, label in task["gold"] if request["gold"] == "all" or label == "source"}
        apart = {p for p, _ in task["gold"]} - wanted
        if wanted:
            one = (wanted, [p for p in normal(task["predicted"] or []) if p not in apart])
            everything.append(one)
            by_repository.setdefault(task["repo"], []).append(one)
    print(json.dumps(everything and {"all": score(everything), "repositories": {name: score(tasks) for name, tasks in by_repository.items()}} or None))
