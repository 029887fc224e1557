"""vgather, run on the engine against numpy."""

import random

import numpy as np
import pytest
from kernels import CHIPS, Call, any_mask, enabled, fault, lanes, numbers, refusal, run, same, use

SEED = 23
WIDE = ("int16", "uint16", "int32", "uint32", "float16", "float32")
TYPES = {"310": (), "910": (), "310P": WIDE, "310P vector": (), "910B": WIDE,
         "310B": WIDE + ("int8", "uint8")}
WITH = [soc for soc in CHIPS if TYPES[soc]]


def one_call(source, dtype, soc):
    size = np.dtype(dtype).itemsize
    per_repeat = min(lanes(dtype), 128)  # 8-bit elements come 128 to a repeat
    counter = source.random() < 0.3
    repeats, dst_rep = source.choice([1, 2, 3]), source.choice([8, 9, 16])
    base = source.choice([0, 4, 32])
    mask = source.randint(1, 3 * per_repeat) if counter else any_mask(source, dtype)
    if size == 1:
        counter, mask = False, source.randint(1, per_repeat)
    if counter:
        repeats = -(-mask // per_repeat)
    src = numbers(source, dtype, 512)
    offsets = np.array([source.randrange(480 - base // size) * size
                        for _ in range(per_repeat * 3)], np.int32)
    dst = numbers(source, dtype, 2048)
    wanted = dst.copy()
    for repeat in range(repeats):
        rest = mask - repeat * per_repeat if counter else mask
        for lane in enabled(rest, dtype):
            if lane < per_repeat:
                offset = (base + offsets[repeat * per_repeat + lane]) // size
                wanted[repeat * dst_rep * 32 // size + lane] = src[offset]
    more = {"mask_mode": "counter"} if counter else {}

    def call(instance, ub):
        instance.vgather(mask, ub.dst, ub.src, ub.offsets, 1 if counter else repeats, dst_rep,
                         base, **more)

    what = (dtype, mask, repeats, dst_rep, base, counter)
    return Call(call, ["dst"], dst=dst, src=src, offsets=offsets), wanted, what


@pytest.mark.parametrize("soc", WITH)
def test_random_calls(soc, tmp_path, monkeypatch):
    use(soc)
    source = random.Random(SEED)
    cases = [one_call(source, dtype, soc) for dtype in TYPES[soc] for _ in range(6)]
    for (_, wanted, what), left in zip(cases, run([c[0] for c in cases], tmp_path, monkeypatch)):
        assert same(left["dst"], wanted), (soc, SEED, what)


@pytest.mark.parametrize("soc", CHIPS)
def test_types(soc):
    use(soc)
    for dtype in WIDE + ("int8", "uint8", "int64"):
        text = refusal(lambda instance, ub: instance.vgather(16, ub.dst, ub.src, ub.at, 1, 8),
                       dst=(dtype, 256), src=(dtype, 256), at=("int32", 256))
        assert (text is None) == (dtype in TYPES[soc]), (dtype, text)
        assert text is None or text.startswith("current chip: ") and "vgather" in text


def gather_refusal(soc="310P", offsets="int32", count=256, src="float16", **changes):
    use(soc)
    arguments = {"mask": 128, "repeat_times": 1, "dst_rep_stride": 8, **changes}
    at = arguments.pop("at", 0)
    return refusal(lambda instance, ub: instance.vgather(
        dst=ub.dst[at:], src=ub.src, src_offset=ub.offsets, **arguments), dst=("float16", 256),
                   src=(src, 256), offsets=(offsets, count))


@pytest.mark.parametrize("changes,words", [
    ({"src": "int16"}, "dst and src should have the same dtype"),
    ({"offsets": "uint32"}, "src_offset's dtype should be int32"),
    ({"mask": 0}, "mask value should be in the range of [1, 128]"),
    ({"repeat_times": 256}, "repeat_times should be in the range of [1, 255]"),
    ({"dst_rep_stride": 256}, "dst_rep_stride should be in the range of [0, 255]"),
    ({"base_addr": -1}, "base_addr should be in the range of [0, 262143]"),
    ({"base_addr": 262144}, "base_addr should be in the range of [0, 262143]"),
    ({"at": 1}, "Address align error, dst"),
    ({"repeat_times": 3}, "src_offset tensor overflow"),
    ({"count": 127}, "src_offset tensor overflow"),
    ({"repeat_times": 3, "count": 384}, "dst tensor overflow"),
    ({"mask": 257, "mask_mode": "counter"}, "src_offset tensor overflow"),
    ({"mask_mode": "count"}, "mask_mode should be 'normal' or 'counter'"),
    ({"stride_unit": 4}, "stride_unit should be in the range of [0, 3]"),
], ids=str)
def test_what_is_refused(changes, words, monkeypatch):
    monkeypatch.setenv("VINCI_TIK_STRICT", "1")  # to the element
    text = gather_refusal(**changes)
    assert text is not None and text.startswith(words), text


@pytest.mark.parametrize("changes", [
    {}, {"count": 127, "mask": 127}, {"mask": [1, 0]}, {"repeat_times": 2}, {"mask": 256, "mask_mode": "counter"},
    {"base_addr": 262142}, {"dst_rep_stride": 255}, {"at": 128},
    {"soc": "310B", "offsets": "uint32"}], ids=str)
def test_what_is_accepted(changes):
    assert gather_refusal(**changes) is None


def test_offsets_are_checked_when_the_kernel_runs(tmp_path, monkeypatch):
    use("310P")
    call = Call(lambda instance, ub: instance.vgather(8, ub.dst, ub.src, ub.at, 1, 8), ["dst"],
                dst=np.zeros(16, "int16"), src=np.zeros(16, "int16"), at=np.full(8, 3, "int32"))
    assert "V2005" in fault(call, tmp_path, monkeypatch)
