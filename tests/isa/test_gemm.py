"""Gemm against numpy's product: whole numbers exactly, small ones bit for bit; its rules, and what
GetGemmTiling makes of sizes."""

import subprocess

import numpy as np
import pytest

import harness
from cases import FOLDER
from fractals import from_zn, to_nz, to_zn
from gemm import (AS_DOCUMENTED, TILING, before, check, choose_sources, compare, compare_bits, complete, cut,
                  launch, random_cases, random_tiles, rng_for, tiling_of)
from harness import CHIPS, Out, run_kernel, times_more
from matrix_operators import A1, B1, C0, CO1, CO2, HALF, HALF_TO_FLOAT, INT8, POOL, READING, WITH

RANGE, COMBINATION, TENSOR, BUFFER, ALIGNED, POSITION = \
    "V2001", "V2004", "V1001", "V1002", "V1004", "V1005"


def plain(**changes):
    """A legal call but for the changes; tensors and tiling are those of what is changed."""
    case = complete({"types": HALF_TO_FLOAT, "m": 20, "k": 40, "n": 30} | changes)
    return choose_sources(case, rng_for("gemm", "rules"))


@pytest.mark.parametrize("chip", WITH)
def test_random(chip):
    check(chip, random_cases(times_more(500), chip))


@pytest.mark.parametrize("chip", WITH)
def test_other_tilings_and_all_loop_modes(chip):
    rng = rng_for("gemm", chip, "tiles")
    cases = [random_tiles(case, rng) for case in random_cases(max(times_more(200), 40), chip, "t")]
    assert {case["loop_mode"] for case in cases} == {0, 1, 2, 3}
    for axis in "mnk":
        assert any(case[axis + "TailBlock"] != case[axis + "TileBlock"] for case in cases)
    check(chip, cases)


@pytest.mark.parametrize("chip", WITH)
def test_bit_for_bit(chip):
    rng = rng_for("gemm", chip, "bits")
    cases = [case for case in random_cases(times_more(80), chip, "b", most=60, kind="any")
             if case["types"] != INT8]
    check(chip, cases + [random_tiles(case, rng) for case in cases], judge=compare_bits)


@pytest.mark.parametrize("chip", WITH)
@pytest.mark.parametrize("types", (INT8, HALF_TO_FLOAT, HALF))
def test_edges(chip, types):
    """Sizes around whole fractals, and the largest of each."""
    sizes = [(m, k, n) for m in (1, 15, 16, 17) for k in (1, C0[types] - 1, C0[types], C0[types] + 1)
             for n in (1, 16, 17)]
    sizes += [(2048, 16, 32), (32, 16, 2048), (256, 64, 256)]
    sizes += [(16, 8192 if types == INT8 else 4096, 16)] if types != HALF else []
    rng = rng_for("gemm", "edges")
    check(chip, [choose_sources(complete({"types": types, "m": m, "k": k, "n": n}), rng)
                 for m, k, n in sizes])


def test_the_longest_k():
    """All of the range, where L1 holds it: 16 rows and columns of int8."""
    case = choose_sources(complete({"types": INT8, "m": 16, "k": 32768, "n": 16}),
                          rng_for("gemm", "long"))
    check("2002", [case])


@pytest.mark.parametrize("types", (INT8, HALF_TO_FLOAT, HALF))
@pytest.mark.parametrize("documented", (False, True))
def test_init_value_and_partial_sums(types, documented):
    """0 overwrites and 1 adds, and dst is written; as documented the other way round, and with
    partialsum true only the last of a chain of calls writes dst in CO2."""
    rng = rng_for("gemm", "init")
    cases = [choose_sources(complete({"types": types, "m": 18, "k": 34, "n": 20, "init": init,
                                      "dst_pos": position, "partial": partial, "calls": calls}), rng)
             for init in (0, 1) for position in (CO1, CO2) for partial in (0, 1)
             for calls in (1, 3)]
    if documented:
        cases = [case for case in cases if case["init"] == 1 or case["calls"] == 1]
    else:
        cases = [case for case in cases if case["init"] == 0 or case["calls"] == 1]
    run = launch("2002", cases, options=AS_DOCUMENTED if documented else ())
    assert run.codes == ([] if documented else [READING]) and run.code == 0, run.stderr
    for case, got in zip(cases, run.results):
        if documented and case["partial"] and case["dst_pos"] == CO2:
            assert (got == before(case)).all()
        else:
            compare(case, got, documented)


def test_defaults():
    """partialsum true and initValue 0: dst is overwritten, and the reading is told."""
    case = plain(defaults=1, dst_pos=CO2)
    run = launch("2002", [case])
    assert run.codes == [READING] and "partialsum is true" in run.stderr
    compare(case, run.results[0])
    run = launch("2002", [case], options=AS_DOCUMENTED)
    assert run.codes == [] and (run.results[0] == before(case)).all()


