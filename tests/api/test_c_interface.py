"""The C interface's vector functions against numpy. Sums, functions and reductions:
tests/program/projects/asc_c_interface; matrices: test_c_interface_matrices.py."""

import pathlib

import numpy as np
import pytest

import harness
from api_kit import write_calls
from harness import Out, Value, check_clean, run_kernel

COUNT = 256
HALF, FLOAT, INT, SHORT = np.float16, np.float32, np.int32, np.int16
CHAR, BYTE, WORD, DWORD = np.int8, np.uint8, np.uint16, np.uint32
NAMES = {HALF: "half", FLOAT: "float", INT: "int32_t", SHORT: "int16_t", CHAR: "int8_t",
         BYTE: "uint8_t", WORD: "uint16_t", DWORD: "uint32_t"}


class Case:
    """`call` with sources a and b, of one type, and destination c; what it makes of them by numpy:
    the first numbers of c, while the others stay. All have 256 elements."""

    def __init__(self, call, wanted, source, result=None):
        self.call, self.wanted, self.source, self.result = call, wanted, source, result or source

    @staticmethod
    def numbers(dtype, seed):
        low = 0 if np.dtype(dtype).kind == "u" else -9
        return np.random.default_rng(seed).integers(low, 9, COUNT).astype(dtype)

    @property
    def kernel(self):
        return f"{NAMES[self.source]}_to_{NAMES[self.result]}"


def bits(truth):
    return np.packbits(truth, bitorder="little")


ONES = "1, 1, 1, 8, 8, 8"
COMPARISONS = {"eq": np.equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal,
               "gt": np.greater, "ge": np.greater_equal}


def comparisons():
    for name, function in COMPARISONS.items():
        for dtype, repeats in ((HALF, 2), (FLOAT, 4)):
            yield Case(f"asc_{name}(c, a, b, {repeats}, {ONES});",
                       lambda x, y, z, f=function: bits(f(x, y)), dtype, BYTE)
            yield Case(f"asc_{name}_scalar_sync(c, a, 2, {repeats}, 1, 1, 8, 8);",
                       lambda x, y, z, f=function: bits(f(x, 2)), dtype, BYTE)
        # The register has one repeat, whatever the call says.
        yield Case(f"asc_{name}_sync(a, b, 9, {ONES}); asc_get_cmp_mask(c);",
                   lambda x, y, z, f=function: bits(f(x, y))[:16], HALF, BYTE)
    yield Case(f"asc_eq(c, a, b, 4, {ONES});", lambda x, y, z: bits(x == y), INT, BYTE)
    yield Case("asc_eq_scalar(c, a, 4, 4, 1, 1, 8, 8);", lambda x, y, z: bits(x == 4), INT, BYTE)
    # Lanes of MASK alone: the register's other bits stay.
    yield Case(f"""__ubuf__ uint16_t ones[16]; asc_duplicate_sync(ones, 0xFFFF, 16);
                   asc_set_cmp_mask(ones); asc_sync_vec();
                   asc_set_vector_mask(0, 0xFF); asc_gt_sync(a, b, 1, {ONES});
                   asc_get_cmp_mask(c);""",
               lambda x, y, z: np.concatenate([bits(x > y)[:1], np.full(15, 255, BYTE)]), HALF, BYTE)


EVEN = np.arange(COUNT) % 2 == 0
SET_EVEN = """__ubuf__ uint16_t even[16]; asc_duplicate_sync(even, 0x5555, 16);
              asc_set_cmp_mask(even); asc_sync_vec(); """


def selections():
    for dtype, repeats in ((HALF, 2), (FLOAT, 4)):
        yield Case(SET_EVEN + "asc_select(c, a, b, 200);",
                   lambda x, y, z: np.where(EVEN, x, y)[:200], dtype)
        yield Case(SET_EVEN + f"asc_select(c, a, b, {repeats}, {ONES});",
                   lambda x, y, z: np.where(EVEN, x, y), dtype)
    yield Case(f"asc_lt_sync(a, b, 1, {ONES}); asc_select_sync(c, a, b, 128);",
               lambda x, y, z: np.minimum(x, y)[:128], HALF)


