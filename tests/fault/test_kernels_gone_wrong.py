"""Kernels that crash, hang, throw, exit or misuse the process: vinci ends, and says where."""

import functools
import signal
import time

import pytest

import harness
import fault_case
from fault_case import BUILDS, line_of

FILE = "wrecks.cpp"
GM = "addresses inside a GM buffer"
UB = "for what lies there in UB, GetValue, SetValue or a pointer of GetPhyAddr"

# What becomes of vinci's own process counts here.
call = functools.partial(fault_case.call, started=True)


def only_fault(run, code):
    """The run's one fault, which made the exit code 1."""
    assert run.report is not None, f"exit {run.code}: {run.stderr}"
    assert run.codes == [code], run.stderr
    assert run.code == 1
    return run.faults[0]


def place(fault):
    assert fault["lines"], "no line is known"
    return fault["lines"][0]["line"], fault["lines"][0]["function"]


@pytest.mark.parametrize("build", BUILDS)
@pytest.mark.parametrize("kernel", ["read_address", "write_address"])
@pytest.mark.parametrize("address, text", [
    (0, "address 0, or one that no pointer can hold"),
    (0x10, "address 0x10, which is no memory of its own"),
    (0x7fff0000, "address 0x7fff0000, which is no memory of its own"),
])
def test_a_wild_pointer_is_reported_with_its_address(kernel, address, text, build):
    fault = only_fault(call(FILE, kernel, address, build), "V5001")
    assert fault["message"] == f"{kernel}: scalar code reads or writes {text}"
    assert fault["legal"] == (f"{GM}; {UB}" if address == 0x10 else GM)
    assert fault["block"] == 0
    assert place(fault) == (line_of(FILE, kernel), kernel)


@pytest.mark.parametrize("address", [-1, 1 << 62])
def test_an_address_that_no_program_can_have_is_reported(address):
    fault = only_fault(call(FILE, "write_address", address), "V5001")
    assert place(fault) == (line_of(FILE, "write_address"), "write_address")


NO_CODE = "functions, and local arrays that are not left"


@pytest.mark.parametrize("build", BUILDS)
@pytest.mark.parametrize("address, text", [
    (0, "a function is called at address 0"),
    (0x1234, "address 0x1234 is executed, where no code is"),
    (0x7fff0000, "address 0x7fff0000 is executed, where no code is")])
def test_a_wild_function_is_reported_where_it_is_called(address, text, build):
    run = call(FILE, "call_address", address, build, extra=["--blocks", "2"])
    fault = only_fault(run, "V5001")
    assert (fault["message"], fault["legal"]) == (f"call_address: {text}", NO_CODE)
    assert fault["block"] == 1 and "1 of 2 blocks finished" in run.stdout
    assert place(fault) == (line_of(FILE, "call_address"), "call_address")


@pytest.mark.parametrize("build", BUILDS)
def test_an_address_that_no_function_can_have_is_reported_where_it_is_called(build):
    fault = only_fault(call(FILE, "call_address", 1 << 62, build, extra=["--blocks", "2"]), "V5001")
    assert place(fault) == (line_of(FILE, "call_address"), "call_address")


@pytest.mark.parametrize("build", BUILDS)
def test_data_that_is_called_is_reported_where_it_is_called(build):
    fault = only_fault(call(FILE, "call_data", 0, build), "V5001")
    assert fault["message"].endswith(" is executed, where no code is")
    assert place(fault) == (line_of(FILE, "call_data"), "call_data")


@pytest.mark.parametrize("build", BUILDS)
@pytest.mark.parametrize("value", [0x1234, 0x41414141])
def test_a_destroyed_stack_is_reported_with_the_last_instruction(value, build):
    fault = only_fault(call(FILE, "smash_the_stack", value, build), "V5001")
    assert fault["message"] == (
        f"smash_the_stack: address {value:#x} is executed, where no code is; the stack is "
        "destroyed, too, and the line is that of the last instruction")
    assert fault["block"] == 0 and fault["legal"] == NO_CODE
    assert place(fault) == (line_of(FILE, "smash_the_stack"), "smash_the_stack")


