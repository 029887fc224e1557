"""Statement files with a few places changed at random: refused, or run with faults, but the engine
never crashes and never hangs."""

import copy
import json
import os
import random
import subprocess
import sys

import numpy as np
import pytest
import tik_harness
from vinci import _engine

FILES = max(1, round(300 * float(os.environ.get("VINCI_MORE", "1"))))
INTEGERS = [0, 1, -1, 2, 3, 7, 16, 64, 255, 256, 1 << 20, 1 << 31, -(1 << 31), (1 << 63) - 1,
            -(1 << 63), (1 << 64) - 1, ["scalar", 0], ["/", "int32", 1, 0]]
OTHERS = [0.5, "x", "", "float16", "int64", "bool", "global", "local.L0C", "input", None, True, [],
          {}, [1], ["scalar", 9], "break", "call", "mmad", "fixpipe", "gather", "cast_dequant"]


def gm(name, role, dtype="float16", elements=256, **more):
    return {"name": name, "scope": "global", "dtype": dtype, "role": role, "elements": elements,
            **more}


def call(line, instruction, **fields):
    return {"do": "call", "at": [0, line], "instruction": instruction, "as": instruction, **fields}


def whole():
    """A file with a statement of each kind."""
    block, turn = ["scalar", 1], ["scalar", 0]
    squares = [[4, 16 * i, "float16"] for i in range(16)]
    body = [
        call(2, "data_copy", dst=[4, 0, "float16"], src=[0, ["*", "int32", block, 128], "float16"],
             bursts=1, length=8, src_gap=0, dst_gap=0),
        call(3, "add", dst=[4, 0, "float16"], src0=[4, 0, "float16"], src1=[4, 128, "float16"],
             mask={"first": 128}, repeats=["within", 0, 255, "r", 1], dst_repeat=8, src0_block=1),
        call(4, "vec_conv", dst=[4, 0, "int32"], src0=[4, 128, "float16"],
             mask={"bits": [0, 15]}, repeats=1, round=1),
        {"do": "if", "at": [0, 5], "when": ["<", "int32", block, 5],
         "then": [{"do": "load", "at": [0, 6], "scalar": 0, "from": [4, 3, "int32"]}], "else": []},
        {"do": "for", "at": [0, 7], "var": 0, "from": 0, "to": 4, "body": [
            {"do": "store", "at": [0, 8], "to": [4, turn, "int32"], "value": ["neg", "int32", turn]},
            {"do": "continue", "at": [0, 8]}]},
        {"do": "barrier", "at": [0, 9]},
        {"do": "check", "at": [0, 9], "value": 3, "least": 1, "most": 4, "what": "x"},
        {"do": "print", "at": [0, 9], "id": 1},
        {"do": "copy", "at": [0, 9], "to": [4, 0, "int32"], "from": [2, 1, "int32"]},
        {"do": "copy", "at": [0, 9], "to": [4, 0, "int32"], "from": [3, 1, "int32", 1]},
        call(10, "trans_data_to_5hd", dst=squares, src=copy.deepcopy(squares), repeats=1),
        call(11, "data_copy", dst=[1, 0, "float16"], src=[4, 0, "float16"], bursts=1, length=8)]
    return {"vinci_statements": 1, "kernel": "k", "soc": "Ascend310P3", "files": ["f.py"],
            "buffers": [gm("a", "input"), gm("b", "output"),
                        gm("t", "init", "int32", 4, init=[1, 2, 3, 4]),
                        gm("l", "input", "int32", 0, list=True),
                        {"name": "u", "scope": "local.UB", "dtype": "float16", "address": 0,
                         "bytes": 512}],
            "scalars": [{"name": "s", "dtype": "int32"}, {"name": "i", "dtype": "int32"},
                        {"name": "n", "dtype": "int32", "input": True}],
            "body": [{"do": "set", "at": [0, 1], "scalar": 0, "value": ["+", "int32", ["scalar", 2], 3]},
                     {"do": "for", "at": [0, 2], "var": 1, "from": 0, "to": 2, "blocks": True,
                      "body": body}]}


def places(value, container=None, key=None):
    """(container, key) of everything inside."""
    if container is not None:
        yield container, key
    items = value.items() if isinstance(value, dict) else \
        enumerate(value) if isinstance(value, list) else ()
    for inner_key, inner in list(items):
        yield from places(inner, value, inner_key)


def changed(rng):
    file = whole()
    for _ in range(rng.choice((1, 1, 2, 3))):
        everything = list(places(file))
        numbers = [place for place in everything if type(place[0][place[1]]) is int]
        container, key = rng.choice(numbers if rng.random() < 0.8 and numbers else everything)
        if rng.random() < 0.15 and isinstance(container, dict):
            del container[key]
        else:
            number = type(container[key]) is int and rng.random() < 0.8
            container[key] = copy.deepcopy(rng.choice(INTEGERS if number else INTEGERS + OTHERS))
    return file


def run(file, rng):
    feeds = {"a": np.ones(256, np.float16), "l": [np.ones(4, np.int32)] * 2, "n": 5}
    running = _engine.Program(json.dumps(file))
    watched = rng.random() < 0.5
    running.run(feeds, on_print=(lambda *place: (running.peek(0), running.peek(4),
                                                 running.peek_scalar(0))) if watched else None)


def main(seed, last):
    """Runs files until one ends the process; the one at work is in the file `last`."""
    rng = random.Random(seed)
    ran = 0
    for _ in range(FILES):
        file = changed(rng)
        with open(last, "w", encoding="utf-8") as text:
            json.dump(file, text)
        try:
            run(file, rng)
            ran += 1
        except (ValueError, IndexError, MemoryError):
            pass
    print(ran)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_changed_files(seed, tmp_path):
    last = tmp_path / "last.json"
    done = subprocess.run([sys.executable, __file__, str(seed), last], capture_output=True,
                          env=tik_harness.environment(), text=True, timeout=300, check=False)
    assert done.returncode == 0, f"seed {seed}: {done.stderr}\n{last.read_text()}"
    assert int(done.stdout) > FILES / 5  # enough of them get as far as the first statement


def test_the_file_itself_is_right():
    run(whole(), random.Random(1))


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
