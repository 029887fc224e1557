"""What a run prints and returns: blocks, output, checks, limits, the report."""

import json

import numpy as np
import pytest

import harness
from cli_kit import KERNELS, check_ok, check_usage, compile_first, load, run


@pytest.mark.parametrize("blocks", [1, 2, 40])
def test_every_block_runs_once_and_knows_its_number(tmp_path, blocks):
    check_ok(run("blocks.cpp", "block_index", "--blocks", blocks, cwd=tmp_path,
                 args=[f"out:o.npy:int64:{blocks + 1}x2"]))
    words = load(tmp_path / "o.npy")
    assert words[:blocks].tolist() == [[block, blocks] for block in range(blocks)]
    assert words[blocks].tolist() == [-1, -1]


@pytest.mark.parametrize("blocks", ["0", "-1", "65536", "x", "1.5", ""])
def test_a_number_of_blocks_out_of_range_is_refused(tmp_path, blocks):
    check_usage(run("blocks.cpp", "nothing", "--blocks", blocks, cwd=tmp_path), "--blocks")


def test_what_a_kernel_prints_reaches_stdout_in_order(tmp_path):
    done = run("blocks.cpp", "says_hello", "--blocks", 3, cwd=tmp_path)
    check_ok(done)
    assert done.stdout.startswith("".join(f"hello from block {i} of 3\n" for i in range(3)))
    assert "hello" not in done.stderr


def test_half_a_line_is_printed_too(tmp_path):
    assert run("blocks.cpp", "says_half_a_line", cwd=tmp_path).stdout.startswith("no newline")


def test_the_summary_names_kernel_chip_blocks_and_verdict(tmp_path):
    done = run("blocks.cpp", "nothing", "--blocks", 2, cwd=tmp_path)
    assert done.stdout.startswith("nothing on Ascend310P3, 2 block(s): clean (")
    assert done.stderr == ""


def test_the_summary_counts_faults(tmp_path):
    done = run("blocks.cpp", "faults_between", cwd=tmp_path,
               args=["zeros:uint8:2", "value:int32:128"])
    assert "faults_between on Ascend310P3, 1 block(s): 1 fault(s)" in done.stdout


def test_quiet_prints_what_the_kernel_prints_and_nothing_else(tmp_path):
    done = run("blocks.cpp", "says_hello", "--quiet", cwd=tmp_path)
    assert (done.stdout, done.stderr) == ("hello from block 0 of 1\n", "")


def test_quiet_still_shows_faults(tmp_path):
    done = run("blocks.cpp", "faults_between", "--quiet", cwd=tmp_path,
               args=["zeros:uint8:2", "value:int32:128"])
    assert done.stdout == "" and "error[V1001]" in done.stderr and done.code == 1


def test_outputs_are_complete_after_a_fault(tmp_path):
    done = run("blocks.cpp", "faults_between", cwd=tmp_path,
               args=["out:o.npy:uint8:2", "value:int32:128"])
    assert done.code == 1
    assert load(tmp_path / "o.npy").tolist() == [1, 2]


def test_outputs_show_what_was_written_before_a_crash(tmp_path):
    done = run("blocks.cpp", "crashes_between", cwd=tmp_path, args=["out:o.npy:uint8:2"])
    assert done.code == 1
    assert load(tmp_path / "o.npy").tolist() == [1, 255]


@pytest.mark.parametrize("level, code", [("off", 0), ("basic", 1), ("full", 1)])
def test_basic_checks_see_an_access_behind_the_end(tmp_path, level, code):
    done = run("blocks.cpp", "faults_between", "--check", level, cwd=tmp_path,
               args=["zeros:uint8:2", "value:int32:128"])
    assert done.code == code, done.stderr


@pytest.mark.parametrize("level, sees", [("off", False), ("basic", False), ("full", True)])
def test_full_checks_see_a_leak(tmp_path, level, sees):
    done = run("blocks.cpp", "leaks", "--check", level, cwd=tmp_path,
               args=["zeros:uint8:2", "value:int32:1"])
    assert (done.code, "warning[V3007]" in done.stderr) == (0, sees), done.stderr


def test_an_unknown_check_level_is_refused_with_those_there_are(tmp_path):
    done = run("blocks.cpp", "nothing", "--check", "some", cwd=tmp_path)
    check_usage(done, "--check", "full", "basic", "off")


def test_a_kernel_within_the_time_limit_is_clean(tmp_path):
    check_ok(run("blocks.cpp", "nothing", "--timeout", 10, cwd=tmp_path))


def test_a_time_limit_of_zero_is_none(tmp_path):
    check_ok(run("blocks.cpp", "nothing", "--timeout", 0, cwd=tmp_path))


def test_an_endless_kernel_ends_at_the_limit_and_its_output_is_saved(tmp_path):
    compile_first("blocks.cpp")
    done = run("blocks.cpp", "busy", "--timeout", 0.4, cwd=tmp_path,
               args=["out:o.npy:uint32:1", "value:int32:-1"], timeout=10)
    assert done.code == 1 and "error[V5004] busy: still running after 0.4 s" in done.stderr
    assert (tmp_path / "o.npy").exists()


def report(tmp_path, *arguments, **more):
    done = run(*arguments, "--json", "r.json", cwd=tmp_path, **more)
    return done, json.loads((tmp_path / "r.json").read_text())


