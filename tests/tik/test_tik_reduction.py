"""Reductions of TIK: vcadd and its siblings, vec_reduce_*, run on the engine against numpy."""

import random

import numpy as np
import pytest
from kernels import (CHIPS, Call, any_mask, enabled, lanes, numbers, places, refusal, run, same,
                     use)
from vinci import tik

HALF, FLOAT = "float16", "float32"
NEWER = ("310P", "310P vector", "910B", "310B")
OPERATIONS = ["vcadd", "vcmax", "vcmin", "vcgadd", "vcgmax", "vcgmin", "vcpadd", "vec_cpadd"]
ALL = ["vec_reduce_add", "vec_reduce_max", "vec_reduce_min"]
SEED = 20


def has_float(operation, soc):
    return operation in ("vcadd", "vec_reduce_add") or soc in NEWER


def group_of(operation, dtype):
    """Lanes that become one result."""
    if operation in ("vcpadd", "vec_cpadd"):
        return 2
    return lanes(dtype) // 8 if operation.startswith("vcg") else lanes(dtype)


def unit_of(operation, dtype):
    """Elements of what a repeat leaves."""
    return lanes(dtype) // group_of(operation, dtype) * (1 + (operation in ("vcmax", "vcmin")))


def tree(values):
    """Neighbours first, None where nothing takes part."""
    while len(values) > 1:
        values = [b if a is None else a if b is None else a + b
                  for a, b in zip(values[0::2], values[1::2])]
    return values[0]


def extreme(values, largest):
    """(value, place) of the first."""
    pairs = [(value, -place) for place, value in enumerate(values) if value is not None]
    value, place = max(pairs) if largest else min(pairs, key=lambda pair: (pair[0], -pair[1]))
    return value, -place


def index_as(dtype, index):
    """An index in the place of an element."""
    return np.array([index], np.uint16 if dtype == HALF else np.uint32).view(dtype)[0]


