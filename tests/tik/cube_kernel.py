"""What the tests of TIK's matrix path share: a kernel that brings arrays onto the chip, and what
stands in a memory of the chip back, and the layouts of its matrices."""

import contextlib
import io
import os
import sys

import numpy as np
import pytest
import tik_harness

sys.path.append(str(tik_harness.ROOT / "tests"))
sys.path.append(str(tik_harness.ROOT / "tests" / "isa"))
from vinci import tik  # noqa: E402
from vinci.tik import chip  # noqa: E402

SEED = int(os.environ.get("VINCI_SEED", "20241121"))
COUPLED = ["Ascend310", "Ascend910A", "Ascend310P3"]  # L0C leaves through UB
SPLIT, LITE = "Ascend910B1", "Ascend310B1"  # L0C leaves through a fixed pipe: to GM, to UB
ALL = [*COUPLED, SPLIT, LITE]
BLOCK = 32
GM, UB, L1, L0A, L0B, L0C = (tik.scope_gm, tik.scope_ubuf, tik.scope_cbuf, tik.scope_ca,
                             tik.scope_cb, tik.scope_cc)


def up(value, unit):
    return -(-value // unit) * unit


def c0_of(dtype):
    return BLOCK // np.dtype(dtype).itemsize


def l1_matrix(matrix):
    """[columns / C0, rows, C0]; what fills up the last blocks must not count: sevens."""
    c0 = c0_of(matrix.dtype)
    height, width = up(matrix.shape[0], 16), up(matrix.shape[1], c0)
    whole = np.full((height, width), 7, matrix.dtype)
    whole[:matrix.shape[0], :matrix.shape[1]] = matrix
    return np.ascontiguousarray(whole.reshape(height, width // c0, c0).transpose(1, 0, 2))


def from_zn(blocks, rows, columns):
    """[N1, rows, 16] as a matrix."""
    flat = blocks.reshape(-(-columns // 16), -1, 16).transpose(1, 0, 2)
    return flat.reshape(flat.shape[0], -1)[:rows, :columns]


class Kernel:
    """One kernel on one chip. Names are made up; what is fed and read is an array."""

    def __init__(self, soc):
        chip.use(chip.make(soc))
        self.tik = tik.Tik()
        self.feeds, self.inputs, self.outputs = {}, [], []

    def gm(self, array):
        name = f"in{len(self.inputs)}"
        tensor = self.tik.Tensor(str(array.dtype), array.shape, GM, name)
        self.inputs.append(tensor)
        self.feeds[name] = array
        return tensor

    def out(self, dtype, shape):
        tensor = self.tik.Tensor(str(np.dtype(dtype)), shape, GM, f"out{len(self.outputs)}")
        self.outputs.append(tensor)
        return tensor

    def local(self, dtype, shape, scope):
        name = dtype if isinstance(dtype, str) else str(np.dtype(dtype))
        return self.tik.Tensor(name, shape, scope, "local")

    def load(self, array, scope):
        """The array in UB, L1 or, where UB leads there, in L0C."""
        source = self.gm(array)
        tensor = self.local(array.dtype, array.shape, scope)
        blocks = array.nbytes // BLOCK
        if scope != L0C:
            self.tik.data_move(tensor, source, 0, 1, blocks, 0, 0)
            return tensor
        with self.tik.new_stmt_scope():
            staged = self.local(array.dtype, array.shape, UB)
            self.tik.data_move(staged, source, 0, 1, blocks, 0, 0)
            self.tik.tensor_mov(tensor, staged, "m", 1, array.size // 256, 0, 0)
        return tensor

    def read(self, tensor):
        """All of a Tensor in UB or of 32-bit numbers in L0C, as an output."""
        target = self.out(tensor.dtype, tensor.shape)
        size = int(np.prod(tensor.shape))
        blocks = size * np.dtype(tensor.dtype).itemsize // BLOCK
        if tensor.scope == UB:
            self.tik.data_move(target, tensor, 0, 1, blocks, 0, 0)
        elif chip.current().name == SPLIT:
            self.tik.fixpipe(target, tensor, 1, blocks, 0, 0)
        else:
            with self.tik.new_stmt_scope():
                staged = self.local(tensor.dtype, tensor.shape, UB)
                if chip.current().name == LITE:
                    self.tik.fixpipe(staged, tensor, 1, blocks, 0, 0)
                else:
                    self.tik.tensor_mov(staged, tensor, "m", 1, size // 256, 0, 0)
                self.tik.data_move(target, staged, 0, 1, blocks, 0, 0)

    def run(self):
        self.tik.BuildCCE("kernel", self.inputs, self.outputs)
        return self.tik.tikdb.start_debug(self.feeds, interactive=False)


def refused(text, call):
    """`call` is refused, with a text that begins so."""
    with contextlib.redirect_stderr(io.StringIO()), pytest.raises(SystemExit) as caught:
        call()
    assert str(caught.value).startswith(text), str(caught.value)


def integers(rng, dtype, shape, most=None):
    """Small enough that all sums are exact."""
    least, most = (0, most or 9) if np.dtype(dtype).kind == "u" else (-(most or 9), most or 9)
    return rng.integers(least, most + 1, shape).astype(dtype)
