"""BuildCCE: its checks, its files, and what it makes of the statements."""

import hashlib
import json
import shutil
import subprocess
import sys

import pytest
import tik_harness
from language import GM, UB, refused
from tik_harness import run_script
from vinci import tik
from vinci.tik import chip


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def description(name="k", folder="kernel_meta"):
    """A kernel's .json."""
    with open(f"{folder}/{name}.json", encoding="utf-8") as file:
        return json.load(file)


def statements(name="k", folder="kernel_meta"):
    """A kernel's statement file."""
    with open(f"{folder}/{name}.statements.json", encoding="utf-8") as file:
        return json.load(file)


class Kernel:
    """A Tik with a few objects; `build` fills in what a test does not say."""

    def __init__(self):
        self.tik = tik.Tik()
        self.a = self.tensor("a")
        self.b = self.tensor("b")

    def tensor(self, name, scope=GM, **more):
        return self.tik.Tensor("float16", (32,), scope, name, **more)

    def scalar(self, name, dtype="int32"):
        return self.tik.InputScalar(dtype, name)

    def build(self, inputs=None, outputs=None, kernel_name="k", **more):
        return self.tik.BuildCCE(kernel_name, [self.a] if inputs is None else inputs,
                                 [self.b] if outputs is None else outputs, **more)


@pytest.fixture(name="kernel")
def fixture_kernel():
    return Kernel()


def test_it_returns_none_and_writes_two_files(kernel, tmp_path):
    assert kernel.build() is None
    assert sorted(path.name for path in (tmp_path / "kernel_meta").iterdir()) == [
        "k.json", "k.statements.json"]


def test_description(kernel, tmp_path):
    kernel.build()
    text = (tmp_path / "kernel_meta/k.statements.json").read_bytes()
    assert description() == {
        "binFileName": "k", "binFileSuffix": ".o", "blockDim": 1, "compileInfo": {},
        "coreType": "AiCore", "kernelList": [], "kernelName": "k__kernel0",
        "magic": "RT_DEV_BINARY_MAGIC_ELF", "memoryStamping": [], "opParaSize": 0,
        "parameters": [None, None], "sha256": hashlib.sha256(text).hexdigest()}
    raw = (tmp_path / "kernel_meta/k.json").read_text()
    assert raw == json.dumps(description(), indent=4, sort_keys=True) + "\n"


def test_statement_file(kernel):
    with kernel.tik.for_range(0, 3, block_num=3) as i:
        kernel.tensor("c", UB)[i].set_as(1.5)
    kernel.build()
    file = statements()
    assert (file["vinci_statements"], file["kernel"], file["soc"]) == (1, "k", "Ascend910A")
    assert file["files"] == [__file__]
    assert [(one["name"], one.get("role")) for one in file["buffers"]] == [
        ("a", "input"), ("b", "output"), ("c", None)]
    assert [one["do"] for one in file["body"]] == ["for"] and description()["blockDim"] == 3


def test_other_folder(kernel, tmp_path):
    config = {"kernel_meta_parent_dir": "parent"}
    kernel.build(config=config)
    kernel.build(config=config, output_files_path="out/deep", kernel_name="other")
    assert description("other", "out/deep/kernel_meta")["kernelName"] == "other__kernel0"
    assert description("k", "parent/kernel_meta")["kernelName"] == "k__kernel0"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "parent"]


def test_folder_that_cannot_be_written(kernel, tmp_path):
    (tmp_path / "file").write_text("")
    refused(lambda: kernel.build(output_files_path="file"), "cannot write", "file")


@pytest.mark.parametrize("soc, scopes, wanted", [
    ("Ascend310P3", (UB,), ("AiCore", "", False)),
    ("Ascend910B1", (UB,), ("VectorCore", "_AIVEC", False)),
    ("Ascend910B1", (), ("VectorCore", "_AIVEC", False)),
    ("Ascend910B1", ("local.L1",), ("CubeCore", "_AICUBE", False)),
    ("Ascend910B1", ("local.L1", UB), ("MIX", "_MIX_AIC", True))])
