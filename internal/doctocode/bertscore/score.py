"""Compares texts by the vectors that an encoder gives their tokens.

The first line of standard input holds the settings; every further line is a
request {"id", "pairs": [[candidate, reference], …]} and is answered by
{"id", "scores": [[precision, recall, f1, f3] or null, …]}, null where the model
gave what is no number. The model is /model/model.onnx.
"""

import json
import os
import string
import sys

# Whatever a library prints is no answer.
ANSWERS = os.fdopen(os.dup(1), "w", encoding="utf-8")
os.dup2(2, 1)

import numpy  # noqa: E402
import onnxruntime  # noqa: E402
from tokenizers import Tokenizer  # noqa: E402

# Tokens that a model reads at once.
BATCH = 4096

# Tokens of nothing but these say nothing of code; what computes is kept.
PUNCTUATION = set(string.punctuation) - set("+-*/&|~")
# How byte-level tokens write space, newline and tab.
BLANKS = "\u0120\u010a\u0109"


class Unusable(Exception):
    """What is wrong with a model, for the person who registers it."""


class Encoder:
    def __init__(self, settings, folder):
        self.longest = settings["max_length"]
        self.windows = settings["windows"]
        self.tokenizer = tokenizer(os.path.join(folder, "tokenizer.json"), settings["prefix_space"])
        ends = self.tokenizer.encode("").ids
        if len(ends) != 2:
            raise Unusable("the tokenizer puts %d tokens around a text, not one before and one behind it" % len(ends))
        self.first, self.last = ends
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = settings["threads"]
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        self.session = onnxruntime.InferenceSession(
            os.path.join(folder, "model.onnx"), options, providers=["CPUExecutionProvider"])
        self.inputs = [i.name for i in self.session.get_inputs()]
        if "input_ids" not in self.inputs:
            raise Unusable("the model has no input called input_ids, but " + ", ".join(self.inputs))
        strange = set(self.inputs) - {"input_ids", "attention_mask", "token_type_ids"}
        if strange:
            raise Unusable("the model wants the inputs %s, which an encoder does not have" % ", ".join(sorted(strange)))
        self.output = output(self.session, settings["output"])

    def tokens(self, text):
        """The ids of a text's tokens, those around it included, and the tokens."""
        text = text.strip()
        if not text:
            return [self.first, self.last], ["", ""]
        found = self.tokenizer.encode(text)
        ids, names = found.ids, found.tokens
        if not self.windows and len(ids) > self.longest:
            ids, names = ids[: self.longest - 1] + [self.last], names[: self.longest - 1] + names[-1:]
        return ids, names

    def vectors(self, texts):
        """For each text the vectors of its tokens, of length 1, and their weights."""
        read = [self.tokens(text) for text in texts]
        parts = []  # (ids, text, first token that counts, one behind the last)
        for at, (ids, _) in enumerate(read):
            for start, end, first, last in windows(len(ids), self.longest):
                parts.append((ids[start:end], at, first, last))
        found = [[] for _ in texts]
        for batch in batches([len(p[0]) for p in parts]):
            hidden = self.run([parts[i][0] for i in batch])
            for row, i in zip(hidden, batch):
                _, at, first, last = parts[i]
                found[at].append((i, row[first:last]))
        result = []
        for (ids, names), rows in zip(read, found):
            hidden = numpy.concatenate([row for _, row in sorted(rows, key=lambda r: r[0])]).astype(numpy.float64)
            weights = numpy.array([0.0 if i in (self.first, self.last) else 1.0 for i in ids])
            if self.windows:
                kept = [i < 1 or i == len(ids) - 1 or not punctuation(name) for i, name in enumerate(names)]
                hidden, weights = hidden[kept], weights[kept]
            with numpy.errstate(all="ignore"):
                result.append((hidden / numpy.linalg.norm(hidden, axis=1, keepdims=True), weights))
        return result

    def run(self, ids):
        """Texts of equally many tokens: nothing is padded."""
        ids = numpy.array(ids, dtype=numpy.int64)
        values = {"input_ids": ids, "attention_mask": numpy.ones_like(ids), "token_type_ids": numpy.zeros_like(ids)}
        return self.session.run([self.output], {name: values[name] for name in self.inputs})[0]

    def try_out(self):
        """What a text of the greatest length gives, two at once."""
        middle = self.tokenizer.encode("a text").ids[1:-1] or [self.last]
        ids = ([self.first] + middle * self.longest)[: self.longest - 1] + [self.last]
        hidden = self.run([ids, ids])
        if hidden.ndim != 3 or hidden.shape[:2] != (2, self.longest):
            raise Unusable("the output %s has the shape %s for two texts of %d tokens, so it holds no vector for each token"
                           % (self.output, "×".join(map(str, hidden.shape)), self.longest))
        return hidden.shape[2]


