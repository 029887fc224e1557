"""Vector instructions by their small names, on pointers into UB, against numpy."""

import numpy as np
import pytest

from api_kit import write_calls
from harness import Out, Value, check_clean, run_kernel

COUNT = 128
HALF, FLOAT, INT, SHORT, WORD, BYTE = (np.float16, np.float32, np.int32, np.int16, np.uint16, np.uint8)
CHAR = np.int8
NAMES = {HALF: "half", FLOAT: "float", INT: "int32_t", SHORT: "int16_t", WORD: "uint16_t", BYTE: "uint8_t",
         CHAR: "int8_t"}


class Case:
    """`call` with sources a and b, of one type, and destination c; what it makes of them by numpy."""

    def __init__(self, call, wanted, source, result=None, low=1, high=30, scale=1):
        self.call, self.wanted, self.source, self.result = call, wanted, source, result or source
        self.low, self.high, self.scale = low, high, scale

    def numbers(self, dtype, seed):
        numbers = np.random.default_rng(seed).integers(self.low, self.high, COUNT)
        return (numbers * self.scale).astype(dtype)

    @property
    def kernel(self):
        return f"{NAMES[self.source]}_to_{NAMES[self.result]}"


def binary(name, wanted, dtype=HALF):
    return Case(f"{name}(c, a, b, 1, 1, 1, 1, 8, 8, 8);", lambda x, y, z: wanted(x, y), dtype)


def unary(call, wanted, low=-8, high=8):
    return Case(f"{call}2, 1, 1, 8, 8);", lambda x, y, z: wanted(x), FLOAT, low=low, high=high)


def of_parts(call, wanted):
    """The results of a reduction, and what was there behind them."""
    def all_of_it(x, _, z):
        some = wanted(x)
        return np.concatenate([some, z[len(some):]])
    return Case(call, all_of_it, HALF, low=-9, high=9)


def bits(compare):
    """Those of a comparison, at the start of the destination."""
    def all_of_it(x, y, z):
        some = np.packbits(compare(x, y), bitorder="little")
        whole = z.copy()
        whole.view(np.uint8)[:len(some)] = some
        return whole
    return all_of_it


COMPARISONS = {"lt": np.less, "gt": np.greater, "eq": np.equal, "le": np.less_equal,
               "ge": np.greater_equal, "ne": np.not_equal}


def exact(function):
    return lambda x: function(x.astype(np.float64)).astype(x.dtype)


def conversion(name, source, result, strides, wanted=lambda x: x, low=0, scale=1):
    return Case(f"vconv_{name}(c, a, {strides});", lambda x, y, z: wanted(x).astype(result), source,
                result, low, 100, scale)


def narrowed(call, wanted, source, result, low=-40):
    """A binary instruction whose results are half as wide."""
    limits = np.iinfo(result) if np.issubdtype(result, np.integer) else np.finfo(result)
    return Case(f"{call}(c, a, b, {128 * np.dtype(source).itemsize // 256}, 1, 1, 1, 4, 8, 8);",
                lambda x, y, z: np.clip(wanted(x.astype(float), y.astype(float)), limits.min, limits.max),
                source, result, low=low, high=90)


def int4(mode, function):
    """The lowest 64 bytes have them, two each."""
    def all_of_it(x, _, z):
        four = np.clip(function(x.astype(float)), -8, 7).astype(int) & 15
        return np.concatenate([four[0::2] | four[1::2] << 4, z[64:]])
    return Case(f"vconv_f162s4{mode}((__ubuf__ void*)c, a, 1, 1, 1, 2, 8);", all_of_it, HALF, BYTE, -40, 40,
                0.25)


def dequantised(call, high, scales):
    """Half of each datablock, of which there are four to look at."""
    def all_of_it(x, _, z):
        blocks = z.copy().reshape(4, 2, 16)
        factor, offset = scales
        blocks[:, high] = np.clip(np.rint(x.reshape(8, 16)[:4] * factor) + offset, -128, 127)
        return blocks.ravel()
    return Case(call + "(c, a, 1, 1, 1, 8, 8);", all_of_it, SHORT, CHAR, -300, 300)


def signed_nibbles(x, _, z):
    four = np.stack([x & 15, x >> 4], 1).ravel()[:128].astype(int)
    return np.where(four > 7, four - 16, four)


