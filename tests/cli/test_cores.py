"""Which cores a kernel runs on: what it says itself, what --cores says, and what reports call them."""

import json

import numpy as np
import pytest

from cli_kit import check_ok, check_usage, load, run

SPLIT = ("--soc", "Ascend910B1")
# By row of 8 words, GetBlockIdx(): the pass and kind (1 AIC, 2 AIV, 3 a whole core), blocks * 10 +
# ratio, which conditions hold; of AICs or whole cores, then of AIVs.
NOBODY = [0, 0, 0, 0]


def aic(blocks=2):
    return [1, 1, blocks * 10 + 1, 21]


def aiv(ratio, blocks=2):
    return [2, 2, blocks * 10 + ratio, 12]


WHOLE = [3, 0, 21, 3]
ROWS = {
    "whole": [WHOLE + NOBODY] * 2 + [NOBODY * 2] * 2,
    "aic": [aic() + NOBODY] * 2 + [NOBODY * 2] * 2,
    "aiv": [NOBODY + aiv(1)] * 2 + [NOBODY * 2] * 2,
    "mix11": [aic() + aiv(1)] * 2 + [NOBODY * 2] * 2,
    "mix12": [aic() + aiv(2)] * 2 + [NOBODY + aiv(2)] * 2,
    # Of a chip that knows no kinds: it is neither, as g_coreType says.
    "neither": [[3, 0, 21, 30] + NOBODY] * 2 + [NOBODY * 2] * 2,
}


def cores(tmp_path, kernel, *options, soc=SPLIT, file="cores.cpp"):
    np.save(tmp_path / "zeros.npy", np.zeros((4, 8), np.int32))
    done = run(file, kernel, *soc, "--blocks", "2", *options, "--json", "r.json", cwd=tmp_path,
               args=["inout:zeros.npy:o.npy"])
    check_ok(done)
    return load(tmp_path / "o.npy").tolist(), json.loads((tmp_path / "r.json").read_text())["cores"]


@pytest.mark.parametrize("kernel, want", [
    ("vectors", "aiv"), ("cubes", "aic"), ("both", "mix12"), ("pair", "mix11"), ("no_cube", "aiv"),
    ("no_vector", "aic"), ("typed", "mix11"), ("deep::inside", "aiv"), ("plain", "mix12")])
def test_the_kernel_says_it(tmp_path, kernel, want):
    # A text with flags between kinds of cores is for both, if a kernel says nothing.
    assert cores(tmp_path, kernel) == (ROWS[want], want)


@pytest.mark.parametrize("choice, same", [
    ("whole", "whole"), ("aic", "aic"), ("aiv", "aiv"), ("mix10", "aic"), ("mix01", "aiv"),
    ("mix11", "mix11"), ("mix12", "mix12")])
def test_the_command_line_says_it(tmp_path, choice, same):
    assert cores(tmp_path, "both", "--cores", choice) == (ROWS[same], same)


def test_a_chip_that_is_not_split_has_whole_cores(tmp_path):
    for choice in ("auto", "whole"):
        assert cores(tmp_path, "both", "--cores", choice, soc=("--soc", "Ascend310P3")) == (
            ROWS["neither"], "whole")
    done = run("cores.cpp", "both", "--cores", "mix12", args=["zeros:int32:4"])
    check_usage(done, "cores mix12: Ascend310P3 has no AICs and AIVs apart; legal: auto, whole")


def test_a_kernel_that_is_there_for_one_kind(tmp_path):
    want = [NOBODY + row[4:] for row in ROWS["mix11"]]
    assert cores(tmp_path, "for_vectors", "--cores", "mix11") == (want, "mix11")


@pytest.mark.parametrize("choice", ["", "mix", "mix21", "AIC"])
def test_choices_that_there_are_not(choice):
    done = run("cores.cpp", "both", *SPLIT, "--cores", choice, args=["zeros:int32:4"])
    check_usage(done, f"cores {choice}; legal: auto, whole, aic, aiv, mix10, mix01, mix11, mix12")


