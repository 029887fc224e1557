"""python3 -m vinci.tik --all FOLDER: what became of each script."""

import pathlib
import signal
import subprocess
import sys

import numpy as np
import pytest
import tik_harness
from vinci.tik import operator_cases

ADD = """
import numpy as np
from te import tik
from te.lang.cce import tuple_sum


def my_add(x, y, z, scale=1.0, kernel_name="my_add"):
    if x["dtype"] == "int8":
        raise RuntimeError("int8 is not supported")
    instance = tik.Tik()
    total = int(np.prod(x["shape"]))
    blocks = total // 16
    a, b, c = (instance.Tensor(x["dtype"], (total,), tik.scope_gm, name) for name in "abc")
    left = instance.Tensor(x["dtype"], (total,), tik.scope_ubuf, "left")
    right = instance.Tensor(x["dtype"], (total,), tik.scope_ubuf, "right")
    instance.data_move(left, a, 0, 1, blocks, 0, 0)
    instance.data_move(right, b, 0, 1, blocks, 0, 0)
    instance.vec_add(total, left, left, right, 1, 8, 8, 8)
    instance.vec_muls(total, left, left, scale, 1, 8, 8)
    instance.data_move(c, left, 0, 1, blocks, 0, 0)
    instance.BuildCCE(kernel_name, [a, b], [c])
    return instance
"""
CASES = """
from op_test_frame.common import precision_info
from op_test_frame.ut import OpUT

ut_case = OpUT("MyAdd")


def calc_expect_func(x, y, z, scale):
    return [(x["value"] SIGN y["value"]) * scale]


def tensor(kind, dtype="float16"):
    return {"shape": (96,), "dtype": dtype, "param_type": kind, "value_range": [-9, 9]}


PARAMS = [tensor("input"), tensor("input"), tensor("output"), 2.0]
ut_case.add_precision_case("all", {
    "params": PARAMS, "calc_expect_func": calc_expect_func,
    "precision_standard": precision_info.PrecisionStandard(0.001, 0.001)})
ut_case.add_case(["Ascend910A", "Ascend310"], {"params": PARAMS, "expect": "success"})
ut_case.add_case("all", {"params": [tensor("input", "int8")] * 3, "expect": RuntimeError})
"""
FUNCTIONS = """
from op_test_frame.ut import OpUT

ut_case = OpUT("MyAdd", None, None)


def knows_the_chip(test_arg):
    from impl.my_add import my_add
    assert test_arg in ("Ascend910A", "Ascend310P3"), test_arg
    my_add({"shape": (96,), "dtype": "float16"}, None, None)


ut_case.add_cust_test_func("Ascend910A", knows_the_chip)
ut_case.add_cust_test_func(["Ascend310P3"], test_func=knows_the_chip, case_name="another")
"""
SCRIPT = """
import numpy as np
from impl.my_add import my_add

TENSOR = {"shape": (96,), "dtype": "float16"}


def golden(x, y):
    return x SIGN y


feeds = {name: np.arange(96, dtype=np.float16) for name in "ab"}
my_add(TENSOR, TENSOR, TENSOR).tikdb.start_debug(feeds, interactive=False)
"""
FILES = {
    "impl/__init__.py": "", "impl/my_add.py": ADD,
    "tests/cases.py": CASES.replace("SIGN", "+"),
    "tests/cases_main.py": CASES.replace("SIGN", "+") + "ut_case.run('Ascend910')\n",
    "tests/cases_differ.py": CASES.replace("SIGN", "-"),
    "tests/cases_of_rows.py": CASES.replace("SIGN", "+").replace("(96,)", "(3, 32)"),
    "golden.py": SCRIPT.replace("SIGN", "+"), "golden_differs.py": SCRIPT.replace("SIGN", "-"),
    "no_golden.py": SCRIPT.replace("golden", "other").replace("SIGN", "+")
                    + "raise SystemExit(0)\n",
    "tests/tiling.py": CASES.replace("SIGN", "+").replace(
        "PARAMS = [tensor(\"input\"), ", "PARAMS = [tensor(\"output\"), "),
    "tests/functions.py": FUNCTIONS,
    "tests/function_fails.py": FUNCTIONS.replace("Ascend310P3\")", "Ascend310\")"),
    "tests/broadcast.py": "from op_test_frame.ut import BroadcastOpUT\n"
                          "from op_test_frame.utils import shape_utils\n"
                          "BroadcastOpUT('Add').add_broadcast_case_simple('all', ['float16'])\n",
    "builds.py": "from impl.my_add import my_add\nX = {'shape': (96,), 'dtype': 'float16'}\n"
                 "my_add(X, X, X)\n",
    "missing.py": "from tbe import tik\n\ntik.Tik().vmrgch()\n",
    "language.py": "from te import tvm\nimport tbe.dsl\ntvm.placeholder((1,))\n",
    "module.py": "import there_is_no_such_module\n",
    "parameter.py": "from impl.my_add import my_add\nX = {'shape': (2048,), 'dtype': 'float16'}\n"
                    "my_add(X, X, X)\n",
    "asserts.py": "assert 1 == 2, 'no'\n", "exits.py": "import sys\nsys.exit(3)\n",
    "killed.py": "import os\nos._exit(4)\n",
    "tests/test_add.py": "from impl.my_add import my_add\n\n\ndef test_add():\n    my_add()\n",
}
ROWS = {
    "impl/my_add.py": ("nothing to run", "0", "", ""), "tests/cases.py": ("ran", "2", "equal", ""),
    "tests/cases_main.py": ("ran", "2", "equal", ""),  # Ascend910 is Ascend910A
    "tests/cases_differ.py": ("differs", "2", "", "case 0: output 0: 96 of 96 elements differ"),
    "tests/cases_of_rows.py": ("ran", "2", "equal", ""),  # the kernel has one row
    "tests/tiling.py": ("refused", "1", "", "NotRun: the kernel has the inputs a, b, and the case "
                                            "has numbers for 1: tiling data is not made here"),
    "tests/functions.py": ("built", "2", "", ""),
    "tests/function_fails.py": ("failed", "1", "",
                                "function_fails.py:9: AssertionError: Ascend310P3"),
    "tests/broadcast.py": ("refused", "0", "",
                           "broadcast.py:3: NotRun: add_broadcast_case_simple of op_test_frame "),
    "golden.py": ("ran", "1", "equal", ""),
    "golden_differs.py": ("differs", "1", "", "output 0: 95 of 96 elements differ, by 190 at most"),
    "no_golden.py": ("ran", "1", "", ""), "builds.py": ("built", "1", "", ""),
    "missing.py": ("refused", "0", "", "missing.py:3: unimplemented: vmrgch is not there yet: "),
    "language.py": ("refused", "0", "", "language.py:3: NotImplementedError: te.tvm.placeholder "),
    "module.py": ("refused", "0", "", "module.py:1: ModuleNotFoundError: No module named 'there_"),
    "parameter.py": ("refused", "0", "", "my_add.py:18: mask value should be in the range of"),
    "asserts.py": ("failed", "0", "", "asserts.py:1: AssertionError: no"),
    "exits.py": ("failed", "0", "", "it ended with sys.exit(3)"),
    "killed.py": ("failed", "0", "", "it ended with exit code 4"),
    "tests/test_add.py": ("nothing to run", "0", "",
                          "tests for pytest: python3 -m vinci.tik -m pytest test_add.py"),
}


