"""Tensors in a format with a layout of its own, by aclnn: tiling sees view and storage."""

import shutil

import numpy as np
import pytest

from test_operators import PACKAGES
from test_programs import call, fixture_environment  # pylint: disable=unused-import

MAIN = """
#include <cstdio>
#include <fstream>
#include "acl/acl.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_unfold_weight.h"
int main() {
  aclrtStream stream;
  if (aclInit(nullptr) != 0 || aclrtSetDevice(0) != 0 || aclrtCreateStream(&stream) != 0) return 1;
  const int64_t view[] = {20, 40}, storage[] = {3, 2, 16, 16}, seenShape[] = {16};
  char* memory = nullptr;
  aclrtMalloc((void**)&memory, 8192, ACL_MEM_MALLOC_HUGE_FIRST);
  std::ifstream("w.bin", std::ios::binary).read(memory, 3072);
  aclTensor* weight = aclCreateTensor(view, 2, ACL_FLOAT16, nullptr, 0, ACL_FORMAT_FRACTAL_NZ, storage, 4, memory);
  aclTensor* rows = aclCreateTensor(view, 2, ACL_FLOAT16, nullptr, 0, ACL_FORMAT_ND, view, 2, memory + 4096);
  aclTensor* seen = aclCreateTensor(seenShape, 1, ACL_INT32, nullptr, 0, ACL_FORMAT_ND, seenShape, 1, memory + 6144);
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  if (aclnnUnfoldWeightGetWorkspaceSize(weight, rows, seen, &size, &executor) != 0) return 2;
  if (aclnnUnfoldWeight(nullptr, size, executor, stream) != 0 || aclrtSynchronizeStream(stream) != 0) return 3;
  std::ofstream("rows.bin", std::ios::binary).write(memory + 4096, 1600);
  std::ofstream("seen.bin", std::ios::binary).write(memory + 6144, 64);
}
"""
BUILD = """
cmake_minimum_required(VERSION 3.16.0)
project(unfold)
find_package(ASC REQUIRED)
set(ASCEND_COMPUTE_UNIT ascend910b)
npu_op_package(unfold TYPE SHARED CONFIG INSTALL_PATH ${CMAKE_INSTALL_PREFIX})
npu_op_code_gen(SRC op_host/unfold_weight.cpp PACKAGE unfold OUT_DIR ${ASCEND_AUTOGEN_PATH})
file(GLOB functions ${ASCEND_AUTOGEN_PATH}/aclnn_*.cpp)
npu_op_library(cust_opapi ACLNN ${functions})
npu_op_library(cust_optiling TILING op_host/unfold_weight.cpp)
npu_op_kernel_library(kernels SRC_BASE ${CMAKE_CURRENT_SOURCE_DIR}/op_kernel TILING_LIBRARY cust_optiling)
npu_op_kernel_sources(kernels KERNEL_DIR ./)
npu_op_package_add(unfold LIBRARY cust_opapi cust_optiling kernels)
add_executable(demo main.cpp)
target_include_directories(demo PRIVATE $ENV{ASCEND_HOME_PATH}/include)
target_link_directories(demo PRIVATE $ENV{ASCEND_HOME_PATH}/lib64)
target_link_libraries(demo PRIVATE unfold nnopbase acl_rt)
"""


@pytest.mark.whole
def test_view_and_storage(tmp_path, environment):
    """The view is the origin's shape; the format is that of both, as aclCreateTensor has one."""
    shutil.copytree(PACKAGES / "stored_weight", tmp_path, dirs_exist_ok=True)
    rows = np.arange(800, dtype=np.float16).reshape(20, 40)
    padded = np.zeros((32, 48), np.float16)
    padded[:20, :40] = rows
    padded.reshape(2, 16, 3, 16).transpose(2, 0, 1, 3).tofile(tmp_path / "w.bin")
    for name, text in (("main.cpp", MAIN), ("CMakeLists.txt", BUILD)):
        (tmp_path / name).write_text(text)
    call(["cmake", "-S", ".", "-B", "build", "-G", "Ninja"], tmp_path, environment)
    call(["cmake", "--build", "build"], tmp_path, environment)
    call(["build/demo"], tmp_path, environment)
    assert np.array_equal(np.fromfile(tmp_path / "rows.bin", np.float16).reshape(20, 40), rows)
    seen = np.fromfile(tmp_path / "seen.bin", np.int32)
    assert seen.tolist() == [29, 29, 2, 4, 20, 40, 0, 0, 3, 2, 16, 16, 0, 0, 0, 1536]