@pytest.mark.parametrize("head, body, code, message", [
    ("__mix__(2, 1)", "", 3, "__mix__(2,1) is no kind of kernel; legal: __mix__(0, 1)"),
    ("", "KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_VECTOR_CORE);", 2,
     "KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_VECTOR_CORE) on Ascend910B1; legal: "
     "KERNEL_TYPE_AIV_ONLY, ")])
def test_kinds_that_there_are_not(tmp_path, head, body, code, message):
    (tmp_path / "k.cpp").write_text(
        f'#include "kernel_operator.h"\n__global__ {head} void k(GM_ADDR out) {{ {body} }}\n')
    done = run(tmp_path / "k.cpp", None, *SPLIT, cwd=tmp_path, args=["zeros:int32:4"])
    assert done.code == code
    assert message in done.stderr


ADDS = "AscendC::LocalTensor<half> a(AscendC::TPosition::VECCALC, 0, 16); AscendC::Duplicate(a, half(1), 16);"
FILLS = ("AscendC::LocalTensor<half> b(AscendC::TPosition::A2, 0, 256); "
         "AscendC::InitConstValue(b, AscendC::InitConstValueParams<half>(1, 1, 0, half(0)));")


@pytest.mark.parametrize("line, body, want", [
    ("", "", "whole"), ("// ASCEND_IS_AIC", "", "whole"),
    ('const char* s = "GetSubBlockIdx";', "", "whole"), ("int MY_ASCEND_IS_AIC;", "", "whole"),
    ("inline auto f() { return AscendC::GetSubBlockNum(); }", "", "aiv"),
    ("#ifdef __DAV_C220_VEC__\n#endif", ADDS, "aiv"), ('#include "kinds.h"', "", "aiv"),
    ("", "if ASCEND_IS_AIC { " + FILLS + " }", "aic"),
    ("", "if ASCEND_IS_AIC { " + FILLS + " } if ASCEND_IS_AIV { " + ADDS + " }", "mix12"),
    ("inline int f() { return g_coreType == AscendC::AIC; } // Mmad", ADDS, "aiv"),
    ("inline void f() { AscendC::CrossCoreSetFlag<0, PIPE_MTE3>(0); }", ADDS, "mix12"),
    ("inline void f() { AscendC::SyncAll<false>(); }", ADDS, "mix12")])
def test_a_text_that_tells_kinds_apart_runs_where_it_has_something_to_do(tmp_path, line, body, want):
    """Between the kinds an AIC may have no more to do than to answer."""
    (tmp_path / "inc").mkdir()
    (tmp_path / "inc/kinds.h").write_text("inline int f() { if ASCEND_IS_AIV return 1; return 0; }")
    (tmp_path / "k.cpp").write_text(f'#include "kernel_operator.h"\n{line}\n'
                                    f'__global__ __aicore__ void k(GM_ADDR out) {{ {body} }}\n')
    done = run(tmp_path / "k.cpp", None, *SPLIT, "--json", "r.json", cwd=tmp_path,
               args=["zeros:int32:4"], options=["-Iinc"])
    check_ok(done)
    assert json.loads((tmp_path / "r.json").read_text())["cores"] == want


BOTH_MEMORIES = """#include "kernel_operator.h"
using namespace AscendC;
__global__ __mix__(1, 2) void k(__gm__ uint32_t* out) {
  LocalMemAllocator<Hardware::UB> ub;
  LocalMemAllocator<Hardware::L1> l1;
  LocalTensor<float> first = ub.Alloc<float>(64), second = ub.Alloc<float>(64);
  LocalTensor<half> a1 = l1.Alloc<half>(64);
  Duplicate(first, 1.5f, 8);
  DumpTensor(first, 7, 8);
  DumpTensor(a1, 8, 0);
  GlobalTensor<uint32_t> row;
  row.SetGlobalBuffer(out + (g_coreType == AIC ? 0 : 16 + 16 * GetSubBlockIdx()), 16);
  row.SetValue(0, GetUBSizeInBytes());
  row.SetValue(1, ub.GetCurAddr());
  row.SetValue(2, l1.GetCurAddr());
  row.SetValue(3, TOTAL_UB_SIZE);
  row.SetValue(4, AscendC::TOTAL_L1_SIZE);
  row.SetValue(5, TOTAL_L0A_SIZE + TOTAL_L0B_SIZE);
  row.SetValue(6, TOTAL_L0C_SIZE);
}
"""