@pytest.mark.parametrize("chip", WITH)
def test_through_queues(chip):
    rng = np.random.default_rng(3)
    a, b = rng.integers(-4, 5, (20, 100)), rng.integers(-4, 5, (100, 30))
    run = run_kernel(FOLDER / "gemm_cases.cpp", to_zn(a.astype(np.float16)),
                     to_nz(b.astype(np.float16)), Out("float", 1024), soc=CHIPS[chip],
                     kernel="gemm_queues")
    assert run.code == 0 and run.codes == [], run.stderr
    assert (from_zn(run.outputs[0], 32, 32)[:20, :30] == a @ b).all()


def test_checks_change_no_result():
    cases = random_cases(40, "checks")
    outputs = [launch("2002", cases, check=level).results for level in ("off", "basic", "full")]
    for off, basic, full in zip(*outputs):
        assert (off == basic).all() and (off == full).all()


# --- rules ----------------------------------------------------------------------------------------

def with_tiling_of(base, **changes):
    """A call whose tiling and tensors are those of `base`, and its sizes are changed."""
    return plain(**base) | {"given": 1} | changes


BASE = {"types": INT8, "m": 40, "k": 200, "n": 70, "dst_pos": CO2}


def tiled(**changes):
    return plain(**BASE) | {"given": 1} | changes


COUNTS = TILING[:TILING.index("kHasTail")]
MOST = {**dict.fromkeys(COUNTS, 4096), "kNum": 32768, "roundK": 32768, "c0Size": 32, "dtypeSize": 2}
FOLLOWS = TILING[:TILING.index("mIterNum")]
LEGAL = [plain(), tiled(), tiled(loop_mode=3), plain(init=1), plain(a_pos=B1, b_pos=A1),
         plain(dst_pos=CO2, dst_address=32), plain(types=HALF, dst_address=512),
         plain(a_address=32), plain(dst_address=262144 - 4096), tiled(kTailEle=77),
         tiled(kHasTail=0, mHasTail=0, nHasTail=1, kHasTailEle=0)]
LEGAL += [cut(plain(m=2048, k=16, n=16), 64, 1, 1) | {"given": 1},
          cut(plain(m=4096, k=16, n=16), 128, 1, 1) | {"given": 1},
          cut(plain(m=16, k=16, n=4096), 1, 128, 1) | {"given": 1}]
FAULTS = [
    *((RANGE, with_tiling_of({}, **{name: value})) for name in "mn" for value in (0, 4097)),
    *((RANGE, with_tiling_of({}, k=k)) for k in (0, 16385)),
    *((RANGE, with_tiling_of({"types": INT8}, k=k)) for k in (0, 32769)),
    *((RANGE, plain(init=init)) for init in (-1, 2)), (RANGE, tiled(loop_mode=4)),
    *((RANGE, tiled(**{name: value})) for name in COUNTS for value in (0, MOST[name] + 1)),
    *((COMBINATION, tiled(**{name: tiled()[name] + 1})) for name in COUNTS if name != "c0Size"),
    (COMBINATION, tiled(c0Size=16)), *((COMBINATION, tiled(**{name: 41})) for name in "m"),
    (COMBINATION, with_tiling_of({}, k=41)), (COMBINATION, with_tiling_of({}, n=29)),
    (POSITION, plain(dst_pos=10)), (POSITION, plain(a_pos=11)), (POSITION, plain(b_pos=CO2)),
    (ALIGNED, plain(a_address=16, b_address=4096)), (ALIGNED, plain(b_address=4112)),
    (ALIGNED, plain(dst_address=512)), (ALIGNED, plain(types=HALF, dst_address=256)),
    (ALIGNED, plain(dst_pos=CO2, dst_address=16)),
    (TENSOR, plain(a_elements=32 * 48 - 1)), (TENSOR, plain(b_elements=48 * 32 - 1)),
    (TENSOR, plain(dst_elements=32 * 32 - 1)), (TENSOR, plain(dst_pos=CO2, dst_elements=600)),
    (BUFFER, plain(m=257, k=16, n=256, visible=1024)),
    (BUFFER, plain(m=2049, k=16, n=16, visible=1024)),  # a tile of 129 fractals
    (BUFFER, plain(m=16, k=16, n=2049, visible=1024)),
    (BUFFER, plain(dst_address=262144 - 1024, visible=1024)),
]


# One Mmad takes 4095 elements of K: the longest tile that fits L0A has 4096 of int8.
LONG = {"types": INT8, "m": 16, "n": 16}
LEGAL += [cut(plain(**LONG, k=k), 1, 1, tile) | {"given": 1}
          for k, tile in ((4095, 128), (8192, 127))]
FAULTS += [(RANGE, cut(plain(**LONG, k=k), 1, 1, 128) | {"given": 1}) for k in (4096, 8192)]


def test_legal_sides():
    check("2002", LEGAL)


