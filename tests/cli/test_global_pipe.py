"""A TPipe that is a variable outside functions, as if each block had made it when it began."""

import json
import subprocess

import numpy as np
import pytest

import harness
from cli_kit import check_ok, load, run

KERNEL = """#include "kernel_operator.h"
using namespace AscendC;
{globals}
extern "C" __global__ __aicore__ void k(GM_ADDR in, GM_ADDR out) {{
{locals}
  GlobalTensor<float> source, target;
  source.SetGlobalBuffer((__gm__ float*)in + GetBlockIdx() * 64, 64);
  target.SetGlobalBuffer((__gm__ float*)out + GetBlockIdx() * 64, 64);
  {pipe}.InitBuffer(queue, 1, 256);
  LocalTensor<float> local = queue.AllocTensor<float>();
  DataCopy(local, source, 64);
  queue.EnQue(local);
  local = queue.DeQue<float>();
  DataCopy(target, local, 64);
  queue.FreeTensor(local);
}}
"""
QUEUE = "TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;"
FORMS = {  # variables outside functions, inside, and the TPipe's name
    "with the C library's name": ("TPipe pipe;", QUEUE, "pipe"),
    "static": ("static TPipe own;", QUEUE, "own"),
    "in a namespace": ("namespace { TPipe own; }", QUEUE, "own"),
    "of a class": ("struct All { int number = 1; TPipe pipe; } all;", QUEUE, "all.pipe"),
    "with its queue": (f"TPipe pipe; {QUEUE}", "", "pipe"),
    "by GetTPipePtr": ("TPipe pipe;", QUEUE, "(*GetTPipePtr())"),
    "begun anew": ("TPipe pipe;", QUEUE + " pipe.Init();", "pipe"),
    "inside, as usual": ("", QUEUE + " TPipe pipe;", "pipe"),
}
BLOCKS = 6


def call(tmp_path, form, *arguments):
    outside, inside, name = form
    (tmp_path / "k.cpp").write_text(KERNEL.format(globals=outside, locals=inside, pipe=name))
    np.save(tmp_path / "a.npy", np.arange(64 * BLOCKS, dtype=np.float32))
    return run(tmp_path / "k.cpp", None, "--blocks", BLOCKS, "--json", "r.json", *arguments,
               cwd=tmp_path, args=["in:a.npy", f"out:b.npy:float:{64 * BLOCKS}"])


@pytest.mark.parametrize("form", FORMS.values(), ids=list(FORMS))
def test_each_block_has_it(tmp_path, form):
    check_ok(call(tmp_path, form, "--threads", "3"))
    assert (load(tmp_path / "b.npy") == np.arange(64 * BLOCKS)).all()


def test_another_one_is_the_second(tmp_path):
    done = call(tmp_path, ("TPipe pipe;", QUEUE + " TPipe second;", "second"))
    fault = json.loads((tmp_path / "r.json").read_text())["faults"][0]
    assert done.code == 1 and fault["code"] == "V3009" and fault["count"] == BLOCKS
    assert fault["lines"][0]["line"] == 5


def test_a_program_may_have_it(tmp_path):
    (tmp_path / "main.cpp").write_text(KERNEL.format(
        globals='#include <cstdio>\n#include "tikicpulib.h"\nTPipe pipe;', locals=QUEUE,
        pipe="pipe") + """int main() {
  auto* in = (float*)GmAlloc(512);
  auto* out = (float*)GmAlloc(512);
  for (int i = 0; i < 128; ++i) in[i] = i;
  ICPU_RUN_KF(k, 2, (GM_ADDR)in, (GM_ADDR)out);
  std::printf("%g %g\\n", out[0], out[127]);
}
""")
    check_ok(harness.vinci("c++", "main.cpp", "-o", "main", cwd=tmp_path))
    done = subprocess.run([tmp_path / "main"], capture_output=True, text=True, timeout=60,
                          check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "0 127\n", "")
