"""Rows of a table by their numbers. How many rows there are, how many are wanted and how long a row
is are numbers of the tiling, and Tensors of UB are as large as they say."""

import sys

import numpy as np
from impl.util.platform_adapter import tbe_context, tbe_platform, tik


def gather(kernel_name="gather"):
    ib = tik.Tik()
    tiling_gm = ib.Tensor("int64", (4,), name="tiling_gm", scope=tik.scope_gm)
    rows_in, rows_out, blocks = (ib.InputScalar("int32", name=name)
                                 for name in ("rows_in", "rows_out", "blocks"))
    table = ib.Tensor("int32", (rows_in, blocks * 8), name="table", scope=tik.scope_gm)
    numbers = ib.Tensor("int32", (rows_out,), name="numbers", scope=tik.scope_gm)
    out = ib.Tensor("int32", (rows_out, blocks * 8), name="out", scope=tik.scope_gm)
    tiling_ub = ib.Tensor("int64", (4,), name="tiling_ub", scope=tik.scope_ubuf)
    ib.data_move(tiling_ub, tiling_gm, 0, 1, 1, 0, 0)
    cores = ib.Scalar("int64", name="cores")
    each = ib.Scalar("int64", name="each")
    cores.set_as(tiling_ub[0])
    each.set_as(tiling_ub[1])
    with ib.for_range(0, cores, block_num=cores) as core:
        numbers_ub = ib.Tensor("int32", (rows_out + 7,), name="numbers_ub", scope=tik.scope_ubuf)
        row = ib.Tensor("int32", (blocks, 8), name="row", scope=tik.scope_ubuf)
        ib.data_move(numbers_ub, numbers, 0, 1, (rows_out + 7) // 8, 0, 0)
        number = ib.Scalar("int32", name="number")
        with ib.for_range(0, each, thread_num=2) as i:
            with ib.if_scope(core * each + i < rows_out):
                number.set_as(numbers_ub[core * each + i])
                ib.data_move(row, table[number, 0], 0, 1, blocks, 0, 0)
                ib.data_move(out[core * each + i, 0], row, 0, 1, blocks, 0, 0)
    tbe_context.get_context().add_compile_info(
        "vars", {"core_num": tbe_platform.get_soc_spec(tbe_platform.CORE_NUM)})
    ib.BuildCCE(kernel_name=kernel_name, inputs=[table, numbers], outputs=[out],
                flowtable=[tiling_gm, rows_in, rows_out, blocks],
                config={"enable_const_fold": True})
    return ib


def main():
    wrong, random, instance = 0, np.random.default_rng(40), gather()
    for rows_in, rows_out, blocks in ((5, 8, 1), (40, 64, 9), (17, 29, 3)):
        table = random.integers(-2**31, 2**31, (rows_in, blocks * 8)).astype("int32")
        numbers = random.integers(0, rows_in, rows_out).astype("int32")
        cores = 2
        feed = {"table": table, "numbers": numbers, "rows_in": rows_in, "rows_out": rows_out,
                "blocks": blocks, "tiling_gm": np.array([cores, -(-rows_out // cores), 0, 0])}
        out, = instance.tikdb.start_debug(feed, interactive=False)
        right = (out == table[numbers]).all(1).sum()
        wrong += rows_out - right
        print(f"{right} of {rows_out} rows")
    return int(wrong != 0)


sys.exit(main())
