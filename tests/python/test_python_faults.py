"""What a kernel does wrong is an exception with the report; what vinci finds wrong around it too."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time
import warnings

import numpy as np
import pytest
import vinci
from harness import Value, run_kernel
from python_kit import PACKAGES, TESTS, descriptors, kernel

GM = np.zeros(1024, np.uint8)


def wreck(name, number, **more):
    """The faults of a kernel that goes wrong."""
    with pytest.raises(vinci.KernelError) as caught:
        kernel("wrecks", name, **more)(GM.copy(), number)
    return caught.value


def test_a_fault_has_its_place_and_its_text():
    error = wreck("every_iteration", 3)
    fault, = error.faults
    source = TESTS / "fault" / "kernels" / "wrecks.cpp"
    line = next(i for i, text in enumerate(source.read_text().splitlines(), 1)
                if "HERE every_iteration" in text)
    assert (fault.code, fault.severity, fault.kind) == ("V1001", "error", "kernel")
    assert (fault.block, fault.count, fault.core) == (0, 3, "AI Core")
    assert fault.lines[0] == {"file": str(source), "line": line, "function": "every_iteration"}
    assert str(fault) == fault.text and fault.text in str(error)
    assert str(error).startswith(f"\nerror[V1001] {fault.message}\n  --> ")
    assert "= see: vinci explain V1001" in str(error)


def test_the_report_is_that_of_the_command_line():
    """But for what is its own: the time, texts, and the outputs' names, here of a parameter without
    a name."""
    error = wreck("every_iteration", 3)
    theirs = run_kernel(TESTS / "fault/kernels/wrecks.cpp", GM, Value("int64", 3), soc="Ascend310P3",
                        kernel="every_iteration").report
    own = json.loads(json.dumps(vinci.report(error)))
    for fault in own["faults"]:
        assert fault.pop("text").startswith("error[V1001]")
    assert own.pop("outputs") == ["1"] and theirs.pop("outputs") == []
    own.pop("seconds")
    theirs.pop("seconds")
    assert own == theirs


def test_what_was_computed_before_a_fault_is_there():
    out = np.zeros(2, np.uint8)
    with pytest.raises(vinci.KernelError):
        kernel("blocks", "faults_between")(out, 128)
    assert out.tolist() == [1, 2]
    with pytest.raises(vinci.KernelError):
        kernel("blocks", "crashes_between")(out := np.zeros(2, np.uint8))
    assert out.tolist() == [1, 0]


WRECKS = {"read_address": (16, "V5001"), "divide": (0, "V5002"), "recursion": (-1, "V5003"),
          "call_abort": (1, "V5005"), "throw_error": (1, "V5005"), "call_exit": (3, "V5006"),
          "call_quick_exit": (3, "V5006"), "raise_signal": (9, "V5007"),
          "catches_everything": (0, "V6002")}


@pytest.mark.parametrize("name", WRECKS)
def test_python_survives(name):
    number, code = WRECKS[name]
    assert [fault.code for fault in wreck(name, number).faults] == [code]
    kernel("wrecks", "every_iteration")(GM.copy(), 0)


def test_a_crash_names_block_and_line():
    with pytest.raises(vinci.KernelError) as caught:
        kernel("wrecks", "wild_block_two")[4](np.zeros(64, np.uint8), 0)
    fault, = caught.value.faults
    assert fault.block == 2 and fault.lines[0]["function"] == "wild_block_two"
    assert vinci.report(caught.value)["blocks_finished"] == 2


@pytest.mark.parametrize("name", ["endless", "deaf"])
def test_an_endless_kernel_ends_with_its_time(name):
    """Whether it says where it was or cannot."""
    start = time.monotonic()
    error = wreck(name, 0, timeout=0.3)
    assert isinstance(error, vinci.KernelTimeout) and isinstance(error, TimeoutError)
    assert error.faults[0].code == "V5004" and 0.3 <= time.monotonic() - start < 20
    if name == "endless":
        assert error.faults[0].message == "endless: still running after 0.3 s"
        assert error.faults[0].legal == "a kernel that ends, or a larger timeout"


def test_a_fault_within_the_time_is_no_timeout():
    assert not isinstance(wreck("divide", 0, timeout=30), vinci.KernelTimeout)


INTERRUPTED = """
import signal
import sys
import numpy as np
import vinci
signal.signal(signal.SIGINT, signal.default_int_handler)  # whatever this was started with
k = vinci.kernel(sys.argv[1], name="endless")
print("ready", flush=True)
try:
    k(np.zeros(64, np.uint8), 0)
except KeyboardInterrupt:
    print("interrupted", vinci.socs()["Ascend910A"]["name"])
