"""Conv2D and its tiling by what they mean, not by the documents' steps: each window is placed on
the image, each element is found by its index, each block of the product is counted."""

import itertools

import numpy as np

from matrix_operators import C0, DST, L0, POOL, SRC, Wrong


def starts_of(size, kernel, stride, dilation, before, after):
    """Where windows start, all of which lie on the padded image; 0 is the first pixel."""
    starts = itertools.count(-before, stride)
    return list(itertools.takewhile(
        lambda start: start + dilation * (kernel - 1) <= size - 1 + after, starts))


def windows_of(case):
    """(row, column) of the start of each window, in the order of the result."""
    return list(itertools.product(
        starts_of(case["h"], case["kh"], case["sh"], case["dh"], case["top"], case["bottom"]),
        starts_of(case["w"], case["kw"], case["sw"], case["dw"], case["left"], case["right"])))


def numbers(start, dtype):
    return POOL[start:start + (len(POOL) - start) // 8 * 8].view(dtype)


def sums_of(case, window, fm, weight):
    """What a window gives, one sum for each filter. fm is [C1, H, W, C0] in memory, weight
    [C1, Kh, Kw, Cout, C0]."""
    c0, h, w = C0[case["types"]], case["h"], case["w"]
    c, n = np.arange(case["cin"]), np.arange(case["cout"])[:, None]
    total = np.zeros(case["cout"], np.int64)
    for i, j in itertools.product(range(case["kh"]), range(case["kw"])):
        y, x = window[0] + i * case["dh"], window[1] + j * case["dw"]
        if 0 <= y < h and 0 <= x < w:  # elsewhere zeros
            pixel = fm[((c // c0 * h + y) * w + x) * c0 + c % c0]
            point = (c // c0 * case["kh"] + i) * case["kw"] + j
            filters = weight[(point * case["cout"] + n) * c0 + c % c0]
            total += filters.astype(np.int64) @ pixel.astype(np.int64)
    return total


def compare(case, got):
    """Raises Wrong where a sum of whole numbers is another."""
    src, dst, windows = SRC[case["types"]], DST[case["types"]], windows_of(case)
    calls = [[numbers(case[name] + call * case["from_step"], src)
              for name in ("fm_from", "weight_from")] for call in range(case["calls"])]
    n = np.arange(case["cout"])
    rows = next(rows for rows in itertools.count(0, 16) if rows >= len(windows))
    before, after = numbers(case["dst_from"], dst), got[:len(got) // 8 * 8].view(dst)
    for m, window in enumerate(windows):
        at = (n // 16 * rows + m) * 16 + n % 16
        total = sum(sums_of(case, window, *operands) for operands in calls)
        if case["init_y"] == 1:
            total = total + before[at].astype(np.int64)
        if case["types"] == 0:
            total = total.astype(np.int32)  # int8: sums wrap
        if (after[at] != total).any():
            raise Wrong(f"window {m} at {window}: {after[at]} instead of {total}")


def check_tiling(case, tiling):
    """What any tiling must be that computes this convolution on a chip with 64 KB of L0A and L0B,
    and what the documents promise beyond that: M and N whole, two tiles at once where that can
    be, and no smaller tiles of K than that asks for."""
    windows, c0 = windows_of(case), tiling["c0Size"]
    assert tiling["howo"] == tiling["ho"] * tiling["wo"] == len(windows)
    assert tiling["ho"] == len({row for row, _ in windows})
    assert c0 * tiling["dTypeSize"] == 32  # a row of a fractal
    sizes = {"m": len(windows), "n": case["cout"], "k": case["cin"] * case["kh"] * case["kw"]}
    tiles = {}
    for axis, size in sizes.items():
        unit, count = (c0 if axis == "k" else 16), tiling[axis + "IterNum"]
        tiles[axis] = [tiling[axis + "TileBlock"]] * (count - 1) + [tiling[axis + "TailBlock"]]
        blocks = sum(tiles[axis])
        assert 0 < tiles[axis][-1] <= tiling[axis + "TileBlock"]
        assert blocks == tiling[axis + "BlockNum"] and (blocks - 1) * unit < size <= blocks * unit
        assert tiling[axis + "Num"] == size and tiling["round" + axis.upper()] == blocks * unit
    assert tiling["mIterNum"] == tiling["nIterNum"] == 1
    assert tiling["kHasTail"] == (tiles["k"][-1] < tiling["kTileBlock"])
    assert tiling["mHasTail"] == (sizes["m"] % 16 != 0) and tiling["nHasTail"] == 0
    done = np.zeros([tiling[axis + "BlockNum"] for axis in "mnk"], np.uint8)
    steps = [list(itertools.pairwise(itertools.accumulate(tiles[a], initial=0))) for a in "mnk"]
    for (m, m_end), (n, n_end), (k, k_end) in itertools.product(*steps):
        done[m:m_end, n:n_end, k:k_end] += 1
    assert (done == 1).all()
    wide = max(tiling["mTileBlock"], tiling["nTileBlock"]) * 16 * 32  # bytes for each block of K
    deep = tiling["kTileBlock"]
    assert deep * wide <= L0
    assert deep == 1 or 2 * deep * wide <= L0
    assert deep == tiling["kBlockNum"] or 2 * (deep + 1) * wide > L0
