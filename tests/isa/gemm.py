"""Gemm and GetGemmTiling from their definition, in numpy.

    dst[i, j] = initial + sum over l < k of src0[i, l] * src1[l, j]

src0 lies in L1 as [K1, M, C0], src1 as [K1, N, C0] and dst as [N1, M, 16], all of them rounded up.
"""

import numpy as np

from cases import rng_for
from fractals import multiply, to_half
from matrix_operators import (A1, B1, C0, CO1, CO2, DST, HALF, INT8, L0, L0C, PLACE, POOL, SECTION, SRC, UB,
                              MatrixOperator, Wrong, cut, part, sections, up)

TILING = ("mNum", "nNum", "kNum", "roundM", "roundN", "roundK", "c0Size", "dtypeSize", "mBlockNum",
          "nBlockNum", "kBlockNum", "mIterNum", "nIterNum", "kIterNum", "mTileBlock", "nTileBlock",
          "kTileBlock", "kTailBlock", "mTailBlock", "nTailBlock", "kHasTail", "mHasTail",
          "nHasTail", "kHasTailEle", "kTailEle")
FIELDS = ("types", *(f"{tensor}_{name}" for tensor in ("dst", "a", "b") for name in PLACE),
          "a_from", "b_from", "dst_from", "calls", "result_at", "visible", "fills", "m", "k", "n",
          "partial", "init", "defaults", "loop_mode", "given", *TILING)
SIMPLEST = {"calls": 1, "init": 0, "partial": 0, "given": 0, "loop_mode": 0, "m": 1, "k": 1, "n": 1,
            "dst_address": 0, "a_address": 0, "defaults": 0}
AS_DOCUMENTED = ["-DVINCI_GEMM_AS_DOCUMENTED"]


