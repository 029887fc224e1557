"""vinci.sweep: many cases of a package, with progress on stderr."""

import io
import pathlib
import re
import time

import numpy as np
import pytest

import harness
import python_kit  # pylint: disable=unused-import

import vinci
from vinci import sweeping

PACKAGE = pathlib.Path(__file__).resolve().parent.parent / "op" / "packages" / "add_custom"


def test_every_case_is_called_and_what_fails_is_told(capsys):
    """Shapes and types of a package; wrong types and wrong numbers among them."""
    op = vinci.op(PACKAGE, soc="Ascend910B1")
    seen = []

    def test(shape, dtype, wanted):
        seen.append((shape, dtype))
        x = np.full(shape, 3, dtype)
        np.testing.assert_array_equal(op.AddCustom(x, x), np.full(shape, wanted, dtype))

    count = harness.times_more(30)
    cases = [((size, 7), dtype, 6) for size in range(count) for dtype in ("float16",)]
    cases += [((5,), "int8", 6), ((5,), "float16", 7), ((0,), "float16", 7)]
    wrong = vinci.sweep(test, cases)
    assert [case for case, _ in wrong] == cases[-3:-1]
    assert isinstance(wrong[0][1], vinci.UsageError) and isinstance(wrong[1][1], AssertionError)
    assert seen == [case[:2] for case in cases]
    last = capsys.readouterr().err.splitlines()[-1]
    assert re.fullmatch(rf"{count + 3} of {count + 3}, 2 wrong, \d+ s", last)


def test_values_that_are_no_tuples():
    """One argument each; nothing to do is no mistake."""
    seen = []
    assert vinci.sweep(seen.append, range(3)) == [] and seen == [0, 1, 2]
    assert vinci.sweep(seen.append, []) == []


def test_interrupts_end_it():
    """They are no mistakes of a case."""
    def test(number):
        if number == 2:
            raise KeyboardInterrupt
        assert number < 2
    with pytest.raises(KeyboardInterrupt):
        vinci.sweep(test, range(9))


@pytest.mark.parametrize("terminal, lines", [(True, 1), (False, 3)])
def test_progress(monkeypatch, terminal, lines):
    """One line that changes on a terminal; else a line after some seconds, and the last."""
    class Stream(io.StringIO):
        """Of that kind."""

        def isatty(self):
            return terminal

    clock = iter(range(0, 100))
    monkeypatch.setattr(time, "monotonic", lambda: next(clock))
    stream = Stream()
    progress = sweeping.Progress(5, stream)  # at 0
    for done in range(1, 6):
        progress.tell(done, done // 4, (done, "x"))  # at 1, 2, ... 5
    text = stream.getvalue()
    assert text.count("\n") == lines and text.endswith("5 of 5, 1 wrong, 5 s\n")
    assert "2 of 5, 0 wrong, 2 s, 3 s left, at (2, 'x')" in text
    assert ("\r\033[K" in text) == terminal