def at(offset):
    """Offsets in UB that scalar code writes."""
    return f"""__ubuf__ uint32_t at[256]; for (uint32_t i = 0; i < 256; ++i) at[i] = {offset};
               asc_sync_notify(PIPE_S, PIPE_V, 0); asc_sync_wait(PIPE_S, PIPE_V, EVENT_ID0); """


def gathers():
    for dtype in (HALF, SHORT, WORD, INT, DWORD, FLOAT):
        size = np.dtype(dtype).itemsize
        yield Case(at(f"(255 - i) * {size}") + "asc_gather(c, a, at, 200);",
                   lambda x, y, z: x[::-1][:200], dtype)
        yield Case(at(f"(255 - i) * {size}") + f"asc_gather_sync(c, a, at, 8, {size});",
                   lambda x, y, z: x[::-1], dtype)
    yield Case(at("(7 - i) * 32") + "asc_gather_datablock(c, a, at, 0, 2, 1);",
               lambda x, y, z: np.stack([x.reshape(16, 16)[7::-1], z.reshape(16, 16)[1::2]],
                                        1).ravel(), WORD)
    # What bits choose, and how many.
    yield Case("""asc_reduce_sync(c, a, b, 200); int64_t n = asc_get_rsvd_count();
                  asc_duplicate(c + 240, uint16_t(n), 16);""", chosen, WORD)
    yield Case("asc_reduce(c, a, b, 4, 1, 5, 8, 0);", lambda x, y, z: x[2::4], DWORD)
    yield Case("asc_reduce(c, a, b, 4, 1, 0, 8, 1);",
               lambda x, y, z: x[unpacked(y.reshape(-1, 8)[:4, :2].ravel(), 256)], DWORD)


def unpacked(words, count):
    return np.unpackbits(words.view(BYTE), bitorder="little")[:count].astype(bool)


def chosen(x, y, z):
    some = x[:200][unpacked(y, 200)]
    return np.concatenate([some, z[len(some):240], np.full(16, len(some), WORD)])


def pairs(scores, order):
    """What a sort leaves: each score with its index."""
    words = np.zeros((len(order), 2), DWORD)
    words[:, 0], words[:, 1] = scores[order].view(DWORD), order
    return words.ravel().view(FLOAT)


def sorted_runs(x, length, runs):
    return [k * length + np.argsort(-x[k * length:][:length], kind="stable") for k in range(runs)]


SORT = at("i") + "asc_bitsort_sync(b, a, at, 4); "
QUEUES = "__ubuf__ float* queues[4]; for (int i = 0; i < 4; ++i) queues[i] = b + i * 64; "


def sorts():
    yield Case(at("i") + "asc_bitsort(c, a, at, 4);",
               lambda x, y, z: pairs(x, np.concatenate(sorted_runs(x, 32, 4))), FLOAT)
    # Of equal scores the first queue's comes first.
    yield Case(SORT + QUEUES + "asc_mrgsort4(c, queues, 1, 32, 32, 32, 32, false, 15);",
               lambda x, y, z: pairs(x, np.argsort(-x[:128], kind="stable")), FLOAT)
    yield Case(SORT + "__ubuf__ float* queues[4]; queues[0] = b; queues[1] = b + 64;"
               "asc_mrgsort4_sync(c, queues, 1, 32, 32, 0, 0, false, 3);",
               lambda x, y, z: pairs(x, np.argsort(-x[:64], kind="stable")), FLOAT)
    # 16 against 100: the first queue is exhausted when its last is taken.
    yield Case("""asc_duplicate(a, 5.0f, 64); asc_duplicate(b, 1.0f, 128); asc_sync_vec();
                  __ubuf__ float* queues[4] = {a, b, b, b};
                  asc_mrgsort4_sync(c, queues, 1, 16, 32, 0, 0, true, 3);
                  uint16_t taken[ASC_C_API_MRGSORT_ELEMENT_LEN]; asc_get_vms4_sr(taken);
                  asc_duplicate(c, float(taken[0] * 100 + taken[1]), 256);""",
               lambda x, y, z: np.full(256, 1600, FLOAT), FLOAT)


