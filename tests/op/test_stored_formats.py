"""Inputs that lie in memory in a format of its own: tiling sees both shapes and both formats."""

import pathlib

import numpy as np
import pytest

import harness

PACKAGE = pathlib.Path(__file__).resolve().parent / "packages" / "stored_weight"
ND, FRACTAL_NZ, NCHW = 2, 29, 0


def fractals(rows):
    """[rows, columns] as FRACTAL_NZ has it: [columns/16, rows/16, 16, 16], zeros around."""
    high, wide = (-(-size // 16) for size in rows.shape)
    padded = np.zeros((high * 16, wide * 16), rows.dtype)
    padded[:rows.shape[0], :rows.shape[1]] = rows
    return padded.reshape(high, 16, wide, 16).transpose(2, 0, 1, 3).copy()


@pytest.fixture(name="rows")
def some_rows():
    return np.arange(20 * 40, dtype=np.float16).reshape(20, 40)


def unfold(tmp_path, array, said, *more):
    """What comes of a weight that is an array, and how it is said to lie."""
    np.save(tmp_path / "w.npy", array)
    run = harness.vinci("op", str(PACKAGE), "--soc", "Ascend910B1", "--in",
                        f"weight={tmp_path / 'w.npy'}{said}", "--out", f"rows={tmp_path / 'r.npy'}",
                        "--out", f"seen={tmp_path / 's.npy'}", *more)
    if run.code != 0:
        return run, None, None
    return run, np.load(tmp_path / "r.npy"), np.load(tmp_path / "s.npy")


@pytest.mark.parametrize("said, origin", [(":FRACTAL_NZ:20x40", ND), (":FRACTAL_NZ:NCHW:20x40", NCHW),
                                          (":half:FORMAT_FRACTAL_NZ:20x40", ND),
                                          (":half:3x2x16x16:FRACTAL_NZ:ND:20x40", ND)])
def test_tiling_sees_both_shapes_and_formats(tmp_path, rows, said, origin):
    run, result, seen = unfold(tmp_path, fractals(rows), said)
    assert run.code == 0, run.stderr
    assert np.array_equal(result, rows)
    assert seen.tolist() == [origin, FRACTAL_NZ, 2, 4, 20, 40, 0, 0, 3, 2, 16, 16, 0, 0, 0, 1536]


def test_format_without_a_shape_is_that_of_both(tmp_path, rows):
    run, result, seen = unfold(tmp_path, rows, ":NCHW")
    assert run.code == 0, run.stderr
    assert np.array_equal(result, rows)
    assert seen.tolist()[:6] == [NCHW, NCHW, 2, 2, 20, 40]


@pytest.mark.parametrize("said, words", [
    (":FRACTAL_NZ:ND:20x40:7", "7 behind the layout; legal: FORMAT[:FORMAT][:SHAPE]"),
    (":FRACTAL_NZ:wide", "wide is no SHAPE"),
    (":FRACTAL_Z:20x40", "UnfoldWeight does not take weight float16:FRACTAL_Z")])
def test_what_is_no_layout(tmp_path, rows, said, words):
    run, _, _ = unfold(tmp_path, fractals(rows), said)
    assert run.code == 2
    assert words in run.stderr


def test_an_output_that_is_said_lies_so(tmp_path, rows):
    """There is memory for the shape in memory, which is the file's."""
    np.save(tmp_path / "w.npy", rows)
    run = harness.vinci("op", str(PACKAGE), "--soc", "Ascend910B1", "--in",
                        f"weight={tmp_path / 'w.npy'}", "--out",
                        f"rows={tmp_path / 'r.npy'}:half:3x2x16x16:ND:20x40", "--out",
                        f"seen={tmp_path / 's.npy'}:int32:16", "--check", "basic")
    assert run.code == 0, run.stderr
    result = np.load(tmp_path / "r.npy")
    assert result.shape == (3, 2, 16, 16)
    assert np.array_equal(result.reshape(-1)[:800], rows.reshape(-1))
