#!/usr/bin/env python3
"""Looks at pictures with a CLIP model of ONNX files, for media: docs/guide/models.md.

    media settings look 'python3 onnx-clip.py FOLDER'

FOLDER holds image.onnx and text.onnx, vocab.json and merges.txt of the tokenizer, as exports of CLIP have them
(https://github.com/openai/CLIP), and if tags are wanted labels.txt: one a line. It needs onnxruntime, numpy and Pillow, and
nothing of the network.
"""
import base64
import hashlib
import json
import pathlib
import re
import sys

import numpy
import onnxruntime
from PIL import Image, ImageOps

MEAN, SPREAD = (0.48145466, 0.4578275, 0.40821073), (0.26862954, 0.26130258, 0.27577711)
SURE, MOST_TAGS, LONGEST = 0.2, 8, 77
WORD = re.compile(r"'s|'t|'re|'ve|'m|'ll|'d|[^\W\d_]+|\d|(?:[^\s\w]|_)+", re.IGNORECASE)
Image.MAX_IMAGE_PIXELS = 200_000_000


def letters():
    """A letter for each byte, as the vocabulary writes them."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in plain]
    return {**{byte: chr(byte) for byte in plain}, **{byte: chr(256 + i) for i, byte in enumerate(others)}}


class Tokenizer:
    """Byte pairs are joined in the order of the merges."""

    def __init__(self, folder):
        self.numbers = json.loads((folder / "vocab.json").read_text("utf-8"))
        lines = (folder / "merges.txt").read_text("utf-8").splitlines()
        pairs = [tuple(line.split()) for line in lines if len(line.split()) == 2 and not line.startswith("#version")]
        self.ranks = {pair: rank for rank, pair in enumerate(pairs)}
        self.letters = letters()

    def parts(self, word):
        parts = [self.letters[byte] for byte in word.encode()]
        parts[-1] += "</w>"
        while len(parts) > 1:
            rank, first = min((self.ranks.get(pair, len(self.ranks)), i) for i, pair in enumerate(zip(parts, parts[1:])))
            if rank == len(self.ranks):
                break
            parts[first:first + 2] = [parts[first] + parts[first + 1]]
        return parts

    def tokens(self, text):
        start, end = self.numbers["<|startoftext|>"], self.numbers["<|endoftext|>"]
        words = WORD.findall(" ".join(text.lower().split()))
        found = [self.numbers[part] for word in words for part in self.parts(word) if part in self.numbers]
        tokens = [start, *found[:LONGEST - 2], end]
        return numpy.array([tokens + [end] * (LONGEST - len(tokens))], dtype=numpy.int64), len(tokens)


class Model:
    def __init__(self, folder):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self.image, self.text = (
            onnxruntime.InferenceSession(str(folder / name), options, ["CPUExecutionProvider"])
            for name in ("image.onnx", "text.onnx"))
        self.tokenizer = Tokenizer(folder)
        side = self.image.get_inputs()[0].shape[-1]
        self.side = side if isinstance(side, int) else 224
        labels = folder / "labels.txt"
        self.labels = [line.strip() for line in labels.read_text("utf-8").splitlines() if line.strip()] if labels.exists() else []
        self.label_vectors = [self.of_text(f"a photo of a {label}") for label in self.labels]

    @staticmethod
    def vector(outputs):
        vector = next(output for output in outputs if output.ndim == 2)[0].astype(numpy.float32)
        return vector / numpy.linalg.norm(vector)

    def of_picture(self, path):
        with Image.open(path) as picture:
            picture = ImageOps.fit(ImageOps.exif_transpose(picture).convert("RGB"), (self.side, self.side), Image.BICUBIC)
        pixels = (numpy.asarray(picture, dtype=numpy.float32) / 255 - MEAN) / SPREAD
        pixels = pixels.transpose(2, 0, 1)[None].astype(numpy.float32)
        return self.vector(self.image.run(None, {self.image.get_inputs()[0].name: pixels}))

    def of_text(self, text):
        tokens, count = self.tokenizer.tokens(text)
        inputs = {"attention_mask": (numpy.arange(LONGEST) < count).astype(numpy.int64)[None]}
        names = [each.name for each in self.text.get_inputs()]
        return self.vector(self.text.run(None, {name: inputs.get(name, tokens) for name in names}))

    def tags(self, vector):
        scores = 100 * numpy.array([vector @ label for label in self.label_vectors])
        scores = numpy.exp(scores - scores.max())
        scores /= scores.sum()
        best = sorted(zip(self.labels, scores.tolist()), key=lambda tag: -tag[1])[:MOST_TAGS]
        return [[label, score] for label, score in best if score >= SURE]


def packed(vector):
    return base64.b64encode(vector.astype("<f2").tobytes()).decode()


def main():
    folder = pathlib.Path(sys.argv[1]).expanduser()
    digest = hashlib.sha256()
    for name in sorted(path.name for path in folder.iterdir() if path.suffix in (".onnx", ".json", ".txt")):
        digest.update((folder / name).read_bytes())
    model = Model(folder)
    gives = ["embed", "text-embed"] + (["tags"] if model.labels else [])
    dimensions = len(model.of_text("a picture"))
    name = re.sub(r"[@\s]+", "-", folder.resolve().name)
    print(json.dumps({"media": 1, "model": f"{name}@{digest.hexdigest()[:16]}", "dimensions": dimensions, "gives": gives}), flush=True)
    for line in sys.stdin:
        question = json.loads(line)
        answer = {"id": question["id"]}
        try:
            vector = model.of_text(question["text"]) if "text" in question else model.of_picture(question["file"])
            answer["embed"] = packed(vector)
            if "tags" in question["want"]:
                answer["tags"] = model.tags(vector)
        except (OSError, ValueError, Image.DecompressionBombError, SyntaxError) as error:
            answer["error"] = str(error)[:200]
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
