"""Conv2D and GetConv2dTiling from the documents' formulas, in numpy.

    result[n, y, x] = initial + sum over c, kh, kw of
                      map[c, y * sh - top + kh * dh, x * sw - left + kw * dw] * weight[n, c, kh, kw]
"""

import math

import numpy as np

import matrix_operators
from cases import rng_for
from fractals import multiply, to_half
from matrix_operators import (A1, B1, C0, CO1, CO2, DST, HALF, HALVES, INT8, L0, L0C, PLACE, POOL, SECTION,
                              SRC, UB, Wrong, part, sections, up)

PARAMS = ("h", "w", "kh", "kw", "sh", "sw", "cin", "cout", "left", "right", "top", "bottom", "dh",
          "dw", "init_y", "partial_sum")
TILING = ("c0Size", "dTypeSize", "strideH", "strideW", "dilationH", "dilationW", "hi", "wi", "ho",
          "wo", "height", "width", "howo", "mNum", "nNum", "kNum", "mBlockNum", "kBlockNum",
          "nBlockNum", "roundM", "roundN", "roundK", "mTileBlock", "nTileBlock", "kTileBlock",
          "mIterNum", "nIterNum", "kIterNum", "mTileNums", "mHasTail", "nHasTail", "kHasTail",
          "kTailBlock", "mTailBlock", "nTailBlock", "mTailNums")
FIELDS = ("types", *(f"{tensor}_{name}" for tensor in ("dst", "fm", "weight") for name in PLACE),
          "fm_from", "weight_from", "dst_from", "from_step", "calls", "result_at", "visible",
          "fills", *PARAMS, "loop_mode", "given", *TILING)

def output_size(case):
    """Ho, Wo; less than 1 where the kernel does not fit."""
    return [math.floor((case[size] + case[before] + case[after] - case["d" + side] *
                        (case["k" + side] - 1) - 1) / case["s" + side] + 1)
            for size, side, before, after in (("h", "h", "top", "bottom"),
                                              ("w", "w", "left", "right"))]