@pytest.mark.parametrize("chip", WITH)
@pytest.mark.parametrize("code", sorted({code for code, _ in FAULTS}))
def test_faults(chip, code):
    """Each case is a fault of its code, and there is nothing else; nothing is written."""
    cases = [case | {"given": 1} for wanted, case in FAULTS if wanted == code]
    run = launch(chip, [case | {"visible": 0, "fills": 0} for case in cases])
    assert {*run.codes} == {code} and run.code == 1, run.stderr
    assert sum(fault["count"] for fault in run.faults) == len(cases), run.stderr
    if code in (RANGE, COMBINATION):
        run = launch(chip, cases)
        for case, got in zip(cases, run.results):
            assert (got == POOL[case["dst_from"]:case["dst_from"] + case["visible"]]).all(), case


@pytest.mark.parametrize("types", (3, 4, 5))
def test_types_that_it_does_not_take(types):
    case = plain() | {"types": types, "given": 1, "fills": 0, "visible": 0}
    assert launch("2002", [case]).codes == ["V6002"]


@pytest.mark.parametrize("chip", sorted(set(CHIPS) - set(WITH)))
def test_chips_without_it(chip):
    assert launch(chip, [plain(given=1, fills=0, visible=0)]).codes == ["V6001"]


# --- the tiling -----------------------------------------------------------------------------------

EXAMPLES = [((HALF_TO_FLOAT, 20, 100, 30), {"mBlockNum": 2, "kBlockNum": 7, "nBlockNum": 2,
                                            "kTileBlock": 6, "kIterNum": 2, "kTailBlock": 1,
                                            "kHasTail": 1, "kHasTailEle": 1, "kTailEle": 4}),
            ((INT8, 256, 512, 256), {"mBlockNum": 16, "kBlockNum": 16, "nBlockNum": 16,
                                     "kTileBlock": 4, "kIterNum": 4, "kTailBlock": 4,
                                     "kHasTail": 0, "kHasTailEle": 0, "kTailEle": 0})]


def tilings_of(sizes, soc):
    table = np.array([[5, *row] for row in sizes], np.int64)
    run = run_kernel(FOLDER / "gemm_cases.cpp", table, Out("int64", len(sizes), 32), soc=soc,
                     blocks=len(sizes), kernel="gemm_tiling_cases")
    assert run.code == 0, run.stderr
    return [dict(zip([*TILING, "loopMode", "blockSize"], map(int, row))) for row in run.outputs[0]]


def test_tilings():
    rng = rng_for("gemm", "tiling")
    sizes = [row for row, _ in EXAMPLES] + [
        (int(rng.integers(0, 2)), *(int(2 ** rng.uniform(0, 12)) for _ in range(3)))
        for _ in range(200)]
    sizes += [(0, 1, 32768, 4096), (1, 4096, 16384, 1), (0, 1, 1, 1), (1, 4096, 1, 4096)]
    for row, got in zip(sizes, tilings_of(sizes, "Ascend910A")):
        assert got == {**tiling_of(*row), "loopMode": 0, "blockSize": 16}, row
    for (_, fields), got in zip(EXAMPLES, tilings_of([row for row, _ in EXAMPLES], "Ascend310P3")):
        assert {name: got[name] for name in fields} == fields


@pytest.mark.parametrize("row, code, words", [
    ((1, 0, 16, 16), "V2001", "GetGemmTiling: m is 0"), ((1, 16, 16385, 16), "V2001", "k is 16385"),
    ((0, 16, 32769, 16), "V2001", "k is 32769"), ((0, 16, 16, 4097), "V2001", "n is 4097"),
    ((2, 16, 16, 16), "V6002", "but no combination of types has it")])
def test_a_broken_rule_is_a_fault(row, code, words):
    run = run_kernel(FOLDER / "gemm_cases.cpp", np.array([[5, *row]], np.int64),
                     Out("int64", 1, 32), soc="Ascend310P3", kernel="gemm_tiling_cases")
    assert run.codes == [code] and words in run.stderr and "gemm_cases.cpp" in run.stderr
    if code != "V6002":
        assert not run.outputs[0][0][:6].any()  # a tiling of zeros


HOST = r"""
#include <cstdio>
#include "tikicpulib.h"
using namespace AscendC;
int main() {
  GemmTiling tiling = GetGemmTiling<half>(M, 100, 30);
  std::printf("%u %u %u %u\n", tiling.kTileBlock, tiling.kIterNum, tiling.kTailEle, tiling.blockSize);
}
"""


@pytest.mark.parametrize("m, code, out", [(20, 0, "6 2 4 16\n"), (0, 1, "")])
def test_in_a_host_program(tmp_path, m, code, out):
    source = tmp_path / "host.cpp"
    source.write_text(HOST.replace("M,", f"{m},"))
    assert harness.vinci("c++", source, "-o", tmp_path / "host").code == 0
    done = subprocess.run([tmp_path / "host"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (code, out)
    assert code == 0 or "error[V2001] GetGemmTiling: m is 0" in done.stderr
