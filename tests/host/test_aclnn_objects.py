"""Tensors, scalars, arrays and lists of aclnn: what programs are told of them, and what they do
wrong with them."""

import os
import subprocess

import pytest

import harness

PROGRAM = r"""
#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <string>
#include "aclnn/aclnn_base.h"

#define SAY(call) std::printf("%d\n", int(call))
static void print(const char* name, const int64_t* values, uint64_t count) {
  std::printf("%s", name);
  for (uint64_t i = 0; i < count; ++i) std::printf(" %lld", (long long)values[i]);
  std::printf("\n");
}
static void show(const aclTensor* t) {
  int64_t *shape, *strides, *storage, offset;
  uint64_t count;
  aclFormat format;
  aclDataType type;
  void* data;
  SAY(aclGetViewShape(t, &shape, &count)); print("shape", shape, count);
  SAY(aclGetViewStrides(t, &strides, &count)); print("strides", strides, count);
  SAY(aclGetStorageShape(t, &storage, &count)); print("storage", storage, count);
  SAY(aclGetViewOffset(t, &offset)); SAY(aclGetFormat(t, &format)); SAY(aclGetDataType(t, &type));
  SAY(aclGetRawTensorAddr(t, &data));
  std::printf("offset %lld format %d type %d data %p\n", (long long)offset, format, type, data);
  delete[] shape; delete[] strides; delete[] storage;
}
static const int64_t kShape[] = {2, 3}, kStrides[] = {1, 2}, kBad[] = {2, -3}, kMany[26] = {};
static int data[64];

static void tensors() {
  aclTensor* t = aclCreateTensor(kShape, 2, ACL_FLOAT16, nullptr, 0, ACL_FORMAT_NCHW, kShape, 2, data);
  show(t);
  SAY(aclInitTensor(t, kShape, 2, ACL_INT64, kStrides, 5, ACL_FORMAT_ND, kShape, 1, nullptr));
  show(t);
  SAY(aclSetRawTensorAddr(t, (void*)16));
  show(t);
  SAY(aclDestroyTensor(t));
  aclTensor* scalar = aclCreateTensor(nullptr, 0, ACL_INT4, nullptr, 0, ACL_FORMAT_ND, nullptr, 0, data);
  show(scalar);
}
static void sizes() {
  const int64_t ints[] = {1, 2, 3};
  const float floats[] = {1, 2};
  const bool bools[] = {true};
  int number = 7;
  aclTensor* t = aclCreateTensor(kShape, 2, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, kShape, 2, data);
  aclScalar* s = aclCreateScalar(&number, ACL_INT32);
  aclIntArray* i = aclCreateIntArray(ints, 3);
  aclFloatArray* f = aclCreateFloatArray(floats, 2);
  aclBoolArray* b = aclCreateBoolArray(bools, 1);
  aclTensorList* l = aclCreateTensorList(&t, 1);
  aclScalarList* m = aclCreateScalarList(&s, 1);
  aclIntArray* none = aclCreateIntArray(nullptr, 0);
  uint64_t size = 9;
  SAY(aclGetIntArraySize(i, &size)); SAY(size);
  SAY(aclGetFloatArraySize(f, &size)); SAY(size);
  SAY(aclGetBoolArraySize(b, &size)); SAY(size);
  SAY(aclGetTensorListSize(l, &size)); SAY(size);
  SAY(aclGetScalarListSize(m, &size)); SAY(size);
  SAY(aclGetIntArraySize(none, &size)); SAY(size);
  SAY(aclDestroyTensorList(l)); SAY(aclDestroyScalarList(m)); SAY(aclDestroyIntArray(i));
  SAY(aclDestroyFloatArray(f)); SAY(aclDestroyBoolArray(b)); SAY(aclDestroyIntArray(none));
}
static void nulls() {
  uint64_t size;
  int64_t* shape;
  aclTensor* t = aclCreateTensor(kShape, 2, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, kShape, 2, data);
  SAY(aclDestroyTensor(nullptr)); SAY(aclDestroyIntArray(nullptr)); SAY(aclDestroyTensorList(nullptr));
  SAY(aclGetIntArraySize(nullptr, &size)); SAY(aclGetViewShape(nullptr, &shape, &size));
  SAY(aclGetViewShape(t, nullptr, &size)); SAY(aclGetViewShape(t, &shape, nullptr));
  SAY(aclCreateIntArray(nullptr, 1) == nullptr); SAY(aclCreateScalar(nullptr, ACL_INT8) == nullptr);
  SAY(aclCreateTensor(nullptr, 2, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, kShape, 2, data) == nullptr);
  SAY(aclSetAclOpExecutorRepeatable(nullptr)); SAY(aclDestroyAclOpExecutor(nullptr));
  SAY(aclnnInit(nullptr)); SAY(aclnnInit(nullptr)); SAY(aclnnFinalize());
}
static void wrong(int which) {
  aclTensor* t = aclCreateTensor(kShape, 2, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, kShape, 2, data);
  int64_t offset;
  switch (which) {
    case 0: SAY(aclDestroyTensor(t)); SAY(aclDestroyTensor(t)); return;  // twice
    case 1: SAY(aclDestroyIntArray((aclIntArray*)t)); return;  // another kind
    case 2: aclDestroyTensorList(aclCreateTensorList(&t, 1)); SAY(aclGetViewOffset(t, &offset)); return;  // went
    case 3: SAY(aclCreateTensor(kBad, 2, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, kShape, 2, data) == nullptr); return;  // negative
    case 4: SAY(aclCreateTensor(kShape, 2, ACL_STRING, nullptr, 0, ACL_FORMAT_ND, kShape, 2, data) == nullptr); return;  // type
    case 5: SAY(aclCreateTensor(kShape, 2, ACL_FLOAT, nullptr, -1, ACL_FORMAT_ND, kShape, 2, data) == nullptr); return;  // offset
    case 6: SAY(aclCreateTensor(kMany, 26, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, kShape, 2, data) == nullptr); return;  // rank
    case 7: SAY(aclCreateTensor(kShape, 2, ACL_FLOAT, kBad, 0, ACL_FORMAT_ND, kShape, 2, data) == nullptr); return;  // strides
  }
}
int main(int argc, char** argv) {
  const std::string what = argv[1];
  if (what == "tensors") tensors();
  if (what == "sizes") sizes();
  if (what == "nulls") nulls();
  if (what == "wrong") wrong(std::atoi(argv[2]));
}
"""


