"""Many launches in one process: chips, threads, printing, and nothing that grows."""

import concurrent.futures
import gc
import os
import re
import shutil
import subprocess
import sys
import textwrap

import numpy as np
import pytest
import vinci
from processes import wait_until
from python_kit import PACKAGES, TESTS, children, descriptors, kernel

CHIPS = {"Ascend910A": "1001", "Ascend310P3": "2002", "Ascend910B1": "2201", "Ascend310B1": "3002"}


def arch_seen(soc, **more):
    """__NPU_ARCH__, as a kernel on the chip sees it."""
    out = np.zeros(2, np.uint8)
    kernel("arrays", "chip", soc, **more)(out)
    return f"{out[0]:02}{out[1]:02}"


def test_two_chips_side_by_side():
    for _ in range(2):
        assert {soc: arch_seen(soc) for soc in CHIPS} == CHIPS


@pytest.mark.parametrize("cores, words", [
    ("auto", [1, 1, 21, 21, 2, 2, 22, 12]), ("aic", [1, 1, 21, 21, 0, 0, 0, 0]),
    ("whole", [3, 0, 21, 3, 0, 0, 0, 0])])
def test_the_cores_of_a_block(cores, words):
    out = np.zeros((4, 8), np.int32)
    run = kernel("cores", "both", "Ascend910B1", cores=cores)[2](out)
    assert out[0].tolist() == words
    assert vinci.report(run)["cores"] == {"auto": "mix12"}.get(cores, cores)


def test_cores_that_there_are_not():
    with pytest.raises(vinci.UsageError, match="cores mix21; legal: auto, whole, aic, aiv"):
        kernel("cores", "both", "Ascend910B1", cores="mix21")


def test_an_instance_of_a_template(tmp_path):
    file = tmp_path / "fill.cpp"
    file.write_text('#include "kernel_operator.h"\n'
                    "template <typename T, int N>\n"
                    "__global__ __aicore__ void fill(__gm__ T* out, T value) {\n"
                    "  for (int i = 0; i < N; ++i) out[i] = value;\n}\n")
    out = np.zeros(4, np.float32)
    filled = vinci.kernel(file, name="fill<float, 3>")
    filled(out, 2.5)
    assert out.tolist() == [2.5, 2.5, 2.5, 0]
    assert (filled.name, filled.signature) == ("fill<float, 3>", "fill<float, 3>(float* out, float value)")
    with pytest.raises(vinci.UsageError, match="fill is a template; choose its arguments with name=: "):
        vinci.kernel(file, name="fill")


def test_a_family_stands_for_its_chip():
    assert kernel("copy", soc="Ascend310P").soc == "Ascend310P3"


def test_socs_has_names_and_numbers():
    socs = vinci.socs()
    assert CHIPS.keys() <= socs.keys()
    assert {soc: socs[soc]["npu_arch"] for soc in CHIPS} == \
        {soc: type(socs[soc]["npu_arch"])(arch) for soc, arch in CHIPS.items()}
    assert socs["Ascend310P3"]["bytes"]["UB"] == 262144
    assert all(soc["name"] == name and soc["cores"] > 0 for name, soc in socs.items())


def resident_bytes():
    """This process's own memory."""
    with open("/proc/self/statm", encoding="ascii") as file:
        _, resident, shared = map(int, file.read().split()[:3])
    return (resident - shared) * os.sysconf("SC_PAGESIZE")


@pytest.mark.parametrize("isolated", [True, False])
def test_two_hundred_launches_leave_nothing(isolated):
    """Each with 2 MB of GM: even one in twenty that stayed would show."""
    add = kernel("arrays", "add_float", isolated=isolated)
    faulty = kernel("wrecks", "every_iteration", isolated=isolated)
    x, y, out = (np.full(1 << 17, i, np.float32) for i in range(3))

    def launch(count):
        for _ in range(count):
            add(x, y, out, 64)
            with pytest.raises(vinci.KernelError):
                faulty(np.zeros(64, np.uint8), 1)
        gc.collect()
    launch(10)
    started = children()
    before = descriptors(), resident_bytes(), len(os.listdir("/proc/self/task"))
    launch(100)
    after = descriptors(), resident_bytes(), len(os.listdir("/proc/self/task"))
    assert (after[0], after[2]) == (before[0], before[2])
    assert after[1] - before[1] < 8 << 20
    assert wait_until(lambda: children() == started)