def lists(name, step):
    """Sixteen datablocks of either side, one behind the other."""
    return f"""__ubuf__ {name}* to[16]; __ubuf__ {name}* from[16];
               for (int i = 0; i < 16; ++i) {{ to[i] = c + i * {step}; from[i] = a + i * {step}; }}
               asc_set_va_reg(VA4, to); asc_set_va_reg(VA5, to + 8);
               asc_set_va_reg(VA0, from); asc_set_va_reg(VA1, from + 8); """


def halves_of_words(x, y, z):
    """Sixteen blocks of 8 words: the two halves of the blocks, each transposed."""
    blocks = x[:128].reshape(2, 8, 8)
    return np.stack([blocks[0].T, blocks[1].T], 1).reshape(-1)


def bytes_across(x, y, z):
    """The upper halves of sixteen blocks of 16 bytes to the lower ones; blocks overlap otherwise."""
    want = z.reshape(16, 16).copy()
    want[:] = x.reshape(16, 16).T
    return want.ravel()


def moves():
    yield Case("asc_copy(c, a, 90);", lambda x, y, z: x[:90], WORD)
    yield Case("asc_set_vector_mask(0, 0xFF); asc_copy(c, a, 4, 1, 1, 8, 8);",
               lambda x, y, z: np.where(np.arange(COUNT) % 64 < 8, x, z), INT)
    for dtype in (SHORT, WORD):
        yield Case("asc_transpose(c, a);", lambda x, y, z: x.reshape(16, 16).T.ravel(), dtype)
    yield Case(lists("half", 16) + "asc_transto5hd_b16(VA4, VA0, 1, 0, 0);",
               lambda x, y, z: x.reshape(16, 16).T.ravel(), HALF)
    yield Case(lists("float", 8) + "asc_transto5hd_b32_sync(VA4, VA0, 1, 0, 0);",
               halves_of_words, FLOAT)
    yield Case("""for (int i = 0; i < 256; ++i) c[i] = 7; asc_sync();
                  __ubuf__ int8_t wide[1024]; __ubuf__ int8_t* to[16]; __ubuf__ int8_t* from[16];
                  for (int i = 0; i < 16; ++i) { from[i] = wide + 32 * i; to[i] = wide + 512 + 32 * i; }
                  for (int i = 0; i < 256; ++i) wide[i / 16 * 32 + 16 + i % 16] = a[i];
                  asc_sync(); asc_set_va_reg(VA0, from); asc_set_va_reg(VA1, from + 8);
                  asc_set_va_reg(VA6, to); asc_set_va_reg(VA7, to + 8);
                  asc_transto5hd_b8_sync(VA6, VA0, 1, 0, 0, false, true);
                  for (int i = 0; i < 256; ++i) c[i] = wide[512 + i / 16 * 32 + i % 16];""",
               lambda x, y, z: x.reshape(16, 16).T.ravel(), CHAR)


def upper_halves(scale, offset, dtype):
    """Of each datablock of c the upper half has results, in order."""
    info = np.iinfo(dtype)

    def want(x, y, z):
        numbers = np.clip(np.rint(x[:128] * FLOAT(scale)) + offset, info.min, info.max)
        blocks = z.reshape(-1, 2, 16).copy()
        blocks[:, 1] = numbers.astype(dtype).reshape(-1, 16)
        return blocks.ravel()
    return want


def converted(x, y, z):
    return np.clip(np.maximum(x + y, 0), 0, 127).astype(CHAR)


TABLE = """__ubuf__ uint64_t table[16]; float scales[ASC_VDEQ_SIZE]; int16_t offsets[ASC_VDEQ_SIZE];
           bool signs[ASC_VDEQ_SIZE];
           for (int i = 0; i < 16; ++i) { scales[i] = 1 + i; offsets[i] = -i; signs[i] = true; }
           asc_set_deq_scale(table, scales, offsets, signs); asc_sync(); """


def by_lane(x, y, z):
    """A scale and an offset for each of 16 lanes, into lower halves."""
    lane = np.arange(128) % 16
    blocks = z.reshape(-1, 2, 16).copy()
    blocks[:, 0] = np.clip(x[:128] * (lane + 1) - lane, -128, 127).reshape(-1, 16)
    return blocks.ravel()


