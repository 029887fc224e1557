"""One step of an optimiser for a list of arrays, in place: the arrays that are fed change."""

import sys

import numpy as np
from tbe import tik

RATE, KEEP = 0.25, 0.5


def momentum(sizes, kernel_name="momentum"):
    ib = tik.Tik()
    count = len(sizes)
    var = ib.TensorAddrList(count, scope=tik.scope_gm, name="var")
    moment = ib.TensorAddrList(count, scope=tik.scope_gm, name="moment")
    grads = [ib.Tensor("float32", (size,), name=f"grad{i}", scope=tik.scope_gm)
             for i, size in enumerate(sizes)]
    var_at = ib.TensorAddrList(count, scope=tik.scope_ubuf, name="var_at")
    moment_at = ib.TensorAddrList(count, scope=tik.scope_ubuf, name="moment_at")
    ib.data_move(var_at, var, 0, 1, -(-count // 4), 0, 0)
    ib.data_move(moment_at, moment, 0, 1, -(-count // 4), 0, 0)
    for i, size in enumerate(sizes):
        with ib.new_stmt_scope():
            burst = -(-size // 8)
            v, m, g = (ib.Tensor("float32", (size,), name=f"{name}{i}", scope=tik.scope_ubuf)
                       for name in ("v", "m", "g"))
            ib.data_move(v, var_at[i].value, 0, 1, burst, 0, 0)
            ib.data_move(m, moment_at[i].value, 0, 1, burst, 0, 0)
            ib.data_move(g, grads[i], 0, 1, burst, 0, 0)
            ib.vec_muls(size, m, m, KEEP, 1, 8, 8)
            ib.vec_add(size, m, m, g, 1, 8, 8, 8)
            ib.vec_axpy(size, v, m, -RATE, 1, 8, 8)
            ib.data_move(var_at[i].value, v, 0, 1, burst, 0, 0)
            ib.data_move(moment_at[i].value, m, 0, 1, burst, 0, 0)
    ib.BuildCCE(kernel_name=kernel_name, inputs=[var, moment, *grads], outputs=[])
    return ib


def main():
    wrong, random = 0, np.random.default_rng(39)
    for sizes in ((8,), (64, 16, 32), (13, 5, 64, 1)):
        var, moment, grads = ([random.integers(-64, 64, size).astype("float32") for size in sizes]
                              for _ in range(3))
        moments = [KEEP * m + g for m, g in zip(moment, grads)]
        wanted = [v - RATE * m for v, m in zip(var, moments)]
        feed = {"var": var, "moment": moment,
                **{f"grad{i}": grad for i, grad in enumerate(grads)}}
        momentum(sizes).tikdb.start_debug(feed, interactive=False)
        right = sum((got == want).all() for got, want in zip(var + moment, wanted + moments))
        wrong += 2 * len(sizes) - right
        print(f"{right} of {2 * len(sizes)} arrays")
    return int(wrong != 0)


sys.exit(main())
