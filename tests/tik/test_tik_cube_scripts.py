"""Whole scripts of the matrix path, as a user runs them; each checks its numbers itself."""

import pathlib

import pytest
import tik_harness

SCRIPTS = pathlib.Path(__file__).resolve().parent / "scripts"
COUPLED = ["Ascend310", "Ascend910A", "Ascend310P3"]
RUNS = [(script, soc) for script, socs in (
    ("matmul_tiled.py", [*COUPLED, "Ascend910B1"]), ("conv2d_load3d.py", COUPLED),
    ("conv2d_method.py", [*COUPLED, "Ascend910B1"])) for soc in socs]


def run(folder, text, script, soc):
    return tik_harness.run_script(folder, text, options=("--soc", soc), name=script)


@pytest.mark.parametrize("script,soc", RUNS)
def test_script(tmp_path, script, soc):
    done = run(tmp_path, (SCRIPTS / script).read_text(), script, soc)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("0 of ")


@pytest.mark.parametrize("script,old,new", [
    ("matmul_tiled.py", "init_l1out=False", "init_l1out=True"),
    ("conv2d_load3d.py", "row * 16 // WO * STRIDE_H - TOP", "row * 16 // WO * STRIDE_H"),
    ("conv2d_method.py", '"mode_param": SCALE', '"mode_param": 0.25')])
def test_a_script_with_a_mistake_says_so(tmp_path, script, old, new):
    text = (SCRIPTS / script).read_text()
    assert text.count(old) == 1
    done = run(tmp_path, text.replace(old, new), script, "Ascend310P3")
    assert done.returncode == 1 and " numbers are wrong" in done.stdout
