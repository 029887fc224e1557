"""The library's functions on rows, against the formulas of the documents.

SoftMax and its kin are compared with double, to a few units of the last place of float, or one of
half; sorting, selection and layout exactly; sums of integers exactly.
"""

import pathlib

import numpy as np
import pytest

import harness
from harness import Out, Value

FILE = pathlib.Path(__file__).resolve().parent / "kernels" / "rows.cpp"
APART = 16384
TYPES = {"float": (np.float32, np.float32), "half": (np.float16, np.float16),
         "mixed": (np.float16, np.float32), "mixed_as_float": (np.float16, np.float32)}


def padded(data):
    """16 KB that begin with the data."""
    data = np.ascontiguousarray(data)
    bytes_ = np.zeros(APART, np.uint8)
    bytes_[:data.nbytes] = data.view(np.uint8).ravel()
    return bytes_


BEFORE = np.full(APART, 0x5A, np.uint8)


def launch(kernel, x, y, kind, shape, counted, soc="Ascend910B1"):
    return harness.run_kernel(FILE, padded(x), padded(y), BEFORE,
                              *[Out("uint8", APART) for _ in range(4)], Value("uint32", kind),
                              Value("uint32", shape[0]), Value("uint32", shape[1]),
                              Value("uint32", counted), soc=soc, kernel=kernel)


def results(*arguments, **more):
    run = launch(*arguments, **more)
    harness.check_clean(run)
    return run.outputs


def untouched(output, bytes_):
    """Nothing is written from so many bytes on."""
    assert (output[bytes_:] == 0x5A).all()


def matrix(output, dtype, rows, columns):
    size = rows * columns
    return output.view(dtype)[:size].reshape(rows, columns)


def near(got, wanted, dtype, size=0.02):
    """Off by a few units of the last place, or of numbers of that size that were subtracted."""
    tolerance = 1e-3 if dtype == np.float16 else 1e-6
    np.testing.assert_allclose(got.astype(np.float64), wanted, rtol=tolerance,
                               atol=tolerance * size)


def softmax(x):
    largest = x.max(1, keepdims=True)
    e = np.exp(x - largest)
    return e / e.sum(1, keepdims=True), e.sum(1, keepdims=True), largest, e


def of_nz(data, rows, columns):
    return data[:rows * columns].reshape(columns // 16, rows, 16).swapaxes(0, 1).reshape(
        rows, columns)


# The host takes 16 rows, or 4096 numbers, at a time.
SHAPES = [(3, 64, 64), (5, 32, 17), (2, 512, 500), (1, 16, 16), (16, 16, 16), (37, 64, 61), (5, 1024, 1020)]


@pytest.mark.parametrize("soc", ["Ascend910B1", pytest.param("Ascend310P3",
                                                             marks=pytest.mark.whole)])
@pytest.mark.parametrize("types", TYPES)
def test_softmax_and_its_kin(types, soc):
    data, column = TYPES[types]
    kernel = "softmax" if types == "float" else f"softmax_{types}"
    rng = np.random.default_rng(7)
    for rows, columns, n in SHAPES:
        if rows * columns * np.dtype(data).itemsize > APART:
            continue
        x = rng.normal(0, 2, (rows, columns)).astype(data)
        y = rng.normal(0, 2, (rows, columns)).astype(data)
        xs, ys = x[:, :n].astype(np.float64), y[:, :n].astype(np.float64)
        wanted, total, largest, _ = softmax(xs)
        _, total_y, largest_y, _ = softmax(ys)
        if types != "float":  # what an earlier call has rounded
            total_y = total_y.astype(column).astype(np.float64)
        m = np.maximum(largest, largest_y)
        raised, scale = np.exp(xs - m), np.exp(largest_y - m)
        updated = scale * total_y + raised.sum(1, keepdims=True)
        inner = (xs * ys).sum(1, keepdims=True)
        cases = {
            0: (wanted, total, largest, None), 1: (wanted, None, None, None),
            2: (np.exp(xs - largest), total, largest, None),
            3: (raised, updated, m, scale),
            4: (raised / updated, updated, m, scale * total_y / updated),
            5: (np.exp(xs - largest_y) / total_y, total_y, largest_y, None),
            6: ((xs - inner) * ys, None, None, None), 7: (None, None, None, None),
        }
        if not types.startswith("mixed"):
            cases[9] = (np.log10(wanted), total, largest, None)
        for kind, (dst, *columns_wanted) in cases.items():
            got = results(kernel, x, y, kind, (rows, columns), n, soc=soc)
            copies = 32 // np.dtype(data if kind == 7 else column).itemsize
            if kind == 7:
                near(matrix(got[0], data, rows, copies), np.repeat(inner, copies, 1), data, 20)
                untouched(got[0], rows * 32)
                continue
            near(matrix(got[0], data, rows, columns)[:, :n], dst, data, 20 if kind == 6 else 0.02)
            tail = matrix(got[0], data, rows, columns)[:, n:]
            assert (np.ascontiguousarray(tail).view(np.uint8) == 0x5A).all() or kind in (3, 4, 5)
            untouched(got[0], x.nbytes)
            for output, expected, of in zip(got[1:], columns_wanted, (column, column, data)):
                if expected is None:
                    continue
                copies = 32 // np.dtype(of).itemsize
                near(matrix(output, of, rows, copies), np.repeat(expected, copies, 1), of)
                untouched(output, rows * 32)


