"""Tools that a program brings along, built against include/ and the library alone."""

import subprocess

import pytest

import harness
from cli_kit import KERNELS, check_ok

SOURCE = KERNELS / "own_tool.cpp"


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    path = tmp_path_factory.mktemp("own_tool") / "own_tool"
    check_ok(harness.vinci("c++", "-std=c++20", SOURCE, "-o", path))
    return path


def test_it_sees_no_header_of_the_library():
    done = harness.vinci("c++", "-std=c++20", "-M", SOURCE)
    check_ok(done)
    headers = done.stdout.split()
    assert any(path.endswith("include/vinci/tool.h") for path in headers)
    assert [path for path in headers if str(harness.ROOT / "src") in path] == []


def test_a_shadow_of_written_bytes_finds_the_read_that_was_too_early(program):
    done = subprocess.run([program], capture_output=True, text=True, check=True)
    found = dict(line.split(" ", 1) for line in done.stdout.splitlines()[:-1])
    assert found["V8003"] == "Adds: src reads byte 608 of UB, which nobody wrote (AI Core, V)"


def test_a_thread_safe_tool_sees_the_blocks_of_all_threads(program):
    done = subprocess.run([program], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1:] == [f"64 calls, {sum(range(1, 65))}"]
