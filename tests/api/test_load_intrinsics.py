"""Loads into L0A and L0B, fills, bias and results by way of L1, by their small names, against numpy."""

import numpy as np
import pytest

from harness import Out, Value, check_clean, run_kernel
from test_c_interface_matrices import columns_first, compressed

HALF, FLOAT, INT, CHAR = np.float16, np.float32, np.int32, np.int8
SOC = "Ascend910B1"
# L1, L0A, L0B and L0C from their starts, l1b and l1c in the middle of L1.
HEAD = """#include "kernel_operator.h"
extern "C" __global__ __aicore__ void k(PARTS) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
  auto l1a = (__cbuf__ ELEMENT*)0; auto l1b = (__cbuf__ ELEMENT*)(uintptr_t)65536;
  auto l1c = (__cbuf__ ELEMENT*)(uintptr_t)131072; auto l0a = (__ca__ ELEMENT*)0; auto l0b = (__cb__ ELEMENT*)0;
  auto l0c = (__cc__ SUM*)0;
  set_nd_para(uint64_t(1));
"""
WAIT = "pipe_barrier(PIPE_ALL);"


def kernel(body, kind, total, parts):
    head = HEAD.replace("PARTS", parts).replace("ELEMENT", kind).replace("SUM", total)
    return head + body.replace("WAIT", WAIT) + f"\n  {WAIT}\n}}\n"


def run(tmp_path, body, *parameters, kind="half", total="float", parts="__gm__ half* x, __gm__ half* y, "
        "__gm__ float* out"):
    path = tmp_path / "k.cpp"
    path.write_text(kernel(body, kind, total, parts))
    return run_kernel(path, *parameters, soc=SOC)


def halves(seed, *shape):
    return np.random.default_rng(seed).integers(-4, 5, shape).astype(HALF)


def by_rows(matrix):
    """Fractals of 16 rows of 16 halves, one below the other, of 16 columns."""
    return np.ascontiguousarray(matrix.reshape(matrix.shape[0], -1, 16).transpose(1, 0, 2))


def patches(image, size, pad):
    """The rows of a convolution's left matrix, of a square window, step 1, with a ring around it."""
    padded = np.pad(image, ((1, 1), (1, 1), (0, 0)), constant_values=pad)
    return np.stack([padded[i:i + size, j:j + size].ravel() for i in range(padded.shape[0] - size + 1)
                     for j in range(padded.shape[1] - size + 1)])


def test_fractals_from_gm(tmp_path):
    """A and B without L1; A's second fractal is what create_ca_matrix fills it with."""
    x, y = halves(1, 2, 16, 16), halves(2, 32, 16)
    done = run(tmp_path, """
  load_gm_to_ca(l0a, x, 1, 1, 0, 0, 0, __cce_scalar::inc);
  create_ca_matrix((__ca__ void*)(l0a + 256), 1 | 1 << 16, half(1));
  load_gm_to_cbuf(l1b, y, 0, 2, 1, 0, 0, inc);
  WAIT
  load_cbuf_to_cb(l0b, l1b, 0, 2, 1, 0, 0, false, inc);
  WAIT
  load_gm_to_cb(l0b + 256, y, 0, 1, 0, 0, 0, inc);
  WAIT
  mad(l0c, l0a, l0b, 16, 32, 16, 0, false, false, true);
  WAIT
  copy_matrix_cc_to_gm(out, l0c, 0, 16, 16, 16, 16, 0, uint64_t(NoQuant), 0, false, true);""",
               x, columns_first(y), Out("float", 16, 16))
    check_clean(done)
    a = np.concatenate([x[1], np.ones((16, 16))], 1)
    np.testing.assert_array_equal(done.outputs[0], (a @ np.concatenate([y[:16], y[:16]])).astype(FLOAT))


