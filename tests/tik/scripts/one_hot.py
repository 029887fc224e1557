"""One-hot rows: a row of off_value is made once, and for each index one place of it is on."""

import sys

import numpy as np
from te import tik
from te import platform as tbe_platform

ON_VALUE, OFF_VALUE = 5, -1


class OneHot:
    def __init__(self, indices, depth, kernel_name="one_hot"):
        ib = self.tik_instance = tik.Tik(tik.Dprofile)  # the class itself, as some scripts do
        self.count, self.depth, self.kernel_name = indices.get("shape")[0], depth, kernel_name
        self.core_num = tbe_platform.get_soc_spec(tbe_platform.CORE_NUM)
        self.x = ib.Tensor(indices.get("dtype"), indices.get("shape"), name="x",
                           scope=tik.scope_gm)
        self.y = ib.Tensor("int32", (self.count, depth), name="y", scope=tik.scope_gm)

    def one_core(self, first, count):
        ib = self.tik_instance
        index_ub = ib.Tensor("int32", (self.count,), name="index_ub", scope=tik.scope_ubuf)
        row_ub = ib.Tensor("int32", (self.depth,), name="row_ub", scope=tik.scope_ubuf)
        ib.data_move(index_ub, self.x, 0, 1, self.count // 8, 0, 0)
        repeat, tail = self.depth // 64, self.depth % 64
        if repeat:
            ib.vector_dup(64, row_ub, OFF_VALUE, repeat, 1, 8)
        if tail:
            ib.vector_dup(tail, row_ub[repeat * 64], OFF_VALUE, 1, 1, 8)
        off = ib.Scalar("int32", name="off", init_value=OFF_VALUE)
        with ib.for_range(0, count) as i:
            index = ib.Scalar("int32", name="index")
            index.set_as(index_ub[first + i])
            with ib.if_scope(tik.all(index >= 0, index < self.depth)):
                row_ub[index].set_as(ON_VALUE)
                ib.data_move(self.y[first + i, 0], row_ub, 0, 1, self.depth // 8, 0, 0)
                row_ub[index].set_as(off)
            with ib.else_scope():
                ib.data_move(self.y[first + i, 0], row_ub, 0, 1, self.depth // 8, 0, 0)

    def compute(self):
        ib = self.tik_instance
        each = -(-self.count // self.core_num)
        used = -(-self.count // each)
        last = self.count - (used - 1) * each
        with ib.for_range(0, used, block_num=used) as core:
            with ib.if_scope(core != used - 1):
                self.one_core(core * each, each)
            with ib.else_scope():
                self.one_core(core * each, last)
        ib.BuildCCE(kernel_name=self.kernel_name, inputs=[self.x], outputs=[self.y])
        return ib


def one_hot(x, depth, kernel_name="one_hot"):
    """As operators are called: dicts for tensors."""
    return OneHot(x, depth, kernel_name).compute()


def main():
    x = np.random.default_rng(14).integers(-3, 203, 136).astype("int32")
    instance = one_hot({"shape": x.shape, "dtype": "int32", "format": "ND"}, 200)
    y, = instance.tikdb.start_debug({"x": x}, False)
    wanted = np.where(np.arange(200) == x[:, None], ON_VALUE, OFF_VALUE)
    right = (y == wanted).all(1).sum()
    print(f"{right} of {len(x)} rows")
    return int(right != len(x))


sys.exit(main())
