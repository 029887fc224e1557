"""vbi: sums of datablocks of src0 times numbers of src1, run on the engine against numpy."""

import random

import numpy as np
import pytest
from kernels import CHIPS, Call, any_mask, enabled, fault, refusal, run, same, use

SEED = 37
WITH = ("910B", "310B")


def by_definition(case, dst, src0, src1, offsets):
    """Products and sums are rounded to float16, in the order of the terms."""
    wanted = dst.copy()
    for vertical in range(case["vertical"]):
        total = None
        for horizontal in range(case["horizontal"]):
            term = vertical * case["horizontal"] + horizontal
            blocks = np.stack([src0[at // 2:at // 2 + 16] for at in offsets[8 * term:8 * term + 8]])
            factors = src1[8 * term:8 * term + 8, None] if case["mode"] else src1[term]
            products = blocks * factors
            total = products if total is None else total + products
        for lane in enabled(case["mask"], "float16"):
            place = vertical * case["step"] + lane // 16 * 16 * max(case["block"], 1) + lane % 16
            wanted[place] = total.reshape(128)[lane]
    return wanted


def arrays(source, case):
    """src0, src1 and the offsets of a case."""
    generator = np.random.default_rng(source.getrandbits(32))
    terms = case["vertical"] * case["horizontal"]
    src0 = generator.normal(0, 10, 1024).astype("float16")
    src1 = generator.normal(0, 2, -(-8 * terms // 16) * 16).astype("float16")
    offsets = generator.integers(0, 1024 // 16, 8 * terms).astype("int32") * 32
    return src0, src1, offsets


def one_call(source):
    case = {"mask": any_mask(source, "float16"), "vertical": source.choice([1, 1, 2, 3]),
            "horizontal": source.choice([1, 2, 3, 5]), "mode": source.choice([0, 1]),
            "block": source.choice([0, 1, 2]), "step": source.choice([240, 256, 272])}
    src0, src1, offsets = arrays(source, case)
    dst = np.random.default_rng(source.getrandbits(32)).normal(0, 1, 1024).astype("float16")
    wanted = by_definition(case, dst, src0, src1, offsets)

    def call(instance, ub):
        instance.vbi(case["mask"], ub.dst, ub.src0, ub.src1, ub.offsets, case["block"],
                     case["vertical"], case["horizontal"], case["mode"], case["step"])

    return Call(call, ["dst"], dst=dst, src0=src0, src1=src1, offsets=offsets), wanted, case


@pytest.mark.parametrize("soc", WITH)
def test_random_calls(soc, tmp_path, monkeypatch):
    use(soc)
    source = random.Random(SEED)
    cases = [one_call(source) for _ in range(60)]
    for (_, wanted, what), left in zip(cases, run([c[0] for c in cases], tmp_path, monkeypatch)):
        assert same(left["dst"], wanted), (soc, SEED, what)


@pytest.mark.parametrize("mode, first, last", [(0, [389, 394], [3587, 4096]),
                                               (1, [1 * 2 + 129 * 10], [384 * 25 + 512 * 33])])
def test_the_documents_numbers(mode, first, last, tmp_path, monkeypatch):
    """src0 1 to 512 in place, src1 2, 3, ...: two sums of two terms."""
    use("910B")
    call = Call(lambda instance, ub: instance.vbi(128, ub.dst, ub.src0, ub.src1, ub.offsets, 1, 2,
                                                  2, mode, 128), ["dst"],
                dst=np.zeros(256, "float16"), src0=np.arange(1, 513).astype("float16"),
                src1=np.arange(2, 34).astype("float16"),
                offsets=np.arange(0, 1024, 32).astype("int32"))
    left, = run([call], tmp_path, monkeypatch)
    if mode == 0:
        assert left["dst"][:4].tolist() == [389, 394, 399, 404] and left["dst"][-1] == 4096
    else:
        half = np.float16
        assert left["dst"][0] == 1 * 2 + 129 * 10
        assert left["dst"][-1] == half(half(384 * 25) + half(512 * 33))


def test_products_saturate_before_they_are_added(tmp_path, monkeypatch):
    use("910B")
    call = Call(lambda instance, ub: instance.vbi(128, ub.dst, ub.src0, ub.src1, ub.offsets, 1, 1,
                                                  2, 0, 128), ["dst"],
                dst=np.zeros(128, "float16"), src0=np.full(16, 60000, "float16"),
                src1=np.array([2, -1] + [0] * 14, "float16"), offsets=np.zeros(16, "int32"))
    assert (run([call], tmp_path, monkeypatch)[0]["dst"] == 65504 - 60000).all()


@pytest.mark.parametrize("soc", CHIPS)
def test_chips_and_types(soc):
    use(soc)
    for dtype in ("float16", "float32", "int16"):
        text = refusal(lambda instance, ub: instance.vbi(64, ub.dst, ub.a, ub.b, ub.at, 1, 1, 1, 0,
                                                         128),
                       dst=(dtype, 256), a=(dtype, 256), b=(dtype, 256), at=("int32", 8))
        assert (text is None) == (soc in WITH and dtype == "float16"), text
        assert text is None or text.startswith("current chip: ") and "vbi" in text


PLAIN = {"mask": 128, "dst_blk_stride": 1, "vertical_repeat_times": 2, "horizontal_repeat_times": 2,
         "repeat_mode": 0, "vertical_repeat_offset": 128}


@pytest.mark.parametrize("changes, sizes, words", [
    ({}, {}, None), ({"repeat_mode": 1}, {}, None),
    ({"repeat_mode": 2}, {}, "repeat_mode should be in the range of [0, 1]"),
    ({"mask": 129}, {}, "mask value should be in the range of [1, 128]"),
    ({"vertical_repeat_times": 0}, {}, "vertical_repeat_times should be in the range of [1, 255]"),
    ({"vertical_repeat_times": 256}, {}, "vertical_repeat_times should be in the range of"),
    ({"horizontal_repeat_times": 0}, {}, "horizontal_repeat_times should be in the range of"),
    ({"horizontal_repeat_times": 256}, {}, "horizontal_repeat_times should be in the range of"),
    ({"vertical_repeat_offset": 127}, {}, "vertical_repeat_offset should be in the range of [128,"),
    ({"vertical_repeat_offset": 65535}, {}, "vertical_repeat_offset should be in the range of"),
    ({}, {"dst": ("float16", 255)}, "dst tensor overflow"),
    ({}, {"at": ("int32", 31)}, "src0_offset tensor overflow"),
    ({}, {"b": ("float16", 4)}, None), ({}, {"b": ("float16", 3)}, "src1 tensor overflow"),
    ({"repeat_mode": 1}, {"b": ("float16", 31)}, "src1 tensor overflow"),
    ({}, {"at": ("uint32", 32)}, None),
    ({}, {"at": ("int16", 64)}, "src0_offset's dtype should be"),
    ({}, {"a": ("float32", 256)}, "dst and src0 should have the same dtype"),
    ({}, {"b": ("float32", 256)}, "dst and src1 should have the same dtype")], ids=str)
def test_rules(changes, sizes, words, monkeypatch):
    monkeypatch.setenv("VINCI_TIK_STRICT", "1")
    use("910B")
    tensors = {"dst": ("float16", 256), "a": ("float16", 512), "b": ("float16", 32),
               "at": ("int32", 32), **sizes}
    text = refusal(lambda instance, ub: instance.vbi(dst=ub.dst, src0=ub.a, src1=ub.b,
                                                     src0_offset=ub.at, **{**PLAIN, **changes}),
                   **tensors)
    assert text is None if words is None else text is not None and text.startswith(words), text


@pytest.mark.parametrize("offset, step, code", [
    (992, 128, None), (16, 128, "V2005"), (196608, 128, "V2005"), (-32, 128, "V2005"),
    (0, 136, "V2002")])
def test_what_only_the_run_knows(offset, step, code, tmp_path, monkeypatch):
    use("910B")

    def record(instance, ub):
        by = instance.Scalar("int32", "by", step)
        instance.vbi(128, ub.dst, ub.src0, ub.src1, ub.at, 1, 1, 1, 0, by)

    call = Call(record, ["dst"], dst=np.zeros(256, "float16"), src0=np.ones(512, "float16"),
                src1=np.ones(16, "float16"), at=np.full(8, offset, "int32"))
    if code is None:
        assert (run([call], tmp_path, monkeypatch)[0]["dst"][:128] == 1).all()
    else:
        assert code in fault(call, tmp_path, monkeypatch)


@pytest.mark.parametrize("block, vertical, step, legal", [
    (1, 2, 128, True), (2, 2, 240, True), (2, 2, 224, False), (2, 1, 128, True),
    (3, 3, 352, True), (3, 3, 336, False)])
def test_sums_on_top_of_each_other(block, vertical, step, legal, tmp_path, monkeypatch):
    use("910B")
    call = Call(lambda instance, ub: instance.vbi(128, ub.dst, ub.a, ub.b, ub.at, block, vertical,
                                                  1, 0, step), ["dst"],
                dst=np.zeros(1280, "float16"), a=np.zeros(16, "float16"),
                b=np.zeros(16, "float16"), at=np.zeros(24, "int32"))
    if legal:
        run([call], tmp_path, monkeypatch)
    else:
        assert "V1008" in fault(call, tmp_path, monkeypatch)


@pytest.mark.parametrize("call", [
    lambda instance, ub: instance.vbi(128, ub.a, ub.a, ub.b, ub.at, 1, 1, 1, 0, 128),
    lambda instance, ub: instance.vbi(128, ub.b, ub.a, ub.b, ub.at, 1, 1, 1, 0, 128)])
def test_what_overlaps(call, tmp_path, monkeypatch):
    use("910B")
    given = Call(call, ["a"], a=np.zeros(256, "float16"), b=np.zeros(256, "float16"),
                 at=np.zeros(8, "int32"))
    assert "V1008" in fault(given, tmp_path, monkeypatch)
