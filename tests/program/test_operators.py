"""Operators built as packages by CMake and called by programs with aclnn: ten of tests/op/packages, five
shapes each, against numpy; one whose tiling data does not fit its kernel."""

import pathlib
import shutil
import subprocess

import numpy as np
import pytest

import harness
from test_programs import call, fixture_environment  # pylint: disable=unused-import

HERE = pathlib.Path(__file__).parent
PACKAGES = HERE.parent / "op" / "packages"
SOURCES = {"add_custom": ["add_custom"], "several": ["reduce_axis", "scale_shift"],
           "contest_broadcast": ["not_equal_x"], "indexing": ["take_rows", "add_to_rows"],
           "top_k": ["largest_k"], "lists": ["concat_flat"], "counting": ["histogram_x"],
           "matmul_basic": ["matmul_small"]}
NUMBERS = {"float32": 0, "float16": 1, "int8": 2, "int32": 3, "int64": 9, "bool": 12}


class Calls:
    """The lines of calls.txt, and what their outputs have to be."""

    def __init__(self, folder):
        self.folder, self.lines, self.wanted, self.count = folder, [], [], 0

    def add(self, operator, inputs, *outputs, place=None):
        """Outputs are arrays; `place` is what becomes of the first input."""
        words = [operator]
        for array in (*inputs, *outputs):
            name = f"{self.count}.bin"
            if any(array is each for each in outputs):
                name = "out" + name
                self.wanted.append((name, array))
            else:
                array.tofile(self.folder / name)
            if place is not None and array is inputs[0]:
                self.wanted.append((f"out_{name}", place))
            self.count += 1
            words += [name, str(NUMBERS[array.dtype.name]), "x".join(map(str, array.shape))]
        self.lines.append(" ".join(words))


def elementwise(calls, random):
    """Without elements, with one, odd tails, more than a core takes at once."""
    for shape in [(0,), (1,), (7, 5), (3, 1, 333), (40000,)]:
        x, y = (random.integers(-3, 4, shape).astype(np.float32) for _ in range(2))
        calls.add("AddCustom", (x, y), x + y)
        calls.add("ScaleShift", (x,), x * np.float32(-1.5) + np.float32(7 + 16))
    for one, other in [((0, 3), (0, 3)), ((1,), (1,)), ((1003,), (1003,)), ((5, 1), (1, 7)),
                       ((2, 3, 4), (3, 1))]:
        x, y = (random.integers(0, 3, shape).astype(np.int8) for shape in (one, other))
        calls.add("NotEqualX", (x, y), x != y)


def by_rows(calls, random):
    """Reductions, indices, in place, sorted."""
    for shape in [(1,), (4, 5), (3, 7, 2), (2, 300), (1, 9)]:
        x = random.integers(-100, 100, shape).astype(np.int32)
        kept = x.sum(0, dtype=np.int32)
        calls.add("ReduceAxis", (x,), kept.reshape(kept.shape or (1,)))
    for shape, count in [((1, 1), 1), ((5, 32), 12), ((9, 7), 100), ((3, 1100), 5), ((4, 8), 0)]:
        x = random.integers(-50, 50, shape).astype(np.float16)
        index = random.integers(0, shape[0], count)
        calls.add("TakeRows", (x, index), x[index])
    for shape, count in [((1, 1), 1), ((5, 8), 3), ((3, 7), 200), ((4, 2100), 9), ((2, 64), 2)]:
        var = random.integers(-50, 50, shape).astype(np.int32)
        index = random.integers(0, shape[0], count)
        updates = random.integers(-50, 50, (count, shape[1])).astype(np.int32)
        wanted = var.copy()
        np.add.at(wanted, index, updates)
        calls.add("AddToRows", (var, index, updates), place=wanted)
    for shape, k in [((1,), 1), ((5, 7), 3), ((2, 32), 32), ((3, 100), 10), ((1, 33), 33)]:
        x = random.permutation(np.arange(np.prod(shape))).reshape(shape).astype(np.float32)
        order = np.argsort(-x, axis=-1)[..., :k].astype(np.int32)
        calls.add("LargestK", (x, np.array([k], np.int32)), np.take_along_axis(x, order, -1), order)


def others(calls, random):
    """Lists, outputs that are set before, products."""
    for shapes in [[(1,)], [(3, 5), (7,)], [(5000,), (0,), (2, 2)], [(64,), (64,)],
                   [(i + 1,) for i in range(32)]]:
        arrays = [random.integers(-50, 50, shape).astype(np.int8) for shape in shapes]
        calls.add("ConcatFlat", arrays, np.concatenate([each.ravel() for each in arrays]))
    for count in [1, 5, 32, 47, 1000]:
        x = random.integers(-9, 12, count).astype(np.int32)
        counts = np.bincount(x[(x >= 0) & (x < 7)], minlength=7).astype(np.int32)
        calls.add("HistogramX", (x,), counts,
                  np.full(8, max(-7, x.max()), np.int32), np.full(8, 0.5, np.float16))
    for m, k, n in [(16, 16, 16), (1, 1, 1), (17, 33, 19), (100, 128, 128), (3, 100, 1)]:
        a, b = (random.integers(-4, 5, shape).astype(np.float16) for shape in ((m, k), (k, n)))
        calls.add("MatmulSmall", (a, b), a.astype(np.float32) @ b.astype(np.float32))


