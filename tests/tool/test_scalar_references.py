"""t(i) of a tensor: what the kernel reads by it is a read, and what it writes a write, at its line. And
what scalar code inside Fill writes."""

import numpy as np
import pytest

from harness import Out, Value, run_kernel

KERNEL = """#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void by_reference(GM_ADDR x, GM_ADDR y, int32_t writes) {
  GlobalTensor<float> from, to;
  from.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(x), 64);
  to.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(y), 64);
  LocalTensor<float> ub(TPosition::VECCALC, 0, 64);
  float first = from(0);  // gm
  if (writes == 1) from(0) = first + 1;  // gm_write
  DataCopy(ub, from, 64);  // in
  SetFlag<HardEvent::MTE2_S>(0);
  WaitFlag<HardEvent::MTE2_S>(0);
  SetFlag<HardEvent::MTE2_MTE3>(0);
  WaitFlag<HardEvent::MTE2_MTE3>(0);
  first += ub(1);
  if (writes == 2) ub(2) = first;  // ub_write
  DataCopy(to, ub, 64);  // out
  PipeBarrier<PIPE_ALL>();
  if (first == 0) to.SetValue(0, first);
}
"""
CHIPS = ["Ascend910A", "Ascend310P3", "Ascend910B1", "Ascend310B1"]


def line_of(word):
    line, = (number for number, line in enumerate(KERNEL.splitlines(), 1) if line.endswith(f"// {word}"))
    return line


@pytest.mark.parametrize("schedule", ["eager", "lazy"])
@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("writes, told", [
    (0, []), (1, [("V4014", "in", "gm_write"), ("V4009", "in", "gm_write")]), (2, [("V4009", "out", "ub_write")])])
def test_only_what_is_written_by_reference_is_a_write(tmp_path, chip, writes, told, schedule):
    kernel = tmp_path / "by_reference.cpp"
    kernel.write_text(KERNEL)
    x = np.arange(64, dtype=np.float32)
    done = run_kernel(kernel, x, Out("float", 64), Value("int32", writes), soc=chip,
                      extra=["--auto-sync", "off", "--schedule", schedule])
    found = [(fault["code"], fault["lines"][0]["line"], fault["other"]["lines"][0]["line"])
             for fault in done.faults]
    expected = [(code, line_of(here), line_of(there)) for code, here, there in told]
    if chip == "Ascend910A":  # its cache cannot be cleaned, and is not followed
        expected = [fault for fault in expected if fault[0] != "V4014"]
    assert found == expected, done.stderr
    if not writes:
        assert np.array_equal(done.outputs[0], x)


CLEARED = """#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void cleared(GM_ADDR x, GM_ADDR y, int32_t count) {
  GlobalTensor<float> from, to;
  from.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(x), 64);
  to.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(y), 64);
  TPipe pipe;
  TQue<TPosition::VECIN, 1> queue;
  pipe.InitBuffer(queue, 1, 256);
  LocalTensor<float> ub = queue.AllocTensor<float>();
  DataCopy(ub, from, 64);
  SetFlag<HardEvent::MTE2_MTE3>(0);
  WaitFlag<HardEvent::MTE2_MTE3>(0);
  Fill(to, count, 0.0f);
  DataCopy(to, ub, 64);
  queue.FreeTensor(ub);
}
"""


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("count", [3, 8, 13, 64])
def test_fill_has_ended_when_it_returns(tmp_path, chip, count):
    """Numbers behind the last datablock are written by scalar code, with nothing behind it."""
    kernel = tmp_path / "cleared.cpp"
    kernel.write_text(CLEARED)
    x = np.arange(1, 65, dtype=np.float32)
    done = run_kernel(kernel, x, Out("float", 64), Value("int32", count), soc=chip,
                      extra=["--auto-sync", "off"])
    assert (done.code, done.faults) == (0, []), done.stderr
    assert np.array_equal(done.outputs[0], x)
