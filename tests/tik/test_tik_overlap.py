"""Results that lie on sources in part, or on what the next repeat reads, are refused while the script
runs, as far as the numbers are known then."""

import random

import pytest
import vinci.tik as tik
from language import UB, on, random_bits, refused, words

IN_PART = "{} dst and {} address overlapping error. They should be the same address with the same "\
    "strides, or not overlap at all"
NEXT = "When repeat_times>1, {} dst and {} address overlapping error. It is not support iteration "\
    "N's destination is the source of next iteration"


@pytest.fixture(name="instance")
def fixture_instance():
    on("Ascend910A")
    return tik.Tik()


def test_one_source(instance):
    t = instance.Tensor("float16", (16, 128), UB, "t")
    other = instance.Tensor("float16", (16, 128), UB, "other")
    instance.vec_abs(128, t, other, 4, 8, 8)
    instance.vec_abs(128, t, t, 1, 8, 8)
    instance.vec_abs(128, t, t, 8, 8, 8)
    instance.vec_abs(128, t[128:], t, 1, 8, 8)
    assert refused(lambda: instance.vec_abs(128, t[112:], t, 1, 8, 8)) == IN_PART.format("vec_abs",
                                                                                         "src")
    refused(lambda: instance.vabs(128, t, t, 1, 2, 1, 8, 8), IN_PART.format("vabs", "src"))
    assert refused(lambda: instance.vec_abs(128, t[128:], t, 2, 8, 8)) == NEXT.format("vec_abs", "src")
    instance.vec_abs(128, t, t[128:], 2, 8, 8)  # a repeat reads before its bytes are written
    refused(lambda: instance.vec_abs(128, t, t[112:], 2, 8, 8), "overlapping error")
    refused(lambda: instance.vec_abs(128, t, t, 2, 0, 0), NEXT.format("vec_abs", "src"))
    # One that reaches out of itself into the other.
    refused(lambda: instance.vec_abs(128, other, t[15, 0:16], 2, 8, 8), "src tensor overflow")


def test_repeats_that_add_up_in_one_place(instance):
    t = instance.Tensor("float16", (16, 128), UB, "t")
    x = instance.Tensor("float16", (16, 128), UB, "x")

    def add(dst, src1, blocks=(1, 1, 1), repeats=(0, 8, 0)):
        instance.vadd(128, dst, x, src1, 3, *blocks, *repeats)

    add(t, t)
    hint = "; to let all repeats come together in dst, give it as src1 with src1_rep_stride 0"
    for name, told in (("vadd", hint), ("vmax", hint), ("vsub", "")):
        assert refused(lambda: getattr(instance, name)(  # pylint: disable=cell-var-from-loop
            128, t, t, x, 3, 1, 1, 1, 0, 0, 8)) == NEXT.format(name, "src0") + told
    assert refused(lambda: instance.vadd(128, t[128:], t, x, 3, 1, 1, 1, 8, 8, 8)) == NEXT.format(
        "vadd", "src0")
    refused(lambda: add(t, t[112:]), IN_PART.format("vadd", "src1"))
    refused(lambda: add(t, t, blocks=(2, 1, 1)), IN_PART.format("vadd", "src1"))
    refused(lambda: add(t[128:], t, repeats=(0, 8, 8)), NEXT.format("vadd", "src1"))
    refused(lambda: add(t, t[128:], repeats=(8, 8, 0)), NEXT.format("vadd", "src1"))
    refused(lambda: instance.vec_adds(128, t, t, 1.0, 3, 0, 0), NEXT.format("vec_adds", "src"))


def test_types_of_two_widths(instance):
    half = instance.Tensor("float16", (1024,), UB, "half")
    wide = half.reinterpret_cast_to("float32")
    instance.vec_conv(64, "", half, wide, 4, 4, 8)      # narrower, each where its source starts
    refused(lambda: instance.vec_conv(64, "", wide, half, 1, 8, 4), "overlapping error")
    refused(lambda: instance.vec_conv(64, "", half[64:], wide, 1, 4, 8), IN_PART.format("vec_conv",
                                                                                       "src"))


def test_other_calls(instance):
    t = instance.Tensor("float16", (1024,), UB, "t")
    sel = instance.Tensor("uint8", (64,), UB, "sel")
    cmpmask = instance.mov_tensor_to_cmpmask(sel.reinterpret_cast_to("uint16"))
    x = instance.Tensor("float16", (128,), UB, "x")
    instance.vec_sel(128, 0, t, cmpmask, t, x, 1, 8, 8, 8)
    refused(lambda: instance.vec_sel(128, 0, t[16:], cmpmask, t, x, 1, 8, 8, 8),
            IN_PART.format("vec_sel", "src0"))
    instance.vcadd(128, t, t, 1, 1, 1, 8)
    refused(lambda: instance.vcadd(128, t[1], t, 1, 1, 1, 8), "overlapping error")


def test_what_is_not_known_is_left_to_the_engine(instance):
    t = instance.Tensor("float16", (16, 128), UB, "t")
    x = instance.Tensor("float16", (128,), UB, "x")
    s = instance.Scalar("int32", "s", 1)
    instance.vec_abs(128, t[16:], t, s, 8, 8)
    instance.vec_abs(128, t[s], t, 1, 8, 8)
    instance.vabs(128, t[16:], t, s, 1, 1, 8, 8)
    instance.vec_add(128, t[s], t[s], x, 1, 8, 8, 8)
    # Where only another operand's start is not known.
    refused(lambda: instance.vec_add(128, t[16:], t, x[s], 1, 8, 8, 8), IN_PART.format("vec_add",
                                                                                      "src0"))


def datablocks(last, start, block, repeats, repeat):
    """Of each repeat those from the first lane to the last enabled one, in order."""
    return [[start + r * repeat + b * block for b in range(last // 16 + 1)] for r in range(repeats)]


def test_random_calls(instance):
    seed = 11
    rng = random.Random(seed)
    t = instance.Tensor("float16", (4096,), UB, "t")
    seen = set()
    for case in range(600):
        repeats = rng.choice([1, 1, 2, 3, 5])
        bits = random_bits(rng, 128)
        starts = [rng.randint(0, 24) for _ in "ab"]
        strides = [rng.randint(1, 2) for _ in "ab"], [rng.choice([0, 4, 8]) for _ in "ab"]
        dst, src = (datablocks(bits.bit_length() - 1, start, block, repeats, repeat)
                    for start, block, repeat in zip(starts, *strides))
        in_part = any(to != by and set(to) & set(by) for to, by in zip(dst, src))
        follows = any(set(to) & set(by) for to, by in zip(dst, src[1:]))
        seen.add((in_part, follows))

        def call():
            to, by = (t[16 * start:] for start in starts)
            instance.vabs(words(bits, 2), to, by, repeats, *strides[0], *strides[1])

        try:
            refused(call, "overlapping error") if in_part or follows else call()
        except (AssertionError, SystemExit, pytest.fail.Exception):
            raise AssertionError(f"seed {seed}, case {case}: {bits:x} {starts} {strides} "
                                 f"{repeats}") from None
    assert len(seen) == 4
