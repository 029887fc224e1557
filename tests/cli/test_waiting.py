"""Cores that wait for each other: outputs, reports and ends are the same for any number of threads."""

import os
import pathlib
import subprocess

import numpy as np
import pytest

import harness
from cli_kit import KERNELS, check_ok, compile_first, load, run
from harness import times_more

THREADS = [1, 2, 8]
FILE = "waiting.cpp"
CHIP = ("--soc", "Ascend910B1")


def line_of(mark):
    text = (pathlib.Path(KERNELS) / FILE).read_text().splitlines()
    return 1 + next(i for i, line in enumerate(text) if line.endswith(f"// HERE {mark}"))


def rounds(tmp_path, threads, which=-1, how=0, blocks=12, options=()):
    return run(FILE, "rounds", *CHIP, "--threads", str(threads), "--blocks", str(blocks), *options,
               cwd=tmp_path, args=[f"out:o.npy:int32:{blocks}", f"value:int32:{which}",
                                   f"value:int32:{how}"])


@pytest.mark.parametrize("threads", THREADS)
@pytest.mark.parametrize("level", ["full", "off"])
def test_blocks_meet_again_and_again(tmp_path, threads, level):
    done = rounds(tmp_path, threads, options=("--check", level))
    check_ok(done)
    want = [(block + 8) % 12 for block in range(12)]
    assert load(tmp_path / "o.npy").tolist() == want
    said = done.stdout.splitlines()[:12]
    assert said == [f"block {i} has {number}" for i, number in enumerate(want)]


@pytest.mark.parametrize("threads", THREADS)
@pytest.mark.parametrize("how, code", [(0, "V5001"), (1, "V5005"), (2, "V5006"), (4, "V5004"),
                                       (5, "V5003")])
def test_a_block_that_ends_badly_while_others_wait(tmp_path, threads, how, code):
    compile_first(FILE, *CHIP)
    done = rounds(tmp_path, threads, 5, how, options=("--timeout", "3"))
    assert done.code == 1 and done.stderr.count("error[") == 1
    assert f"error[{code}]" in done.stderr
    if code != "V5006":  # the process is gone, and its block with it
        assert "block 5" in done.stderr
    if code == "V5004":
        assert f"{FILE}:{line_of('endless')}" in done.stderr
    if code == "V5003":
        assert f"{FILE}:{line_of('deeper')}" in done.stderr
    assert "0 of 12 blocks finished" in done.stdout


def test_a_deadlock_is_told_at_once_where_it_is(tmp_path):
    outcomes = []
    for threads in THREADS:
        done = rounds(tmp_path, threads, 5, 3)
        assert done.code == 1
        assert "error[V4005] SyncAll: not all come; 11 of 12 blocks wait, and block 5 has ended" in \
            done.stderr
        assert f"{FILE}:{line_of('meet')}" in done.stderr and "11 times" in done.stderr
        outcomes.append((done.stderr, load(tmp_path / "o.npy").tolist()))
    assert outcomes[1:] == outcomes[:1] * 2


def test_more_blocks_than_cores(tmp_path):
    check_ok(rounds(tmp_path, 2, blocks=48))
    done = rounds(tmp_path, 2, blocks=49)
    assert done.code == 1 and "48 of 49 blocks wait" in done.stderr
    assert "block 48 cannot begin before another ends, because Ascend910B1 has no more" in done.stderr


@pytest.mark.parametrize("threads", THREADS)
@pytest.mark.parametrize("by_pointer", [0, 1])
def test_a_block_that_reads_until_another_writes(tmp_path, threads, by_pointer):
    np.save(tmp_path / "zeros.npy", np.zeros(16, np.int32))
    done = run(FILE, "polls", *CHIP, "--threads", str(threads), "--blocks", "2", cwd=tmp_path,
               args=["inout:zeros.npy:o.npy", f"value:int32:{by_pointer}"])
    check_ok(done)
    assert load(tmp_path / "o.npy")[:2].tolist() == [7, 5]


@pytest.mark.parametrize("cores, code", [("aiv", 1), ("aic", 0), ("mix12", 0)])
def test_a_barrier_of_both_kinds_of_cores_where_there_is_one(tmp_path, cores, code):
    (tmp_path / "k.cpp").write_text("""#include "kernel_operator.h"
        extern "C" __global__ __aicore__ void k(GM_ADDR x) { AscendC::SyncAll<false>(); }""")
    done = run(tmp_path / "k.cpp", "k", *CHIP, "--cores", cores, "--blocks", "2", cwd=tmp_path,
               args=["zeros:float:8"])
    assert done.code == code, done.stderr
    told = "error[V4005] SyncAll<false>: an AIV waits for the AIC of its block" in done.stderr
    assert told == bool(code)


@pytest.mark.parametrize("threads, orders", [(1, 0), (2, 0), (1, 1)])
def test_blocks_that_clean_the_cache_while_they_read(tmp_path, threads, orders):
    np.save(tmp_path / "zeros.npy", np.zeros(64, np.int32))
    done = run(FILE, "polls_past_the_cache", "--soc", "Ascend910B1", "--timeout", "60", "--cores", "aiv",
               "--check", "basic", "--threads", str(threads), "--blocks", "3", cwd=tmp_path,
               args=["inout:zeros.npy:o.npy", f"value:int32:{orders}"])
    check_ok(done)
    assert load(tmp_path / "o.npy")[:64:16].tolist() == [5, 7, 7, 7]


