"""Calls that reach out of their Tensors are refused while the script runs, as far as the numbers
are known then."""

import json
import random

import pytest
import vinci.tik as tik
from language import GM, UB, on, random_bits, refused, touched, words
from vinci import _engine

L1 = tik.scope_cbuf


@pytest.fixture(name="instance")
def fixture_instance():
    return tik.Tik()


def test_the_limit_is_the_tensor_before_slicing(instance):
    t = instance.Tensor("float16", (4, 128), UB, "t")
    other = instance.Tensor("float16", (8, 128), UB, "other")
    instance.vec_abs(128, t, other, 4, 8, 8)
    assert refused(lambda: instance.vec_abs(128, t, other, 5, 8, 8)) == (
        "dst tensor overflow, 640 elements are needed, but Tensor t has 512 of float16")
    instance.vec_abs(128, t[1, 0:16], other, 3, 8, 8)
    refused(lambda: instance.vec_abs(128, t[1, 0:16], other, 4, 8, 8), "dst tensor overflow, 640 ")
    refused(lambda: instance.vabs(128, other, t, 1, 1, 5, 8, 8), "src tensor overflow, 576 ")
    instance.vabs(128, other, t, 1, 1, 4, 8, 8)
    instance.vec_abs(112, t[16:], other, 4, 8, 8)
    refused(lambda: instance.vec_abs(113, t[16:], other, 4, 8, 8), "dst tensor overflow, 513 ")
    wide = t.reinterpret_cast_to("float32")
    instance.vec_abs(64, wide, other.reinterpret_cast_to("float32"), 4, 8, 8)
    refused(lambda: instance.vec_abs(64, wide, other.reinterpret_cast_to("float32"), 5, 8, 8),
            "320 elements are needed, but Tensor t has 256 of float32")


def test_dst_comes_first_and_overlap_before_it(instance):
    t = instance.Tensor("float16", (128,), UB, "t")
    u = instance.Tensor("float16", (128,), UB, "u")
    refused(lambda: instance.vec_add(128, t, u, u, 2, 8, 8, 8), "dst tensor overflow")
    refused(lambda: instance.vec_abs(128, t[16:], t, 1, 8, 8), "overlapping error")


def test_what_is_not_known_is_left_to_the_engine(instance):
    t = instance.Tensor("float16", (4, 128), UB, "t")
    other = instance.Tensor("float16", (8, 128), UB, "other")
    s = instance.Scalar("int32", "s", 1)
    h = instance.Scalar("float16", "h", 1.0)
    instance.vec_abs(128, t, other, s, 200, 200)
    instance.vec_abs(s, t, other, 200, 8, 8)
    instance.vec_abs(128, t, other, 200, s, 8)
    # Where only one Tensor's start or the scalar is not known, the others are looked at.
    instance.vec_abs(128, t[s], other, 8, 8, 8)
    refused(lambda: instance.vec_abs(128, t[s], other, 9, 8, 8), "src tensor overflow, 1152 ")
    refused(lambda: instance.vec_abs(128, t, other[s], 5, 8, 8), "dst tensor overflow, 640 ")
    instance.vec_muls(128, t, other, h, 4, 8, 8)
    refused(lambda: instance.vec_muls(128, t, other, h, 5, 8, 8), "dst tensor overflow, 640 ")
    with instance.for_range(0, 9) as i:
        instance.vec_abs(128, t[i * 128], other, 8, 8, 8)
        refused(lambda: instance.vec_abs(128, t, other[i * 128], 5, 8, 8), "dst tensor overflow")


