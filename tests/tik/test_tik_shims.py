"""The toolkit's packages as scripts import them, and `python3 -m vinci.tik`."""

import subprocess
import sys

import pytest
import tik_harness
from tik_harness import run_script

# What real scripts begin with, line by line.
IMPORTS = """\
from te import tik
from tbe import tik
import te; te.tik.Tik, te.platform.get_soc_spec("UB_SIZE"), te.utils.para_check
import tbe; tbe.tik.Tik, tbe.common.platform.set_current_compile_soc_info("Ascend310P3")
import tbe; tbe.common.utils.para_check.check_input_type(dict, str)
from te import tvm
from tbe import tvm
import te.lang.cce
import te.lang.dynamic
import te.platform
import te.platform as tbe_platform; tbe_platform.get_soc_spec("UB_SIZE")
from te import platform as tbe_platform; tbe_platform.cce_conf.get_soc_spec("UB_SIZE")
import te.platform.cce_params as cce_params; cce_params.scope_ubuf
from te.platform import cce_params, get_soc_spec, te_set_version
from te import platform as cce; cce.cce_intrin.get_bit_len("float16"), cce.CceProductParams()
from te.platform import cce_intrin as te_irn; te_irn.get_bit_len("float16")
from te.platform.cce_intrin import get_bit_len
from tbe.dsl.instrinsic import cce_intrin as tbe_cce_intrin; tbe_cce_intrin.get_bit_len("int8")
from te.platform.cce_conf import CceProductParams
from te.platform.cce_build import build_config
from te.platform.cce_conf import api_check_support, te_set_version
from te.platform.fusion_manager import fusion_manager; fusion_manager.register("x")
from te.utils import para_check, shape_util, op_utils
from te.utils.op_utils import *; check_op_params(REQUIRED_INPUT, KERNEL_NAME)
from te.utils.error_manager import error_manager_vector
from te.utils.error_manager.error_manager_vector import raise_err_input_value_invalid
import tbe.common.platform as tbe_platform; tbe_platform.CORE_NUM
from tbe.common.platform import get_bit_len, set_current_compile_soc_info
from tbe.common.platform import platform_info as tbe_platform_info
from tbe.common.platform.platform_info import get_soc_spec
from tbe.common.utils import para_check, shape_util
from tbe.common.utils.errormgr import error_manager_vector
from tbe.common.context import get_context, op_context
from tbe.common.register import register_operator
from tbe.common.buildcfg import build_config
from topi import generic
from topi.cce import util; util.check_kernel_name("k")
from impl.util.platform_adapter import tik, tvm, tbe, para_check, shape_util
from impl.util.platform_adapter import tbe_platform, tbe_context, register_operator
from impl.util.platform_adapter import error_manager_vector, error_manager_cube, OpImplMode
from impl.util.platform_adapter import tbe_platform as cce; cce.api_check_support
from impl.util.util_common import is_unknown_rank_input, ceil
from impl.util import util_common, util_select_op_base
from impl.util.util_binary import get_bit_len
from impl.util.util_select_op_base import gen_param, get_dynamic_param_in_json
from impl import common_util, constant_util as constant; constant.BLOCK_SIZE
from mindspore.ops.op_info_register import op_info_register, TBERegOp, DataType
""".splitlines()


def test_imports(tmp_path):
    """Each line in a fresh interpreter: no line relies on an earlier one."""
    script = "import os, sys\nfor line in sys.stdin.read().splitlines():\n" \
             "    pid = os.fork()\n    if pid == 0:\n        try:\n            exec(line)\n" \
             "        except BaseException as error:\n            print(line, repr(error))\n" \
             "        sys.stdout.flush()\n        os._exit(0)\n    os.waitpid(pid, 0)\n"
    done = run_script(tmp_path, script, stdin="\n".join(IMPORTS))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def run(tmp_path, text, **more):
    """The last lines that a script prints."""
    done = run_script(tmp_path, text, **more)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_figures_under_their_first_names(tmp_path):
    lines = run(tmp_path, "from te import platform as cce\nparams = cce.CceProductParams()\n"
                "for key in ('Unified_Buffer', 'L1_Buffer', 'L0A_Buffer', 'L0B_Buffer', "
                "'L0C_Buffer', 'Device_core_num'):\n    print(params.getParams(key))\n"
                "try:\n    params.getParams('Sid')\nexcept RuntimeError as error:\n"
                "    print(error)\n", options=("--soc", "Ascend310"))
    assert lines[:-1] == ["253952", "1048576", "65536", "65536", "262144", "2"]
    assert lines[-1].startswith("getParams: there is no 'Sid'; there are Unified_Buffer, ")


def test_one_tik(tmp_path):
    assert run(tmp_path, "from te import tik as a\nfrom tbe import tik as b\nimport te.tik\n"
               "from vinci import tik as c\nprint(a is b is c is te.tik)\n") == ["True"]