# A core that reads until another one has written goes on in the round after the write.
ANSWERS = [*(f"block {i} has asked" for i in range(4, 8)),
           *(f"block {i} has been asked" for i in range(4)),
           *(f"block {i} has its answer" for i in range(4, 8))]


@pytest.mark.parametrize("how", [0, 2], ids=["values", "copies"])
def test_the_order_after_reads_of_gm_does_not_depend_on_the_host(tmp_path, how):
    np.save(tmp_path / "zeros.npy", np.zeros(128, np.int32))
    for threads in [1, 2, 8] + [2, 8] * times_more(4):
        done = run(FILE, "answers", *CHIP, "--threads", str(threads), "--blocks", "8", cwd=tmp_path,
                   args=["inout:zeros.npy:o.npy", f"value:int32:{how}"])
        check_ok(done)
        assert done.stdout.splitlines()[:12] == ANSWERS, f"{threads} threads"
        assert load(tmp_path / "o.npy")[::16].tolist() == [7] * 4 + [5] * 4


@pytest.mark.parametrize("threads", THREADS)
def test_a_block_may_wait_by_reference(tmp_path, threads):
    # Its order is not promised: the kernel reads when the door is closed again.
    np.save(tmp_path / "zeros.npy", np.zeros(128, np.int32))
    done = run(FILE, "answers", *CHIP, "--threads", str(threads), "--blocks", "8", cwd=tmp_path,
               args=["inout:zeros.npy:o.npy", "value:int32:1"])
    check_ok(done)
    assert sorted(done.stdout.splitlines()[:12]) == sorted(ANSWERS)
    assert load(tmp_path / "o.npy")[::16].tolist() == [7] * 4 + [5] * 4


def gathers(folder, how, blocks, threads, *options, missing=-1):
    np.save(folder / "zeros.npy", np.zeros(8 * blocks, np.int32))
    return run(FILE, "gathers", *CHIP, "--cores", "aiv", "--threads", str(threads), "--blocks",
               str(blocks), *options, cwd=folder,
               args=["in:zeros.npy", f"out:o.npy:int32:{8 * blocks}", f"value:int32:{how}",
                     f"value:int32:{missing}"])


@pytest.mark.parametrize("threads", THREADS)
@pytest.mark.parametrize("how", range(5), ids=["values", "references", "one-copy", "words", "copies"])
def test_blocks_that_look_at_many_places(tmp_path, how, threads):
    for blocks, check in [(5, "full"), (5, "off")] + [(48, "basic")] * (threads == 2):
        done = gathers(tmp_path, how, blocks, threads, "--timeout", "60", "--check", check)
        check_ok(done)
        want = np.repeat(blocks * (blocks + 1) // 2, 8 * blocks)
        np.testing.assert_array_equal(load(tmp_path / "o.npy"), want)


@pytest.mark.parametrize("how", [0, 2, 4], ids=["values", "one-copy", "copies"])
def test_a_word_that_nobody_writes_is_a_deadlock(tmp_path, how):
    outcomes = []
    for threads in THREADS:
        done = gathers(tmp_path, how, 3, threads, "--timeout", "60", "--check", "basic", missing=1)
        assert done.code == 1
        assert "error[V4006]" in done.stderr and "reads the same place in GM again" in done.stderr
        assert "3 of 3 cores wait" in done.stderr
        assert how != 4 or f"{FILE}:{line_of('gathers')}" in done.stderr
        assert "instruction" not in done.stderr  # how often it has read depends on the host
        outcomes.append(done.stderr)
    assert outcomes[1:] == outcomes[:1] * 2


def test_a_word_that_goes_from_block_to_block(tmp_path):
    np.save(tmp_path / "zeros.npy", np.zeros(16, np.int32))
    for threads in [1, 2, 8] + [2, 8] * times_more(4):
        done = run(FILE, "counts", *CHIP, "--threads", str(threads), "--blocks", "8", cwd=tmp_path,
                   args=["inout:zeros.npy:o.npy"])
        check_ok(done)
        assert done.stdout.splitlines()[:8] == [f"block {7 - i} sees {i}" for i in range(8)]
        assert load(tmp_path / "o.npy")[0] == 8


@pytest.mark.whole
def test_random_programs_of_cores_that_wait():
    """Two hundred; a thousand in `make check-all`. `make test` has forty among the unit tests."""
    unit = pathlib.Path(harness.VINCI).resolve().with_name("vinci_unit")
    done = subprocess.run([unit, "--gtest_filter=CrossCoreRandom.*", "--gtest_brief=1"],
                          env={**os.environ, "VINCI_MORE": str(5 * harness.MORE)}, capture_output=True, text=True,
                          check=False)
    assert done.returncode == 0 and "[  PASSED  ] 2 tests." in done.stdout, done.stdout


def test_a_read_that_nobody_answers_is_a_deadlock(tmp_path):
    np.save(tmp_path / "zeros.npy", np.zeros(16, np.int32))
    compile_first(FILE, *CHIP)
    for threads in THREADS:
        # One block alone is endless; two, of which both read, are a deadlock.
        done = run(FILE, "polls", *CHIP, "--threads", str(threads), "--blocks", "1", "--timeout", "2",
                   cwd=tmp_path, args=["inout:zeros.npy:o.npy", "value:int32:0"])
        assert done.code == 1 and "error[V5004]" in done.stderr
