"""Lets the tests of the TIK front end import it, and what they share, from any folder."""

import pathlib
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE)]

import tik_harness  # noqa: E402

sys.path[:0] = tik_harness.PATHS


@pytest.fixture(autouse=True)
def default_chip(monkeypatch):
    """Each test starts with the default chip, and leaves none behind."""
    from vinci.tik import chip

    for name in ("VINCI_SOC", "VINCI_TIK_STRICT", "CONTEXT_MODELCOMPILING"):
        monkeypatch.delenv(name, raising=False)
    chip.use(None)
    yield
    chip.use(None)
