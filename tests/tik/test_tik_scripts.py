"""Whole scripts that check themselves against numpy, as a user runs them."""

import pathlib
import subprocess
import sys

import pytest
import tik_harness

SCRIPTS = pathlib.Path(__file__).resolve().parent / "scripts"
ALL = ("Ascend310", "Ascend910A", "Ascend310P3", "Ascend910B1", "Ascend310B1")
CHIPS = {"argmax": ALL, "permute": ALL[:4], "masking": ALL[2:], "embedding": ALL,
         "top_k": ALL[:3]}


def start(name, soc, folder):
    return subprocess.run([sys.executable, "-m", "vinci.tik", "--soc", soc, SCRIPTS / f"{name}.py"],
                          cwd=folder, env=tik_harness.environment(), capture_output=True,
                          text=True, timeout=120, check=False)


def test_every_script_is_run():
    assert sorted(CHIPS) == sorted(path.stem for path in SCRIPTS.glob("*.py"))


@pytest.mark.parametrize("name,soc", [(name, soc) for name in CHIPS for soc in CHIPS[name]])
def test_script(name, soc, tmp_path):
    run = start(name, soc, tmp_path)
    assert run.returncode == 0, run.stdout + run.stderr
    assert " of " in run.stdout


@pytest.mark.parametrize("name,soc,words", [
    ("masking", "Ascend910A", "doesn't support"), ("top_k", "Ascend910B1", "doesn't support"),
    ("permute", "Ascend310B1", "doesn't support")])
def test_a_chip_that_does_not_have_it(name, soc, words, tmp_path):
    run = start(name, soc, tmp_path)
    assert run.returncode != 0 and words in run.stderr
