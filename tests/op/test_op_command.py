"""vinci op on packages that are as they should be, and on some that are not."""

import pathlib
import shutil

import numpy as np
import pytest

import harness

PACKAGES = pathlib.Path(__file__).resolve().parent / "packages"


@pytest.fixture(name="x")
def ones(tmp_path):
    """An input's file."""
    np.save(tmp_path / "x.npy", np.arange(50, dtype=np.float16))
    return tmp_path / "x.npy"


def add(package, x, *more):
    """x + x."""
    out = x.parent / "z.npy"
    return harness.vinci("op", str(package), "--soc", "Ascend310B1", "--in", f"x={x}", "--in",
                         f"y={x}", "--out", f"z={out}", *more)


def spoiled(tmp_path, *changes, name="add_custom"):
    """A copy of the package in which words are replaced."""
    package = tmp_path / "package"
    shutil.copytree(PACKAGES / name, package)
    for file, old, new in changes:
        path = package / file
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))
    return package


HOST, KERNEL = "op_host/add_custom.cpp", "op_kernel/add_custom.cpp"


def test_command_computes_compares_and_explains(x):
    """What a user does first."""
    golden = x.parent / "golden.npy"
    np.save(golden, np.load(x) * 2)
    run = add(PACKAGES / "add_custom", x, "--expect", f"{x.parent / 'z.npy'}={golden}", "--explain")
    assert run.code == 0, run.stderr
    assert "tiling key 0, 1 block(s)" in run.stdout
    assert "0  totalLength              uint32_t  50" in run.stdout
    assert np.array_equal(np.load(x.parent / "z.npy"), np.load(golden))


def test_given_shape_and_two_files(x):
    """The sources instead of the folder."""
    files = [str(PACKAGES / "add_custom" / file) for file in (HOST, KERNEL)]
    run = harness.vinci("op", *files, "--soc", "Ascend310B1", "--in", f"x={x}", "--in", f"y={x}",
                        "--out", f"z={x.parent / 'z.npy'}:half:50", "--quiet")
    assert run.code == 0, run.stderr
    assert np.array_equal(np.load(x.parent / "z.npy"), np.load(x) * 2)


def test_list():
    """Operators, types, attributes with defaults."""
    text = harness.vinci("op", str(PACKAGES / "several"), "--list").stdout
    assert "ReduceAxis" in text and "ScaleShift" in text and "ascend310b" in text
    assert "axis" in text and "= -1" in text and "required" in text
    one = harness.vinci("op", str(PACKAGES / "several"), "--list", "--op", "ScaleShift").stdout
    assert "ScaleShift" in one and "ReduceAxis" not in one
    run = harness.vinci("op", str(PACKAGES / "several"), "--list", "--op", "ScaleShft")
    assert run.code == 2 and "did you mean ScaleShift" in run.stderr


def test_which_operator(x):
    """Where there are several, or none of the name."""
    run = harness.vinci("op", str(PACKAGES / "several"), "--in", f"x={x}")
    assert run.code == 2 and "has several operators: ReduceAxis, ScaleShift" in run.stderr
    run = harness.vinci("op", str(PACKAGES / "several"), "--op", "ReduceAxes", "--in", f"x={x}")
    assert run.code == 2 and "did you mean ReduceAxis" in run.stderr
    run = harness.vinci("op", str(PACKAGES / "add_custom" / "op_kernel"))
    assert run.code == 2 and "no source says OP_ADD" in run.stderr


def test_kernel_of_another_name(tmp_path, x):
    """The file is the operator's, the function is not."""
    run = add(spoiled(tmp_path, (KERNEL, "void add_custom(", "void add_customs(")), x)
    assert run.code == 3
    assert "has no kernel add_custom for AddCustom; it has: add_customs; legal: " in run.stderr
    assert 'ExtendCfgInfo("opInterface.value", "add_customs")' in run.stderr


