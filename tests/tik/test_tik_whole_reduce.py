"""h_reduce_*, h_cmpv and h_sel of TIK, run on the engine against numpy."""

import random

import numpy as np
import pytest
from kernels import CHIPS, Call, numbers, refusal, run, same, use
from vinci import tik

HALF, FLOAT = "float16", "float32"
FLOATS = (HALF, FLOAT)
NEWER = ("310P", "310P vector", "910B", "310B")
TYPES = (HALF, FLOAT, "int16", "uint16", "int32", "uint32", "int8", "uint8")
SIZES = (1, 63, 64, 127, 128, 255 * 64 + 5, 255 * 128 + 77)
SEED = 42
VALUES = {"h_reduce_sum": np.sum, "h_reduce_max": np.max, "h_reduce_min": np.min}
PLACES = {"h_reduce_argmax": np.argmax, "h_reduce_argmin": np.argmin}
REDUCTIONS = {**VALUES, **PLACES}
COMPARISONS = {"LT": np.less, "GT": np.greater, "EQ": np.equal, "LE": np.less_equal,
               "GE": np.greater_equal, "NE": np.not_equal}


def types_of(method, soc, last=True):
    """The types of src, along the last axis or another one."""
    if method in ("h_cmpv", "h_sel"):
        return (HALF,) if soc == "310" else FLOATS
    if not last and method in VALUES:
        return (*FLOATS, "int32", *(("int16",) if soc in NEWER else ()))
    if not last:
        return () if soc == "310" else FLOATS  # it has no choice between 32-bit words
    return FLOATS if method == "h_reduce_sum" or soc in NEWER else (HALF,)


def bytes_of(dtype):
    return np.dtype(dtype).itemsize


def padded(elements, dtype):
    """So many elements with at least a datablock behind them."""
    block = 32 // bytes_of(dtype)
    return (elements + block - 1) // block * block + block


def small(source, dtype, count):
    """Integers whose sums are exact in every order, in any type; often the same."""
    most = 1 if count > 2000 and dtype == HALF else 9
    found = np.random.default_rng(source.getrandbits(32)).integers(-most, most + 1, count)
    return found.astype(dtype)


def check(cases, folder, monkeypatch):
    """`cases`: (Call that writes one array, what that holds afterwards, what it is)."""
    found = run([case[0] for case in cases], folder, monkeypatch)
    for (_, wanted, what), left in zip(cases, found):
        (got,) = left.values()
        assert same(got, wanted), (SEED, what, np.flatnonzero(got != wanted)[:9])


def reduce_call(source, method, dtype, shape, axis, at=0):
    """src of this shape, then a datablock; the results at `at` of dst."""
    size = int(np.prod(shape))
    src = small(source, dtype, padded(size, dtype))
    left = REDUCTIONS[method](src[:size].reshape(shape), axis=axis)
    to = "int32" if method in PLACES else dtype
    wanted = numbers(source, to, padded(at + left.size, to))
    dst = wanted.copy()
    wanted[at:at + left.size] = left.astype(to).reshape(-1)

    def call(instance, ub):
        src = shaped(instance, ub, shape, dtype, size)
        getattr(instance, method)(ub.dst[at:at + left.size], src, axis)

    return Call(call, ["dst"], dst=dst, src=src), wanted, (method, dtype, shape, axis, at)


