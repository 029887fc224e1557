"""msopgen gen: projects around operators that JSON describes. That such a project is built, installed and
called is tests/program's op_msopgen."""

import json
import pathlib
import subprocess

import numpy as np
import pytest

import harness

TREE = pathlib.Path(harness.VINCI).resolve().parent.parent / "share" / "vinci" / "cann"
TENSOR = {"param_type": "required", "format": ["ND", "ND"], "type": ["fp16", "float"]}
ONE = {"op": "GeluV2Custom", "input_desc": [{"name": "x"} | TENSOR],
       "output_desc": [{"name": "y"} | TENSOR]}


def msopgen(folder, description, *words, program="bin/msopgen"):
    (folder / "op.json").write_text(description if isinstance(description, str) else json.dumps(description))
    return subprocess.run([TREE / program, "gen", "-i", "op.json", *words], cwd=folder, text=True,
                          capture_output=True, check=False)


def made(folder):
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("program", ["bin/msopgen", "python/site-packages/bin/msopgen"])
def test_what_a_project_has(program, tmp_path):
    done = msopgen(tmp_path, [ONE], "-c", "ai_core-Ascend910B2,ai_core-ascend310p", "-lan", "cpp", "-out",
                   "Made", program=program)
    assert done.returncode == 0, done.stderr
    assert made(tmp_path / "Made") == {
        "build.sh", "CMakeLists.txt", "CMakePresets.json", "op_host/CMakeLists.txt",
        "op_host/gelu_v2_custom.cpp", "op_kernel/CMakeLists.txt", "op_kernel/gelu_v2_custom.cpp",
        "op_kernel/gelu_v2_custom_tiling.h"}
    assert (tmp_path / "Made/build.sh").stat().st_mode & 0o111
    presets = json.loads((tmp_path / "Made/CMakePresets.json").read_text())
    variables = presets["configurePresets"][0]["cacheVariables"]
    assert variables["ASCEND_COMPUTE_UNIT"]["value"] == "ascend910b;ascend310p"
    assert variables["vendor_name"]["value"] == "customize"


def test_definitions_are_those_of_the_description(tmp_path):
    """All kinds of parameters and attributes, as vinci op reads what was made."""
    description = {
        "op": "Everything", "language": "cpp",
        "input_desc": [
            {"name": "x", "param_type": "required", "format": ["ND", "NCHW"], "type": ["bfloat16", "int8"]},
            {"name": "mask", "param_type": "optional", "format": "ND", "type": ["bool", "uint8"]},
            {"name": "list", "param_type": "dynamic", "format": ["ND", "ND"], "type": ["fp32", "int64"]}],
        "output_desc": [{"name": "y", "format": ["ND", "ND"], "type": ["half", "int32"]}],
        "attr": [{"name": "axis", "param_type": "required", "type": "int"},
                 {"name": "eps", "param_type": "optional", "type": "float", "default_value": "1e-5"},
                 {"name": "keep", "param_type": "optional", "type": "bool", "default_value": "False"},
                 {"name": "mode", "param_type": "optional", "type": "string", "default_value": "mean"},
                 {"name": "sizes", "param_type": "optional", "type": "list_int", "default_value": "[1, -2]"},
                 {"name": "scales", "param_type": "optional", "type": "listFloat", "default_value": [0.5]},
                 {"name": "pads", "param_type": "optional", "type": "list_int", "default_value": "77, 78"},
                 {"name": "count", "param_type": "optional", "type": "int", "default_value": 79},
                 {"name": "flags", "param_type": "optional", "type": "list_bool", "default_value": [True]}]}
    assert msopgen(tmp_path, description, "-c", "ai_core-Ascend310B1", "-out", "Made").returncode == 0
    done = harness.vinci("op", tmp_path / "Made", "--list")
    assert done.code == 0, done.stderr
    said = " ".join(done.stdout.split())
    for words in ["Everything", "bfloat16", "int8", "mask", "optional", "list", "dynamic", "axis", "1e-05",
                  "false", "mean", "1", "-2", "0.5", "77", "78", "79", "flags", "ascend310b"]:
        assert words in said, said


