"""Puts python/ on the path, and stands in for what the engine says of chips where it is absent."""

import pathlib
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))
sys.path.insert(0, str(ROOT / "tests" / "tik"))

if not (ROOT / "python" / "vinci" / "tik" / "chip.py").exists():
    import chip_placeholder

    sys.modules["vinci.tik.chip"] = chip_placeholder