def test_key_without_a_branch(tmp_path, x):
    """The tiling function and the kernel do not agree."""
    run = add(spoiled(tmp_path, (HOST, "context->SetBlockDim(used);",
                                 "context->SetBlockDim(used); context->SetTilingKey(3);"),
                      (KERNEL, "  op.Process();\n}", "  if (TILING_KEY_IS(1)) op.Process();\n}")), x,
              "--json", str(tmp_path / "report.json"))
    assert run.code == 1 and "V8007" in run.stderr and "key is 3" in run.stderr
    lines = (tmp_path / "package" / KERNEL).read_text().splitlines()
    line = lines.index("  if (TILING_KEY_IS(1)) op.Process();") + 1
    assert f"{KERNEL}:{line} in add_custom" in run.stderr


def test_struct_larger_than_the_data(tmp_path, x):
    """SetDataSize with too little."""
    run = add(spoiled(tmp_path, (HOST, "SetDataSize(tiling.GetDataSize())", "SetDataSize(20)")), x)
    assert run.code == 1 and "V8008" in run.stderr and "takes 24 bytes" in run.stderr
    assert "add_custom.cpp:" in run.stderr


@pytest.mark.parametrize("read", ["GET_TILING_DATA(t, tiling);",
                                  "GET_TILING_DATA(t, tiling);\n  GET_TILING_DATA_MEMBER("
                                  "AddCustomTilingData, smallLength, small, tiling);"])
def test_no_data(tmp_path, x, read):
    """SetDataSize is forgotten."""
    set_size = "context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());"
    package = spoiled(tmp_path, (HOST, set_size, ""), (KERNEL, "GET_TILING_DATA(t, tiling);", read))
    run = add(package, x)
    assert run.code == 1 and "V5001" not in run.stderr, run.stderr
    assert run.stderr.count("error[V8008]") == read.count("GET") and "tiling data has 0" in run.stderr
    assert "add_custom.cpp:" in run.stderr


@pytest.mark.whole
def test_struct_with_another_layout(tmp_path, x):
    """A hand-written one on the kernel's side."""
    own = "struct Own { uint32_t totalLength; uint64_t smallLength; };\nclass KernelAdd {"
    run = add(spoiled(tmp_path, (KERNEL, "class KernelAdd {", own),
                      (KERNEL, "GET_TILING_DATA(t, tiling);", "GET_TILING_DATA(t, tiling);\n"
                       "  GET_TILING_DATA_WITH_STRUCT(Own, own, tiling);")), x)
    assert run.code == 3 and "has smallLength at byte 4" in run.stderr


def test_parameters_that_do_not_match(tmp_path, x):
    """A kernel without its workspace."""
    run = add(spoiled(tmp_path, (KERNEL, "GM_ADDR workspace, ", "")), x)
    assert run.code == 3 and "does not match the definition of AddCustom" in run.stderr


@pytest.mark.whole
def test_macro_of_an_input_that_is_not_there(tmp_path, x):
    """DTYPE_W."""
    run = add(spoiled(tmp_path, (KERNEL, "GlobalTensor<DTYPE_X> xGm", "GlobalTensor<DTYPE_W> xGm")), x)
    assert run.code == 3
    assert "DTYPE_W: AddCustom has no such input or output; legal: DTYPE_X, DTYPE_Y, DTYPE_Z" \
        in run.stderr


@pytest.mark.whole
def test_workspace_that_nobody_asked_for(tmp_path, x):
    """It has no bytes."""
    run = add(spoiled(tmp_path, (KERNEL, "  op.Process();\n}", "  op.Process();\n  GlobalTensor<int> w;\n"
                                 "  w.SetGlobalBuffer((__gm__ int*)workspace);\n  w.SetValue(0, 1);\n}")),
              x)
    assert run.code == 1 and "workspace" in run.stderr


@pytest.mark.parametrize("asked, writes, told", [(32, True, True), (32, False, False),
                                                 ((16 << 20) - 1, True, True), (16 << 20, False, False),
                                                 ((16 << 20) + 32, True, False)])
