"""Writes leaderboard.jsonl (means, differences, proportions, quantiles and
bootstrap percentiles) and analysis.jsonl (correlations, lines, tests and
effects) as scipy, statsmodels and numpy compute them.

Run with scipy 1.17.1, numpy 2.4.6 and statsmodels 0.15.0, in this folder:

    python generate.py
"""

import json
import random
import warnings

import numpy as np
import statsmodels.api as sm
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import (
    confint_proportions_2indep,
    proportion_confint,
    proportions_ztest,
)

rng = random.Random(20260402)
sink = open("leaderboard.jsonl", "w")


def say(kind, **fields):
    print(json.dumps({"kind": kind, **fields}), file=sink)


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

rng = random.Random(20260403)
sink = open("analysis.jsonl", "w")


def fifths(quality):
    return sum(rng.random() < quality for _ in range(5)) / 5


def correlate(x, y):
    """Pearson, Spearman and Kendall; not a number where one is constant."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [
            float(stats.pearsonr(x, y).statistic),
            float(stats.spearmanr(x, y).statistic),
            float(stats.kendalltau(x, y, variant="b").statistic),
        ]


def intervals(n, values):
    z = stats.norm.ppf(0.975)
    pearson, spearman, kendall = values
    errors = [1 / np.sqrt(n - 3), np.sqrt((1 + spearman**2 / 2) / (n - 3)), np.sqrt(0.437 / (n - 4))]
    return [[float(np.tanh(np.arctanh(r) + side * z * e)) for side in (-1, 1)] for r, e in zip(values, errors)]


# Measures of tasks: how they arise, how many repositories, how many tasks each.
kinds = {
    "continuous": lambda q: (rng.gauss(q, 1), rng.gauss(-q, 1)),
    "pass@1 and a similarity": lambda q: (fifths(q), round(min(max(rng.gauss(q, 0.3), 0), 1), 3)),
    "heavy ties": lambda q: (fifths(q), fifths(1 - q)),
    "passed or not": lambda q: (float(rng.random() < q), float(rng.random() < q)),
    "far from 0": lambda q: (1e6 + rng.gauss(q, 0.1), 1e-9 * rng.gauss(q, 1)),
}
for name, measure in kinds.items():
    for repositories, tasks in [(2, (3, 4)), (8, (1, 6)), (28, (1, 5))]:
        points = []
        for c in range(repositories):
            quality = rng.random()
            points += [[f"owner/r{c:03}", *measure(quality)] for _ in range(rng.randint(*tasks))]
        x, y = [p[1] for p in points], [p[2] for p in points]
        values = correlate(x, y)
        if len(set(x)) < 2 or len(set(y)) < 2:
            raise SystemExit(f"{name}: a constant; choose another seed")
        fisher = stats.pearsonr(x, y).confidence_interval()
        between = intervals(len(points), values)
        assert np.allclose(between[0], fisher, atol=1e-12)
        draws = [[rng.randrange(repositories) for _ in range(repositories)] for _ in range(60)]
        of = [[p for p in points if p[0] == f"owner/r{c:03}"] for c in range(repositories)]
        redrawn = []
        for draw in draws:
            flat = [p for c in draw for p in of[c]]
            redrawn.append(correlate([p[1] for p in flat], [p[2] for p in flat]))
        redrawn = np.array(redrawn)
        bootstrap = [np.percentile(column[~np.isnan(column)], [2.5, 97.5]).tolist() for column in redrawn.T]
        line = stats.linregress(x, y)
        say("correlation", name=name, points=points, values=values, intervals=between, draws=draws,
            bootstrap=bootstrap, constant=int(np.isnan(redrawn[:, 0]).sum()), line=[float(line.slope), float(line.intercept)])

for n, difference in [
    (1, lambda: rng.gauss(0, 1)),
    (5, lambda: rng.randint(-3, 3)),
    (12, lambda: rng.gauss(0.5, 1)),
    (30, lambda: rng.randint(-5, 6) / 5),
    (200, lambda: rng.randint(-2, 2) / 2),
    (300, lambda: rng.gauss(0.3, 1)),
]:
    d = [difference() for _ in range(n)]
    w = stats.wilcoxon(d, zero_method="wilcox", correction=False, method="approx")
    ranked = stats.rankdata([abs(v) for v in d if v != 0])
    positive = float(sum(r for r, v in zip(ranked, [v for v in d if v != 0]) if v > 0))
    dz = float(np.mean(d) / np.std(d, ddof=1)) if n > 1 else None
    say("wilcoxon", differences=d, smaller=float(w.statistic), positive=positive, z=float(abs(w.zstatistic)), p=float(w.pvalue), dz=dz)

for n, difference in [(2, lambda: 0.5), (4, lambda: rng.gauss(1, 1)), (9, lambda: rng.randint(-2, 4) / 10), (12, lambda: rng.gauss(0.4, 1))]:
    d = np.array([difference() for _ in range(n)])
    # All 2**n ways; each pair is d and 0, exchanged or not, up to the factor 2.
    exact = stats.permutation_test((d / 2, -d / 2), lambda x, y, axis: np.mean(x - y, axis=axis), vectorized=True,
                                   permutation_type="samples", n_resamples=np.inf)
    say("sign_flip", differences=d.tolist(), p=min(float(exact.pvalue), 1.0))

for b, c in [(0, 0), (1, 0), (0, 6), (7, 7), (12, 30), (400, 330), (5000, 5100), (3, 1_000_000)]:
    say("mcnemar", b=b, c=c, p=float(mcnemar([[0, b], [c, 0]], exact=True).pvalue))

for x1, n1, x2, n2 in [(1, 2, 1, 3), (0, 5, 5, 5), (3, 7, 90, 100), (45, 90, 46, 91), (20, 3000, 55, 2900), (0, 9, 1, 4)]:
    z, p = proportions_ztest([x1, x2], [n1, n2])
    low, high = confint_proportions_2indep(x1, n1, x2, n2, method="newcomb", compare="diff")
    say("two_proportion", x1=x1, n1=n1, x2=x2, n2=n2, z=float(z), p=float(p), newcombe=[float(low), float(high)])


def distance(x, y):
    return stats.ks_2samp(x, y, method="asymp").statistic


for n, m, value, shift in [
    (1, 1, rng.random, 0), (4, 6, rng.random, 0.3), (30, 45, rng.random, 0.2), (100, 80, rng.random, 0.15),
    (5, 6, lambda: rng.randint(0, 3) / 3, 0), (6, 6, lambda: rng.randint(0, 1), 0), (7, 5, lambda: fifths(0.5), 0.2), (3, 8, lambda: 1, 0),
]:
    x, y = [value() for _ in range(n)], [value() + shift for _ in range(m)]
    if len(set(x + y)) == n + m:
        p = stats.ks_2samp(x, y, method="exact").pvalue
    else:
        p = stats.permutation_test((x, y), distance, alternative="greater", n_resamples=np.inf).pvalue
    delta = 2 * stats.mannwhitneyu(x, y).statistic / (n * m) - 1
    say("two_sample", x=x, y=y, d=float(distance(x, y)), p=float(p), cliff=float(delta))

for family in [[], [0.2], [0.01, 0.01, 0.01], [0.5, 0.4, 0.9, 1.0], [0.001, 0.2, 0.01, 0.04, 0.02, 0.0, 0.03, 0.5]]:
    say("holm", p=family, adjusted=multipletests(family, method="holm")[1].tolist() if family else [])

for n in [1, 2, 3, 10, 28]:
    values = [round(rng.gauss(0, 1), 3) for _ in range(n)]
    shares = [0, 0.1, 0.25, 0.5, 1 / 3, 0.9, 0.975, 1]
    say("quantiles", values=values, shares=shares, quantiles=np.quantile(values, shares).tolist())
