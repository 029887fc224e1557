"""Functions that move elements or choose among them, exactly; quantisation with tensors and
SoftmaxFlashV3 against their formulas."""

import pathlib

import numpy as np
import pytest

import harness
from harness import Out, Value

FILE = pathlib.Path(__file__).resolve().parent / "kernels" / "rearrangement.cpp"
APART = 16384
BEFORE = np.full(APART, 0x5A, np.uint8)


def padded(data):
    """16 KB that begin with the data."""
    bytes_ = np.full(APART, 0x5A, np.uint8)
    data = np.ascontiguousarray(data)
    bytes_[:data.nbytes] = data.view(np.uint8).ravel()
    return bytes_


def launch(kernel, kind, parameters, x, y=BEFORE, z=BEFORE, soc="Ascend910B1"):
    parameters = (*parameters, 0, 0, 0, 0, 0)[:5]
    return harness.run_kernel(FILE, padded(x), padded(y), padded(z), BEFORE, Out("uint8", APART),
                              Out("uint8", APART), Value("uint32", kind),
                              *[Value("uint32", value) for value in parameters], soc=soc,
                              kernel=kernel)


def result(*arguments, **more):
    run = launch(*arguments, **more)
    harness.check_clean(run)
    return run.outputs[0]


def exactly(output, wanted):
    """These bytes, and none behind them."""
    wanted = np.ascontiguousarray(wanted)
    assert output.tobytes()[:wanted.nbytes] == wanted.tobytes()
    assert (output[wanted.nbytes:] == 0x5A).all()


KINDS = pytest.mark.parametrize("kernel, dtype", [("move_half", np.float16),
                                                  ("move_float", np.float32)])


def count_up(dtype, *shape):
    """Different numbers, each exact."""
    numbers = np.arange(np.prod(shape)).astype(np.uint16 if dtype == np.float16 else np.uint32)
    return numbers.view(dtype).reshape(shape)


