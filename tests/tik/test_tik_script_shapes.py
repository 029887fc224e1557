"""The scripts whose shape stands in one line, in two shapes more, one of them with tails where the
script has room for them. The others go through three shapes by themselves."""

import pytest
import tik_harness
from test_tik_scripts import CHIPS, SCRIPTS

# What stands in the script, and what else works there.
SHAPES = {
    "activation": ("COUNT, TILE = 10000, 2048", "COUNT, TILE = 33, 2048",
                   "COUNT, TILE = 4096, 1024"),
    "argmax": ("ROWS, COLUMNS, BLOCKS = 64, 1008, 8", "ROWS, COLUMNS, BLOCKS = 6, 912, 2",
               "ROWS, COLUMNS, BLOCKS = 12, 1904, 3"),
    "concat": ("lengths = (16, 3200, 1024, 48, 2064)", "lengths = (16,)",
               "lengths = (1040, 16, 2048, 48, 32, 64, 3088)"),
    "conv2d_load3d": ("H, W, C0 = 4, 2, 14, 13, 16", "H, W, C0 = 1, 1, 5, 7, 16",
                      "H, W, C0 = 2, 3, 9, 20, 16"),
    "conv2d_method": ("H, W, C0 = 3, 2, 10, 12, 32", "H, W, C0 = 1, 1, 6, 5, 32",
                      "H, W, C0 = 2, 3, 8, 9, 32"),
    "cumsum": ("COLUMNS, LIMIT = 24, 72, 1000", "COLUMNS, LIMIT = 8, 16, 300",
               "COLUMNS, LIMIT = 12, 200, 1500"),
    "embedding": ("WORDS, WIDTH, MOST = 1000, 96, 256", "WORDS, WIDTH, MOST = 10, 72, 104",
                  "WORDS, WIDTH, MOST = 300, 128, 512"),
    "gelu": ("SHAPE = (6, 11, 80)", "SHAPE = (3, 1, 16)", "SHAPE = (3, 7, 48)"),
    "histogram": ("normal(128, 40, 5003)", "normal(128, 40, 33)", "normal(128, 40, 4096)"),
    "iou": ("BOXES, CHOSEN = 256, 6", "BOXES, CHOSEN = 128, 4", "BOXES, CHOSEN = 384, 6"),
    "layer_norm": ("ROWS, COLUMNS = 29, 776", "ROWS, COLUMNS = 4, 24", "ROWS, COLUMNS = 33, 512"),
    "masking": ("ROWS, COLUMNS = 12, 512", "ROWS, COLUMNS = 1, 128", "ROWS, COLUMNS = 3, 1024"),
    "matmul_tiled": ("M, K, N = 192, 480, 320", "M, K, N = 48, 96, 64", "M, K, N = 96, 288, 128"),
    "matvec": ("ROWS, COLUMNS = 64, 512", "ROWS, COLUMNS = 8, 512", "ROWS, COLUMNS = 72, 512"),
    "normalize": ("0, 256, (1234, CHANNELS)", "0, 256, (256, CHANNELS)",
                  "0, 256, (701, CHANNELS)"),
    "one_hot": ("integers(-3, 203, 136)", "integers(-3, 203, 8)", "integers(-3, 203, 72)"),
    "permute": ("N, C, H, W = 4, 32, 14, 16", "N, C, H, W = 1, 16, 4, 8",
                "N, C, H, W = 2, 48, 5, 16"),
    "rms_norm": ("ROWS, COLUMNS = 37, 200", "ROWS, COLUMNS = 1, 72", "ROWS, COLUMNS = 33, 424"),
    "scatter_add": ("COUNT, BLOCKS = 50, 64, 120, 4", "COUNT, BLOCKS = 3, 8, 8, 2",
                    "COUNT, BLOCKS = 17, 40, 96, 3"),
    "softmax": ("SHAPE = (4, 6, 320)", "SHAPE = (3, 4, 64)", "SHAPE = (3, 8, 448)"),
    "sum_all": ("EACH, MASK = 8192, 64", "EACH, MASK = 64, 64", "EACH, MASK = 320, 64"),
    "top_k": ("COUNT, K = 256, 16", "COUNT, K = 64, 16", "COUNT, K = 1024, 32"),
    "transpose_big": ("ROWS, COLUMNS = 256, 1040", "ROWS, COLUMNS = 128, 1040",
                      "ROWS, COLUMNS = 320, 416"),
    "upsample": ("H, W, C0 = 2, 3, 7, 20, 16", "H, W, C0 = 1, 1, 3, 5, 16",
                 "H, W, C0 = 3, 1, 2, 8, 16")}
SEVERAL = {"dynamic_add", "dynamic_softmax", "tiling_modes", "vec_add"}  # and those of OLD
SAMPLE = ("activation", "rms_norm")


def test_no_script_is_left_out():
    assert sorted(SHAPES) == sorted(set(CHIPS) - SEVERAL)


@pytest.mark.parametrize("name,turn", [
    pytest.param(name, turn, marks=() if name in SAMPLE and turn == 1 else pytest.mark.whole)
    for name in SHAPES for turn in (1, 2)])
def test_shape(name, turn, tmp_path):
    text, old = (SCRIPTS / f"{name}.py").read_text(), SHAPES[name][0]
    assert text.count(old) == 1
    run = tik_harness.run_script(tmp_path, text.replace(old, SHAPES[name][turn]),
                                 options=("--soc", "Ascend310P3"))
    assert run.returncode == 0, run.stdout + run.stderr
    assert " of " in run.stdout