"""


def test_ctrl_c_ends_the_kernel_and_is_a_keyboard_interrupt():
    process = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED, TESTS / "fault/kernels/wrecks.cpp"],
        stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": PACKAGES})
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=20)[0] == "interrupted Ascend910A\n"
    assert process.returncode == 0


def test_a_warning_is_a_warning_and_the_run_has_it():
    with pytest.warns(vinci.KernelWarning, match=r"warning\[V2009\] ") as caught:
        run = kernel("arrays", "warns")(GM.copy())
    assert caught[0].filename == __file__
    assert [fault.code for fault in run.faults] == ["V2009"]
    assert vinci.report(run)["exit_code"] == 0
    with pytest.warns(vinci.KernelWarning) as caught:
        kernel("arrays", "warns")[2](GM.copy())
    assert caught[0].filename == __file__


def test_a_clean_run_says_nothing():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run = kernel("blocks", "block_index")[2](np.zeros(4, np.int64))
    assert run.faults == [] and run.seconds > 0
    report = vinci.report()
    assert vinci.report(run) is report
    assert (report["kernel"], report["blocks"], report["outputs"]) == ("block_index", 2, ["out"])
    assert (report["exit_code"], report["faults"], report["check"]) == (0, [], "full")


def test_a_report_of_nothing():
    found = []

    def ask():
        with pytest.raises(vinci.UsageError, match="nothing has run in this thread"):
            vinci.report()
        found.append(True)
    thread = threading.Thread(target=ask)
    thread.start()
    thread.join()
    assert found
    with pytest.raises(vinci.UsageError, match="3 is no run; legal"):
        vinci.report(3)


def test_checks_that_are_off_find_nothing():
    tensor_fault = kernel("wrecks", "every_iteration", check="off")
    tensor_fault(GM.copy(), 1)
    assert vinci.report()["check"] == "off"
    with pytest.raises(vinci.KernelError):
        tensor_fault(GM.copy(), 1, check="full")
    tensor_fault(GM.copy(), 1)
    with pytest.raises(vinci.UsageError, match="check none; legal: strict"):
        tensor_fault(GM.copy(), 1, check="none")


def source(folder, text):
    """A file with a kernel."""
    path = pathlib.Path(folder) / "k.cpp"
    path.write_text('#include "kernel_operator.h"\n' + text)
    return path


def test_a_source_that_does_not_compile_says_what_the_compiler_says(tmp_path, capfd):
    path = source(tmp_path, "int x = no_such_name;\n")
    with pytest.raises(vinci.CompileError, match=r"(?s)k.cpp does not compile for Ascend310P3\n.*"
                                                 r"k.cpp:2:9: .*error: .*no_such_name"):
        vinci.kernel(path)
    assert capfd.readouterr() == ("", "")


def test_a_compilers_warning_is_a_warning(tmp_path):
    path = source(tmp_path, 'extern "C" __global__ void k(GM_ADDR) { int unused; }\n')
    for cache in (True, True, False):  # what comes from the cache was warned of, too
        with pytest.warns(vinci.CompilerWarning, match="unused variable"):
            vinci.kernel(path, options=["-Wall"], cache=cache)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        vinci.kernel(path)


def test_what_cannot_be_loaded_is_a_compile_error(tmp_path):
    path = source(tmp_path, 'void missing();\nextern "C" __global__ void k() { missing(); }\n')
    with pytest.raises(vinci.CompileError, match="k.cpp cannot be loaded: .*missing"):
        vinci.kernel(path)()


@pytest.mark.parametrize("call, message", [
    (lambda f: vinci.kernel(f / "none.cpp"), "none.cpp does not exist"),
    (lambda f: vinci.kernel(f), "is a folder"),
    (lambda f: vinci.kernel(source(f, "")), "has no kernel: no __global__ function"),
    (lambda f: vinci.kernel(TESTS / "cli/kernels/blocks.cpp"), "several kernels; choose one with name=: "),
    (lambda f: vinci.kernel(TESTS / "cli/kernels/blocks.cpp", name="none"), "has no kernel none; there are"),
    (lambda f: vinci.kernel(TESTS / "cli/kernels/copy.cpp", "Ascend1"), "unknown chip Ascend1.*\n  chips: "),
    (lambda f: vinci.kernel(TESTS / "cli/kernels/copy.cpp", options=["-g0"]), "was compiled without -g"),
    (lambda f: vinci.kernel("x.cpp", options="-O0"), "options '-O0'; legal: a list of words"),
    (lambda f: vinci.kernel("x.cpp", check="none"), "check none; legal: strict, full, basic, off, or"),
    (lambda f: vinci.kernel("x.cpp", check=["race", "none"]), "check race,none; legal: strict, full"),
    (lambda f: vinci.kernel("x.cpp", check=[]), "check ; legal: strict, full"),
    (lambda f: vinci.kernel("x.cpp", check=3), "check 3; legal: strict, full"),
    (lambda f: vinci.kernel("x.cpp", schedule="slow"), "schedule slow; legal: eager, lazy, random:SEED"),
    (lambda f: vinci.kernel("x.cpp", schedule=""), "schedule ''; legal: eager, lazy, random:SEED"),
    (lambda f: vinci.kernel("x.cpp", schedule=7), "schedule 7; legal: eager, lazy, random:SEED"),
    (lambda f: vinci.kernel("x.cpp", auto_sync="off"), "auto_sync 'off'; legal: True, False"),
    (lambda f: vinci.kernel("x.cpp", timeout=-1), "timeout -1; legal: 0.."),
    (lambda f: vinci.kernel("x.cpp", timeout="3"), "timeout '3'; legal: 0.."),
    (lambda f: vinci.kernel("x.cpp", timeout=float("nan")), "timeout nan; legal: 0.."),
    (lambda f: vinci.kernel("x.cpp", threads=1025), r"threads 1025; legal: 0\.\.1024"),
    (lambda f: vinci.kernel("x.cpp", threads=1.5), r"threads 1.5; legal: 0\.\.1024"),
])
def test_usage_errors_say_what_is_legal(tmp_path, call, message):
    with pytest.raises(vinci.UsageError, match=message):
        call(tmp_path)


def test_an_error_leaves_nothing_open():
    before = descriptors()
    for _ in range(3):
        wreck("call_exit", 1)
        wreck("read_address", 16)
    assert descriptors() == before