def test_of_a_destroyed_stack_before_any_instruction_kernel_and_block_are_named():
    """The line of another block is not known to be near."""
    fault = only_fault(call(FILE, "smash_at_once", 0x1234, extra=["--blocks", "3", "--threads",
                                                                  "1"]), "V5001")
    assert fault["message"] == "smash_at_once: address 0x1234 is executed, where no code is"
    assert fault["block"] == 1 and fault["lines"] == []


@pytest.mark.parametrize("build", BUILDS)
def test_a_destroyed_stack_that_no_return_can_use_is_reported_at_the_return(build):
    fault = only_fault(call(FILE, "smash_the_stack", 0x4141414141414141, build), "V5001")
    assert fault["block"] == 0
    assert place(fault) == (line_of(FILE, "smash"), "smash")


def test_a_guarded_stack_is_reported_where_the_guard_is():
    fault = only_fault(call(FILE, "overrun_a_local_array", 8,
                            options=["-fstack-protector-all"]), "V5005")
    assert fault["message"] == "overrun_a_local_array: abort() was called" and fault["block"] == 0
    assert place(fault) == (line_of(FILE, "overrun_a_local_array"), "overrun_a_local_array")


@pytest.mark.parametrize("kernel", ["gm_behind", "gm_read_behind"])
@pytest.mark.parametrize("distance", [0, 4095, -1024 - 4096])
def test_the_pages_around_a_gm_buffer_are_guarded(kernel, distance):
    run = call(FILE, kernel, distance)
    fault = only_fault(run, "V5001")
    address = run.stdout.splitlines()[0]
    assert fault["message"] == (
        f"{kernel}: scalar code reads or writes address {address}, which is no memory of its own")
    assert place(fault) == (line_of(FILE, kernel), kernel)


@pytest.mark.parametrize("build", BUILDS)
@pytest.mark.parametrize("kernel, number", [("divide", 0), ("modulo", 0), ("modulo", -1)])
def test_an_integer_division_without_a_result_is_reported(kernel, number, build):
    fault = only_fault(call(FILE, kernel, number, build), "V5002")
    assert fault["message"] == (
        f"{kernel}: integer division by zero, or a quotient that does not fit")
    assert place(fault) == (line_of(FILE, kernel), kernel)


@pytest.mark.parametrize("kernel, number", [("divide", 10), ("modulo", 7), ("endless", 1),
                                            ("recursion", 100), ("huge_array", 4096),
                                            ("call_abort", 0), ("throw_error", 0),
                                            ("smash_the_stack", 0), ("smash_at_once", 0),
                                            ("overrun_a_local_array", 2), ("call_address", 0),
                                            ("catches_its_own", 0), ("every_iteration", 0),
                                            ("gm_behind", -25), ("forks", 0)])
def test_the_harmless_form_is_clean(kernel, number):
    harness.check_clean(call(FILE, kernel, number))


@pytest.mark.parametrize("build", ["g++ -O0", "g++ -O2"])
def test_an_endless_loop_ends_at_the_time_limit_at_its_line(build):
    call(FILE, "endless", 1, build)  # compiles
    start = time.monotonic()
    fault = only_fault(call(FILE, "endless", 0, build, extra=["--timeout", "0.5"]), "V5004")
    assert time.monotonic() - start < 4
    assert fault["message"] == "endless: still running after 0.5 s"
    assert fault["legal"] == "a kernel that ends, or a larger --timeout"
    assert fault["block"] == 0
    assert place(fault) == (line_of(FILE, "endless"), "endless")


def test_a_kernel_that_blocks_all_signals_is_killed_at_the_limit():
    call(FILE, "endless", 1)  # compiles
    start = time.monotonic()
    fault = only_fault(call(FILE, "deaf", extra=["--timeout", "0.3"]), "V5004")
    assert time.monotonic() - start < 5
    assert fault["message"] == "deaf: still running, and too busy to say where"


