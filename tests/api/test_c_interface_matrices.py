"""The C interface's way of matrices against numpy: copies into L1, loads, products, results out of
L0C."""

import pathlib

import numpy as np
import pytest

from harness import Out, Value, check_clean, run_kernel

HALF, FLOAT, INT, CHAR, BYTE = np.float16, np.float32, np.int32, np.int8, np.uint8
SOC = "Ascend910B1"
HEAD = """#include "c_api/asc_simd.h"
constexpr uint64_t SCALE_HALF = 0x3F000000;                  // 0.5
constexpr uint64_t SCALE_CHAR = SCALE_HALF | 1ull << 46;     // and signed results
"""

# 32 x 32 by 32 x 32, in halves, up to C in L0C; L1 is free again. `multiply` does the product.
HALF_PRODUCT = """
extern "C" __global__ __cube__ void {name}(__gm__ half* x, __gm__ half* y, __gm__ float* bias,
                                           __gm__ {out}* out) {{
  asc_init();
  __cbuf__ half a1[1024], b1[1024]; __cbuf__ float bias1[32]; __cbuf__ uint64_t scales1[32];
  __ca__ half a0[1024]; __cb__ half b0[1024]; __cc__ float c[1024];
  __biasbuf__ float table[64]; __fbuf__ uint64_t scales[32];
  asc_copy_gm2l1_nd2nz(a1, x, 1, 32, 32, 0, 32, 32, 1, 0);
  asc_copy_gm2l1_nd2nz(b1, y, 1, 32, 32, 0, 32, 32, 1, 0);
  asc_copy_gm2l1_sync((__cbuf__ void*)bias1, (__gm__ void*)bias, 128);
  for (int i = 0; i < 2; ++i) {{
    asc_copy_l12l0a(a0 + i * 512, a1, i, 2, 2, 0);
    asc_copy_l12l0b_trans(b0 + i * 512, b1, i, 2, 2, 0, false, 0);
  }}
  asc_sync();
  {multiply}
  asc_sync();
  asc_set_l0c_copy_params(1, 0, 0);
  {result}
}}
"""
PLAIN = "asc_mmad(c, a0, b0, 32, 32, 32, 0, false, false, true);"
ROWS = "asc_copy_l0c2gm_sync(out, c, 32, 32, 32, 32, 0, NoQuant, 0, false, true);"


def rows(values, dtype):
    return np.asarray(values).astype(dtype)