@pytest.mark.parametrize("isolated", [True, False])
def test_threads_launch_at_once(isolated):
    """One kernel and several, each with its own arrays, report and faults."""
    add = kernel("arrays", "add_float", isolated=isolated)
    faulty = kernel("wrecks", "every_iteration", isolated=isolated)

    def work(number):
        x = np.arange(256, dtype=np.float32)
        for i in range(5):
            out = np.zeros(256, np.float32)
            add[4](x, np.full(256, number, np.float32), out, 64)
            np.testing.assert_array_equal(out, x + number)
            assert vinci.report()["kernel"] == "add_float"
            with pytest.raises(vinci.KernelError) as caught:
                faulty(np.zeros(64, np.uint8), number + i)
            assert caught.value.faults[0].count == number + i
        return arch_seen(list(CHIPS)[number % 2], isolated=isolated)

    before = descriptors(), children()
    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        results = list(pool.map(work, range(1, 7)))
    assert results == [list(CHIPS.values())[number % 2] for number in range(1, 7)]
    assert descriptors() == before[0]
    assert wait_until(lambda: children() == before[1])


def test_who_waits_for_all_children_waits_for_launches_too():
    """What a program or a library may do at any time: later launches do not miss the processes."""
    script = textwrap.dedent(f"""
        import os
        import numpy as np, vinci
        copy = vinci.kernel("{TESTS}/cli/kernels/copy.cpp", "Ascend310P3")
        for i in range(10):
            out = np.zeros(16, np.uint8)
            copy(np.full(16, i, np.uint8), out, 16)
            assert out.tolist() == [i] * 16
            try:
                while True:
                    os.waitpid(-1, 0)
            except ChildProcessError:
                pass
        """)
    subprocess.run([sys.executable, "-c", script], check=True, timeout=120,
                   env={**os.environ, "PYTHONPATH": PACKAGES})


def test_python_goes_on_while_a_kernel_runs():
    """The launch does not hold Python's lock."""
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        launched = pool.submit(kernel("wrecks", "endless", timeout=1), np.zeros(8, np.uint8), 0)
        rounds = 0
        while not launched.done():
            rounds += 1
        assert rounds > 1000
        assert isinstance(launched.exception(), vinci.KernelTimeout)


@pytest.mark.parametrize("isolated", [True, False])
def test_a_kernels_variables_are_new_in_each_launch(isolated):
    for _ in range(3):
        out = np.zeros(1, np.uint8)
        kernel("arrays", "counts_calls", isolated=isolated)(out)
        assert out[0] == 1


@pytest.mark.parametrize("isolated", [True, False])
def test_prints_come_in_the_order_of_the_calls(isolated):
    script = f"""
import sys, vinci
hello = vinci.kernel({str(TESTS / "cli/kernels/blocks.cpp")!r}, name="says_hello", isolated={isolated})
print("before")
hello[2]()
print("behind")
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60,
                          env={**os.environ, "PYTHONPATH": PACKAGES}, check=True)
    assert done.stdout == ("before\nhello from block 0 of 2\nhello from block 1 of 2\nbehind\n")
    assert done.stderr == ""


@pytest.mark.parametrize("isolated", [True, False])
def test_a_launch_is_a_process_of_its_own_unless_it_is_not_isolated(isolated):
    out = np.zeros(1, np.int32)
    kernel("arrays", "process", isolated=isolated)(out)
    assert out[0] > 0 and (out[0] == os.getpid()) == (not isolated)


def test_not_isolated_an_exception_is_a_fault_too():
    with pytest.raises(vinci.KernelError) as caught:
        kernel("wrecks", "throw_error", isolated=False)(np.zeros(8, np.uint8), 1)
    fault, = caught.value.faults
    assert fault.code == "V5005" and "no such tile" in fault.message


def test_not_isolated_a_kernel_that_must_end_ends():
    """Behind twenty errors, and with the report of one block."""
    with pytest.raises(vinci.KernelError) as caught:
        kernel("wrecks", "block_three", isolated=False)[5](np.zeros(8, np.uint8), 0)
    assert [fault.block for fault in caught.value.faults] == [3]
    with pytest.raises(vinci.KernelError) as caught:
        kernel("wrecks", "many_places", isolated=False)(out := np.zeros(1, np.uint8), 0)
    assert len(caught.value.faults) == 20 and out[0] == 1


def test_tik_and_kernels_live_in_one_process():
    script = f"""
