"""When instructions run: --schedule, --auto-sync and what else says the same."""

import json

import numpy as np
import pytest

from cli_kit import check_ok, check_usage, forget_orders, load, run

X = np.arange(128, dtype=np.float32)
IN_TIME, TOO_EARLY = X + 1, np.full(128, 6, np.float32)


@pytest.fixture(name="folder", autouse=True)
def fixture_folder(tmp_path, monkeypatch):
    """With an input."""
    np.save(tmp_path / "x.npy", X)
    forget_orders(monkeypatch)
    return tmp_path


def add_one(folder, *words, waits=0, **more):
    """What the kernel wrote; it is right if it waits."""
    check_ok(run("orders.cpp", "add_one", "--check", "basic", *words, cwd=folder, **more,
                 args=["in:x.npy", "out:y.npy:float:128", f"value:int32:{waits}"]))
    return load(folder / "y.npy")


def look(folder, *words, **more):
    """What scalar code saw: 6 in time, 5 too early."""
    check_ok(run("orders.cpp", "looks", "--check", "basic", *words, cwd=folder, **more,
                 args=["out:y.npy:float:1"]))
    return load(folder / "y.npy")[0]


def test_eager_is_program_order_and_lazy_is_not(folder):
    assert (add_one(folder) == IN_TIME).all()
    assert (add_one(folder, "--schedule", "eager") == IN_TIME).all()
    assert (add_one(folder, "--schedule", "lazy") == TOO_EARLY).all()


@pytest.mark.parametrize("schedule", ["eager", "lazy", "random:0", "random:18446744073709551615"])
def test_a_kernel_that_waits_does_not_depend_on_it(folder, schedule):
    assert (add_one(folder, "--schedule", schedule, waits=1) == IN_TIME).all()


def test_a_seed_repeats_what_it_did_and_others_do_otherwise(folder):
    first = [add_one(folder, "--schedule", f"random:{seed}").tobytes() for seed in range(12)]
    again = [add_one(folder, "--schedule", f"random:{seed}").tobytes() for seed in range(12)]
    assert first == again
    assert set(first) == {IN_TIME.tobytes(), TOO_EARLY.tobytes()}


def test_the_option_counts_more_than_the_variable(folder):
    lazy = {"VINCI_SCHEDULE": "lazy"}
    assert (add_one(folder, env=lazy) == TOO_EARLY).all()
    assert (add_one(folder, "--schedule", "eager", env=lazy) == IN_TIME).all()


@pytest.mark.parametrize("words, options, env, seen", [
    ([], [], {}, 6),
    (["--auto-sync", "on"], [], {}, 6),
    (["--auto-sync", "off"], [], {}, 5),
    ([], ["--cce-auto-sync=off"], {}, 5),
    ([], ["--cce-auto-sync=off", "-O1", "--cce-auto-sync=on"], {}, 6),
    ([], ["--cce-auto-sync=off", "--cce-auto-sync"], {}, 6),
    ([], [], {"VINCI_AUTO_SYNC": "off"}, 5),
    ([], ["--cce-auto-sync=on"], {"VINCI_AUTO_SYNC": "off"}, 6),
    (["--auto-sync", "on"], ["--cce-auto-sync=off"], {"VINCI_AUTO_SYNC": "off"}, 6),
    (["--auto-sync", "off"], ["--cce-auto-sync=on"], {}, 5),
])
def test_whether_the_compiler_orders_scalar_code(folder, words, options, env, seen):
    assert look(folder, "--schedule", "lazy", *words, options=options, env=env) == seen


def test_what_the_compiler_no_longer_orders_is_a_race(folder):
    for auto_sync, code in (("on", 0), ("off", 1)):
        done = run("orders.cpp", "looks", "--auto-sync", auto_sync, cwd=folder,
                   args=["out:y.npy:float:1"])
        assert done.code == code and ("V4009" in done.stderr) == bool(code)


@pytest.mark.parametrize("words, options, env, phrase", [
    (["--schedule", "slow"], [], {}, "--schedule slow; legal: eager, lazy, random:SEED"),
    (["--schedule", "random:"], [], {}, "--schedule random:; legal: "),
    (["--schedule", "random:x"], [], {}, "--schedule random:x; legal: "),
    (["--schedule", "random:-1"], [], {}, "--schedule random:-1; legal: "),
    (["--schedule", "random:18446744073709551616"], [], {}, "; legal: eager, lazy, random:SEED"),
    (["--auto-sync", "Off"], [], {}, "--auto-sync Off; legal: on, off"),
    ([], ["--cce-auto-sync=no"], {}, "--cce-auto-sync=no; legal: --cce-auto-sync with on, off"),
    ([], [], {"VINCI_SCHEDULE": "slow"}, "VINCI_SCHEDULE is slow; legal: eager, lazy, random:SEED"),
    ([], [], {"VINCI_AUTO_SYNC": "0"}, "VINCI_AUTO_SYNC is 0; legal: on, off"),
])
def test_a_wrong_word_is_refused_with_the_legal_ones(folder, words, options, env, phrase):
    done = run("orders.cpp", "looks", *words, cwd=folder, options=options, env=env,
               args=["out:y.npy:float:1"])
    check_usage(done, phrase)
    assert not (folder / "y.npy").exists()


def test_the_report_says_it(folder):
    add_one(folder, "--schedule", "random:7", "--auto-sync", "off", "--json", "r.json", waits=1)
    report = json.loads((folder / "r.json").read_text())
    assert (report["schedule"], report["auto_sync"]) == ("random:7", False)
