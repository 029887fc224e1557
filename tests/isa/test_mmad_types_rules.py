"""Mmad on all types: where C starts from, what wraps, and every limit from both sides."""

import numpy as np
import pytest

from batches import check_rules
from cases import TYPES, check, check_refused, launch, verdict
from products import (A1, A2, B1, B2, C2, CO1, NONE, SUPPORTED, VECIN, WITH_BIAS, WITH_TABLE,
                      Product, bits_of)
from test_mmad_types import EVERYWHERE, F32, MMAD, S8, plain

S4, BF = ("int32", "int4", "int4"), ("float", "bfloat16", "bfloat16")
TABLE_TYPES = [(chip, types) for chip in WITH_TABLE for types in SUPPORTED[chip]]


@pytest.mark.parametrize("chip, types", TABLE_TYPES)
@pytest.mark.parametrize("init_zero, is_bias", [(0, 0), (1, 0), (0, 1), (1, 1)])
def test_where_c_starts_from(chip, types, init_zero, is_bias):
    """Without a bias, from the table by cmatrixSource, with one in C2, with one in CO1."""
    base = plain(chip, types, m=20, n=33, init_zero=init_zero, is_bias=is_bias)
    starts = [base, base | {"from_table": 1},
              base | {"form": WITH_BIAS, "bias": 128},
              base | {"form": WITH_BIAS, "bias": 128, "from_table": 1},
              base | {"form": WITH_BIAS, "bias_pos": CO1, "bias_n": 6144},
              base | {"form": WITH_BIAS, "bias_pos": CO1, "bias": 1024 * 8, "bias_n": 4096}]
    check(MMAD, chip, starts, allowed=("V2008",))
    images = {MMAD.expected(case, chip, MMAD.before(case, chip)).tobytes() for case in starts}
    assert len(images) == (1 if init_zero and not is_bias else 4)


@pytest.mark.parametrize("chip", WITH_TABLE)
def test_the_warning_of_a_bias_that_is_not_added(chip):
    """V2008 if the initial C is 0 in spite of a bias tensor, and only then."""
    for types in (S8, F32):
        for position in (C2, CO1):
            base = plain(chip, types, form=WITH_BIAS, bias_pos=position, bias_n=256)
            for changes, wanted in (({"init_zero": 1}, ["V2008"]), ({"init_zero": 0}, []),
                                    ({"init_zero": 1, "is_bias": 1}, []),
                                    ({"init_zero": 1, "form": NONE}, [])):
                run = verdict(MMAD, chip, base | changes)
                assert run.codes == wanted and run.code == 0, changes


INTEGERS = [(chip, types) for chip, types in EVERYWHERE if types[0] in ("int32", "uint32")]


@pytest.mark.parametrize("chip, types", INTEGERS)
def test_integers_wrap(chip, types):
    """Modulo 2^32, from a C that is almost full."""
    subject = Product(1, 1, 1)
    operands = [(start, a, b) for start in (0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0)
                for a, b in ((0x11, 0x11), (0x11, 0xFF), (0xFF, 0x11))]

    def before(case, chip):
        start, a, b = operands[case["seed"]]
        image = Product.before(subject, case, chip).copy()
        image[:1024] = np.full(256, start, np.uint32).view(np.uint8)
        image[1024:1536], image[1536:2048] = a, b
        return image

    subject.before = before
    cases = [plain(chip, types, subject, k=2, init_zero=0, seed=number)
             for number in range(len(operands))]
    check(subject, chip, cases)
    one = 1 if bits_of(types[1]) == 4 else 17  # what 0x11 holds
    for (start, *sides), row in zip(operands, launch(subject, chip, cases).outputs[0]):
        values = [one if side == 0x11 else 255 if kind == "uint8" else -1
                  for side, kind in zip(sides, types[1:])]
        assert (row.view(np.uint32) == (start + 2 * values[0] * values[1]) % (1 << 32)).all()


