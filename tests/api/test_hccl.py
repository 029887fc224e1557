"""Hccl: a launch is one device, so its communicators have one rank."""

import numpy as np
import pytest

import harness
from api_kit import KERNELS, Out, Value, output, outputs, rng

FILE = "hccl.cpp"
A2, A3 = "Ascend910B1", "Ascend910_9391"
AIV = ["--cores", "aiv"]
TYPES = {"int8": 0, "int16": 1, "int32": 2, "half": 3, "float": 4}
NUMPY = {"half": np.float16, "float": np.float32}


def collective(kernel, x, size, *, soc=A2, repeat=1, count=None, dtype="float", skips=0, blocks=1):
    """What a collective of x makes of `size` elements that are 255 in each byte."""
    count = len(x) // repeat if count is None else count
    return output(FILE, kernel, x, Out(dtype, size, part=True), Value("uint32", count),
                  Value("uint32", repeat), Value("uint32", TYPES[dtype]), Value("uint32", skips),
                  soc=soc, blocks=blocks, extra=AIV)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("kernel", ["all_reduce", "all_gather", "reduce_scatter", "all_to_all"])
def test_a_collective_of_one_rank_copies(kernel, dtype):
    x = rng().integers(-100, 100, 48).astype(NUMPY.get(dtype, dtype))
    assert collective(kernel, x, 48, dtype=dtype).tolist() == x.tolist()


@pytest.mark.parametrize("kernel", ["all_reduce", "all_gather", "reduce_scatter", "all_to_all"])
@pytest.mark.parametrize("blocks", [1, 3])
def test_each_round_takes_the_next_elements(kernel, blocks):
    x = rng().normal(size=300).astype(np.float16)
    got = collective(kernel, x, 300, repeat=3, dtype="half", blocks=blocks)
    assert got.tolist() == x.tolist()
    got = collective(kernel, x, 300, repeat=2, count=44, dtype="half", blocks=blocks)
    assert got[:88].tolist() == x[:88].tolist() and (got[88:].view(np.uint16) == 0xFFFF).all()


def test_offsets_of_all_to_all_v():
    x = rng().normal(size=34).astype(np.float32)
    got = collective("all_to_all_v", x, 40, soc=A3, repeat=4, count=8)
    assert got[1:33].tolist() == x[2:34].tolist()
    assert (got.view(np.uint32)[[0, *range(33, 40)]] == 0xFFFFFFFF).all()


@pytest.mark.parametrize("kernel, soc, left_out", [
    ("all_gather", A2, True), ("all_to_all", A2, True), ("all_reduce", A2, False),
    ("all_gather", A3, False)])
def test_the_own_part_may_be_left_out(kernel, soc, left_out):
    x = np.ones(32, np.float32)
    got = collective(kernel, x, 32, soc=soc, skips=1)
    assert (got.view(np.uint32) == 0xFFFFFFFF).all() if left_out else got.tolist() == x.tolist()


def test_items_of_batch_write():
    x = rng().integers(0, 255, 128).astype(np.uint8)
    got = outputs(FILE, "batch_write", x, Out("uint8", 128), Out("uint8", 128, part=True),
                  Value("uint32", 64), soc=A3, extra=AIV)[0]
    assert got.tolist() == np.roll(x, 64).tolist()


@pytest.mark.parametrize("count, queue, code", [
    (0, 0, "V2001"), (1, 0, None), (2047, 1, None), (2048, 0, "V2001"), (1, 2, "V2001")])
def test_limits_of_batch_write(count, queue, code):
    run = harness.run_kernel(KERNELS / FILE, np.zeros(2048 * 64, np.uint8), Value("uint32", count),
                             Value("uint32", queue), soc=A3, kernel="empty_items", extra=AIV)
    assert run.codes == ([] if code is None else [code]), run.stderr


def through(kernel, leaves, blocks=4):
    x = rng().normal(size=64 * blocks).astype(np.float32)
    size = len(x)
    run = harness.run_kernel(KERNELS / FILE, x, Out("float", size, part=True),
                             Out("float", size, part=True), Out("float", size, part=True),
                             Value("uint32", leaves), soc=A2, blocks=blocks, kernel=kernel,
                             extra=AIV)
    return x, run


@pytest.mark.parametrize("kernel", ["through_first", "through_second"])
def test_what_all_cores_have_written_comes_to_all_cores(kernel):
    x, run = through(kernel, 0)
    harness.check_clean(run)
    assert run.outputs[1].tolist() == (2 * x).tolist()
    assert run.outputs[2].tolist() == np.roll(2 * x, -64).tolist()