@pytest.mark.parametrize("suffix, control", [("", "false"), ("_b", "true")])
def test_windows_of_a_feature_map(tmp_path, suffix, control):
    """A 2 x 8 image of 16 channels, a ring of 7 around it, windows of 3 x 3."""
    rng = np.random.default_rng(2)
    image = rng.integers(-3, 4, (2, 8, 16)).astype(HALF)
    weights = rng.integers(-3, 4, (144, 16)).astype(HALF)
    done = run(tmp_path, f"""
  copy_gm_to_cbuf(l1a, x, 0, 1, 16, 0, 0, PAD_NONE); copy_gm_to_cbuf(l1b, y, 0, 1, 144, 0, 0, PAD_NONE);
  WAIT
  set_fmatrix{suffix}(2 | 8ull << 16 | 0x01010101ull << 32); set_padding(half(7)); set_l3d_rpt(1 << 16);
  img2colv2_cbuf_to_ca(l0a, l1a, 144, 16, 0, 0, 1, 1, 3, 3, 1, 1, false, false, false, {control}, 16);
  load_cbuf_to_cb(l0b, l1b, 0, 9, 1, 0, 0, false, inc);
  WAIT
  mad(l0c, l0a, l0b, 16, 144, 16, 0, false, false, true);
  WAIT
  copy_matrix_cc_to_gm(out, l0c, 0, 16, 16, 16, 16, 0, NoQuant, 0, false, true);""",
               image, columns_first(weights), Out("float", 16, 16))
    check_clean(done)
    np.testing.assert_array_equal(done.outputs[0],
                                  patches(image.astype(FLOAT), 3, 7) @ weights.astype(FLOAT))


def test_a_bias_and_a_result_by_way_of_l1(tmp_path):
    """Halves of a bias that become floats; C as halves to L1, fractal by fractal, and from there."""
    x, y, bias = halves(3, 32, 16), halves(4, 16, 32), halves(5, 32)
    done = run(tmp_path, """
  copy_gm_to_cbuf(l1a, x, 0, 1, 32, 0, 0, PAD_NONE); copy_gm_to_cbuf(l1b, y, 0, 1, 32, 0, 0, PAD_NONE);
  copy_gm_to_cbuf(l1c, bias, 0, 1, 2, 0, 0, PAD_NONE);
  WAIT
  copy_cbuf_to_bt(uint64_t(0), l1c, 1, 1, 1, 0, 0);
  load_cbuf_to_ca(l0a, l1a, 0, 2, 1, 0, 0, false, inc);
  load_cbuf_to_cb(l0b, l1b, 0, 2, 1, 0, 0, true, inc);
  WAIT
  mad(l0c, l0a, l0b, 32, 16, 32, 0, false, true, false);
  WAIT
  copy_matrix_cc_to_cbuf(l1a, l0c, 0, 32, 32, 32, 32, 0, F322F16, 0, false, false);
  WAIT
  copy_cbuf_to_gm(out, l1a, 0, 2, 32, 0, 0);""", by_rows(x), by_rows(y), bias, Out("half", 2, 32, 16),
               parts="__gm__ half* x, __gm__ half* y, __gm__ half* bias, __gm__ half* out")
    check_clean(done)
    want = x.astype(FLOAT) @ y.astype(FLOAT) + bias.astype(FLOAT)
    np.testing.assert_array_equal(done.outputs[0], want.reshape(32, 2, 16).transpose(1, 0, 2).astype(HALF))


def test_squares_into_both(tmp_path):
    """32 x 32 by 32 x 32 in int8, each loaded from what stands transposed."""
    rng = np.random.default_rng(6)
    x, y = (rng.integers(-9, 9, (32, 32)).astype(CHAR) for _ in "xy")
    done = run(tmp_path, """
  copy_gm_to_cbuf(l1a, x, 0, 1, 32, 0, 0, pad_t::PAD_NONE); copy_gm_to_cbuf(l1b, y, 0, 1, 32, 0, 0, PAD_NONE);
  WAIT
  load_cbuf_to_ca_transpose(l0a, l1a, 0, 1, 1, 0, false, 0);
  load_cbuf_to_cb_transpose(l0b, l1b, 0, 1, 1, 0, inc, 0);
  WAIT
  mad(l0c, l0a, l0b, 32, 32, 32, 0, false, false, true);
  WAIT
  copy_matrix_cc_to_gm(out, l0c, 0, 32, 32, 32, 32, 0, NoQuant, 0, false, true);""", x, y, Out("int32", 32, 32),
               kind="int8_t", total="int32_t", parts="__gm__ int8_t* x, __gm__ int8_t* y, __gm__ int32_t* out")
    check_clean(done)
    np.testing.assert_array_equal(done.outputs[0], x.T.astype(INT) @ y.astype(INT))


