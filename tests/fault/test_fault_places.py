"""The lines of a fault below several calls, and the text that people read."""

import pytest

from fault_case import BUILDS, KERNELS, call, line_of, places

FILE = "places.cpp"

PLACES = [
    ("in_a_method", [("Step", "tiles::Kernel<half, 128>::Step"),
                     ("Process", "tiles::Kernel<half, 128>::Process"),
                     ("in_a_method", "in_a_method")]),
    ("in_a_function", [("set_far_away", "set_far_away"), ("in_a_function", "in_a_function")]),
    ("in_a_deduced", [("deduced", "set_and_get<half>"), ("spelled", "set_again<half>"),
                      ("in_a_deduced", "in_a_deduced")]),
    ("in_a_macro", [("in_a_macro", "in_a_macro")]),
]


@pytest.mark.parametrize("build", BUILDS)
@pytest.mark.parametrize("kernel, expected", PLACES, ids=lambda value: str(value)[:20])
def test_every_call_on_the_way_is_listed(kernel, expected, build):
    run = call(FILE, kernel, 200, build)
    lines = [(line["line"], line["function"]) for line in run.faults[0]["lines"]]
    assert lines == [(line_of(FILE, mark), function) for mark, function in expected]


@pytest.mark.parametrize("build", BUILDS)
def test_operators_have_their_names(build):
    faults = call(FILE, "in_operators", 200, build).faults
    names = {line["line"]: line["function"] for fault in faults for line in fault["lines"]}
    for mark, name in (("call", "()<1>"), ("shift", "<< <long>"), ("less", "< <long>"),
                       ("conversion", " bool")):
        assert names[line_of(FILE, mark)] == f"Operators::operator{name}"


@pytest.mark.parametrize("build", BUILDS)
def test_a_fault_in_a_lambda_is_at_its_line_and_at_the_call(build):
    lines = call(FILE, "in_a_lambda", 200, build).faults[0]["lines"]
    assert [line["line"] for line in lines] == [line_of(FILE, "lambda"), line_of(FILE, "in_a_lambda")]
    assert lines[0]["function"] != "" and lines[1]["function"] == "in_a_lambda"


@pytest.mark.parametrize("build", BUILDS)
def test_a_fault_in_the_users_header_is_at_the_headers_line(build):
    assert places(call(FILE, "in_a_header", 200, build).faults[0]) == [
        (KERNELS / "places.h", line_of("places.h", "set_in_header"), "set_in_header"),
        (KERNELS / FILE, line_of(FILE, "in_a_header"), "in_a_header")]


@pytest.mark.parametrize("build", BUILDS)
def test_the_report_names_files_by_their_full_path(build):
    lines = call(FILE, "in_a_header", 200, build, cwd=KERNELS).faults[0]["lines"]
    assert [line["file"] for line in lines] == [str(KERNELS / "places.h"), str(KERNELS / FILE)]


@pytest.mark.parametrize("build", BUILDS)
def test_a_call_over_several_lines_is_at_one_of_them(build):
    line = call(FILE, "over_lines", 200, build).faults[0]["lines"][0]["line"]
    assert 0 <= line - line_of(FILE, "over_lines") <= 2


def text(file, kernel, number, **more):
    """stderr of a run in the folder of the kernels."""
    return call(file, kernel, number, cwd=KERNELS, **more).stderr


def test_long_template_arguments_are_left_out_of_the_text():
    """A report for programs has them."""
    run = call(FILE, "in_a_long_name", 200, cwd=KERNELS)
    function = run.faults[0]["lines"][1]["function"]
    assert function.startswith("tiles::Product<tiles::Layout<") and function.endswith(">::Run<long>")
    where = f"places.cpp:{line_of(FILE, 'Run')} in tiles::Product<...>::Run<long>\n"
    assert f"      called from {where}" in run.stderr


def test_the_text_of_a_fault_in_an_instruction():
    assert text("memory.cpp", "copy_behind_gm", 373) == f"""\
error[V1003] DataCopy: src reads bytes 746..1001 of GM buffer gm, which has 1000
  --> memory.cpp:{line_of("memory.cpp", "copy_behind_gm")} in copy_behind_gm
      block 0, AI Core, MTE2, instruction 3
  = legal: bytes 0..999
  = see: vinci explain V1003

"""


def test_the_text_of_a_fault_below_several_calls():
    assert text(FILE, "in_a_method", 200) == f"""\
error[V1001] SetValue: the tensor writes bytes 400..401 of a tensor of 256 bytes in VECCALC
  --> places.cpp:{line_of(FILE, "Step")} in tiles::Kernel<half, 128>::Step
      block 0, AI Core
      called from places.cpp:{line_of(FILE, "Process")} in tiles::Kernel<half, 128>::Process
      called from places.cpp:{line_of(FILE, "in_a_method")} in in_a_method
  = legal: bytes 0..255
  = see: vinci explain V1001

"""


def test_the_text_of_a_warning():
    assert text("parameters.cpp", "gather_many", 16384) == f"""\
warning[V2007] Gather: count 16384 is gathered whole here; the vendor's headers keep the number of \
repeats in 8 bits and lose some of it
  --> parameters.cpp:{line_of("parameters.cpp", "gather_many")} in gather_many
      block 0, AI Core, V, instruction 2
  = legal: at most 16383 elements in one call
  = see: vinci explain V2007

"""


def test_the_text_of_a_fault_that_happened_often():
    assert text("wrecks.cpp", "every_iteration", 3) == f"""\
error[V1001] SetValue: the tensor writes bytes 256..257 of a tensor of 256 bytes in VECCALC
  --> wrecks.cpp:{line_of("wrecks.cpp", "every_iteration")} in every_iteration
      block 0, AI Core, 3 times
  = legal: bytes 0..255
  = see: vinci explain V1001

"""


def test_the_text_of_a_crash():
    assert text("wrecks.cpp", "write_address", 16) == f"""\
error[V5001] write_address: scalar code reads or writes address 0x10, which is no memory of its own
  --> wrecks.cpp:{line_of("wrecks.cpp", "write_address")} in write_address
      block 0, AI Core
  = legal: addresses inside a GM buffer; for what lies there in UB, GetValue, SetValue or a pointer of GetPhyAddr
  = see: vinci explain V5001

"""


def test_the_text_names_the_vector_core():
    error = text("flags.cpp", "set_id", 8, soc="Ascend310P3-VectorCore")
    assert "      block 0, Vector Core, S, instruction 1\n" in error


def test_the_text_of_a_missing_route_names_no_pipe():
    error = text("chip.cpp", "copy_l1_to_gm", 0)
    assert "      block 0, AI Core, instruction 1\n" in error


def test_without_debug_information_the_parameters_are_not_known():
    run = call("memory.cpp", "set_value", 128, options=["-g0"])
    assert run.code == 2
    assert run.stderr == (
        "vinci: the parameters of set_value are not known: it was compiled without -g\n")


def test_files_below_the_current_folder_are_shortened():
    near = call("memory.cpp", "set_value", 128, cwd=KERNELS.parent).stderr
    far = call("memory.cpp", "set_value", 128, cwd="/").stderr
    assert "--> kernels/memory.cpp:" in near
    assert "memory.cpp:" in far and "../" not in far