def test_workspace_without_the_system_s_part(tmp_path, x, asked, writes, told):
    """It begins where a device has something else."""
    write = "  w.SetValue(0, 1);\n" if writes else ""
    run = add(spoiled(tmp_path, (HOST, "workspaces[0] = 0;", f"workspaces[0] = {asked};"),
                      (KERNEL, "  op.Process();\n}", "  op.Process();\n  GlobalTensor<int> w;\n"
                       "  w.SetGlobalBuffer((__gm__ int*)workspace);\n" + write + "}")), x)
    assert run.code == 0 and ("warning[V8006]" in run.stderr) == told
    if told:
        assert f"asks for {asked} bytes of workspace, and the kernel writes its own part" in run.stderr
        assert f"{HOST}:" in run.stderr and f"legal: GetLibApiWorkSpaceSize() + {asked}\n" in run.stderr


@pytest.mark.parametrize("asked, told", [("userWorkspaceSize + systemWorkspaceSize", False),
                                         ("userWorkspaceSize", True)])
def test_matmul_objects_need_the_system_s_workspace(tmp_path, asked, told):
    """An AIC and its AIVs talk to each other there."""
    host = "op_host/matmul_leakyrelu_custom.cpp"
    package = spoiled(tmp_path, (host, "userWorkspaceSize + systemWorkspaceSize;", asked + ";"),
                      name="matmul_leakyrelu")
    for name, array in [("a", np.ones((256, 64), np.float16)), ("b", np.ones((64, 128), np.float16)),
                        ("bias", np.ones(128, np.float32))]:
        np.save(tmp_path / f"{name}.npy", array)
    run = harness.vinci("op", str(package), "--soc", "Ascend910B1", "--out", f"c={tmp_path}/c.npy",
                        *(word for name in ("a", "b", "bias")
                          for word in ("--in", f"{name}={tmp_path}/{name}.npy")))
    assert run.code == 0, run.stderr
    assert ("V8006" in run.stderr) == told
    assert not told or "asks for 0 bytes of workspace, and the kernel has Matmul objects" in run.stderr


@pytest.mark.whole
def test_outputs_that_nobody_wrote(tmp_path, x):
    """Another shape than the kernel writes."""
    run = add(spoiled(tmp_path, (KERNEL, "  op.Process();\n}", "  if (x == nullptr) op.Process();\n}")),
              x)
    assert run.code == 0 and "V1014" in run.stderr


OPTIONAL_OUTPUT = (
    (HOST, "    this->SetInferShape", """    this->Output("copy").ParamType(OPTIONAL)
        .DataType({ge::DT_FLOAT16, ge::DT_FLOAT, ge::DT_INT32})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND});
    this->SetInferShape"""),
    (KERNEL, "GM_ADDR z,\n                                                 GM_ADDR workspace",
     "GM_ADDR z, GM_ADDR copy, GM_ADDR workspace"),
    (KERNEL, "op.Init(x, y, z, t", "op.Init(x, y, copy == nullptr ? z : copy, t"))


def test_an_optional_output_is_there_if_its_shape_is_asked_for(tmp_path, x):
    package = spoiled(tmp_path, *OPTIONAL_OUTPUT)
    run = add(package, x)
    assert run.code == 0 and "V1014" not in run.stderr, run.stderr
    assert np.array_equal(np.load(x.parent / "z.npy"), np.load(x) * 2)
    run = add(package, x, "--out", f"copy={tmp_path}/copy.npy")
    assert run.code == 2 and "--out copy: this call has none" in run.stderr
    host = package / HOST
    host.write_text(host.read_text().replace(
        "  return GRAPH_SUCCESS;", "  *context->GetOutputShape(1) = *context->GetInputShape(0);\n"
        "  return GRAPH_SUCCESS;", 1))
    np.save(tmp_path / "golden.npy", np.load(x) * 2)
    run = add(package, x, "--out", f"copy={tmp_path}/copy.npy", "--expect",
              f"copy={tmp_path}/golden.npy")
    assert run.code == 0 and "V1014" in run.stderr, run.stderr  # z