def test_names_inside_the_toolkits_tik(tmp_path):
    script = """
from te import tik
from te.tik.tik_lib.tik_expr import Expr
from tbe.tik.api.tik_scalar import Scalar
from te.tik.common.util import DTYPE_SIZE, ceil_div, reduce_mul
s = tik.Tik().Scalar("int32", "s", 5)
print(isinstance(s, Scalar), isinstance(ceil_div(s, 4), Expr), ceil_div(5, 4), reduce_mul((2, 3)))
print(DTYPE_SIZE["float16"], DTYPE_SIZE["int8"])
"""
    assert run(tmp_path, script) == ["True True 2 6", "2 1"]


def test_arguments_and_main(tmp_path):
    lines = run(tmp_path, "import sys\nprint(sys.argv, __name__, __file__)\n", )
    assert lines == ["['script.py'] __main__ script.py"]
    done = run_script(tmp_path, "import sys\nprint(sys.argv[1:])\n", "-x", "--soc", "a b")
    assert done.stdout == "['-x', '--soc', 'a b']\n"


def test_modules_beside_the_script(tmp_path):
    folder = tmp_path / "deep"
    folder.mkdir()
    (folder / "helper.py").write_text("VALUE = 41\n")
    (folder / "impl").mkdir()
    (folder / "impl" / "mine.py").write_text("VALUE = 42\n")
    (folder / "script.py").write_text(
        "import helper\nfrom impl import mine, constant_util\n"
        "print(helper.VALUE, mine.VALUE, constant_util.MASK128)\n")
    done = subprocess.run([sys.executable, "-m", "vinci.tik", "deep/script.py"], cwd=tmp_path,
                          env=tik_harness.environment(), capture_output=True, text=True,
                          check=False)
    assert (done.stdout, done.stderr) == ("41 42 128\n", "")


def test_a_folder_that_comes_to_the_path_later(tmp_path):
    for name in ("mine.py", "util/mine_too.py"):
        (tmp_path / "later/impl" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "later/impl" / name).write_text("VALUE = 42\n")
    script = "import sys\nfrom impl import constant_util\nfrom impl.util import util_common\n" \
             "sys.path.append('later')\nfrom impl.mine import VALUE\n" \
             "from impl.util import mine_too\nprint(VALUE, mine_too.VALUE)\n"
    assert run(tmp_path, script) == ["42 42"]


OWN_HELPERS = {
    "common_util.py": "def get_data_size(dtype):\n    return 77\n",
    "util/util_common.py": "def ceil_16(value):\n    return -(-value // 16)\n",
    "util/util_mine.py": "VALUE = 42\n", "util/platform_adapter.py": "tik = None\n",
    "dynamic/script.py": "from impl import common_util, constant_util\n"
                         "from impl.util import util_binary, util_mine\n"
                         "from impl.util.platform_adapter import tik\n"
                         "from impl.util.util_common import ceil_16\n"
                         "print(common_util.get_data_size('int8'), constant_util.MASK128,\n"
                         "      util_binary.get_bit_len('int8'), util_mine.VALUE, ceil_16(17),\n"
                         "      tik.Tik().__class__.__name__)\n"}


