"""The checks that instructions share, each on both sides."""


import numpy
import pytest
import vinci.tik as tik
from language import GM, UB, on, refused
from vinci.tik import chip
from vinci.tik import operands as check


@pytest.fixture
def instance():
    return tik.Tik()


def test_tensors(instance):
    t = instance.Tensor("float16", (128,), UB, "t")
    gm = instance.Tensor("float16", (128,), GM, "gm")
    s = instance.Scalar("int32", "s")
    assert check.check_tensor(t[16], "dst") == [0, 16, "float16"]
    assert check.check_tensor(t[s], "dst") == [0, ["scalar", 0], "float16"]
    assert check.check_tensor(t[2], "dst", align=4) == [0, 2, "float16"]
    assert check.check_tensor(gm, "dst", (GM, UB)) == [1, 0, "float16"]
    for value in (5, s, None, "t"):
        refused(lambda: check.check_tensor(value, "dst"), "dst should be tensor")
    assert refused(lambda: check.check_tensor(gm, "src")).startswith("src's scope must be UB")
    assert (refused(lambda: check.check_tensor(t[8], "dst"))
            == "Address align error, dst[8] is not 32 Byte align")
    check.check_same_dtype(dst=t, src=gm)
    words = instance.Tensor("int16", (8,), UB, "w")
    refused(lambda: check.check_same_dtype(dst=t, src0=gm, src1=words), "dst and src1", "int16")
    check.check_kind("dst", t, ("float",))
    refused(lambda: check.check_kind("dst", t, ("int", "uint")), "dst's dtype should be int or")


def test_ranges(instance):
    s = instance.Scalar("uint16", "s")
    f = instance.Scalar("float32", "f")
    functions = [
        (lambda v: check.check_repeat_times(v), 1, 255, "repeat_times"),
        (lambda v: check.check_repeat_times(v, 4095), 1, 4095, "repeat_times"),
        (lambda v: check.check_block_stride("dst_blk_stride", v), 0, 255, "dst_blk_stride"),
        (lambda v: check.check_block_stride("dst_blk_stride", v, 65535), 0, 65535, "dst_blk"),
        (lambda v: check.check_repeat_stride("r", v), 0, 255, "r should be"),
        (lambda v: check.check_in_range("n", v, 3, 9), 3, 9, "n should be"),
    ]
    for function, low, high, name in functions:
        for value in (low, high, numpy.int32(high)):
            assert function(value) == value
        # 0 repeats are legal at run time.
        late, name_alone = (0 if name == "repeat_times" else low), name.split()[0]
        for value, json in ((s, ["scalar", 0]), (s + 1, ["+", "uint16", ["scalar", 0], 1])):
            form = function(value)
            assert form[:3] == ["within", late, high] and form[4] == json
            assert form[3].startswith(name_alone)
        for value in (low - 1, high + 1):
            refused(lambda: function(value), name, f"[{low}, {high}]", str(value))
        for value in (float(low), f, f + 1, None, "1"):
            refused(lambda: function(value), "should be int, Scalar(int/uint) or Expr(int/uint)")
    assert check.check_repeat_times(True) is not None
    check.check_bool("flag", True)
    refused(lambda: check.check_bool("flag", 1), "flag should be bool")


def test_options_of_chips():
    for name, units, counter in (("Ascend310", False, False), ("Ascend910A", False, False),
                                 ("Ascend310P3", True, True), ("Ascend910B1", False, True),
                                 ("Ascend310B1", False, True)):
        on(name)
        check.check_stride_unit(0)
        check.check_mask_mode("normal")
        refused(lambda: check.check_stride_unit(4), "[0, 3]")
        refused(lambda: check.check_mask_mode("other"), "mask_mode")
        for allowed, use in ((units, lambda: check.check_stride_unit(3)),
                             (counter, lambda: check.check_mask_mode("counter"))):
            if allowed:
                use()
            else:
                refused(use, name)


