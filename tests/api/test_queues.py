"""TPipe, TQue, TQueBind, TBuf, flags, printing."""

import numpy as np
import pytest

import harness
from api_kit import KERNELS, Out, Value, output, rng

FILE = "queues.cpp"


def halves(count):
    return rng().standard_normal(count).astype(np.float16)


@pytest.mark.parametrize("tiles, blocks", [(1, 1), (2, 1), (7, 1), (3, 8)])
def test_double_buffering_gives_the_sum(tiles, blocks):
    x, y = halves(2 * tiles * blocks * 128).reshape(2, -1)
    got = output(FILE, "double_buffer", x, y, Out("half", x.size), Value("int32", tiles), blocks=blocks)
    assert (got == x + y).all()


@pytest.mark.parametrize("level", ["off", "basic", "full"])
def test_the_level_of_checks_changes_no_result(level):
    x, y = halves(1024).reshape(2, -1)
    got = output(FILE, "double_buffer", x, y, Out("half", 512), Value("int32", 4), check=level)
    assert (got == x + y).all()


def test_tensors_leave_a_queue_in_order():
    assert output(FILE, "order", Out("int32", 12)).tolist() == [
        10 * r + i for r in range(3) for i in range(4)]


def test_a_queue_tells_its_state():
    got = output(FILE, "questions", Out("int32", 24)).reshape(6, 4).tolist()
    # vacant, has a tensor, number of tensors, has an idle buffer
    assert got == [[1, 0, 0, 1],   # new
                   [1, 0, 0, 1],   # two in hand
                   [1, 1, 1, 1],   # one waits
                   [0, 1, 2, 0],   # two wait, one in hand
                   [1, 1, 1, 1],   # one waits, one in hand
                   [1, 0, 0, 1]]   # all free


def test_a_tensor_has_its_buffers_size_rounded_up():
    assert output(FILE, "tensor_sizes", Out("int32", 3)).tolist() == [64, 1, 32]


@pytest.mark.parametrize("tiles", [1, 5])
def test_a_bound_queue_is_input_and_output(tiles):
    data = halves(tiles * 128)
    got = output(FILE, "bind", data, Out("half", data.size), Value("int32", tiles))
    assert (got == data).all()


def test_a_tbuf_gives_parts_of_its_buffer():
    assert output(FILE, "tbuf", Out("int32", 7)).tolist() == [32, 64, 5, 4, 9, 24, 1]


def test_reset_gives_the_whole_memory_back():
    assert output(FILE, "reset", Out("int32", 3), Value("uint32", 253952)).tolist() == [253952] * 3


def test_one_pipe_may_follow_another():
    assert output(FILE, "pipes", Out("int32", 1), Value("uint32", 253952)).tolist() == [253952]


def test_event_identifiers_are_the_lowest_that_are_free():
    assert output(FILE, "events", Out("int32", 8)).tolist() == [0, 0, 1, 1, 0, 0, 0, 2]


def test_a_pipeline_of_flags_and_barriers_runs():
    data = halves(512)
    got = output(FILE, "flags", data, Out("half", 512))
    assert (got == data + data + (data + data)).all()


def test_printing_takes_halves_and_all_else():
    run = harness.run_kernel(KERNELS / FILE, Value("int32", 0), soc="Ascend310P3", kernel="prints")
    harness.check_clean(run)
    assert run.stdout.startswith("0.1000 2.5 -3 text 1099511627776 x %\n"
                                 "  2.2|ff|4294967295\nno arguments\n")
