"""Which __global__ function runs: --kernel, files with several, one or none."""

import numpy as np
import pytest

from cli_kit import check_ok, check_usage, load, run


@pytest.fixture(name="source")
def fixture_source(tmp_path):
    """Writes a kernel file of the test's own."""
    def write(text, name="k.cpp"):
        path = tmp_path / name
        path.write_text('#include "kernel_operator.h"\n' + text)
        return path
    return write


SET = "{ out[0] = 5; }\n"


def ran(tmp_path, file, kernel=None):
    """The number that the kernel wrote."""
    done = run(file, kernel, cwd=tmp_path, args=["out:o.npy:uint8:1"])
    check_ok(done)
    return load(tmp_path / "o.npy")[0]


def test_the_only_kernel_needs_no_name(tmp_path, source):
    assert ran(tmp_path, source('extern "C" __global__ __aicore__ void k(GM_ADDR out)' + SET)) == 5


def test_several_kernels_without_a_choice_are_listed(tmp_path):
    done = run("blocks.cpp", None, cwd=tmp_path)
    check_usage(done, "has several kernels; choose one with --kernel: ", "block_index", "nothing",
                "nested")


def test_an_unknown_kernel_is_refused_with_those_there_are(tmp_path):
    done = run("blocks.cpp", "no_such", cwd=tmp_path)
    check_usage(done, "has no kernel no_such; there are: ", "block_index", "plain_cpp")


def test_an_unknown_kernel_is_refused_even_if_there_is_only_one(tmp_path):
    check_usage(run("copy.cpp", "kopy", cwd=tmp_path), "has no kernel kopy; there are: copy")


def test_a_file_without_a_kernel_is_refused(tmp_path, source):
    done = run(source("void helper() {}\n"), None, cwd=tmp_path)
    check_usage(done, "k.cpp has no kernel: no __global__ function")


def test_a_kernel_needs_no_extern_c(tmp_path, source):
    file = source("__global__ __aicore__ void plain(GM_ADDR out)" + SET)
    assert ran(tmp_path, file) == 5
    assert ran(tmp_path, file, "plain") == 5


@pytest.mark.parametrize("name", ["nested", "outer::inner::nested", "_ZN5outer5inner6nestedEPh"])
def test_a_kernel_in_a_namespace_is_found_by_name(tmp_path, name):
    assert ran(tmp_path, "blocks.cpp", name) == 11


def test_the_words_before_a_kernel_may_stand_in_any_order(tmp_path, source):
    assert ran(tmp_path, source('extern "C" __aicore__ __global__ void k(GM_ADDR out)' + SET)) == 5


def test_an_inline_attribute_does_not_hide_a_kernel(tmp_path, source):
    text = 'extern "C" __global__ __aicore__ __attribute__((noinline)) void k(GM_ADDR out)'
    assert ran(tmp_path, source(text + SET)) == 5


def test_a_kernel_that_another_one_calls_is_still_found(tmp_path, source):
    file = source('extern "C" __global__ __aicore__ void a(GM_ADDR out)' + SET
                  + 'extern "C" __global__ __aicore__ void b(GM_ADDR out) { a(out); }\n')
    assert ran(tmp_path, file, "a") == 5
    assert ran(tmp_path, file, "b") == 5


def test_two_kernels_with_the_same_code_are_both_found(tmp_path, source):
    file = source('extern "C" __global__ __aicore__ void a(GM_ADDR out)' + SET
                  + 'extern "C" __global__ __aicore__ void b(GM_ADDR out)' + SET)
    assert ran(tmp_path, file, "a") == 5
    assert ran(tmp_path, file, "b") == 5


def test_a_kernel_template_instance_is_found(tmp_path, source):
    file = source("template <int N> __global__ __aicore__ void k(GM_ADDR out) { out[0] = N; }\n"
                  "template __global__ __aicore__ void k<7>(GM_ADDR out);\n")
    assert ran(tmp_path, file) == 7


def test_helpers_are_no_kernels(tmp_path, source):
    file = source("__aicore__ inline void helper(GM_ADDR out) { out[0] = 3; }\n"
                  "__aicore__ void another(GM_ADDR out) { helper(out); }\n"
                  'extern "C" __global__ __aicore__ void k(GM_ADDR out) { another(out); }\n')
    assert ran(tmp_path, file) == 3


def test_a_kernel_may_have_no_parameters(tmp_path):
    check_ok(run("blocks.cpp", "nothing", cwd=tmp_path))


def test_a_kernel_file_may_have_any_name(tmp_path, source):
    file = source('extern "C" __global__ __aicore__ void k(GM_ADDR out)' + SET, "my kernel-1.cc")
    assert ran(tmp_path, file) == 5


def test_a_kernel_file_finds_headers_beside_it(tmp_path, source):
    (tmp_path / "size.h").write_text("#define SIZE 9\n")
    file = source('#include "size.h"\n'
                  'extern "C" __global__ __aicore__ void k(GM_ADDR out) { out[0] = SIZE; }\n')
    done = run(file, None, cwd="/", args=[f"out:{tmp_path}/o.npy:uint8:1"])
    check_ok(done)
    assert np.load(tmp_path / "o.npy")[0] == 9