def test_supported(monkeypatch):
    on("Ascend910A")
    asked = []
    monkeypatch.setattr(chip, "supports", lambda *args: bool(asked.append(args)), raising=False)
    text = refused(lambda: check.check_supported("cast", "vec_conv", ["int8", "int32"],
                                                 "src int32 dst int8 round_mode ''"))
    assert text == ("current chip: Ascend910 AiCore doesn't support src int32 dst int8 "
                    "round_mode '' for Instruction vec_conv")
    assert asked[0] == ("cast", ["int8", "int32"], "")
    monkeypatch.setattr(chip, "supports", lambda *args: True)
    check.check_supported("cast", "vec_conv", ["int8", "int32"], "")


NEWER = "Ascend310P1, Ascend310P1-VectorCore, Ascend910B1, Ascend310B1"


@pytest.mark.parametrize("soc, record, dtypes, letter, instead", [
    ("Ascend910A", "adds", ["int32"], "", f"legal: float16, float32; chips that have it: {NEWER}"),
    ("Ascend910A", "adds", ["uint64"], "", "legal: float16, float32"),
    ("Ascend310", "vec_conv", ["int32", "float32"], "r",
     f"legal dst: float16; chips that have it: Ascend910A, {NEWER}"),
    ("Ascend310", "vec_conv", ["float32", "float16"], "r", "legal round_mode: none"),
    ("Ascend310", "div", ["float32"], "", f"chips that have it: Ascend910A, {NEWER}"),
    ("Ascend910B1", "bitwise_and", ["float32"], "", "legal: int16, uint16"),
    ("Ascend910A", "mmad", ["float32"] * 3, "",
     "legal: int8 and int8 to int32, uint8 and int8 to int32, uint8 and uint8 to uint32, float16 and float16 "
     "to float16, float16 and float16 to float32; chips that have it: Ascend910B1, Ascend310B1"),
    ("Ascend910B1", "rp_sort16", ["float16"], "",
     "chips that have it: Ascend310, Ascend910A, Ascend310P1"),
])
def test_what_there_is_instead(soc, record, dtypes, letter, instead):
    on(soc)
    text = refused(lambda: check.check_supported(record, "api", dtypes, "this", letter))
    assert text.partition("doesn't support ")[2] == f"this for Instruction api; {instead}"


@pytest.mark.parametrize("dtypes, lanes", [
    (("int8",), 256), (("float16",), 128), (("int16", "int8"), 128), (("float32",), 64),
    (("float16", "float32"), 64), (("int64",), 32), (("int64", "int32"), 32)])
def test_continuous_masks(instance, dtypes, lanes):
    for first in (1, lanes):
        mask = check.check_mask(first, *dtypes)
        assert mask.json == {"first": first} and mask.length == first and mask.lanes == lanes
    for first in (0, lanes + 1, -1):
        refused(lambda: check.check_mask(first, *dtypes), "mask value should be in the range of "
                f"[1, {lanes}] for b{2048 // lanes} tensor, input mask {first}")
    s = instance.Scalar("int32", "s")
    late = ["within", 1, lanes, "mask", ["scalar", 0]]
    assert check.check_mask(s, *dtypes).json == {"first": late}
    assert check.check_mask(s, *dtypes).length is None
    for bad in (1.0, None, "1", {1: 2}, instance.Scalar("float32", "f")):
        refused(lambda: check.check_mask(bad, *dtypes), "not support this type of mask now")


W = 2**64 - 1


