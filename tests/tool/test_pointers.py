"""--check full,pointers: what a pointer wrote and an instruction reads, or GM keeps."""

import numpy as np
import pytest

import harness
from harness import Out, Value

SOC = "Ascend910B1"
N, BLOCKS = 64, 8
SOURCE = """
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR x, GM_ADDR sum, GM_ADDR own, int32_t mode) {
  GlobalTensor<float> from, all, mine;
  from.SetGlobalBuffer((__gm__ float*)x, 64);
  all.SetGlobalBuffer((__gm__ float*)sum, 64);
  mine.SetGlobalBuffer((__gm__ float*)own + 64 * GetBlockIdx(), 64);
  TPipe pipe;
  TBuf<TPosition::VECCALC> room;
  pipe.InitBuffer(room, 512);
  auto a = room.Get<float>(), b = a[64];
  float* const words = (float*)a.GetPhyAddr();
  if (mode == 0) words[5] = 9;  // the copy writes over it
  DataCopy(a, from, 64);
  PipeBarrier<PIPE_ALL>();
  if (mode == 1) words[5] = 9;
  if (mode == 2) words[5] = words[5];
  if (mode == 3 && GetBlockIdx() == 7) words[63] = -1;
  if (mode == 0) a.SetValue(5, a.GetValue(5));
  Adds(b, a, 1.0f, mode == 4 ? 32 : 64);  // reads
  PipeBarrier<PIPE_ALL>();
  if (mode == 4) ((float*)b.GetPhyAddr())[40] = 7;  // and nobody reads it
  SetAtomicAdd<float>();
  DataCopy(all, b, 32);
  SetAtomicNone();
  DataCopy(mine, b, mode == 4 ? 32 : 64);
  PipeBarrier<PIPE_ALL>();
  if (mode == 0) mine.SetValue(3, 2.5f);
  if (mode == 5 && GetBlockIdx() == 2) ((__gm__ float*)own)[64 * 2 + 9] = 4;
  if (mode == 6 && GetBlockIdx() == 2) ((__gm__ float*)own)[64 * 2 + 9] = 2;  // as it was
}
"""


@pytest.fixture(name="source", scope="module")
def fixture_source(tmp_path_factory):
    path = tmp_path_factory.mktemp("pointers") / "k.cpp"
    path.write_text(SOURCE)
    return path


def run(source, mode, check="full,pointers", extra=()):
    return harness.run_kernel(
        source, np.ones(N, np.float32), Out("float", N, part=True),
        Out("float", BLOCKS * N, part=True), Value("int32", mode), soc=SOC, blocks=BLOCKS,
        check=check, extra=extra)


@pytest.mark.parametrize("extra", [("--threads", "4"), ("--schedule", "lazy"),
                                   ("--schedule", "random:3")])
@pytest.mark.parametrize("mode", [0, 2, 4, 6])
def test_what_instructions_and_set_value_write_is_no_finding(source, mode, extra):
    done = run(source, mode, extra=extra)
    harness.check_clean(done)
    own = done.outputs[1].reshape(BLOCKS, N)
    expected = np.full((BLOCKS, N), 2, np.float32)
    if mode == 0:
        expected[:, 3] = 2.5
    assert np.array_equal(own[:, :32], expected[:, :32])


@pytest.mark.parametrize("mode, text, words, count", [
    (1, "Adds: src reads bytes 22..23 of UB", "// reads", 8), (3, "reads bytes 25", "// reads", 1),
    (5, "of GM buffer own, the first at 5", None, 1)])
def test_what_a_pointer_wrote_is(source, mode, text, words, count):
    done = run(source, mode)
    fault, = done.faults
    assert done.code == 0 and fault["code"] == "V1015" and fault["severity"] == "warning"
    assert text in fault["message"] and fault["count"] == count, fault
    if words is not None:
        assert words in SOURCE.splitlines()[fault["lines"][0]["line"] - 1]
    harness.check_clean(run(source, mode, check="full"))


MEETINGS = """
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR space, int32_t mode) {
  GlobalTensor<int32_t> places;
  places.SetGlobalBuffer((__gm__ int32_t*)space, 512);
  TPipe pipe;
  TBuf<TPosition::VECCALC> room;
  pipe.InitBuffer(room, 1024);
  auto read = room.Get<int32_t>();
  if (mode == 0) {
    SyncAll(places, read);
    SyncAll(places, read);
  } else if (mode == 1) {
    InitDetermineComputeWorkspace(places, read);
    WaitPreBlock(places, read);
    NotifyNextBlock(places, read);
  } else if (GetBlockIdx() == 0) {
    IBSet(places, read, 0, 0);
    IBSet(places, read, 0, 1);
  } else if (GetBlockIdx() == 1) {
    IBWait(places, read, 0, 0);
  }
}
"""


@pytest.mark.parametrize("mode", range(3))
@pytest.mark.parametrize("blocks", [1, BLOCKS])
def test_what_blocks_tell_each_other_by_way_of_gm_is_no_pointers(mode, blocks, tmp_path):
    """The words of SyncAll, WaitPreBlock, IBSet and IBWait are instructions' own."""
    path = tmp_path / "k.cpp"
    path.write_text(MEETINGS)
    space = np.zeros(512, np.int32)
    harness.check_clean(harness.run_kernel(path, space, Value("int32", mode), soc=SOC, blocks=blocks,
                                           check="full,pointers"))