def tiling_of(types, m, k, n):
    """The documents' fields, one after the other."""
    c0, size = C0[types], np.dtype(SRC[types]).itemsize
    m_blocks, n_blocks, k_blocks = up(m, 16) // 16, up(n, 16) // 16, up(k, c0) // c0
    depth = min(L0 // 2 // (16 * m_blocks * size), L0 // 2 // (16 * n_blocks * size), k)
    k_tile = max(1, depth // c0)
    k_iter = up(k_blocks, k_tile) // k_tile
    tail = k_blocks - (k_iter - 1) * k_tile
    values = {"mNum": m, "nNum": n, "kNum": k, "roundM": 16 * m_blocks, "roundN": 16 * n_blocks,
              "roundK": c0 * k_blocks, "c0Size": c0, "dtypeSize": size, "mBlockNum": m_blocks,
              "nBlockNum": n_blocks, "kBlockNum": k_blocks, "mIterNum": 1, "nIterNum": 1,
              "kIterNum": k_iter, "mTileBlock": m_blocks, "nTileBlock": n_blocks,
              "kTileBlock": k_tile, "kTailBlock": tail, "mTailBlock": m_blocks,
              "nTailBlock": n_blocks, "kHasTail": tail != k_tile, "mHasTail": m % 16 != 0,
              "nHasTail": False, "kHasTailEle": k % c0 != 0, "kTailEle": k % (k_tile * c0)}
    assert tuple(values) == TILING
    return {name: int(value) for name, value in values.items()}


def rounded(case):
    """M, K and N of whole fractals."""
    return up(case["m"], 16), up(case["k"], C0[case["types"]]), up(case["n"], 16)


def result_bytes(case):
    m, _, n = rounded(case)
    return m * n * np.dtype(DST[case["types"]]).itemsize


def complete(case):
    """A case with its tensors, all sizes as small as they may be, and its tiling."""
    case = {"calls": 1, "fills": 1, "loop_mode": 0, "given": 0, "result_at": 0, "init": 0,
            "partial": 0, "defaults": 0, "a_pos": A1, "b_pos": B1, "dst_pos": CO1,
            "dst_address": 0, "a_address": 0, "a_from": 0, "b_from": 0, "dst_from": 0} | case
    m, k, n = rounded(case)
    size = np.dtype(SRC[case["types"]]).itemsize
    fractal = 256 * np.dtype(DST[case["types"]]).itemsize
    case.setdefault("a_elements", m * k)
    case.setdefault("b_elements", k * n)
    case.setdefault("b_address", case["a_address"] + up(case["a_elements"] * size, 32))
    case.setdefault("dst_elements", m * n)
    end = case["dst_address"] + result_bytes(case)
    room = L0C if case["dst_pos"] == CO1 else UB
    case.setdefault("visible", result_bytes(case) + (fractal if end + fractal <= room else 0))
    return tiling_of(case["types"], case["m"], case["k"], case["n"]) | case


def legal(case):
    """Whether ranges and memories allow the sizes (of a complete case or of its beginnings), with the
    tiling of GetGemmTiling."""
    most = 32768 if case["types"] == INT8 else 16384
    if not (1 <= case["m"] <= 4096 and 1 <= case["n"] <= 4096 and 1 <= case["k"] <= most):
        return False
    m, k, n = rounded(case)
    size = np.dtype(SRC[case["types"]]).itemsize
    return m <= 2048 and n <= 2048 and case.get("dst_address", 0) + result_bytes(case) <= L0C and \
        case.get("a_address", 0) + up(m * k * size, 32) + k * n * size <= 1 << 20


# --- what must come out ---------------------------------------------------------------------------

def operands(case):
    """src0 as [M, k] and src1 as [k, N], M and N rounded up; what lies behind k is left out."""
    c0, dtype = C0[case["types"]], SRC[case["types"]]
    m, k, n = rounded(case)
    a = part(case["a_from"], m * k, dtype).reshape(k // c0, m, c0).transpose(1, 0, 2)
    b = part(case["b_from"], k * n, dtype).reshape(k // c0, n, c0).transpose(0, 2, 1)
    return a.reshape(m, k)[:, :case["k"]], b.reshape(k, n)[:case["k"]]


def sums_in(case, data):
    """[M, N] of a result's bytes."""
    m, _, n = rounded(case)
    values = data[:result_bytes(case)].view(DST[case["types"]]).reshape(n // 16, m, 16)
    return values.transpose(1, 0, 2).reshape(m, n)


def before(case):
    return POOL[case["dst_from"]:case["dst_from"] + case["visible"]]


def seen_result(case, got):
    """[m, n]; what lies behind the result must be as before."""
    behind = got[result_bytes(case):] != before(case)[result_bytes(case):]
    if behind.any():
        raise Wrong(f"{behind.sum()} bytes behind dst written")
    return sums_in(case, got)[:case["m"], :case["n"]]


def adds(case, documented):
    return case["init"] == (0 if documented else 1)


def compare(case, got, documented=False):
    """Raises Wrong where a sum of whole numbers is another."""
    values = seen_result(case, got)
    a, b = (matrix.astype(np.float64) for matrix in operands(case))
    total = case["calls"] * (a @ b)[:case["m"], :case["n"]]
    if adds(case, documented):
        total = total + sums_in(case, before(case))[:case["m"], :case["n"]].astype(np.float64)
    if case["types"] == INT8:
        total = (total.astype(np.int64) + (1 << 31)) % (1 << 32) - (1 << 31)
    tell(case, values, total)


def compare_bits(case, got):
    """Bit for bit, in Mmad's order: one fused multiply-add for each k, ascending, and a rounding to
    half after each tile of K."""
    values = seen_result(case, got)
    a, b = operands(case)
    c = sums_in(case, before(case)) if adds(case, False) else np.zeros((len(a), b.shape[1]))
    c = c.astype(np.float32)
    deep = case["kTileBlock"] * case["c0Size"]
    for _ in range(case["calls"]):
        for k in range(0, case["k"], deep):
            c = multiply(a[:, k:k + deep], b[k:k + deep], c)
            if case["types"] == HALF:
                c = to_half(c, True).astype(np.float32)
    tell(case, values, c[:case["m"], :case["n"]].astype(values.dtype))


def tell(case, values, wanted):
    wrong = values != wanted
    if wrong.any():
        at = tuple(np.argwhere(wrong)[0])
        raise Wrong(f"{wrong.sum()} of {wrong.size} sums of {case['m']} x {case['n']} differ, the "
                    f"first at {at}: {values[at]!r} instead of {wanted[at]!r}")


# --- running --------------------------------------------------------------------------------------

GEMM = MatrixOperator("gemm", FIELDS, {"types", "dst_pos", "a_from", "b_from", "dst_from"}, SIMPLEST, complete,
                      legal, cut, compare)
launch, check, random_tiles = GEMM.launch, GEMM.check, GEMM.random_tiles


# --- random cases ---------------------------------------------------------------------------------

def choose_sources(case, rng, kind="whole"):
    """Where in the pool the operands come from: whole numbers, or any halves."""
    def place(section, elements, dtype):
        room = SECTION - elements * np.dtype(dtype).itemsize
        return section * SECTION + int(rng.integers(0, room // 32 + 1)) * 32

    section, first = sections(case["types"], kind == "whole")
    src = SRC[case["types"]]
    return case | {"a_from": place(section, case["a_elements"], src),
                   "b_from": place(section, case["b_elements"], src),
                   "dst_from": place(first, case["visible"], np.uint8)}


def random_sizes(rng, most):
    types = int(rng.integers(0, 3))
    case = {"types": types, "dst_pos": int(rng.choice([CO1, CO2])),
            "init": int(rng.integers(0, 2)), "partial": int(rng.integers(0, 2)),
            "a_address": 32 * int(rng.integers(0, 9))}
    for axis, size in zip("mkn", (most, 4 * most, most)):
        case[axis] = int(rng.integers(1, size + 1))
    fractal = 256 * np.dtype(DST[types]).itemsize
    case["dst_address"] = int(rng.integers(0, 4)) * (fractal if case["dst_pos"] == CO1 else 32)
    return case


def is_exact(case):
    """Sums of halves stay whole numbers that a half holds, tile by tile."""
    return case["types"] != HALF or case["k"] * (case.get("calls", 1) + 1) < 2000


def random_cases(count, *names, most=160, kind="whole"):
    rng, cases = rng_for("gemm", *names), []
    while len(cases) < count:
        case = random_sizes(rng, int(rng.choice([most, 40])))
        if legal(case) and (kind != "whole" or is_exact(case)):
            cases.append(choose_sources(complete(case), rng, kind))
    return cases