def test_compressed_weights(tmp_path):
    rng = np.random.default_rng(7)
    x = rng.integers(-9, 10, (16, 64)).astype(CHAR)
    weights = np.zeros((64, 16), CHAR)
    for column in range(16):
        for four in range(16):
            weights[4 * four + rng.permutation(4)[:2], column] = rng.integers(1, 9, 2)
    taken, index = compressed(weights)
    bits = np.ascontiguousarray(index.T).reshape(16, 8, 4)
    done = run(tmp_path, """
  copy_gm_to_cbuf_multi_nd2nz_b8(l1a, x, 0, 1, 16, 64, 0, 64, 16, 1, 0);
  copy_gm_to_cbuf(l1b, y, 0, 1, 16, 0, 0, PAD_NONE); copy_gm_to_cbuf(l1c, index, 0, 1, 4, 0, 0, PAD_NONE);
  WAIT
  load_cbuf_to_ca(l0a, l1a, 0, 2, 1, 0, 0, false, inc);
  load_cbuf_to_cb_sp(l0b, l1b, l1c, 0, 1);
  WAIT
  mad_sp(l0c, l0a, l0b, 16, 64, 16, 0, false, true);
  WAIT
  copy_matrix_cc_to_gm(out, l0c, 0, 16, 16, 16, 16, 0, NoQuant, 0, false, true);""",
               x, np.ascontiguousarray(taken.T), (bits << [0, 2, 4, 6]).sum(2).astype(CHAR), Out("int32", 16, 16),
               kind="int8_t", total="int32_t",
               parts="__gm__ int8_t* x, __gm__ int8_t* y, __gm__ int8_t* index, __gm__ int32_t* out")
    check_clean(done)
    np.testing.assert_array_equal(done.outputs[0], x.astype(INT) @ weights.astype(INT))


def test_a_value_fills_l1(tmp_path):
    done = run(tmp_path, """
  create_cbuf_matrix(l1a, 2 | 1 << 16 | 1ll << 32, half(1.5));
  create_cbuf_matrix(l1a + 16, 1 | 1 << 16, uint32_t(0x40004000));
  WAIT
  copy_cbuf_to_gm(out, l1a, 0, 1, 3, 0, 0);""", Out("half", 48), parts="__gm__ half* out")
    check_clean(done)
    np.testing.assert_array_equal(done.outputs[0], np.repeat([1.5, 2, 1.5], 16))


def test_between_ub_and_l1(tmp_path):
    """On a chip whose AI Core has both."""
    path = tmp_path / "k.cpp"
    path.write_text("""#include "kernel_operator.h"
extern "C" __global__ __aicore__ void k(__gm__ half* x, __gm__ half* out) {
  auto ub = (__ubuf__ half*)0; auto l1 = (__cbuf__ half*)0;
  copy_gm_to_ubuf(ub, x, 0, 1, 8, 0, 0); pipe_barrier(PIPE_ALL);
  copy_ubuf_to_cbuf(l1, ub, 0, 4, 1, 1, 0); pipe_barrier(PIPE_ALL);
  copy_cbuf_to_ubuf(ub + 128, l1, 0, 2, 2, 0, 1); pipe_barrier(PIPE_ALL);
  copy_ubuf_to_gm(out, ub + 128, 0, 1, 2, 0, 0); copy_ubuf_to_gm(out + 32, ub + 128 + 48, 0, 1, 2, 0, 0);
}
""")
    x = np.arange(128, dtype=HALF)
    done = run_kernel(path, x, Out("half", 64), soc="Ascend310P3")
    check_clean(done)
    np.testing.assert_array_equal(done.outputs[0], x.reshape(8, 16)[::2].ravel())