def reduced(operation, dtype, values):
    """{place: element} that a repeat with these lanes leaves."""
    size, left = group_of(operation, dtype), {}
    for group in range(lanes(dtype) // size):
        part = values[group * size:(group + 1) * size]
        if all(value is None for value in part):
            continue
        if operation.endswith("add"):
            left[group] = tree(part)
            continue
        value, place = extreme(part, operation.endswith("max"))
        left[group * (1 + (size == lanes(dtype)))] = value
        if operation in ("vcmax", "vcmin"):
            left[1] = index_as(dtype, place)
    return left


def repeat_values(src, mask, dtype, repeat, block, rep):
    values = [None] * lanes(dtype)
    for lane, place in zip(enabled(mask, dtype), places(mask, dtype, repeat, block, rep)):
        values[lane] = src[place]
    return values


def one_call(source, operation, dtype):
    """A random call: (Call, what dst holds afterwards)."""
    mask, repeats = any_mask(source, dtype), source.choice([1, 2, 3, 8])
    block = 1 if operation == "vec_cpadd" else source.choice([1, 2, 0])
    rep, dst_rep = source.choice([8, 16, 0, 1]), source.choice([1, 1, 2, 3])
    unit, element = unit_of(operation, dtype), np.dtype(dtype).itemsize
    start = source.choice([0, 1, 5]) * max(min(unit, 32 // element), 1)
    src = numbers(source, dtype, (repeats * rep + 16) * 32 // element + lanes(dtype))
    dst = numbers(source, dtype, -(-(start + repeats * dst_rep * unit) // 16) * 16 + 16)
    wanted = dst.copy()
    for repeat in range(repeats):
        values = repeat_values(src, mask, dtype, repeat, block, rep)
        for place, value in reduced(operation, dtype, values).items():
            wanted[start + repeat * dst_rep * unit + place] = value
    strides = (dst_rep, rep) if operation == "vec_cpadd" else (dst_rep, block, rep)

    def call(instance, ub):
        getattr(instance, operation)(mask, ub.dst[start:], ub.src, repeats, *strides)

    return Call(call, ["dst"], dst=dst, src=src), wanted, (operation, dtype, mask, repeats, strides)


@pytest.mark.parametrize("soc", [name for name in CHIPS if name != "310B"])
def test_random_calls(soc, tmp_path, monkeypatch):
    use(soc)
    source = random.Random(SEED)
    cases = [one_call(source, operation, dtype) for operation in OPERATIONS
             for dtype in (HALF, FLOAT) if dtype == HALF or has_float(operation, soc)
             for _ in range(6)]
    found = run([case[0] for case in cases], tmp_path, monkeypatch)
    for (_, wanted, what), left in zip(cases, found):
        assert same(left["dst"], wanted), (soc, SEED, what)


def test_groups_without_a_lane_get_a_result_on_the_310b(tmp_path, monkeypatch):
    use("310B")
    src = np.arange(128, dtype=HALF)
    dst = np.full(16, 7, HALF)
    calls = [Call(lambda instance, ub, name=name: getattr(instance, name)(
        [0, 1], ub.dst, ub.src, 1, 1, 1, 8), ["dst"], dst=dst, src=src + 3)
             for name in ("vcgadd", "vcgmax", "vcgmin")]
    for left, empty in zip(run(calls, tmp_path, monkeypatch), (0, -65504, 65504)):
        assert left["dst"].tolist() == [3] + [empty] * 7 + [7] * 8


@pytest.mark.parametrize("soc", CHIPS)
def test_types(soc):
    use(soc)
    for operation in OPERATIONS:
        for dtype in (HALF, FLOAT, "int16", "int32", "uint8"):
            strides = (1, 8) if operation == "vec_cpadd" else (1, 1, 8)
            text = refusal(lambda instance, ub: getattr(instance, operation)(
                16, ub.dst, ub.src, 1, *strides), dst=(dtype, 512), src=(dtype, 512))
            if dtype == HALF or dtype == FLOAT and has_float(operation, soc):
                assert text is None, (operation, dtype, text)
            else:
                assert text.startswith("current chip: ") and operation in text, (dtype, text)


def test_index_low(tmp_path, monkeypatch):
    use("310P")
    src = np.array([3, 9, 9, -4] * 32, HALF)
    calls = [Call(lambda instance, ub, name=name: getattr(instance, name)(
        128, ub.dst, ub.src, 1, 1, 1, 8, index_low=True), ["dst"],
                  dst=np.zeros(16, HALF), src=src) for name in ("vcmax", "vcmin")]
    for left, index, value in zip(run(calls, tmp_path, monkeypatch), (1, 3), (9, -4)):
        assert left["dst"].view(np.uint16)[0] == index and left["dst"][1] == value
    for soc in ("310", "910", "910B", "310B"):
        use(soc)
        text = refusal(lambda instance, ub: instance.vcmax(
            128, ub.dst, ub.src, 1, 1, 1, 8, 0, True), dst=(HALF, 16), src=(HALF, 128))
        assert "doesn't support index_low of vcmax" in text


def changed(operation, changes):
    """One call with some of its arguments changed; how it is refused."""
    arguments = {"mask": 128, "repeat_times": 1, "dst_rep_stride": 1, "src_blk_stride": 1,
                 "src_rep_stride": 8, "at": 0, "from": 0, **changes}
    at, start = arguments.pop("at"), arguments.pop("from")
    return refusal(lambda instance, ub: getattr(instance, operation)(
        dst=ub.dst[at:], src=ub.src[start:], **arguments), dst=(HALF, 256), src=(HALF, 1024))


REFUSED = [
    ("vcadd", {"mask": 0}, "mask value should be in the range of [1, 128]"),
    ("vcadd", {"mask": 129}, "mask value should be in the range of [1, 128]"),
    ("vcadd", {"mask": [0, 0]}, "mask value should not be 0"),
    ("vcadd", {"repeat_times": 0}, "repeat_times should be in the range of [1, 255]"),
    ("vcadd", {"repeat_times": 256}, "repeat_times should be in the range of [1, 255]"),
    ("vcadd", {"repeat_times": 1.0}, "repeat_times should be int"),
    ("vcadd", {"dst_rep_stride": -1}, "dst_rep_stride should be in the range of [0, 65535]"),
    ("vcadd", {"dst_rep_stride": 65536}, "dst_rep_stride should be in the range of [0, 65535]"),
    ("vcadd", {"src_blk_stride": 65536}, "src_blk_stride should be in the range of [0, 65535]"),
    ("vcadd", {"src_rep_stride": 65536}, "src_rep_stride should be in the range of [0, 65535]"),
    ("vcadd", {"from": 1}, "Address align error, src"),
    ("vcadd", {"repeat_times": 9}, "src tensor overflow"),
    ("vcadd", {"repeat_times": 8, "dst_rep_stride": 37}, "dst tensor overflow"),
    ("vcadd", {"stride_unit": 4}, "stride_unit should be in the range of [0, 3]"),
    ("vcadd", {"stride_unit": 1}, "stride_unit should be 0"),
    ("vcmax", {"at": 1}, "Address align error, dst"),
    ("vcmax", {"repeat_times": 8, "dst_rep_stride": 19}, "dst tensor overflow"),
    ("vcgmax", {"at": 4}, "Address align error, dst"),
    ("vcgmax", {"repeat_times": 8, "dst_rep_stride": 5}, "dst tensor overflow"),
    ("vcpadd", {"at": 8}, "Address align error, dst"),
    ("vcpadd", {"repeat_times": 5}, "dst tensor overflow"),
    ("vcmax", {"index_low": 1}, "index_low should be bool"),
    ("vcmax", {"max_cnt_index": []}, "unimplemented: max_cnt_index of vcmax"),
    ("vcmin", {"min_cnt_index": []}, "unimplemented: min_cnt_index of vcmin"),
]
ACCEPTED = [
    ("vcadd", {"at": 1}), ("vcadd", {"mask": 1}), ("vcadd", {"mask": [2**64 - 1, 2**64 - 1]}),
    ("vcadd", {"repeat_times": 255, "dst_rep_stride": 1, "src_rep_stride": 0}),
    ("vcadd", {"dst_rep_stride": 65535, "src_rep_stride": 65535}),
    ("vcadd", {"mask": 16, "src_blk_stride": 65535}), ("vcadd", {"from": 16}),
    ("vcadd", {"repeat_times": 8, "dst_rep_stride": 36}),
    ("vcmax", {"at": 2}), ("vcmax", {"repeat_times": 8, "dst_rep_stride": 18}),
    ("vcgmax", {"at": 8}), ("vcgmax", {"repeat_times": 8, "dst_rep_stride": 4}),
    ("vcpadd", {"at": 16}), ("vcpadd", {"repeat_times": 4}),
    ("vcgadd", {"mask": 16, "repeat_times": 8, "dst_rep_stride": 4, "at": 24}),
]


@pytest.mark.parametrize("operation,changes,words", REFUSED, ids=str)
def test_what_is_refused(operation, changes, words):
    use("910")
    text = changed(operation, changes)
    assert text is not None and text.startswith(words), text


@pytest.mark.parametrize("operation,changes", ACCEPTED, ids=str)
def test_what_is_accepted(operation, changes):
    use("910")
    assert changed(operation, changes) is None


def test_overlap():
    use("910")

    def text(at, repeats, rep=8, start=0):
        return refusal(lambda instance, ub: instance.vcadd(
            128, ub.all[at:], ub.all[start:], repeats, 1, 1, rep), all=(HALF, 1024))

    assert text(0, 1) is None  # the same start
    assert "address overlapping error" in text(1, 1)
    assert text(128, 1) is None and text(127, 1) is not None
    assert text(512, 4) is None
    assert "iteration N's destination" in text(128, 2)


# All repeats to one value.


def work_size(dtype, repeats, pairs, cal_index):
    """As the page says."""
    if not pairs:
        return repeats
    block, each, total, count = 32 // np.dtype(dtype).itemsize, lanes(dtype), 0, 2 * repeats
    while cal_index and count > 2:
        total += -(-count // block) * block
        count = -(-count // each) * 2
    return total + -(-count // block) * block


def reduced_all(operation, dtype, src, mask, repeats, rep):
    """The value, and its index among all lanes."""
    rows = [repeat_values(src, mask, dtype, repeat, 1, rep) for repeat in range(repeats)]
    if not operation.endswith("add"):
        return extreme([value for row in rows for value in row], operation.endswith("max"))
    level = [tree(row) for row in rows]
    while len(level) > 1:
        level = [tree((level + [None] * lanes(dtype))[i:i + lanes(dtype)])
                 for i in range(0, len(level), lanes(dtype))]
    return level[0], None


def whole_call(source, operation, dtype, repeats, cal_index):
    mask, rep = any_mask(source, dtype), source.choice([8, 8, 9, 0])
    element = np.dtype(dtype).itemsize
    src = numbers(source, dtype, ((repeats - 1) * rep + 8) * 32 // element)
    dst = numbers(source, dtype, 16)
    at = 2 * source.choice([0, 1, 3])
    value, index = reduced_all(operation, dtype, src, mask, repeats, rep)
    wanted = dst.copy()
    wanted[at] = value
    if cal_index:
        wanted[at + 1] = index_as(dtype, index)
    size = work_size(dtype, repeats, not operation.endswith("add"), cal_index)
    work = np.zeros(-(-size * element // 32) * 32 // element, dtype)
    more = {"cal_index": True} if cal_index else {}

    def call(instance, ub):
        getattr(instance, operation)(mask, ub.dst[at:], ub.src, ub.work, repeats, rep, **more)

    what = (operation, dtype, mask, repeats, rep, cal_index)
    return Call(call, ["dst"], dst=dst, src=src, work=work), wanted, what


@pytest.mark.parametrize("soc", CHIPS)
def test_all_repeats(soc, tmp_path, monkeypatch):
    use(soc)
    source = random.Random(SEED)
    cases = []
    for operation in ALL:
        for dtype in (HALF, FLOAT):
            if dtype == FLOAT and not has_float(operation, soc):
                continue
            for repeats in (1, 2, 7, 65, 129, 300):
                for cal_index in {False, not operation.endswith("add")}:
                    cases.append(whole_call(source, operation, dtype, repeats, cal_index))
    found = run([case[0] for case in cases], tmp_path, monkeypatch)
    for (_, wanted, what), left in zip(cases, found):
        assert same(left["dst"], wanted), (soc, SEED, what)


def whole_refusal(operation, work=4096, dtype=HALF, **changes):
    arguments = {"mask": 128 if dtype == HALF else 64, "repeat_times": 1, "src_rep_stride": 0,
                 **changes}
    at = arguments.pop("at", 0)
    return refusal(lambda instance, ub: getattr(instance, operation)(
        dst=ub.dst[at:], src=ub.src, work_tensor=ub.work, **arguments),
                   dst=(dtype, 32), src=(dtype, 1024), work=(dtype, work))


@pytest.mark.parametrize("operation", ALL)
def test_limits_of_all_repeats(operation):
    use("310P")
    pairs = operation != "vec_reduce_add"
    assert whole_refusal(operation, 2 * 4096, repeat_times=4095) is None
    for changes, words in [
            ({"repeat_times": 4096}, "repeat_times should be in the range of [1, 4095]"),
            ({"repeat_times": 0}, "repeat_times should be in the range of [1, 4095]"),
            ({"src_rep_stride": 65536}, "src_rep_stride should be in the range of [0, 65535]"),
            ({"src_rep_stride": 8, "repeat_times": 9}, "src tensor overflow"),
            ({"mask": 129}, "mask value should be in the range"),
            ({"work": 16, "repeat_times": 33}, "work_tensor tensor overflow")]:
        text = whole_refusal(operation, **changes)
        assert text is not None and text.startswith(words), (changes, text)
    assert whole_refusal(operation, src_rep_stride=8, repeat_times=8) is None
    assert (whole_refusal(operation, at=1) is None) == (not pairs)
    assert whole_refusal(operation, 16 if pairs else 8, repeat_times=8) is None


def test_a_work_tensor_may_end_in_its_last_datablock(monkeypatch, tmp_path, capfd):
    """Strict mode refuses it, and without it is told when it runs."""
    use("310P")

    def reduce(instance, ub):
        short = instance.Tensor(HALF, (7,), tik.scope_ubuf, "short")
        instance.vec_reduce_add(128, ub.dst, ub.src, short, 8, 8)

    call = Call(reduce, ["dst"], dst=np.zeros(16, HALF), src=np.ones(1024, HALF))
    assert run([call], tmp_path, monkeypatch)[0]["dst"][0] == 1024
    assert "V1011" in capfd.readouterr().err
    monkeypatch.setenv("VINCI_TIK_STRICT", "1")
    assert whole_refusal("vec_reduce_add", 7, repeat_times=8) == (
        "work_tensor tensor overflow, 8 elements are needed, but Tensor work has 7 of float16")


def test_indices_of_halves_end_at_511_repeats():
    use("310P")
    for dtype, most in ((HALF, 511), (FLOAT, 4095)):
        size = work_size(dtype, most, True, True)
        assert whole_refusal("vec_reduce_max", size, dtype, repeat_times=most,
                             cal_index=True) is None
        assert "work_tensor tensor overflow" in whole_refusal(
            "vec_reduce_max", size - lanes(dtype) // 8, dtype, repeat_times=most, cal_index=True)
        assert f"[1, {most}]" in whole_refusal("vec_reduce_max", 9000, dtype,
                                               repeat_times=most + 1, cal_index=True)
    assert "cal_index should be bool" in whole_refusal("vec_reduce_max", cal_index=1)


def test_operands_of_all_repeats_lie_apart():
    use("910")

    def text(dst, src, work):
        return refusal(lambda instance, ub: instance.vec_reduce_add(
            128, ub.all[dst:], ub.all[src:], ub.all[work:], 2, 8), all=(HALF, 1024))

    assert text(256, 0, 272) is None and text(274, 0, 272) is None
    assert "src and dst address overlapping" in text(255, 0, 272)
    assert "src and work_tensor address overlapping" in text(512, 0, 240)
    assert "dst and work_tensor address overlapping" in text(273, 0, 272)


def test_a_scalar_as_repeat_times_is_an_int32():
    use("910")
    for dtype in ("int32", "int64", "uint32"):
        text = refusal(lambda instance, ub: instance.vec_reduce_add(
            128, ub.dst, ub.src, ub.work, instance.Scalar(dtype, "n", 2), 8),
                       dst=(HALF, 16), src=(HALF, 256), work=(HALF, 16))
        assert (text is None) == (dtype == "int32"), text