def run_all(folder, *options):
    return subprocess.run([sys.executable, "-m", "vinci.tik", *options, "--all", folder],
                          env=tik_harness.environment(), capture_output=True, text=True,
                          timeout=120, check=False)


def is_running(word):
    """Whether a process has this word in its command."""
    for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if word.encode() in path.read_bytes().split(b"\0"):
                return True
        except OSError:  # it has ended
            pass
    return False


def write(folder, files):
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)


def rows_of(text):
    """(result, kernels, golden, reason) by script."""
    head, *lines = text.split("\n\n")[0].splitlines()
    starts = [head.index(word) for word in ("result", "kernels", "golden", "reason")]
    ends = starts[1:] + [None]
    return {line[:starts[0]].strip(): tuple(line[a:b].strip() for a, b in zip(starts, ends))
            for line in lines}


def test_a_folder(tmp_path):
    write(tmp_path, FILES)
    done = run_all(tmp_path)
    assert done.returncode == 1 and done.stderr == ""
    rows = rows_of(done.stdout)
    assert sorted(rows) == sorted(ROWS)
    for name, (result, kernels, golden, reason) in ROWS.items():
        assert rows[name][:3] == (result, kernels, golden), (name, rows[name])
        assert rows[name][3].startswith(reason) and bool(rows[name][3]) == bool(reason), rows[name]
    assert done.stdout.endswith("\n21 scripts: 5 ran, 2 built, 2 nothing to run, 2 differs, "
                                "6 refused, 4 failed; 4 equal to their golden functions\n")