@pytest.mark.whole
def test_host_code_that_crashes(tmp_path, x):
    """At its line."""
    run = add(spoiled(tmp_path, (HOST, "context->SetBlockDim(used);",
                                 "context->SetBlockDim(used / (total - 50));")), x)
    assert run.code == 1 and "V5002" in run.stderr and "add_custom.cpp:" in run.stderr


def test_missing_tiling_function(tmp_path, x):
    """Told by name."""
    run = add(spoiled(tmp_path, (HOST, "this->AICore().SetTiling(optiling::TilingFunc);", "")), x)
    assert run.code == 3 and "has no tiling function" in run.stderr


@pytest.mark.whole
def test_lists_of_types_of_different_lengths(tmp_path, x):
    """Told by the parameter's name."""
    old = '''    this->Output("z")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT16, ge::DT_FLOAT, ge::DT_INT32})'''
    run = add(spoiled(tmp_path, (HOST, old, old.replace(", ge::DT_INT32", ""))), x)
    assert run.code == 3 and "not aligned" in run.stderr and "'z'" in run.stderr


@pytest.mark.whole
def test_null_pointer_of_what_is_absent(tmp_path, x):
    """At its line, with the call that gave the pointer."""
    run = add(spoiled(tmp_path, (HOST, "context->SetBlockDim(used);", "context->SetBlockDim(used);\n"
                                 "  if (context->GetOptionalInputShape(2)->GetStorageShape()"
                                 ".GetDimNum() == 0) return ge::GRAPH_FAILED;")), x)
    assert run.code == 1 and "V5001" in run.stderr and "add_custom.cpp:" in run.stderr
    assert "came from GetOptionalInputShape: the definition has fewer parameters" in run.stderr


@pytest.mark.whole
def test_an_address_far_from_null_comes_from_none(tmp_path, x):
    run = add(spoiled(tmp_path, (HOST, "context->SetBlockDim(used);", "context->SetBlockDim(used);\n"
                                 "  const bool none = context->GetOptionalInputShape(2) == nullptr;\n"
                                 "  if (*reinterpret_cast<volatile int*>(uintptr_t(0x600000000000) + none) == 0)"
                                 " return ge::GRAPH_FAILED;")), x)
    assert run.code == 1 and "V5001" in run.stderr and "null pointer" not in run.stderr, run.stderr


@pytest.mark.whole
def test_shapes_that_nobody_infers(tmp_path, x):
    """Said how to give them; then they are."""
    package = spoiled(tmp_path, (HOST, "this->SetInferShape(ge::InferShape).", "this->"))
    run = add(package, x)
    assert run.code == 2 and "--out z=z.npy:float:8x16" in run.stderr
    run = harness.vinci("op", str(package), "--soc", "Ascend310B1", "--in", f"x={x}", "--in", f"y={x}",
                        "--out", f"z={x.parent / 'z.npy'}:half:50", "--quiet")
    assert run.code == 0, run.stderr


def test_tilings_of_the_library_are_parts_of_tiling_data(tmp_path):
    """LayerNormTiling, TCubeTiling and SoftMaxTiling: filled by the host, read by the kernel."""
    x = np.random.default_rng(1).normal(0, 2, (5, 24)).astype(np.float32)
    np.save(tmp_path / "x.npy", x)
    run = harness.vinci("op", str(PACKAGES / "row_norm"), "--soc", "Ascend910B1", "--in",
                        f"x={tmp_path / 'x.npy'}", "--out", f"y={tmp_path / 'y.npy'}", "--explain")
    assert run.code == 0, run.stdout + run.stderr
    shown = {line.split()[1]: line.split()[2:] for line in run.stdout.splitlines()
             if line.startswith("  ")}
    assert shown["norm.hLength"] == ["uint32_t", "24"] and shown["norm.sLength"] == ["uint32_t", "5"]
    assert shown["product.N"] == ["int32_t", "3"] and "softmax.srcM" in shown
    z = (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + 0.25)
    wanted = np.exp(z) / np.exp(z).sum(1, keepdims=True) * 3
    np.testing.assert_allclose(np.load(tmp_path / "y.npy"), wanted, rtol=1e-5)


