"""Whole scripts that check themselves against numpy, as a user runs them."""

import pathlib

import pytest
import tik_harness

SCRIPTS = pathlib.Path(__file__).resolve().parent / "scripts"
ALL = ("Ascend310", "Ascend910A", "Ascend310P3", "Ascend910B1", "Ascend310B1")
CHIPS = {"argmax": ALL, "permute": ALL[:4], "masking": ALL[2:], "embedding": ALL,
         "top_k": ALL[:3], "matmul_tiled": ALL[:4], "conv2d_load3d": ALL[:3],
         "conv2d_method": ALL[:4], "vec_add": ALL, "activation": ALL, "rms_norm": ALL[1:],
         "softmax": ALL[1:], "sum_all": ALL, "dynamic_add": ALL, "concat": ALL, "one_hot": ALL,
         "upsample": ALL, "cumsum": ALL, "transpose_big": ALL, "matvec": ALL,
         "iou": ALL, "histogram": ALL, "normalize": ALL, "layer_norm": ALL[1:],
         "gelu": ALL[1:], "scatter_add": ALL[1:], "dynamic_softmax": ALL[2:], "tiling_modes": ALL}
# Operators as people have them, with what old scripts import and expect; on the chips that each is
# for.
OLD = {"s_relu": ALL[:2], "trsm": ALL[1:], "trace": ALL, "roll": ALL, "eye": ALL, "pdist": ALL[1:],
       "batch_norm": ALL, "sort_proposals": ALL[:3], "roi_pool": ALL[:4], "momentum": ALL,
       "gather_dynamic": ALL, "resize": ALL, "nms": ALL[:3], "roi_align": ALL[1:],
       "lstm_cell": ALL[1:3], "index_search": ALL[:3]}
QUICK = {"s_relu": "Ascend310", "trsm": "Ascend910A", "nms": "Ascend310P3",
         "momentum": "Ascend910B1", "roi_align": "Ascend910B1",
         "lstm_cell": "Ascend310P3", "index_search": "Ascend310", "gather_dynamic": "Ascend310B1"}
# A change of one line that makes the script's own check fail.
MISTAKES = {"argmax": ("repeat * 128 + lane", "repeat * 64 + lane"),
            "permute": ("image[first + channel, 0]", "image[first + 15 - channel, 0]"),
            "masking": ("vcmpv_ge(bits", "vcmpv_lt(bits"),
            "embedding": ("word.set_as(numbers[i])", "word.set_as(numbers[first])"),
            "top_k": ("source, K // 16, NUMBER", "source, K // 16, SCORE"),
            "matmul_tiled": ("init_l1out=False", "init_l1out=True"),
            "conv2d_load3d": ("row * 16 // WO * STRIDE_H - TOP", "row * 16 // WO * STRIDE_H"),
            "conv2d_method": ('"mode_param": SCALE', '"mode_param": 0.25'),
            "vec_add": ("place = repeat_time * self.mask", "place = 0"),
            "activation": ("target, target, other, repeats, 1, 1, 1, 8, 8, 0",
                           "target, target, other, repeats, 1, 1, 1, 8, 8, 8"),
            "rms_norm": ("ib.vcadd(REPEATS + 1,", "ib.vcadd(REPEATS,"),
            "softmax": ("ib.vadds(MASK, line, line, minus", "ib.vadds(MASK, line, line, 0.0"),
            "sum_all": ("ib.data_move(self.parts[block, 0]", "ib.data_move(self.parts[0, 0]"),
            "dynamic_add": ("(rest + 15) // 16)", "(rest + 31) // 32)"),
            "concat": ("place + whole, length", "place, length"),
            "one_hot": ("row_ub[index].set_as(off)", "row_ub[0].set_as(off)"),
            "upsample": ("0, w, 1, 0, 1)", "0, 1, w, 0, 0)"),
            "cumsum": ("ib.tik_break()", "ib.tik_continue()"),
            "transpose_big": ("turned, squares, self.across, 1, 1", "turned, squares, 1, 1, 1"),
            "matvec": ("result, sums, TOGETHER, 1, 1, 1", "result, sums, TOGETHER, 1, 1, 0"),
            "iou": ('"vmin", "vmin"', '"vmin", "vmax"'),
            "histogram": ("(self.bins - width) // 8, 0", "0, 0"),
            "normalize": ("self.total - TILE)", "self.total - TILE - 32)"),
            "layer_norm": ("ib.h_sub(line, line, mean[0])", "ib.h_sub(line, mean[0], line)"),
            "gelu": ("ib.h_rec(bell, bell)", "ib.h_abs(bell, bell)"),
            "scatter_add": ("instance.set_atomic_add(1)", "instance.set_atomic_add(0)"),
            "dynamic_softmax": ("ib.h_div(row, row, best[0])", "ib.h_mul(row, row, best[0])"),
            "tiling_modes": ("core * self.each + i * TILE,", "core * self.each + i * MASK,")}
