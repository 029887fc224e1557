"""Inside new_stmt_scope(disable_sync=True) only the script's own flags and barriers order pipes: what is
missing is told, and nothing where they are there."""

import contextlib

import numpy as np
import pytest
from kernels import use
from vinci import tik

ROWS, LANES = 4, 128
NUMBERS = -np.arange(ROWS * LANES, dtype="float16").reshape(ROWS, LANES)
IN, OUT = ("PIPE_MTE2", "PIPE_V"), ("PIPE_V", "PIPE_MTE3")
AGAIN, FREE = ("PIPE_V", "PIPE_MTE2"), ("PIPE_MTE3", "PIPE_V")


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


class Kernel:
    """Rows of a Tensor in, their absolute values out, by one buffer each."""

    def __init__(self, soc):
        use(soc)
        self.tik = tik.Tik()
        self.source, self.target = (self.tik.Tensor("float16", (ROWS, LANES), tik.scope_gm, name)
                                    for name in ("source", "target"))
        self.x, self.y = (self.tik.Tensor("float16", (LANES,), tik.scope_ubuf, name) for name in "xy")

    def order(self, pair, pairs):
        if pair in pairs:
            self.tik.set_flag(*pair, 0)
            self.tik.wait_flag(*pair, 0)

    def row(self, row, pairs=()):
        """`pairs`: those pipes of which the second waits for the first."""
        self.tik.data_move(self.x, self.source[row, 0], 0, 1, 8, 0, 0)
        self.order(IN, pairs)
        self.tik.vec_abs(LANES, self.y, self.x, 1, 8, 8)
        self.order(OUT, pairs)
        self.tik.data_move(self.target[row, 0], self.y, 0, 1, 8, 0, 0)
        self.order(AGAIN, pairs)
        self.order(FREE, pairs)

    def scope(self):
        return self.tik.new_stmt_scope(disable_sync=True)

    def run(self):
        self.tik.BuildCCE("k", [self.source], [self.target])
        out, = self.tik.tikdb.start_debug({"source": NUMBERS}, interactive=False)
        assert (out == -NUMBERS).all()


@pytest.mark.parametrize("soc", ["310", "910", "310P", "910B"])
def test_flags_that_are_all_there(soc, capsys):
    kernel = Kernel(soc)
    with kernel.scope(), kernel.tik.for_range(0, ROWS) as row:
        kernel.row(row, (IN, OUT, AGAIN, FREE))
    kernel.run()
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("missing, words", [
    (IN, 'set_flag("PIPE_MTE2", "PIPE_V", event_id) after that and wait_flag("PIPE_MTE2", "PIPE_V", '),
    (OUT, 'set_flag("PIPE_V", "PIPE_MTE3"'), (AGAIN, 'set_flag("PIPE_V", "PIPE_MTE2"'),
    (FREE, 'set_flag("PIPE_MTE3", "PIPE_V"')])
def test_a_flag_that_is_missing(missing, words, capsys):
    kernel = Kernel("910")
    with kernel.scope(), kernel.tik.for_range(0, ROWS) as row:
        kernel.row(row, {IN, OUT, AGAIN, FREE} - {missing})
    with pytest.raises(SystemExit, match="V4009: "):
        kernel.run()
    told = capsys.readouterr().err
    assert told.count("error[V4009]") == 1 and words in told and "HardEvent" not in told, told


def test_no_flag_at_all(capsys):
    kernel = Kernel("310P")
    with kernel.scope():
        kernel.row(0)
    with pytest.raises(SystemExit, match="V4009: "):
        kernel.run()
    assert capsys.readouterr().err.count("error[V4009]") == 2


@pytest.mark.parametrize("pipe, told", [("PIPE_ALL", None), ("PIPE_MTE2", "V4009")])
def test_barriers(pipe, told):
    """Of all pipes; of one it orders nothing between two."""
    kernel = Kernel("910")
    with kernel.scope(), kernel.tik.for_range(0, ROWS) as row:
        kernel.tik.data_move(kernel.x, kernel.source[row, 0], 0, 1, 8, 0, 0)
        kernel.tik.pipe_barrier(pipe)
        kernel.tik.vec_abs(LANES, kernel.y, kernel.x, 1, 8, 8)
        kernel.tik.pipe_barrier("PIPE_ALL")
        kernel.tik.data_move(kernel.target[row, 0], kernel.y, 0, 1, 8, 0, 0)
        kernel.tik.pipe_barrier("PIPE_ALL")
    with contextlib.nullcontext() if told is None else pytest.raises(SystemExit, match=told):
        kernel.run()


def test_what_lies_outside_is_in_order(capsys):
    """So are two scopes, and one that a loop enters again."""
    kernel = Kernel("910")
    kernel.row(0)
    with kernel.tik.for_range(1, ROWS) as row:
        with kernel.scope():
            kernel.tik.data_move(kernel.x, kernel.source[row, 0], 0, 1, 8, 0, 0)
        with kernel.scope():
            kernel.tik.vec_abs(LANES, kernel.y, kernel.x, 1, 8, 8)
        kernel.tik.data_move(kernel.target[row, 0], kernel.y, 0, 1, 8, 0, 0)
    kernel.run()
    assert capsys.readouterr().err == ""


def test_blocks_and_scalars(capsys):
    """Elements that scalar code takes wait by themselves; so does block_barrier."""
    kernel = Kernel("910")
    sync = kernel.tik.Tensor("int64", (ROWS * 4,), tik.scope_gm, "sync", is_workspace=True)
    with kernel.tik.for_range(0, ROWS, block_num=ROWS) as row:
        with kernel.scope():
            kernel.row(row, (IN, OUT))
            kernel.tik.Scalar("float16", init_value=kernel.y[3])
        kernel.tik.block_barrier(sync)
        kernel.tik.data_move(kernel.x, kernel.target[ROWS - 1 - row, 0], 0, 1, 8, 0, 0)
    kernel.run()
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("checks", ["basic", "init"])
def test_who_does_not_look(checks, monkeypatch):
    monkeypatch.setenv("VINCI_CHECK", checks)
    kernel = Kernel("910")
    with kernel.scope():
        for row in range(ROWS):
            kernel.row(row)
    kernel.run()