@pytest.mark.sweep
@pytest.mark.whole
def test_ten_operators_by_aclnn(tmp_path, environment):
    """Whose programs are as any for a card."""
    shutil.copytree(HERE / "operators", tmp_path, dirs_exist_ok=True)
    for folder in ("op_host", "op_kernel"):
        (tmp_path / folder).mkdir()
        for package, names in SOURCES.items():
            for file in (PACKAGES / package / folder).iterdir():
                if file.stem in names or file.suffix == ".h":
                    shutil.copy(file, tmp_path / folder)
    calls = Calls(tmp_path)
    random = np.random.default_rng(23)
    for add in (elementwise, by_rows, others):
        add(calls, random)
    (tmp_path / "calls.txt").write_text("\n".join(calls.lines) + "\n")
    call(["cmake", "-S", ".", "-B", "build", "-G", "Ninja"], tmp_path, environment)
    call(["cmake", "--build", "build"], tmp_path, environment)
    done = subprocess.run(["build/demo"], cwd=tmp_path, env=environment | harness.preloaded(),
                          text=True, capture_output=True, timeout=300, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "done\n", "")
    assert len({line.split()[0] for line in calls.lines}) == 10 and len(calls.lines) == 50
    for name, wanted in calls.wanted:
        got = np.fromfile(tmp_path / name, wanted.dtype)
        assert np.array_equal(got, wanted.ravel()), name


# A tiling function and a kernel that have one struct each.
HOST = """
#include "register/op_def_registry.h"
struct ShiftTiling { uint32_t total; int64_t by; };
static ge::graphStatus Tile(gert::TilingContext* context) {
  auto* tiling = context->GetTilingData<ShiftTiling>();
  tiling->total = 40;
  tiling->by = 7;
  return context->SetBlockDim(1);
}
namespace ops {
class Shift : public OpDef {
 public:
  explicit Shift(const char* name) : OpDef(name) {
    this->Input("x").ParamType(REQUIRED).DataType({ge::DT_INT32});
    this->Output("y").ParamType(REQUIRED).DataType({ge::DT_INT32});
    this->AICore().SetTiling(Tile).AddConfig("ascend910b");
  }
};
OP_ADD(Shift);
}
"""
KERNEL = """
#include "kernel_operator.h"
struct ShiftTiling { int64_t by; uint32_t total; };
extern "C" __global__ __aicore__ void shift(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA_WITH_STRUCT(ShiftTiling, t, tiling);
}
"""
MAIN = """
#include <cstdio>
#include "acl/acl.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_shift.h"
int main() {
  aclInit(nullptr);
  aclrtSetDevice(0);
  void* memory = nullptr;
  aclrtMalloc(&memory, 320, ACL_MEM_MALLOC_HUGE_FIRST);
  const int64_t shape[] = {40};
  aclTensor* x = aclCreateTensor(shape, 1, ACL_INT32, nullptr, 0, ACL_FORMAT_ND, shape, 1, memory);
  aclTensor* y = aclCreateTensor(shape, 1, ACL_INT32, nullptr, 0, ACL_FORMAT_ND, shape, 1, (char*)memory + 160);
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  for (int i = 0; i < 2; ++i) std::printf("%d\\n", aclnnShiftGetWorkspaceSize(x, y, &size, &executor));
}
"""
BUILD = """
cmake_minimum_required(VERSION 3.16.0)
project(shift)
find_package(ASC REQUIRED)
set(ASCEND_COMPUTE_UNIT ascend910b)
npu_op_package(shifts TYPE KIND CONFIG INSTALL_PATH ${CMAKE_INSTALL_PREFIX})
npu_op_code_gen(SRC host.cpp PACKAGE shifts OUT_DIR ${ASCEND_AUTOGEN_PATH})
file(GLOB functions ${ASCEND_AUTOGEN_PATH}/aclnn_*.cpp)
npu_op_library(cust_opapi ACLNN ${functions})
npu_op_library(cust_optiling TILING host.cpp)
npu_op_kernel_library(kernels SRC_BASE ${CMAKE_CURRENT_SOURCE_DIR} TILING_LIBRARY cust_optiling)
npu_op_kernel_sources(kernels OP_TYPE Shift KERNEL_FILE shift.cpp)
npu_op_package_add(shifts LIBRARY cust_opapi cust_optiling kernels)
add_executable(demo main.cpp)
target_include_directories(demo PRIVATE $ENV{ASCEND_HOME_PATH}/include)
target_link_directories(demo PRIVATE $ENV{ASCEND_HOME_PATH}/lib64)
target_link_libraries(demo PRIVATE shifts nnopbase acl_rt)
"""


@pytest.mark.whole
@pytest.mark.parametrize("kind", ["SHARED", "STATIC"])
def test_plain_structs_are_compared_by_aclnn(kind, tmp_path, environment):
    """As by vinci op, at the kernel's line; wherever the tiling function is."""
    for name, text in (("host.cpp", HOST), ("shift.cpp", KERNEL), ("main.cpp", MAIN),
                       ("CMakeLists.txt", BUILD.replace("KIND", kind))):
        (tmp_path / name).write_text(text)
    call(["cmake", "-S", ".", "-B", "build", "-G", "Ninja"], tmp_path, environment)
    call(["cmake", "--build", "build"], tmp_path, environment)
    done = subprocess.run(["build/demo"], cwd=tmp_path, env=environment | harness.preloaded(),
                          text=True, capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (1, "561003\n561003\n"), done.stderr
    assert "shift.cpp:5:" in done.stderr, done.stderr
    assert "ShiftTiling has total at byte 0, the kernel's struct elsewhere" in done.stderr
