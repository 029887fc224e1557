"""printf, DumpTensor, assertions and clocks of kernels."""

import re

import numpy as np
import pytest

import harness
from api_kit import KERNELS, SOC, Out, Value

SOURCE = KERNELS / "debug.cpp"
# A pass for the cores of a program, in which the driver makes an attribute of __global__.
ON_CHIP = ["-DVINCI_PASS_WHOLE=1", "-D__global__=__attribute__((used, section(\"vinci_kernel\")))"]


def said(kernel, *parameters, **more):
    """What a clean run prints before vinci's own lines."""
    run = harness.run_kernel(SOURCE, *parameters, soc=SOC, kernel=kernel, **more)
    harness.check_clean(run)
    return run.stdout


def lines_of(text, count):
    return "\n".join(text.splitlines()[:count])


LINES = ["int -5, 1099511627776, unsigned 200",
         "ff abcdef0123 FFFFFFFFFFFFFFFF|  0.5|7     |text %",
         "3.140000 1.500000 -2.000000", "open and closed", "two", "1 %q missing %d", "  42|x"]


def test_lines_begin_with_the_core_as_on_the_chip():
    text = said("speaks", np.zeros(1, np.int8), options=ON_CHIP, blocks=2)
    wanted = [f"[AIC Block {block}/2] {line}" for block in range(2) for line in LINES]
    assert lines_of(text, 14).split("\n") == wanted


@pytest.mark.parametrize("length, shown", [(30720, True), (30721, False)])
def test_long_text_is_dropped(length, shown):
    text = said("long_text", np.zeros(1, np.int8), Value("int32", length), options=ON_CHIP)
    assert (" " * (length - 1) + "1" in text) == shown


def test_nothing_is_said_with_dumps_off():
    data = np.zeros(32, np.float16)
    for kernel in ("speaks", "dumps", "asserts"):
        parameters = [data] if kernel == "dumps" else [np.zeros(1, np.int8)]
        parameters += [Value("int32", 0)] if kernel == "asserts" else []
        text = said(kernel, *parameters, options=["-DASCENDC_DUMP=0"])
        assert not re.search("int -5|DumpTensor|ASSERT|block 0", text)


DUMPS = """\
DumpTensor: desc=5, addr=0x0, data_type=float16, position=UB, dump_size=6
[0.000000, 0.500000, 1.000000, 1.500000, 2.000000, 2.500000]
DumpTensor: desc=6, addr=0x20, data_type=int16, position=UB, dump_size=2
[18432, 18496]
DumpTensor: desc=56, addr=0x20, data_type=float16, position=UB, dump_size=3
[8.000000, 8.500000, 9.000000]
DumpTensor: desc=57, addr=GM, data_type=float16, position=GM, dump_size=0
[]
DumpTensor: desc=2, addr=0x0, data_type=float16, position=UB, dump_size=6
[[0.000000,0.500000,1.000000],
[1.500000,2.000000,2.500000]]
DumpTensor: desc=3, addr=0x0, data_type=float16, position=UB, dump_size=8
shape is [2, 3], dumpSize is 8, dumpSize is greater than shapeSize.
[[0.000000,0.500000,1.000000],
[1.500000,2.000000,2.500000]]
DumpTensor: desc=4, addr=0x0, data_type=float16, position=UB, dump_size=4
shape is [2, 3], dumpSize is 4, data is not enough.
[[0.000000,0.500000,1.000000],
[1.500000,-,-]]
DumpTensor: desc=7, addr=0x0, data_type=int16, position=UB, dump_size=4
[[[0,14336]],
[[15360,15872]]]
DumpTensor: desc=8, addr=0x20, data_type=float16, position=UB, dump_size=2
[8.000000, 8.500000]
DumpTensor: desc=9, addr=0x20, data_type=float16, position=UB, dump_size=2
[8.000000, 8.500000]
DumpTensor: desc=10, addr=0x0, data_type=float16, position=L1, dump_size=2
[0.000000, 0.500000]
DumpTensor: desc=11, addr=0x0, data_type=float16, position=L1, dump_size=1
[0.000000]
DumpTensor: desc=12, addr=0x0, data_type=bool, position=UB, dump_size=1
[1]
"""


def test_tensors_are_shown_as_documented(monkeypatch):
    """After all that works on them, whatever the schedule."""
    monkeypatch.setenv("VINCI_SCHEDULE", "lazy")
    text = said("dumps", np.arange(32).astype(np.float16) / 2)
    assert re.sub("addr=0x[0-9a-f]{6,}", "addr=GM", text).startswith(DUMPS)


@pytest.mark.parametrize("count, shown", [(7680, True), (7681, False)])
def test_large_dumps_are_dropped(count, shown):
    assert ("DumpTensor" in said("dump_much", np.zeros(1, np.int8), Value("uint32", count))) == shown


def test_a_dump_stays_inside_its_tensor():
    run = harness.run_kernel(SOURCE, np.zeros(1, np.int8), soc=SOC, kernel="dump_too_far",
                             check="strict")
    assert run.codes == ["V1001"] and "DumpTensor" not in run.stdout


ASSERTIONS = [
    "[ASSERT] {}: : Assertion `way != 0' failed.",
    "[ASSERT] {}: Assertion `way != 1' way is 1.",
    "[ASSERT] {}: Assertion `way != 2 && \"no text\"' ",
    "[ASSERT] {}: Assertion `way != 3' value 1.500000",
    None,
    "[ASSERT] {}: : Assertion `way != 5' failed.",
    "[ASSERT] {}: Assertion `way != 6' ",
]


