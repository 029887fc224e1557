"""Memory that a kernel uses and nobody has written (V1013), and outputs that no block has (V1014)."""

import pathlib
import re

import numpy as np
import pytest

from harness import Out, Value, check_clean, run_kernel

KERNELS = pathlib.Path(__file__).parent / "kernels" / "unwritten.cpp"
VECTOR_CHIPS = ["Ascend910A", "Ascend310P3", "Ascend910B1", "Ascend310B1"]
KERNELS_ON = {"lanes": VECTOR_CHIPS, "sums": VECTOR_CHIPS[1:], "scalars": VECTOR_CHIPS,
              "offsets": VECTOR_CHIPS[1:], "back": VECTOR_CHIPS, "product": ["Ascend910B1"]}
WRITTEN = {"lanes": 176, "sums": 8, "scalars": 64, "offsets": 56, "product": 480, "back": 129,
           "some": 128, "refused": 128, "strays": 64}


def places():
    """For each number: its kernel, the fault's line, which reads first, and which wrote too little."""
    kernel, here, first, near = "", {}, {}, {}
    for number, line in enumerate(KERNELS.read_text().splitlines(), 1):
        kernel = (re.findall(r"__aicore__ void (\w+)", line) or [kernel])[0]
        here.update({int(what): (kernel, number) for what in re.findall(r"HERE (\d+)", line)})
        first.update({int(what): number for what in re.findall(r"FIRST (\d+)", line)})
        near.update({int(what): number for what in re.findall(r"NEAR (\d+)", line)})
    assert sorted(here) == sorted(first) and len(here) > 12 and len(near) > 5
    return {what: (*place, first[what], near.get(what)) for what, place in here.items()}


PLACES = places()


def run(kernel, chip, left_out, check="full"):
    data = np.random.default_rng(7).integers(0, 16, 8192).astype(np.float16)
    return run_kernel(KERNELS, data, Out("float", WRITTEN[kernel]), Value("int32", left_out), soc=chip,
                      kernel=kernel, check=check)


@pytest.mark.parametrize("kernel, chip", [(kernel, chip) for kernel, chips in KERNELS_ON.items()
                                          for chip in chips])
def test_all_is_written(kernel, chip):
    check_clean(run(kernel, chip, 0))


@pytest.mark.parametrize("number, chip", [(number, chip) for number, place in PLACES.items()
                                          for chip in KERNELS_ON[place[0]]])
def test_what_nobody_has_written_is_told_where_it_matters(number, chip):
    kernel, here, first, near = PLACES[number]
    found = run(kernel, chip, number)
    assert found.code == 1 and found.codes == ["V1013"], found.stderr
    fault = found.faults[0]
    assert fault["lines"][0]["line"] == here
    if first == here:
        assert fault["other"] is None
    else:
        assert fault["other"]["lines"][0]["line"] == first
    assert [place["lines"][0]["line"] for place in fault["also"]] == [near] * (near is not None)
    assert all("the nearest to them" in place["what"] for place in fault["also"])
    assert re.search(r"bytes \d+\.\.\d+ of (UB|L1|L0C|GM buffer out), which nothing has written", found.stderr)


@pytest.mark.parametrize("check, code, codes", [("full", 0, ["V1014"]), ("strict", 1, ["V1013"]),
                                                ("init", 0, ["V1014"]), ("race", 0, []),
                                                ("basic", 0, []), ("off", 0, [])])
def test_what_no_block_has_written_of_an_output(check, code, codes):
    found = run("some", "Ascend910B1", 1, check)
    assert (found.code, found.codes) == (code, codes)
    first = "bytes 0..127 of GM buffer out (512 bytes) were written by no block, nor others: 256 bytes"
    assert (first in found.stderr) == bool(codes)
    assert np.isnan(found.outputs[0]).sum() == 64


def test_an_output_that_nobody_has_written():
    found = run("some", "Ascend910B1", 0)
    assert found.code == 0 and found.codes == ["V1014"]
    assert "bytes 0..511 of GM buffer out (512 bytes) were written by no block\n" in found.stderr


def test_nothing_is_told_of_outputs_that_a_pointer_writes():
    check_clean(run("some", "Ascend910B1", 2))


