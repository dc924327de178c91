"""Decoding Python source as the interpreter does, and back."""

import codecs
import io
import tokenize


def decode(data):
    """Returns (text, encoding, bom). Line ends are kept as they are.

    Raises SyntaxError for an unknown coding line, UnicodeDecodeError for
    bytes that do not fit the encoding.
    """
    encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    bom = data.startswith(codecs.BOM_UTF8)
    if bom:
        data, encoding = data[len(codecs.BOM_UTF8):], "utf-8"
    return data.decode(encoding), encoding, bom


def encode(text, encoding, bom=False):
    """The bytes on disk of a decoded file. Characters that the encoding
    lacks become \\N{...}-free escapes, which only matter inside strings."""
    data = text.encode(encoding, "backslashreplace")
    return codecs.BOM_UTF8 + data if bom else data
