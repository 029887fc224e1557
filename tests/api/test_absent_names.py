"""Names of what vinci does not have: kernels compile that have them in dead branches, calls are told."""

import numpy as np
import pytest

from harness import Out, check_clean, run_kernel, vinci

KERNEL = """
#include "kernel_operator.h"
MORE
using namespace AscendC;
// As an iterator that serves several generations of chips.
template <bool OLDER>
__aicore__ inline void store(GlobalTensor<half>& to, LocalTensor<float>& from, uint32_t n) {
  if constexpr (OLDER) {
    FixpipeParams<float> params(n / 16, 16 * 16 * sizeof(float) / 32, 0, n);
    params.nz2ndParams = {true, 1, 0, 0, static_cast<uint16_t>(n)};
    params.quantParams = {QuantMode_t::F322F16};
    params.reluEn = false;
    Fixpipe(to, from, params);
  } else {
    Duplicate(from, 3.0f, 16);
  }
}
extern "C" __global__ __aicore__ void k(GM_ADDR y) {
  LocalTensor<float> ub(TPosition::VECCALC, 0, 16);
  LocalTensor<int8_t> l1(TPosition::A1, 0, 512);
  GlobalTensor<half> to;
  GlobalTensor<float> out;
  GlobalTensor<int8_t> index;
  to.SetGlobalBuffer((__gm__ half*)y);
  out.SetGlobalBuffer((__gm__ float*)y);
  index.SetGlobalBuffer((__gm__ int8_t*)y);
  if (GetBlockNum() > 100) {
    LoadUnzipIndex(index, 1);
    LoadDataUnzip(l1, index);
  }
  if (GetBlockNum() > 100) {
    DataCopyPad<float, PaddingMode::Compact>(ub, out, {1, 64, 0, 0, 0}, {false, 0, 0, 0});
    DataCopyPad<float, PaddingMode::Compact>(out, ub, {1, 64, 0, 0, 0});
  }
  store<false>(to, ub, 16);
  CALL;
  PipeBarrier<PIPE_ALL>();
  DataCopy(out, ub, 16);
}
"""


def run(tmp_path, call="", soc="Ascend910B1", more=""):
    (tmp_path / "k.cpp").write_text(KERNEL.replace("CALL", call).replace("MORE", more))
    return run_kernel(tmp_path / "k.cpp", Out("float", 16), soc=soc)


def test_the_usual_padding_mode(tmp_path):
    """Newer toolkits have a mode in DataCopyPad, and one of the two is what there has always been."""
    done = run(tmp_path, """PipeBarrier<PIPE_ALL>();
  Duplicate(ub, 3.0f, 16);
  PipeBarrier<PIPE_ALL>();
  DataCopyPad<float, PaddingMode::Normal>(out, ub, {1, 64, 0, 0, 0});
  PipeBarrier<PIPE_ALL>();
  DataCopyPad<float, PaddingMode::Normal>(ub, out, {1, 20, 0, 0, 0}, {true, 0, 3, 7.0f})""")
    check_clean(done)
    assert done.outputs[0].tolist() == [3.0] * 5 + [7.0] * 3 + [3.0] * 8


@pytest.mark.parametrize("soc", ["Ascend310P3", "Ascend910B1"])
def test_branches_that_are_not_taken(tmp_path, soc):
    done = run(tmp_path, soc=soc)
    check_clean(done)
    assert np.array_equal(done.outputs[0], np.full(16, 3.0, np.float32))


@pytest.mark.parametrize("call, words", [
    ("store<true>(to, ub, 16)", "Fixpipe: vinci does not have its form with FixpipeParams"),
    ("LoadUnzipIndex(index, 1)", "LoadUnzipIndex: vinci does not have compressed weights"),
    ("LoadDataUnzip(l1, index)", "LoadDataUnzip: vinci does not have compressed weights"),
    ("DataCopyPad<float, PaddingMode::Compact>(out, ub, {1, 64, 0, 0, 0})",
     "DataCopyPad: vinci does not have PaddingMode::Compact")])
def test_calls_are_told(tmp_path, call, words):
    done = run(tmp_path, call)
    assert "V7001" in done.stderr and words in done.stderr


def test_the_core_status_is_told(tmp_path):
    done = run(tmp_path, "asc_get_status()", more='#include "c_api/asc_simd.h"')
    assert "V7001" in done.stderr and "asc_get_status: vinci does not have" in done.stderr


def test_they_are_listed_as_missing():
    names = {line.split(" ")[0] for line in vinci("list", "--missing").stdout.splitlines()}
    assert {"FixpipeParams", "LoadDataUnzip", "LoadUnzipIndex", "asc_get_status"} <= names