def test_a_scalar_that_looks_as_if_nobody_had_written_it(tmp_path):
    """Every bit of -1 is set, as in outputs before the launch; the last write counts too."""
    kernel = tmp_path / "minus_one.cpp"
    kernel.write_text("""#include "kernel_operator.h"
extern "C" __global__ __aicore__ void minus_one(GM_ADDR out) {
  AscendC::GlobalTensor<int32_t> to;
  to.SetGlobalBuffer(reinterpret_cast<__gm__ int32_t*>(out), 2);
  to.SetValue(0, -1);
  to.SetValue(1, -1);
}
""")
    found = run_kernel(kernel, Out("int32", 2), soc="Ascend910B1")
    check_clean(found)
    assert (found.outputs[0] == -1).all()


ROUNDED = """#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void rounded(GM_ADDR in, GM_ADDR out, int32_t back) {
  GlobalTensor<float> from, to;
  from.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(in), 64);
  to.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(out), 24);
  TPipe pipe;
  TBuf<> buffer;
  pipe.InitBuffer(buffer, 1024);
  auto x = buffer.Get<float>(), sum = x[64], work = x[128], read = x[192];
  DataCopy(x, from, 64);
  PipeBarrier<PIPE_ALL>();
  ReduceSum(sum, x, work, 64);
  PipeBarrier<PIPE_ALL>();
  if (back != 1) DataCopy(to, sum, 8);
  DataCopy(to[16], sum, 8);
  PipeBarrier<PIPE_ALL>();
  DataCopy(to[8], x, 8);
  if (back == 1) DataCopy(to, x, 8);
  if (back < 2) return;
  PipeBarrier<PIPE_ALL>();
  DataCopy(read, to, 24);
  PipeBarrier<PIPE_ALL>();
  ReduceSum(sum, read, work, back);
  PipeBarrier<PIPE_ALL>();
  if (sum.GetValue(0) > 0) PipeBarrier<PIPE_ALL>();
}
"""


@pytest.mark.parametrize("back, codes, first", [
    (0, ["V1014"], "bytes 4..31 of GM buffer out (96 bytes) were written by no block\n"),
    (1, [], ""),                                               # rounded up at the buffer's end alone
    (16, ["V1013"], "bytes 4..31 of GM buffer out"),
    (24, ["V1013"], "bytes 4..31 of GM buffer out"),             # and at its end, too
])
def test_what_a_copy_rounds_up_stays_unwritten(tmp_path, back, codes, first):
    """Of a sum a datablock is copied: who reads it back, or looks at all of the output, is told."""
    kernel = tmp_path / "rounded.cpp"
    kernel.write_text(ROUNDED)
    found = run_kernel(kernel, np.ones(64, np.float32), Out("float", 24), Value("int32", back),
                       soc="Ascend910B1")
    assert found.codes == codes and found.code == int("V1013" in codes), found.stderr
    assert first in found.stderr


STEPS_BACK = """#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void steps_back(GM_ADDR out, uint32_t count, uint64_t mask) {
  GlobalTensor<float> to;
  to.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(out), count);
  LocalTensor<float> x(TPosition::VECCALC, 0, 64), end(TPosition::VECCALC, 256, 8);
  Duplicate(x, 1.0f, 64);
  uint64_t masks[2] = {mask, 0};
  Duplicate(end, 2.0f, masks, 1, 1, 8);
  PipeBarrier<PIPE_ALL>();
  DataCopy(to, x, count / 8 * 8);
  PipeBarrier<PIPE_ALL>();
  DataCopy(to[count - 8], end, 8);
}
"""


@pytest.mark.parametrize("chip", ["Ascend910B1", "Ascend310P3"])
@pytest.mark.parametrize("count, mask, first", [
    (20, 255, None), (20, 127, "76..79"), (21, 1, "56..83"),
    (24, 127, None),  # somebody may have rounded it up
])
def test_the_last_bytes_of_an_output_that_is_no_whole_datablocks(tmp_path, chip, count, mask, first):
    kernel = tmp_path / "steps_back.cpp"
    kernel.write_text(STEPS_BACK)
    found = run_kernel(kernel, Out("float", count), Value("uint32", count), Value("uint64", mask), soc=chip)
    assert found.code == 0 and found.codes == ["V1014"] * (first is not None), found.stderr
    assert not first or f"bytes {first} of GM buffer out" in found.stderr, found.stderr