# What a folder that grew for years holds: the file, its result and how the reason begins.
MESSY = {
    "package/__init__.py": ("", None, None), "package/part.py": ("X = 3\n", "nothing to run", ""),
    "package/inner/__init__.py": ("", None, None),
    "package/inner/script.py": ("from ..part import X\nfrom . import beside\nimport beside\n"
                                "assert X == beside.X == 3 and __name__ == '__main__'\n",
                                "nothing to run", ""),
    "package/inner/beside.py": ("X = 3\n", "nothing to run", ""),
    "syntax.py": ("\ndef f(:\n", "failed", "syntax.py:2: SyntaxError: invalid syntax"),
    "old.py": ("print 'x'\n", "failed", "old.py:1: SyntaxError: Missing parentheses in call to"),
    "usage.py": ("import argparse\nparser = argparse.ArgumentParser()\n"
                 "parser.add_argument('--n', required=True)\nparser.parse_args()\n",
                 "failed", "it ended with sys.exit(2): usage.py: error: the following arguments"),
    "killed.py": ("import os\nos.kill(os.getpid(), 9)\n", "failed", "it ended by SIGKILL"),
    "child.py": ("import subprocess\nsubprocess.run(['sleep', '987654'])\n", "too slow", "no end"),
    "numpy_1_19.py": ("import numpy as np\nassert np.float(3) == np.int(3) and np.bool(1)\n",
                      "nothing to run", ""),
    "library.py": ("from impl.util.util_tik_comm_func import ub2ub\nub2ub()\n", "refused",
                   "library.py:2: NotImplementedError: impl.util.util_tik_comm_func.ub2ub is not "
                   "part of vinci: it belongs to the toolkit's operators; if you have"),
    "select.py": ("from te import tik\nimport part_of_all\nassert part_of_all.X\n"
                  "import subprocess, sys\nsubprocess.run([sys.executable, '-c', "
                  "'import part_of_all'], check=True)\n", "nothing to run", ""),
    "part_of_all.py": ("X = 1\n", "nothing to run", ""),
    "copy.py": ("1/0\n", "failed", "copy.py:1: ZeroDivisionError"),
    ".git/hook.py": ("1/0\n", None, None), "env/site-packages/x.py": ("1/0\n", None, None),
    "folder.py/kernel_meta/x.py": ("1/0\n", None, None),
}


def test_a_messy_folder(tmp_path):
    for name, (text, _, _) in MESSY.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "gone.py").symlink_to("nowhere.py")
    done = run_all(tmp_path, "--timeout", "5")
    assert done.returncode == 1 and done.stderr == ""
    rows = rows_of(done.stdout)
    expected = {name: (result, text) for name, (_, result, text) in MESSY.items() if result}
    assert sorted(rows) == sorted(expected)
    for name, (result, text) in expected.items():
        assert rows[name][0] == result and rows[name][3].startswith(text), (name, rows[name])
        assert bool(rows[name][3]) == bool(text)
    assert not is_running("987654")