def test_the_report_of_a_clean_run(tmp_path):
    _, got = report(tmp_path, "blocks.cpp", "block_index", "--blocks", 2, "--soc", "ascend910b",
                    "--schedule", "eager", "--auto-sync", "on",
                    args=["out:o.npy:int64:4"])
    seconds = got.pop("seconds")
    version = got.pop("vinci")
    assert 0 <= seconds < 10 and version.count(".") == 2
    assert got == {"file": str(KERNELS / "blocks.cpp"), "kernel": "block_index",
                   "soc": "Ascend910B1", "blocks": 2, "cores": "whole",
                   "blocks_finished": 2, "check": "full", "schedule": "eager", "auto_sync": True,
                   "faults": [], "outputs": ["o.npy"], "expectations": [], "explored": None,
                   "kinds": {}, "made": {"infinities": 0, "nans": 0, "saturated": 0},
                   "exit_code": 0}


def test_the_report_of_a_fault(tmp_path):
    done, got = report(tmp_path, "blocks.cpp", "faults_between",
                       args=["zeros:uint8:2", "value:int32:128"])
    line = 1 + [text.strip() for text in (KERNELS / "blocks.cpp").read_text().splitlines()].index(
        "tensor.SetValue(index, 1);")
    assert got["faults"] == [{
        "code": "V1001", "class": "kernel", "severity": "error",
        "title": "access past the end of a tensor",
        "message": "SetValue: the tensor writes bytes 256..257 of a tensor of 256 bytes in VECCALC",
        "legal": "bytes 0..255", "block": 0, "core": "AI Core", "sub_block": None, "pipe": "",
        "instruction": "", "suppressed": None,
        "serial": 0, "count": 1,
        "lines": [{"file": str(KERNELS / "blocks.cpp"), "line": line,
                   "function": "faults_between"}],
        "other": None, "also": []}]
    assert got["exit_code"] == done.code == 1


def test_the_report_of_a_crash_counts_the_finished_blocks(tmp_path):
    done, got = report(tmp_path, "blocks.cpp", "crashes_between", "--blocks", 3,
                       args=["zeros:uint8:2"])
    assert (got["blocks"], got["blocks_finished"], got["exit_code"], done.code) == (3, 0, 1, 1)


def test_a_dash_writes_the_report_to_stdout(tmp_path):
    done = run("blocks.cpp", "nothing", "--quiet", "--json", "-", cwd=tmp_path)
    assert json.loads(done.stdout)["kernel"] == "nothing"


def test_a_report_that_cannot_be_written_is_refused(tmp_path):
    done = run("blocks.cpp", "nothing", "--json", "no/such/r.json", cwd=tmp_path)
    check_usage(done, "--json no/such/r.json: cannot be written")


def test_a_file_name_that_is_no_unicode_does_not_spoil_the_report(tmp_path):
    name = b"k\xff.cpp".decode("utf-8", "surrogateescape")
    (tmp_path / name).write_text('#include "kernel_operator.h"\n'
                                 'extern "C" __global__ __aicore__ void k() {}\n')
    done = harness.vinci("run", name, "--json", "r.json", cwd=tmp_path)
    check_ok(done)
    assert json.loads((tmp_path / "r.json").read_text(errors="replace"))["kernel"] == "k"


CHIP_WRITES = ('#include "kernel_operator.h"\nextern "C" __global__ __aicore__ void k(GM_ADDR out) {{\n'
               "  *(int32_t*)out = {};\n}}\n")


@pytest.mark.parametrize("soc, arch, aicore", [
    ("Ascend310P3", 2002, 200), ("Ascend910A", 1001, 100), ("Ascend910B1", 2201, 220),
    ("Ascend310B1", 3002, 300), ("Ascend310P3-VectorCore", 2002, 200),
])
def test_a_kernel_sees_the_chips_definitions(tmp_path, soc, arch, aicore):
    (tmp_path / "k.cpp").write_text(CHIP_WRITES.format("__NPU_ARCH__ * 1000 + __CCE_AICORE__"))
    check_ok(run(tmp_path / "k.cpp", None, "--soc", soc, cwd=tmp_path, args=["out:o.npy:int32:1"]))
    assert load(tmp_path / "o.npy")[0] == arch * 1000 + aicore


def test_the_oldest_chip_defines_no_npu_arch(tmp_path):
    (tmp_path / "k.cpp").write_text("#ifdef __NPU_ARCH__\n#error defined\n#endif\n"
                                    + CHIP_WRITES.format("1"))
    check_ok(run(tmp_path / "k.cpp", None, "--soc", "Ascend310", cwd=tmp_path,
                 args=["out:o.npy:int32:1"]))


def test_a_result_does_not_depend_on_the_folder_or_on_a_second_run(tmp_path):
    np.save(tmp_path / "a.npy", np.arange(64, dtype=np.uint8))
    for folder in (tmp_path, tmp_path.parent):
        check_ok(run("copy.cpp", None, cwd=folder, args=[
            f"in:{tmp_path}/a.npy", f"out:{tmp_path}/o.npy:uint8:64", "value:uint32:64"]))
        assert (load(tmp_path / "o.npy") == np.arange(64)).all()
