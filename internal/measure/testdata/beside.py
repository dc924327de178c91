"""Scores pairs with sacrebleu and rouge_score.

Each line of standard input is {"candidate", "references"}; of it comes a line
with the scores of the candidate against the references (BLEU) and the first of
them (ROUGE). A last line has the scores of all of it as one corpus, of the
pairs' first references, and the seconds of processor time that the two libraries took.
"""

import json
import math
import sys
import time
from collections import Counter

from rouge_score import rouge_scorer
from sacrebleu.metrics import BLEU
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

sentence = BLEU(effective_order=True)
all_orders = BLEU(effective_order=False)
rouge = rouge_scorer.RougeScorer(["rouge1", "rougeLsum"], use_stemmer=False)
tokenize = Tokenizer13a()


def hugging_face(pairs, smooth):
    """The metric "bleu" of evaluate, by its formula, over sacrebleu's tokenizer."""
    matched, total, length, reference_length = [0] * 4, [0] * 4, 0, 0
    for candidate, references in pairs:
        tokens = tokenize(candidate).split()
        others = [tokenize(r).split() for r in references]
        length += len(tokens)
        reference_length += min(map(len, others))
        for n in range(1, 5):
            most = Counter()
            for other in others:
                most |= ngrams(other, n)
            matched[n - 1] += (ngrams(tokens, n) & most).total()
            total[n - 1] += max(len(tokens) - n + 1, 0)
    if not length or not reference_length:
        return 0
    if smooth:
        matched[1:] = [m + 1 for m in matched[1:]]
        total[1:] = [t + 1 for t in total[1:]]
    if not all(matched):
        return 0
    mean = math.exp(sum(math.log(m / t) for m, t in zip(matched, total)) / 4)
    return mean * min(1, math.exp(1 - reference_length / length))


def ngrams(tokens, n):
    return Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))


def sacre(score):
    return {
        "score": score.score / 100,
        "matched": score.counts,
        "total": score.totals,
        "lengths": [score.sys_len, score.ref_len],
    }


def triple(score):
    return [score.precision, score.recall, score.fmeasure]


def main():
    seconds, pairs = 0, []
    for line in sys.stdin.buffer:
        pair = json.loads(line)
        candidate, references = pair["candidate"], pair["references"]
        pairs.append((candidate, references))
        start = time.process_time()
        bleu = sentence.sentence_score(candidate, references)
        overlap = rouge.score(references[0], candidate)
        seconds += time.process_time() - start
        answer = {
            "sacrebleu": sacre(bleu),
            "all_orders": sacre(all_orders.sentence_score(candidate, references)),
            "bleu": hugging_face([(candidate, references)], False),
            "smooth": hugging_face([(candidate, references)], True),
            "rouge1": triple(overlap["rouge1"]),
            "rougeLsum": triple(overlap["rougeLsum"]),
        }
        print(json.dumps(answer))
    candidates, firsts = [c for c, _ in pairs], [r[0] for _, r in pairs]
    corpus = {
        "sacrebleu": sacre(sentence.corpus_score(candidates, [firsts])),
        "all_orders": sacre(all_orders.corpus_score(candidates, [firsts])),
        "bleu": hugging_face([(c, [r]) for c, r in zip(candidates, firsts)], False),
        "smooth": hugging_face([(c, [r]) for c, r in zip(candidates, firsts)], True),
        "seconds": seconds,
    }
    print(json.dumps(corpus))


main()