def tokenizer(file, prefix_space):
    """Read without cutting and padding. A text may begin like a word within one:
    byte-level tokenizers then put a space before it."""
    with open(file, encoding="utf-8") as text:
        rules = json.load(text)
    rules["truncation"] = rules["padding"] = None
    steps = rules.get("pre_tokenizer") or {}
    for step in [steps] + list(steps.get("pretokenizers", [])):
        if step.get("type") == "ByteLevel":
            step["add_prefix_space"] = prefix_space
    return Tokenizer.from_str(json.dumps(rules))


def output(session, name):
    names = [o.name for o in session.get_outputs()]
    if name:
        if name not in names:
            raise Unusable("the model has no output called %s, but %s" % (name, ", ".join(names)))
        return name
    if "last_hidden_state" in names:
        return "last_hidden_state"
    if len(names) == 1:
        return names[0]
    raise Unusable("the model has several outputs: choose one of %s" % ", ".join(names))


def windows(length, longest):
    """Pieces of a long text and which of their tokens count: each piece is read
    with half its length around what counts (Ivgy et al. 2022, SLED)."""
    if length <= longest:
        return [(0, length, 0, length)]
    margin = int(longest * 0.5 / 2)
    stride = longest - 2 * margin
    start, end, first, last = 0, longest, 0, longest - margin
    found = [(start, end, first, last)]
    while end < length:
        end = min(length, end + stride)
        start = start + stride if end < length else length - longest
        first = max(first + stride, last)
        last = min(length, last + stride) if end < length else length
        found.append((start, end, first - start, last - start))
    return found


def batches(lengths):
    """Places of equal lengths together, at most BATCH tokens."""
    same = {}
    for place, length in enumerate(lengths):
        same.setdefault(length, []).append(place)
    for length, places in sorted(same.items()):
        most = max(1, BATCH // length)
        for i in range(0, len(places), most):
            yield places[i : i + most]


def punctuation(token):
    return all(c in PUNCTUATION for c in token.strip(BLANKS))


def compare(candidate, reference):
    """Every token is matched with the most alike of the other side; those
    around a text can be matched with, and weigh nothing themselves."""
    (x, x_weights), (y, y_weights) = candidate, reference
    if not x_weights.any() or not y_weights.any():
        return [0.0, 0.0, 0.0, 0.0]
    alike = numpy.clip(x @ y.T, -1, 1)  # rounding leaves a little more
    with numpy.errstate(all="ignore"):
        p = float(alike.max(axis=1) @ x_weights / x_weights.sum())
        r = float(alike.max(axis=0) @ y_weights / y_weights.sum())
        scores = [p, r, ratio(2 * p * r, p + r), ratio(10 * p * r, 9 * p + r)]
    return scores if all(map(numpy.isfinite, scores)) else None


def ratio(a, b):
    return a / b if b else 0.0


def answer(encoder, pairs):
    texts = list(dict.fromkeys(text for pair in pairs for text in pair))
    vectors = dict(zip(texts, encoder.vectors(texts)))
    return [compare(vectors[candidate], vectors[reference]) for candidate, reference in pairs]


def say(message):
    ANSWERS.write(json.dumps(message, allow_nan=False) + "\n")
    ANSWERS.flush()


def main():
    requests = sys.stdin.buffer
    try:
        encoder = Encoder(json.loads(requests.readline()), "/model")
        width = encoder.try_out()
    except Exception as error:  # whatever is wrong with a file is for the person to read
        say({"id": 0, "error": str(error) or type(error).__name__})
        return
    say({"id": 0, "output": encoder.output, "width": width})
    for line in requests:
        request = json.loads(line)
        try:
            say({"id": request["id"], "scores": answer(encoder, request["pairs"])})
        except Exception as error:
            say({"id": request["id"], "error": str(error) or type(error).__name__})


main()