@pytest.mark.parametrize("options", [("script.py",), ("--all", ".")])
def test_a_script_finds_the_package_that_it_lies_in(options, tmp_path):
    package = tmp_path / "mine_impl"
    (package / "deep").mkdir(parents=True)
    (package / "common.py").write_text("VALUE = 42\n")
    (tmp_path / "json.py").write_text("raise ImportError('it hides a module of Python')\n")
    (package / "deep/script.py").write_text(
        "from mine_impl.common import VALUE\nimport json\nfrom te import tik\nprint(VALUE)\n")
    done = subprocess.run([sys.executable, "-m", "vinci.tik", *options], cwd=package / "deep",
                          env=tik_harness.environment(), capture_output=True, text=True,
                          check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "42\n" or "1 scripts: 1 nothing to run" in done.stdout


@pytest.mark.parametrize("place, script", [
    (".", "op/impl/dynamic/script.py"), ("op/impl", "dynamic/script.py")])
def test_a_projects_own_helpers_come_first(place, script, tmp_path):
    for name, text in OWN_HELPERS.items():
        file = tmp_path / "op/impl" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    for options in ((script,), ("--all", ".")):
        done = subprocess.run([sys.executable, "-m", "vinci.tik", *options], cwd=tmp_path / place,
                              env=tik_harness.environment(), capture_output=True, text=True,
                              check=False)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout == "77 128 8 42 2 Tik\n" or options[0] == "--all", done.stdout


@pytest.mark.parametrize("statement, code", [
    ("", 0), ("import sys; sys.exit(7)", 7), ("raise SystemExit('no')", 1), ("1 / 0", 1),
    ("raise SystemExit", 0)])
def test_exit_code(tmp_path, statement, code):
    done = run_script(tmp_path, statement + "\n")
    assert done.returncode == code
    assert ("ZeroDivisionError" in done.stderr) == ("1 / 0" in statement)


SOC = "from tbe.common.platform import get_soc_spec\nprint(get_soc_spec('FULL_SOC_VERSION'))\n"


@pytest.mark.parametrize("options, env, name", [
    ((), {}, "Ascend310"), (("--soc", "Ascend310P3"), {}, "Ascend310P3"),
    (("--soc=ascend310p",), {}, "Ascend310P3"), ((), {"VINCI_SOC": "Ascend310"}, "Ascend310"),
    (("--soc", "Ascend910B"), {"VINCI_SOC": "Ascend310"}, "Ascend910B1"),
    (("--soc", "Ascend310P1-VectorCore"), {}, "Ascend310P1")])
def test_soc(tmp_path, options, env, name):
    assert run(tmp_path, SOC, options=options, env=env) == [name]


def test_script_chooses_last(tmp_path):
    lines = run(tmp_path, "import te.platform as tp\ntp.te_set_version('Ascend310')\n" + SOC,
                options=("--soc", "Ascend910B1"))
    assert lines == ["Ascend310"]


@pytest.mark.parametrize("arguments, text", [
    ([], "no script is given"), (["--sock", "x", "script.py"], "there is no option --sock"),
    (["--soc"], "--soc needs a chip"), (["--soc", "Ascend9", "script.py"], "no chip 'Ascend9'"),
    (["-m"], "-m needs a module"), (["nowhere.py"], "there is no file nowhere.py"), (["--soc", "Ascend310"], "no script")])
def test_wrong_command_lines(tmp_path, arguments, text):
    (tmp_path / "script.py").write_text("print('ran')\n")
    done = subprocess.run([sys.executable, "-m", "vinci.tik", *arguments], cwd=tmp_path,
                          env=tik_harness.environment(), capture_output=True, text=True,
                          check=False)
    assert done.returncode == 2 and done.stdout == ""
    assert text in done.stderr and "usage: python3 -m vinci.tik" in done.stderr


def test_a_module_instead_of_a_script(tmp_path):
    (tmp_path / "test_mine.py").write_text(
        "from te import tik\nfrom te.platform import get_soc_spec\n\n\ndef test_chip():\n"
        "    assert get_soc_spec('FULL_SOC_VERSION') == 'Ascend310P3'\n")
    (tmp_path / "mine.py").write_text("import sys\nfrom tbe import tik\nprint(sys.argv[1:])\n")
    for module, code, printed in ((["pytest", "-q", "test_mine.py"], 0, "1 passed"),
                                  (["mine", "--soc", "x"], 0, "['--soc', 'x']"),
                                  (["nowhere"], 1, "")):
        done = subprocess.run(
            [sys.executable, "-m", "vinci.tik", "--soc", "Ascend310P3", "-m", *module],
            cwd=tmp_path, env=tik_harness.environment(), capture_output=True, text=True,
            check=False)
        assert done.returncode == code and printed in done.stdout, (done.stdout, done.stderr)
    assert "No module named nowhere" in done.stderr


def test_wrong_environment(tmp_path):
    done = run_script(tmp_path, SOC, env={"VINCI_SOC": "Ascend9"})
    assert done.returncode == 2 and "there is no chip 'Ascend9'" in done.stderr


@pytest.mark.parametrize("option", ["-h", "--help"])
def test_help(option):
    done = subprocess.run([sys.executable, "-m", "vinci.tik", option], capture_output=True,
                          env=tik_harness.environment(), text=True, check=False)
    assert done.returncode == 0 and done.stdout.startswith("usage: python3 -m vinci.tik")


def test_what_is_absent_says_so(tmp_path):
    script = """
from te import lang, tvm
from te.lang.cce import tuple_sum
from tbe.common.platform import no_such_name
import te.lang.cce, tbe.dsl.base.operation
for use in (lambda: tvm.placeholder((1,)), lambda: te.lang.cce.vadd(1, 2), lambda: tuple_sum(1),
            lambda: tbe.dsl.base.operation.var("n"), lambda: lang.cce(), lambda: list(tvm.x),
            lambda: 1 in tvm.x.y, lambda: tvm.x[0], lambda: no_such_name()):
    try:
        use()
        print("works")
    except NotImplementedError as error:
        print(error)
"""
    names = ["te.tvm.placeholder", "te.lang.cce.vadd", "te.lang.cce.tuple_sum",
             "tbe.dsl.base.operation.var", "te.lang.cce", "te.tvm.x", "te.tvm.x.y", "te.tvm.x",
             "tbe.common.platform.no_such_name"]
    assert run(tmp_path, script) == [
        f"{name} is not part of vinci: it belongs to the toolkit's operator language or its "
        "compiler, and vinci runs TIK" for name in names]


def test_what_is_absent_may_stand_where_it_is_not_used(tmp_path):
    script = """
from tbe import tvm
from tbe.dsl.base import operation

class Mine(tvm.tensor.Tensor):
    kind = tvm.expr.Var

@operation.register_schedule(pattern="x")
@operation.register_build_pointcut
@tvm.tag_scope("mine")
def schedule(x: tvm.tensor.Tensor = tvm.const):
    return 5

print(isinstance(1, tvm.tensor.Tensor), tvm.a == "b", schedule(), Mine.kind)
"""
    assert run(tmp_path, script) == [
        "False False 5 <tbe.tvm.expr.Var, which vinci does not have>"]


def test_operators_that_are_not_there(tmp_path):
    script = "from impl.add_of_another import add\nfrom impl import mul_of_another\n" \
             "from impl.dynamic.transpose import Transpose\nprint('imported')\n"
    assert run(tmp_path, script) == ["imported"]
    done = run_script(tmp_path, script + "add(1)\n")
    assert "impl.add_of_another.add is not part of vinci: it belongs to the toolkit's operators; " \
           "if you have its file, put it into your folder" in done.stderr


@pytest.mark.parametrize("options, version, chip", [
    ((), "cloud", "Ascend910A"), (("--soc", "Ascend310"), "mini", "Ascend310")])
def test_mindspores_operators_are_for_its_chip(options, version, chip, tmp_path):
    script = "from te import tik\nfrom topi.cce import util\n" \
             "from mindspore.ops.op_info_register import TBERegOp\n" \
             "from te.platform import get_soc_spec\n" \
             "print(util.get_product_version(), get_soc_spec('FULL_SOC_VERSION'))\n"
    assert run(tmp_path, script, options=options) == [f"{version} {chip}"]


def test_decorators_and_registration(tmp_path):
    script = """
from impl.util.platform_adapter import para_check, register_operator
from mindspore.ops.op_info_register import op_info_register, TBERegOp, DataType
from tbe.common.register import get_operator
info = TBERegOp("Mine").fusion_type("OPAQUE").input(0, "x", False, "required", "all") \\
    .dtype_format(DataType.F16_Default, DataType.I8_FracZ).get_op_info()

@register_operator("Mine")
@para_check.check_op_params(para_check.REQUIRED_ATTR_INT, para_check.KERNEL_NAME)
@op_info_register(info)
def mine(x, kernel_name="mine"):
    return x + 1

print(mine(1), get_operator("Mine")(2), get_operator("Other"))
print(info["op_name"], DataType.F16_Default, DataType.U8_5HD, DataType.BF16_None)
"""
    assert run(tmp_path, script) == [
        "2 3 None", "Mine ('float16', 'DefaultFormat') ('uint8', 'NC1HWC0') ('bfloat16', '')"]


def test_the_adapter_has_old_and_new_names(tmp_path):
    text = ("from impl.util.platform_adapter import tbe_platform, platform_info\n"
            "print(tbe_platform.cce_conf.get_soc_spec(tbe_platform.cce_conf.CORE_NUM),\n"
            "      tbe_platform.get_soc_spec(tbe_platform.CORE_NUM), tbe_platform.scope_ubuf,\n"
            "      platform_info.get_soc_spec('CORE_NUM'))\n"
            "@tbe_platform.fusion_manager.fusion_manager.register('mine')\n"
            "def mine():\n    return 5\n"
            "print(mine())\n")
    assert run(tmp_path, text, options=("--soc", "Ascend310")) == ["2 2 local.UB 2", "5"]


def test_generations_under_their_first_names(tmp_path):
    text = ("from te.platform import cce_conf\nfrom topi.cce import util\n"
            "for name in ('Ascend310', 'Ascend910A', 'Ascend310P3', 'Hi3796CV300CS'):\n"
            "    cce_conf.te_set_version(name)\n"
            "    print(*(int(f()) for f in (util.is_mini_version, cce_conf.is_cloud_version,\n"
            "          cce_conf.is_v200_version_new, util.is_lhisi_version)))\n")
    assert run(tmp_path, text) == ["1 0 0 0", "0 1 0 0", "0 0 1 0", "0 0 0 1"]


def test_no_shim_outside(tmp_path):
    """Importing vinci.tik alone puts no toolkit on the path."""
    done = subprocess.run([sys.executable, "-c", "import vinci.tik, te"], cwd=tmp_path,
                          env=tik_harness.environment(), capture_output=True, text=True,
                          check=False)
    assert "No module named 'te'" in done.stderr
