"""Blocks on several host threads: outputs and reports are those of one thread."""

import numpy as np
import pytest

from cli_kit import check_ok, check_usage, compile_first, load, run

THREADS = [1, 2, 5, 16]


def outcome(done, tmp_path, file="o.npy"):
    """All that a user sees, but for the time."""
    report = [line for line in done.stdout.splitlines() if " on Ascend" not in line]
    verdict = [line.rsplit(" (", 1)[0] for line in done.stdout.splitlines() if " on Ascend" in line]
    return done.code, report, verdict, done.stderr, load(tmp_path / file).tolist()


def mixed(tmp_path, threads, faulty=0, talking=0, blocks=12, options=()):
    done = run("threads.cpp", "mixed", "--threads", str(threads), "--blocks", str(blocks), *options,
               cwd=tmp_path, args=[f"out:o.npy:int32:{blocks}", f"value:uint32:{faulty}",
                                   f"value:uint32:{talking}"])
    return outcome(done, tmp_path)


@pytest.mark.parametrize("level", ["full", "basic", "off"])
def test_outputs_and_prints_do_not_depend_on_the_threads(tmp_path, level):
    for threads in THREADS:
        code, said, _, errors, words = mixed(tmp_path, threads, talking=0b101010111011,
                                             options=("--check", level))
        assert (code, errors, words) == (0, "", [3 * i for i in range(12)])
        assert said == [f"block {i}" for i in (0, 1, 3, 4, 5, 7, 9, 11)]


def test_faults_come_in_the_order_of_the_blocks(tmp_path):
    alone = mixed(tmp_path, 1, faulty=0b100110011110, talking=0b111)
    assert alone[0] == 1 and alone[3].count("error[V1001]") == 3
    first = [alone[3].find(f"block {block},") for block in (1, 2, 3)]
    assert -1 < first[0] < first[1] < first[2]
    for threads in THREADS[1:]:
        assert mixed(tmp_path, threads, faulty=0b100110011110, talking=0b111) == alone


def sums_of(parts):
    """What blocks make of 128 zeros, one after the other: the sums, and the sums of sums so far."""
    sums = np.zeros((2, 64), np.float32)
    for part in parts:
        sums[0] += part
        sums[1] += sums[0]
    return sums.ravel()


@pytest.mark.parametrize("threads", THREADS)
@pytest.mark.parametrize("which", [-1, 6])
def test_sums_in_gm_are_in_the_order_of_the_blocks(tmp_path, threads, which):
    """Floats of all sizes, so that each order gives other bits; and a block that ends the kernel.

    On the chip a block may read the sums at any time: full checks say so (V4010).
    """
    rng = np.random.default_rng(5)
    parts = (rng.standard_normal((10, 64)) * 10.0 ** rng.integers(-6, 7, (10, 64))).astype("f4")
    assert (sums_of(parts) != sums_of(parts[::-1])).any()
    np.save(tmp_path / "parts.npy", parts)
    np.save(tmp_path / "zeros.npy", np.zeros(128, np.float32))
    done = run("threads.cpp", "sums", "--soc", "Ascend910A", "--threads", str(threads), "--blocks",
               "10", "--check", "basic", cwd=tmp_path,
               args=["in:parts.npy", "inout:zeros.npy:o.npy", f"value:int32:{which}"])
    if which < 0:
        check_ok(done)
        assert load(tmp_path / "o.npy").tobytes() == sums_of(parts).tobytes()
        return
    assert "error[V6002]" in done.stderr and f"block {which}" in done.stderr
    want = sums_of(parts[:which])
    want[:64] += parts[which]
    assert load(tmp_path / "o.npy").tobytes() == want.tobytes()


def test_more_threads_than_blocks(tmp_path):
    assert mixed(tmp_path, 16, blocks=1)[4] == [0]
    assert mixed(tmp_path, 0, blocks=2)[4] == [0, 3]


@pytest.mark.parametrize("threads", THREADS)
@pytest.mark.parametrize("how, code", [(0, "V5001"), (1, "V5005"), (2, "V5006"), (4, "V6002")])
def test_a_block_that_ends_the_kernel_lets_the_earlier_ones_end(tmp_path, threads, how, code):
    done = run("threads.cpp", "one_fails", "--threads", str(threads), "--blocks", "8",
               cwd=tmp_path, args=["out:o.npy:uint8:8", "value:int32:5", f"value:int32:{how}"])
    assert f"error[{code}]" in done.stderr
    if code != "V5006":  # the process is gone, and its block with it
        assert "block 5" in done.stderr
    assert load(tmp_path / "o.npy")[:6].tolist() == [1] * 6
    assert "5 of 8 blocks finished" in done.stdout


@pytest.mark.parametrize("threads", THREADS)
def test_an_endless_block_is_found_where_it_is(tmp_path, threads):
    compile_first("threads.cpp")
    done = run("threads.cpp", "one_fails", "--threads", str(threads), "--blocks", "4",
               "--timeout", "3", cwd=tmp_path,
               args=["out:o.npy:uint8:4", "value:int32:2", "value:int32:3"])
    assert done.code == 1 and "error[V5004]" in done.stderr
    assert "block 2" in done.stderr and "threads.cpp" in done.stderr
    assert load(tmp_path / "o.npy")[:2].tolist() == [1, 1]
    assert "2 of 4 blocks finished" in done.stdout


def test_many_blocks_on_many_threads(tmp_path):
    done = run("blocks.cpp", "block_index", "--threads", "7", "--blocks", "300", cwd=tmp_path,
               args=["out:o.npy:int64:300x2"])
    check_ok(done)
    expected = np.stack([np.arange(300), np.full(300, 300)], axis=1)
    assert np.array_equal(load(tmp_path / "o.npy"), expected)


@pytest.mark.parametrize("number", ["-1", "1025", "two"])
def test_threads_must_be_a_number(tmp_path, number):
    check_usage(run("blocks.cpp", "nothing", "--threads", number, cwd=tmp_path), "--threads")