def conversions():
    for dtype, sign in ((CHAR, "true"), (BYTE, "false")):
        yield Case(f"asc_set_deq_scale(0.5f, 3, {sign}); asc_deq_int162b8_h(c, a, 128);",
                   upper_halves(0.5, 3, dtype), SHORT, dtype)
    yield Case("asc_set_deq_scale(2.0f, 0, true); asc_deq_int162b8_h_sync(c, a, 1, 1, 1, 8, 8);",
               upper_halves(2, 0, CHAR), SHORT, CHAR)
    yield Case(TABLE + "asc_vdeq_int162b8_l(c, a, 128);", by_lane, SHORT, CHAR)
    yield Case("asc_set_deq_scale(2.0); asc_deq_int322half(c, a, 200);",
               lambda x, y, z: (x * 2).astype(HALF)[:200], INT, HALF)
    yield Case("asc_set_deq_scale(half(0.5)); asc_deq_int322half(c, a, 4, 1, 1, 4, 8);",
               lambda x, y, z: (x * 0.5).astype(HALF), INT, HALF)
    yield Case("asc_add_relu(c, a, b, 256);", converted, SHORT, CHAR)
    yield Case("asc_add_relu_sync(c, a, b, 256);", converted, HALF, CHAR)
    yield Case("asc_sub_relu(c, a, b, 200);",
               lambda x, y, z: np.maximum(x - y, 0).astype(HALF)[:200], FLOAT, HALF)
    # 4 bits, two to a byte, the first in the low ones.
    yield Case("asc_half2int4_rz((__ubuf__ int4b_t*)c, a, 128);",
               lambda x, y, z: nibbles(np.clip(x[:128], -8, 7)), HALF, CHAR)
    yield Case("asc_int42half(c, (__ubuf__ int4b_t*)a, 256);",
               lambda x, y, z: np.stack([(x[:128] << 4).astype(CHAR) >> 4, x[:128] >> 4],
                                        1).ravel().astype(HALF), CHAR, HALF)


def nibbles(x):
    x = x.astype(INT) & 15
    return (x[::2] | x[1::2] << 4).astype(BYTE).view(CHAR)


def scalars():
    yield Case("asc_sub_scalar(c, a, 3, 200);", lambda x, y, z: x[:200] - 3, INT)
    yield Case("asc_sub_scalar_sync(c, a, 0.5f, 200);", lambda x, y, z: x[:200] - FLOAT(0.5), FLOAT)
    yield Case("asc_sub_scalar(c, a, half(3), 2, 1, 1, 8, 8);", lambda x, y, z: x - HALF(3), HALF)
    yield Case("asc_sub_scalar(c, a, int16_t(-3), 200);", lambda x, y, z: x[:200] + 3, SHORT)
    # Bit 53 of CTRL makes integers clamp, bit 56 is Counter mode.
    yield Case("""asc_set_ctrl(asc_get_ctrl() | 1ull << 53); asc_duplicate_sync(c, 32000, 256);
                  asc_add_scalar_sync(c, c, 1000, 200);
                  asc_set_ctrl(asc_get_ctrl() & ~(1ull << 53));""",
               lambda x, y, z: np.where(np.arange(COUNT) < 200, 32767, 32000), SHORT)
    yield Case("""asc_set_ctrl(asc_get_ctrl() | 1ull << 56); asc_set_vector_mask(0, 70);
                  asc_add(c, a, b, 1, 1, 1, 1, 8, 8, 8);
                  bool counts = asc_get_ctrl() >> 56 & 1; asc_set_mask_norm();
                  asc_set_vector_mask(~0ull, ~0ull); asc_sync_vec();
                  asc_duplicate(c + 128, int32_t(counts) + int32_t(asc_get_ctrl() >> 56 & 1), 8);""",
               lambda x, y, z: np.concatenate([(x + y)[:70], z[70:128], np.full(8, 1)]), INT)
    # Copies into GM add as the number of a type says.
    yield Case("""asc_store_atomic_config config; asc_set_store_atomic_config_v1(4, 0);
                  asc_get_store_atomic_config(config); int32_t set = config.atomic_type;
                  asc_set_store_atomic_config_v1(0, 0); asc_get_store_atomic_config(config);
                  asc_duplicate(c, set * 10 + int32_t(config.atomic_type + config.atomic_op), 8);""",
               lambda x, y, z: np.full(8, 40), INT)
    # Values beside bursts.
    yield Case("""asc_set_copy_pad_val(int32_t(77)); asc_duplicate_sync(c, 5, 256);
                  asc_copy_gm2ub_align_sync(c, x, 2, 6 * 4, 1, 1, 2 * 4, 1);""",
               lambda x, y, z: np.concatenate([[77], x[:6], [77], [5] * 8, [77], x[8:14], [77],
                                               [5] * 232]), INT)