def test_core_type(soc, scopes, wanted):
    chip.set_current_compile_soc_info(soc)
    kernel = Kernel()
    for number, scope in enumerate(scopes):
        kernel.tensor(f"c{number}", scope)
    kernel.build()
    found = description()
    assert (found["coreType"], found["magic"], "intercoreSync" in found) == (
        wanted[0], "RT_DEV_BINARY_MAGIC_ELF" + wanted[1], wanted[2])
    assert found.get("taskRation") == ("1:2" if wanted[2] else None)


def test_vector_core():
    chip.set_current_compile_soc_info("Ascend310P3", "VectorCore")
    Kernel().build()
    assert description()["magic"] == "RT_DEV_BINARY_MAGIC_ELF_AIVEC"
    assert statements()["soc"] == "Ascend310P3-VectorCore"


@pytest.mark.parametrize("soc, engine", [
    ("Ascend910B", "Ascend910B-C100"), ("Ascend610", "Ascend310P1"), ("SD3403", "SD3403")])
def test_the_chip_that_runs(soc, engine):
    chip.set_current_compile_soc_info(soc)
    Kernel().build()
    assert statements()["soc"] == engine


def test_workspaces_and_atomic_outputs(kernel):
    sync = kernel.tik.Tensor("int64", (64,), GM, "sync", is_workspace=True, is_atomic_add=True)
    plain = kernel.tensor("plain", is_workspace=True)
    kernel.tensor("shared", is_global_tensor=True)
    total = kernel.tensor("total", is_atomic_add=True)
    kernel.build(outputs=[kernel.b, total])
    found = description()
    assert found["workspace"] == {"num": 2, "size": [512, 64], "type": [0, 0]}
    assert found["globalworkspace_shared"] == {"num": 1, "size": [64], "type": [0]}
    assert found["parameters"] == [
        None, None, {"dtype": "float16", "init_value": 0}, {"dtype": "int64", "init_value": 0},
        None]
    assert sync.buffer.role == plain.buffer.role == "workspace"


def test_flowtable(kernel):
    tiling = kernel.tik.Tensor("int64", (4,), GM, "tiling")
    count = kernel.scalar("count", "uint16")
    kernel.build(flowtable=[tiling, count])
    assert description()["opParaSize"] == 34
    assert description()["parameters"] == [None] * 4
    assert [one["role"] for one in statements()["buffers"]] == ["input", "output", "input"]
    assert statements()["scalars"] == [{"name": "count", "dtype": "uint16", "input": True}]


def test_blocks_that_only_the_run_knows(kernel):
    cores = kernel.scalar("cores")
    with kernel.tik.for_range(0, cores, block_num=cores):
        pass
    kernel.build(flowtable=[cores])
    assert description()["blockDim"] == 32


def test_blocks_in_branches(kernel):
    """The largest loop over blocks says how many there are, wherever it stands."""
    mode = kernel.scalar("mode")
    with kernel.tik.if_scope(mode == 1):
        with kernel.tik.for_range(0, 4, block_num=4):
            pass
    with kernel.tik.else_scope():
        with kernel.tik.for_range(0, 7, block_num=7):
            pass
    kernel.build(flowtable=[mode])
    assert description()["blockDim"] == 7


def test_compile_info_of_the_context(tmp_path):
    script = """
from impl.util.platform_adapter import tbe_context, tik
t = tik.Tik()
a = t.Tensor("float16", (16,), tik.scope_gm, "a")
tbe_context.get_context().add_compile_info("vars", {"core_num": 2})
t.BuildCCE("k", [a], [])
"""
    done = run_script(tmp_path, script)
    assert done.returncode == 0, done.stderr
    assert description()["compileInfo"] == {"vars": {"core_num": 2}}


def test_single_objects_and_no_outputs(kernel):
    kernel.tik.BuildCCE(kernel_name="k", inputs=kernel.a, outputs=kernel.b)
    assert [one.name for one in kernel.tik.built.inputs] == ["a"]
    kernel.build(inputs=(kernel.a, kernel.b), outputs=[])
    assert [one["role"] for one in statements()["buffers"]] == ["input", "input"]
    kernel.build(inputs=[], outputs=(kernel.a, kernel.b))
    assert [one["role"] for one in statements()["buffers"]] == ["output", "output"]


def test_a_tensor_may_be_overwritten(kernel, capsys):
    kernel.build(inputs=[kernel.a, kernel.b], outputs=[kernel.b])
    assert "b is both input and output" in capsys.readouterr().err
    assert [one["role"] for one in statements()["buffers"]] == ["input", "input"]


