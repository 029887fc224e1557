"""Lets the tests of the TIK front end import it, and what they share, from any folder."""

import pathlib
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE)]

import tik_harness  # noqa: E402

sys.path[:0] = tik_harness.PATHS


@pytest.fixture(autouse=True)
def chip_at_start(monkeypatch):
    """Each test starts with Ascend910A, as most old scripts choose, and leaves no chip behind."""
    from vinci.tik import chip

    for name in ("VINCI_SOC", "VINCI_TIK_STRICT", "CONTEXT_MODELCOMPILING"):
        monkeypatch.delenv(name, raising=False)
    chip.use(chip.make("Ascend910A"))
    yield
    chip.use(None)
