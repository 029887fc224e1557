"""One step of an LSTM: the product of all four gates begins with the bias, which goes from UB into
L0C; the gates are read back from there and put together."""

import sys

import numpy as np
from te import tik

BLOCK, MASK = 16, 64
GATES = ("input", "forget", "cell", "output")


class LstmCell:
    def __init__(self, batch, width, hidden, kernel_name="lstm_cell"):
        ib = self.ib = tik.Tik(tik.Dprofile())
        self.batch, self.width, self.hidden = batch, width, hidden
        self.kernel_name = kernel_name
        self.x = ib.Tensor("float16", (width // BLOCK, batch, BLOCK), name="x", scope=tik.scope_gm)
        self.w = ib.Tensor("float16", (width // BLOCK, 4 * hidden, BLOCK), name="w",
                           scope=tik.scope_gm)
        self.bias = ib.Tensor("float32", (4 * hidden,), name="bias", scope=tik.scope_gm)
        shape = (hidden // BLOCK, batch, BLOCK)
        self.c = ib.Tensor("float32", shape, name="c", scope=tik.scope_gm)
        self.h_new = ib.Tensor("float16", shape, name="h_new", scope=tik.scope_gm)
        self.c_new = ib.Tensor("float32", shape, name="c_new", scope=tik.scope_gm)
        self.repeats = batch * hidden // MASK

    def unary(self, name, tensor, *scalar):
        getattr(self.ib, name)(MASK, tensor, tensor, *scalar, self.repeats, 1, 1, 8, 8)

    def binary(self, name, dst, one, other, rep_strides=(8, 8, 8)):
        getattr(self.ib, name)(MASK, dst, one, other, self.repeats, 1, 1, 1, *rep_strides)

    def sigmoid(self, tensor):
        self.unary("vmuls", tensor, -1.0)
        self.unary("vexp", tensor)
        self.unary("vadds", tensor, 1.0)
        self.binary("vdiv", tensor, self.ones, tensor, (8, 0, 8))

    def tanh(self, tensor):
        """2 * sigmoid(2 * x) - 1"""
        self.unary("vmuls", tensor, 2.0)
        self.sigmoid(tensor)
        self.unary("vmuls", tensor, 2.0)
        self.unary("vadds", tensor, -1.0)

    def gates(self):
        """The four products with their bias, in UB."""
        ib, batch, columns = self.ib, self.batch, 4 * self.hidden // BLOCK
        x_l1 = ib.Tensor("float16", self.x.shape, name="x_l1", scope=tik.scope_cbuf)
        w_l1 = ib.Tensor("float16", self.w.shape, name="w_l1", scope=tik.scope_cbuf)
        ib.data_move(x_l1, self.x, 0, 1, self.width * batch // BLOCK, 0, 0)
        ib.data_move(w_l1, self.w, 0, 1, self.width * 4 * self.hidden // BLOCK, 0, 0)
        sums = ib.Tensor("float32", (columns, batch, BLOCK), name="sums", scope=tik.scope_cc)
        gates = ib.Tensor("float32", (columns, batch, BLOCK), name="gates", scope=tik.scope_ubuf)
        with ib.for_range(0, batch) as row:
            ib.data_move(gates[0, row, 0], self.bias, 0, columns, 2, 0, (batch - 1) * 2)
        ib.tensor_mov(sums, gates, "m", 1, columns * batch // BLOCK, 0, 0)
        ib.matmul(sums, x_l1, w_l1, batch, self.width, 4 * self.hidden, init_l1out=False)
        ib.tensor_mov(gates, sums, "m", 1, columns * batch // BLOCK, 0, 0)
        return {name: gates[i * self.hidden // BLOCK, 0, 0] for i, name in enumerate(GATES)}

    def compute(self):
        ib, numbers = self.ib, self.batch * self.hidden
        self.ones = ib.Tensor("float32", (MASK,), name="ones", scope=tik.scope_ubuf)
        ib.vector_dup(MASK, self.ones, 1.0, 1, 1, 8)
        gate = self.gates()
        for name in ("input", "forget", "output"):
            self.sigmoid(gate[name])
        self.tanh(gate["cell"])
        cell = ib.Tensor("float32", self.c.shape, name="cell", scope=tik.scope_ubuf)
        ib.data_move(cell, self.c, 0, 1, numbers // 8, 0, 0)
        self.binary("vmul", cell, cell, gate["forget"])
        self.binary("vmla", cell, gate["input"], gate["cell"])
        ib.data_move(self.c_new, cell, 0, 1, numbers // 8, 0, 0)
        self.tanh(cell)
        self.binary("vmul", cell, cell, gate["output"])
        half = ib.Tensor("float16", self.c.shape, name="half", scope=tik.scope_ubuf)
        ib.vconv(MASK, "", half, cell, self.repeats, 1, 1, 4, 8)
        ib.data_move(self.h_new, half, 0, 1, numbers // BLOCK, 0, 0)
        ib.BuildCCE(kernel_name=self.kernel_name, inputs=[self.x, self.w, self.bias, self.c],
                    outputs=[self.h_new, self.c_new], enable_l2=True)
        return ib


def in_columns(matrix):
    """Blocks of 16 columns, one behind the other."""
    return np.ascontiguousarray(matrix.reshape(len(matrix), -1, BLOCK).transpose(1, 0, 2))


def golden_of(x, w, bias, c):
    z = x.astype(float) @ w.T.astype(float) + bias
    parts = np.split(z, 4, axis=1)
    one, two, four = (1 / (1 + np.exp(-parts[i])) for i in (0, 1, 3))
    cell = two * c + one * np.tanh(parts[2])
    return four * np.tanh(cell), cell


def main():
    random, wrong = np.random.default_rng(61), 0
    for batch, width, hidden in ((16, 64, 32), (32, 16, 16), (16, 96, 48)):
        x = random.normal(0, 1, (batch, width)).astype("float16")
        w = random.normal(0, 1 / 8, (4 * hidden, width)).astype("float16")
        bias = random.normal(0, 1, 4 * hidden).astype("float32")
        c = random.normal(0, 1, (batch, hidden)).astype("float32")
        feed = {"x": in_columns(x), "w": in_columns(w), "bias": bias, "c": in_columns(c)}
        ib = LstmCell(batch, width, hidden).compute()
        h_new, c_new = ib.tikdb.start_debug(feed, interactive=False)
        wanted_h, wanted_c = map(in_columns, golden_of(x, w, bias, c))
        right = int((np.abs(h_new - wanted_h) < 2e-3).sum())
        right += int((np.abs(c_new - wanted_c) < 2e-3).sum())
        wrong += 2 * c.size - right
        print(f"{right} of {2 * c.size} numbers")
    return int(wrong != 0)


sys.exit(main())