def test_a_tensor_that_is_nowhere_listed(kernel, capsys):
    kernel.build(inputs=[], outputs=[kernel.b])
    assert "Tensor a is in scope_gm, but not in inputs or outputs" in capsys.readouterr().err
    assert [one["role"] for one in statements()["buffers"]] == ["workspace", "output"]


def test_names_live_on_after_it(kernel):
    with kernel.tik.new_stmt_scope():
        local = kernel.tensor("local", UB)
    refused(local.operand, "not defined in this scope")
    kernel.build()
    assert local.operand() == [2, 0, "float16"]


def test_statements_behind_it_are_told(kernel, capsys):
    kernel.build()
    assert "comes after BuildCCE" not in capsys.readouterr().err
    scalar = kernel.tik.Scalar("int32", init_value=1)
    err = capsys.readouterr().err
    assert "warning: this statement comes after BuildCCE, so the kernel does not have it" in err
    assert "test_tik_build.py" in err
    kernel.build()
    assert capsys.readouterr().err == "" and statements()["body"][-1]["scalar"] == scalar.number


@pytest.mark.parametrize("options, words", [
    ({"kernel_name": 5}, ("kernel_name should be str",)),
    ({"kernel_name": ""}, ("kernel_name",)), ({"kernel_name": "1k"}, ("kernel_name", "1k")),
    ({"kernel_name": "a-b"}, ("a-b",)), ({"kernel_name": "k/../k"}, ("kernel_name",)),
    ({"output_files_path": 3}, ("output_files_path should be str",)),
    ({"enable_l2": "yes"}, ("enable_l2 should be bool",)),
    ({"config": ["a"]}, ("config should be dict",)),
    ({"config": {1: 2}}, ("key of config should be str",)),
    ({"config": {"kernel_meta_parent_dir": 1}}, ("kernel_meta_parent_dir should be str",)),
    ({"inputs": 5}, ("inputs should be Tensor, list or tuple",)),
    ({"inputs": ["a"]}, ("inputs should hold Tensor or InputScalar or TensorAddrList",)),
    ({"outputs": [None]}, ("outputs should hold Tensor",)),
    ({"flowtable": [3]}, ("flowtable should hold Tensor or InputScalar",))])
def test_wrong_arguments(kernel, options, words):
    refused(lambda: kernel.build(**options), *words)
    assert kernel.tik.built is None


def test_legal_config(kernel):
    kernel.build(config={"enable_const_fold": True, "save_temp_cce_file": False}, enable_l2=True,
                 evaluates={}, extend_params={})


def test_scalar_kinds(kernel):
    count = kernel.scalar("count")
    refused(lambda: kernel.build(inputs=[count, kernel.a]), "InputScalars should follow")
    flowtable = [count, kernel.tensor("c")]
    refused(lambda: kernel.build(flowtable=flowtable), "InputScalars", "in flowtable")
    refused(lambda: kernel.build(outputs=[kernel.b, count]), "outputs should hold Tensor")
    plain = kernel.tik.Scalar("int32", "plain")
    refused(lambda: kernel.build(inputs=[kernel.a, plain]), "inputs should hold")
    kernel.build(inputs=[kernel.a, count])


def test_scopes_and_owners(kernel):
    local = kernel.tensor("c", UB)
    refused(lambda: kernel.build(inputs=[local]), "scope of c in inputs", "local.UB")
    refused(lambda: kernel.build(outputs=[local]), "scope of c in outputs")
    refused(lambda: kernel.build(inputs=[Kernel().a]), "belongs to another Tik")
    for more in ({"is_workspace": True}, {"is_global_tensor": True}, {"init_value": [0.0] * 32}):
        scratch = kernel.tensor(f"w{len(kernel.tik.program.buffers)}", **more)
        refused(lambda: kernel.build(inputs=[scratch]), scratch.name, "should not be in inputs")
        refused(lambda: kernel.build(outputs=[scratch]), scratch.name, "should not be in outputs")


