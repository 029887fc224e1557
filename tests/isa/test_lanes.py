"""Masks, forms and strides by definition: an oracle beside lanes.py that knows no layouts. It asks
of each byte of each datablock whether its lane is enabled."""

import itertools

import numpy as np
import pytest

from cases import WIDTH, check_random, types_of
from elementwise import NAMES, Elementwise, operation_of, random_call
from harness import CHIPS
from lanes import BITS, COUNT

# What a lane becomes, as a whole number of so many bits.
MEANING = {"Max": lambda bits, signed, a, b: max(signed(a), signed(b)),
           "And": lambda bits, signed, a, b: a & b,
           "Not": lambda bits, signed, a: (1 << bits) - 1 - a}
BLOCK, BLOCKS = 32, 8


def is_enabled(case, repeat, lane, lanes):
    """Whether a lane of a repeat takes part."""
    if case["form"] == COUNT:
        return repeat * lanes + lane < case["count"]
    if not case["set_mask"]:
        return True  # the register, which enables all when a kernel starts
    if case["form"] == BITS:
        word = case["mask0"] if lane < 64 else case["mask1"]
        return word // 2**(lane % 64) % 2 == 1
    return lane < case["mask0"]


def repeats_of(case, lanes):
    if case["form"] != COUNT:
        return range(case["repeats"])
    return itertools.takewhile(lambda repeat: repeat * lanes < case["count"], itertools.count())


def stride_of(case, operand, kind):
    """In bytes; the count form is dense, and one source makes a block stride of 0 of dst 1."""
    if case["form"] == COUNT:
        return BLOCK if kind == "blk" else BLOCK * BLOCKS
    stride = case[f"{operand}_{kind}"]
    if operand == "dst" and kind == "blk" and "src1" not in operation_of(case).operands:
        stride = stride or 1
    return BLOCK * stride


def elements(case, operand, repeat, width):
    """(lane, address) of each lane of a repeat."""
    start = case[operand] + repeat * stride_of(case, operand, "rep")
    for block in range(BLOCKS):
        for byte in range(0, BLOCK, width):
            lane = (block * BLOCK + byte) // width
            yield lane, start + block * stride_of(case, operand, "blk") + byte


class ByDefinition(Elementwise):
    """Calls on whole numbers."""

    def legal(self, case, chip):
        return types_of(case)[0] in ("int16", "uint16", "int32") and super().legal(case, chip)

    def expected(self, case, chip, before):
        dtype = types_of(case)[0]
        width, signed = WIDTH[dtype], dtype.startswith("int")
        memory, lanes = bytearray(before.tobytes()), BLOCK * BLOCKS // width

        def number(bits):
            return bits - 2**(8 * width) if signed and bits >= 2**(8 * width - 1) else bits

        for repeat in repeats_of(case, lanes):
            results = {}
            walks = zip(*(elements(case, operand, repeat, width)
                          for operand in operation_of(case).operands))
            for (lane, to), *sources in walks:
                if not is_enabled(case, repeat, lane, lanes):
                    continue
                found = [int.from_bytes(memory[at:at + width], "little") for _, at in sources]
                value = MEANING[NAMES[case["op"]]](8 * width, number, *found)
                results[to] = (value % 2**(8 * width)).to_bytes(width, "little")
            for to, value in results.items():  # all lanes are read before one is written
                memory[to:to + width] = value
        return np.frombuffer(bytes(memory), np.uint8)


@pytest.mark.parametrize("name", MEANING)
@pytest.mark.parametrize("chip", CHIPS)
def test_each_byte_by_definition(name, chip):
    check_random(ByDefinition(), chip, lambda rng: random_call(rng, name, chip), 150, name, "bytes")