@KINDS
def test_pad(kernel, dtype):
    block = 32 // np.dtype(dtype).itemsize
    for rows, width, left, right in [(4, block - 2, 1, 1), (3, 2 * block - 3, 0, 2), (5, 3, 0, 0)]:
        pitch = -(-width // block) * block
        x = count_up(dtype, rows, width)
        wanted = np.full(rows * pitch, 0, dtype)
        wanted.view(np.uint8)[:] = 0x5A
        wanted = wanted.reshape(rows, pitch)
        wanted[:, :left + width + right] = 7
        wanted[:, left:left + width] = x
        exactly(result(kernel, 0, (rows, width, width, left, right), x), wanted)
    x = count_up(dtype, 4, block)  # whole datablocks, of which the last columns do not count
    wanted = x.copy()
    wanted[:, -2:] = 7
    exactly(result(kernel, 0, (4, block, block - 2, 0, 2), x), wanted)


@KINDS
def test_un_pad(kernel, dtype):
    block = 32 // np.dtype(dtype).itemsize
    for rows, width, right in [(8, block, 1), (3, 3 * block, block - 1)]:
        x = count_up(dtype, rows, width)
        exactly(result(kernel, 1, (rows, width, right), x), x[:, :width - right])


def fractals(x):
    """[..., S, D] in NZ, zeros where D and S are no sixteens."""
    *others, s, d = x.shape
    s1, d1 = -(-s // 16), -(-d // 16)
    full = np.zeros((*others, s1 * 16, d1 * 16), x.dtype)
    full[..., :s, :d] = x
    full = full.reshape(*others, s1, 16, d1, 16)
    return np.moveaxis(full, -2, -4).copy()


def aligned(x):
    """[..., D] with zeros up to sixteens."""
    wanted = np.zeros((*x.shape[:-1], -(-x.shape[-1] // 16) * 16), x.dtype)
    wanted[..., :x.shape[-1]] = x
    return wanted


@KINDS
@pytest.mark.parametrize("shape", [(1, 2, 32, 16), (1, 2, 16, 32), (2, 2, 16, 8), (1, 3, 16, 24)])
def test_transpose_between_fractals_and_rows(kernel, dtype, shape):
    b, n, s, d = shape
    x = count_up(dtype, b, n, s, d)
    merged = x.swapaxes(1, 2).reshape(b, s, n * d)
    cases = {13: (fractals(merged), fractals(x)), 14: (fractals(merged), aligned(x)),
             15: (fractals(x), aligned(merged)), 16: (fractals(x), fractals(merged))}
    if d % 16 == 0:
        cases |= {11: (fractals(x), x.swapaxes(1, 2)),
                  12: (fractals(x), fractals(x.swapaxes(1, 2)))}
    for kind, (given, wanted) in cases.items():
        if max(given.nbytes, wanted.nbytes) > APART:
            continue
        exactly(result(kernel, kind, shape, given), wanted)


@KINDS
def test_transpose_of_a_matrix(kernel, dtype):
    x = count_up(dtype, 32, 48)
    exactly(result(kernel, 17, (1, 1, 32, 48), x), x.T)


@pytest.mark.parametrize("n, c, d, h, w", [(1, 32, 1, 2, 8), (2, 16, 2, 1, 7), (3, 20, 1, 3, 5),
                                           (17, 5, 1, 4, 4)])
def test_trans_data(n, c, d, h, w):
    hw, c1, n1 = h * w, -(-c // 16), -(-n // 16)
    x = count_up(np.float16, n, c, d, hw)
    pitch = -(-hw // 16) * 16
    plain = np.zeros((n, c, d, pitch), np.float16)
    plain.view(np.uint8)[:] = 0x5A
    plain[..., :hw] = x
    full = np.zeros((n1 * 16, c1 * 16, d, hw), np.float16)
    full[:n, :c] = x
    five = full[:n].reshape(n, c1, 16, d, hw).transpose(0, 3, 1, 4, 2)
    z = full.reshape(n1, 16, c1, 16, d, hw).transpose(4, 2, 5, 0, 1, 3)
    parameters = (n, c, d, hw, h)
    exactly(result("move_half", 20, parameters, plain), z)
    exactly(result("move_half", 21, parameters, z), plain)
    if n < 4:
        exactly(result("move_half", 22, parameters, plain), five)
        exactly(result("move_half", 23, parameters, five), plain)


@pytest.mark.parametrize("kernel, dtype", [("choose_half", np.float16),
                                           ("choose_float", np.float32)])
def test_drop_out(kernel, dtype):
    rng = np.random.default_rng(3)
    rows, columns, keep = 3, 64, 5 / 16
    x = rng.normal(0, 100, (rows, columns)).astype(dtype)
    x[0, :2] = np.inf, np.nan
    kept = rng.random((rows, columns)) < keep
    kept[0, :2] = False
    factor = dtype(np.float32(1) / np.float32(keep))
    wanted = np.where(kept, (x.astype(np.float64) * np.float64(factor)).astype(dtype), dtype(0))
    bits = np.packbits(kept, bitorder="little").reshape(rows, -1)
    wide = np.full((rows, 96), 1, np.uint8)
    wide[:, :columns] = kept
    wide_bits = np.full((rows, 32), 0xFF, np.uint8)
    wide_bits[:, :8] = bits
    cases = [(0, columns, kept.astype(np.uint8) * 255), (0, 96, wide), (0, 8, bits),
             (0, 32, wide_bits), (3, 8, bits), (4, 32, wide_bits)]
    for kind, pitch, mask in cases:
        run = launch(kernel, kind, (rows, columns, pitch, 5), x, mask)
        harness.check_clean(run)
        exactly(run.outputs[0], wanted)
        if mask is wide or mask is wide_bits:  # nobody may rely on it any more
            used = columns if mask is wide else 8
            assert (run.outputs[1][:rows * pitch].reshape(rows, pitch)[:, :used] == 0xFF).all()
        else:
            assert run.outputs[1].tobytes()[:mask.nbytes] == mask.tobytes()


def test_select_uses_its_mask_up():
    x = np.arange(96, dtype=np.float32)
    mask = np.zeros((2, 64), np.uint8)
    run = launch("choose_float", 5, (2, 48, 64), x, mask)
    harness.check_clean(run)
    exactly(run.outputs[0], x)
    assert (run.outputs[1][:128].reshape(2, 64)[:, :48] == 0xFF).all()


@pytest.mark.parametrize("kernel, dtype", [("choose_half", np.float16),
                                           ("choose_float", np.float32)])
@pytest.mark.parametrize("kind", [6, 7])
def test_quantisation_with_tensors(kernel, dtype, kind):
    rng = np.random.default_rng(kind)
    n, period = 192, 64
    x = rng.normal(0, 20, n).astype(dtype)
    scale, offset = rng.normal(0, 3, period).astype(dtype), rng.normal(0, 9, period).astype(dtype)
    half = [a.astype(np.float16).astype(np.float32)
            for a in (x, np.tile(scale, 3), np.tile(offset, 3))]
    product = (half[0] * half[1]).astype(np.float16).astype(np.float32)
    shifted = (product + (half[2] if kind == 7 else 2)).astype(np.float16)
    wanted = np.clip(np.rint(shifted.astype(np.float64)), -128, 127).astype(np.int8)
    exactly(result(kernel, kind, (n, period), x, scale, offset), wanted)


def bfloat16(x):
    bits = np.asarray(x, np.float32).view(np.uint32).astype(np.uint64)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(np.uint16)


@pytest.mark.parametrize("kind", range(16))
def test_anti_quantisation(kind):
    rng = np.random.default_rng(kind)
    k, n, offsets, scales = 64, 32, 2, 4
    four, brain, form = kind // 4 % 2 == 1, kind >= 8, kind % 4
    q = rng.integers(-8 if four else -128, 8 if four else 128, (k, n))

    def numbers(groups):
        x = rng.normal(0, 4, (groups, n)).astype(np.float32)
        bits = bfloat16(x) if brain else x.astype(np.float16)
        exact = ((bits.astype(np.uint32) << 16).view(np.float32) if brain
                 else bits.astype(np.float32))
        return bits, np.repeat(exact, k // groups, 0)

    def rounded(x):
        return x if brain else x.astype(np.float16).astype(np.float32)

    (offset_bits, offset), (scale_bits, scale) = numbers(offsets), numbers(scales)
    if form == 2:
        offset = np.zeros_like(offset)
    if form == 3:
        offset, scale = np.full((k, n), 1.5, np.float32), np.full((k, n), 0.25, np.float32)
    wanted = rounded(rounded(q.astype(np.float32) + offset) * scale)
    if form == 1:
        q, wanted, offset_bits, scale_bits = q.T, wanted.T, offset_bits.T, scale_bits.T
    data = q.astype(np.int8).ravel()
    if four:
        data = (data[::2] & 15 | data[1::2] << 4).astype(np.int8)
    wanted = bfloat16(wanted) if brain else wanted.astype(np.float16)
    got = result("anti_quants", kind, (k, offsets, scales, n), data, offset_bits, scale_bits)
    exactly(got, wanted)


def test_any_and_all():
    rng = np.random.default_rng(1)
    for rows, columns in [(5, 24), (3, 100), (64, 8)]:
        x = rng.random((rows, columns)) < 0.5
        x[0] = False
        x[-1] = True
        x[:, 3] = True
        for kind, wanted in {8: x.any(1), 9: x.all(0), 10: x.all(1), 11: x.any(0)}.items():
            dtype = np.float32 if kind < 10 else np.uint8
            pitch = -(-columns // (32 // np.dtype(dtype).itemsize)) * 32 // np.dtype(dtype).itemsize
            given = np.zeros((rows, pitch), dtype)
            given[:, :columns] = x
            exactly(result("choose_float", kind, (rows, columns), given), wanted.astype(dtype))


@pytest.mark.parametrize("soc", ["Ascend910B1", "Ascend310P3"])
def test_xor_sum(soc):
    rng = np.random.default_rng(2)
    for n, size in [(100, 99), (100, 32767), (1, 7)]:
        a, b = rng.integers(-size, size, (2, n)).astype(np.int16)
        if size == 32767:
            a |= 0x4000
            a &= 0x7FFF
            b &= 0x0FFF
        wanted = np.int16(np.clip((a ^ b).sum(dtype=np.int64), -32768, 32767))
        exactly(result("choose_float", 12, (n,), a, b, soc=soc), wanted.reshape(1))


def test_shifted_softmax():
    rng = np.random.default_rng(5)
    rows, columns, alpha = 8, 704, 0.9375
    factor = alpha / (1 - alpha)
    x = rng.normal(0, 0.5, (rows, columns)).astype(np.float16)
    before = rng.uniform(0.2, 2, (3, rows)).astype(np.float32)
    columns_before = np.zeros((3, 1024), np.float32)
    columns_before[:, :rows * 8] = np.repeat(before, 8, 1)
    for kind, calls in [(0, 1), (1, 1), (1, 4)]:
        run = launch("shifted_softmax", kind, (rows, columns, calls), x, columns_before)
        harness.check_clean(run)
        w = x.astype(np.float64)
        sums = w[:, :512].reshape(rows, 64, 8).sum(2) + w[:, 512:].reshape(rows, -1, 64).sum(1)
        means = sums.reshape(rows, 8, 8).sum(2) / (columns // 8)
        own = w.mean(1)
        w = w - np.repeat((own[:, None] - means) * factor, columns // 8, 1)
        in_mean, in_sum, in_max = before.astype(np.float64)
        mean, most = own, w.max(1)
        total, now = 0, 0
        if kind == 1:
            mean = (own + in_mean * (calls - 1)) / calls
            now, earlier = (own - mean) * factor, (in_mean - mean) * factor
            most = np.maximum(now + most, earlier + in_max)
            total = np.exp(in_max - most + earlier) * in_sum
        e = np.exp(w - (most - now)[:, None])
        got = run.outputs[0].view(np.float16)[:rows * columns].reshape(rows, columns)
        np.testing.assert_allclose(got.astype(np.float64), e, rtol=2e-3, atol=1e-6)
        got = run.outputs[1].view(np.float32).reshape(4, 1024)
        for line, wanted in zip(got, (mean, total + e.sum(1), most)):
            np.testing.assert_allclose(line[:rows * 8].reshape(rows, 8), np.repeat(
                wanted[:, None], 8, 1), rtol=2e-4, atol=1e-5)


def test_softmax_tells_the_maximum_of_a_row():
    rng = np.random.default_rng(6)
    rows, columns = 4, 64
    x = rng.normal(0, 2, (rows, columns)).astype(np.float32)
    before = np.full((4, 1024), 1.5, np.float32)
    run = launch("shifted_softmax", 2, (rows, columns), x, before)
    harness.check_clean(run)
    got = run.outputs[1].view(np.float32).reshape(4, 1024)
    assert (got[3, :rows] == x.max(1)).all()
    assert (got[2, :rows] == np.maximum(x.max(1), np.float32(1.5))).all()


@pytest.mark.parametrize("kernel, kind, parameters, message", [
    ("move_half", 0, (4, 15, 15, 0, 2), "leftPad + rightPad 2 is not"),
    ("move_half", 0, (4, 16, 14, 1, 1), "leftPad"), ("move_half", 0, (4, 16, 16, 0, 0), "all of"),
    ("move_half", 1, (4, 15, 1), "srcWidth 15"), ("move_half", 1, (4, 16, 0), "rightPad 0"),
    ("move_half", 1, (4, 16, 16), "rightPad 16"), ("move_half", 11, (1, 1, 15, 16), "S 15"),
    ("move_half", 11, (1, 1, 16, 8), "H / N 8"), ("move_half", 17, (1, 1, 16, 8), "W 8"),
    ("move_half", 24, (1, 16, 1, 16, 4), "C1 2"), ("move_half", 25, (1, 16, 1, 16, 4), "64 bytes"),
    ("choose_half", 0, (2, 64, 64, 16), "keepProb"), ("choose_half", 0, (2, 64, 64, 0), "keepProb"),
    ("choose_half", 0, (2, 64, 4, 5), "maskLastAxis 4"),
    ("anti_quants", 0, (63, 2, 1, 32), "offset"),
    ("shifted_softmax", 0, (8, 448, 1), "srcK 448"), ("shifted_softmax", 0, (4, 512, 1), "srcM 4"),
    ("shifted_softmax", 1, (8, 512, 0), "loopCnt 0")])
def test_calls_that_are_refused(kernel, kind, parameters, message):
    run = launch(kernel, kind, parameters, np.zeros(4096, np.float16))
    assert run.codes and message in run.faults[0]["message"], run.faults
    assert (run.outputs[0] == 0x5A).all()