ROUNDED = {"r": np.rint, "f": np.floor, "c": np.ceil, "z": np.trunc,
           "a": lambda x: np.trunc(x + np.copysign(0.5, x))}
CASES = [
    binary("vadd", np.add), binary("vsub", np.subtract), binary("vmul", np.multiply),
    binary("vmax", np.maximum), binary("vmin", np.minimum), binary("vand", np.bitwise_and, WORD),
    binary("vor", np.bitwise_or, WORD), binary("vdiv", lambda x, y: (x.astype(float) / y).astype(HALF)),
    binary("vaddrelu", lambda x, y: np.maximum(x + y, 0)),
    binary("vsubrelu", lambda x, y: np.maximum(x - y, 0)),
    Case("vmadd(c, a, b, 1, 1, 1, 1, 8, 8, 8);", lambda x, y, z: x * z + y, HALF),
    Case("vaxpy(c, a, 3, 1, 1, 1, 8, 8);", lambda x, y, z: x * HALF(3) + z, HALF),
    unary("vabs(c, a, ", np.abs), unary("vrelu(c, a, ", lambda x: np.maximum(x, 0)),
    unary("vsqrt(c, a, ", exact(np.sqrt), 1), unary("vexp(c, a, ", exact(np.exp)),
    unary("vln(c, a, ", exact(np.log), 1), unary("vadds(c, a, 2, ", lambda x: x + FLOAT(2)),
    unary("vmuls(c, a, 2, ", lambda x: x * FLOAT(2)), unary("vmaxs(c, a, 4, ", lambda x: np.maximum(x, 4)),
    unary("vmins(c, a, 4, ", lambda x: np.minimum(x, 4)),
    unary("vlrelu(c, a, 0.5, ", lambda x: np.where(x > 0, x, x * FLOAT(0.5))),
    unary("vector_dup(c, 7, ", lambda x: np.full_like(x, 7)),
    Case("vshl(c, a, 3, 2, 1, 1, 8, 8);", lambda x, y, z: x << 3, INT, low=-1000, high=1000),
    Case("vshr(c, a, 3, 2, 1, 1, 8, 8);", lambda x, y, z: x >> 3, INT, low=-1000, high=1000),
    of_parts("vcgadd(c, a, 1, 1, 1, 8);", lambda x: x.reshape(8, 16).sum(1)),
    of_parts("vcgmax(c, a, 1, 1, 1, 8);", lambda x: x.reshape(8, 16).max(1)),
    of_parts("vcgmin(c, a, 1, 1, 1, 8);", lambda x: x.reshape(8, 16).min(1)),
    of_parts("vcpadd(c, a, 1, 1, 1, 8);", lambda x: x.reshape(64, 2).sum(1)),
    of_parts("vcadd(c, a, 1, 1, 1, 8);", lambda x: x.sum(keepdims=True)),
    # The sum of all repeats in a register, and dst is nothing.
    *(Case(f"""set_vector_mask(0, {mask}); vcadd({dst}, a, {repeats}, 1, 1, 8, true); set_flag(PIPE_V, PIPE_S, EVENT_ID0);
               wait_flag(PIPE_V, PIPE_S, EVENT_ID0); set_vector_mask(-1, -1); uint64_t sum = {name}();
               vector_dup(c, *reinterpret_cast<float*>(&sum), 2, 1, 1, 8, 8);""",
           lambda x, y, z, lanes=lanes: np.full_like(x, x.reshape(2, 64)[:, lanes].sum()), FLOAT)
      for mask, lanes, dst, repeats, name in
      (("-1", np.s_[:], "nullptr", 2, "GetAccVal"), ("7", np.s_[:3], "c", 2, "get_acc_val"))),
    of_parts("vcmax(c, a, 1, 1, 1, 8, ONLY_VALUE);", lambda x: x.max(keepdims=True)),
    of_parts("vcmin(c, a, 1, 1, 1, 8, ONLY_VALUE);", lambda x: x.min(keepdims=True)),
    of_parts("vcmax(c, a, 1, 1, 1, 8, VALUE_INDEX);",
             lambda x: np.array([x.max(), np.uint16(np.argmax(x)).view(HALF)])),
    of_parts("vcmin(c, a, 1, 1, 1, 8, INDEX_VALUE);",
             lambda x: np.array([np.uint16(np.argmin(x)).view(HALF), x.min()])),
    *(conversion(f"f322s32{mode}", FLOAT, INT, "2, 1, 1, 8, 8", function, -200, 0.25)
      for mode, function in ROUNDED.items()),
    *(conversion(f"f162s32{mode}", HALF, INT, "2, 1, 1, 8, 4", function, -200, 0.25)
      for mode, function in ROUNDED.items()),
    conversion("f162f32", HALF, FLOAT, "2, 1, 1, 8, 4"), conversion("f322f16", FLOAT, HALF, "2, 1, 1, 4, 8"),
    conversion("s322f32", INT, FLOAT, "2, 1, 1, 8, 8"), conversion("u82f16", BYTE, HALF, "1, 1, 1, 8, 4"),
    conversion("f162u8", HALF, BYTE, "1, 1, 1, 4, 8"), conversion("s162f16", SHORT, HALF, "1, 1, 1, 8, 8"),
    *(Case(f"vcmpv_{how}((__ubuf__ uint8_t*)c, a, b, 1, 1, 1, 1, 8, 8, 8);", bits(compare), HALF,
           high=4) for how, compare in COMPARISONS.items()),
    *(Case(f"vcmpvs_{how}((__ubuf__ uint8_t*)c, a, 2, 2, 1, 1, 8, 8);",
           bits(lambda x, _, compare=compare: compare(x, 2)), FLOAT, high=4)
      for how, compare in COMPARISONS.items()),
    *(Case(f"vcmp_{how}(a, b, 1, 1, 1, 1, 8, 8, 8); vsel(c, a, b, 1, 1, 1, 1, 8, 8, 8);",
           lambda x, y, z, compare=compare: np.where(compare(x, y), x, y), HALF, high=4)
      for how, compare in COMPARISONS.items()),
    Case("vcmp_lt(a, b, 1, 1, 1, 1, 8, 8, 8); vsel(c, a, b, 1, 1, 1, 1, 8, 8, 8, (uint8_t)0);",
         lambda x, y, z: np.where(x < y, x, y), HALF, high=4),
    Case("""auto bits = (__ubuf__ uint8_t*)8192; vcmpv_lt(bits, a, b, 2, 1, 1, 1, 8, 8, 8);
            vector_dup((__ubuf__ float*)12288, 7.5f, 1, 1, 1, 8, 8); pipe_barrier(PIPE_V);
            set_cmpmask((__ubuf__ float*)12288); pipe_barrier(PIPE_V);
            vsel(c, a, (__ubuf__ float*)bits, 2, 1, 1, 1, 8, 8, 8, (uint8_t)1);""",
         lambda x, y, z: np.where(x < y, x, np.float32(7.5)), FLOAT, high=4),
    Case("""vcmpv_lt((__ubuf__ uint8_t*)8192, a, b, 2, 1, 1, 1, 8, 8, 8);
            vector_dup((__ubuf__ uint32_t*)12288, 8192u, 1, 1, 1, 8, 8); pipe_barrier(PIPE_V);
            set_cmpmask((__ubuf__ uint32_t*)12288); pipe_barrier(PIPE_V);
            vsel(c, a, b, 2, 1, 1, 1, 8, 8, 8, (uint8_t)2);""",
         lambda x, y, z: np.where(x < y, x, y), FLOAT, high=4),
    Case("""vcmpv_lt((__ubuf__ uint8_t*)c, a, b, 1, 1, 1, 1, 8, 8, 8); pipe_barrier(PIPE_V);
            set_cmpmask(c); vcmp_gt(a, b, 1, 1, 1, 1, 8, 8, 8); get_cmpmask(c);""",
         bits(np.greater), HALF, high=4),
    Case("vcopy(c, a, 1, 1, 1, 8, 8);", lambda x, y, z: x, WORD),
    Case("vbrcb((__ubuf__ uint32_t*)c, (__ubuf__ uint32_t*)a, 1, 8, 2);",
         lambda x, y, z: np.repeat(x[:16], 8), INT),
    Case("set_deqscale((half)0.5); vconv_deq(c, a, 2, 1, 1, 4, 8);",
         lambda x, y, z: (x * 0.5).astype(HALF), INT, HALF, low=-900, high=900),
    narrowed("vmulconv_f162s8", np.multiply, HALF, CHAR), narrowed("vmulconv_f162u8", np.multiply, HALF, BYTE, 0),
    *(narrowed(f"v{name}reluconv_{types}", lambda x, y, do=do: np.maximum(do(x, y), 0), source, result)
      for name, do in (("add", np.add), ("sub", np.subtract))
      for types, source, result in (("f162s8", HALF, CHAR), ("s162s8", SHORT, CHAR), ("f322f16", FLOAT, HALF))),
    Case("vmla(c, a, b, 1, 1, 1, 1, 8, 8, 8);", lambda x, y, z: x * y + z, HALF),
    Case("vmla(c, a, b, 2, 1, 1, 1, 8, 4, 4);", lambda x, y, z: x.astype(FLOAT) * y + z, HALF, FLOAT),
    Case("set_deqscale((half)0.5); vadddeqrelu(c, a, b, 2, 1, 1, 1, 4, 8, 8);",
         lambda x, y, z: np.maximum((x + y) * 0.5, 0), INT, HALF, -400, 400),
    *(int4(mode, function) for mode, function in {"": np.rint, **ROUNDED}.items()),
    Case("vconv_s42f16(c, (__ubuf__ void*)a, 1, 1, 1, 8, 2);", signed_nibbles, BYTE, HALF, 0, 256),
    dequantised("SetDeqScale(0.5f, (int16_t)3, true); vconv_deqs162b8l", 0, (0.5, 3)),
    dequantised("SetDeqScale(0.25f, (int16_t)-9, true); vconv_deqs162b8h", 1, (0.25, -9)),
    *(dequantised(f"""float scale[16]; int16_t offset[16]; bool sign[16];
                      for (int i = 0; i < 16; ++i) {{ scale[i] = i % 2 ? 0.5f : 0.25f; offset[i] = i; sign[i] = true; }}
                      SetDeqScale(LocalTensor<uint64_t>(in_api::ub_at((__ubuf__ uint64_t*)8192)),
                                  VdeqInfo(scale, offset, sign)); vconv_vdeqs162b8{half}""", high,
                  (np.where(np.arange(16) % 2, 0.5, 0.25), np.arange(16)))
      for high, half in enumerate("lh")),
    # Lanes of MASK alone.
    Case("set_vector_mask(1, 0xFF); vadd(c, a, b, 1, 1, 1, 1, 8, 8, 8);",
         lambda x, y, z: np.where(np.isin(np.arange(COUNT), [*range(8), 64]), x + y, z), HALF),
    # Bits: 0xF0 without bit 4 and with bit 1; counts.
    Case("""vector_dup(c, int32_t(sbitset1(sbitset0(0xF0, 4), 1)), 1, 1, 1, 8, 0); pipe_barrier(PIPE_V);
            vector_dup(c + 64, int32_t(bcnt1(0xF1) * 1000 + clz(1) * 10 + sff1(8)), 1, 1, 1, 8, 0);""",
         lambda x, y, z: np.repeat([0xE2, 5 * 1000 + 63 * 10 + 3], 64), INT),
    # Bit 56 of CTRL is Counter mode.
    Case("""dc_preload((__gm__ uint64_t*)x, 0); icache_preload(8);
            set_ctrl(sbitset1(get_ctrl(), 56)); set_vector_mask(0, 70); vadd(c, a, b, 1, 1, 1, 1, 8, 8, 8);
            bool counts = get_ctrl() >> 56 & 1; set_ctrl(sbitset0(get_ctrl(), 56));
            set_vector_mask(-1, -1); pipe_barrier(PIPE_V);
            vector_dup(c + 72, int32_t(counts) + int32_t(get_ctrl() >> 56 & 1), 1, 1, 1, 8, 0);""",
         lambda x, y, z: np.concatenate([(x + y)[:70], z[70:72], np.full(56, 1)]), INT),
    # A tensor whose address the kernel sets itself: its length and place, then its position.
    Case("""LocalTensor<uint8_t> whole; whole.InitBuffer(0, 8192);
            whole.address_.logicPos = static_cast<uint8_t>(TPosition::VECIN);
            auto part = whole[2048].template ReinterpretCast<int32_t>(); part.address_.dataLen = 64 * 4;
            Duplicate(part, int32_t(part.GetSize() + part.address_.bufferAddr), 64);
            TBuffAddr where = part.address_; where.bufferAddr += 256;
            LocalTensor<int32_t> next; next.SetAddr(where);
            Duplicate(next, int32_t(next.address_.logicPos) - int32_t(TPosition::VECIN), 64);""",
         lambda x, y, z: np.repeat([64 + 2048, 0], 64), INT),
]

