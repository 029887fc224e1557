"""Tables outside functions, `const __gm__ int32_t table[64]`: GM, which nobody may write."""

import pathlib
import subprocess

import numpy as np
import pytest

import harness

KERNEL = pathlib.Path(__file__).resolve().parent / "kernels" / "constants_in_gm.cpp"
SOCS = pytest.mark.parametrize("soc", ["Ascend310P3", "Ascend910B1"])


@SOCS
def test_a_table_is_copied_and_read(soc):
    run = harness.run_kernel(KERNEL, harness.Out("int32", 64), harness.Out("int32", 8), soc=soc,
                             kernel="copies", blocks=2)
    harness.check_clean(run)
    assert run.outputs[0].tolist() == [i // 8 if i % 8 == 0 else 0 for i in range(64)]
    assert run.outputs[1].tolist() == [7, 5, 0, 0, 0, 0, 0, 0]


@SOCS
def test_nobody_writes_it(soc):
    run = harness.run_kernel(KERNEL, harness.Out("int32", 64, part=True), soc=soc, kernel="writes")
    fault, = [fault for fault in run.report["faults"] if fault["code"] != "V1014"]
    assert run.code == 1 and fault["code"] == "V1003" and fault["lines"][0]["line"] == 35
    assert fault["message"] == "DataCopy: dst writes constants of the program"


def test_programs_have_them_too(tmp_path):
    """With a main of their own."""
    program = tmp_path / "program.asc"
    program.write_text(KERNEL.read_text() + """
        #include "acl/acl.h"
        #include <cstdio>
        int main() {
          aclInit(nullptr); aclrtSetDevice(0);
          aclrtStream stream; aclrtCreateStream(&stream);
          void *y, *z; aclrtMalloc(&y, 256, ACL_MEM_MALLOC_HUGE_FIRST); aclrtMalloc(&z, 32, ACL_MEM_MALLOC_HUGE_FIRST);
          copies<<<1, nullptr, stream>>>((uint8_t*)y, (uint8_t*)z);
          if (aclrtSynchronizeStream(stream) != 0) return 1;
          int sum = 0;
          for (int i = 0; i < 64; ++i) sum += ((int*)y)[i] * i;
          std::printf("%d\\n", sum + ((int*)z)[0]);
          return 0;
        }
        """)
    done = harness.vinci("bisheng", program, "--npu-arch=dav-2201", "-o", tmp_path / "program")
    assert done.code == 0, done.stderr
    ran = subprocess.run([tmp_path / "program"], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert int(ran.stdout) == sum(8 * i * i for i in range(8)) + 7