def test_gm():
    """load2dv1 brings fractals of 512 bytes from GM too."""
    on("Ascend910A")
    instance = tik.Tik()
    s = instance.InputScalar("int32", "s")
    whole = instance.Tensor("float16", (4, 256), GM, "whole")
    unknown = instance.Tensor("float16", (s, 256), GM, "unknown")
    to = instance.Tensor("float16", (8, 256), L1, "to")
    instance.load2dv1(to, whole, 0, 4, 1, 0)
    refused(lambda: instance.load2dv1(to, whole, 1, 4, 1, 0), "src tensor overflow, 1280 elements",
            "Tensor whole has 1024 of float16")
    instance.load2dv1(to, unknown, 1, 4, 1, 0)
    refused(lambda: instance.load2dv1(to, unknown, 1, 9, 1, 0), "dst tensor overflow, 2304 ")


def test_nothing_is_looked_at_in_a_branch_that_never_runs(instance):
    t = instance.Tensor("float16", (128,), UB, "t")
    with instance.if_scope(False):
        instance.vec_abs(128, t, t, 9, 8, 8)
    assert instance.program.body == []


@pytest.mark.parametrize("strict", ["0", "1"])
def test_random_calls(strict, monkeypatch):
    """What is left of a Tensor's last datablock is no overflow, but in strict mode."""
    monkeypatch.setenv("VINCI_TIK_STRICT", strict)
    on("Ascend310P3")
    seed = 7
    rng = random.Random(seed)
    names, refusals = ("dst", "src0", "src1"), 0
    for case in range(300):
        dtype, size = rng.choice([("int16", 2), ("float16", 2), ("float32", 4)])
        lanes, repeats = 256 // size, rng.randint(1, 6)
        bits = random_bits(rng, lanes)
        blocks = [rng.randint(0, 5) for _ in names]
        strides = [rng.randint(0, 20) for _ in names]
        needed = [max(set().union(*touched(bits, lanes, size, 0, repeats, block, stride))) // size
                  + 1 for block, stride in zip(blocks, strides)]
        short = [rng.choice([0, 0, 0, 1]) for _ in names]
        short = [less if count > less else 0 for less, count in zip(short, needed)]
        instance = tik.Tik()
        tensors = [instance.Tensor(dtype, (count - less,), UB, name)
                   for count, less, name in zip(needed, short, names)]

        def call():
            instance.vadd(words(bits, size), *tensors, repeats, *blocks, *strides)

        try:
            over = [less and (strict == "1" or (count - less) * size % 32 == 0)
                    for less, count in zip(short, needed)]
            if any(over):
                refusals += 1
                at = over.index(True)
                refused(call, f"{names[at]} tensor overflow, {needed[at]} elements are needed")
            else:
                call()
        except (AssertionError, SystemExit, pytest.fail.Exception) as wrong:
            raise AssertionError(f"seed {seed}, case {case}: {wrong}") from None
    assert (100 if strict == "1" else 4) < refusals < 200