def test_a_kernel_that_stops_itself_is_killed_at_the_limit():
    call(FILE, "endless", 1)  # compiles
    run = call(FILE, "raise_signal", int(signal.SIGSTOP), extra=["--timeout", "0.3"])
    assert only_fault(run, "V5004")["block"] == 0


@pytest.mark.parametrize("kernel, mark", [("promises_not_to_throw", "add_bytes"),
                                          ("catches_everything", "catches_everything")])
def test_what_ends_a_block_gets_through_the_kernels_own_functions(kernel, mark):
    run = call(FILE, kernel, extra=["--blocks", "3"])
    assert run.codes == ["V6002"] and run.code == 4
    assert place(run.faults[0]) == (line_of(FILE, mark), mark)
    assert run.report["blocks_finished"] == 0


def test_a_stack_that_fills_up_inside_vinci_is_a_full_stack():
    fault = only_fault(call(FILE, "recursion_in_vinci"), "V5003")
    assert fault["lines"][0]["function"] == "deeper_in_vinci"


def test_a_crash_before_the_kernel_starts_is_reported(tmp_path):
    source = tmp_path / "k.cpp"
    source.write_text('#include "kernel_operator.h"\nstatic int value = *(volatile int*)16;\n'
                      'extern "C" __global__ __aicore__ void early() { (void)value; }\n')
    run = harness.vinci("run", source, started=True)
    assert run.code == 1
    assert run.stderr.startswith("error[V5001] early: ")


@pytest.mark.parametrize("build", BUILDS)
def test_endless_recursion_is_a_full_stack(build):
    fault = only_fault(call(FILE, "recursion", -1, build), "V5003")
    assert fault["message"] == "recursion: the stack is full"
    assert fault["legal"] == "less recursion, smaller local arrays"
    assert fault["lines"][0]["function"] == "deeper"


@pytest.mark.parametrize("mebibytes", [9, 64, 1024])
def test_an_array_larger_than_the_stack_is_a_full_stack(mebibytes):
    fault = only_fault(call(FILE, "huge_array", mebibytes << 20), "V5003")
    assert fault["message"] == "huge_array: the stack is full"
    assert fault["lines"][0]["function"] == "huge_array"


@pytest.mark.parametrize("build", BUILDS)
def test_abort_is_reported_at_its_line(build):
    fault = only_fault(call(FILE, "call_abort", 1, build), "V5005")
    assert fault["message"] == (
        "call_abort: abort() was called")
    assert place(fault) == (line_of(FILE, "call_abort"), "call_abort")


@pytest.mark.parametrize("number, message", [
    (1, "the kernel let a C++ exception escape: no such tile"),
    (2, "the kernel let a C++ exception escape"),
])
def test_an_escaping_exception_is_reported(number, message):
    run = call(FILE, "throw_error", number)
    fault = only_fault(run, "V5005")
    assert fault["message"].endswith(message)
    assert "throw_error" in run.stderr
    assert fault["block"] == 0


@pytest.mark.parametrize("kernel", ["call_exit", "call_quick_exit"])
@pytest.mark.parametrize("status", [0, 3])
def test_a_kernel_that_ends_the_process_is_reported(kernel, status):
    fault = only_fault(call(FILE, kernel, status), "V5006")
    assert fault["message"] == f"{kernel}: it ended the process with status {status}"
    assert fault["legal"] == "return from the kernel"
    assert fault["block"] == 0


@pytest.mark.parametrize("number, text", [(signal.SIGKILL, "9: Killed"),
                                          (signal.SIGTERM, "15: Terminated"),
                                          (signal.SIGPIPE, "13: Broken pipe")])