@pytest.mark.parametrize("call, words", [
    ("SoftMax<half>(x, sum, max, x, tiling)", None), ("SoftMax(x, x, x, x, tiling)", None),
    ("SoftmaxFlashV2<float, true>(x, sum, max, x, x, sum, max, tmp, tiling)", None),
    ("SoftmaxFlash<float>(x, sum, max, x, x, sum, max, tiling, true)", None),
    ("SoftMax(x, sum, max, x, tiling)", "name T"), ("SoftMax<float>(x, x, x, x, tiling)", "of T"),
    ("SimpleSoftMax<half>(sum, x, x, sum, tiling)", "of T")])
def test_softmax_takes_the_types_of_the_documents(call, words, tmp_path):
    """T alone, or half data with sums and maxima of float, whatever T is named."""
    kernel = tmp_path / "types.cpp"
    kernel.write_text(f"""#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void types(GM_ADDR gm, int32_t calls) {{
  LocalTensor<half> x(TPosition::VECCALC, 0, 512);
  LocalTensor<float> sum(TPosition::VECCALC, 4096, 512), max(TPosition::VECCALC, 8192, 512);
  LocalTensor<uint8_t> tmp(TPosition::VECCALC, 16384, 8192);
  SoftMaxTiling tiling;
  if (calls != 0) {call};
}}
""")
    run = harness.run_kernel(kernel, np.zeros(32, np.uint8), Value("int32", 0), kernel="types",
                             soc="Ascend910B1")
    assert (run.code == 0) == (words is None), run.stderr
    assert words is None or words in run.stderr, run.stderr


@pytest.mark.parametrize("kind", [2, 3, 4])
def test_rows_with_nan_are_by_themselves(kind):
    """Any NaN is the canonical one in the result; rows beside it are as ever."""
    x, y = np.random.default_rng(5).normal(0, 2, (2, 20, 64)).astype(np.float32)
    clean = matrix(results("softmax", x, y, kind, x.shape, 60)[0], np.uint32, 20, 64)
    spoiled = x.copy()
    spoiled.view(np.uint32)[[2, 17], 5] = [0x7FC12345, 0xFFC00001]
    spoiled[18, 59] = np.inf
    got = matrix(results("softmax", spoiled, y, kind, x.shape, 60)[0], np.uint32, 20, 64)
    others = np.setdiff1d(np.arange(20), [2, 17, 18])
    assert (got[others] == clean[others]).all() and (got[:, 60:] == clean[:, 60:]).all()
    assert (got[[2, 17], :60] == 0x7FC00000).all()
    rest = np.zeros(60, np.uint32) if kind != 4 else np.full(60, 0x7FC00000)
    rest[59] = 0x7FC00000  # infinity less infinity
    assert (got[18, :60] == rest).all()


def test_softmax_of_fractals():
    rows, columns, n = 5, 48, 35
    x = np.random.default_rng(1).normal(0, 2, rows * columns).astype(np.float32)
    got = results("softmax", x, x, 8, (rows, columns), n)
    wanted = softmax(of_nz(x, rows, columns)[:, :n].astype(np.float64))[0]
    near(of_nz(got[0].view(np.float32), rows, columns)[:, :n], wanted, np.float32)


