"""aclmdlRI...: streams that are captured, and what was captured run again. One program of several
parts, as compiling it is what takes the time."""

import json
import os
import subprocess

import pytest

import harness

PROGRAM = r"""
#include <cstdio>
#include <cstring>
#include "acl/acl.h"
#include "kernel_operator.h"
#include "vinci/host.h"

static int64_t* numbers;
static void add_one() { numbers[0] = numbers[0] + 1; }
static void add_ten() { numbers[1] = numbers[0] + 10; }
static void bad() {
  AscendC::LocalTensor<int32_t> local(AscendC::TPosition::VECIN, 0, 0);
  AscendC::Duplicate(local, 7, 17);  // the fault
}
static int launch(aclrtStream stream, void (*kernel)(), const char* name) {
  return vinci::host::enqueue_kernel(stream, name, vinci::Grid{1}, kernel);
}
#define CODE(call) std::printf(#call " %d\n", int(call))

int main(int, char** argv) {
  aclInit(nullptr);
  aclrtSetDevice(0);
  aclrtStream a = nullptr, b = nullptr;
  aclrtCreateStream(&a);
  aclrtCreateStream(&b);
  int64_t host[2] = {5, 0}, result[2] = {0, 0};
  aclrtMalloc((void**)&numbers, sizeof(host), ACL_MEM_MALLOC_HUGE_FIRST);
  aclmdlRI model = nullptr;
  const char* part = argv[1];
  if (std::strcmp(part, "runs") == 0) {
    aclrtEvent there = nullptr, back = nullptr;
    aclrtCreateEvent(&there);
    aclrtCreateEvent(&back);
    aclrtMemcpy(numbers, sizeof(host), host, sizeof(host), ACL_MEMCPY_HOST_TO_DEVICE);
    aclmdlRICaptureBegin(a, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL);
    launch(a, add_one, "add_one");
    aclrtRecordEvent(there, a);
    aclrtStreamWaitEvent(b, there);
    launch(b, add_ten, "add_ten");
    aclmdlRICaptureStatus of_a, of_b;
    aclmdlRI under_way = nullptr, same = nullptr;
    aclmdlRICaptureGetInfo(a, &of_a, &under_way);
    aclmdlRICaptureGetInfo(b, &of_b, &same);
    std::printf("status %d %d, one capture %d\n", of_a, of_b, under_way == same);
    aclrtRecordEvent(back, b);
    aclrtStreamWaitEvent(a, back);
    aclrtMemcpyAsync(result, sizeof(result), numbers, sizeof(result), ACL_MEMCPY_DEVICE_TO_HOST, a);
    aclmdlRICaptureEnd(a, &model);
    std::printf("one handle %d\n", model == under_way);
    aclmdlRICaptureGetInfo(b, &of_b, &same);
    aclrtSynchronizeStream(a);
    aclrtSynchronizeStream(b);
    std::printf("status %d, nothing has run: %d %d\n", of_b, int(result[0]), int(result[1]));
    for (int i = 0; i < 3; ++i) {
      aclmdlRIExecuteAsync(model, i == 1 ? b : a);
      aclrtSynchronizeDevice();
      std::printf("%d %d\n", int(result[0]), int(result[1]));
    }
    CODE(aclmdlRIExecute(model, -1));
    std::printf("%d %d\n", int(result[0]), int(result[1]));
    launch(b, add_ten, "add_ten");  // b runs what it is given again
    CODE(aclrtSynchronizeStream(b));
    CODE(aclmdlRIDebugJsonPrint(model, "model.json", 0));
    CODE(aclmdlRIDebugJsonPrint(model, "no/such/folder.json", 0));
    CODE(aclmdlRIDestroy(model));
  } else if (std::strcmp(part, "faults") == 0) {
    aclmdlRICaptureBegin(a, ACL_MODEL_RI_CAPTURE_MODE_RELAXED);
    launch(a, bad, "bad");
    launch(a, add_one, "add_one");
    aclmdlRICaptureEnd(a, &model);
    aclmdlRIExecuteAsync(model, a);
    CODE(aclrtSynchronizeStream(a));
  } else if (std::strcmp(part, "synchronise") == 0) {
    aclmdlRICaptureBegin(a, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL);
    CODE(aclrtSynchronizeStream(a));  // synchronise
  } else if (std::strcmp(part, "twice") == 0) {
    aclmdlRICaptureBegin(a, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL);
    CODE(aclmdlRICaptureBegin(a, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));  // twice
  } else if (std::strcmp(part, "mode") == 0) {
    CODE(aclmdlRICaptureBegin(a, aclmdlRICaptureMode(3)));  // mode
  } else if (std::strcmp(part, "default") == 0) {
    CODE(aclmdlRICaptureBegin(nullptr, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));  // default
  } else if (std::strcmp(part, "end") == 0) {
    CODE(aclmdlRICaptureEnd(a, &model));  // end
  } else if (std::strcmp(part, "open") == 0) {
    aclmdlRICaptureBegin(a, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL);
    aclmdlRICaptureStatus status;
    aclmdlRICaptureGetInfo(a, &status, &model);
    CODE(aclmdlRIExecuteAsync(model, b));  // open
  } else if (std::strcmp(part, "destroyed") == 0) {
    aclmdlRICaptureBegin(a, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL);
    aclmdlRICaptureEnd(a, &model);
    aclmdlRIDestroy(model);
    CODE(aclmdlRIExecuteAsync(model, a));  // destroyed
  }
  return 0;
}
"""


