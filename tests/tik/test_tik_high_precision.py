"""vec_*_high_preci: results rounded once, run on the engine against numpy's widest floats."""

import random

import numpy as np
import pytest
from kernels import CHIPS, Call, any_mask, fault, lanes, places, refusal, run, same, use

HALF, FLOAT = "float16", "float32"
SEED = 32
WIDE = np.longdouble
assert np.finfo(WIDE).nmant > 60
FORMULAS = {"rec": lambda x: 1 / x, "rsqrt": lambda x: 1 / np.sqrt(x), "ln": np.log,
            "expm1": np.expm1}
TYPES = {"rec": (HALF, FLOAT), "rsqrt": (HALF, FLOAT), "ln": (HALF,), "expm1": (HALF,)}
PAIRS = [(name, dtype) for name in TYPES for dtype in TYPES[name]]


def work_dtype(name):
    return FLOAT if name in ("rec", "rsqrt") else HALF


def work_size(name, dtype, last, repeats, stride, soc):
    """As the documents count it; `last`: the number of the last enabled lane, plus 1."""
    block = 32 // np.dtype(dtype).itemsize
    if name == "expm1":
        stride, last = stride and max(stride, 8), 128
    factor = {"rec": 4 if dtype == HALF else 2, "ln": 10, "expm1": 11,
              "rsqrt": (5 if dtype == HALF else 3) + (soc == "310")}[name]
    return factor * -(-((repeats - 1) * stride * block + last) // block) * block


def last_of(mask, dtype):
    return mask if isinstance(mask, int) else min(mask[0] << 64 | mask[1],
                                                  2**lanes(dtype) - 1).bit_length()


def sources(generator, name, dtype, count):
    values = generator.normal(0, 3, count)
    if name != "expm1":
        values = np.exp(generator.normal(0, 4 if dtype == HALF else 20, count))
    if name == "rec":
        values *= generator.choice([-1, 1], count)
    with np.errstate(over="ignore"):
        return values.astype(dtype)


def rounded(name, src):
    with np.errstate(all="ignore"):
        exact = FORMULAS[name](src.astype(WIDE))
        result = exact.astype(src.dtype)
    if src.dtype == HALF:  # halves saturate
        result = np.nan_to_num(result, nan=0, posinf=65504, neginf=-65504).astype(HALF)
    return result


def one_call(source, name, dtype, soc):
    mask, repeats = any_mask(source, dtype), source.choice([1, 2, 5])
    dst_rep, src_rep = source.choice([8, 9, 11]), source.choice([8, 8, 16, 0, 3])
    block = 32 // np.dtype(dtype).itemsize
    generator = np.random.default_rng(source.getrandbits(32))
    src = sources(generator, name, dtype, (repeats * src_rep + 16) * block)
    dst = sources(generator, name, dtype, (repeats * dst_rep + 9) * block)
    size = work_size(name, dtype, last_of(mask, dtype), repeats, src_rep, soc)
    work = np.zeros(-(-size // 16) * 16, work_dtype(name))
    wanted = dst.copy()
    for repeat in range(repeats):
        at = np.array(places(mask, dtype, repeat, 1, dst_rep)) + block
        wanted[at] = rounded(name, src[places(mask, dtype, repeat, 1, src_rep)])

    def call(instance, ub):
        getattr(instance, f"vec_{name}_high_preci")(mask, ub.dst[block:], ub.src, ub.work, repeats,
                                                    dst_rep, src_rep)

    what = (name, dtype, mask, repeats, dst_rep, src_rep)
    return Call(call, ["dst", "src"], dst=dst, src=src, work=work), wanted, what


@pytest.mark.parametrize("soc", CHIPS)
def test_random_calls(soc, tmp_path, monkeypatch):
    use(soc)
    source = random.Random(SEED)
    cases = [one_call(source, name, dtype, soc) for name, dtype in PAIRS for _ in range(8)]
    found = run([case[0] for case in cases], tmp_path, monkeypatch)
    for (call, wanted, what), left in zip(cases, found):
        assert same(left["dst"], wanted), (soc, SEED, what)
        assert same(left["src"], call.arrays["src"]), (soc, SEED, what)


def test_special_values(tmp_path, monkeypatch):
    """Halves saturate, floats do not."""
    use("910")
    inf, nan = np.inf, np.nan
    special = [0.0, -0.0, 1.0, inf, 6e-8, 65504.0, 0.25, nan]
    wanted = {("rec", HALF): [65504, -65504, 1, 0, 65504, 1 / 65504, 4, 0],
              ("rec", FLOAT): [inf, -inf, 1, 0, None, None, 4, nan],
              ("rsqrt", HALF): [65504, -65504, 1, 0, 4096, None, 2, 0],
              ("rsqrt", FLOAT): [inf, -inf, 1, 0, None, None, 2, nan],
              ("ln", HALF): [-65504, -65504, 0, 65504, None, None, None, 0],
              ("expm1", HALF): [0, -0.0, None, 65504, 6e-8, 65504, None, 0]}
    calls = []
    for name, dtype in PAIRS:
        src = np.resize(np.array(special, dtype), 16)
        calls.append(Call(lambda instance, ub, name=name: getattr(
            instance, f"vec_{name}_high_preci")(16, ub.dst, ub.src, ub.work, 1, 8, 8), ["dst"],
            dst=np.zeros(16, dtype), src=src, work=np.zeros(1408, work_dtype(name))))
    for pair, left in zip(PAIRS, run(calls, tmp_path, monkeypatch)):
        for value, got, result in zip(special, left["dst"], wanted[pair]):
            if result is not None:
                result = np.array(result, pair[1])
                assert got == result or got != got and result != result, (pair, value, got)


@pytest.mark.parametrize("soc", CHIPS)
def test_types(soc):
    use(soc)
    for name in FORMULAS:
        for dtype in ("float16", "float32", "int16", "int32", "uint8"):
            text = refusal(lambda instance, ub: getattr(instance, f"vec_{name}_high_preci")(
                16, ub.dst, ub.src, ub.work, 1, 8, 8), dst=(dtype, 256), src=(dtype, 256),
                work=(work_dtype(name), 2048))
            if dtype in TYPES[name]:
                assert text is None, (name, dtype, text)
            else:
                assert text.startswith("src's dtype should be " + " or ".join(TYPES[name])), text


def changed(name, dtype=HALF, work=16384, **changes):
    arguments = {"mask": lanes(dtype), "repeat_times": 1, "dst_rep_stride": 8, "src_rep_stride": 8,
                 "to": 0, "from": 0, "other": None, "work_type": work_dtype(name), **changes}
    to, start, other, kind = (arguments.pop(key) for key in ("to", "from", "other", "work_type"))
    return refusal(lambda instance, ub: getattr(instance, f"vec_{name}_high_preci")(
        dst=ub.dst[to:], src=ub.src[start:], work_tensor=ub.work, **arguments),
                   dst=(other or dtype, 1024), src=(dtype, 1024), work=(kind, work))


@pytest.mark.parametrize("soc", CHIPS)
@pytest.mark.parametrize("name,dtype", PAIRS)
def test_the_size_of_the_work_tensor(name, dtype, soc):
    use(soc)
    count = lanes(dtype)
    block = count // 8
    for mask in (1, block, block + 1, count, [0, 1 << 17]):
        for repeats, stride in ((1, 8), (2, 8), (3, 9), (3, 1), (4, 0)):
            size = work_size(name, dtype, last_of(mask, dtype), repeats, stride, soc)
            more = {"mask": mask, "repeat_times": repeats, "src_rep_stride": stride}
            assert changed(name, dtype, size, **more) is None, (mask, repeats, stride)
            text = changed(name, dtype, size - 1, **more)
            assert text is not None and text.startswith("work_tensor tensor overflow"), (
                mask, repeats, stride, text)


@pytest.mark.parametrize("name", FORMULAS)
def test_what_is_refused(name):
    use("910")
    for changes, words in [
            ({"mask": 0}, "mask value should be in the range of [1, 128]"),
            ({"mask": 129}, "mask value should be in the range of [1, 128]"),
            ({"mask": [0, 0]}, "mask value should not be 0"),
            ({"repeat_times": 0}, "repeat_times should be in the range of [1, 255]"),
            ({"repeat_times": 256}, "repeat_times should be in the range of [1, 255]"),
            ({"dst_rep_stride": 256}, "dst_rep_stride should be in the range of [0, 255]"),
            ({"dst_rep_stride": -1}, "dst_rep_stride should be in the range of [0, 255]"),
            ({"src_rep_stride": 256}, "src_rep_stride should be in the range of [0, 255]"),
            ({"repeat_times": 9, "dst_rep_stride": 1}, "src tensor overflow"),
            ({"repeat_times": 9, "src_rep_stride": 0}, "dst tensor overflow"),
            ({"to": 1}, "Address align error, dst"), ({"from": 1}, "Address align error, src"),
            ({"other": FLOAT}, "dst and src should have the same dtype"),
            ({"work_type": "int16"}, f"work_tensor's dtype should be {work_dtype(name)}")]:
        text = changed(name, **changes)
        assert text is not None and text.startswith(words), (changes, text)
    for changes in ({"mask": 128}, {"mask": 1}, {"repeat_times": 255, "dst_rep_stride": 0,
                                                 "src_rep_stride": 0},
                    {"dst_rep_stride": 255, "src_rep_stride": 255}, {"to": 16}, {"from": 16},
                    {"repeat_times": 8}):
        assert changed(name, **changes) is None, changes


def test_operands_lie_apart():
    use("910")

    def text(dst, src, work, repeats=1):
        return refusal(lambda instance, ub: instance.vec_rec_high_preci(
            64, ub.all[dst:], ub.all[src:], ub.all[work:], repeats, 8, 8), all=(FLOAT, 1024))

    assert text(64, 0, 128) is None and text(0, 64, 128) is None
    assert text(256, 320, 128) is None  # the work tensor has 128 elements
    assert "dst and src address overlapping" in text(0, 0, 128)
    assert "dst and src address overlapping" in text(56, 0, 128)
    assert text(256, 0, 64) is None
    assert "src and work_tensor address overlapping" in text(256, 0, 56)
    assert "dst and work_tensor address overlapping" in text(248, 320, 128)
    assert "src and work_tensor address overlapping" in text(320, 248, 128)
    assert text(128, 0, 256, 2) is None
    assert "dst and src address overlapping" in text(120, 0, 256, 2)


def at_run_time(mask, repeats, work, name="rec", word=False):
    """A Call whose mask and repeat_times are Scalars; 8 blocks a repeat."""
    src = np.arange(1, 129).astype(FLOAT)

    def call(instance, ub):
        first = instance.Scalar("int32", "first", mask)
        count = instance.Scalar("int32", "count", repeats)
        getattr(instance, f"vec_{name}_high_preci")(
            [0, first] if word else first, ub.dst, ub.src, ub.work, count, 8, 8)

    return Call(call, ["dst"], dst=np.zeros(128, FLOAT), src=src, work=np.zeros(work, FLOAT)), src


@pytest.mark.parametrize("name", ["rec", "rsqrt"])
def test_what_is_known_at_run_time(name, tmp_path, monkeypatch):
    use("910")
    factor = {"rec": 2, "rsqrt": 3}[name]
    call, src = at_run_time(9, 2, factor * 80, name)
    left, = run([call], tmp_path, monkeypatch)
    wanted = np.zeros(128, FLOAT)
    for at in (0, 64):
        wanted[at:at + 9] = rounded(name, src[at:at + 9])
    assert same(left["dst"], wanted)
    text = fault(at_run_time(9, 2, factor * 80 - 8, name)[0], tmp_path, monkeypatch)
    assert text.startswith(f"V2001: vec_{name}_high_preci: number of elements that work_tensor needs is ")
    call, src = at_run_time(0b101, 1, 8, name, True)  # a mask in words: nothing is known
    left, = run([call], tmp_path, monkeypatch)
    assert left["dst"][0] == 1 and left["dst"][1] == 0 and left["dst"][2] != 0