OLD_MISTAKES = {"s_relu": ("piece(part, mask, RIGHT, SLOPE_RIGHT, ib.vec_cmpv_gt)",
                           "piece(part, mask, RIGHT, SLOPE_RIGHT, ib.vec_cmpv_lt)"),
                "trsm": ("diagonal.set_as(1.0 / diagonal)", "diagonal.set_as(2.0 / diagonal)"),
                "trace": ("x_ub[i * (columns + 1)]", "x_ub[i * columns]"),
                "roll": ("y_ub[(i + left) % count]", "y_ub[(i + left + 1) % count]"),
                "eye": ("y_ub[i * (columns + 1)]", "y_ub[i * columns]"),
                "pdist": ("ib.scalar_sqrt(root, squares)", "root.set_as(squares)"),
                "batch_norm": ("init_value=shifts[channel]", "init_value=shifts[0]"),
                "sort_proposals": ("(1 << lists) - 1", "3"),
                "roi_pool": ("for_range(top, bottom)", "for_range(top, bottom - 1)"),
                "momentum": ("ib.data_move(var_at[i].value, v", "ib.data_move(var_at[0].value, v"),
                "gather_dynamic": ("out[core * each + i, 0]", "out[i, 0]"),
                "lstm_cell": ("init_l1out=False", "init_l1out=True"),
                "index_search": ("best[done * 2]", "best[done]"),
                "roi_align": ("(row * self.w + place)", "(row * self.h + place)"),
                "resize": ("below[first:], weight", "above[first:], weight"),
                "nms": ("across, across, 3.0", "across, across, 1.5")}


def start(name, soc, folder):
    return tik_harness.run_tik(folder, ["--soc", soc, SCRIPTS / f"{name}.py"])


def test_every_script_is_run():
    assert sorted(CHIPS | OLD) == sorted(path.stem for path in SCRIPTS.glob("*.py"))
    assert sorted(CHIPS) == sorted(MISTAKES) and sorted(OLD) == sorted(OLD_MISTAKES)


@pytest.mark.parametrize("name,soc", [(name, soc) for name in CHIPS for soc in CHIPS[name]] + [
    pytest.param(name, soc, marks=() if QUICK.get(name) == soc else pytest.mark.whole)
    for name, chips in OLD.items() for soc in chips])
def test_script(name, soc, tmp_path):
    run = start(name, soc, tmp_path)
    assert run.returncode == 0, run.stdout + run.stderr
    assert " of " in run.stdout


@pytest.mark.parametrize("name,soc,words", [
    ("masking", "Ascend910A", "doesn't support"), ("top_k", "Ascend910B1", "doesn't support"),
    ("permute", "Ascend310B1", "doesn't support"), ("rms_norm", "Ascend310", "doesn't support"),
    ("softmax", "Ascend310", "compare"), ("scatter_add", "Ascend310", "doesn't support"),
    ("dynamic_softmax", "Ascend910A", "doesn't support")])
def test_a_chip_that_does_not_have_it(name, soc, words, tmp_path):
    run = start(name, soc, tmp_path)
    assert run.returncode != 0 and words in run.stderr


@pytest.mark.parametrize("name", [*MISTAKES, *(pytest.param(name, marks=pytest.mark.whole)
                                               for name in OLD_MISTAKES)])
def test_a_script_with_a_mistake_says_so(name, tmp_path):
    """So the check in the script can fail."""
    text = (SCRIPTS / f"{name}.py").read_text()
    old, new = {**MISTAKES, **OLD_MISTAKES}[name]
    assert text.count(old) == 1
    run = tik_harness.run_script(tmp_path, text.replace(old, new),
                                 options=("--soc", "Ascend310P3"), env={"VINCI_CHECK": "basic"})
    assert run.returncode == 1 and " of " in run.stdout