def tiling_of(case):
    """The documents' algorithm, step by step, as {field: value}."""
    ho, wo = output_size(case)
    c0, size = C0[case["types"]], np.dtype(SRC[case["types"]]).itemsize
    m, n, k = ho * wo, case["cout"], case["cin"] * case["kh"] * case["kw"]
    m_blocks, n_blocks, k_blocks = up(m, 16) // 16, up(n, 16) // 16, up(k, c0) // c0
    depth = min(L0 // 2 // (16 * m_blocks * size), L0 // 2 // (16 * n_blocks * size), k)
    k_tile = max(1, depth // c0)
    k_iter = up(k_blocks, k_tile) // k_tile
    values = {"c0Size": c0, "dTypeSize": size, "strideH": case["sh"], "strideW": case["sw"],
              "dilationH": case["dh"], "dilationW": case["dw"], "hi": case["h"], "wi": case["w"],
              "ho": ho, "wo": wo, "height": case["kh"], "width": case["kw"], "howo": m, "mNum": m,
              "nNum": n, "kNum": k, "mBlockNum": m_blocks, "kBlockNum": k_blocks,
              "nBlockNum": n_blocks, "roundM": 16 * m_blocks, "roundN": 16 * n_blocks,
              "roundK": c0 * k_blocks, "mTileBlock": m_blocks, "nTileBlock": n_blocks,
              "kTileBlock": k_tile, "mIterNum": 1, "nIterNum": 1, "kIterNum": k_iter,
              "mTileNums": 16 * m_blocks, "mHasTail": m != 16 * m_blocks, "nHasTail": False,
              "kHasTail": k_blocks < k_iter * k_tile,
              "kTailBlock": k_blocks - (k_iter - 1) * k_tile, "mTailBlock": m_blocks,
              "nTailBlock": n_blocks, "mTailNums": m}
    assert tuple(values) == TILING
    return {name: int(value) for name, value in values.items()}


def cut(case, m_tile, n_tile, k_tile):
    """The case with other tiles."""
    return matrix_operators.cut(case, m_tile, n_tile, k_tile) | {"mTileNums": 16 * m_tile}


def result_bytes(case):
    ho, wo = output_size(case)
    return case["cout"] * up(ho * wo, 16) * np.dtype(DST[case["types"]]).itemsize


def complete(case):
    """A case with its tensors, all sizes as small as they may be, and its tiling."""
    case = {"calls": 1, "fills": 1, "from_step": 64, "loop_mode": 0, "given": 0, "result_at": 0,
            "init_y": 0, "partial_sum": 0, "fm_pos": A1, "weight_pos": B1, "dst_address": 0, "fm_address": 0,
            "fm_from": 0, "weight_from": 0, "dst_from": 0, "left": 0, "right": 0, "top": 0,
            "bottom": 0} | case
    size = np.dtype(SRC[case["types"]]).itemsize
    fractal = 256 * np.dtype(DST[case["types"]]).itemsize
    case.setdefault("fm_elements", case["cin"] * case["h"] * case["w"])
    case.setdefault("weight_address", case["fm_address"] + up(case["fm_elements"] * size, 32))
    case.setdefault("weight_elements", case["cin"] * case["kh"] * case["kw"] * case["cout"])
    case.setdefault("dst_elements", result_bytes(case) // np.dtype(DST[case["types"]]).itemsize)
    end = case["dst_address"] + result_bytes(case)
    room = L0C if case["dst_pos"] == CO1 else UB
    case.setdefault("visible", result_bytes(case) + (fractal if end + fractal <= room else 0))
    return tiling_of(case) | case


def fits(case):
    """Result and operands fit the chip."""
    size = np.dtype(SRC[case["types"]]).itemsize
    weights = case["cin"] * case["kh"] * case["kw"] * case["cout"] * size
    images = case["cin"] * case["h"] * case["w"] * size
    return case.get("dst_address", 0) + result_bytes(case) <= L0C and \
        case.get("fm_address", 0) + up(images, 32) + weights <= 1 << 20


def legal(case):
    """Whether the documents allow these parameters (of a complete case or of its beginnings)."""
    c1 = case["cin"] / C0[case["types"]]
    ranges = [(case["h"], 1, 40), (case["w"], 1, 40), *((case[k], 1, 5) for k in ("kh", "kw")),
              *((case[k], 1, 4) for k in ("sh", "sw", "dh", "dw")),
              *((case[k], 0, 4) for k in ("left", "right", "top", "bottom"))]
    if not all(low <= value <= high for value, low, high in ranges) or \
            c1 not in (1, 2, 3, 4) or case["cout"] not in (16, 32, 64, 128):
        return False
    ho, wo = output_size(case)
    return 1 <= ho <= 40 and 1 <= wo <= 40 and \
        not (case["w"] == case["kw"] and case["h"] > case["kh"]) and fits(case)


# --- what must come out ---------------------------------------------------------------------------

def operands(case, call):
    """The map [C, H, W] and the weights [Cout, C, Kh, Kw] of a call."""
    c0, dtype, step = C0[case["types"]], SRC[case["types"]], call * case["from_step"]
    c1, h, w, kh, kw = case["cin"] // c0, case["h"], case["w"], case["kh"], case["kw"]
    fm = part(case["fm_from"] + step, c1 * h * w * c0, dtype).reshape(c1, h, w, c0)
    weight = part(case["weight_from"] + step, c1 * kh * kw * case["cout"] * c0, dtype)
    weight = weight.reshape(c1, kh, kw, case["cout"], c0)
    return (fm.transpose(0, 3, 1, 2).reshape(-1, h, w),
            weight.transpose(3, 0, 4, 1, 2).reshape(case["cout"], -1, kh, kw))


def windows(case, fm):
    """For each filter point the pixels that all windows see: [Kh, Kw, C, Ho, Wo], zero padded."""
    ho, wo = output_size(case)
    padded = np.pad(fm, ((0, 0), (case["top"], case["bottom"]), (case["left"], case["right"])))
    rows = np.arange(ho) * case["sh"] + np.arange(case["kh"])[:, None] * case["dh"]
    columns = np.arange(wo) * case["sw"] + np.arange(case["kw"])[:, None] * case["dw"]
    return padded[:, rows[:, None, :, None], columns[None, :, None, :]].transpose(1, 2, 0, 3, 4)


def convolution(case, fm, weight):
    """Direct convolution in float64: [Ho * Wo, Cout]."""
    seen = windows(case, fm.astype(np.float64))
    total = 0
    for y in range(case["kh"]):
        for x in range(case["kw"]):
            pixels = seen[y, x].reshape(len(fm), -1)
            total = total + pixels.T @ weight[:, :, y, x].astype(np.float64).T
    return total


def matrices(case, fm, weight):
    """The same as a product of two matrices, K in the documents' order (C1, Kh, Kw, C0)."""
    c0 = C0[case["types"]]
    seen = windows(case, fm)
    a = seen.reshape(case["kh"], case["kw"], -1, c0, np.prod(seen.shape[3:]))
    a = a.transpose(4, 2, 0, 1, 3).reshape(a.shape[-1], -1)
    b = weight.reshape(case["cout"], -1, c0, case["kh"], case["kw"])
    return a, b.transpose(1, 3, 4, 2, 0).reshape(a.shape[1], -1)


def initial(case):
    """dstLocal's bytes before the call, and its sums as [Ho * Wo, Cout]."""
    ho, wo = output_size(case)
    before = POOL[case["dst_from"]:case["dst_from"] + case["visible"]]
    sums = before[:result_bytes(case)].view(DST[case["types"]])
    sums = sums.reshape(case["cout"] // 16, -1, 16)[:, :ho * wo]
    return before, sums.transpose(1, 0, 2).reshape(ho * wo, -1)


def adds(case, documented=False):
    return case["init_y"] == (0 if documented else 1)


def seen_result(case, got):
    """The valid rows of the result; what lies behind the result must be as before."""
    before, _ = initial(case)
    behind = got[result_bytes(case):] != before[result_bytes(case):]
    if behind.any():
        raise Wrong(f"{behind.sum()} bytes behind dstLocal written")
    ho, wo = output_size(case)
    values = got[:result_bytes(case)].view(DST[case["types"]]).reshape(case["cout"] // 16, -1, 16)
    return values[:, :ho * wo].transpose(1, 0, 2).reshape(ho * wo, -1)


def is_random(case):
    return case["fm_from"] // SECTION == HALVES


def compare(case, got, documented=False):
    """Raises Wrong where the result is not the convolution."""
    values = seen_result(case, got)
    start = initial(case)[1].astype(np.float64) if adds(case, documented) else 0.0
    total, bound = start, np.abs(start)
    for call in range(case["calls"]):
        fm, weight = operands(case, call)
        total = total + convolution(case, fm, weight)
        if is_random(case):
            bound = bound + convolution(case, np.abs(fm), np.abs(weight))
    if case["types"] == INT8:
        total = (total.astype(np.int64) + (1 << 31)) % (1 << 32) - (1 << 31)
    error = np.abs(values.astype(np.float64) - total)
    most = np.zeros_like(error)
    if is_random(case):
        steps = case["calls"] * case["kNum"] + 1
        most = bound * steps * 2.0**-24
        if case["types"] == HALF:
            most = most + bound * (case["calls"] * case["kIterNum"]) * 2.0**-11 + 2.0**-25
    wrong = ~(error <= most)
    if wrong.any():
        at = tuple(np.argwhere(wrong)[0])
        raise Wrong(f"{wrong.sum()} of {wrong.size} sums differ, the first for window {at[0]}, "
                    f"filter {at[1]}: {values[at]} instead of {total[at]}")


def compare_bits(case, got):
    """The same bit for bit, in Mmad's order: one fused multiply-add for each k, ascending, and a
    rounding to half after each tile of K."""
    values = seen_result(case, got)
    c = initial(case)[1].astype(np.float32) if adds(case) else np.zeros_like(values, np.float32)
    deep = case["kTileBlock"] * case["c0Size"]
    for call in range(case["calls"]):
        a, b = matrices(case, *operands(case, call))
        for k in range(0, a.shape[1], deep):
            c = multiply(a[:, k:k + deep], b[k:k + deep], c)
            if case["types"] == HALF:
                c = to_half(c, True).astype(np.float32)
    wrong = values != c.astype(values.dtype)
    if wrong.any():
        at = tuple(np.argwhere(wrong)[0])
        raise Wrong(f"{wrong.sum()} of {wrong.size} bits differ, the first at {at}: "
                    f"{values[at]!r} instead of {c[at]!r}")


# --- running --------------------------------------------------------------------------------------

AS_DOCUMENTED = ["-DVINCI_CONV2D_INITY_AS_DOCUMENTED"]
SIMPLEST = {"calls": 1, "init_y": 0, "partial_sum": 0, "given": 0, "loop_mode": 0, "left": 0,
            "right": 0, "top": 0, "bottom": 0, "sh": 1, "sw": 1, "dh": 1, "dw": 1, "kh": 1,
            "kw": 1, "cout": 16, "h": 1, "w": 1, "dst_address": 0, "fm_address": 0}


def legal_to_shrink(case):
    """The map and its pads hold the filter, too."""
    return legal(case) and case["kh"] <= case["h"] + case["top"] + case["bottom"]


CONV2D = matrix_operators.MatrixOperator(
    "conv2d", FIELDS, {"types", "dst_pos", "cin", "fm_from", "weight_from", "dst_from"}, SIMPLEST,
    complete, legal_to_shrink, cut, compare)
launch, check, random_tiles = CONV2D.launch, CONV2D.check, CONV2D.random_tiles


# --- random cases ---------------------------------------------------------------------------------

def choose_sources(case, rng, kind=None):
    """Where in the pool the operands come from. kind: of numbers; None: any."""
    def place(section, elements, dtype):
        room = SECTION - elements * np.dtype(dtype).itemsize - 64 * case["calls"]
        return section * SECTION + int(rng.integers(0, room // 32)) * 32

    whole = case["types"] == INT8 or kind == "whole" or kind is None and rng.random() < 0.7
    section, first = sections(case["types"], whole)
    src = SRC[case["types"]]
    return case | {"fm_from": place(section, case["fm_elements"], src),
                   "weight_from": place(section, case["weight_elements"], src),
                   "dst_from": place(first, case["visible"], np.uint8)}


def random_parameters(rng, most=40):
    size = int(rng.choice([most, 12], p=[0.35, 0.65])) if most > 12 else most
    types = int(rng.integers(0, 3))
    case = {"types": types, "h": int(rng.integers(1, size + 1)),
            "w": int(rng.integers(1, size + 1)), "cin": C0[types] * int(rng.integers(1, 5)), "cout": int(rng.choice([16, 32, 64, 128])),
            "dst_pos": int(rng.choice([CO1, CO2])), "init_y": int(rng.integers(0, 2)),
            "calls": int(rng.choice([1, 1, 1, 2, 3])), "fm_address": 32 * int(rng.integers(0, 9))}
    for side in "hw":
        case |= {"k" + side: int(rng.integers(1, 6)),
                 "s" + side: int(rng.integers(1, 5)), "d" + side: int(rng.integers(1, 5))}
    for side in ("left", "right", "top", "bottom"):
        case[side] = int(rng.integers(0, 5))
    fractal = 256 * np.dtype(DST[types]).itemsize
    case["dst_address"] = int(rng.integers(0, 4)) * (fractal if case["dst_pos"] == CO1 else 32)
    return case


def random_case(rng, most=40, kind=None):
    """A legal case; None if the numbers drawn make none."""
    case = random_parameters(rng, most)
    if not legal(case):
        return None
    return choose_sources(complete(case), rng, kind)


def random_cases(count, *names, make=random_case):
    """`count` cases that are legal."""
    rng, cases = rng_for("conv2d", *names), []
    while len(cases) < count:
        case = make(rng)
        if case is not None:
            cases.append(case)
    return cases