# name: the product, what is done with C, its type, and numpy's.
PRODUCTS = {
    "plain": (PLAIN, ROWS, FLOAT, lambda x, y, b: x @ y),
    "long_form": ("asc_mmad_sync(c, a0, b0, 32, 32, 32, 0, 0, 0, false, false, false, true);", ROWS,
                  FLOAT, lambda x, y, b: x @ y),
    "twice": (PLAIN + "asc_sync(); asc_mmad(c, a0, b0, 32, 32, 32, 0, false, false, false);", ROWS,
              FLOAT, lambda x, y, b: 2 * (x @ y)),
    # A table for the initial C, at an address in units of 16 bytes, by bursts and by bytes.
    "bias": ("""uint64_t at = uint64_t(reinterpret_cast<uintptr_t>(table)) / 16;
                asc_copy_l12bt_sync(at, (__cbuf__ void*)bias1, 0, 1, 2, 0, 0);
                asc_mmad(c, a0, b0, 32, 32, 32, 0, false, true, false);""", ROWS, FLOAT,
             lambda x, y, b: x @ y + b),
    "bias_by_bytes": ("""asc_copy_l12bt_sync(0, (__cbuf__ void*)bias1, 128);
                         asc_mmad(c, a0, b0, 32, 32, 32, 0, false, true, false);""", ROWS, FLOAT,
                      lambda x, y, b: x @ y + b),
    "hf32": ("asc_enable_hf32(); asc_enable_hf32_trans(1); asc_set_mmad_direction_n();" + PLAIN +
             "asc_set_mmad_direction_m(); asc_enable_hf32_trans(0); asc_set_fp32_mode();", ROWS,
             FLOAT, lambda x, y, b: x @ y),
    "to_half": (PLAIN, "asc_copy_l0c2gm(out, c, 32, 32, 32, 32, 0, F322F16, 0, false, true);", HALF,
                lambda x, y, b: x @ y),
    "relu": (PLAIN, "asc_copy_l0c2gm(out, c, 32, 32, 32, 32, 0, NoQuant, 1, false, true);", FLOAT,
             lambda x, y, b: np.maximum(x @ y, 0)),
    # 16 columns after the other; then in blocks of 8.
    "fractals": (PLAIN, "asc_copy_l0c2gm(out, c, 32, 32, 64, 32, 0, NoQuant, 0, false, false);",
                 FLOAT, lambda x, y, b: (x @ y).reshape(32, 2, 16).transpose(1, 0, 2)),
    "scaled": (PLAIN, """asc_set_l0c_copy_prequant(SCALE_CHAR);
        asc_copy_l0c2gm(out, c, 32, 32, 32, 32, 0, QF322B8_PRE, 0, false, true);""", CHAR,
               lambda x, y, b: np.clip(np.rint((x @ y) * 0.5), -128, 127)),
    # A scale for each column, which scalar code made.
    "scales": (PLAIN, """asc_copy_gm2l1_sync((__cbuf__ void*)scales1, (__gm__ void*)(bias + 32), 256);
        asc_copy_l12fb_sync(scales, scales1, 1, 2, 0, 0);
        asc_set_l0c2gm_config(0, uint64_t(reinterpret_cast<uintptr_t>(scales)), false);
        asc_copy_l0c2gm(out, c, 32, 32, 32, 32, 0, VQF322B8_PRE, 0, false, true);""", CHAR,
               lambda x, y, b: np.clip(np.rint((x @ y) * np.where(np.arange(32) % 2, 0.5, 0.25)),
                                       -128, 127)),
    "scales_by_bytes": (PLAIN, """
        asc_copy_gm2l1_sync((__cbuf__ void*)scales1, (__gm__ void*)(bias + 32), 256);
        asc_copy_l12fb_sync((__fbuf__ void*)scales, (__cbuf__ void*)scales1, 256);
        asc_set_l0c2gm_config(0, uint64_t(reinterpret_cast<uintptr_t>(scales)) / 128, false);
        asc_copy_l0c2gm(out, c, 32, 32, 32, 32, 0, VQF322B8_PRE, 0, false, true);""", CHAR,
                        lambda x, y, b: np.clip(np.rint((x @ y) * np.where(np.arange(32) % 2, 0.5,
                                                                           0.25)), -128, 127)),
    # By way of L1, fractals of 16 x 16.
    "by_l1": (PLAIN, """asc_copy_l0c2l1_sync(a1, c, 32, 32, 32, 32, 0, F322F16, 0, false, false);
        asc_copy_l12gm_sync((__gm__ void*)out, (__cbuf__ void*)a1, 2, 32, 0, 0);""", HALF,
              lambda x, y, b: (x @ y).reshape(32, 2, 16).transpose(1, 0, 2)),
    # What registers hold, into the first row.
    "registers": (PLAIN, ROWS + """
        asc_set_l0c2gm_config(0, 0x1000, true);
        out[0] = float(asc_get_l0c2gm_prequant()); out[1] = float(asc_get_l0c2gm_unitflag());
        asc_set_l0c2gm_config(0, 0, false);
        out[2] = float(asc_get_l0c2gm_prequant() + asc_get_l0c2gm_unitflag());
        out[3] = float(asc_get_l0c2gm_relu()); asc_dcci_entire_out();""", FLOAT,
                  lambda x, y, b: np.concatenate([[4096, 1, 0, 0], (x @ y).ravel()[4:]])),
}
NAMES = {FLOAT: "float", HALF: "half", CHAR: "int8_t", INT: "int32_t"}


def scale_words():
    """0.25 and 0.5 in turn, with signed results."""
    words = np.where(np.arange(32) % 2, FLOAT(0.5), FLOAT(0.25)).astype(FLOAT).view(np.uint32)
    return (words.astype(np.uint64) | np.uint64(1 << 46)).view(FLOAT)