CASES = [*comparisons(), *selections(), *gathers(), *sorts(), *moves(), *conversions(), *scalars()]

HEAD = '#include "c_api/asc_simd.h"\n'
KERNEL = """
extern "C" __global__ __vector__ void {name}(__gm__ {src}* x, __gm__ {src}* y, __gm__ {dst}* z,
                                             __gm__ {dst}* out, int32_t which) {{
  asc_init();
  __ubuf__ {src} a[256], b[256];
  __ubuf__ {dst} c[256];
  asc_copy_gm2ub(a, x, 256 * sizeof({src}));
  asc_copy_gm2ub(b, y, 256 * sizeof({src}));
  asc_copy_gm2ub_sync(c, z, 256 * sizeof({dst}));
  switch (which) {{
{calls}
  }}
  asc_set_vector_mask(~0ull, ~0ull);
  asc_sync();
  asc_copy_ub2gm(out, c, 256 * sizeof({dst}));
}}
"""


@pytest.fixture(scope="module", name="source")
def source_of_all(tmp_path_factory):
    return write_calls(tmp_path_factory.mktemp("c_interface") / "k.cpp", HEAD, KERNEL, CASES)


@pytest.mark.parametrize("number", range(len(CASES)),
                         ids=[case.call.split("asc_")[-1].split("(")[0] for case in CASES])
def test_calls(source, number):
    case = CASES[number]
    x, y, z = case.numbers(case.source, 1), case.numbers(case.source, 2), case.numbers(case.result, 3)
    done = run_kernel(source, x, y, z, Out(NAMES[case.result].removesuffix("_t"), COUNT),
                      Value("int32", number), soc="Ascend910B1", kernel=case.kernel)
    check_clean(done)
    want = np.asarray(case.wanted(x, y, z)).astype(case.result)
    np.testing.assert_array_equal(done.outputs[0], np.concatenate([want, z[len(want):]]))


def test_places_in_ub_and_variables_of_a_structure(tmp_path):
    """Either by their offset, or as members of one variable: `{}` makes it."""
    path = tmp_path / "k.cpp"
    path.write_text(HEAD + """
extern "C" __global__ __vector__ void places(__gm__ float* x, __gm__ float* out) {
  asc_init();
  auto a = (__ubuf__ float*)asc_get_phy_buf_addr(0);
  auto b = (__ubuf__ float*)asc_get_phy_buf_addr(1024);
  asc_copy_gm2ub_sync(a, x, 1024);
  asc_add_scalar_sync(b, a, 1.0f, 256);
  asc_copy_ub2gm(out, b, 1024);
}
struct Buffers { float a[256]; float b[256]; };
extern "C" __global__ __vector__ void members(__gm__ float* x, __gm__ float* out) {
  asc_init();
  __ubuf__ Buffers buffers{};
  asc_copy_gm2ub_sync(buffers.a, x, 1024);
  asc_add_scalar_sync(buffers.b, buffers.a, 1.0f, 256);
  asc_copy_ub2gm(out, buffers.b, 1024);
}
""")
    x = np.arange(256, dtype=FLOAT)
    for kernel in ("places", "members"):
        done = run_kernel(path, x, Out("float", 256), soc="Ascend910B1", kernel=kernel)
        check_clean(done)
        np.testing.assert_array_equal(done.outputs[0], x + 1)


def test_what_is_not_there_is_at_address_0(tmp_path):
    path = tmp_path / "k.cpp"
    path.write_text(HEAD + """
extern "C" __global__ __vector__ void places(__gm__ int64_t* out) {
  asc_init();
  out[0] = asc_get_phy_stack_base();
  out[1] = asc_get_sys_virtual_base();
  out[2] = asc_get_smmu_tag_version();
  out[3] = asc_get_ffts_base_addr();
}
""")
    done = run_kernel(path, Out("int64", 4), soc="Ascend910B1", kernel="places")
    check_clean(done)
    assert not done.outputs[0].any()