def test_the_other_kinds_memories_have_sizes_and_places(tmp_path):
    """A kernel for both asks before it tells itself apart; only what uses them is left out."""
    (tmp_path / "k.cpp").write_text(BOTH_MEMORIES)
    done = run(tmp_path / "k.cpp", None, *SPLIT, cwd=tmp_path, args=["out:o.npy:uint32:3x16"])
    assert done.code == 0 and "error" not in done.stderr, done.stderr
    assert load(tmp_path / "o.npy")[:, :7].tolist() == [
        [196608, 512, 128, 196608, 524288, 131072, 131072]] * 3
    dumped = "desc=7, addr=0x0, data_type=float32, position=UB, dump_size=8"
    assert done.stdout.count(f"DumpTensor: {dumped}\n[1.500000, 1.500000,") == 2
    assert done.stdout.count("desc=8") == done.stdout.count("position=L1") == 1
    assert "Duplicate: an AIC lacks" in done.stderr and "the first of 2 such calls" in done.stderr


MEETING = """#include "kernel_operator.h"
using namespace AscendC;
__global__ __vector__ void k(__gm__ int32_t* out) {
  GlobalTensor<int32_t> words;
  words.SetGlobalBuffer(out, 16 * GetBlockNum());
  const int64_t me = GetBlockIdx();
  words.SetValue(16 * me, int32_t(me + 1));
  DataCacheCleanAndInvalid<int32_t, CacheLine::ENTIRE_DATA_CACHE, DcciDst::CACHELINE_OUT>(words);
  MEET
  int32_t sum = 0;
  for (int64_t i = 0; i < GetBlockNum(); ++i) sum += words.GetValue(16 * i);
  words.SetValue(16 * me + 1, sum);
}
"""


@pytest.mark.parametrize("meet", [
    "SyncAll();", "SyncAll<true>();", "SyncAll<true, DEFAULT_SYNC_ALL_CONFIG>();",
    "static constexpr SyncAllConfig kConfig = {PIPE_MTE3, PIPE_ALL}; SyncAll<true, kConfig>();", "CrossCoreSetFlag<0, PIPE_MTE3>(5); CrossCoreWaitFlag(5);",
    "ffts_cross_core_sync(PIPE_MTE3, 1 | 0 << 4 | 6 << 8); wait_flag_dev(6);"])
def test_vector_cores_alone_meet(tmp_path, meet):
    (tmp_path / "k.cpp").write_text(MEETING.replace("MEET", meet))
    np.save(tmp_path / "zeros.npy", np.zeros((4, 16), np.int32))
    done = run(tmp_path / "k.cpp", None, *SPLIT, "--blocks", "4", cwd=tmp_path,
               args=["inout:zeros.npy:o.npy"])
    check_ok(done)
    assert done.stderr == "" and load(tmp_path / "o.npy")[:, :2].tolist() == [
        [i + 1, 10] for i in range(4)]


@pytest.mark.parametrize("kind, pipes, message", [
    ("true", "PIPE_V, PIPE_ALL", "SyncAll: triggerPipe PIPE_V is not legal"),
    ("true", "PIPE_MTE2, PIPE_S", "SyncAll: waitPipe PIPE_S is not legal"),
    ("true", "PIPE_MTE2, PIPE_MTE3", None)])