def test_addresses_of_squares_go_up(tmp_path):
    done = run(tmp_path, "load_cbuf_to_cb_transpose(l0b, l1b, 0, 1, 1, 0, dec, 0);",
               Out("half", 48, part=True), parts="__gm__ half* out")
    assert done.errors[0]["code"] == "V2001" and "load_cbuf_to_cb_transpose" in done.errors[0]["message"]


# mode: bytes of each datablock that come from GM, and what fills the rest.
PADDED = {1: (1, "uint8_t(0xA5)", [0xA5]), 2: (2, "half(1.5)", [0x00, 0x3E]), 3: (4, "int16_t(0x1234)", [0x34, 0x12]),
          4: (8, "uint8_t(7)", [7]), 5: (16, "uint64_t(0x1234)", [0x34, 0x12])}


PADDING_CALLS = ["copy_gm_to_cbuf(l1a, x, 0, 5, 1, 0, 1, PAD_MODE{mode});",
                 "asc_copy_gm2l1_pad{mode}_sync((__cbuf__ void*)l1a, (__gm__ void*)x, 5, 1, 0, 1);"]


@pytest.fixture(scope="module", name="padding")
def source_of_copies_that_pad(tmp_path_factory):
    """A kernel that chooses one of the calls: five bursts, with one datablock between them."""
    cases = "".join(f"    case {10 * number + mode}: set_padding({value}); {call.format(mode=mode)} break;\n"
                    for number, call in enumerate(PADDING_CALLS) for mode, (_, value, _) in PADDED.items())
    body = f"""
  create_cbuf_matrix(l1a, 9 | 1 << 16, half(1));
  WAIT
  switch (which) {{
{cases}  }}
  WAIT
  copy_cbuf_to_gm(out, l1a, 0, 1, 9, 0, 0);"""
    path = tmp_path_factory.mktemp("padding") / "k.cpp"
    path.write_text('#include "c_api/asc_simd.h"\n' + kernel(
        body, "uint8_t", "float", "__gm__ uint8_t* x, __gm__ uint8_t* out, int32_t which"))
    return path