@pytest.mark.parametrize("dtype, good, bad", [
    ("float16", [[0, 1], [1, 0], [W, W]], [[0, 0], [-1, 0], [0, W + 1], [1], [1, 1, 1], [0, 1.0]]),
    ("float32", [[0, 1], [0, W]], [[0, 0], [1, 0], [1, 1]]),
    ("int64", [[0, 1], [0, 2**32 - 1]], [[0, 0], [0, 2**32], [1, 0]]),
    ("int8", [[0, 0, 0, 1], [W, W, W, W]], [[0, 0, 0, 0], [0, 1], [1, 1, 1]]),
])
def test_masks_bit_by_bit(instance, dtype, good, bad):
    for words in good:
        for form in (list, tuple):
            mask = check.check_mask(form(words), dtype)
            assert mask.json == {"bits": [w if w < 2**63 else ["uint64", w] for w in words]}
            assert mask.length == sum(
                w << 64 * i for i, w in enumerate(reversed(words))).bit_length()
    for words in bad:
        refused(lambda: check.check_mask(words, dtype), "mask")
    if dtype == "float16":
        s = instance.Scalar("int64", "s")
        mask = check.check_mask([s, s + 1], dtype)
        assert mask.json == {"bits": [["scalar", 0], ["+", "int64", ["scalar", 0], 1]]}
        assert mask.length is None
        refused(lambda: check.check_mask([instance.Scalar("float32"), 1], dtype), "not support")


def test_counter_masks():
    on("Ascend310P3")
    instance = tik.Tik()
    for count in (1, 1000, 2**32 - 1):
        mask = check.check_mask(count, "float16", mask_mode="counter")
        assert mask.json == {"count": count} and mask.counter
    for count in (0, 2**32):
        refused(lambda: check.check_mask(count, "float16", mask_mode="counter"), "mask should be")
    refused(lambda: check.check_mask([0, 1], "float16", mask_mode="counter"), "not support")
    s = instance.Scalar("int32", "s")
    assert check.check_mask(s, "float16", mask_mode="counter").json == {
        "count": ["within", 1, 2**32 - 1, "mask", ["scalar", 0]]}


def test_scalars_of_instructions(instance):
    s, f, h = (instance.Scalar(t, t) for t in ("int32", "float32", "float16"))
    for value, dtype, json in ((3, "int16", ["int16", 3]), (-1, "uint16", ["uint16", 65535]),
                               (0.5, "float16", ["float16", 0.5]), (1, "float32", ["float32", 1.0]),
                               (1e9, "float16", ["float16", 65504.0]), (s, "int32", ["scalar", 0]),
                               (h, "float16", ["scalar", 2]), (True, "int32", ["int32", 1]),
                               (s + 1, "int16", ["cast", "int16", ["+", "int32", ["scalar", 0],
                                                                   1]])):
        assert check.check_scalar("scalar", value, dtype) == json
    refused(lambda: check.check_scalar("scalar", 0.5, "int32"), "scalar should be int")
    refused(lambda: check.check_scalar("scalar", s, "int16"), "scalar's dtype should be int16")
    refused(lambda: check.check_scalar("scalar", f, "int32"), "scalar's dtype should be int32")
    refused(lambda: check.check_scalar("scalar", "x", "int32"), "scalar should be")
    element = instance.Tensor("int32", (8,), UB, "t")[0]
    refused(lambda: check.check_scalar("scalar", element, "int32"),
            "scalar should be an immediate, Scalar or Expr", "set_as(tensor[i])")
    with instance.for_range(0, 3, name="i") as i:
        assert check.check_scalar("scalar", i, "float16") == ["cast", "float16", ["scalar", 3]]
    refused(lambda: check.check_scalar("scalar", i, "int32"), "i is the variable of the for_range")


def test_extents(instance):
    t = instance.Tensor("float16", (4, 128), UB, "t")
    check.check_extent("dst", t[1, 0:16], 384)
    assert refused(lambda: check.check_extent("dst", t[1, 0:16], 385)) == (
        "dst tensor overflow, 513 elements are needed, but Tensor t has 512 of float16")
    words_view = t.reinterpret_cast_to("float32")
    check.check_extent("dst", words_view, 256)
    refused(lambda: check.check_extent("dst", words_view, 257), "257", "256")
    s = instance.Scalar("int32", "s")
    check.check_extent("dst", t[s], 600)  # known at run time only: the engine's