@pytest.mark.parametrize("soc, away", [("Ascend910B1", True), ("Ascend310P3", False)])
@pytest.mark.parametrize("columns, counted", [(64, 64), (48, 38)])
def test_halves_of_rows_are_rounded_once(columns, counted, soc, away):
    """(grad - s) * src in the middle of two halves; of opposite neighbours, so that s is 0."""
    odd = 1 + np.arange(1, columns, 2) * 2.0**-10
    grad = np.tile(np.stack([odd, -odd], 1).ravel(), (3, 1)).astype(np.float16)
    source = np.full((3, columns), 1.5, np.float16)
    got = results("softmax_half", grad, source, 6, (3, columns), counted, soc=soc)[0]
    units = np.abs(grad[:, :counted].astype(np.float64)) * 1.5 * 1024
    assert (units % 1 == 0.5).all()
    wanted = np.sign(grad[:, :counted]) * (np.floor(units + 0.5) if away else np.rint(units)) / 1024
    assert (matrix(got, np.float16, 3, columns)[:, :counted] == wanted).all()


def sum_of_row(x):
    """64 columns after the other element by element, then neighbours: each sum rounded to float."""
    parts = np.full((-(-x.size // 64), 64), -0.0, np.float32)
    parts.ravel()[:x.size] = x
    total = parts[0]
    for part in parts[1:]:
        total = total + part
    while total.size > 1:
        total = total[0::2] + total[1::2]
    return total[0]


@pytest.mark.parametrize("columns, counted", [(8, 5), (64, 64), (136, 131), (512, 500), (1024, 1024)])
def test_sums_of_rows_bit_by_bit(columns, counted):
    rng = np.random.default_rng(columns)
    x, y = (rng.normal(size=(3, columns)).astype(np.float32) for _ in range(2))
    got = matrix(results("softmax", x, y, 7, (3, columns), counted)[0], np.float32, 3, 8)[:, 0]
    assert [sum_of_row(row) for row in (x * y)[:, :counted]] == got.tolist()


def test_maxima_of_rows():
    """NaN if there is one, of zeros the first; wherever they stand in a row."""
    for place in (0, 3, 8, 16, 18):
        x = np.full((4, 24), -1, np.float32)
        x[0, place] = np.nan
        x[1, place:], x[2, place:] = -0.0, 0.0
        x[1, place + 1], x[2, place + 1] = 0.0, -0.0
        x[3, place] = 7
        got = matrix(results("softmax", x, x, 0, (4, 24), 20)[2], np.float32, 4, 8)[:, 0]
        assert np.isnan(got[0]) and got[1:].tolist() == [0, 0, 7]
        assert np.signbit(got[1:3]).tolist() == [True, False]


@pytest.mark.parametrize("shape, counted, message", [((2, 60), 60, "srcK 60 is not legal"),
                                                     ((2, 64), 65, "oriSrcK 65 is not legal")])
def test_rows_that_softmax_refuses(shape, counted, message):
    run = launch("softmax", np.ones(128, np.float32), np.ones(1), 0, shape, counted)
    assert run.codes and message in run.faults[0]["message"]


BOTH = pytest.mark.parametrize("kernel, dtype", [("rows", np.float32), ("rows_half", np.float16)])


@BOTH
def test_arange(kernel, dtype):
    for count in (3, 8, 16, 70, 300):
        first, step = dtype(0.1), dtype(1.37)
        got = results(kernel, np.array([first, step]), np.ones(1), 0, (1, 1), count)[0].view(dtype)
        block = 32 // np.dtype(dtype).itemsize
        wanted, wide = np.zeros(512, dtype), np.float32
        for i in range(512):
            back = block if i < 8 * block else 8 * block
            wanted[i] = (dtype(wide(first) + wide(step) * wide(i)) if i < block else
                         dtype(wide(wanted[i - back]) + wide(dtype(wide(step) * wide(back)))))
        written = count if count <= block else -(-count // block) * block
        assert got[:count].tolist() == wanted[:count].tolist()
        assert (got[written:].view(np.uint8) == 0x5A).all()


@BOTH
@pytest.mark.parametrize("soc, in_repeat", [("Ascend910B1", 32), ("Ascend310P3", 16)])
def test_sort_and_extract(kernel, dtype, soc, in_repeat):
    for repeats in (1, 3):
        n = in_repeat * repeats
        rng = np.random.default_rng(repeats)
        x = rng.integers(-9, 9, n).astype(dtype)
        index = rng.permutation(n).astype(np.uint32) * 70001
        got = results(kernel, x, index, 1, (1, 1), repeats, soc=soc)
        order = np.argsort(-x.astype(np.float64), kind="stable")
        assert got[0].view(dtype)[:n].tolist() == x[order].tolist()
        assert got[2].view(np.uint32)[:n].tolist() == index[order].tolist()
        untouched(got[0], n * x.itemsize)
        untouched(got[2], n * 4)
        untouched(got[1], n * (8 if in_repeat == 32 else 8 * x.itemsize))


@BOTH
def test_the_310p_sorts_proposals(kernel, dtype):
    """x1, y1, x2, y2, score, label and two more; the index is the label, of halves y1 and the label."""
    x, index = np.arange(16).astype(dtype), np.arange(16, dtype=np.uint32) + 0x30000
    got = results(kernel, x, index, 1, (1, 1), 1, soc="Ascend310P3")[1]
    fields = got.view(f"u{x.itemsize}")[:128].reshape(16, 8)
    assert (fields[:, 4] == x[::-1].view(fields.dtype)).all()
    halves = fields[:, [1, 5]] if dtype == np.float16 else fields[:, 5:6].copy().view(np.uint16)
    assert halves.tolist() == [[15 - i, 3] for i in range(16)]
    others = [0, 2, 3, 6, 7] if dtype == np.float16 else [0, 1, 2, 3, 6, 7]
    assert (np.ascontiguousarray(fields[:, others]).view(np.uint8) == 0x5A).all()


@BOTH
@pytest.mark.parametrize("kind", [2, 3])
def test_top_k(kernel, dtype, kind):
    rows, columns, k = 3, 64, 9
    x = np.random.default_rng(kind).integers(-20, 20, (rows, columns)).astype(dtype)
    x[1, 4] = np.inf
    x[2, 7] = np.nan
    x[:, columns - 5:] = -99 if kind == 2 else 99  # what fills the rows up
    got = results(kernel, x, np.zeros(1), kind, (rows, columns), k)
    values = matrix(got[0], dtype, rows, 16)[:, :k]
    indices = matrix(got[1], np.int32, rows, 16)[:, :k]
    for row in range(rows):
        keys = x[row, :columns - 5].astype(np.float64) * (-1 if kind == 2 else 1)
        order = np.argsort(np.where(np.isnan(keys), -np.inf, keys), kind="stable")
        if row == 2:  # NaN first in both orders
            order = np.concatenate([[7], order[order != 7]])
        assert indices[row].tolist() == order[:k].tolist()
        np.testing.assert_array_equal(values[row], x[row, order[:k]])


@BOTH
@pytest.mark.parametrize("kind", [2, 40])
def test_top_k_sorts_what_fills_a_row_up(kernel, dtype, kind):
    """The documents ask for numbers there that come last; zeros are larger than scores below 0."""
    rows, columns = 3, 64 if kind == 2 else 32
    k = 9 if kind == 2 else 8
    n = columns - 5 if kind == 2 else 8
    x = np.zeros((rows, columns), dtype)
    x[:, :n] = np.random.default_rng(kind).integers(-20, 3, (rows, n))
    index = np.broadcast_to(np.arange(columns, dtype=np.int32), (rows, columns))
    got = results(kernel, x, index, kind, (rows, columns), k)
    pitch = (16, 16) if kind == 2 else (k, k)
    values, indices = matrix(got[0], dtype, rows, pitch[0]), matrix(got[1], np.int32, rows, pitch[1])
    order = np.argsort(-x.astype(np.float64), kind="stable")[:, :k]
    assert (indices[:, :k] == order).all() and (order >= n).any()
    assert (values[:, :k] == np.take_along_axis(x, order, 1)).all()


@BOTH
def test_reductions(kernel, dtype):
    block = 32 // np.dtype(dtype).itemsize
    for rows, columns in [(1, 5), (3, 24), (7, 64), (6, 70), (4, 200)]:
        pitch = -(-columns // block) * block
        x = np.random.default_rng(columns).integers(-8, 8, (rows, pitch)).astype(dtype)
        valid = x[:, :columns]
        wanted = {6: valid.max(1), 7: valid.min(0)}
        if dtype == np.float32:
            wanted |= {4: valid.sum(1), 5: valid.sum(0)}
        for kind, expected in wanted.items():
            got = results(kernel, x, np.zeros(1), kind, (rows, columns), 0)[0]
            assert got.view(dtype)[:expected.size].tolist() == expected.tolist()
            untouched(got, expected.nbytes)
        for kind, expected in {8: valid.sum(1), 9: valid.astype(np.float64).mean(1)}.items():
            got = results(kernel, x, np.zeros(1), kind, (rows, pitch), columns)[0]
            np.testing.assert_allclose(got.view(dtype)[:rows].astype(np.float64), expected,
                                       rtol=1e-3 if dtype == np.float16 else 1e-6,
                                       atol=1e-3 if dtype == np.float16 else 1e-7)
            untouched(got, rows * x.itemsize)
        running = results(kernel, x, np.zeros(1), 10, (rows, pitch), 0)
        assert (matrix(running[0], dtype, rows, pitch) == x.cumsum(0, dtype=dtype)).all()
        assert (running[1].view(dtype)[:pitch] == x.sum(0, dtype=dtype)).all()
        along = results(kernel, x, np.zeros(1), 11, (rows, pitch), 0)[0]
        assert (matrix(along, dtype, rows, pitch) == x.cumsum(1, dtype=dtype)).all()


def test_the_order_of_a_sum():
    """What lies behind a power of two is added onto the front; then neighbours."""
    n = 100
    x = np.random.default_rng(3).normal(0, 1, (2, 104)).astype(np.float32)
    got = results("rows", x, np.zeros(1), 4, (2, n), 0)[0].view(np.float32)[:2]
    for row, result in zip(x, got):
        part = row[:64].copy()
        part[:n - 64] += row[64:n]
        while part.size > 1:
            part = part[::2] + part[1::2]
        assert part[0] == result


@BOTH
def test_broadcast_and_select(kernel, dtype):
    rows, columns = 5, 48
    x = np.random.default_rng(2).normal(0, 1, (rows, columns)).astype(dtype)
    got = results(kernel, x[:, 0], np.zeros(1), 12, (rows, columns), 0)[0]
    assert (matrix(got, dtype, rows, columns) == x[:, :1]).all()
    untouched(got, x.nbytes)
    got = results(kernel, x, np.zeros(1), 13, (rows, columns), 0)[0]
    assert (matrix(got, dtype, rows, columns) == x[:1]).all()
    mask = np.random.default_rng(4).choice([0, 0, 1, 200], (rows, 64)).astype(np.uint8)
    for kind in (14, 15):
        got = results(kernel, x, mask, kind, (rows, columns), 64)[0]
        scalar = (mask[:, :columns] != 0) == (kind == 14)
        wanted = np.where(scalar, dtype(7), x)
        assert (matrix(got, dtype, rows, columns) == wanted).all()
        untouched(got, x.nbytes)


@pytest.mark.parametrize("kernel, dtype, soc", [
    ("rows", np.float32, "Ascend910B1"), ("rows_half", np.float16, "Ascend910B1"),
    ("rows", np.float32, "Ascend310P3")])
def test_dequantisation(kernel, dtype, soc):
    rows, columns, n = 3, 40, 37
    x = np.random.default_rng(9).integers(-3000, 3000, (rows, columns)).astype(np.int32)
    scale = np.random.default_rng(8).uniform(0.001, 2, columns).astype(np.float32)
    got = results(kernel, x, scale, 16, (rows, columns), n, soc=soc)[0]
    pitch = -(-columns * np.dtype(dtype).itemsize // 32) * 32 // np.dtype(dtype).itemsize
    wanted = (x.astype(np.float32) * scale).astype(dtype)[:, :n]
    assert (matrix(got, dtype, rows, pitch)[:, :n] == wanted).all()
    assert (np.ascontiguousarray(matrix(got, dtype, rows, pitch)[:, n:]).view(np.uint8)
            == 0x5A).all()


@BOTH
def test_quantisation(kernel, dtype):
    n = 203
    x = np.random.default_rng(9).normal(0, 40, n).astype(dtype)
    got = results(kernel, x, np.zeros(1), 17, (1, 1), n)[0]
    half = (x.astype(np.float16).astype(np.float32) * np.float32(2.5)).astype(np.float16)
    half = (half.astype(np.float32) - 3).astype(np.float16)
    wanted = np.clip(np.rint(half.astype(np.float64)), -128, 127).astype(np.int8)
    assert (got.view(np.int8)[:n] == wanted).all()
    untouched(got, n)