def test_random_calls_in_counter_mode():
    on("Ascend310P3")
    seed = 8
    rng = random.Random(seed)
    for case in range(100):
        dtype, size = rng.choice([("int16", 2), ("float16", 2), ("float32", 4)])
        count, blocks = rng.randint(1, 900), [rng.randint(1, 5), rng.randint(0, 5)]
        strides = [rng.randint(0, 20) for _ in blocks]
        bytes_ = [set().union(*touched(0, 256 // size, size, 0, 1, block, stride, count))
                  for block, stride in zip(blocks, strides)]
        needed = [max(one) // size + 1 for one in bytes_]
        instance = tik.Tik()
        tensors = [instance.Tensor(dtype, (elements,), UB, "t") for elements in needed]
        try:
            instance.vadds(count, *tensors, 1, 1, *blocks, *strides, mask_mode="counter")
            short = instance.Tensor(dtype, (max(1, needed[0] - 32 // size),), UB, "short")
            if needed[0] > 32 // size:
                refused(lambda: instance.vadds(count, short, tensors[1], 1, 1, *blocks, *strides,
                                               mask_mode="counter"),
                        f"dst tensor overflow, {needed[0]} elements are needed")
        except (AssertionError, SystemExit, pytest.fail.Exception) as wrong:
            raise AssertionError(f"seed {seed}, case {case}: {wrong}") from None


def test_a_scale_that_is_not_known_hides_no_overflow():
    on("Ascend910A")
    instance = tik.Tik()
    s = instance.Scalar("float16", "s", 1.0)
    sums = instance.Tensor("float16", (4, 256), tik.scope_cc, "sums")
    out = instance.Tensor("float16", (4, 256), UB, "out")
    instance.tensor_mov(out, sums, "m", 1, 4, 0, 0, deqscale=s)
    refused(lambda: instance.tensor_mov(out, sums, "m", 1, 5, 0, 0, deqscale=s),
            "dst tensor overflow, 1280 elements")
    instance.tensor_mov(out, sums, "m", 2, 1, 0, 2, deqscale=s)
    refused(lambda: instance.tensor_mov(out, sums, "m", 2, 1, 0, 3, deqscale=s),
            "src tensor overflow, 1280 elements")


CALL = {"do": "call", "as": "vec_abs", "instruction": "abs", "dst": [0, 0, "float16"],
        "src0": [0, 0, "float16"], "mask": {"first": 128}, "repeats": 2, "dst_block": 1,
        "src0_block": 1, "dst_repeat": 8, "src0_repeat": 8}
SMALL = {"name": "t", "scope": UB, "dtype": "float16", "address": 0, "bytes": 256}


def file_of(body, scalars=(), soc="Ascend910A"):
    return json.dumps({"vinci_statements": 1, "kernel": "", "soc": soc, "files": [],
                       "buffers": [SMALL], "scalars": list(scalars), "body": body})


def test_the_question_itself():
    reached, overlaps = _engine.judge(file_of([CALL]))
    assert set(reached) == {("dst", -1, 512, True), ("src0", -1, 512, True)} and overlaps == []
    reached, overlaps = _engine.judge(file_of([{**CALL, "repeats": 1}]))
    assert set(reached) == {("dst", -1, 256, False), ("src0", -1, 256, False)} and overlaps == []
    assert _engine.judge(file_of([{**CALL, "mask": {"first": 0}}])) == ([], [])  # another rule
    reached, overlaps = _engine.judge(file_of([{**CALL, "dst_repeat": 0, "src0_repeat": 0}]))
    assert not any(is_outside for *_, is_outside in reached)
    assert overlaps == ["dst of repeat 0 overwrites src of repeat 1"]
    for body, scalars in (([], ()), ([CALL, CALL], ()), ([{"do": "return"}], ()),
                          ([CALL], [{"name": "s", "dtype": "int32"}]),
                          ([{"do": "barrier"}, CALL], ())):
        with pytest.raises(_engine.BadStatements, match="not one call without scalars"):
            _engine.judge(file_of(body, scalars))
    with pytest.raises(ValueError, match="no chip Ascend911"):
        _engine.judge(file_of([CALL], soc="Ascend911"))
    with pytest.raises(_engine.BadStatements):
        _engine.judge("{}")


@pytest.mark.parametrize("more, found", [
    ({"dst_repeat": 0}, ["src0"]),       # what is read and written is told by the access
    ({"src0_repeat": 0}, ["dst"]),
])
def test_a_tensor_that_is_both_source_and_result(more, found):
    answer, _ = _engine.judge(file_of([{**CALL, **more}]))
    assert [field for field, _, _, is_outside in answer if is_outside] == found


def test_a_list_of_the_same_tensor_names_its_first_place():
    on("Ascend910A")
    instance = tik.Tik()
    queue = instance.Tensor("float16", (256,), UB, "queue")
    merged = instance.Tensor("float16", (4096,), UB, "merged")
    instance.vmrgsort4(merged, [queue] * 4, 32, False, 15, 1)
    assert refused(lambda: instance.vmrgsort4(merged, [queue] * 4, 33, False, 15, 1)) == (
        "src_list[0] tensor overflow, 264 elements are needed, but Tensor queue has 256 of float16")
