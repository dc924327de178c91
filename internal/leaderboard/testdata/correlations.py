"""Writes correlations.json: a release of three repositories with three
submissions, and what scipy says of every pair of some metrics by task, by
repository and by system.

Run with scipy 1.17.1 and numpy 2.4.6, in this folder:

    python correlations.py
"""

import json
import random
import warnings

import numpy as np
from scipy import stats

warnings.simplefilter("ignore")  # of constant input, which is undefined here
METHODS = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}
SAMPLES = 4

random.seed(4)
tasks = [(f"acme/r{c}", f"acme/r{c}:a.py::f{i}") for c, n in enumerate([6, 3, 5]) for i in range(n)]


def submission(name):
    passed = [random.choice([0, 0, 1, 2, 3, 4, 4]) for _ in tasks]
    noise = [random.random() for _ in tasks]
    rouge = [round(0.5 * p / SAMPLES + 0.5 * v, 3) for p, v in zip(passed, noise)]
    words = [random.choice([5, 8, 8, 12, 30]) for _ in tasks]
    mentions = [random.choice([0, 1, 2, 5]) for _ in tasks]
    existence = [round(random.random(), 2) if m else 0 for m in mentions]
    bodies = [round(random.random(), 3) for _ in tasks]
    for i in random.sample(range(len(tasks)), 2):  # without a docstring
        rouge[i] = words[i] = mentions[i] = existence[i] = None
    bodies[random.randrange(len(tasks))] = None
    return {"system": name, "passed": passed, "measures": {"rouge1_f_doc_doc": rouge, "words": words, "mentions": mentions,
            "existence_strict": existence, "leak_flagged": [0] * len(tasks), "bleu_code_code": bodies}}


submissions = [submission(name) for name in ["Agent", "<b>Bold</b>", "Other"]]


def pass_at(k, c):
    """The unbiased estimate by counting, not by the product."""
    import math
    return 1 - math.comb(SAMPLES - c, k) / math.comb(SAMPLES, k)


def values(s, metric):
    if metric.startswith("pass@"):
        k = int(metric[5:].split(":")[0])
        return [pass_at(k, c) for c in s["passed"]]
    return s["measures"][metric.split(":")[0]]


def mean(metric, s, places):
    v = [values(s, metric)[i] for i in places]
    if not metric.startswith("existence"):
        return float(np.mean(v))
    w = [s["measures"]["mentions"][i] for i in places]
    return float(np.average(v, weights=w)) if sum(w) else 0.0


def points(x, y, unit):
    for s in submissions:
        both = [i for i in range(len(tasks)) if values(s, x)[i] is not None and values(s, y)[i] is not None]
        if unit == "task":
            yield from ((tasks[i][0], values(s, x)[i], values(s, y)[i]) for i in both)
            continue
        means = []
        for r in sorted({r for r, _ in tasks}):
            here = [i for i in both if tasks[i][0] == r]
            if here:
                means.append((r, mean(x, s, here), mean(y, s, here)))
        if unit == "repository":
            yield from means
        else:
            yield ("", float(np.mean([m[1] for m in means])), float(np.mean([m[2] for m in means])))


metrics = ["rouge1_f_doc_doc", "words", "existence_strict", "leak_flagged", "bleu_code_code:judge"]
expected = []
for unit in ["task", "repository", "system"]:
    for y in ["pass@1:judge", "pass@4:judge"]:
        for x in metrics:
            p = list(points(x, y, unit))
            for name, method in METHODS.items():
                constant = len({a for _, a, _ in p}) == 1 or len({b for _, _, b in p}) == 1
                r = None if constant else float(method([a for _, a, _ in p], [b for _, _, b in p]).statistic)
                expected.append({"unit": unit, "method": name, "x": x, "y": y, "n": len(p), "value": r})

with open("correlations.json", "w") as out:
    json.dump({"tasks": tasks, "samples": SAMPLES, "submissions": submissions, "expected": expected}, out, indent=1)
    out.write("\n")
