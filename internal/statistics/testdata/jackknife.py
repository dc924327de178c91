"""Writes jackknife.jsonl: the delete-one-repository jackknife of atanh r as
scipy and numpy compute it, over invented points.

Run with scipy 1.17.1 and numpy 2.4.6, in this folder:

    python jackknife.py
"""

import json
import random

import numpy as np
from scipy import stats

METHODS = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}


def value(method, points):
    return METHODS[method]([p["x"] for p in points], [p["y"] for p in points]).statistic


def interval(method, points):
    repositories = sorted({p["repository"] for p in points})
    c = len(repositories)
    z = np.arctanh([value(method, [p for p in points if p["repository"] != r]) for r in repositories])
    half = stats.t.ppf(0.975, c - 1) * np.sqrt((c - 1) / c * ((z - z.mean()) ** 2).sum())
    middle = np.arctanh(value(method, points))
    return [float(np.tanh(middle - half)), float(np.tanh(middle + half))]


random.seed(20261120)
with open("jackknife.jsonl", "w") as out:
    for case in range(12):
        points = []
        for c in range(random.randint(2, 9)):
            shift = random.gauss(0, 0.5)
            for _ in range(random.randint(3, 8)):
                x = random.gauss(0, 1) + shift
                y = 0.4 * x + random.gauss(0, 1)
                if case % 2:
                    x, y = round(x), round(2 * y) / 2
                points.append({"repository": f"o/r{c}", "x": x, "y": y})
        line = {"points": points, "intervals": {m: interval(m, points) for m in METHODS}}
        out.write(json.dumps(line) + "\n")