HEAD = '#include "kernel_operator.h"\nusing namespace AscendC;\n'
KERNEL = """
extern "C" __global__ __aicore__ void {name}(__gm__ {src}* x, __gm__ {src}* y, __gm__ {dst}* z,
                                             __gm__ {dst}* out, int32_t which) {{
  __ubuf__ {src}* a = (__ubuf__ {src}*)0;
  __ubuf__ {src}* b = (__ubuf__ {src}*)1024;
  __ubuf__ {dst}* c = (__ubuf__ {dst}*)2048;
  copy_gm_to_ubuf(a, x, 0, 1, 128 * sizeof({src}) / 32, 0, 0);
  copy_gm_to_ubuf(b, y, 0, 1, 128 * sizeof({src}) / 32, 0, 0);
  copy_gm_to_ubuf(c, z, 0, 1, 128 * sizeof({dst}) / 32, 0, 0);
  pipe_barrier(PIPE_ALL);
  set_mask_norm();
  set_vector_mask(-1, -1);
  switch (which) {{
{calls}
  }}
  set_vector_mask(-1, -1);
  pipe_barrier(PIPE_ALL);
  copy_ubuf_to_gm(out, c, 0, 1, 128 * sizeof({dst}) / 32, 0, 0);
}}
"""


@pytest.fixture(scope="module", name="source")
def source_of_all(tmp_path_factory):
    return write_calls(tmp_path_factory.mktemp("intrinsics") / "k.cpp", HEAD, KERNEL, CASES)


