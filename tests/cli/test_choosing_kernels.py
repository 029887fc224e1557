"""Which __global__ function runs: --kernel, files with several, one or none."""

import numpy as np
import pytest

from cli_kit import check_ok, check_usage, load, run


@pytest.fixture(name="source")
def fixture_source(tmp_path):
    """Writes a kernel file of the test's own."""
    def write(text, name="k.cpp"):
        path = tmp_path / name
        path.write_text('#include "ascendc/keyword.h"\n' + text)
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


TEMPLATE = """template <typename T, int N> __global__ __aicore__ void fill(GM_ADDR out, T value) {
  for (int i = 0; i < N; ++i) reinterpret_cast<__gm__ T*>(out)[i] = value;
}
namespace outer { namespace inner {
enum class Mode { kOne = 1, kTwo };
template <Mode M = Mode::kTwo> __global__ __aicore__ void mode(GM_ADDR out) { out[0] = int(M); }
} }
"""


@pytest.mark.parametrize("name, dtype, value", [
    ("fill<float, 3>", "float", 2.5), ("fill<int32_t,3>", "int32", -70000),
    ("fill<uint16_t, (1 > 0 ? 3 : 1)>", "uint16", 65535)])
def test_an_instance_of_a_template_is_made_and_run(tmp_path, source, name, dtype, value):
    done = run(source(TEMPLATE), name, cwd=tmp_path,
               args=[f"out:o.npy:{dtype}:3", f"value:{dtype}:{value}"])
    check_ok(done)
    assert f"{name} on Ascend310P3" in done.stdout
    assert list(load(tmp_path / "o.npy")) == [value] * 3


@pytest.mark.parametrize("name, value", [
    ("mode<>", 2), ("inner::mode<outer::inner::Mode::kOne>", 1), ("outer::inner::mode<>", 2)])
def test_namespaces_of_a_template_may_be_left_out(tmp_path, source, name, value):
    assert ran(tmp_path, source(TEMPLATE), name) == value


def test_a_template_for_each_kind_of_core_is_instantiated_for_both(tmp_path, source):
    """An AIC writes the first number, an AIV the second, as `__DAV_CUBE__` says."""
    file = source("""template <int N> __global__ __mix__(1, 1) void both(GM_ADDR out) {
#ifdef __DAV_CUBE__
  out[0] = N;
#else
  out[1] = N + 1;
#endif
}
""")
    done = run(file, "both<20>", "--soc", "Ascend910B1", cwd=tmp_path, args=["out:o.npy:uint8:2"])
    check_ok(done)
    assert "of 1 AIC and 1 AIV" in done.stdout
    assert list(load(tmp_path / "o.npy")) == [20, 21]


def test_a_kernel_file_that_launches_its_template_gives_other_instances_too(tmp_path, source):
    file = source("template <int N> __global__ __aicore__ void k(GM_ADDR out) { out[0] = N; }\n"
                  "void start(GM_ADDR out) { k<3><<<1, nullptr, nullptr>>>(out); }\n")
    assert ran(tmp_path, file, "k<4>") == 4


def test_an_explicit_instance_is_called_as_the_source_has_it(tmp_path, source):
    file = source("template <int N> __global__ __aicore__ void k(GM_ADDR out) { out[0] = N; }\n"
                  "template __global__ __aicore__ void k<7>(GM_ADDR out);\n"
                  "template __global__ __aicore__ void k<8>(GM_ADDR out);\n")
    assert ran(tmp_path, file, "k<8>") == 8
    assert ran(tmp_path, file, "k<9>") == 9


def test_a_template_without_arguments_is_told_with_its_form(tmp_path, source):
    form = "k.cpp: fill is a template; choose its arguments with --kernel: fill<typename T, int N>"
    check_usage(run(source(TEMPLATE), "fill", cwd=tmp_path), form)
    only = source("template <bool B> __global__ __aicore__ void k(GM_ADDR out) { out[0] = B; }\n")
    check_usage(run(only, None, cwd=tmp_path), "k.cpp: k is a template", "--kernel: k<bool B>")


def test_messages_name_templates_beside_kernels(tmp_path, source):
    file = source(TEMPLATE + 'extern "C" __global__ __aicore__ void plain(GM_ADDR out)' + SET
                  + 'extern "C" __global__ __aicore__ void other(GM_ADDR out)' + SET)
    there = "plain, other, fill<typename T, int N>, outer::inner::mode<Mode M = Mode::kTwo>"
    check_usage(run(file, None, cwd=tmp_path), "has several kernels; choose one with --kernel: "
                + there)
    check_usage(run(file, "no_such", cwd=tmp_path), "has no kernel no_such; there are: " + there)
    check_usage(run(file, "no_such<1>", cwd=tmp_path), "has no kernel no_such<1>; its templates are: "
                "fill<typename T, int N>, outer::inner::mode<Mode M = Mode::kTwo>")


def test_arguments_that_do_not_fit_the_template_are_the_compilers_matter(tmp_path, source):
    done = run(source(TEMPLATE), "fill<float>", cwd=tmp_path)
    assert done.code == 3
    assert "k.cpp does not compile for Ascend310P3" in done.stderr


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
