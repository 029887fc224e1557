"""Whatever a script hands to a method of Tik, a mistake ends in TIK's own error: never in one of
Python's that does not say what is wrong."""

import contextlib
import inspect
import io
import os
import random

import pytest
from harness import times_more
from vinci import tik
from vinci.tik import chip

CALLS = times_more(40)  # of each method
SEED = int(os.environ.get("VINCI_SEED", "3"))
METHODS = [name for name, _ in inspect.getmembers(tik.Tik, inspect.isfunction)
           if not name.startswith("_")]


def arguments(instance):
    """One of each kind of value, right ones among them."""
    gm = instance.Tensor("float16", (256,), tik.scope_gm, "gm")
    half = instance.Tensor("float16", (256,), tik.scope_ubuf, "half")
    word = instance.Tensor("int32", (64,), tik.scope_ubuf, "word")
    scalar = instance.Scalar("int32", "scalar", init_value=1)
    values = [None, "x", "", "round", 1, -1, 0, 2**70, 1.5, float("nan"), True, [], [1], (1, 2), {},
              object(), gm, half, word, half[3], [half] * 16, scalar, scalar + 1, tik.scope_ubuf]
    if chip.current().bytes[tik.scope_cbuf]:
        values.append(instance.Tensor("float16", (4, 16, 16), tik.scope_cbuf, "l1"))
    return values


def call(name, rng):
    """Calls it with as many arguments as it needs, or one more; gives them."""
    instance = tik.Tik()
    values = arguments(instance)
    method = getattr(instance, name)
    parameters = [p for p in inspect.signature(method).parameters.values()
                  if p.kind is p.POSITIONAL_OR_KEYWORD]
    needed = sum(p.default is p.empty for p in parameters)
    given = [rng.choice(values) for _ in range(min(needed + rng.randint(0, 1), len(parameters)))]
    try:
        result = method(*given)
        if hasattr(result, "__enter__"):
            with result:
                pass
    except SystemExit:
        pass
    except Exception as error:  # noqa: BLE001
        error.add_note(f"{name}{tuple(given)!r}, VINCI_SEED={SEED}")
        raise


@pytest.mark.parametrize("soc", ["Ascend310", "Ascend310P3", "Ascend910B1", "Ascend310B1"])
@pytest.mark.parametrize("name", METHODS)
def test_any_arguments(name, soc, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    chip.use(chip.make(soc))
    rng = random.Random(f"{SEED} {name} {soc}")
    with contextlib.redirect_stderr(io.StringIO()):
        for _ in range(CALLS):
            call(name, rng)


@pytest.mark.parametrize("name", ["vec_adds", "vec_muls", "vec_axpy"])
def test_a_scalar_must_be_there(name):
    instance = tik.Tik()
    half = instance.Tensor("float16", (256,), tik.scope_ubuf, "half")
    with contextlib.redirect_stderr(io.StringIO()), pytest.raises(SystemExit, match="scalar"):
        getattr(instance, name)(128, half, half[128:], None, 1, 8, 8)
    assert instance.program.body == []
