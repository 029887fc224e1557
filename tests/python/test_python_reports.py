"""suppress=, sarif= and explore=, for a kernel and for one launch."""

import json
import warnings

import numpy as np
import pytest
import vinci

import sarif_shape
from python_kit import kernel

X = np.arange(128, dtype=np.float32)
CODES = {"V1001", "V1009", "V1013", "V3007", "V4009"}


@pytest.fixture(autouse=True)
def fixture_environment(monkeypatch):
    """Without an order in it."""
    for name in ("VINCI_SCHEDULE", "VINCI_AUTO_SYNC"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(name="known")
def fixture_known(tmp_path):
    """A file that suppresses all that the kernel with a mistake for each tool does."""
    file = tmp_path / "known.txt"
    file.write_text("".join(f"{code} * known\n" for code in sorted(CODES)))
    return file


def mistakes(launch, **wishes):
    """The codes of the error that a launch raises; none: it raised none."""
    try:
        launch(np.zeros(64, np.float32), **wishes)
    except vinci.KernelError as error:
        return {fault.code for fault in error.faults if fault.suppressed is None}
    return set()


def test_suppressed_faults_do_not_count(known):
    assert mistakes(kernel("checks")) == CODES
    assert mistakes(kernel("checks"), suppress=known) == set()
    run = vinci.report()
    assert {fault["code"]: fault["suppressed"] for fault in run["faults"]} == dict.fromkeys(CODES, "known")
    assert mistakes(kernel.__wrapped__("checks", suppress=str(known))) == set()


def test_the_others_count(known):
    known.write_text("V4009 * known\nV1002 * never\n")
    with pytest.warns(vinci.KernelWarning, match=r"known.txt:2: V1002 \* matched nothing"):
        assert mistakes(kernel("checks"), suppress=known) == CODES - {"V4009"}


def test_a_wrong_file_is_refused(known):
    known.write_text("V4009\n")
    with pytest.raises(vinci.UsageError, match="suppress: .*known.txt:1"):
        kernel("checks")(np.zeros(64, np.float32), suppress=known)
    with pytest.raises(vinci.UsageError, match="suppress: .*known.txt:1"):
        kernel.__wrapped__("checks", suppress=known)


def test_sarif(tmp_path, known):
    file = tmp_path / "r.sarif"
    assert mistakes(kernel("checks"), sarif=file, suppress=known) == set()
    log = json.loads(file.read_text())
    sarif_shape.check(log)
    results = log["runs"][0]["results"]
    assert {result["ruleId"] for result in results} == CODES
    assert all(result["suppressions"][0]["justification"] == "known" for result in results)


def test_explore_tells_the_first_difference():
    y = np.full(128, 9, np.float32)
    with pytest.raises(vinci.KernelError) as raised:
        kernel("orders", "add_one", check="basic")(X, y, 0, explore=9)
    fault, = raised.value.faults
    assert fault.code == "V4012" and fault.legal.endswith("look with schedule='lazy', check='race'")
    assert fault.message.endswith("[0] is 6.0 under schedule lazy, but 1.0 under schedule eager")
    assert vinci.report(raised.value)["explored"] == {"schedules": 2, "differs_under": "lazy"}
    assert (y == X + 1).all()


def test_explore_finds_nothing_in_a_kernel_that_waits():
    y = np.full(128, 9, np.float32)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run = kernel("orders", "add_one", check="basic")(X, y, 1, explore=4)
    assert run.report["explored"] == {"schedules": 4, "differs_under": None}
    assert (y == X + 1).all()


def test_an_error_that_eager_does_not_show():
    y = np.zeros(128, np.float32)
    launch = kernel("orders", "counts", check="basic")
    with pytest.raises(vinci.KernelError) as raised:
        launch(X, y, explore=5, auto_sync=False)
    fault, = raised.value.faults
    assert fault.message.startswith("under schedule lazy there is V1001 (")


@pytest.mark.parametrize("wishes, match", [
    ({"explore": 1}, "explore 1; legal: 2..1000"), ({"explore": 1001}, "explore 1001"),
    ({"explore": "2"}, "explore '2'"),
    ({"explore": 2, "schedule": "lazy"}, "explore has schedules of its own")])
def test_wrong_wishes_are_refused(wishes, match):
    with pytest.raises(vinci.UsageError, match=match):
        kernel("orders", "add_one", check="basic")(X, X.copy(), 1, **wishes)


def test_a_launch_says_more_than_its_kernel():
    lazy = kernel("orders", "add_one", check="basic", schedule="lazy")
    run = lazy(X, np.zeros(128, np.float32), 1, explore=2)
    assert run.report["explored"]["schedules"] == 2
    exploring = kernel.__wrapped__("orders", "add_one", check="basic", explore=3)
    y = np.zeros(128, np.float32)
    exploring(X, y, 0, schedule="lazy")
    assert y[0] == 6
    with pytest.raises(vinci.KernelError, match="V4012"):
        exploring(X, y, 0)