ROWS = """#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void rows(GM_ADDR out, int32_t how) {
  GlobalTensor<int32_t> to;
  to.SetGlobalBuffer(reinterpret_cast<__gm__ int32_t*>(out), 64);
  LocalTensor<int32_t> x(TPosition::VECCALC, 0, 24), y(TPosition::VECCALC, 256, 24);
  Duplicate(x, int32_t(2), 20);
  PipeBarrier<PIPE_V>();
  Adds(y, x, int32_t(1), 24);  // FIRST
  for (int32_t i = 0; i < 3; ++i) {
    PipeBarrier<PIPE_ALL>();
    DataCopy(to[(how == 0 ? i : 2 - i) * 20], y, 24);
  }
  PipeBarrier<PIPE_ALL>();
  if (how == 2) DataCopy(to[16], x, 8);
  if (how == 2) DataCopy(to[36], x, 8);
  if (how == 3) x.SetValue(0, to.GetValue(43));  // HERE
}
"""


@pytest.mark.parametrize("how, codes", [
    (0, []),                   # each copy writes what the last one rounded up
    (1, ["V1014"]),            # the other way round
    (2, []),                   # and once more
    (3, ["V1013"]),            # who reads it
])
def test_what_a_copy_rounds_up_over_what_was_there(tmp_path, how, codes):
    """What is there then is no poison: -1 + 1."""
    kernel = tmp_path / "rows.cpp"
    kernel.write_text(ROWS)
    found = run_kernel(kernel, Out("int32", 64), Value("int32", how), soc="Ascend910B1")
    assert found.codes == codes and found.code == int("V1013" in codes), found.stderr
    assert ("bytes 80..95 of GM buffer out (256 bytes) were written by no block, nor others: 32 bytes "
            "in all" in found.stderr) == (how == 1)
    if how == 3:
        line = ROWS.splitlines().index(next(text for text in ROWS.splitlines() if "HERE" in text))
        assert found.faults[0]["lines"][0]["line"] == line + 1


SCATTERED = """#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void scattered(GM_ADDR in, GM_ADDR out, int32_t apart) {
  GlobalTensor<float> from, to;
  from.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(in), 64);
  to.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(out), 64);
  TPipe pipe;
  TBuf<> buffer;
  pipe.InitBuffer(buffer, 1024);
  auto x = buffer.Get<float>(), y = x[64];
  auto offsets = buffer.Get<int32_t>()[128];
  DataCopy(x, from, 64);
  ArithProgression(offsets, int32_t(0), 4 * apart, 64);
  PipeBarrier<PIPE_ALL>();
  Scatter(y, x, offsets.ReinterpretCast<uint32_t>(), 0u, 64u / apart);
  PipeBarrier<PIPE_ALL>();
  DataCopy(to, y, 64);
}
"""


@pytest.mark.parametrize("apart, codes", [(1, []), (2, ["V1013"])])
def test_what_scatter_jumps_over_stays_unwritten(tmp_path, apart, codes):
    kernel = tmp_path / "scattered.cpp"
    kernel.write_text(SCATTERED)
    x = np.arange(64, dtype=np.float32)
    found = run_kernel(kernel, x, Out("float", 64), Value("int32", apart), soc="Ascend310P3")
    assert found.codes == codes and found.code == len(codes), found.stderr
    np.testing.assert_array_equal(found.outputs[0][::apart], x[:64 // apart])


def test_nothing_more_is_told_after_an_error():
    found = run("some", "Ascend910B1", 3)
    assert found.code == 1 and found.codes == ["V1003"]


@pytest.mark.parametrize("planted, codes", [
    (0, []),
    (51, ["V1003"]),           # it is known what it should have written
    (52, ["V2001"]),           # it is not: nothing is told of unwritten memory any more
    (54, ["V1003", "V1013"]),  # what nobody was to write is told all the same
])
def test_what_follows_from_a_call_that_was_refused_is_not_told(planted, codes):
    found = run("refused", "Ascend910B1", planted)
    assert found.codes == codes and found.code == int(bool(codes)), found.stderr


@pytest.mark.parametrize("beyond, codes", [(0, []), (63, []), (-128, []), (64, ["V1010"]),
                                           (300, ["V1010"]), (-256, [])])
def test_a_pointer_that_leaves_its_tensor(beyond, codes):
    """-256 elements lead to the memory's start, which lies behind no tensor."""
    found = run("strays", "Ascend910B1", beyond)
    assert found.codes == codes and found.code == int(bool(codes)), found.stderr
    if codes:
        first = 1024 + 4 * beyond
        assert f"bytes {first}..{first + 3} of UB were written by no instruction" in found.stderr
        line = KERNELS.read_text().splitlines().index("  auto* at = x.GetPhyAddr();  // STRAY") + 1
        assert found.faults[0]["lines"][0]["line"] == line