@pytest.mark.parametrize("way", range(7))
def test_an_assertion_ends_the_kernel_at_its_line(way):
    run = harness.run_kernel(SOURCE, np.zeros(1, np.int8), Value("int32", way), soc=SOC, kernel="asserts")
    text = SOURCE.read_text().splitlines()
    line = next(i for i, row in enumerate(text, 1) if f"if (way == {way})" in row)
    assert run.codes == ["V5008"] and run.code == 1
    assert run.faults[0]["stack"][0]["line"] == line if "stack" in run.faults[0] else True
    assert f"debug.cpp:{line}" in run.stderr and "goes on" not in run.stdout
    assert run.stdout.startswith("block 0\n")
    if ASSERTIONS[way] is not None:
        assert ASSERTIONS[way].format(f"{SOURCE}:{line}") in run.stdout.splitlines()
    if way == 6:
        log = r"\[ERROR\]\[Block_0\]\[AIC_0\]\[debug.cpp:%d\]\[check\]\[\d+\] way is 6\n" % line
        assert re.search(log, run.stdout)


def test_asserts_can_be_left_out():
    for way in (0, 1, 2, 3):
        assert "goes on" in said("asserts", np.zeros(1, np.int8), Value("int32", way),
                                 options=["-DNDEBUG"])


@pytest.mark.parametrize("soc, version, bytes_", [("Ascend310P3", 0x2002, 262144),
                                                  ("Ascend910B1", 0x2201, 196608)])
def test_clocks_and_versions(soc, version, bytes_):
    run = harness.run_kernel(SOURCE, Out("int64", 4), soc=soc, kernel="clocks")
    harness.check_clean(run)
    assert run.outputs[0].tolist() == [version, 1, 1, bytes_] and "descId" not in run.stdout


def test_time_stamps_are_lines():
    text = said("clocks", Out("int64", 4), options=["-DASCENDC_TIME_STAMP_ON"])
    stamp = r"descId is (\d+), rsv is 0, timeStamp is (\d+), pcPtr is \d+, entry is (\d+)\.\n"
    found = re.findall(stamp, text)
    assert [number for number, _, _ in found] == ["65577", "65578"]
    assert int(found[0][2]) <= int(found[0][1]) <= int(found[1][1])


@pytest.mark.parametrize("threads", [1, 4])
def test_builds_for_the_cpu_print_as_cpp_does(threads):
    run = harness.run_kernel(SOURCE, np.zeros(1, np.int8), soc="Ascend310P3", kernel="rows", blocks=20,
                             extra=["--threads", threads])
    harness.check_clean(run)
    assert run.stdout.splitlines()[:20] == [f"of{hex(block)[2:]:.>4}..ff" for block in range(20)]


TWIN = """#include <string>
#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void k(GM_ADDR out) {
  LocalTensor<int32_t> x(TPosition::VECCALC, 0, 16);
  LocalTensor<half> y(TPosition::VECCALC, 64, 20);
  LocalTensor<float> z(TPosition::VECCALC, 1024, 4);
  for (int32_t i = 0; i < 16; ++i) x.SetValue(i, i - 8);
  Duplicate(y, half(0.5f), 20);
  Duplicate(z, 1234567.0f, 4);
  z.SetValue(1, 1e-7f);
  x.Print();
  y.Print(17);
  z.Print(MOST);
  GlobalTensor<int32_t> to;
  to.SetGlobalBuffer(reinterpret_cast<__gm__ int32_t*>(out), 8);
  to.SetValue(0, y.ToFile(std::string("halves.bin")));
  to.SetValue(1, x.ToFile("numbers.bin"));
  to.SetValue(2, x.ToFile("no/such/folder.bin") != 0);
}
"""
PRINTED = """0000: -8 -7 -6 -5 -4 -3 -2 -1
0008: 0 1 2 3 4 5 6 7
0000: 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5
0016: 0.5
0000: 1.23457e+06 1e-07 1.23457e+06 1.23457e+06"""


def test_tensors_are_printed_and_saved_in_the_cpu_twin(tmp_path):
    (tmp_path / "k.cpp").write_text(TWIN.replace("MOST", "4"))
    run = harness.run_kernel(tmp_path / "k.cpp", Out("int32", 8, part=True), soc=SOC, cwd=tmp_path)
    harness.check_clean(run)
    assert lines_of(run.stdout, 5) == PRINTED and run.outputs[0][:3].tolist() == [0, 0, 1]
    assert (tmp_path / "halves.bin").read_bytes() == np.full(20, 0.5, np.float16).tobytes()
    assert (tmp_path / "numbers.bin").read_bytes() == np.arange(-8, 8, dtype=np.int32).tobytes()


def test_what_is_printed_behind_the_tensor_is_told(tmp_path):
    (tmp_path / "k.cpp").write_text(TWIN.replace("MOST", "20"))
    run = harness.run_kernel(tmp_path / "k.cpp", Out("int32", 8, part=True), soc=SOC, cwd=tmp_path)
    assert run.codes == ["V1011"] and "0..79 of a tensor of 16" in run.faults[0]["message"], run.stderr


def test_the_chip_has_neither(tmp_path):
    (tmp_path / "k.cpp").write_text(TWIN.replace("MOST", "4"))
    run = harness.run_kernel(tmp_path / "k.cpp", Out("int32", 8, part=True), soc=SOC,
                             options=["-UASCENDC_CPU_DEBUG"])
    assert run.code == 3 and "Print" in run.stderr