@pytest.fixture(scope="module", name="products")
def source_of_products(tmp_path_factory):
    path = tmp_path_factory.mktemp("c_interface_matrices") / "k.cpp"
    path.write_text(HEAD + "".join(
        HALF_PRODUCT.format(name=name, out=NAMES[out], multiply=multiply, result=result)
        for name, (multiply, result, out, _) in PRODUCTS.items()))
    return path


@pytest.mark.parametrize("name", PRODUCTS)
def test_products(products, name):
    rng = np.random.default_rng(1)
    x, y = (rng.integers(-4, 5, (32, 32)).astype(HALF) for _ in "xy")
    bias = rng.integers(-50, 50, 32).astype(FLOAT)
    out, wanted = PRODUCTS[name][2:]
    done = run_kernel(products, x, y, np.concatenate([bias, scale_words()]),
                      Out(NAMES[out].removesuffix("_t"), 1024), soc=SOC, kernel=name)
    check_clean(done)
    want = rows(wanted(x.astype(FLOAT), y.astype(FLOAT), bias), out)
    np.testing.assert_array_equal(done.outputs[0], want.ravel())


def run(tmp_path, body, *parameters, parts="__gm__ half* x, __gm__ half* y, __gm__ float* out"):
    path = tmp_path / "k.cpp"
    path.write_text(f'{HEAD}extern "C" __global__ __cube__ void k({parts}) {{\n  asc_init();\n{body}\n}}\n')
    done = run_kernel(path, *parameters, soc=SOC)
    return done


def columns_first(weights):
    """K x 16 as L0B has it: fractals of 16 rows, each column after column."""
    return np.ascontiguousarray(weights.reshape(-1, 16, 16).transpose(0, 2, 1))


def patches(image, size, pad):
    """The rows of a convolution's left matrix, of a square window, step 1."""
    padded = np.full((image.shape[0] + 2, image.shape[1] + 2, image.shape[2]), pad, image.dtype)
    padded[1:-1, 1:-1] = image
    places = range(padded.shape[0] - size + 1)
    return np.stack([padded[i:i + size, j:j + size].ravel() for i in places for j in places])


@pytest.mark.parametrize("config, mode", [("asc_set_l13d_fmatrix", "false"),
                                          ("asc_set_l13d_fmatrix_b", "true")])
def test_3d_loads(tmp_path, config, mode):
    """A 4 x 4 image of 16 channels, a ring of 7 around it, windows of 3 x 3."""
    rng = np.random.default_rng(2)
    image = rng.integers(-3, 4, (4, 4, 16)).astype(HALF)
    weights = rng.integers(-3, 4, (144, 16)).astype(HALF)
    done = run(tmp_path, f"""
  __cbuf__ half image[256], weights[144 * 16]; __ca__ half a[16 * 144]; __cb__ half b[144 * 16];
  __cc__ float c[256];
  asc_copy_gm2l1((__cbuf__ void*)image, (__gm__ void*)x, 1, 16, 0, 0);
  asc_copy_gm2l1_sync((__cbuf__ void*)weights, (__gm__ void*)y, 144 * 32);
  asc_l13d_fmatrix_config map; map.l1_height = 4; map.l1_width = 4;
  map.padding_left_size = map.padding_right_size = map.padding_top_size = map.padding_bottom_size = 1;
  {config}(map);
  asc_set_l13d_padding(half(7));
  asc_set_l13d_size(0);
  asc_load3d_v2_config repeats; asc_set_l13d_rpt(repeats);
  asc_copy_l12l0a(a, image, 144, 16, 0, 0, 1, 1, 3, 3, 1, 1, false, false, false, {mode}, 16);
  asc_copy_l12l0b_sync(b, weights, 0, 9, 1, 0);
  asc_mmad_sync(c, a, b, 16, 144, 16, 0, false, false, true);
  asc_set_l0c_copy_params(1, 0, 0);
  asc_copy_l0c2gm(out, c, 16, 16, 16, 16, 0, NoQuant, 0, false, true);""",
               image, columns_first(weights), Out("float", 16, 16))
    check_clean(done)
    want = patches(image.astype(FLOAT), 3, 7) @ weights.astype(FLOAT)
    np.testing.assert_array_equal(done.outputs[0], want)


