"""vscatter, run on the engine against numpy."""

import random

import numpy as np
import pytest
from kernels import CHIPS, Call, any_mask, enabled, fault, lanes, numbers, refusal, run, same, use

SEED = 31
TYPES = {"310": (), "910": (), "310P": ("uint16", "float16", "uint32", "float32"),
         "310P vector": (), "910B": (),
         "310B": ("int8", "uint8", "int16", "uint16", "float16", "int32", "uint32", "float32")}
WITH = [soc for soc in CHIPS if TYPES[soc]]


def one_call(source, dtype):
    size = np.dtype(dtype).itemsize
    per_repeat = min(lanes(dtype), 128)  # 8-bit elements go 128 to a repeat
    counter = source.random() < 0.3
    repeats, src_rep = source.choice([1, 2, 3]), source.choice([0, 4, 8, 9])
    base = source.choice([0, 4, 32])
    mask = source.randint(1, 3 * per_repeat) if counter else any_mask(source, dtype)
    if size == 1:
        counter, mask = False, source.randint(1, per_repeat)
    if counter:
        repeats = -(-mask // per_repeat)
    src, dst = numbers(source, dtype, 2048), numbers(source, dtype, 1024)
    # Each place once: which of two with one offset stays is not said.
    offsets = np.array(source.sample(range(1000 - base // size), per_repeat * 3), np.int32) * size
    wanted = dst.copy()
    for repeat in range(repeats):
        for lane in enabled(mask - repeat * per_repeat if counter else mask, dtype):
            if lane < per_repeat:
                place = (base + offsets[repeat * per_repeat + lane]) // size
                wanted[place] = src[repeat * src_rep * 32 // size + lane]
    more = {"mask_mode": "counter"} if counter else {}

    def call(instance, ub):
        instance.vscatter(mask, ub.dst, ub.src, ub.offsets, 1 if counter else repeats, src_rep,
                          base, **more)

    what = (dtype, mask, repeats, src_rep, base, counter)
    return Call(call, ["dst"], dst=dst, src=src, offsets=offsets), wanted, what


@pytest.mark.parametrize("soc", WITH)
def test_random_calls(soc, tmp_path, monkeypatch):
    use(soc)
    source = random.Random(SEED)
    cases = [one_call(source, dtype) for dtype in TYPES[soc] for _ in range(6)]
    for (_, wanted, what), left in zip(cases, run([c[0] for c in cases], tmp_path, monkeypatch)):
        assert same(left["dst"], wanted), (soc, SEED, what)


@pytest.mark.parametrize("soc", CHIPS)
def test_types(soc):
    use(soc)
    for dtype in TYPES["310B"] + ("int64",):
        text = refusal(lambda instance, ub: instance.vscatter(16, ub.dst, ub.src, ub.at, 1, 8),
                       dst=(dtype, 256), src=(dtype, 256), at=("int32", 256))
        assert (text is None) == (dtype in TYPES[soc]), (dtype, text)
        assert text is None or text.startswith("current chip: ") and "vscatter" in text


def scatter_refusal(soc="310P", offsets="int32", count=256, src="float16", elements=256, **changes):
    use(soc)
    arguments = {"mask": 128, "repeat_times": 1, "src_rep_stride": 8, **changes}
    at = arguments.pop("at", 0)
    return refusal(lambda instance, ub: instance.vscatter(
        dst=ub.dst, src=ub.src[at:], dst_offset=ub.offsets, **arguments), dst=("float16", 256),
                   src=(src, elements), offsets=(offsets, count))


@pytest.mark.parametrize("changes,words", [
    ({"src": "uint16"}, "dst and src should have the same dtype"),
    ({"offsets": "uint32"}, "dst_offset's dtype should be int32"),
    ({"mask": 0}, "mask value should be in the range of [1, 128]"),
    ({"repeat_times": 256}, "repeat_times should be in the range of [1, 255]"),
    ({"src_rep_stride": 256}, "src_rep_stride should be in the range of [0, 255]"),
    ({"base_addr": -1}, "base_addr should be in the range of [0, 262143]"),
    ({"base_addr": 262144}, "base_addr should be in the range of [0, 262143]"),
    ({"at": 1}, "Address align error, src"),
    ({"count": 127}, "dst_offset tensor overflow"),
    ({"repeat_times": 3, "count": 384}, "src tensor overflow"),
    ({"mask_mode": "count"}, "mask_mode should be 'normal' or 'counter'"),
    ({"stride_unit": 4}, "stride_unit should be in the range of [0, 3]")], ids=str)
def test_what_is_refused(changes, words, monkeypatch):
    monkeypatch.setenv("VINCI_TIK_STRICT", "1")  # to the element
    text = scatter_refusal(**changes)
    assert text is not None and text.startswith(words), text


@pytest.mark.parametrize("changes", [
    {}, {"count": 127, "mask": 127}, {"mask": [1, 0]}, {"repeat_times": 2}, {"at": 128},
    {"mask": 256, "mask_mode": "counter"}, {"src_rep_stride": 255}, {"elements": 128},
    {"soc": "310B", "offsets": "uint32"}], ids=str)
def test_what_is_accepted(changes):
    assert scatter_refusal(**changes) is None


@pytest.mark.parametrize("offset, code", [(3, "V2005"), (-2, "V2005"), (262144, "V2005")])
def test_offsets_are_checked_when_the_kernel_runs(offset, code, tmp_path, monkeypatch):
    use("310P")
    call = Call(lambda instance, ub: instance.vscatter(8, ub.dst, ub.src, ub.at, 1, 8), ["dst"],
                dst=np.zeros(16, "uint16"), src=np.zeros(16, "uint16"),
                at=np.full(8, offset, "int32"))
    assert code in fault(call, tmp_path, monkeypatch)