@pytest.mark.parametrize("path", ["python", None])
def test_where_vinci_was_found(path, tmp_path):
    """Beside the working directory, or in it: scripts run elsewhere."""
    (tmp_path / "here").mkdir()
    (tmp_path / "here/python").symlink_to(tik_harness.PATHS[0])
    write(tmp_path, {"scripts/a.py": "import te.tik\n"})
    env = tik_harness.environment()
    env.pop("PYTHONPATH")
    done = subprocess.run([sys.executable, "-m", "vinci.tik", "--all", tmp_path / "scripts"],
                          cwd=tmp_path / "here" / ("" if path else "python"), capture_output=True,
                          env={**env, "PYTHONPATH": path} if path else env, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", ["select", "copy", "random"])
def test_an_operator_with_the_name_of_a_module(name, tmp_path):
    """It is not what numpy and vinci import, started beside it or with all."""
    write(tmp_path, {f"{name}.py": "from te import tik\nprint(tik.Tik().d_profiling)\n"})
    for arguments in ([f"{name}.py"], ["--all", "."]):
        done = subprocess.run([sys.executable, "-m", "vinci.tik", *arguments], cwd=tmp_path,
                              env=tik_harness.environment(), capture_output=True, text=True,
                              check=False)
        assert done.returncode == 0 and done.stderr == "", done.stderr


def hears_control_c():
    """What is started in the background of a shell does not."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_control_c_ends_the_scripts_too(tmp_path):
    write(tmp_path, {"a.py": "", "slow.py": "import subprocess\n"
                     "subprocess.run(['sleep', '876543'])\n", "z.py": ""})
    with subprocess.Popen([sys.executable, "-m", "vinci.tik", "--all", "."], cwd=tmp_path,
                          env=tik_harness.environment(), stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, preexec_fn=hears_control_c) as process:
        lines = [process.stdout.readline() for _ in range(2)]  # a row comes when it is there
        process.send_signal(signal.SIGINT)
        try:
            rest, errors = process.communicate(timeout=60)
        finally:
            process.kill()
    assert lines[1].startswith("a.py ") and "slow.py" not in rest
    assert process.returncode == 130 and errors == ""
    assert not is_running("876543")


@pytest.mark.whole
def test_all_is_well(tmp_path):
    write(tmp_path, {"impl/my_add.py": ADD, "golden.py": FILES["golden.py"]})
    done = run_all(tmp_path, "--soc", "Ascend310P3")
    assert done.returncode == 0 and rows_of(done.stdout)["golden.py"] == ("ran", "1", "equal", "")


def test_a_script_that_does_not_end(tmp_path):
    write(tmp_path, {"slow.py": "while True:\n    pass\n"})
    done = run_all(tmp_path, "--timeout", "2")
    assert done.returncode == 1
    assert rows_of(done.stdout)["slow.py"] == ("too slow", "0", "", "no end after 2 seconds")


@pytest.mark.parametrize("arguments, text", [
    (["--all"], "--all needs a folder"), (["--all", "nowhere"], "there is no folder nowhere"),
    (["--all", ".", "x.py"], "--all takes no script, but there is x.py"),
    (["--all", ".", "--timeout", "long"], "--timeout is in seconds, not 'long'"),
    (["--all", "."], "there is no script in ."),
])
def test_wrong_command_lines(arguments, text, tmp_path):
    done = subprocess.run([sys.executable, "-m", "vinci.tik", *arguments], cwd=tmp_path,
                          env=tik_harness.environment(), capture_output=True, text=True,
                          check=False)
    assert done.returncode == 2 and done.stdout == "" and text in done.stderr


@pytest.mark.parametrize("got, wanted, standard, text", [
    ([1.0, 2.0], [1.0, 2.0], None, None),
    ([1.0, np.nan, np.inf], [1.0, np.nan, np.inf], None, None),
    ([1.0, np.nan], [1.0, 2.0], None, "1 of 2 elements differ"),
    ([1.0, np.inf], [1.0, -np.inf], None, "1 of 2"), ([1.0], [np.inf], None, "1 of 1"),
    ([1.0] * 3, [1.0] * 2, None, "3 elements, and"),
    ([1000.0] * 999 + [1001.5], [1000.0] * 1000, (1e-3, 1e-3, None), None),
    ([1000.0] * 999 + [1001.5], [1000.0] * 1000, (1e-3, 0.9e-3, None), "1 of 1000"),
    ([1000.0] * 999 + [1001.5], [1000.0] * 1000, (1e-3, 1e-3, 1.0), "by 1.5 at most"),
    ([1000.0] * 999 + [1001.5], [1000.0] * 1000, (1e-3, 1e-3, 1.5), None)])
def test_how_near_is_near(got, wanted, standard, text):
    standard = standard and operator_cases.PrecisionStandard(*standard)
    found = operator_cases.difference(np.array(got, "float32"), wanted, standard)
    assert found is None if text is None else text in found


def test_integers_are_exact_and_bytes_nearly():
    numbers = np.arange(2000) % 100
    for dtype, near in (("int32", False), ("int8", True), ("uint8", True)):
        other = numbers.copy()
        other[5] += 1
        found = operator_cases.difference(numbers.astype(dtype), other)
        assert (found is None) == near
        other[5] += 1
        assert operator_cases.difference(numbers.astype(dtype), other) is not None


@pytest.mark.parametrize("op_type, module", [
    ("BiasAdd", "impl.bias_add"), ("Conv2D", "impl.conv2d"), ("ROIAlign", "impl.roi_align"),
    ("Roll", "impl.roll"), ("BatchNormD", "impl.batch_norm_d")])
def test_where_an_operator_is_looked_for(op_type, module):
    found = operator_cases.OpUT(op_type)
    assert (found.module, found.function) == (module, module[5:])