@pytest.mark.parametrize("number", range(len(CASES)),
                         ids=[case.call.split("(")[0] for case in CASES])
def test_calls(source, number):
    case = CASES[number]
    x, y = case.numbers(case.source, 1), case.numbers(case.source, 2)
    z = case.numbers(case.result, 3)
    done = run_kernel(source, x, y, z, Out(NAMES[case.result].removesuffix("_t"), COUNT),
                      Value("int32", number), soc="Ascend910B1", kernel=case.kernel)
    check_clean(done)
    want = case.wanted(x, y, z).astype(case.result)
    if case.call.startswith(("vexp", "vln", "vsqrt")):
        np.testing.assert_allclose(done.outputs[0], want, rtol=2e-7)
    else:
        assert done.outputs[0].tobytes() == want.tobytes()


COUNTED = """#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void counted(GM_ADDR y, int32_t count) {
  LocalTensor<TYPE> ub(TPosition::VECCALC, 0, 40960);
  Duplicate(ub, TYPE(0.5), 40960);
  PipeBarrier<PIPE_ALL>();
  SetMaskCount();
  SetVectorMask<TYPE, MaskMode::COUNTER>(0, count);
  vcadd((__ubuf__ TYPE*)nullptr, (__ubuf__ TYPE*)ub.GetPhyAddr(), 1, 1, 1, 8, true);
  SetMaskNorm();
  ResetMask();
  PipeBarrier<PIPE_ALL>();
  GlobalTensor<uint32_t> to;
  to.SetGlobalBuffer((__gm__ uint32_t*)y, 8);
  to.SetValue(0, uint32_t(get_acc_val()));
}
"""


@pytest.mark.parametrize("dtype, scalar, count", [
    ("float", np.float32, 64), ("float", np.float32, 64 * 256 + 1), ("float", np.float32, 40960),
    ("half", np.float16, 128), ("half", np.float16, 4000)])
def test_a_sum_in_the_register_has_no_most_repeats_in_counter_mode(tmp_path, dtype, scalar, count):
    """More than 255, which is the most that a call can say; sums that the type holds exactly."""
    kernel = tmp_path / "counted.cpp"
    kernel.write_text(COUNTED.replace("TYPE", dtype))
    done = run_kernel(kernel, Out("uint32", 8, part=True), Value("int32", count), soc="Ascend910B1")
    assert done.code == 0, done.stderr
    assert done.outputs[0][:1].view(scalar)[0] == count / 2
