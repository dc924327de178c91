"""Makes the models of these tests and the values that they are held against.

    pip install torch "transformers<5" onnx tokenizers bert_score code_bert_score
    python make_models.py

The models are real BERT and RoBERTa encoders, tiny and with random weights; the
tokenizers are trained on the texts below. A folder for each has model.onnx, which
ends at the chosen layer, and tokenizer.json, as a model is registered. The
values are what bert_score and code_bert_score give for the same weights in
torch, one text a batch: their batches are padded, and code_bert_score cuts a
text into other windows when a longer one is in its batch.
"""

import json
import os
import pathlib
import shutil
import tempfile

os.environ["CUDA_VISIBLE_DEVICES"] = ""

import bert_score  # noqa: E402
import bert_score.utils  # noqa: E402
import code_bert_score  # noqa: E402
import code_bert_score.utils  # noqa: E402
import onnx  # noqa: E402
import torch  # noqa: E402
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers  # noqa: E402
from transformers import BertConfig, BertModel, BertTokenizerFast, RobertaConfig, RobertaModel, RobertaTokenizerFast  # noqa: E402

HERE = pathlib.Path(__file__).parent
LONGEST = 48  # tokens

DOCS = [
    "Load a table.",
    "Load a table from a file and return its rows.",
    "Return the rows of a table.\n\nArgs:\n    path: where the file is\n    strict: refuse what cannot be read\n\nReturns:\n    a list of rows",
    "Parse the text and return a tree; raise ValueError when the text is broken.",
    "Parse text into a tree. Raises ValueError on broken text!",
    "Caf\u00e9 \u2013 na\u00efve \u4e2d\u6587 \U0001f600 text",
    "the table the table the table",
    "()",
    "[SEP] and [CLS] are tokens, too",
    "  Load a table.  ",
    "",
    "   \n\t",
    "Words " * 70,
    "Return the rows. " * 25 + "Then the end.",
]
CODES = [
    "return open(path).read()",
    "with open(path) as file:\n    return file.read()",
    "def total(values):\n    result = 0\n    for value in values:\n        result += value * 2\n    return result",
    "def total(values):\n    return sum(2 * value for value in values)",
    "if strict and not rows:\n\traise ValueError(path)\n\n\nreturn [row.strip() for row in rows]",
    "x = {'a': [1, 2, 3], \"b\": (4,)}",
    "return a + b - c * d / e & f | ~g",
    "(){}[]",
    "pass",
    "",
    "end = '</s>'",
    "for row in rows:\n    print(row)\n" * 12,
    "result = [value for value in values if value > 10]\n" * 9 + "return result",
    "Load a table from a file and return its rows.",
]


def pairs(texts):
    """Every text with itself, its neighbours and a few far ones."""
    n = len(texts)
    return [(texts[i], texts[(i + step) % n]) for i in range(n) for step in (0, 1, 3, 8)]


def bert():
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    tokenizer.train_from_iterator(DOCS + CODES, trainers.WordPieceTrainer(vocab_size=260, special_tokens=special))
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)])
    tokenizer.decoder = decoders.WordPiece()
    wrapped = BertTokenizerFast(tokenizer_object=tokenizer, model_max_length=LONGEST)
    model = BertModel(BertConfig(
        vocab_size=tokenizer.get_vocab_size(), hidden_size=32, num_hidden_layers=3, num_attention_heads=4,
        intermediate_size=48, max_position_embeddings=LONGEST, initializer_range=0.4, attn_implementation="eager"), add_pooling_layer=False)
    return tokenizer, wrapped, model


def roberta():
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    tokenizer.train_from_iterator(DOCS + CODES, trainers.BpeTrainer(
        vocab_size=420, special_tokens=special, initial_alphabet=pre_tokenizers.ByteLevel.alphabet()))
    tokenizer.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0), add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    wrapped = RobertaTokenizerFast(tokenizer_object=tokenizer, model_max_length=LONGEST)
    model = RobertaModel(RobertaConfig(
        vocab_size=tokenizer.get_vocab_size(), hidden_size=32, num_hidden_layers=3, num_attention_heads=4,
        intermediate_size=48, max_position_embeddings=LONGEST + 2, type_vocab_size=1, initializer_range=0.4, attn_implementation="eager"),
        add_pooling_layer=False)
    return tokenizer, wrapped, model


class Layer(torch.nn.Module):
    """An encoder up to one layer, with one output."""

    def __init__(self, model, layer):
        super().__init__()
        self.model = model
        model.encoder.layer = torch.nn.ModuleList(list(model.encoder.layer)[:layer])

    def forward(self, input_ids, attention_mask):
        return self.model(input_ids=input_ids, attention_mask=attention_mask)[0]


def export(model, layer, folder):
    example = torch.randint(5, 100, (2, 9))
    folder.mkdir(exist_ok=True)
    file = folder / "model.onnx"
    torch.onnx.export(
        Layer(model, layer).eval(), (example, torch.ones_like(example)), str(file), dynamo=False, opset_version=17,
        input_names=["input_ids", "attention_mask"], output_names=["last_hidden_state"],
        dynamic_axes={name: {0: "batch", 1: "length"} for name in ("input_ids", "attention_mask", "last_hidden_state")})
    print(file, file.stat().st_size, [i.name for i in onnx.load(str(file)).graph.input])


def save(name, rows):
    with open(HERE / name, "w", encoding="utf-8") as out:
        for row in rows:
            out.write(json.dumps(row, ensure_ascii=False) + "\n")


def main():
    torch.manual_seed(1)
    torch.set_num_threads(1)
    made = {"bert": (*bert(), 2), "roberta": (*roberta(), 2)}
    work = pathlib.Path(tempfile.mkdtemp())
    for name, (tokenizer, wrapped, model, layer) in made.items():
        wrapped.save_pretrained(work / name)
        model.save_pretrained(work / name)
        export(model, layer, HERE / name)
        tokenizer.save(str(HERE / name / "tokenizer.json"), pretty=False)

    def values(function, texts, folder, layer):
        rows = []
        for candidate, reference in pairs(texts):
            scores = function([candidate], [reference], model_type=str(work / folder), num_layers=layer, device="cpu", batch_size=1)
            rows.append({"candidate": candidate, "reference": reference, "scores": [float(x[0]) for x in scores]})
        return rows

    save("bertscore.jsonl", values(bert_score.score, DOCS, "bert", 2))
    save("bertscore-roberta.jsonl", values(bert_score.score, DOCS[:8], "roberta", 2))
    save("codebertscore.jsonl", values(code_bert_score.score, CODES, "roberta", 2))
    shutil.rmtree(work)


if __name__ == "__main__":
    main()