def test_names_differ(kernel):
    again = kernel.tensor("a")
    for use in (lambda: kernel.build(inputs=[kernel.a, again]),
                lambda: kernel.build(outputs=[again]),
                lambda: kernel.build(flowtable=[again]),
                lambda: kernel.build(inputs=[kernel.a, kernel.scalar("a")]),
                lambda: kernel.build(inputs=[kernel.b, kernel.b], outputs=[])):
        refused(use, "should differ", "is there twice")
    kernel.build()  # `again` is listed nowhere, and no statement has it
    kernel.tik.data_move(kernel.tensor("local", UB), again, 0, 1, 1, 0, 0)
    refused(kernel.build, "should differ", "is there twice")


def test_not_inside_a_scope(kernel):
    with kernel.tik.for_range(0, 2):
        refused(kernel.build, "inside a scope")
    with kernel.tik.if_scope(True):
        refused(kernel.build, "inside a scope")
    kernel.build()


@pytest.mark.parametrize("extra, legal", [(190, True), (191, False)])
def test_most_parameters(kernel, extra, legal):
    more = [kernel.tensor(f"t{i}", is_workspace=i < 7) for i in range(extra)][7:]
    if legal:
        kernel.build(inputs=[kernel.a, *more])
        assert len(description()["parameters"]) == 192
    else:
        refused(lambda: kernel.build(inputs=[kernel.a, *more]), "at most 192, input is 193")


def test_two_kernels_of_one_script(tmp_path):
    first, second = Kernel(), Kernel()
    first.build(kernel_name="one")
    second.build(kernel_name="two")
    assert len(list((tmp_path / "kernel_meta").iterdir())) == 4


def test_address_lists(kernel):
    arrays = kernel.tik.TensorAddrList(3, GM, "arrays")
    kernel.build(inputs=[kernel.a, arrays])
    assert statements()["buffers"][2]["list"] is True
    refused(lambda: kernel.build(outputs=[arrays]), "outputs should hold Tensor")


def test_error_kinds(tmp_path):
    script = "from te import tik\nt = tik.Tik(err_msg_level=LEVEL)\nt.BuildCCE('1', [], [])\n"
    codes = {}
    for level, env in ((0, {}), (1, {}), (0, {"CONTEXT_MODELCOMPILING": "TRUE"})):
        done = run_script(tmp_path, script.replace("LEVEL", str(level)), env=env)
        codes[level, bool(env)] = done.stderr
        assert done.returncode == 1 and "script.py, line 3" in done.stderr
    assert "RuntimeError" not in codes[0, False] and "RuntimeError: kernel_name" in codes[1, False]
    assert "'errCode': 'EA0000'" in codes[0, True]


def test_without_an_engine(tmp_path):
    """A script can be imported; the first question about the chip says what is missing."""
    script = "from vinci import tik\nt = tik.Tik()\n" \
             "print('made')\na = t.Tensor('int8', (32,), tik.scope_gm, 'a')\n" \
             "t.BuildCCE('k', [], [a])\n"
    env = tik_harness.environment(PYTHONPATH=str(tik_harness.ROOT / "python"))
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, env=env,
                          capture_output=True, text=True, check=False)
    assert done.stdout == "made\n" and "vinci._engine is not there" in done.stderr


def test_an_engine_of_another_python(tmp_path):
    """It is told that it is there."""
    shutil.copytree(tik_harness.ROOT / "python/vinci", tmp_path / "vinci")
    (tmp_path / "vinci/_engine.cpython-399-x86_64-linux-gnu.so").write_bytes(b"")
    done = subprocess.run([sys.executable, "-m", "vinci.tik", "x.py"], cwd=tmp_path,
                          env=tik_harness.environment(PYTHONPATH=str(tmp_path)),
                          capture_output=True, text=True, check=False)
    told = done.stderr.splitlines()[0]
    assert "there is _engine.cpython-399-x86_64-linux-gnu.so, and this is" in told
    assert told.endswith("use the Python that vinci was built for, Debian's")


def test_a_python_without_numpy(tmp_path):
    done = subprocess.run([sys.executable, "-S", "-m", "vinci.tik", "x.py"], cwd=tmp_path,
                          env=tik_harness.environment(), capture_output=True, text=True,
                          check=False)
    last = done.stderr.splitlines()[-1]
    assert done.returncode == 1 and last.startswith("ModuleNotFoundError: vinci.tik needs numpy, ")