def test_loads_from_gm_and_values(tmp_path):
    """A of 16 x 32 by fractals from GM, its second half ones; B of fractals, by way of L1."""
    rng = np.random.default_rng(3)
    x, y = rng.integers(-4, 5, (2, 16, 16)).astype(HALF), rng.integers(-4, 5, (48, 16)).astype(HALF)
    done = run(tmp_path, """
  __cbuf__ half b1[512]; __ca__ half a[512]; __cb__ half b[512]; __cc__ float c[256];
  asc_copy_gm2l0a(a, x, 1, 1, 0, 0);
  asc_fill_value_config ones; ones.repeat = 1; ones.blk_num = 1; ones.dst_gap = 0;
  asc_fill_l0a(a + 256, half(1), ones);
  asc_fill_value_config zeros; zeros.repeat = 2; zeros.blk_num = 1; zeros.dst_gap = 0;
  asc_fill_l0b(b, uint32_t(0), zeros);
  asc_copy_gm2l1_sync(b1, y, 1, 2, 1, 0);
  asc_copy_l12l0b_sync(b, b1, 0, 2, 1, 0);
  asc_copy_gm2l0b_sync(b + 256, y, 0, 1, 0, 0);
  asc_mmad_sync(c, a, b, 16, 32, 16, 0, false, false, true);
  asc_set_l0c_copy_params(1, 0, 0);
  asc_copy_l0c2gm(out, c, 16, 16, 16, 16, 0, NoQuant, 0, false, true);""",
               x, columns_first(y), Out("float", 16, 16))
    check_clean(done)
    a = np.concatenate([x[1], np.ones((16, 16))], 1)
    want = a @ np.concatenate([y[16:32], y[:16]])
    np.testing.assert_array_equal(done.outputs[0], want.astype(FLOAT))


@pytest.mark.parametrize("kind, value, want", [
    ("half", "half(1.5)", np.full(128, 1.5, HALF)), ("float", "uint32_t(0x3F800000)", np.ones(64, FLOAT)),
    ("int16_t", "half(1)", np.full(128, 0x3C00, np.int16)),
    ("bfloat16_t", "bfloat16_t(1.0f)", np.full(128, 0x3F80, np.uint16)),
    ("uint16_t", "uint32_t(0x00020001)", np.tile([1, 2], 64).astype(np.uint16))])
def test_the_bits_of_a_value_fill_l1(tmp_path, kind, value, want):
    done = run(tmp_path, f"""
  __cbuf__ {kind} l1[256 / sizeof({kind})];
  asc_fill_value_config config; config.repeat = 2; config.blk_num = 4; config.dst_gap = 0;
  asc_fill_l1_sync(l1, {value}, config);
  asc_copy_l12gm((__gm__ void*)out, (__cbuf__ void*)l1, 1, 8, 0, 0);""",
               Out("uint8", 256), parts="__gm__ uint8_t* out")
    check_clean(done)
    np.testing.assert_array_equal(done.outputs[0], want.view(BYTE))


def test_integers_and_transposed_loads(tmp_path):
    """32 x 32 by 32 x 16 in int8, each loaded from what stands transposed; scaled to half."""
    rng = np.random.default_rng(4)
    x, y = rng.integers(-9, 9, (32, 32)).astype(CHAR), rng.integers(-9, 9, (32, 32)).astype(CHAR)
    done = run(tmp_path, """
  __cbuf__ int8_t a1[1024], b1[1024]; __ca__ int8_t a[1024]; __cb__ int8_t b[1024];
  __cc__ int32_t c[1024];
  asc_copy_gm2l1((__cbuf__ void*)a1, (__gm__ void*)x, 1024);
  asc_copy_gm2l1_sync((__cbuf__ void*)b1, (__gm__ void*)y, 1024);
  asc_copy_l12l0a_trans(a, a1, 0, 1, 1, 0, false, 0);
  asc_copy_l12l0b_trans_sync(b, b1, 0, 1, 1, 0, false, 0);
  asc_mmad_sync(c, a, b, 32, 32, 32, 0, false, false, true);
  asc_set_l0c_copy_params(1, 0, 0); asc_set_l0c_copy_prequant(SCALE_HALF);
  asc_copy_l0c2gm(out, c, 32, 32, 32, 32, 0, DEQF16, 0, false, true);""", x, y, Out("half", 32, 32),
               parts="__gm__ int8_t* x, __gm__ int8_t* y, __gm__ half* out")
    check_clean(done)
    want = (x.T.astype(INT) @ y.astype(INT)) * 0.5
    np.testing.assert_array_equal(done.outputs[0], want.astype(HALF))