FAULTS = [
    ("asc_eq(bytes, words, words, 1, 1, 1, 1, 8, 8, 8);", "V6002"),
    ("asc_gt(bytes, ints, ints, 1, 1, 1, 1, 8, 8, 8);", "V6002"),
    ("asc_lt(bytes + 1, halves, halves, 1, 1, 1, 1, 8, 8, 8);", "V1004"),
    ("asc_select(ints, ints, halves_as_ints, 300, 1, 1, 1, 8, 8, 8);", "V2001"),
    ("asc_gather(ints, ints, offsets, 70000);", "V1002"),
    ("asc_bitsort(floats, floats + 64, offsets, 300);", "V2001"),
    ("float* none = nullptr; __ubuf__ float* queues[4] = {floats, floats, none, none};"
     "asc_mrgsort4(floats + 128, queues, 1, 8, 8, 0, 0, false, 5);", "V2001"),
    ("asc_transto5hd_b16(VA0, VA2, 1, 0, 0);", "V2004"),
    ("asc_transto5hd_b16(VA7, VA7, 1, 0, 0);", "V2004"),
    ("asc_reduce(words, words, words, 1, 1, 8, 8, 8);", "V2001"),
    ("asc_deq_int162b8_h(bytes, shorts, 32);", "V2004"),
    ("asc_set_ctrl(asc_get_ctrl() | 1);", "V2001"),
    ("asc_set_store_atomic_config_v1(7, 0);", "V2001"),
    ("asc_set_store_atomic_config_v1(1, 2);", "V2001"),
    ("asc_add(floats, ints_as_floats, floats, 300, 1, 1, 1, 8, 8, 8);", "V2001"),
    ("asc_copy(bytes, bytes, 32);", "V6002"),
]


def test_doubles_leave_ub_as_they_are(tmp_path):
    path = tmp_path / "k.cpp"
    path.write_text(HEAD + """
extern "C" __global__ __vector__ void k(__gm__ int32_t* x, __gm__ int32_t* out) {
  asc_init();
  __ubuf__ int32_t a[256];
  asc_copy_gm2ub_sync(a, x, 1024);
  asc_copy_ub2gm_align_sync((__gm__ double*)out, (__ubuf__ double*)a, 2, 24, 0, 0, 0, 0);
}
""")
    x = np.arange(256, dtype=np.int32)
    done = harness.run_kernel(path, x, Out("int32", 12), soc="Ascend910B1")
    harness.check_clean(done)
    assert list(done.outputs[0]) == [*x[:6], *x[8:14]]


@pytest.mark.parametrize("call, code", FAULTS)
def test_a_wrong_argument_is_a_fault(call, code, tmp_path):
    path = tmp_path / "k.cpp"
    path.write_text(HEAD + """
extern "C" __global__ __vector__ void k(__gm__ float* out) {
  asc_init();
  __ubuf__ float floats[1024]; __ubuf__ half halves[1024]; __ubuf__ int32_t ints[1024];
  __ubuf__ uint16_t words[1024]; __ubuf__ int16_t shorts[1024]; __ubuf__ uint8_t bytes[1024];
  __ubuf__ uint32_t offsets[1024];
  auto ints_as_floats = (__ubuf__ float*)ints; auto halves_as_ints = (__ubuf__ int32_t*)halves;
  asc_duplicate(floats, 1.0f, 1024); asc_duplicate(halves, half(1), 1024);
  asc_duplicate(ints, 1, 1024); asc_duplicate(words, 1, 1024); asc_duplicate(shorts, 1, 1024);
  asc_duplicate((__ubuf__ int32_t*)bytes, 1, 256); asc_duplicate(offsets, 0, 1024); asc_sync();
  """ + call + "\n}\n")
    done = harness.run_kernel(path, Out("float", 8, part=True), soc="Ascend910B1")
    assert done.code != 0 and done.errors[0]["code"] == code, done.stderr
    assert pathlib.Path(done.errors[0]["lines"][0]["file"]).name == "k.cpp"
