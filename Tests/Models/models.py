"""Checks the example of a model's program with a tiny model that is made here: posts are found by what their pictures mean.

    python3 models.py MEDIA PROGRAM FOLDER

The model knows the mean colour of a picture and the words for three colours. Its files have the form of CLIP's.
"""
import json
import pathlib
import subprocess
import sys

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper
from PIL import Image

MEAN, SPREAD = (0.48145466, 0.4578275, 0.40821073), (0.26862954, 0.26130258, 0.27577711)
COLOURS = {"red": (250, 5, 5), "green": (5, 250, 5), "blue": (5, 5, 250)}


def save(folder, name, nodes, inputs, constants):
    output = helper.make_tensor_value_info("embedding", TensorProto.FLOAT, [1, 3])
    tensors = [numpy_helper.from_array(value, name) for name, value in constants.items()]
    graph = helper.make_graph(nodes, name, inputs, [output], tensors)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model)
    onnx.save(model, folder / f"{name}.onnx")


def make(folder):
    folder.mkdir()
    pixels = helper.make_tensor_value_info("pixel_values", TensorProto.FLOAT, [1, 3, 32, 32])
    save(
        folder, "image",
        [
            helper.make_node("GlobalAveragePool", ["pixel_values"], ["pooled"]),
            helper.make_node("Flatten", ["pooled"], ["flat"]),
            helper.make_node("Mul", ["flat", "spread"], ["spreaded"]),
            helper.make_node("Add", ["spreaded", "mean"], ["embedding"]),
        ], [pixels], {"spread": numpy.array([SPREAD], numpy.float32), "mean": numpy.array([MEAN], numpy.float32)})
    # The first one counts first: "r e" would break green.
    merges = ["g r", "gr e", "gre e", "gree n</w>", "r e", "re d</w>", "b l", "bl u", "blu e</w>"]
    words = ["<|startoftext|>", "<|endoftext|>", *map(chr, range(33, 127)), *(chr(n) + "</w>" for n in range(33, 127))]
    words += [merge.replace(" ", "") for merge in merges]
    (folder / "vocab.json").write_text(json.dumps({word: number for number, word in enumerate(words)}))
    (folder / "merges.txt").write_text("#version: 0.2\n" + "".join(f"{merge}\n" for merge in merges))
    (folder / "labels.txt").write_text("".join(f"{colour}\n" for colour in COLOURS))
    table = numpy.random.default_rng(1).uniform(0, 0.001, (len(words), 3)).astype(numpy.float32)
    for index, colour in enumerate(COLOURS):
        table[words.index(f"{colour}</w>")][index] += 10
    save(
        folder, "text",
        [
            helper.make_node("Gather", ["table", "input_ids"], ["gathered"]),
            helper.make_node("ReduceSum", ["gathered", "axes"], ["embedding"], keepdims=0),
        ], [helper.make_tensor_value_info("input_ids", TensorProto.INT64, [1, 77])],
        {"table": table, "axes": numpy.array([1], numpy.int64)})


def main():
    media, program, room = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    make(room / "colours")

    def run(*arguments):
        return subprocess.run([media, *arguments], check=True, stdout=subprocess.PIPE, text=True).stdout

    for colour, pixel in COLOURS.items():
        Image.new("RGB", (64, 48), pixel).save(room / f"{colour}.png")
        run("add", f"the {colour} one", "--attach", str(room / f"{colour}.png"))
    (room / "broken.png").write_bytes((room / "red.png").read_bytes()[:60])
    run("add", "a broken one", "--attach", str(room / "broken.png"))
    run("settings", "look", f"'{sys.executable}' '{program}' '{room}/colours'")
    looked = json.loads(run("look", "--only", "model", "--json"))
    assert looked == {"files": 4, "failed": 1}, looked
    for number, colour in enumerate(COLOURS, 1):
        found = [json.loads(line) for line in run("list", "--meaning", f"a {colour} car", "--json").splitlines()]
        assert found[0]["id"] == number and found[0]["score"] > 0.9 and len(found) == 3, found
        tags = [tag["tag"] for tag in found[0]["attachments"][0]["machine"]["tags"]]
        assert tags == [colour], tags
    stats = json.loads(run("stats", "--json"))["model"]
    assert stats["name"].startswith("colours@") and stats["inspected"] == 4 and stats["failed"] == 1, stats
    print("models: the example finds pictures by what they mean")


main()
