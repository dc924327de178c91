"""Writes leaderboard.jsonl: means, differences, proportions, quantiles and
bootstrap percentiles as scipy, statsmodels and numpy compute them.

Run with scipy 1.17.1, numpy 2.4.6 and statsmodels 0.15.0:

    python generate.py > leaderboard.jsonl
"""

import json
import random

import numpy as np
import statsmodels.api as sm
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

rng = random.Random(20260402)


def say(kind, **fields):
    print(json.dumps({"kind": kind, **fields}))


def row(repositories, tasks, samples):
    """Scores that differ between repositories; samples=0 gives any fraction."""
    scores = []
    for c in range(repositories):
        ability = rng.random()
        for i in range(rng.randint(*tasks)):
            if samples:
                value = sum(rng.random() < ability for _ in range(samples)) / samples
            else:
                value = round(min(max(rng.gauss(ability, 0.2), 0), 1), 4)
            scores.append([f"owner/r{c:03}", f"t{i}", value, rng.randint(1, 40)])
    return scores


def means(scores):
    """The three averages with standard errors and intervals of Student's t."""
    value = np.array([s[2] for s in scores], float)
    weight = np.array([s[3] for s in scores], float)
    names, group = np.unique([s[0] for s in scores], return_inverse=True)
    c = len(names)
    per = np.array([value[group == k].mean() for k in range(c)])
    se = stats.sem(per)
    macro = [per.mean(), se, *stats.t.interval(0.95, c - 1, per.mean(), se)]
    answer = {"repositories": c, "tasks": len(value), "macro": [float(x) for x in macro]}
    one = np.ones(len(value))
    for name, model in [("micro", sm.OLS(value, one)), ("weighted", sm.WLS(value, one, weights=weight))]:
        fit = model.fit(cov_type="cluster", cov_kwds={"groups": group}, use_t=True)
        # df_correction makes it Student's t with C-1 degrees of freedom
        low, high = fit.conf_int(0.05)[0]
        answer[name] = [float(fit.params[0]), float(fit.bse[0]), float(low), float(high)]
    return answer


shapes = [(2, (1, 3), 5), (3, (1, 6), 1), (5, (2, 8), 0), (28, (3, 20), 5), (60, (1, 4), 0)]
for shape in shapes:
    scores = row(*shape)
    say("mean", scores=scores, **means(scores))

for shape in shapes:
    first = row(*shape)
    second = [[r, t, round(min(max(v + rng.gauss(0.03, 0.2), 0), 1), 4), w] for r, t, v, w in first]
    only_first = [s for s in first if rng.random() < 0.1][: len(first) // 3]
    only_second = [s for s in second if s[0] != "owner/r000" and rng.random() < 0.1][: len(first) // 3]
    kept = [s for s in first if s not in only_first and s[:2] not in [o[:2] for o in only_second]]
    lookup = {(r, t): v for r, t, v, _ in second}
    difference = [[r, t, v - lookup[r, t], w] for r, t, v, w in kept]
    if len({d[0] for d in difference}) < 2:
        continue
    in_first = kept + only_first
    in_second = [s for s in second if s[:2] not in [o[:2] for o in only_first]]
    only = [len(in_first) - len(kept), len(in_second) - len(kept)]
    rng.shuffle(in_first)
    rng.shuffle(in_second)
    say("difference", first=in_first, second=in_second, only=only, **means(difference))

for x, n in [(0, 1), (1, 1), (1, 2), (0, 7), (7, 7), (3, 28), (27, 28), (54, 90), (500, 1000), (1, 1_000_000)]:
    low, high = proportion_confint(x, n, method="wilson")
    say("wilson", x=x, n=n, interval=[float(low), float(high)])

for freedom in [1, 2, 3, 4, 5, 7, 10, 20, 27, 30, 50, 100, 999, 10_000]:
    say("t", freedom=freedom, quantile=float(stats.t.ppf(0.975, freedom)))

for shape in [(2, (1, 3), 5), (7, (2, 6), 0), (28, (2, 5), 5)]:
    scores = row(*shape)
    names = sorted({s[0] for s in scores})
    draws = [[rng.randrange(len(names)) for _ in names] for _ in range(101)]
    answer = {"macro": [], "micro": [], "weighted": []}
    of = [[s for s in scores if s[0] == name] for name in names]
    for draw in draws:
        drawn = [of[k] for k in draw]
        flat = [s for repository in drawn for s in repository]
        answer["macro"].append(np.mean([np.mean([s[2] for s in repository]) for repository in drawn]))
        answer["micro"].append(np.mean([s[2] for s in flat]))
        answer["weighted"].append(np.average([s[2] for s in flat], weights=[s[3] for s in flat]))
    say("bootstrap", scores=scores, draws=draws,
        **{k: [float(q) for q in np.percentile(v, [2.5, 97.5])] for k, v in answer.items()})
