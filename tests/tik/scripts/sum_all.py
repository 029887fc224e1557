"""The sum of a vector in two phases: each core leaves its part in a workspace, all wait at a
barrier, and the first core adds the parts. Twice, as a kernel that is started again. There are no
more blocks than cores: those that have not begun would never come to the barrier."""

import sys

import numpy as np
from tbe import tik

EACH, MASK = 8192, 64
BLOCKS = min(8, tik.Dprofile().get_aicore_num())
COUNT = BLOCKS * EACH
REPEATS = EACH // MASK


class ReduceSum:
    def __init__(self, kernel_name="sum_all"):
        ib = self.tik_instance = tik.Tik(disable_debug=False)
        self.kernel_name = kernel_name
        self.x = ib.Tensor("float32", (COUNT,), tik.scope_gm, "x")
        self.total = ib.Tensor("float32", (8,), tik.scope_gm, "total")
        self.parts = ib.Tensor("float32", (BLOCKS, 8), tik.scope_gm, "parts", is_workspace=True)
        self.sync = ib.Tensor("int64", (BLOCKS * 4,), tik.scope_gm, "sync", is_workspace=True,
                              is_atomic_add=True)

    def part(self, block):
        ib = self.tik_instance
        line = ib.Tensor("float32", (EACH,), tik.scope_ubuf, "line")
        work = ib.Tensor("float32", (REPEATS,), tik.scope_ubuf, "work")
        part = ib.Tensor("float32", (8,), tik.scope_ubuf, "part")
        ib.vector_dup(8, part, 0.0, 1, 1, 8)
        ib.data_move(line, self.x[block * EACH], 0, 1, EACH // 8, 0, 0)
        ib.vec_reduce_add(MASK, part, line, work, REPEATS, 8)
        ib.data_move(self.parts[block, 0], part, 0, 1, 1, 0, 0)

    def all_parts(self):
        ib = self.tik_instance
        parts = ib.Tensor("float32", (BLOCKS, 8), tik.scope_ubuf, "all_parts")
        ib.data_move(parts, self.parts, 0, 1, BLOCKS, 0, 0)
        half = BLOCKS // 2
        while half:
            ib.vadd(half * 8, parts, parts, parts[half, 0], 1, 1, 1, 1, 8, 8, 8)
            half //= 2
        ib.data_move(self.total, parts, 0, 1, 1, 0, 0)

    def compute(self):
        ib = self.tik_instance
        with ib.for_range(0, BLOCKS, block_num=BLOCKS) as block:
            self.part(BLOCKS - 1 - block)
            ib.block_barrier(self.sync)
            with ib.if_scope(block == 0):
                self.all_parts()
        ib.BuildCCE(kernel_name=self.kernel_name, inputs=[self.x], outputs=[self.total])
        return ib


def main():
    instance = ReduceSum().compute()
    random = np.random.default_rng(11)
    wrong = 0
    for _ in range(2):
        x = random.integers(-100, 100, COUNT).astype("float32")  # so the sum is exact
        total, = instance.tikdb.start_debug({"x": x}, interactive=False)
        wrong += total[0] != x.sum() or total[1:].any()
    print(f"{2 - wrong} of 2 sums")
    return int(wrong != 0)


sys.exit(main())