@pytest.mark.parametrize("kernel", ["through_first", "through_second"])
@pytest.mark.parametrize("leaves, codes", [(1, {"V4009", "V4010"}), (2, {"V4010"})])
def test_a_race_where_a_statement_is_left_out(kernel, leaves, codes):
    """The barrier before Commit, or Wait."""
    _, run = through(kernel, leaves)
    assert run.code == 1 and set(run.codes) == codes, run.stderr


def test_a_race_in_a_window_names_it():
    run = harness.run_kernel(KERNELS / FILE, np.arange(16, dtype=np.int32), soc=A2, blocks=2, kernel="meets",
                             extra=AIV)
    assert run.codes == ["V4010"], run.stderr
    assert " bytes 0..63 of GM buffer a communicator's window, " in run.faults[0]["message"]


def test_finalize_is_left_out():
    _, run = through("through_first", 3)
    assert run.code == 1 and run.codes == ["V4006"], run.stderr


def test_what_there_is_to_ask():
    x = np.arange(16, dtype=np.int32)
    got = output(FILE, "asks", x, Out("int32", 24), soc=A2, extra=AIV)
    assert got[:16].tolist() == x.tolist()
    assert got[16:].tolist() == [0, 1, 2, 0, 1, 1, 1, 1]


def test_steps_and_tasks_that_wait_for_others():
    x = np.arange(16, dtype=np.int32)
    got = outputs(FILE, "steps_and_groups", x, Out("int32", 16), Out("int32", 16), soc=A3, extra=AIV)
    assert got[0].tolist() == x.tolist() and got[1].tolist() == x.tolist()


MISTAKES = [
    (1, "V2004", "Hccl::AllReduce: the object has no communicator", None),
    (2, "V2004", "Hccl::InitV2: context is that of no communicator", None),
    (3, "V2004", "Hccl::InitV2: initTiling is nullptr", None),
    (4, "V2004", "Hccl::InitV2: initTiling lies in GM", None),
    (5, "V2004", "Hccl::AllReduce: no tiling of such tasks is set", -1),
    (6, "V2004", "Hccl::SetCcTiling: the object was initialised by InitV2", -1),
    (7, "V2001", "Hccl::AllReduce: dataType is 5", -1),
    (8, "V2001", "Hccl::AllReduce: op is 1", -1),
    (9, "V2004", "Hccl::AllGather: no tiling of such tasks is set", -1),
    (10, "V2001", "Hccl::Commit: handleId is 0", 0),
    (11, "V2001", "Hccl::Wait: handleId is -1", -1),
    (12, "V2001", "Hccl::AllReduce: the communicator has 63 tasks", -1),
    (13, "V2004", "Hccl::Commit: task 0 has been committed 1 times", 0),
    (14, "V2004", "Hccl::Finalize: task 1 has been committed 1 times of 2", 0),
    (15, "V2004", "Hccl::Wait: a task after task 0 has been waited for", 0),
    (16, "V2004", "Hccl::Wait: task 0 has been waited for 1 times", -1),
    (17, "V2004", "Hccl::InitV2: another object has this context", 0),
    (18, "V2004", "Hccl::Wait: task 1 has been waited for 2 times", -1),
    (19, "V1003", "Hccl: sendBuf reads", None),
    (20, "V2008", "Hccl::AllReduce: repeat is 0", -1),
    (21, "V4006", "Hccl::Wait: nobody commits round 1 of task 0", None),
    (22, "V6001", "Hccl::AlltoAllvWrite: Ascend910B1 does not have it", None),
    (23, "V6001", "Hccl::GetQueueNum: Ascend910B1 does not have it", None),
    (24, "V4006", "Hccl: no Finalize after the last task", None),
    (25, "V2004", "Hccl::Commit: the object has ended with Finalize", 0),
]


@pytest.mark.parametrize("how, code, message, result", MISTAKES)
def test_a_mistake(how, code, message, result):
    """At the line that makes it; and what the call returns."""
    x = np.ones(64, np.float32)
    run = harness.run_kernel(KERNELS / FILE, x, Out("float", 64, part=True), Value("uint32", how),
                             soc=A2, kernel="mistakes", extra=AIV)
    assert code in run.codes, run.stderr
    fault = next(fault for fault in run.faults if fault["code"] == code)
    assert fault["message"].startswith(message)
    if how <= 11:
        text = (KERNELS / FILE).read_text().splitlines()[fault["lines"][0]["line"] - 1]
        assert f"how == {how})" in text
    if result is not None:
        assert run.outputs[0].view(np.int32)[63] == result


def test_chips_without_hccl():
    run = harness.run_kernel(KERNELS / FILE, np.ones(8, np.int32), Out("int32", 24, part=True),
                             soc="Ascend310P3", kernel="asks")
    assert run.codes == ["V6001"] and "Hccl::Init: Ascend310P3 does not have it" in run.stderr
