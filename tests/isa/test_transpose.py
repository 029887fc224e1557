"""Transpose: dst[j][i] = src[i][j] for 16 x 16 elements of 16 bits."""

import numpy as np
import pytest

from batches import check_rules
from cases import (TYPES, UB_BYTES, WIDTH, Subject, check, check_random, check_refused,
                   random_bytes)
from harness import CHIPS
from lanes import POSITIONS, VECCALC

SQUARE = 512
SHORT = ["int16", "uint16", "half"]


class Square(Subject):
    source, kernel = "transpose_cases.cpp", "transpose_cases"
    fields = ("type", "dst_pos", "dst", "dst_n", "src_pos", "src", "src_n", "seed")
    simplest = {"dst": 1024, "src": 0, "seed": 0}

    def __init__(self, image=4096):
        self.image = image

    def before(self, case, chip):
        return random_bytes(case["seed"], self.image)

    def expected(self, case, chip, before):
        memory = before.copy()
        square = before[case["src"]:case["src"] + SQUARE].view(np.uint16).reshape(16, 16)
        for i in range(16):
            for j in range(16):
                at = case["dst"] + 2 * (16 * j + i)
                memory[at:at + 2] = square[i, j:j + 1].view(np.uint8)
        return memory

    def legal(self, case, chip):
        apart = case["dst"] == case["src"] or abs(case["dst"] - case["src"]) >= SQUARE
        return TYPES[case["type"]] in SHORT and apart and all(
            case[name + "_pos"] in POSITIONS and case[name] % 32 == 0 and
            case[name + "_n"] * 2 >= SQUARE and case[name] + SQUARE <= self.image
            for name in ("dst", "src"))


TRANSPOSE = Square()


def plain(dtype="half", **changes):
    count = SQUARE // WIDTH[dtype]
    return {"type": TYPES.index(dtype), "dst_pos": VECCALC, "dst": 1024, "dst_n": count,
            "src_pos": VECCALC, "src": 0, "src_n": count, "seed": 1} | changes


@pytest.mark.parametrize("chip", CHIPS)
def test_random(chip):
    check_random(TRANSPOSE, chip, lambda rng: plain(
        rng.choice(SHORT), dst=32 * rng.integers(0, 113), src=32 * rng.integers(0, 113),
        dst_pos=rng.choice(POSITIONS), src_pos=rng.choice(POSITIONS),
        seed=rng.integers(0, 1 << 20)), 100)


@pytest.mark.parametrize("chip", CHIPS)
def test_rules(chip):
    check_rules(TRANSPOSE, chip, [
        (plain(dtype, **changes), code) for dtype in SHORT for changes, code in [
            ({}, None), ({"dst": 0}, None), ({"dst": 512}, None), ({"dst": 480}, "V1008"),
            ({"dst": 32}, "V1008"), ({"src": 1024 - 32}, "V1008"), ({"src": 1536}, None),
            ({"dst_n": 255}, "V1001"), ({"src_n": 255}, "V1001"), ({"dst": 1040}, "V1004"),
            ({"src": 16}, "V1004"), ({"dst_pos": 0}, "V1005"), ({"src_pos": 0}, "V1005")]])


@pytest.mark.parametrize("chip", CHIPS)
def test_the_end_of_ub(chip):
    large = Square(UB_BYTES[chip])
    last = plain(dst=UB_BYTES[chip] - SQUARE)
    check(large, chip, [last])
    check_refused(large, chip, last | {"dst": UB_BYTES[chip] - SQUARE + 32}, "V1002")


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("dtype", [dtype for dtype in WIDTH if dtype not in SHORT])
def test_types_that_it_does_not_take(chip, dtype):
    check_refused(TRANSPOSE, chip, plain(dtype), "V6002")
