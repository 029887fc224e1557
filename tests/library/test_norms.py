"""LayerNorm and its kin, their gradients and Welford's algorithm, against formulas in double."""

import pathlib

import numpy as np
import pytest

import harness
from harness import Out, Value

FILE = pathlib.Path(__file__).resolve().parent / "kernels" / "norms.cpp"
APART = 16384
BEFORE = np.full(APART, 0x5A, np.uint8)
SHAPES = [(3, 64, 64), (5, 32, 17), (2, 512, 500), (7, 16, 16)]
EPSILON = 0.0078125  # of half too
BOTH = pytest.mark.parametrize("dtype", [np.float32, np.float16])
CHIPS = pytest.mark.parametrize("soc", ["Ascend910B1", pytest.param("Ascend310P3",
                                                                    marks=pytest.mark.whole)])


def padded(*halves):
    """16 KB: one array from the start or two, each from half of it."""
    bytes_ = np.zeros(APART, np.uint8)
    for data, start in zip(halves, (0, APART // 2)):
        data = np.ascontiguousarray(data)
        bytes_[start:start + data.nbytes] = data.view(np.uint8).ravel()
    return bytes_


def launch(kernel, arrays, kind, shape, counted, epsilon=EPSILON, soc="Ascend910B1"):
    arrays = [padded(*(each if isinstance(each, tuple) else (each,))) for each in arrays]
    return harness.run_kernel(FILE, *arrays, BEFORE, *[Out("uint8", APART) for _ in range(3)],
                              Value("uint32", kind), Value("uint32", shape[0]),
                              Value("uint32", shape[1]), Value("uint32", counted),
                              Value("float", epsilon), soc=soc, kernel=kernel)


def results(dtype, arrays, kind, shape, counted, epsilon=EPSILON, soc="Ascend910B1"):
    kernel = "norms" if dtype == np.float32 else "norms_half"
    run = launch(kernel, arrays, kind, shape, counted, epsilon, soc)
    harness.check_clean(run)
    return run.outputs


def near(got, wanted, dtype, size=4.0):
    """Off by a few units of the last place of numbers of that size."""
    tolerance = 1e-3 if dtype == np.float16 else 2e-6
    np.testing.assert_allclose(got.astype(np.float64), wanted, rtol=tolerance,
                               atol=tolerance * size)


def check_matrix(output, wanted, dtype, pitch, size=4.0):
    """The columns that count, and what stays as it was behind them."""
    rows, counted = wanted.shape
    got = output.view(dtype)[:rows * pitch].reshape(rows, pitch)
    near(got[:, :counted], wanted, dtype, size)
    assert (np.ascontiguousarray(got[:, counted:]).view(np.uint8) == 0x5A).all()
    assert (output[rows * pitch * np.dtype(dtype).itemsize:] == 0x5A).all()


def check_row(output, wanted, dtype, size=4.0):
    near(output.view(dtype)[:wanted.size], wanted, dtype, size)
    assert (output[wanted.size * np.dtype(dtype).itemsize:] == 0x5A).all()


def inputs(dtype, rows, columns, seed):
    """Two matrices, gamma and beta."""
    rng = np.random.default_rng(seed)
    return [rng.normal(1, 2, (rows, columns)).astype(dtype),
            rng.normal(0, 2, (rows, columns)).astype(dtype),
            rng.normal(0, 1, columns).astype(dtype), rng.normal(0, 1, columns).astype(dtype)]


def wide(*arrays):
    return [array.astype(np.float64) for array in arrays]


def norm(x, gamma, beta):
    mean, variance = x.mean(1, keepdims=True), x.var(1, keepdims=True)
    return (x - mean) / np.sqrt(variance + EPSILON) * gamma + beta, mean[:, 0], variance[:, 0]


@CHIPS
@BOTH
def test_layer_norm(dtype, soc):
    for rows, columns, n in SHAPES:
        arrays = inputs(dtype, rows, columns, n)
        x, _, gamma, beta = wide(*arrays)
        wanted = norm(x[:, :n], gamma[:n], beta[:n])
        got = results(dtype, arrays, 0, (rows, columns), n, soc=soc)
        check_matrix(got[0], wanted[0], dtype, columns)
        check_row(got[1], wanted[1], dtype)
        check_row(got[2], wanted[2], dtype)
        if n == columns:  # in place
            got = results(dtype, arrays, 1, (rows, columns), n, soc=soc)
            near(got[0].view(dtype)[:x.size].reshape(x.shape), wanted[0], dtype)


@CHIPS
@BOTH
def test_layer_norm_with_reciprocal_roots(dtype, soc):
    for rows, columns, n in SHAPES:
        arrays = inputs(dtype, rows, columns, n)
        x, _, gamma, beta = wide(*arrays)
        wanted, mean, variance = norm(x[:, :n], gamma[:n], beta[:n])
        for kind in (8, 9, 10):
            wider = [a.astype(np.float32) for a in arrays[2:]]
            given = [*arrays[:2], *wider] if kind == 9 else arrays
            got = results(dtype, given, kind, (rows, columns), n, soc=soc)
            expected = norm(x[:, :n], 1, 0)[0] if kind == 10 else wanted
            check_matrix(got[0], expected, dtype, columns)
            check_row(got[1], mean, np.float32)
            check_row(got[2], 1 / np.sqrt(variance + EPSILON), np.float32)


@CHIPS
@BOTH
def test_normalize(dtype, soc):
    for rows, columns, n in SHAPES:
        arrays = inputs(dtype, rows, columns, n)
        x, _, gamma, _ = wide(*arrays)
        rng = np.random.default_rng(n)
        mean = rng.normal(0, 1, rows).astype(np.float32)
        variance = rng.uniform(0, 3, rows).astype(np.float32)
        arrays[1] = (mean, variance)
        root = 1 / np.sqrt(variance.astype(np.float64) + EPSILON)
        wanted = (x[:, :n] - mean[:, None]) * root[:, None] * gamma[:n]
        got = results(dtype, arrays, 11, (rows, columns), n, soc=soc)
        check_matrix(got[0], wanted, dtype, columns, 20)
        check_row(got[2], root, np.float32)


@CHIPS
@BOTH
def test_rms_norm(dtype, soc):
    for rows, columns, n in SHAPES:
        arrays = inputs(dtype, rows, columns, n)
        x, _, gamma, _ = wide(*arrays)
        root = np.sqrt((x[:, :n] ** 2).mean(1, keepdims=True) + EPSILON)
        got = results(dtype, arrays, 2, (rows, columns), n, soc=soc)
        check_matrix(got[0], x / root * gamma, dtype, columns)


@BOTH
def test_deep_norm(dtype):
    for rows, columns, n in SHAPES:
        arrays = inputs(dtype, rows, columns, n)
        x, y, gamma, beta = wide(*arrays)
        wanted = norm((-2.5 * x + y)[:, :n], gamma[:n], beta[:n])
        got = results(dtype, arrays, 3, (rows, columns), n)
        check_matrix(got[0], wanted[0], dtype, columns)
        check_row(got[1], wanted[1], dtype)
        check_row(got[2], wanted[2], dtype, 40)


@BOTH
def test_batch_norm(dtype):
    for rows, columns, _ in SHAPES:
        arrays = inputs(dtype, rows, columns, rows)
        x, _, gamma, beta = wide(*arrays)
        mean, variance = x.mean(0), x.var(0)
        wanted = (x - mean) / np.sqrt(variance + EPSILON) * gamma[:rows, None] + beta[:rows, None]
        got = results(dtype, arrays, 4, (rows, columns), 0)
        check_matrix(got[0], wanted, dtype, columns, 20)
        check_row(got[1], mean, dtype)
        check_row(got[2], variance, dtype)


@BOTH
def test_group_norm(dtype):
    for plane, pitch, channels in [(16, 16, 4), (15, 16, 6), (40, 48, 2)]:
        arrays = inputs(dtype, 2 * channels, pitch, plane)
        x, _, gamma, beta = wide(*arrays)
        groups = x[:, :plane].reshape(4, -1)
        wanted, mean, variance = norm(groups, 1, 0)
        wanted = wanted.reshape(2 * channels, plane)
        gamma, beta = np.tile([gamma[:channels], beta[:channels]], 2)[:, :, None]
        wanted = wanted * gamma + beta
        got = results(dtype, arrays, 5, (plane, pitch), channels)
        check_matrix(got[0], wanted, dtype, pitch)
        check_row(got[1], mean, dtype)
        check_row(got[2], variance, dtype)


@CHIPS
@BOTH
def test_gradient_of_layer_norm(dtype, soc):
    """Against the closed form: with u = dy * gamma and z = (x - mean) / s,
    dx = (u - mean(u) - z * mean(u * z)) / s."""
    for rows, columns, n in SHAPES:
        dy, x, gamma, _ = inputs(dtype, rows, columns, n)
        mean, variance = x[:, :n].mean(1, dtype=np.float64), x[:, :n].var(1, dtype=np.float64)
        mean, variance = mean.astype(dtype), variance.astype(dtype)
        root = np.sqrt(variance.astype(np.float64) + EPSILON)[:, None]
        z = (x[:, :n].astype(np.float64) - mean.astype(np.float64)[:, None]) / root
        u = dy[:, :n].astype(np.float64) * gamma[:n].astype(np.float64)
        spread = np.mean(u * z, 1, keepdims=True)
        # what is left of the mean, as it was rounded, counts as the documents' formula has it
        rest = -2 * spread * z.mean(1, keepdims=True) * -0.5
        wanted = (u - u.mean(1, keepdims=True) - z * spread + rest) / root
        got = results(dtype, [dy, x, gamma, (variance, mean)], 6, (rows, columns), n, soc=soc)
        check_matrix(got[0], wanted, dtype, columns, 20)
        check_matrix(got[1], z, dtype, columns)


@BOTH
def test_gradient_of_gamma_and_beta(dtype):
    for rows, columns, n in SHAPES:
        arrays = inputs(dtype, rows, columns, n)
        z, dy, _, _ = wide(*arrays)
        got = results(dtype, arrays, 7, (rows, columns), n)
        check_row(got[0], (z * dy)[:, :n].sum(0), dtype, 30)
        check_row(got[1], dy[:, :n].sum(0), dtype, 30)


@pytest.mark.whole
@pytest.mark.parametrize("seed", range(harness.times_more(40)))
def test_random_shapes(seed):
    """Rows and columns of all sizes that fit, on both chips."""
    rng = np.random.default_rng(seed)
    dtype = rng.choice([np.float32, np.float16])
    soc = rng.choice(["Ascend910B1", "Ascend310P3"])
    block = 32 // np.dtype(dtype).itemsize
    columns = block * int(rng.integers(1, 1 + 1984 // block))
    rows = int(rng.integers(1, 1 + min(255, APART // columns // np.dtype(dtype).itemsize)))
    n = columns - int(rng.integers(0, block))
    arrays = inputs(dtype, rows, columns, seed)
    x, y, gamma, beta = wide(*arrays)
    plain, mean, variance = norm(x[:, :n], gamma[:n], beta[:n])
    root = np.sqrt((x[:, :n] ** 2).mean(1, keepdims=True) + EPSILON)
    deep, middle, spread = norm((-2.5 * x + y)[:, :n], gamma[:n], beta[:n])
    cases = {0: (plain, mean, variance), 2: (x / root * gamma,), 3: (deep, middle, spread),
             8: (plain, mean, 1 / np.sqrt(variance + EPSILON))}
    for kind, (matrix, *lines) in cases.items():
        got = results(dtype, arrays, kind, (rows, columns), n, soc=soc)
        check_matrix(got[0], matrix, dtype, columns, 20)
        for output, wanted in zip(got[1:], lines):
            check_row(output, wanted, np.float32 if kind == 8 else dtype, 40)


REFUSED = {
    12: ((3, 64), 64, "sharedTmpBuffer has 32 bytes"), 13: ((3, 64), 64, "overlap"),
    14: ((3, 64), 64, "dstLocal and srcLocal overlap"), 15: ((3, 64), 64, "B * S of a basic block"),
    0: ((3, 60), 60, "H 60 is not legal"), 2: ((3, 64), 65, "originalH 65 is not legal"),
    3: ((1, 2048), 2048, "H 2048 is not legal"), 4: ((3, 60), 0, "S * H 60 is not legal"),
    5: ((16, 16), 3, "C 3 is not legal"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_calls_that_are_refused(kind):
    shape, counted, message = REFUSED[kind]
    run = launch("norms", inputs(np.float32, *shape, 1), kind, shape, counted)
    assert run.codes and message in run.faults[0]["message"], run.faults
    assert (run.outputs[1] == 0x5A).all()


def test_basic_block():
    arrays = inputs(np.float32, 8, 64, 1)
    results(np.float32, arrays, 15, (8, 64), 64)


@pytest.mark.parametrize("kind", [0, 1])
def test_welford_update(kind):
    rng = np.random.default_rng(kind)
    n, counted, part = 64, 35, np.float32(0.125)
    x = rng.normal(0, 9, n).astype(np.float16 if kind else np.float32)
    mean, variance = rng.normal(0, 9, n).astype(np.float32), rng.uniform(0, 9, n).astype(np.float32)
    run = launch("welford", [x, mean, variance, mean], kind, (1, n), counted, part)
    harness.check_clean(run)
    a, m, v = wide(x, mean, variance)
    after = m + (a - m) * part
    wanted = np.where(np.arange(n) < counted, after, m)
    spread = np.where(np.arange(n) < counted, v + (a - m) * (a - after), v)
    for output, expected in zip(run.outputs, (wanted, spread)):
        size = n if kind else counted
        check_row(output, expected[:size], np.float32, 50)


@pytest.mark.parametrize("kind", [2, 3, 4])
def test_welford_finalize(kind):
    """The pieces of a row of numbers give its mean and its variance."""
    rng = np.random.default_rng(kind)
    n, pieces, counted = 32, 5, 20
    counts = np.full(n, pieces)
    if kind == 3:
        counts[counted:] -= 1
    if kind == 4:
        counts = rng.integers(1, 9, n)
    parts = [rng.normal(3, 2, count) for count in counts]
    mean = np.array([part.mean() for part in parts]).astype(np.float32)
    variance = np.array([part.var() * part.size for part in parts]).astype(np.float32)
    whole = np.concatenate(parts)
    run = launch("welford", [mean, mean, variance, counts.astype(np.int32)], kind, (pieces, n),
                 counted, 1 / whole.size)
    harness.check_clean(run)
    check_row(run.outputs[0], np.array([whole.mean()]), np.float32)
    check_row(run.outputs[1], np.array([whole.var()]), np.float32)


@pytest.mark.parametrize("kind, shape, counted, message", [
    (0, (1, 60), 35, "abLength 60 is not legal"), (0, (1, 64), 65, "abComputeLength 65 is not"),
    (0, (1, 64), 0, "abComputeLength 0 is not"), (5, (5, 32), 20, "tailCountLength")])
def test_welford_that_is_refused(kind, shape, counted, message):
    zeros = np.zeros(64, np.float32)
    run = launch("welford", [zeros] * 4, kind, shape, counted, 0.5)
    assert run.codes and message in run.faults[0]["message"], run.faults