@pytest.fixture(name="part", scope="module")
def part_of(tmp_path_factory):
    """Runs a part of the program."""
    folder = tmp_path_factory.mktemp("captured")
    (folder / "main.cpp").write_text(PROGRAM)
    done = harness.vinci("c++", "main.cpp", "-o", "main", cwd=folder)
    assert done.code == 0, done.stderr

    def run(name):
        return subprocess.run([folder / "main", name], cwd=folder, capture_output=True, text=True,
                              timeout=60, check=False, env={**os.environ})
    run.folder = folder
    return run


def test_what_two_streams_are_given_runs_as_often_as_it_is_executed(part):
    done = part("runs")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        "status 1 1, one capture 1", "one handle 1", "status 0, nothing has run: 0 0",
        "6 16", "7 17", "8 18", "aclmdlRIExecute(model, -1) 0", "9 19",
        "aclrtSynchronizeStream(b) 0",
        'aclmdlRIDebugJsonPrint(model, "model.json", 0) 0',
        'aclmdlRIDebugJsonPrint(model, "no/such/folder.json", 0) 100003',
        "aclmdlRIDestroy(model) 0"]
    tasks = json.loads((part.folder / "model.json").read_text())["tasks"]
    assert [(task["name"], task["stream"]) for task in tasks] == [
        ("add_one", 0), ("aclrtRecordEvent", 0), ("aclrtStreamWaitEvent", 1), ("add_ten", 1),
        ("aclrtRecordEvent", 1), ("aclrtStreamWaitEvent", 0), ("aclrtMemcpyAsync", 0)]


def test_a_fault_in_what_was_captured_comes_out_of_the_next_synchronisation(part):
    done = part("faults")
    assert (done.returncode, done.stdout) == (1, "aclrtSynchronizeStream(a) 507015\n")
    assert "error[V1001] Duplicate: " in done.stderr


@pytest.mark.parametrize("name, code", [("synchronise", 107000), ("twice", 107000),
                                        ("mode", 107000), ("default", 107000), ("end", 107000),
                                        ("open", 107017), ("destroyed", 107017)])
def test_calls_out_of_turn_are_refused_at_their_line(part, name, code):
    done = part(name)
    line = 1 + next(i for i, text in enumerate(PROGRAM.splitlines())
                    if text.endswith(f"// {name}"))
    assert done.returncode == 1 and done.stdout.endswith(f" {code}\n")
    assert "error[V8004]" in done.stderr and f"main.cpp:{line} in main" in done.stderr
