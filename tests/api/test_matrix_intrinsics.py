"""The way of matrices by its small names, on pointers into L1, L0 and FB, against numpy."""

import numpy as np
import pytest

from harness import Out, check_clean, run_kernel

SOC = "Ascend910B1"
M, K, N = 48, 64, 80
COMMON = """#include "kernel_operator.h"
// A[M x K] and B[K x N], row-major, as zN in L1.
template <class T>
__aicore__ inline void in_l1(__cbuf__ T* a, __cbuf__ T* b, __gm__ T* x, __gm__ T* y) {
  copy_gm_to_cbuf_multi_nd2nz_SUFFIX(a, x, 0, 1, 48, 64, 0, 64, 48, 1, 0);
  copy_gm_to_cbuf_multi_nd2nz_SUFFIX(b, y, 0, 1, 64, 80, 0, 80, 64, 1, 0);
  pipe_barrier(PIPE_ALL);
}
"""

# Addresses are offsets, or a tensor's; half: fractals of A one by one, of B transposed.
HALF = """
extern "C" __global__ __aicore__ void product(__gm__ half* x, __gm__ half* y, __gm__ OUT* z) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
  POINTERS
  in_l1(l1a, l1b, x, y);
  for (int i = 0; i < 3; ++i) {
    load_cbuf_to_ca(l0a + i * 4 * 256, l1a + i * 256, 0, 4, 3, 0, 0, false, inc);
  }
  for (int i = 0; i < 4; ++i) {
    load_cbuf_to_cb(l0b + i * 5 * 256, l1b + i * 256, 0, 5, 4, 0, 0, true, inc);
  }
  pipe_barrier(PIPE_ALL);
  mad(l0c, l0a, l0b, 48, 64, 80, 0, false, false, true);
  mad(l0c, l0a, l0b, 48, 64, 80, 0, false, false, false);
  pipe_barrier(PIPE_ALL);
  set_nd_para(uint64_t(1));
  copy_matrix_cc_to_gm(z, l0c, 0, 80, 48, 80, 48, 0, QUANT, RELU, false, true);
  pipe_barrier(PIPE_ALL);
}
"""
OFFSETS = """__cbuf__ half* l1a = (__cbuf__ half*)((uintptr_t)0);
  __cbuf__ half* l1b = reinterpret_cast<__cbuf__ half*>((uintptr_t)(64 * 1024));
  __ca__ half* l0a = (__ca__ half*)0; __cb__ half* l0b = (__cb__ half*)0;
  __cc__ float* l0c = (__cc__ float*)0;"""
TENSORS = """AscendC::TPipe pipe;
  AscendC::TBuf<AscendC::TPosition::A1> a1; AscendC::TBuf<AscendC::TPosition::A2> a2;
  AscendC::TBuf<AscendC::TPosition::B2> b2; AscendC::TBuf<AscendC::TPosition::CO1> co1;
  pipe.InitBuffer(a1, 64 * 1024); pipe.InitBuffer(a2, 32 * 1024); pipe.InitBuffer(b2, 32 * 1024);
  pipe.InitBuffer(co1, 64 * 1024);
  auto l1a = (__cbuf__ half*)a1.Get<half>().GetPhyAddr();
  auto l1b = (__cbuf__ half*)a1.Get<half>()[16384].GetPhyAddr();
  auto l0a = (__ca__ half*)a2.Get<half>().GetPhyAddr();
  auto l0b = (__cb__ half*)b2.Get<half>().GetPhyAddr();
  auto l0c = (__cc__ float*)co1.Get<float>().GetPhyAddr();"""