@pytest.mark.whole
def test_explain_names_the_members_of_a_plain_struct(tmp_path):
    """Those of structs in arrays too; the kernel alone declares it."""
    for name, array in [("var", np.zeros((6, 8), np.float32)), ("indices", np.arange(5) % 3),
                        ("updates", np.ones((5, 8), np.float32))]:
        np.save(tmp_path / f"{name}.npy", array)
    run = harness.vinci("op", str(PACKAGES / "scatter_scaled"), "--soc", "Ascend910B1", "--attr",
                        "scale=0.5", "--explain", *[word for name in ("var", "indices", "updates")
                                                    for word in ("--in", f"{name}={tmp_path / name}.npy")])
    assert run.code == 0, run.stderr
    shown = {line.split()[1]: (line.split()[0], *line.split()[2:])
             for line in run.stdout.splitlines() if line.startswith("  ")}
    assert shown["rows"] == ("0", "uint32_t", "6")
    assert shown["ranges[4].begin"] == ("48", "uint32_t", "4")
    assert shown["ranges[4].end"] == ("52", "uint32_t", "5")
    assert shown["fill"] == ("80", "float", "0.5")


def test_options_of_build_files_count_where_they_apply(tmp_path, x):
    """By build type, operator and chip; not for host code."""
    package = spoiled(tmp_path, (KERNEL, "class KernelAdd {", """
static_assert(SAID_ALL + SAID_OWN + SAID_CHIP + SAID_FAMILY + SAID_PRESET == 5);
#include "beside.h"
class KernelAdd {"""), (HOST, "namespace optiling {", """
#ifdef SAID_ALL
#error "not for host code"
#endif
namespace optiling {"""))
    (package / "CMakePresets.json").write_text(
        '{"configurePresets": [{"cacheVariables": {"CMAKE_BUILD_TYPE": {"value": "Release"}, '
        '"OWN_PRESET": "ON"}}]}')
    (package / "CMakeLists.txt").write_text("set(WORD -DSAID_ALL)\nadd_subdirectory(op_kernel)\n")
    (package / "more").mkdir()
    (package / "more" / "beside.h").write_text("")
    (package / "op_kernel" / "CMakeLists.txt").write_text("""
if ("${CMAKE_BUILD_TYPE}x" STREQUAL "Debugx")
  add_ops_compile_options(ALL OPTIONS -DTPipe=3)
endif()
if(OWN_PRESET)
  add_ops_compile_options(AddCustom OPTIONS -DSAID_PRESET)
else()
  add_ops_compile_options(AddCustom OPTIONS -DTQue=3)
endif()
add_ops_compile_options(ALL OPTIONS ${WORD} -I${CMAKE_CURRENT_SOURCE_DIR}/../more ${UNKNOWN}/no)
add_ops_compile_options(AddCustom OPTIONS -DSAID_OWN)
add_ops_compile_options(SubCustom OPTIONS -DDataCopy=3)
npu_op_kernel_options(kernels AddCustom COMPUTE_UNIT Ascend310B1 OPTIONS -DSAID_CHIP)
npu_op_kernel_options(kernels ALL COMPUTE_UNIT ascend910b ascend310b OPTIONS -DSAID_FAMILY)
npu_op_kernel_options(kernels ALL COMPUTE_UNIT ascend910b Ascend310P3 OPTIONS -DAdd=3)
""")
    run = add(package, x, "--quiet")
    assert run.code == 0, run.stderr
    assert np.array_equal(np.load(x.parent / "z.npy"), np.load(x) * 2)
