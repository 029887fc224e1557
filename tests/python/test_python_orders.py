"""When instructions run, and which tools look: schedule=, auto_sync=, check=."""

import numpy as np
import pytest
import vinci

from python_kit import kernel

X = np.arange(128, dtype=np.float32)


@pytest.fixture(autouse=True)
def fixture_environment(monkeypatch):
    """Without an order in it."""
    for name in ("VINCI_SCHEDULE", "VINCI_AUTO_SYNC"):
        monkeypatch.delenv(name, raising=False)


def add_one(launch, **order):
    """The first element that the kernel wrote: 1 in time, 6 too early."""
    y = np.zeros(128, np.float32)
    launch(X, y, 0, **order)
    return y[0]


def test_a_schedule_is_said_for_a_kernel_or_a_launch():
    eager = kernel("orders", "add_one", check="basic")
    lazy = kernel("orders", "add_one", check="basic", schedule="lazy")
    assert [add_one(eager), add_one(eager, schedule="lazy"), add_one(eager)] == [1, 6, 1]
    assert add_one(eager[1], schedule="lazy") == 6
    assert [add_one(lazy), add_one(lazy, schedule="eager"), add_one(lazy)] == [6, 1, 6]
    assert vinci.report()["schedule"] == "lazy"


def test_it_holds_without_a_process_too():
    here = kernel("orders", "add_one", check="basic", isolated=False)
    assert [add_one(here), add_one(here, schedule="lazy"), add_one(here)] == [1, 6, 1]


def test_the_environment_counts_least(monkeypatch):
    launch = kernel("orders", "add_one", check="basic")
    monkeypatch.setenv("VINCI_SCHEDULE", "lazy")
    assert [add_one(launch), add_one(launch, schedule="eager")] == [6, 1]
    monkeypatch.setenv("VINCI_SCHEDULE", "slow")
    with pytest.raises(vinci.UsageError, match="VINCI_SCHEDULE is slow; legal: eager, lazy"):
        add_one(launch)


@pytest.mark.parametrize("options, of_kernel, of_launch, seen", [
    ([], None, None, 6), ([], False, None, 5), ([], False, True, 6), ([], None, False, 5),
    (["--cce-auto-sync=off"], None, None, 5), (["--cce-auto-sync=off"], True, None, 6),
])
def test_what_the_compiler_orders(options, of_kernel, of_launch, seen):
    launch = kernel.__wrapped__("orders", "looks", check="basic", schedule="lazy", options=options,
                                auto_sync=of_kernel)
    y = np.zeros(1, np.float32)
    launch(y, auto_sync=of_launch)
    assert y[0] == seen
    assert vinci.report()["auto_sync"] == (seen == 6)


def test_a_wrong_schedule_of_a_launch_is_refused():
    with pytest.raises(vinci.UsageError, match="schedule random:x; legal: eager, lazy, random:SEED"):
        add_one(kernel("orders", "add_one", check="basic"), schedule="random:x")


@pytest.mark.parametrize("check, codes, name", [
    ("basic", {"V1001"}, "basic"),
    ("race,queue", {"V1001", "V3007", "V4009"}, "queue,race"),
    (["memory", "race"], {"V1001", "V1009", "V4009"}, "memory,race"),
    ("strict", {"V1001", "V1009", "V1013", "V3007", "V4009"}, "strict"),
])
def test_tools_by_name(check, codes, name):
    with pytest.raises(vinci.KernelError) as raised:
        kernel.__wrapped__("checks", check=check)(np.zeros(64, np.float32))
    assert {fault.code for fault in raised.value.faults} == codes
    assert vinci.report(raised.value)["check"] == name