# int8: B goes through squares of 32 x 32.
BYTES = """
extern "C" __global__ __aicore__ void product(__gm__ int8_t* x, __gm__ int8_t* y, __gm__ OUT* z,
                                              __gm__ uint64_t* scales) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
  auto l1a = (__cbuf__ int8_t*)0; auto l1b = (__cbuf__ int8_t*)(uintptr_t)(64 * 1024);
  auto l0a = (__ca__ int8_t*)0; auto l0b = (__cb__ int8_t*)0; auto l0c = (__cc__ int32_t*)0;
  copy_gm_to_cbuf_multi_nd2nz_b8(l1a, x, 0, 1, 48, 64, 0, 64, 48, 1, 0);
  copy_gm_to_cbuf_multi_nd2nz_b8(l1b, y, 0, 1, 64, 64, 0, 64, 64, 1, 0);
  pipe_barrier(PIPE_ALL);
  for (int i = 0; i < 3; ++i) {
    load_cbuf_to_ca(l0a + i * 2 * 512, l1a + i * 512, 0, 2, 3, 0, 0, false, inc);
  }
  for (int i = 0; i < 2; ++i) {  // rows of squares of B
    load_cbuf_to_cb_transpose(l0b + i * 4 * 512, l1b + i * 1024, 0, 2, 2, 1, inc, 0);
  }
  pipe_barrier(PIPE_ALL);
  mad(l0c, l0a, l0b, 48, 64, 64, 0, false, false, true);
  pipe_barrier(PIPE_ALL);
  copy_gm_to_cbuf((__cbuf__ uint64_t*)(uintptr_t)(128 * 1024), scales, 0, 1, 16, 0, 0, PAD_NONE);
  pipe_barrier(PIPE_ALL);
  copy_cbuf_to_fbuf((__fbuf__ uint64_t*)(uintptr_t)256, (__cbuf__ uint64_t*)(uintptr_t)(128 * 1024),
                    1, 4, 0, 0);
  pipe_barrier(PIPE_ALL);
  set_fpc(uint64_t(256 >> 7) << 8);
  AscendC::SetNdParaImpl(uint64_t(1));  // set_nd_para
  copy_matrix_cc_to_gm(z, l0c, 0, 64, 48, 64, 48, 0, QUANT, 0, false, true);
  pipe_barrier(PIPE_ALL);
}
"""


def write(tmp_path, text, suffix="b16"):
    path = tmp_path / "k.cpp"
    path.write_text((COMMON + text).replace("SUFFIX", suffix))
    return path


@pytest.mark.parametrize("pointers", [OFFSETS, TENSORS], ids=["offsets", "tensors"])
@pytest.mark.parametrize("out, quant, relu", [("float", "NoQuant", 0), ("half", "F322F16", 0),
                                              ("half", "F322F16", 1)])
def test_product_of_halves(tmp_path, pointers, out, quant, relu):
    text = HALF.replace("POINTERS", pointers).replace("OUT", out).replace("QUANT", quant)
    rng = np.random.default_rng(5)
    a = rng.integers(-4, 5, (M, K)).astype(np.float16)
    b = rng.integers(-4, 5, (K, N)).astype(np.float16)
    done = run_kernel(write(tmp_path, text.replace("RELU", str(relu))), a, b, Out(out, f"{M}x{N}"), soc=SOC)
    check_clean(done)
    wanted = 2 * (a.astype(np.float64) @ b.astype(np.float64))
    assert (done.outputs[0] == (np.maximum(wanted, 0) if relu else wanted)).all()


@pytest.mark.parametrize("out, quant", [("int32", "NoQuant"), ("half", "VDEQF16")])
def test_product_of_bytes(tmp_path, out, quant):
    rng = np.random.default_rng(6)
    a, b = (rng.integers(-16, 17, shape).astype(np.int8) for shape in ((M, K), (K, 64)))
    scales = 2.0 ** rng.integers(-4, 1, 64)
    words = scales.astype(np.float32).view(np.uint32).astype(np.uint64)
    text = BYTES.replace("OUT", "int32_t" if out == "int32" else out).replace("QUANT", quant)
    done = run_kernel(write(tmp_path, text, "b8"), a, b, Out(out, f"{M}x64"), words, soc=SOC)
    check_clean(done)
    wanted = a.astype(np.int32) @ b.astype(np.int32)
    if out == "half":
        wanted = (wanted * scales).astype(np.float16)
    assert (done.outputs[0] == wanted).all()


def test_what_leaves_l0a_is_told(tmp_path):
    text = HALF.replace("POINTERS", OFFSETS.replace("(__ca__ half*)0", "(__ca__ half*)(65536 - 512)"))
    text = text.replace("OUT", "float").replace("QUANT", "NoQuant").replace("RELU", "0")
    a, b = np.ones((M, K), np.float16), np.ones((K, N), np.float16)
    done = run_kernel(write(tmp_path, text), a, b, Out("float", f"{M}x{N}"), soc=SOC)
    assert done.report["faults"][0]["code"] == "V1002"
    assert "LoadData" in done.report["faults"][0]["message"]