@pytest.mark.parametrize("mode", PADDED)
@pytest.mark.parametrize("number", range(len(PADDING_CALLS)), ids=["small_name", "c_interface"])
def test_copies_that_pad(padding, number, mode):
    taken, _, filling = PADDED[mode]
    x = np.random.default_rng(mode).integers(0, 256, 5 * taken).astype(np.uint8)
    done = run_kernel(padding, x, Out("uint8", 9, 32), Value("int32", 10 * number + mode), soc=SOC)
    check_clean(done)
    want = np.tile(np.array([0x00, 0x3C], np.uint8), (9, 16))
    want[::2] = np.tile(filling, 32 // len(filling))
    want[::2, :taken] = x.reshape(5, taken)
    np.testing.assert_array_equal(done.outputs[0], want)


# mode: bytes that stay of each datablock.
PACKED = {6: 4, 7: 8, 8: 16}
PACKING_CALLS = {
    "small_name": "copy_gm_to_cbuf(l1a, x, 0, 3, {length}, 2, 1, PAD_MODE{mode});",
    "bursts": "asc_copy_gm2l1_pad{mode}((__cbuf__ void*)l1a, (__gm__ void*)x, 3, {length}, 2, 1);",
    "bytes": "asc_copy_gm2l1_pad{mode}_sync((__cbuf__ void*)l1a, (__gm__ void*)x, 32 * 5);"}


@pytest.mark.parametrize("mode", PACKED)
@pytest.mark.parametrize("spelling", PACKING_CALLS)
def test_copies_that_leave_out_the_rest_of_a_datablock(tmp_path, spelling, mode):
    """Three bursts that fill two datablocks each, one apart; or five datablocks by their bytes."""
    kept, length = PACKED[mode], 64 // PACKED[mode]
    path = tmp_path / "k.cpp"
    path.write_text('#include "c_api/asc_simd.h"\n' + kernel(f"""
  create_cbuf_matrix(l1a, 9 | 1 << 16, half(1));
  WAIT
  {PACKING_CALLS[spelling].format(mode=mode, length=length)}
  WAIT
  copy_cbuf_to_gm(out, l1a, 0, 1, 9, 0, 0);""", "uint8_t", "float", "__gm__ uint8_t* x, __gm__ uint8_t* out"))
    # GM ends with what is kept of the last datablock.
    blocks = 5 if spelling == "bytes" else 3 * length + 4
    x = np.random.default_rng(mode).integers(0, 256, 32 * (blocks - 1) + kept).astype(np.uint8)
    done = run_kernel(path, x, Out("uint8", 9, 32), soc=SOC)
    check_clean(done)
    first = np.stack([x[32 * block:][:kept] for block in range(blocks)])
    want = np.tile(np.array([0x00, 0x3C], np.uint8), 9 * 16)
    if spelling == "bytes":
        want[:5 * kept] = first.ravel()
    else:
        for burst in range(3):
            want[96 * burst:][:64] = first[burst * (length + 2):][:length].ravel()
    np.testing.assert_array_equal(done.outputs[0], want.reshape(9, 32))


@pytest.mark.parametrize("size, is_legal", [(0, True), (40, False), (2097120, True), (2097152, False)])
def test_bytes_of_packed_copies_are_datablocks(tmp_path, size, is_legal):
    path = tmp_path / "k.cpp"
    path.write_text('#include "c_api/asc_simd.h"\n' + kernel(
        f"asc_copy_gm2l1_pad7((__cbuf__ void*)l1a, (__gm__ void*)x, {size});", "uint8_t", "float",
        "__gm__ uint8_t* x"))
    done = run_kernel(path, np.zeros(max(size, 64), np.uint8), soc=SOC)
    assert done.codes == ([] if is_legal else ["V2001"]), done.stderr
    assert is_legal or f"size is {size}" in done.stderr


@pytest.mark.parametrize("bursts, codes", [(0, []), (4095, []), (4096, ["V2001"])])
@pytest.mark.parametrize("mode, length", [(1, 1), (8, 2)])
def test_bursts_of_copies_that_pad(tmp_path, mode, length, bursts, codes):
    done = run(tmp_path, f"""
  set_padding(uint32_t(0));
  copy_gm_to_cbuf(l1a, x, 0, {bursts}, {length}, 0, 0, pad_t({mode}));""", np.zeros(4096 * 64, np.uint8),
               kind="uint8_t", parts="__gm__ uint8_t* x")
    assert done.codes == codes, done.stderr


@pytest.mark.parametrize("call, code", [("2, 3, 0, 0, PAD_MODE6", "V2002"), ("2, 2, 0, 0, PAD_MODE1", "V2001"),
                                        ("2, 8, 0, 0, PAD_MODE6", "V1003"),
                                        ("2, 1, 1, 0, PAD_MODE2", "V2001"), ("2, 1, 0, 0, pad_t(9)", "V2001"),
                                        ("2, 1, 0, 0, PAD_MODE2", "V2004"), ("65, 1, 0, 0, PAD_MODE1", "V1003")])
def test_what_copies_that_pad_cannot_do(tmp_path, call, code):
    done = run(tmp_path, f"""
  set_padding(uint32_t(0x12345678));
  copy_gm_to_cbuf(l1a, x, 0, {call});""", np.zeros(64, np.uint8), kind="uint8_t", parts="__gm__ uint8_t* x")
    assert done.errors[0]["code"] == code, done.stderr