import numpy as np, vinci
from vinci import tik
k = vinci.kernel({str(TESTS / "cli/kernels/copy.cpp")!r})
out = np.zeros(4, np.uint8)
k(np.arange(4, dtype=np.uint8), out, 4)
t = tik.Tik(disable_debug=False)
x = t.Tensor("int32", (8,), name="x", scope=tik.scope_gm)
ub = t.Tensor("int32", (8,), name="ub", scope=tik.scope_ubuf)
t.data_move(ub, x, 0, 1, 1, 0, 0)
t.data_move(x, ub, 0, 1, 1, 0, 0)
t.BuildCCE(kernel_name="k", inputs=[x], outputs=[x], output_files_path=".")
got, = t.tikdb.start_debug({{"x": np.arange(8, dtype=np.int32)}}, interactive=False)
k(out, out[:0], 0)
print(out.tolist(), got.tolist())
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60,
                          env={**os.environ, "PYTHONPATH": PACKAGES}, check=False)
    assert done.stdout == "[0, 1, 2, 3] [0, 1, 2, 3, 4, 5, 6, 7]\n", done.stderr


def test_the_fixture_of_the_plugin_finds_kernels_beside_the_test(tmp_path):
    (tmp_path / "copy.cpp").write_text((TESTS / "cli/kernels/copy.cpp").read_text())
    (tmp_path / "test_copy.py").write_text("""
import numpy as np

def test_copy(vinci):
    out = np.zeros(4, np.uint8)
    vinci.kernel("copy.cpp", soc="Ascend910B1")(np.arange(4, dtype=np.uint8), out, 4)
    assert out.tolist() == [0, 1, 2, 3]
    assert vinci.report()["soc"] == "Ascend910B1"
    assert "Ascend910B1" in vinci.socs() and issubclass(vinci.KernelError, vinci.Error)
""")
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p",
                           "vinci.pytest_plugin", str(tmp_path / "test_copy.py")], cwd="/",
                          capture_output=True, text=True, timeout=60, check=False,
                          env={**os.environ, "PYTHONPATH": PACKAGES})
    assert done.returncode == 0 and "1 passed" in done.stdout, done.stdout


def test_the_guides_first_script_and_its_fault(tmp_path, monkeypatch, capsys):
    """As they stand there."""
    guide = (TESTS.parent / "docs/guide/python.md").read_text()
    blocks = re.findall(r"(?:^    .*\n|^\n(?=    ))+", guide, re.M)
    script, output = blocks[0].rsplit("\n\n", 1)[0], blocks[0].rsplit("\n\n", 1)[1]
    catch = next(block for block in blocks if "error.faults[0]" in block)
    catching, fault = catch.rsplit("\n\n", 1)
    shutil.copy(TESTS.parent / "examples/gather/gather.cpp", tmp_path)
    monkeypatch.chdir(tmp_path)
    exec(textwrap.dedent(script + "\n" + catching), {})  # pylint: disable=exec-used
    assert capsys.readouterr().out == textwrap.dedent(output) + textwrap.dedent(fault)