def shaped(instance, ub, shape, dtype, size):
    """The first elements of ub.src in a Tensor of this shape."""
    if len(shape) == 1:
        return ub.src[:size]
    whole = instance.Tensor(dtype, shape, tik.scope_ubuf, "whole")
    blocks = -(-size * bytes_of(dtype) // 32)
    assert size * bytes_of(dtype) == blocks * 32, shape
    instance.data_move(whole, ub.src, 0, 1, blocks, 0, 0)
    return whole


@pytest.mark.parametrize("soc", CHIPS)
def test_all_elements(soc, tmp_path, monkeypatch):
    use(soc)
    source = random.Random(SEED)
    cases = []
    for method in REDUCTIONS:
        for dtype in types_of(method, soc):
            for size in SIZES:
                if size * bytes_of(dtype) < 140000:
                    cases.append(reduce_call(source, method, dtype, (size,), 0))
            cases.append(reduce_call(source, method, dtype, (300,), None))
            cases.append(reduce_call(source, method, dtype, (3, 5, 32), None))
            cases.append(reduce_call(source, method, dtype, (300,), -1, 3))
    check(cases, tmp_path, monkeypatch)


SHAPES = [((4, 48), 1), ((3, 2, 160), 2), ((3, 2, 160), -1), ((1, 1, 64), 2), ((2, 2096), 1),
          ((4, 48), 0), ((5, 16), -2), ((2, 3, 80), 1), ((3, 2, 160), 0), ((2, 144), 0),
          ((1, 32), 0), ((2, 1, 32), 1), ((3, 4, 2, 16), 1), ((2, 3, 4, 16), 2), ((6, 2096), 0)]


@pytest.mark.parametrize("soc", CHIPS)
def test_one_axis(soc, tmp_path, monkeypatch):
    use(soc)
    source = random.Random(SEED)
    check([reduce_call(source, method, dtype, shape, axis) for shape, axis in SHAPES
           for method in REDUCTIONS
           for dtype in types_of(method, soc, axis % len(shape) == len(shape) - 1)],
          tmp_path, monkeypatch)


def test_axes_as_a_list(tmp_path, monkeypatch):
    use("910")
    source = random.Random(SEED)
    cases = []
    for shape, axis, numpy_axis in (((4, 48), [1], 1), ((4, 48), (0,), 0), ((4, 48), [0, 1], None),
                                    ((2, 3, 16), (2, 0, 1), None)):
        call, wanted, what = reduce_call(source, "h_reduce_sum", HALF, shape, numpy_axis)

        def listed(instance, ub, shape=shape, axis=axis):
            src = shaped(instance, ub, shape, HALF, int(np.prod(shape)))
            count = 1 if len(axis) > 1 else int(np.prod(shape)) // shape[axis[0]]
            instance.h_reduce_sum(ub.dst[:count], src, axis)

        cases.append((Call(listed, ["dst"], **call.arrays), wanted, what))
    check(cases, tmp_path, monkeypatch)


def test_slices(tmp_path, monkeypatch):
    """Rows and columns out of a larger Tensor."""
    use("310P")
    source = random.Random(SEED)
    cases = []
    for method in REDUCTIONS:
        for dtype in FLOATS:
            for axis, rows, columns in ((1, slice(1, 4), slice(16, 61)),
                                        (0, slice(1, 4), slice(0, 64)),
                                        (1, slice(0, 1), slice(0, 9))):
                src = small(source, dtype, 5 * 64).reshape(5, 64)
                left = REDUCTIONS[method](src[rows, columns], axis=axis)
                to = "int32" if method in PLACES else dtype
                wanted = numbers(source, to, padded(left.size, to))
                dst = wanted.copy()
                wanted[:left.size] = left

                def call(instance, ub, method=method, place=(rows, columns), axis=axis,
                         size=left.size):
                    getattr(instance, method)(ub.dst[:size], ub.src[place], axis)

                cases.append((Call(call, ["dst"], dst=dst, src=src), wanted,
                              (method, dtype, axis, rows, columns)))
    check(cases, tmp_path, monkeypatch)


@pytest.mark.parametrize("soc", CHIPS)
def test_types_of_reductions(soc):
    use(soc)
    for method in REDUCTIONS:
        for last in (True, False):
            for dtype in TYPES:
                def call(instance, ub, dtype=dtype, last=last):
                    src = instance.Tensor(dtype, (4, 64), tik.scope_ubuf, "src")
                    getattr(instance, method)(ub.dst[:4 if last else 64], src, 1 if last else 0)

                to = "int32" if method in PLACES else dtype
                text = refusal(call, dst=(to, 64))
                if dtype in types_of(method, soc, last):
                    assert text is None, (method, dtype, last, text)
                else:
                    assert text.startswith(("current chip: ", "src")), (method, dtype, last, text)


def test_sizes_known_at_run_time_only(tmp_path, monkeypatch):
    use("310P")
    source = random.Random(SEED)
    cases = []
    for method in REDUCTIONS:
        for size in (1, 64, 130, 4097):
            src = small(source, FLOAT, padded(size, FLOAT))
            to = "int32" if method in PLACES else FLOAT
            wanted = numbers(source, to, 8)
            dst = wanted.copy()
            wanted[0] = REDUCTIONS[method](src[:size])

            def call(instance, ub, method=method):
                count = instance.Scalar("int32", "count", ub.count[0])
                getattr(instance, method)(ub.dst[0], ub.src[0:count])

            cases.append((Call(call, ["dst"], dst=dst, src=src, count=np.full(8, size, "int32")),
                          wanted, (method, size)))
    check(cases, tmp_path, monkeypatch)


def test_rows_known_at_run_time_only(tmp_path, monkeypatch):
    """Along the first axis; a row alone is its own sum."""
    use("310P")
    source = random.Random(SEED)
    cases = []
    for method in REDUCTIONS:
        for rows in (1, 2, 3, 6):
            src = small(source, FLOAT, 6 * 40).reshape(6, 40)
            to = "int32" if method in PLACES else FLOAT
            wanted = numbers(source, to, 48)
            dst = wanted.copy()
            wanted[:40] = REDUCTIONS[method](src[:rows], axis=0)

            def call(instance, ub, method=method):
                count = instance.Scalar("int32", "count", ub.count[0])
                getattr(instance, method)(ub.dst[:40], ub.src[0:count, :], 0)

            cases.append((Call(call, ["dst"], dst=dst, src=src, count=np.full(8, rows, "int32")),
                          wanted, (method, rows)))
    check(cases, tmp_path, monkeypatch)


REFUSED = [
    (lambda ib, ub: ib.h_reduce_sum(ub.one, ub.wide, 2), "axis should be in the range of [-2, 1]"),
    (lambda ib, ub: ib.h_reduce_sum(ub.one, ub.wide, -3), "axis should be in the range of [-2, 1]"),
    (lambda ib, ub: ib.h_reduce_sum(ub.one, ub.wide, 1.0), "axis should be int, list, tuple or"),
    (lambda ib, ub: ib.h_reduce_sum(ub.one, ub.wide, True), "axis should be int, list, tuple or"),
    (lambda ib, ub: ib.h_reduce_sum(ub.one, ub.cube, [0, 1]), "h_reduce_sum: axis should be one"),
    (lambda ib, ub: ib.h_reduce_sum(ub.one, ub.wide, []), "h_reduce_sum: axis should be one axis"),
    (lambda ib, ub: ib.h_reduce_sum(ub.one, ub.wide, 1), "h_reduce_sum: dst should be contiguous"),
    (lambda ib, ub: ib.h_reduce_max(ub.four, ub.wide, 0), "h_reduce_max: dst should be contiguous"),
    (lambda ib, ub: ib.h_reduce_max(ub.four, ub.wide), "h_reduce_max: dst should be contiguous"),
    (lambda ib, ub: ib.h_reduce_max(ub.int32[:4], ub.wide, 1), "dst and src should h"),
    (lambda ib, ub: ib.h_reduce_argmax(ub.four, ub.wide, 1), "dst's dtype should be int32"),
    (lambda ib, ub: ib.h_reduce_max(ub.four, 3, 1), "src should be tensor"),
    (lambda ib, ub: ib.h_reduce_max(3, ub.wide, 1), "dst should be tensor"),
    (lambda ib, ub: ib.h_reduce_sum(ub.wide[0, 0:4], ub.wide, 1), "h_reduce_sum dst and src addr"),
    (lambda ib, ub: ib.h_reduce_sum(ub.one, ub.wide[:, 0:16]), "h_reduce_sum: src should be cont"),
    (lambda ib, ub: ib.h_reduce_sum(ub.four, ub.odd, 1), "h_reduce_sum: rows of src should start"),
    (lambda ib, ub: ib.h_reduce_sum(ub.a[:20], ub.cube[:, :, 0:10], 1),
     "h_reduce_sum: rows of dst should start at multiples of 32 bytes"),
    (lambda ib, ub: ib.h_reduce_sum(ub.gm, ub.wide, 1), "dst's scope must be UB"),
    (lambda ib, ub: ib.h_cmpv(ub.bits, ub.a, ub.b, "lt"), "cmp_mode should be one of LT, GT, EQ"),
    (lambda ib, ub: ib.h_cmpv(ub.bits, 1.0, ub.b, "LT"), "src0 should be tensor"),
    (lambda ib, ub: ib.h_cmpv(ub.bits, ub.a, ub.b[:99], "LT"), "h_cmpv: src0 and src1 should have"),
    (lambda ib, ub: ib.h_cmpv(ub.bits[:99], ub.a, ub.b, "LT"), "h_cmpv: mask_tensor should have"),
    (lambda ib, ub: ib.h_cmpv(ub.a, ub.a, ub.b, "LT"), "h_cmpv: mask_tensor should be contiguous"),
    (lambda ib, ub: ib.h_cmpv(3, ub.a, ub.b, "LT"), "mask_tensor should be tensor"),
    (lambda ib, ub: ib.h_cmpv(ub.bits, ub.a, ub.floats, "LT"), "src0 and src1 should have"),
    (lambda ib, ub: ib.h_cmpv(ub.bits, ub.wide[:, 0:16], ub.wide[:, 0:16], "LT"), "h_cmpv: src0"),
    (lambda ib, ub: ib.h_sel(ub.a[16:], ub.a[:84], ub.b[:84], ub.bits), "h_sel dst and src0 addr"),
    (lambda ib, ub: ib.h_sel(ub.four, ub.a, ub.b, ub.bits), "h_sel: dst and src0 should have as"),
    (lambda ib, ub: ib.h_sel(ub.a, ub.floats, ub.b, ub.bits), "dst and src0 should have the same"),
    (lambda ib, ub: ib.h_sel(ub.a, ub.a, ub.b, ub.bits[:99]), "h_sel: mask_tensor should have"),
]
ACCEPTED = [
    lambda ib, ub: ib.h_reduce_sum(ub.four, ub.wide, 1),
    lambda ib, ub: ib.h_reduce_sum(ub.one, ub.wide),
    lambda ib, ub: ib.h_reduce_sum(ub.a[:10], ub.cube[0:1, :, 0:10], 1),
    lambda ib, ub: ib.h_reduce_max(ub.four, ub.wide[:, 16:25], -1),
    lambda ib, ub: ib.h_reduce_sum(ub.one, ub.cube, (1, 0, 2)),
    lambda ib, ub: ib.h_reduce_argmin(ub.int32[:4], ub.wide, 1),
    lambda ib, ub: ib.h_cmpv(ub.bits, ub.a, ub.b, "NE"),
    lambda ib, ub: ib.h_cmpv(ub.bits, ub.a, ub.a, "LT"),
    lambda ib, ub: ib.h_cmpv(ub.bits[:100], ub.a, 1, "LT"),
    lambda ib, ub: ib.h_sel(ub.a, ub.a, ub.b, ub.bits),
    lambda ib, ub: ib.h_sel(ub.a, 1.0, 0, ub.bits),
]


def refused(call):
    def with_more(instance, ub):
        for name, shape in (("wide", (4, 32)), ("odd", (4, 20)), ("cube", (2, 2, 16)),
                            ("gm", (4,))):
            scope = tik.scope_gm if name == "gm" else tik.scope_ubuf
            setattr(ub, name, instance.Tensor(HALF, shape, scope, name))
        call(instance, ub)

    return refusal(with_more, one=(HALF, 1), four=(HALF, 4), a=(HALF, 100), b=(HALF, 100),
                   bits=("uint8", 128), floats=(FLOAT, 100), int32=("int32", 100))


@pytest.mark.parametrize("number", range(len(REFUSED)))
def test_what_is_refused(number):
    use("910")
    call, words = REFUSED[number]
    text = refused(call)
    assert text is not None and text.startswith(words), text


@pytest.mark.parametrize("call", ACCEPTED)
def test_what_is_accepted(call):
    use("910")
    assert refused(call) is None


# h_cmpv and h_sel.


def select_call(source, comparison, dtype, size, kinds, bool_mask=False):
    """dst = a or b, by how a compares with b. `kinds`: of src1 of h_cmpv, src0 and src1 of h_sel:
    "tensor", "immediate", "Scalar", "element"."""
    room = padded(size, dtype)
    a, b, number = (small(source, dtype, count) for count in (room, room, 32))
    number[7] = 3
    full = np.full(size, number[7])
    right, yes, no = (full if kind != "tensor" else tensor[:size]
                      for kind, tensor in zip(kinds, (b, a, b)))
    wanted = numbers(source, dtype, room)
    dst = wanted.copy()
    wanted[:size] = np.where(COMPARISONS[comparison](a[:size], right), yes, no)

    def call(instance, ub):
        bits = instance.Tensor("bool" if bool_mask else "uint8", (size,), tik.scope_ubuf, "bits")
        given = {"immediate": lambda: number[7].item(), "element": lambda: ub.number[7],
                 "Scalar": lambda: instance.Scalar(dtype, "one", ub.number[7])}
        right, yes, no = (tensor[:size] if kind == "tensor" else given[kind]()
                          for kind, tensor in zip(kinds, (ub.b, ub.a, ub.b)))
        instance.h_cmpv(bits, ub.a[:size], right, comparison)
        instance.h_sel(ub.dst[:size], yes, no, bits)

    return (Call(call, ["dst"], dst=dst, a=a, b=b, number=number), wanted,
            (comparison, dtype, size, kinds))


@pytest.mark.parametrize("soc", CHIPS)
def test_compare_and_select(soc, tmp_path, monkeypatch):
    use(soc)
    source = random.Random(SEED)
    kinds = ("tensor", "immediate", "Scalar", "element")
    check([select_call(source, comparison, dtype, size, ("tensor",) * 3, size == 64)
           for dtype in types_of("h_cmpv", soc) for comparison in COMPARISONS
           for size in (1, 63, 64, 65, 127, 128, 1000)] +
          [select_call(source, "GE", dtype, 8229, ("tensor",) * 3)
           for dtype in types_of("h_cmpv", soc)] +
          [select_call(source, comparison, dtype, 70, [source.choice(kinds) for _ in range(3)])
           for dtype in types_of("h_cmpv", soc) for comparison in COMPARISONS for _ in range(8)],
          tmp_path, monkeypatch)


@pytest.mark.parametrize("soc", CHIPS)
def test_types_of_compare_and_select(soc):
    use(soc)
    for dtype in TYPES:
        for method, call in (
                ("h_cmpv", lambda ib, ub: ib.h_cmpv(ub.bits, ub.a, ub.b, "LT")),
                ("h_sel", lambda ib, ub: ib.h_sel(ub.a, ub.a, ub.b, ub.bits))):
            text = refusal(call, bits=("uint8", 64), a=(dtype, 64), b=(dtype, 64))
            bytes_too = method == "h_sel" and soc == "310B" and bytes_of(dtype) == 1
            if dtype in types_of(method, soc) or bytes_too:
                assert text is None, (method, dtype, text)
            else:
                assert text.startswith("current chip: ") and method in text, (method, dtype, text)


def test_a_mask_serves_another_type(tmp_path, monkeypatch):
    use("910")
    source = random.Random(SEED)
    a, b = small(source, HALF, 160), small(source, FLOAT, 152)
    wanted = b.copy()
    wanted[:150] = np.where(a[:150] > 0, b[:150], 7)

    def call(instance, ub):
        bits = instance.Tensor("uint8", (150,), tik.scope_ubuf, "bits")
        instance.h_cmpv(bits, ub.a[:150], 0.0, "GT")
        instance.h_sel(ub.b[:150], ub.b[:150], 7.0, bits)

    check([(Call(call, ["b"], a=a, b=b), wanted, "bits")], tmp_path, monkeypatch)


@pytest.mark.parametrize("method", REDUCTIONS)
def test_not_where_sync_is_off(method):
    use("910")

    def call(instance, ub):
        with instance.new_stmt_scope(disable_sync=True):
            getattr(instance, method)(ub.dst, ub.src)

    text = refusal(call, dst=(HALF, 1), src=(HALF, 64))
    assert text.startswith(f"{method} can't be used in new_stmt_scope")