def test_what_was_made_runs_and_computes_nothing(tmp_path):
    """Its outputs are told as never written."""
    assert msopgen(tmp_path, ONE, "-c", "ai_core-Ascend910B1").returncode == 0
    np.save(tmp_path / "x.npy", np.ones((3, 5), np.float32))
    done = harness.vinci("op", tmp_path, "--soc", "Ascend910B1", "--in", f"x={tmp_path}/x.npy",
                         "--out", f"y={tmp_path}/y.npy")
    assert "V1014" in done.stderr and np.load(tmp_path / "y.npy").shape == (3, 5)


def test_more_operators_later_and_what_is_there_stays(tmp_path):
    other = ONE | {"op": "OtherOne"}
    words = ("-c", "ai_core-Ascend910B1", "-out", "Made")
    assert msopgen(tmp_path, [ONE, other], *words, "-op", "GeluV2Custom").returncode == 0
    kernel = tmp_path / "Made/op_kernel/gelu_v2_custom.cpp"
    kernel.write_text("mine")
    before = made(tmp_path / "Made")
    done = msopgen(tmp_path, [ONE, other], *words, "-m", "1")
    assert done.returncode == 0 and "kept Made/op_kernel/gelu_v2_custom.cpp" in done.stdout
    assert kernel.read_text() == "mine"
    assert made(tmp_path / "Made") - before == {
        "op_host/other_one.cpp", "op_kernel/other_one.cpp", "op_kernel/other_one_tiling.h"}


@pytest.mark.parametrize("description, words, message", [
    ("{", ["-c", "ai_core-Ascend910B1"], "op.json is no JSON"),
    ([], ["-c", "ai_core-Ascend910B1"], "no operator is described"),
    ({"input_desc": []}, ["-c", "ai_core-Ascend910B1"], "an operator has no op"),
    (ONE | {"output_desc": []}, ["-c", "ai_core-Ascend910B1"], "GeluV2Custom has 1 inputs and 0 outputs"),
    (ONE | {"input_desc": [{"name": "x"} | TENSOR | {"type": ["float99", "float"]}]},
     ["-c", "ai_core-Ascend910B1"], "GeluV2Custom, x: type float99 is none"),
    (ONE | {"input_desc": [{"name": "x"} | TENSOR | {"type": ["float"]}]}, ["-c", "ai_core-Ascend910B1"],
     "GeluV2Custom, x has 1 types and 2 formats; legal: as many"),
    (ONE | {"attr": [{"name": "a", "param_type": "required", "type": "tensor"}]},
     ["-c", "ai_core-Ascend910B1"], "GeluV2Custom, a: type tensor; legal: int, float"),
    (ONE | {"op": "../../Gelu"}, ["-c", "ai_core-Ascend910B1"], "op ../../Gelu; legal: letters, digits"),
    (ONE | {"op": "2Gelu"}, ["-c", "ai_core-Ascend910B1"], "op 2Gelu; legal: letters, digits"),
    (ONE | {"input_desc": [{"name": "x y"} | TENSOR]}, ["-c", "ai_core-Ascend910B1"],
     "GeluV2Custom, input_desc 0: name x y; legal: letters, digits"),
    (ONE | {"input_desc": [{"name": "x"} | TENSOR | {"param_type": 3}]}, ["-c", "ai_core-Ascend910B1"],
     "GeluV2Custom, x: param_type 3; legal: required, optional, dynamic"),
    ([ONE | {"op": 5}], ["-c", "ai_core-Ascend910B1", "-op", "Gelu"], "op.json describes no Gelu"),
    (ONE, ["-i", "nothing.json", "-c", "ai_core-Ascend910B1"], "-i nothing.json cannot be read"),
    (ONE, ["-c", "ai_core-Ascend999"], "-c ai_core-Ascend999; legal: ai_core-CHIP"),
    (ONE, ["-c", "aicpu"], "-c aicpu; legal: ai_core-CHIP"),
    (ONE, [], "-c ; legal: ai_core-CHIP"),
    (ONE, ["-c", "ai_core-Ascend910B1", "-lan", "tbe"], "-lan tbe; legal: cpp"),
    (ONE, ["-c", "ai_core-Ascend910B1", "-op", "Gelu"], "op.json describes no Gelu"),
    (ONE, ["-x", "1"], "-x; legal: msopgen gen -i"),
], ids=lambda value: None if isinstance(value, (dict, list)) else value[:20])
def test_what_it_refuses(description, words, message, tmp_path):
    done = msopgen(tmp_path, description, *words)
    assert done.returncode == 2 and message in done.stderr, done.stderr
    assert made(tmp_path) == {"op.json"}
