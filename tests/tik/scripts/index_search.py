"""The nearest of many int8 vectors to each query, as retrieval has it: a product of int8, scaled to
float16 on the way out of L0C, and the maximum of every group of 64 with its place."""

import os
import sys

import numpy as np
from te import platform as cce
from te import tik

QUERIES, BLOCK, GROUP, SCALE = 16, 16, 64, 0.01


def set_soc_info():
    """Scripts are told the chip by their environment."""
    soc_version = os.getenv("SOC_VERSION")
    if soc_version is not None:
        cce.te_set_version(soc_version, core_type="AiCore")


class IndexSearch:
    def __init__(self, dim, count, kernel_name="index_search"):
        set_soc_info()
        ib = self.ib = tik.Tik()
        self.dim, self.count, self.kernel_name = dim, count, kernel_name
        self.queries = ib.Tensor("int8", (dim // 32, QUERIES, 32), name="queries",
                                 scope=tik.scope_gm)
        self.base = ib.Tensor("int8", (dim // 32, count, 32), name="base", scope=tik.scope_gm)
        self.distances = ib.Tensor("float16", (QUERIES, count), name="distances",
                                   scope=tik.scope_gm)
        self.best = ib.Tensor("float16", (QUERIES, count // GROUP * 2), name="best",
                              scope=tik.scope_gm)

    def compute(self):
        ib, dim, count = self.ib, self.dim, self.count
        queries = ib.Tensor("int8", self.queries.shape, name="queries_l1", scope=tik.scope_cbuf)
        base = ib.Tensor("int8", self.base.shape, name="base_l1", scope=tik.scope_cbuf)
        ib.data_move(queries, self.queries, 0, 1, dim // 32 * QUERIES, 0, 0)
        ib.data_move(base, self.base, 0, 1, dim // 32 * count, 0, 0)
        products = ib.Tensor("int32", (count // BLOCK, QUERIES, BLOCK), name="products",
                             scope=tik.scope_cc)
        ib.matmul(products, queries, base, QUERIES, dim, count)
        columns = ib.Tensor("float16", (count // BLOCK, QUERIES, BLOCK), name="columns",
                            scope=tik.scope_ubuf)
        ib.tensor_mov(columns, products, "m", 1, count // BLOCK, 0, 0, SCALE)
        rows = ib.Tensor("float16", (QUERIES, count), name="rows", scope=tik.scope_ubuf)
        with ib.for_range(0, QUERIES) as query:
            ib.data_move(rows[query, 0], columns[0, query, 0], 0, count // BLOCK, 1, QUERIES - 1, 0)
        best = ib.Tensor("float16", (QUERIES, count // GROUP * 2), name="best_ub",
                         scope=tik.scope_ubuf)
        groups = QUERIES * count // GROUP
        done = 0
        while done < groups:  # a call repeats 255 times at most
            now = min(groups - done, 240)
            ib.vcmax(GROUP, best[done * 2], rows[done * GROUP], now, 1, 1, 4)
            done += now
        ib.data_move(self.distances, rows, 0, 1, QUERIES * count // BLOCK, 0, 0)
        ib.data_move(self.best, best, 0, 1, groups * 2 // BLOCK, 0, 0)
        ib.BuildCCE(kernel_name=self.kernel_name, inputs=[self.queries, self.base],
                    outputs=[self.distances, self.best], enable_l2=False)
        return ib


def in_columns(vectors):
    return np.ascontiguousarray(vectors.reshape(len(vectors), -1, 32).transpose(1, 0, 2))


def main():
    random, wrong = np.random.default_rng(71), 0
    for dim, count in ((128, 512), (32, 64), (64, 1216)):
        queries, base = (random.integers(-20, 21, (number, dim)).astype("int8")
                         for number in (QUERIES, count))
        ib = IndexSearch(dim, count).compute()
        feed = {"queries": in_columns(queries), "base": in_columns(base)}
        distances, best = ib.tikdb.start_debug(feed, interactive=False)
        exact = queries.astype(int) @ base.T.astype(int)
        wanted = (exact * float(np.float16(SCALE))).astype("float16")
        groups = wanted.reshape(QUERIES, -1, GROUP)
        pairs = best.reshape(QUERIES, -1, 2)
        right = int((distances == wanted).sum() + (pairs[..., 0] == groups.max(2)).sum()
                    + (pairs[..., 1].copy().view("uint16") == groups.argmax(2)).sum())
        numbers = wanted.size + 2 * groups.shape[0] * groups.shape[1]
        wrong += numbers - right
        print(f"{right} of {numbers} numbers")
    return int(wrong != 0)


sys.exit(main())
