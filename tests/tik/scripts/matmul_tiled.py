"""C = A * B in float16 with tiles of M, N and K: blocks share out M, N is double-buffered, sums
over the tiles of K stay in L0C. Exits with 1 if a number is wrong.

    python3 -m vinci.tik --soc Ascend310P3 matmul_tiled.py
"""

import sys

import numpy as np
from tbe import tik
from tbe.common.platform import get_soc_spec

M, K, N = 192, 480, 320
TILE_M, TILE_K, TILE_N = 48, 96, 64
C0 = 16


def blocks_of_32(*dims):
    size = 2
    for dim in dims:
        size *= dim
    return size // 32


def define(instance):
    """A as [K1, M, 16], B as [K1, N, 16], C as [N1, M, 16], all in GM."""
    return (instance.Tensor("float16", (K // C0, M, C0), tik.scope_gm, "a_gm"),
            instance.Tensor("float16", (K // C0, N, C0), tik.scope_gm, "b_gm"),
            instance.Tensor("float16", (N // C0, M, C0), tik.scope_gm, "c_gm"))


def store(instance, c_gm, c_l0c, m_at, n_at):
    """A tile of C to GM, in float16."""
    columns, gap = TILE_N // C0, blocks_of_32(M - TILE_M, C0)
    target = c_gm[n_at // C0, m_at, 0]
    if get_soc_spec("SHORT_SOC_VERSION") == "Ascend910B":
        instance.fixpipe(target, c_l0c, columns, TILE_M * C0 * 4 // 32, gap, 0,
                         {"quantize_params": {"mode": "fp322fp16", "mode_param": None}})
        return
    c_ub = instance.Tensor("float16", (columns, TILE_M, C0), tik.scope_ubuf, "c_ub")
    instance.tensor_mov(c_ub, c_l0c, "m", 1, columns * TILE_M // 16, 0, 0)
    instance.data_move(target, c_ub, 0, columns, blocks_of_32(TILE_M, C0), 0, gap)


def tile(instance, tensors, m_at, n_at):
    a_gm, b_gm, c_gm = tensors
    depth = TILE_K // C0
    c_l0c = instance.Tensor("float32", (TILE_N // C0, TILE_M, C0), tik.scope_cbuf_out, "c_l0c")
    with instance.for_range(0, K // TILE_K, thread_num=2) as k:
        a_l1 = instance.Tensor("float16", (depth, TILE_M, C0), tik.scope_cbuf, "a_l1")
        b_l1 = instance.Tensor("float16", (depth, TILE_N, C0), tik.scope_cbuf, "b_l1")
        instance.data_move(a_l1, a_gm[k * depth, m_at, 0], 0, depth, blocks_of_32(TILE_M, C0),
                           blocks_of_32(M - TILE_M, C0), 0)
        instance.data_move(b_l1, b_gm[k * depth, n_at, 0], 0, depth, blocks_of_32(TILE_N, C0),
                           blocks_of_32(N - TILE_N, C0), 0)
        with instance.if_scope(k == 0):
            instance.matmul(c_l0c, a_l1, b_l1, TILE_M, TILE_K, TILE_N)
        with instance.else_scope():
            instance.matmul(c_l0c, a_l1, b_l1, TILE_M, TILE_K, TILE_N, init_l1out=False)
    store(instance, c_gm, c_l0c, m_at, n_at)


def build():
    instance = tik.Tik(disable_debug=False)
    tensors = define(instance)
    with instance.for_range(0, M // TILE_M, block_num=M // TILE_M) as m:
        with instance.for_range(0, N // TILE_N, thread_num=2) as n:
            tile(instance, tensors, m * TILE_M, n * TILE_N)
    instance.BuildCCE("matmul_tiled", list(tensors[:2]), [tensors[2]])
    return instance


def main():
    random = np.random.default_rng(5)
    a = random.integers(-4, 5, (M, K)).astype(np.float16)
    b = random.integers(-4, 5, (K, N)).astype(np.float16)
    feeds = {"a_gm": np.ascontiguousarray(a.reshape(M, K // C0, C0).transpose(1, 0, 2)),
             "b_gm": np.ascontiguousarray(b.T.reshape(N, K // C0, C0).transpose(1, 0, 2))}
    c, = build().tikdb.start_debug(feeds, interactive=False)
    got = c.transpose(1, 0, 2).reshape(M, N)
    want = (a.astype(np.float32) @ b.astype(np.float32)).astype(np.float16)
    print(f"{(got != want).sum()} of {want.size} numbers are wrong")
    return int((got != want).any())


if __name__ == "__main__":
    sys.exit(main())