def compressed(weights):
    """Of each four rows the two that are not 0, and 2 bits for each: the first among the first three,
    the second among the last three."""
    rows, columns = weights.shape
    packed, index = np.zeros((rows // 2, columns), CHAR), np.zeros((rows // 2, columns), int)
    for column in range(columns):
        for four in range(rows // 4):
            first, second = np.flatnonzero(weights[4 * four:4 * four + 4, column])
            packed[2 * four:2 * four + 2, column] = weights[[4 * four + first, 4 * four + second],
                                                            column]
            index[2 * four:2 * four + 2, column] = first, second - 1
    return packed, index


def test_compressed_weights(tmp_path):
    rng = np.random.default_rng(5)
    x = rng.integers(-9, 10, (16, 64)).astype(CHAR)
    weights = np.zeros((64, 16), CHAR)
    for column in range(16):
        for four in range(16):
            weights[4 * four + rng.permutation(4)[:2], column] = rng.integers(1, 9, 2)
    packed, index = compressed(weights)
    bits = np.ascontiguousarray(index.T).reshape(16, 8, 4)
    bytes_of_index = (bits << [0, 2, 4, 6]).sum(2).astype(CHAR)
    done = run(tmp_path, """
  __cbuf__ int8_t a1[1024], b1[512], index1[128]; __ca__ int8_t a[1024]; __cb__ int8_t b[512];
  __cc__ int32_t c[256];
  asc_copy_gm2l1_nd2nz(a1, x, 1, 16, 64, 0, 64, 16, 1, 0);
  asc_copy_gm2l1((__cbuf__ void*)b1, (__gm__ void*)y, 512);
  asc_copy_gm2l1_sync((__cbuf__ void*)index1, (__gm__ void*)index, 128);
  asc_copy_l12l0a(a, a1, 0, 2, 1, 0);
  asc_copy_l12l0b_sparse_sync(b, b1, index1, 0, 1);
  asc_mmad_sparse_sync(c, a, b, 16, 64, 16, 0, false, true);
  asc_set_l0c_copy_params(1, 0, 0);
  asc_copy_l0c2gm(out, c, 16, 16, 16, 16, 0, NoQuant, 0, false, true);""",
               x, np.ascontiguousarray(packed.T), bytes_of_index, Out("int32", 16, 16),
               parts="__gm__ int8_t* x, __gm__ int8_t* y, __gm__ int8_t* index, __gm__ int32_t* out")
    check_clean(done)
    np.testing.assert_array_equal(done.outputs[0], x.astype(INT) @ weights.astype(INT))


@pytest.mark.parametrize("kind, dtype", [("float", FLOAT), ("half", HALF)])
def test_bursts_into_l0c(tmp_path, kind, dtype):
    """Two calls, each two datablocks of three, into every other place of two."""
    x = np.random.default_rng(3).integers(1, 100, 6144 // dtype().nbytes).astype(dtype)
    done = run(tmp_path, f"""
  __cbuf__ {kind} l1[6144 / sizeof({kind})]; __cc__ float c[1024];
  asc_copy_gm2l1_sync((__cbuf__ void*)l1, (__gm__ void*)x, 6144);
  asc_copy_l12l0c((__cc__ {kind}*)c, l1, 32, 2, 1, 2);
  asc_copy_l12l0c_sync((__cc__ {kind}*)(c + 16), l1 + 3072 / sizeof({kind}), 32, 2, 1, 2);
  asc_copy_l0c2gm(out, c, 32, 32, 64, 32, 0, NoQuant, 0, false, false);""", x, Out("float", 1024),
               parts=f"__gm__ {kind}* x, __gm__ float* out")
    check_clean(done)
    want = x.view(BYTE).reshape(2, 32, 3, 32)[:, :, :2].transpose(1, 0, 2, 3)
    np.testing.assert_array_equal(done.outputs[0].view(BYTE), want.ravel())


def test_images(tmp_path):
    """A row of grey pixels, four channels each, between two of padding."""
    x = np.arange(64, dtype=BYTE)
    done = run(tmp_path, """
  __cbuf__ int8_t l1[1024];
  AscendC::GlobalTensor<uint8_t> image; image.SetGlobalBuffer(x);
  AscendC::AippParams<int8_t> params;
  params.cPaddingParams.cPaddingMode = 1;
  AscendC::SetAippFunctions(image, AscendC::AippInputFormat::YUV400_U8, params);
  asc_load_image_to_cbuf_sync(l1, 8, 2, 4, 2, 16, 0, 0, 0, 0);
  asc_copy_l12gm((__gm__ void*)out, (__cbuf__ void*)l1, 1, 2, 0, 0);""", x, Out("int8", 64),
               parts="__gm__ uint8_t* x, __gm__ int8_t* out")
    check_clean(done)
    np.testing.assert_array_equal(done.outputs[0].reshape(2, 8, 4)[..., 0],
                                  x.reshape(4, 16)[2:, 4:12])


FAULTS = [
    ("asc_copy_l12l0a(a, a1, 0, 256, 1, 0);", "V2001"),
    ("asc_copy_l12l0b_trans(b, a1, 0, 1, 1, 0, true, 0);", "V2001"),
    ("asc_mmad(c, a, b, 5000, 16, 16, 0, false, false, true);", "V2001"),
    ("asc_mmad(c, a, b, 16, 16, 16, 0, 3, 0, false, false, false, true);", "V2001"),
    ("asc_mmad(c, a, b, 16, 16, 16, 0, 0, 0, false, true, false, true);", "V2001"),
    ("asc_copy_l0c2gm(out, c, 16, 16, 16, 16, 0, QF322B8_PRE, 0, false, true);", "V2004"),
    ("asc_copy_l0c2gm(out, c, 16, 16, 16, 16, 0, NoQuant, 2, false, true);", "V2001"),
    ("asc_set_l0c2gm_config(64, 0, false);", "V2004"),
    ("asc_enable_hf32_trans(2);", "V2001"),
    ("asc_copy_gm2l1((__cbuf__ void*)a1, (__gm__ void*)out, 1, 40000, 0, 0);", "V1003"),
    ("asc_copy_l12fb((__fbuf__ void*)f, (__cbuf__ void*)a1, 1, 60, 0, 0);", "V1002"),
    ("__cbuf__ half more[300000];", "V1006"),
    ("asc_copy_l12l0c((__cc__ half*)c, a1, 5000, 1, 0, 0);", "V2001"),
    ("asc_copy_l12l0c((__cc__ half*)c, a1, 4096, 0, 0, 0);", "V2001"),
    ("asc_copy_l12l0c((__cc__ half*)c + 16, a1, 1, 1, 0, 0);", "V1004"),
    ("asc_copy_l12l0c((__cc__ half*)c, a1, 2, 2000, 0, 3000);", "V1002"),
    ("asc_copy_l12l0c((__cc__ half*)c, (__cbuf__ float*)a1, 1, 1, 0, 0);", "V7001"),
    ("asc_copy_l12l0c((__cc__ bfloat16_t*)c, (__cbuf__ float*)a1, 1, 1, 0, 0);", "V7001"),
]


@pytest.mark.parametrize("bursts, length", [(0, 1), (1, 0), (4095, 0)])
def test_no_bursts_and_empty_ones_into_l0c(tmp_path, bursts, length):
    done = run(tmp_path, f"""
  __cbuf__ half a1[16]; __cc__ float c[256];
  asc_copy_l12l0c((__cc__ half*)c, a1, {bursts}, {length}, 0, 0);""", parts="")
    check_clean(done)


@pytest.mark.parametrize("call, code", FAULTS)
def test_a_wrong_argument_is_a_fault(tmp_path, call, code):
    done = run(tmp_path, """
  __cbuf__ half a1[4096]; __ca__ half a[256]; __cb__ half b[256]; __cc__ float c[256];
  __fbuf__ uint64_t f[16];
  """ + call, Out("float", 256, part=True), parts="__gm__ float* out")
    assert done.code != 0 and done.errors[0]["code"] == code, done.stderr
    assert pathlib.Path(done.errors[0]["lines"][0]["file"]).name == "k.cpp"