def test_pipes_of_a_barrier(tmp_path, kind, pipes, message):
    meet = f"static constexpr SyncAllConfig kPipes = {{{pipes}}}; SyncAll<{kind}, kPipes>();"
    (tmp_path / "k.cpp").write_text(MEETING.replace("MEET", meet))
    np.save(tmp_path / "zeros.npy", np.zeros((4, 16), np.int32))
    done = run(tmp_path / "k.cpp", None, *SPLIT, "--blocks", "4", cwd=tmp_path,
               args=["inout:zeros.npy:o.npy"])
    if message is None:
        check_ok(done)
    else:
        assert done.code == 1 and f"error[V2001] {message}" in done.stderr, done.stderr
        assert "legal: PIPE_MTE2, PIPE_MTE3 or PIPE_ALL" in done.stderr


NOTIFIED = """#include "kernel_operator.h"
using namespace AscendC;
__global__ __mix__(1, 2) void k(__gm__ uint32_t* out) {
  GlobalTensor<uint32_t> row;
  row.SetGlobalBuffer(out, 48);
  if ASCEND_IS_AIV {
    TPipe pipe;
    TBuf<> all;
    pipe.InitBuffer(all, TOTAL_UB_SIZE);
    LocalTensor<uint32_t> ub = all.Get<uint32_t>();
    Duplicate(ub, uint32_t(GetSubBlockIdx() + 5), 8);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(row[16 * GetSubBlockIdx()], ub, 8);
    NotifyEvent<PIPE_MTE3>(4);
    return;
  }
  if ASCEND_IS_AIC {
    WaitEvent(4);
    row.SetValue(32, row.GetValue(0) + row.GetValue(16));
  }
}
"""


def test_an_aic_waits_for_what_its_aivs_notify(tmp_path):
    """Pairs of CrossCoreSetFlag and CrossCoreWaitFlag by another name: no race, no deadlock."""
    (tmp_path / "k.cpp").write_text(NOTIFIED)
    np.save(tmp_path / "i.npy", np.zeros((3, 16), np.uint32))
    done = run(tmp_path / "k.cpp", None, *SPLIT, cwd=tmp_path, args=["inout:i.npy:o.npy"])
    assert done.code == 0 and "error" not in done.stderr, done.stderr
    assert load(tmp_path / "o.npy")[:, 0].tolist() == [5, 6, 11]


@pytest.mark.parametrize("threads", [1, 2])
def test_an_aic_and_its_aivs_work_on_one_result(tmp_path, threads):
    rng = np.random.default_rng(1)
    a = rng.integers(-3, 4, (3, 16, 16)).astype(np.float16)
    np.save(tmp_path / "a.npy", a)
    done = run("cores.cpp", "product_plus", *SPLIT, "--blocks", "3", "--threads", str(threads),
               cwd=tmp_path,
               args=["in:a.npy", "zeros:float:3x16x16", "out:o.npy:float:3x16x16"])
    check_ok(done)
    assert "3 block(s) of 1 AIC and 2 AIV: clean" in done.stdout
    added = np.arange(6, dtype=np.float32).reshape(3, 2, 1, 1)
    want = (a.astype(np.float32) @ a.astype(np.float32)).reshape(3, 2, 8, 16) + added
    np.testing.assert_array_equal(load(tmp_path / "o.npy"), want.reshape(3, 16, 16))


def wrong(tmp_path, how):
    done = run("cores.cpp", "wrong", *SPLIT, "--blocks", "2", "--json", "r.json", cwd=tmp_path,
               args=["zeros:int32:16", f"value:int32:{how}"])
    return done, json.loads((tmp_path / "r.json").read_text())["faults"]


def test_calls_for_the_other_kind_are_left_out_and_told_once(tmp_path):
    done, faults = wrong(tmp_path, 0)
    check_ok(done)
    assert [(fault["code"], fault["severity"], fault["core"], fault["count"]) for fault in faults] \
        == [("V4008", "warning", "AIC", 2)]


@pytest.mark.parametrize("how, code", [(1, "V1001"), (2, "V5001")])
def test_reports_name_the_core(tmp_path, how, code):
    done, faults = wrong(tmp_path, how)
    assert done.code == 1
    assert [(fault["code"], fault["block"], fault["core"], fault["sub_block"])
            for fault in faults] == [(code, 1, "AIV", 1)]
    assert "block 1, AIV 1" in done.stderr