@pytest.mark.parametrize("chip", WITH_TABLE)
@pytest.mark.parametrize("m", [1, 16, 40])
def test_k_direction_align(chip, m):
    """Row blocks stand 2 * ceil(k / 16) fractals apart, and ceil(k / 8) of each are read."""
    for k in (1, 8, 9, 16, 17, 20, 24, 25):
        read, pitch = -(-k // 8), 2 * -(-k // 16)
        fractals = -(-read // 16) if m == 1 else (-(-m // 16) - 1) * pitch + read
        case = plain(chip, F32, m=m, k=k, k_align=1)
        check_rules(MMAD, chip, [(case | {"a_n": fractals * 128}, None),
                                 (case | {"a_n": fractals * 128 - 1}, "V1001")])


@pytest.mark.parametrize("chip, types", EVERYWHERE)
def test_sizes(chip, types):
    """Whole fractals count, in each operand."""
    k0, width = 256 // bits_of(types[1]), bits_of(types[0]) // 8
    per = 4096 // bits_of(types[1])
    base = plain(chip, types, k=k0 + 2, kind=1)
    rules = [({"m": 17, "a_n": 4 * per}, None), ({"m": 17, "a_n": 4 * per - 2}, "V1001"),
             ({"m": 1, "k": 16 * k0, "a_n": per}, None),
             ({"m": 1, "k": 16 * k0, "a_n": per - 2}, "V1001"),
             ({"m": 1, "k": 14 * k0 + 2, "a_n": per - 2}, "V1001"),
             ({"n": 17, "b_n": 4 * per}, None), ({"n": 17, "b_n": 4 * per - 2}, "V1001"),
             ({"m": 17, "n": 17, "c_n": 1024}, None), ({"m": 17, "n": 17, "c_n": 1023}, "V1001"),
             ({"c": 256 * width}, None), ({"c": 128 * width}, "V1004"), ({"a": 512}, None),
             ({"a": 256}, "V1004"), ({"b": 512}, None), ({"b": 256}, "V1004"),
             ({"m": 0}, None), ({"n": 0}, None), ({"k": 0}, None),
             ({"m": 4096}, "V2001"), ({"n": 4096}, "V2001"), ({"k": 4096}, "V2001"),
             ({"a_pos": B2}, "V1005"), ({"a_pos": A1}, "V1005"), ({"b_pos": A2}, "V1005"),
             ({"b_pos": B1}, "V1005"), ({"c_pos": A2}, "V1005"), ({"c_pos": VECIN}, "V1005"),
             ({"k": k0 + 1}, "V2002" if types == S4 else None),
             ({"k_align": 1}, None if types == F32 else "V2004"),
             ({"from_table": 1}, None if chip in WITH_TABLE else "V2001"),
             ({"from_table": 1, "init_zero": 0}, None if chip in WITH_TABLE else "V2001")]
    check_rules(MMAD, chip, [(base | changes, code) for changes, code in rules])


BIAS_RULES = [
    ({}, None), ({"bias": 64}, None), ({"bias": 32}, "V1004"), ({"bias_n": 48}, None),
    ({"bias_n": 47}, "V1001"), ({"bias": 1024 - 192}, None), ({"bias": 1024 - 128}, "V1002"),
    ({"bias_pos": VECIN}, "V1005"), ({"bias_pos": A1}, "V1005"), ({"bias_pos": A2}, "V1005"),
    ({"bias_pos": CO1, "bias_n": 1536}, None), ({"bias_pos": CO1, "bias_n": 1535}, "V1001"),
    ({"bias_pos": CO1, "bias": 32, "bias_n": 1536}, "V1004"),
    ({"bias_type": TYPES.index("half")}, "V2004"),
    ({"m": 0, "bias_n": 0}, None), ({"m": 0, "bias": 32}, "V1004"),
]


@pytest.mark.parametrize("chip, types", TABLE_TYPES)
def test_bias_rules(chip, types):
    base = plain(chip, types, form=WITH_BIAS, init_zero=0, m=20, n=33)
    other = TYPES.index("int32" if types[0] == "float" else "float")
    check_rules(MMAD, chip, [(base | changes, code) for changes, code in BIAS_RULES] +
                [(base | {"bias_type": other}, "V2004")])


@pytest.mark.parametrize("chip", WITH_TABLE)
def test_the_whole_bias_table(chip):
    """256 values; more columns than that have no bias, by a tensor or by cmatrixSource."""
    subject = Product(17, 2, 17)
    case = plain(chip, BF, subject, n=256, k=16, init_zero=0)
    with_bias = {"form": WITH_BIAS}
    check(subject, chip, [case | with_bias, case | {"from_table": 1}])
    check_refused(subject, chip, case | with_bias | {"n": 257, "bias_n": 272}, "V1002")
    check_refused(subject, chip, case | {"n": 257, "from_table": 1}, "V1002")


@pytest.mark.parametrize("chip", ("1001", "2002"))
def test_chips_without_a_bias_table(chip):
    for types in SUPPORTED[chip]:
        check_refused(MMAD, chip, plain(chip, types, form=WITH_BIAS, init_zero=0), "V6001")


NEVER = [("int32", "int8", "uint8"), ("uint32", "int8", "int8"),
         ("bfloat16", "bfloat16", "bfloat16"),
         ("float", "float", "half"), ("float", "int8", "int8"), ("int32", "int4", "int8"),
         ("int32", "int32", "int32")]
ALL_TYPES = sorted({types for chip in SUPPORTED for types in SUPPORTED[chip]})


@pytest.mark.parametrize("chip", SUPPORTED)
def test_types(chip):
    for types in NEVER + ALL_TYPES:
        if types not in SUPPORTED[chip]:
            check_refused(MMAD, chip, plain(chip, types, visible=0), "V6002")


@pytest.mark.parametrize("chip", ["1000", "2002v"])
def test_chip_without_mmad(chip):
    for types in ALL_TYPES:
        check_refused(MMAD, chip, plain(chip, types, visible=0), "V6001")