@pytest.fixture(name="run", scope="module")
def fixture_run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("aclnn")
    (folder / "main.cpp").write_text(PROGRAM)
    done = harness.vinci("c++", "main.cpp", "-o", "main", cwd=folder)
    assert done.code == 0, done.stderr
    return lambda *words: subprocess.run([folder / "main", *words], capture_output=True, text=True,
                                         timeout=60, check=False, env=dict(os.environ))


def shown(shape, strides, storage, rest):
    return f"0\nshape{shape}\n0\nstrides{strides}\n0\nstorage{storage}\n0\n0\n0\n0\n{rest}\n"


def test_a_tensor_says_what_it_was_made_with(run):
    done = run("tensors")
    assert (done.returncode, done.stderr) == (0, "")
    data = done.stdout.split("data ")[1].split("\n")[0]
    assert done.stdout == (
        shown(" 2 3", " 3 1", " 2 3", f"offset 0 format 0 type 1 data {data}") + "0\n"
        + shown(" 2 3", " 1 2", " 2", "offset 5 format 2 type 9 data (nil)") + "0\n"
        + shown(" 2 3", " 1 2", " 2", "offset 5 format 2 type 9 data 0x10") + "0\n"
        + shown("", "", "", f"offset 0 format 2 type 29 data {data}"))


def test_arrays_and_lists_say_their_size(run):
    done = run("sizes")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split() == "0 3 0 2 0 1 0 1 0 1 0 0 0 0 0 0 0 0".split()


def test_null_pointers_are_told_by_their_code_alone(run):
    done = run("nulls")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split() == (
        "0 0 0 161001 161001 161001 161001 1 1 1 161001 161001 0 0 0".split())


@pytest.mark.parametrize("which, line, stdout, message", [
    (0, "twice", "0 161002", "is no tensor (returns 161002)"),
    (1, "another kind", "161002", "is no array of int64_t"),
    (2, "went", "161002", "is no tensor"),
    (3, "negative", "1", "viewDims is [2, -3]"),
    (4, "type", "1", "dataType 13"),
    (5, "offset", "1", "offset -1"),
    (6, "rank", "1", "viewDims with 26 dimensions"),
    (7, "strides", "1", "strides [2, -3]"),
])
def test_what_is_wrong_is_a_fault_at_its_line(run, which, line, stdout, message):
    done = run("wrong", str(which))
    number = 1 + next(i for i, text in enumerate(PROGRAM.splitlines()) if f"// {line}" in text)
    assert done.returncode == 1
    assert done.stdout.split() == stdout.split()
    assert "error[V8004] acl" in done.stderr and message in done.stderr
    assert f"main.cpp:{number} in wrong" in done.stderr