def test_a_deadly_signal_is_reported(number, text):
    fault = only_fault(call(FILE, "raise_signal", int(number)), "V5007")
    assert fault["message"] == f"raise_signal: its process was killed by signal {text}"


def test_an_illegal_instruction_is_reported_at_its_line():
    fault = only_fault(call(FILE, "illegal_instruction"), "V5007")
    assert fault["message"] == "illegal_instruction: signal 4: Illegal instruction"
    assert place(fault)[1] == "illegal_instruction"


@pytest.mark.parametrize("number", [16, 129])
def test_a_kernel_that_closes_everything_is_never_clean(number):
    start = time.monotonic()
    run = call(FILE, "close_all", number)
    assert time.monotonic() - start < 10
    assert run.code == 1 and run.codes != []
    assert "close_all" in run.stderr


@pytest.mark.parametrize("number", [0, 1, 2], ids=["exits", "returns", "outlives the kernel"])
def test_a_kernel_that_forks_ends_and_is_reported_once(number):
    start = time.monotonic()
    run = call(FILE, "forks", number)
    assert time.monotonic() - start < 4
    assert run.report is not None
    assert run.stdout.count("forks on Ascend310P3") == 1


def test_a_megabyte_of_output_arrives():
    run = call(FILE, "prints", 1024)
    assert run.code == 0
    assert run.stdout.count("x" * 1024 + "\n") == 1024


def test_a_fault_in_every_iteration_is_reported_once_and_counted():
    run = call(FILE, "every_iteration", 1000)
    fault = only_fault(run, "V1001")
    assert fault["count"] == 1000
    assert place(fault) == (line_of(FILE, "every_iteration"), "every_iteration")
    assert "1000 times" in run.stderr


def test_the_same_fault_in_every_block_is_counted_once():
    fault = only_fault(call(FILE, "every_iteration", 1, extra=["--blocks", "7"]), "V1001")
    assert (fault["count"], fault["block"]) == (7, 0)


def test_nineteen_places_do_not_end_the_kernel():
    run = call(FILE, "many_places", 1)
    assert run.codes == ["V1001"] * 19
    assert run.report["blocks_finished"] == 1


def test_the_twentieth_place_ends_the_kernel():
    run = call(FILE, "many_places", 0)
    assert run.codes == ["V1001"] * 20
    assert run.report["blocks_finished"] == 0
    assert "20 fault(s)" in run.stdout and "stopped at so many" in run.stdout
    assert run.code == 1


def test_a_million_times_end_the_kernel():
    """A loop whose bound is wrong, too, need not wait for the timeout."""
    run = call(FILE, "every_iteration", 1 << 40)
    assert only_fault(run, "V1001")["count"] == 1_000_000
    assert run.report["blocks_finished"] == 0 and "stopped at so many" in run.stdout


def test_one_time_less_does_not_end_the_kernel():
    run = call(FILE, "every_iteration", 999_999)
    assert only_fault(run, "V1001")["count"] == 999_999
    assert run.report["blocks_finished"] == 1 and "stopped" not in run.stdout


def test_a_fault_in_one_block_of_four_names_it_and_the_others_finish():
    run = call(FILE, "block_three", extra=["--blocks", "4"])
    fault = only_fault(run, "V1001")
    assert fault["block"] == 3
    assert run.report["blocks_finished"] == 4
    assert "block 3, AI Core" in run.stderr


def test_a_crash_in_one_block_names_it_and_counts_the_finished_ones():
    run = call(FILE, "wild_block_two", extra=["--blocks", "4"])
    fault = only_fault(run, "V5001")
    assert fault["block"] == 2
    assert run.report["blocks_finished"] == 2
    assert place(fault) == (line_of(FILE, "wild_block_two"), "wild_block_two")


@pytest.mark.parametrize("level", ["off", "basic", "full"])
def test_a_crash_is_reported_at_every_check_level(level):
    run = call(FILE, "write_address", 0, extra=["--check", level])
    assert run.codes == ["V5001"] and run.code == 1
